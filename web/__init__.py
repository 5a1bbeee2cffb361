"""The door: what phones send is taken in here, exactly once, and changes are pushed from here.

It stands between the screens, which show, and the table, which decides. Its routes are mounted
beside the pages by app.py, in the same server.

1. `shield`      headers of every answer; no writes from pages of others
2. `passes`      what a phone shows of itself: cookies
3. `guard`       who may come in; whoever tries codes has to wait
4. `entrance`    the routes that give passes
5. `changes`     who listens to a table hears of every change
6. `deeds`       everything that can be delivered, a command of `table.commands` each
7. `deliveries`  what somebody did on a phone is done, once
8. `logs`        what happened, at which table and in which request
9. `metrics`     what is counted, for Prometheus
10. `traffic`    every request is counted and told to the log
11. `lending`    the reader is there while photos come, and gives its memory back afterwards
12. `readers`    photos that wait are read, tables side by side
13. `sweep`      photos that are old enough are deleted
14. `health`     how the server is
15. `routes`     the HTTP routes of phones
"""
