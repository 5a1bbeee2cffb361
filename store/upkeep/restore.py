"""A backup put back: the whole of it or nothing, and what was there before is kept."""

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL

from store.errors import AppRunningError, BackupUnfitError, StoreUrlError
from store.opening import make_folder, open_engine, parsed, place_of, speaking
from store.processes import jobs
from store.upkeep.backup import rows_into_file
from store.upkeep.files import (
    aside_of,
    copy_database,
    discard,
    prove,
    put_in_place,
    written_whole,
)
from store.upkeep.rows import copy_rows, count_on, empty, has_rows

OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND pid <> pg_backend_pid() AND coalesce(backend_type, 'client backend') = 'client backend'"
)
"""How many others are connected to a PostgreSQL database."""


def restore(address: str, file: Path) -> Path | None:
    """Puts a backup in the place of a database, and gives the file that keeps what was there.

    An SQLite database is kept beside itself, the rows of a server in a file beside the backup. The
    backup may be of either engine and of an older schema. A process that is killed on the way
    leaves the old database or the new one.

    Raises:
        BackupUnfitError: The file is damaged, another program's, or a newer Settebello's.
        AppRunningError: Somebody uses the database.
        StoreError: It cannot be written.
    """
    url = parsed(address)
    prove(file)
    if url.get_backend_name() != "sqlite":
        return _into_server(url, file)
    if not url.database or url.database == ":memory:":
        raise StoreUrlError("it names a database in memory, which no other process sees")
    return _into_file(Path(url.database), file)


def _into_file(place: Path, file: Path) -> Path | None:
    """Puts a copy of a backup in the place of an SQLite database."""
    if place.exists() and place.samefile(file):
        raise BackupUnfitError(str(file), why="it is the database itself")
    make_folder(place)
    waiting = place.with_name(f"{place.name}.restoring")
    discard(waiting)  # left by a restore that was killed
    try:
        copy_database(file, waiting)
        prove(waiting)
        return put_in_place(waiting, place)
    finally:
        discard(waiting)


def _into_server(url: URL, file: Path) -> Path | None:
    """Puts the rows of a backup in the place of those on a server, in one transaction."""
    with TemporaryDirectory() as folder, speaking(place_of(url)):
        copy = Path(folder) / "backup.db"
        copy_database(file, copy)
        filed = open_engine(URL.create("sqlite", database=str(copy)).render_as_string())
        served = open_engine(url.render_as_string(hide_password=False))
        try:
            aside = _keep(served, url, file=file)
            with filed.connect() as source, served.begin() as target:
                _check_alone(target, place=place_of(url))
                empty(target)
                copy_rows(source, target)
                count_on(target)
                jobs.stand_up(target)
            return aside
        finally:
            filed.dispose()
            served.dispose()


def _keep(served: Engine, url: URL, *, file: Path) -> Path | None:
    """Writes what stands on a server into a file beside the backup; None where nothing does."""
    with closing(served.connect()) as connection:
        _check_alone(connection, place=place_of(url))
        if not has_rows(connection):
            return None
    served.dispose()
    aside = aside_of(file)
    with written_whole(aside) as part:
        rows_into_file(url, part)
    return aside


def _check_alone(connection: Connection, *, place: str) -> None:
    """Raises AppRunningError where somebody else is connected to a PostgreSQL database."""
    connection.execute(text("SET LOCAL lock_timeout = '2s'"))
    if connection.scalar(text(OTHERS)):
        raise AppRunningError(place)
