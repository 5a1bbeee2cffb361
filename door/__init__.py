"""The door: what phones send is taken in here, exactly once, and changes are pushed from here.

It stands between the screens, which show, and the table, which decides. Its routes are mounted
beside the pages by app.py, in the same server.

1. `changes`     who listens to a table hears of every change
2. `deliveries`  what somebody did on a phone, as one command of `table.commands`
3. `readers`     photos that wait are read, one after another
4. `routes`      the HTTP routes
"""
