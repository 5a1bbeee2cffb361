"""Backup and restore: a whole database in one SQLite file, whichever engine it is of."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from store import queue
from store.database import (
    engine_as_it_is,
    make_folder,
    newest_schema,
    open_engine,
    parsed,
    place_of,
    schema_of,
    translate_errors,
)
from store.errors import (
    AppRunningError,
    BackupUnfitError,
    FileStandsError,
    StoreCorruptError,
    StoreForeignError,
    StoreNewerError,
    StoreOlderError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
)
from store.models import Base

PATIENCE_MS = 1_000
"""How long a restore waits for a lock before it says that the database is in use."""

BESIDE = ("-wal", "-shm", "-journal")
"""Ends of the names of the files that SQLite keeps beside a database."""

_IN_USE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def copy_database(source: Path, target: Path) -> None:
    """Copies a database into a new file, whole at one moment, while others write to it.

    Raises:
        StoreCorruptError: The source is damaged.
        StoreUnwritableError: The copy cannot be written.
    """
    with closing(_opened(source)) as whole, closing(sqlite3.connect(target)) as copy:
        target.chmod(0o600)  # it holds names and photos
        try:
            whole.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
                raise StoreUnwritableError(str(target.parent), why="the disk is full") from error
            raise StoreCorruptError(str(source), why=str(error)) from error


def prove(file: Path) -> str:
    """Proves that a file is a whole database of ours, and gives the schema it stands at.

    Raises:
        BackupUnfitError: It is not.
    """
    if not file.is_file():
        raise BackupUnfitError(str(file), why="there is none")
    if wrong := whats_damaged(file):
        raise BackupUnfitError(str(file), why=f"it is damaged ({wrong})")
    engine = engine_as_it_is(URL.create("sqlite", database=str(file)))
    try:
        with engine.connect() as connection:
            schema = schema_of(connection, place=str(file))
    except StoreForeignError as error:
        found = ", ".join(error.found[:5])
        raise BackupUnfitError(str(file), why=f"it is another program's ({found})") from error
    except StoreNewerError as error:
        why = f"a newer Settebello wrote it (schema {error.schema}, known {error.known})"
        raise BackupUnfitError(str(file), why=why) from error
    except DBAPIError as error:
        raise BackupUnfitError(str(file), why=f"it cannot be read ({error.orig})") from error
    finally:
        engine.dispose()
    if schema is None:
        raise BackupUnfitError(str(file), why="it is empty")
    return schema


def whats_damaged(file: Path) -> str:
    """What SQLite finds wrong with a file, in its own words; empty where it is whole."""
    try:
        with closing(_opened(file)) as connection:
            found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            lost = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    if found != "ok":
        return " ".join(found.split())
    return f"a row of {lost[0]} points nowhere" if lost else ""


@contextmanager
def written_whole(file: Path) -> Iterator[Path]:
    """Gives a place to write to; what was written there stands at `file` in the end.

    Nothing stands at `file` before that, whatever happens, and what stood there is not replaced.

    Raises:
        FileStandsError: Something stands there.
        StoreUnwritableError: The folder cannot be written.
    """
    if file.exists():
        raise FileStandsError(str(file))
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        discard(part)
        part.touch(mode=0o600)
        yield part
        on_disk(part)
        set_beside(part, file)
    except FileExistsError as error:
        raise FileStandsError(str(file)) from error
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreUnwritableError(str(file), why=str(error)) from error
    finally:
        discard(part)


def discard(part: Path) -> None:
    """Deletes a file that is no longer wanted, and what SQLite keeps beside it."""
    for end in ("", *BESIDE):
        with suppress(OSError):
            part.with_name(part.name + end).unlink(missing_ok=True)


def put_in_place(part: Path, place: Path) -> Path | None:
    """Puts a database in the place of another; gives where that one lies now, None for none.

    A process that is killed leaves the old database in place or the new one, never none.

    Raises:
        AppRunningError: Somebody uses the database.
    """
    if not place.exists():
        part.replace(place)
        on_disk(place)
        return None
    with _nobody_else(place):
        aside = aside_of(place)
        set_beside(place, aside)
        for end in BESIDE:  # none is left where the database was whole
            beside = place.with_name(place.name + end)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + end))
        part.replace(place)
        on_disk(place)
    return aside


def aside_of(place: Path) -> Path:
    """Where what stands at a place is kept when something else comes there."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return place.with_name(f"{place.stem}-replaced-{stamp}{place.suffix}")


def set_beside(file: Path, name: Path) -> None:
    """Gives a file another name, under which nothing stands yet; it keeps its own as well."""
    try:
        os.link(file, name)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if name.exists():
            raise FileExistsError(name) from None
        with name.open("xb") as copy:
            copy.write(file.read_bytes())
        on_disk(name)


def on_disk(file: Path) -> None:
    """Returns once a file and its name are on the disk."""
    for path in (file, file.parent):
        if path.is_dir() and os.name != "posix":
            continue
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def _nobody_else(place: Path) -> Iterator[None]:
    """Holds a database for itself alone, in one file; one that is damaged cannot be held."""
    with closing(_opened(place)) as connection:
        try:
            connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = DELETE")  # SQLite refuses while others read
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _IN_USE:
                raise AppRunningError(str(place)) from error
        yield


def _opened(file: Path) -> sqlite3.Connection:
    """A connection on a file that is there, without transactions of its own."""
    uri = f"{file.resolve().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, isolation_level=None)


AT_ONCE = 50
"""Rows that are on their way at a time: with their photos they take some 75 MB at most."""


def copy_rows(source: Connection, target: Connection) -> None:
    """Writes every row of the source into the target, whose tables are there and empty."""
    reading = source.execution_options(yield_per=AT_ONCE)
    for table in Base.metadata.sorted_tables:
        found = reading.execute(select(*table.columns))
        for rows in found.mappings().partitions():
            target.execute(table.insert(), [dict(row) for row in rows])


def empty(target: Connection) -> None:
    """Takes every row out of a PostgreSQL database, in the running transaction."""
    names = ", ".join(f'"{table.name}"' for table in Base.metadata.sorted_tables)
    target.execute(text(f"TRUNCATE {names}"))


def has_rows(connection: Connection) -> bool:
    """Whether a database holds any table where somebody plays."""
    first = Base.metadata.tables["tables"]
    return bool(connection.scalar(select(func.count()).select_from(first)))


def count_on(target: Connection) -> None:
    """Lets PostgreSQL count on from the highest number of each table."""
    for table in Base.metadata.sorted_tables:
        for column in table.primary_key.columns:
            if table.autoincrement_column is column:
                highest = select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()
                counter = func.pg_get_serial_sequence(table.name, column.name)
                target.execute(select(func.setval(counter, highest, False)))  # noqa: FBT003  SQL's own


def back_up(address: str, file: Path) -> str:
    """Writes a database into a new file and proves it whole; gives the schema it stands at.

    The database is neither made, where there is none, nor migrated: so a backup can be made before
    an update, and be restored by the version that made it.

    Raises:
        FileStandsError: Something stands at `file`.
        StoreError: The database cannot be read, or the file cannot be written.
    """
    url = parsed(address)
    with written_whole(file) as part:
        if url.get_backend_name() == "sqlite":
            copy_database(database_file(url), part)
        else:
            rows_into_file(url, part)
        return prove(part)


def database_file(url: URL) -> Path:
    """The file of an SQLite database.

    Raises:
        StoreUrlError: The address names a database in memory.
        StoreUnavailableError: There is none.
    """
    if not url.database or url.database == ":memory:":
        raise StoreUrlError("it names a database in memory, which no other process sees")
    file = Path(url.database)
    if not file.is_file():
        raise StoreUnavailableError(str(file), why="there is no database")
    return file


def rows_into_file(url: URL, part: Path) -> None:
    """Writes all rows of a database on a server into a new SQLite file, as of one moment."""
    place = place_of(url)
    served = engine_as_it_is(url)
    part.unlink()
    filed = open_engine(URL.create("sqlite", database=str(part)).render_as_string())
    try:
        with (
            translate_errors(place),
            served.connect().execution_options(isolation_level="REPEATABLE READ") as source,
            filed.connect().execution_options(writes=True) as target,
        ):
            _check_newest(source, place=place)
            with target.begin():
                copy_rows(source, target)
    finally:
        served.dispose()
        filed.dispose()
    as_one_file(part)


def as_one_file(part: Path) -> None:
    """Makes a database one file again, with nothing beside it."""
    whole = part.with_name(f"{part.name}.whole")
    copy_database(part, whole)
    whole.replace(part)


def _check_newest(source: Connection, *, place: str) -> None:
    """Raises StoreOlderError unless the rows are those that this program knows."""
    schema = schema_of(source, place=place)
    if schema is None:
        raise StoreUnavailableError(place, why="there is no database of Settebello")
    if schema != newest_schema():
        raise StoreOlderError(place, schema=schema, known=newest_schema())


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
    with TemporaryDirectory() as folder, translate_errors(place_of(url)):
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
                queue.stand_up(target)
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
