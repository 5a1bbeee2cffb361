"""HTTP: requests of phones come in, are done once by `table.actions`, and changes go out as events.

`routes.Api` has the routes, `auth` knows who sends a request, `events` publishes changes, `worker`
reads photos in the background; `middleware`, `logging`, `metrics` and `health` watch over it.
app.py mounts all of it beside Streamlit's pages, in the same server.
"""
