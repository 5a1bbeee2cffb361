"""What several processes on one PostgreSQL share beside the tables; SQLite needs none of it.

1. `jobs`     a job for each photo that waits, made with it; the queue stands in a schema of its own
2. `workers`  hands the jobs out to the readers of a process, on whichever machine
3. `notices`  what one process does is heard by all others at once
"""
