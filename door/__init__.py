"""The door: what phones send is taken in here, exactly once, and changes are pushed from here.

It stands between the screens, which show, and the table, which decides. Its routes are mounted
beside the pages by app.py, in the same server.

1. `shield`      headers of every answer; no writes from pages of others
2. `passes`      what a phone shows of itself: cookies
3. `guard`       who may come in; whoever tries codes has to wait
4. `entrance`    the routes that give passes
5. `changes`     who listens to a table hears of every change
6. `deliveries`  what somebody did on a phone, as one command of `table.commands`
7. `logs`        what happened, at which table and in which request
8. `metrics`     what is counted, for Prometheus
9. `traffic`     every request is counted and told to the log
10. `readers`    photos that wait are read, tables side by side
11. `sweep`      photos that are old enough are deleted
12. `health`     how the server is
13. `routes`     the HTTP routes of phones
"""
