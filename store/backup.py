"""Back up an SQLite database as one file, and restore it. PostgreSQL has pg_dump.

Backups are made while the app runs. A restore replaces the whole database or nothing, and keeps the
replaced database in a file.
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
"""How long a restore waits for a lock before it raises AppRunningError."""

_IN_USE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def back_up(address: str, file: Path) -> str:
    """Copy a database into a new file, check the copy, and return its schema version.

    The database is not migrated, so the version that wrote it can restore the backup.

    Raises:
        FileStandsError: `file` exists already.
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
    """Replace a database with a backup. Return the file with the replaced database, if any.

    The backup may have an older schema. A copy of it is migrated, and every match is replayed,
    before the copy replaces the database. A process that is killed meanwhile leaves the old
    database or the new one.

    Raises:
        BackupUnfitError: The file is not a usable backup.
        AppRunningError: The database is in use.
        ServerBackupError: The database is on a PostgreSQL server.
        StoreError: The database cannot be written.
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
    """Copy one snapshot of a database into a new file, while other processes write to it.

    Raises:
        StoreCorruptError: The source is damaged.
        StoreUnwritableError: The copy cannot be written.
    """
    target.touch(mode=0o600)  # it has names and photos; VACUUM accepts an empty file
    with closing(connect(source)) as connection:
        try:
            connection.execute("VACUUM INTO ?", (str(target),))
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
                raise StoreUnwritableError(str(target.parent), why="the disk is full") from error
            raise StoreCorruptError(str(source), why=str(error)) from error


@contextmanager
def _written_whole(file: Path) -> Iterator[Path]:
    """Yield a temporary file, and rename it to `file` on success.

    Raises:
        FileStandsError: `file` exists already.
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
    """Delete a database and its side files."""
    for end in ("", *SIDE_FILES):
        with suppress(OSError):
            file.with_name(file.name + end).unlink(missing_ok=True)


def _sync(file: Path) -> None:
    """Flush a file and its folder to the disk."""
    for path in (file, file.parent):
        if path.is_dir() and os.name != "posix":
            continue
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _previous(place: Path) -> Path:
    """Return the path for a database that a restore replaces."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return place.with_name(f"{place.stem}-replaced-{stamp}{place.suffix}")


def _restore_file(place: Path, file: Path) -> Path | None:
    """Replace a database with a prepared copy of a backup."""
    if place.exists() and place.samefile(file):
        raise BackupUnfitError(str(file), why="it is the database itself")
    create_folder(place)
    copy = place.with_name(f"{place.name}.restoring")
    _delete(copy)  # of a restore that was killed
    try:
        _prepare(copy, file)
        if not place.exists():
            copy.replace(place)
            _sync(place)
            return None
        with _locked(place):
            previous = _previous(place)
            try:
                previous.hardlink_to(place)  # `place` always exists, as the old file or the new one
            except OSError:  # a disk without hard links
                previous.touch(mode=0o600)
                shutil.copyfile(place, previous)
                _sync(previous)
            for end in SIDE_FILES:  # only a damaged database still has some
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
    """Copy a backup, migrate the copy, read its rows and replay its matches.

    Raises:
        BackupUnfitError: The backup has something that this program never writes.
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
        connection.execute("PRAGMA journal_mode = DELETE")  # one file without a -wal
    _sync(copy)


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Lock a database exclusively. A damaged one stays unlocked.

    Raises:
        AppRunningError: The database is in use.
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
