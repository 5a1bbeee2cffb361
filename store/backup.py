"""Backup and restore of an SQLite database as one file; PostgreSQL has pg_dump.

A backup is made while the app runs. A restore replaces the database as a whole or not at all, and
keeps what was there in a file.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from store.database import create_folder, newest_schema, parse_url, plain_engine, schema_of
from store.errors import (
    AppRunningError,
    BackupUnfitError,
    FileStandsError,
    ServerBackupError,
    StoreCorruptError,
    StoreForeignError,
    StoreNewerError,
    StoreOlderError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
)
from store.models import Base

RESTORE_PATIENCE_MS = 1_000
"""How long a restore waits for a lock before it says that the database is in use."""

SIDE_FILES = ("-wal", "-shm", "-journal")
"""Ends of the names of the files that SQLite keeps beside a database."""

_ACTING = (
    "SELECT CASE type WHEN 'table' THEN 'virtual or computed table' ELSE type END || ' ' || name "
    "FROM sqlite_master WHERE type NOT IN ('table', 'index') OR (type = 'table' AND "
    "(sql LIKE 'CREATE VIRTUAL%' OR sql LIKE '%GENERATED ALWAYS%' OR sql LIKE '% AS (%'))"
)
"""What runs statements of its own in an SQLite file; no release of ours had any."""
_IN_USE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def back_up(address: str, file: Path) -> str:
    """Write a database into a new file and check it; gives the schema it has.

    The database is neither created nor migrated: so a backup can be made before an update, and be
    restored by the version that made it.

    Raises:
        FileStandsError: There is something at `file`.
        ServerBackupError: The database is on a PostgreSQL server.
        StoreError: The database cannot be read, or the file cannot be written.
    """
    source = _database_file(parse_url(address))
    with _written_whole(file) as part:
        if not source.is_file():
            raise StoreUnavailableError(str(source), why="there is no database")
        _copy_file(source, part)
        return check_file(part)


def restore(address: str, file: Path) -> Path | None:
    """Replace a database by a backup; gives the file that keeps what was there.

    The replaced database is kept beside the new one. The backup may have an older schema. A process
    that is killed on the way leaves the old database or the new one.

    Raises:
        BackupUnfitError: The file is damaged, another program's, or of a schema that is not known.
        AppRunningError: Somebody uses the database.
        ServerBackupError: The database is on a PostgreSQL server.
        StoreError: It cannot be written.
    """
    place = _database_file(parse_url(address))
    check_file(file)
    try:
        return _restore_file(place, file)
    except StoreCorruptError as error:
        raise BackupUnfitError(str(file), why=error.why) from error


# Checks


def find_damage(file: Path) -> str:
    """What SQLite finds wrong with a file, in its own words; empty where it is whole."""
    try:
        with closing(_connect(file)) as connection:
            found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            lost = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    if found != "ok":
        return " ".join(found.split())
    return f"a row of {lost[0]} points nowhere" if lost else ""


def check_file(file: Path) -> str:
    """Check that a file is a whole database of ours; gives the schema it has.

    Raises:
        BackupUnfitError: It is not.
    """
    if not file.is_file():
        raise BackupUnfitError(str(file), why="there is none")
    if damage := find_damage(file):
        raise BackupUnfitError(str(file), why=f"it is damaged ({damage})")
    engine = plain_engine(_file_url(file))
    try:
        with engine.connect() as connection:
            schema = schema_of(connection, place=str(file))
            odd = _foreign_part(connection, schema)
    except StoreForeignError as error:
        why = f"it is another program's ({error.tables})"
        raise BackupUnfitError(str(file), why=why) from error
    except StoreNewerError as error:
        why = f"a newer Settebello wrote it (schema {error.schema}, known {error.known})"
        raise BackupUnfitError(str(file), why=why) from error
    except StoreOlderError as error:
        why = f"only commit ff00e88 opens it (schema {error.schema}, oldest here {error.oldest})"
        raise BackupUnfitError(str(file), why=why) from error
    except DBAPIError as error:
        raise BackupUnfitError(str(file), why=f"it cannot be read ({error.orig})") from error
    finally:
        engine.dispose()
    if schema is None:
        raise BackupUnfitError(str(file), why="it is empty")
    if odd:
        raise BackupUnfitError(str(file), why=odd)
    return schema


def _foreign_part(connection: Connection, schema: str | None) -> str:
    """What a database of ours cannot hold, or lacks; empty where there is nothing of that kind."""
    acting = connection.scalar(text(_ACTING))
    if acting is not None:  # it would act whenever somebody plays
        return f"it holds a {acting}"
    if schema != newest_schema():
        return ""
    columns = {
        (table, column["name"])
        for (_, table), of_table in inspect(connection).get_multi_columns().items()
        for column in of_table
    }
    known = {(table.name, name) for table in Base.metadata.sorted_tables for name in table.c.keys()}  # noqa: SIM118  columns, not names
    lacks = sorted(known - columns)
    return f"it lacks {'.'.join(lacks[0])}" if lacks else ""


# SQLite files


def _file_url(file: Path) -> URL:
    return URL.create("sqlite", database=str(file))


def _database_file(url: URL) -> Path:
    if url.get_backend_name() != "sqlite":
        raise ServerBackupError
    if not url.database or url.database == ":memory:":
        raise StoreUrlError("it names a database in memory, which no other process sees")
    return Path(url.database)


def _connect(file: Path) -> sqlite3.Connection:
    """A connection on a file that anybody may have made, without transactions of its own."""
    uri = f"{file.resolve().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")  # runs no function that the file names
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _copy_file(source: Path, target: Path) -> None:
    """Copy a database into a new file, as of one moment, while others write to it.

    Raises:
        StoreCorruptError: The source is damaged.
        StoreUnwritableError: The copy cannot be written.
    """
    target.touch(mode=0o600)  # it holds names and photos; VACUUM takes a file that is empty
    with closing(_connect(source)) as connection:
        try:
            connection.execute("VACUUM INTO ?", (str(target),))
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
                raise StoreUnwritableError(str(target.parent), why="the disk is full") from error
            raise StoreCorruptError(str(source), why=str(error)) from error


@contextmanager
def _written_whole(file: Path) -> Iterator[Path]:
    """A temporary file that is renamed to `file` on success; no file is overwritten.

    Raises:
        FileStandsError: There is something at `file`.
        StoreUnwritableError: The folder cannot be written.
    """
    if file.exists():
        raise FileStandsError(str(file))
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        _delete(part)
        part.touch(mode=0o600)
        yield part
        part.rename(file)
        _sync(file)
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreUnwritableError(str(file), why=str(error)) from error
    finally:
        _delete(part)


def _delete(file: Path) -> None:
    """Delete a database, and what SQLite keeps beside it."""
    for end in ("", *SIDE_FILES):
        with suppress(OSError):
            file.with_name(file.name + end).unlink(missing_ok=True)


def _sync(file: Path) -> None:
    """Return once a file and its name are on the disk."""
    for path in (file, file.parent):
        if path.is_dir() and os.name != "posix":
            continue
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _previous(place: Path) -> Path:
    """Where what was at a place is kept when it is replaced."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return place.with_name(f"{place.stem}-replaced-{stamp}{place.suffix}")


def _restore_file(place: Path, file: Path) -> Path | None:
    """Replace an SQLite database by a copy of a backup."""
    if place.exists() and place.samefile(file):
        raise BackupUnfitError(str(file), why="it is the database itself")
    create_folder(place)
    copy = place.with_name(f"{place.name}.restoring")
    _delete(copy)  # left by a restore that was killed
    try:
        _copy_file(file, copy)
        check_file(copy)
        if not place.exists():
            copy.replace(place)
            _sync(place)
            return None
        with _locked(place):
            previous = _previous(place)
            try:
                previous.hardlink_to(place)  # so that one of both always stands at the place
            except OSError:  # a disk without hard links
                shutil.copyfile(place, previous)
                _sync(previous)
            for end in SIDE_FILES:  # none is left where the database was whole
                side_file = place.with_name(place.name + end)
                if side_file.exists():
                    side_file.rename(previous.with_name(previous.name + end))
            copy.replace(place)
            _sync(place)
        return previous
    finally:
        _delete(copy)


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Hold a database exclusively, in one file; one that is damaged cannot be held.

    Raises:
        AppRunningError: Somebody uses it.
    """
    with closing(_connect(place)) as connection:
        try:
            connection.execute(f"PRAGMA busy_timeout = {RESTORE_PATIENCE_MS}")
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = DELETE")  # SQLite refuses while others read
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _IN_USE:
                raise AppRunningError(str(place)) from error
        yield
