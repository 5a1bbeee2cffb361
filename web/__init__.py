"""HTTP: requests of phones are executed once by `table.actions`, and changes are sent as events.

`routes.Api` has the routes, `auth` identifies the sender of a request, `events` publishes changes,
`worker` reads photos in the background, and `intake`, `limits` and `turns` keep one table or
address from holding up the others. `middleware` protects and logs the routes; `logging`, `metrics`
and `health` report how the server is doing. app.py mounts all of it in the server of Streamlit's
pages.
"""
