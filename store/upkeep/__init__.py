"""The upkeep of what is kept: backups, getting one back, old photos, and what is wrong.

A backup is one SQLite file, whichever database it was made of, so a backup of one engine can be
restored into the other.

1. `files`        SQLite files: copied whole, proved to be ours, put in place at once or not at all
2. `rows`         all rows of one database written into another
3. `backup`       a database into a file
4. `restore`      a file into a database; what was there is kept
5. `retention`    photos that are old, or that somebody wants gone
6. `examination`  how a database is, found out without changing it
"""
