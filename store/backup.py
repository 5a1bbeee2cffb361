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

from sqlalchemy.engine import URL

from store.database import SIDE_FILES, create_folder, keep_private, open_engine, parse_url
from store.errors import (
    AppRunningError,
    BackupUnfitError,
    FileStandsError,
    ServerBackupError,
    StoreCorruptError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
)
from store.verify import check_contents, check_file, connect

RESTORE_PATIENCE_MS = 1_000
"""How long a restore waits for a lock before it says that the database is in use."""

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

    The replaced database is kept beside the new one. The backup may have an older schema: a copy of
    it is migrated, and every match in it replayed, before it is put in place. A process that is
    killed on the way leaves the old database or the new one.

    Raises:
        BackupUnfitError: The file is damaged, another program's, or of a schema that is not known.
        AppRunningError: Somebody uses the database.
        ServerBackupError: The database is on a PostgreSQL server.
        StoreError: It cannot be written.
    """
    place = _database_file(parse_url(address))
    check_file(file)
    return _restore_file(place, file)


# SQLite files


def _database_file(url: URL) -> Path:
    if url.get_backend_name() != "sqlite":
        raise ServerBackupError
    if not url.database or url.database == ":memory:":
        raise StoreUrlError("it names a database in memory, which no other process sees")
    return Path(url.database)


def _copy_file(source: Path, target: Path) -> None:
    """Copy a database into a new file, as of one moment, while others write to it.

    Raises:
        StoreCorruptError: The source is damaged.
        StoreUnwritableError: The copy cannot be written.
    """
    target.touch(mode=0o600)  # it holds names and photos; VACUUM takes a file that is empty
    with closing(connect(source)) as connection:
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
        _prepare(copy, file)
        if not place.exists():
            copy.replace(place)
            _sync(place)
            return None
        with _locked(place):
            previous = _previous(place)
            try:
                previous.hardlink_to(place)  # so that one of both always stands at the place
            except OSError:  # a disk without hard links
                previous.touch(mode=0o600)
                shutil.copyfile(place, previous)
                _sync(previous)
            for end in SIDE_FILES:  # none is left where the database was whole
                side_file = place.with_name(place.name + end)
                if side_file.exists():
                    side_file.rename(previous.with_name(previous.name + end))
            copy.replace(place)
            _sync(place)
            keep_private(previous)
        return previous
    finally:
        _delete(copy)


def _prepare(copy: Path, file: Path) -> None:
    """Make a copy of a backup that can be put in place: migrated, and everything in it read.

    Raises:
        BackupUnfitError: Something in it is not of this program.
    """
    try:
        _copy_file(file, copy)
        engine = open_engine(URL.create("sqlite", database=str(copy)).render_as_string())
        try:
            check_contents(engine)
        finally:
            engine.dispose()
        check_file(copy)
    except (StoreCorruptError, StoreUnavailableError, BackupUnfitError) as error:
        raise BackupUnfitError(str(file), why=error.why) from error
    with closing(connect(copy)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
    _sync(copy)


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Hold a database exclusively, in one file; one that is damaged cannot be held.

    Raises:
        AppRunningError: Somebody uses it.
    """
    with closing(connect(place)) as connection:
        try:
            connection.execute(f"PRAGMA busy_timeout = {RESTORE_PATIENCE_MS}")
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = DELETE")  # SQLite refuses while others read
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _IN_USE:
                raise AppRunningError(str(place)) from error
        yield
