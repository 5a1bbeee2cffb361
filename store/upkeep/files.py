"""SQLite files: copied whole, proved to be ours, put in place at once or not at all."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from store.errors import (
    AppRunningError,
    BackupUnfitError,
    FileStandsError,
    StoreCorruptError,
    StoreForeignError,
    StoreNewerError,
    StoreUnwritableError,
)
from store.opening import engine_as_it_is, schema_of

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
