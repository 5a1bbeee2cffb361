"""Open and migrate the database, and run its transactions."""

import logging
import os
import shutil
import sqlite3
import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from store import server
from store.errors import (
    STORE_FAILURES,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreForeignError,
    StoreNewerError,
    StoreOlderError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
)
from store.models import Base, SavedRules, Table, to_json
from store.tables import TableRef, find, lock

FILE_NAME = "settebello.db"
"""The database inside the home folder."""

SIDE_FILES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps next to a database."""

BUSY_MS = 10_000
"""How long a writer waits for another one, in milliseconds."""

POOL_SIZE = 40
"""Maximum number of connections of a process; further threads wait for one."""

POOL_S = 3.0
"""Seconds that a thread waits for a connection."""

MIGRATION_LOCK = 7_071_130
"""Key of the PostgreSQL advisory lock that a migration holds."""

MIN_FREE_BYTES = 20_000_000
"""Minimum free disk space: with less, the next photo may not fit."""

LOG = logging.getLogger(__name__)

_UNWRITABLE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
}
_BUSY_STATES = {"55P03", "57014"}  # lock_not_available; query_canceled, by statement_timeout
_MIGRATIONS = Path(__file__).with_name("migrations")


def home() -> Path:
    """Return the data folder: $SETTEBELLO_HOME, or .settebello in the user's home."""
    return Path(os.environ.get("SETTEBELLO_HOME") or "~/.settebello").expanduser()


def default_url() -> str:
    """Return the address of the database: $SETTEBELLO_DATABASE_URL, or the file in `home()`."""
    file = URL.create("sqlite", database=str(home() / FILE_NAME))
    return os.environ.get("SETTEBELLO_DATABASE_URL") or file.render_as_string()


def open_engine(address: str) -> Engine:
    """Return an engine for a database, after creating or migrating it if needed.

    Raises:
        StoreError: The database cannot be used. An existing one is unchanged.
    """
    url = parse_url(address)
    place = place_of(url)
    if url.get_backend_name() == "sqlite" and url.database:
        create_folder(Path(url.database))
        if url.database != ":memory:":
            with suppress(OSError):  # it exists, or SQLite reports what is wrong
                Path(url.database).touch(mode=0o600, exist_ok=False)
    with translate_errors(place):
        engine = plain_engine(url)
        try:
            _migrate(engine, place)
        except BaseException:
            engine.dispose()  # no connection stays open on a database that is not ours
            raise
    return engine


def place_of(url: URL) -> str:
    """Return the name of a database for messages: its path, or its address without password.

    >>> place_of(make_url("sqlite:////srv/s.db")), place_of(make_url("postgresql://me:pw@db/s"))
    ('/srv/s.db', 'postgresql://me:***@db/s')
    """
    if url.get_backend_name() == "sqlite":
        return url.database or "memory"
    return url.render_as_string(hide_password=True)


@contextmanager
def translate_errors(place: str, *, counts: Counter[str] | None = None) -> Iterator[None]:
    """Convert driver errors to `StoreError`s, and count them by class name."""
    try:
        yield
    except (DBAPIError, PoolTimeoutError) as error:
        translated = _translated(error, place)
        if counts is not None:
            name = type(translated).__name__
            counts[name] += 1
            LOG.warning("the database failed", extra={"fields": {"error": name}})
        raise translated from error


def _translated(error: DBAPIError | PoolTimeoutError, place: str) -> StoreError:
    if isinstance(error, PoolTimeoutError):
        return StoreBusyError(place)
    why = " ".join(str(error.orig).split())
    if getattr(error.orig, "sqlstate", None) in _BUSY_STATES:
        return StoreBusyError(place)
    code = (getattr(error.orig, "sqlite_errorcode", None) or 0) & 0xFF
    if code in _UNWRITABLE:
        return StoreUnwritableError(place, why=why)
    if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return StoreCorruptError(place, why=why)
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return StoreBusyError(place)
    return StoreUnavailableError(place, why=why)


def parse_url(address: str) -> URL:
    """Parse an SQLAlchemy address.

    Raises:
        StoreUrlError: The address is malformed, or no driver knows it.
    """
    try:
        url = make_url(address)
        url.get_dialect()
    except ArgumentError:
        raise StoreUrlError("it cannot be read as an address") from None
    except NoSuchModuleError:
        raise StoreUrlError("it names a kind of database that is not known") from None
    return url


def create_folder(file: Path) -> None:
    """Create the folder of a database, or raise StoreUnwritableError if it cannot be written."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnwritableError(str(file.parent), why=error.strerror or "it failed") from error
    target = file if file.exists() else file.parent
    if not os.access(target, os.W_OK) or not os.access(file.parent, os.W_OK):
        raise StoreUnwritableError(str(target), why="it is read-only for this user")


def keep_private(file: Path) -> None:
    """Make a database and its side files readable by their owner only."""
    for end in ("", *SIDE_FILES):
        with suppress(FileNotFoundError, PermissionError):  # another user owns it
            file.with_name(file.name + end).chmod(0o600)


def plain_engine(url: URL) -> Engine:
    """Return an engine for a database without creating or migrating it.

    Raises:
        StoreUrlError: The driver is missing, or is not psycopg for PostgreSQL.
    """
    if url.get_backend_name() == "postgresql" and url.get_driver_name() != "psycopg":
        raise StoreUrlError("write postgresql+psycopg:// for PostgreSQL")
    pool: dict[str, Any] = {"pool_size": POOL_SIZE, "max_overflow": 0, "pool_timeout": POOL_S}
    if url.get_backend_name() == "postgresql":
        pool |= {"pool_pre_ping": True, "connect_args": server.arguments(url)}
    elif not url.database:  # a database in memory has one connection
        pool = {}
    try:
        engine = create_engine(url, json_serializer=to_json, **pool)
    except ModuleNotFoundError as error:
        raise StoreUrlError(f"its driver {error.name} is not installed") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # _begin_sqlite sends BEGIN, SQLAlchemy COMMIT
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA synchronous = FULL")  # a commit survives a power cut
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")  # a schema from outside runs no function
    connection.execute("PRAGMA secure_delete = ON")  # deleted bytes are overwritten with zeros


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock before it reads, so that no other writer changes what it has read.
    options = connection.get_execution_options()
    if options.get("autocommit", False):
        return
    writes = options.get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrate(engine: Engine, place: str) -> None:
    with engine.connect() as connection:
        is_newest = schema_of(connection, place=place) == newest_schema()
        connection.rollback()
        _pragma(
            connection, "journal_mode = WAL"
        )  # after the check: another program's file keeps its mode
    if engine.dialect.name == "sqlite" and engine.url.database:
        keep_private(Path(engine.url.database))
    if is_newest:
        return
    with _rebuilding(engine, place) as connection:
        if connection.dialect.name == "postgresql":
            server.allow_migration(connection)
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            connection.execute(text(f"SET LOCAL lock_timeout = {server.LOCK_MS}"))
        schema = schema_of(connection, place=place)  # another process may have migrated meanwhile
        if schema is None:
            create_newest(connection)
        elif schema != newest_schema():
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def create_newest(connection: Connection) -> None:
    """Create all tables in an empty database."""
    Base.metadata.create_all(connection)
    MigrationContext.configure(connection).stamp(_scripts(), newest_schema())


@contextmanager
def _rebuilding(engine: Engine, place: str) -> Iterator[Connection]:
    """Open a write transaction in which SQLite can rebuild tables that foreign keys refer to."""
    with engine.connect().execution_options(writes=True) as connection:
        _pragma(connection, "foreign_keys = OFF")  # this has no effect inside a transaction
        try:
            with connection.begin():
                yield connection
                if engine.dialect.name == "sqlite":
                    lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                    if lost is not None:
                        raise StoreCorruptError(place, why=f"a row of {lost[0]} points nowhere")
        finally:
            _pragma(connection, "foreign_keys = ON")


def _pragma(connection: Connection, setting: str) -> None:
    """Set an SQLite option outside of a transaction; do nothing on other databases."""
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA {setting}")


def schema_of(connection: Connection, *, place: str) -> str | None:
    """Return the schema version of a database, or None if it is empty.

    Raises:
        StoreForeignError: The database belongs to another program.
        StoreNewerError: A newer version of Settebello wrote it.
        StoreOlderError: Its schema is older than ff00e88.
        StoreCorruptError: It has several schema versions.
    """
    # Read the tables first. A server that creates them commits tables and version together, so
    # tables without a version belong to another program.
    found = tuple(sorted(inspect(connection).get_table_names()))
    schemas = MigrationContext.configure(connection).get_current_heads()
    if len(schemas) > 1:
        raise StoreCorruptError(place, why=f"it names several schemas ({', '.join(schemas)})")
    schema = schemas[0] if schemas else None
    if schema is None:
        if found and found != ("alembic_version",):
            raise StoreForeignError(place, tables=", ".join(found[:5]))
    else:
        known = sorted(script.revision for script in _scripts().walk_revisions())
        if schema < known[0]:
            raise StoreOlderError(place, schema=schema, oldest=known[0])
        if schema not in known:
            raise StoreNewerError(place, schema=schema, known=known[-1])
    return schema


def newest_schema() -> str:
    """Return the schema version of this program.

    >>> len(newest_schema())
    4
    """
    return str(_scripts().get_current_head())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


@cache
def _scripts() -> ScriptDirectory:
    """Return the migrations of this program."""
    return ScriptDirectory.from_config(_config())


class Store:
    """An open database and its transactions. Threads may share it.

    The functions of this package take the `Table` or the session of a transaction. A transaction
    inside another one of the same store joins it.
    """

    def __init__(self, url: str | None = None) -> None:
        """Open the database, after creating or migrating it if needed.

        Args:
            url: An SQLAlchemy address; None for `default_url()`.

        Raises:
            StoreError: The database cannot be used. An existing one is unchanged.
        """
        self.address = url or default_url()
        """The database's address, password included."""
        self._engine = open_engine(self.address)
        weakref.finalize(self, self._engine.dispose)  # avoids warnings about open connections
        self.place = place_of(self._engine.url)
        """The name of the database for messages, see `place_of`."""
        self.is_shared = self._engine.dialect.name == "postgresql"
        """Whether processes on several machines may share the database."""
        self._reader = self._engine
        if self.is_shared:  # readers of SQLite always see one snapshot
            self._reader = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._writer = self._engine.execution_options(writes=True)
        self.error_counts: Counter[str] = Counter()
        """Number of failures of the database by error class name."""
        self._write_lock = None if self.is_shared else threading.Lock()
        file = None if self.is_shared else self._engine.url.database
        self._file = Path(file) if file and file != ":memory:" else None
        self._identity: tuple[int, int] | None = None
        """Device and inode of the SQLite file; None until it is known."""
        self._is_failing = False
        """Whether the last write failed."""
        self._check_file()
        self._joined: ContextVar[Session | None] = ContextVar("joined", default=None)

    def close(self) -> None:
        """Close the connections. The store opens new ones if it is used again."""
        self._engine.dispose()

    @contextmanager
    def read(self, code: TableRef) -> Iterator[Table]:
        """Open a read transaction on one snapshot, and yield the table with this code.

        Raises:
            TableNotFoundError: No table has this code.
        """
        with self.reading() as session:
            yield find(session, code)

    @contextmanager
    def write(self, code: TableRef) -> Iterator[Table]:
        """Open a write transaction, and yield a table, locked, with its revision raised.

        The transaction is committed at the end. An exception inside rolls it back. Raises as
        `read`.
        """
        with self.writing() as session:
            yield lock(session, code)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a read transaction on one snapshot of the database."""
        if (joined := self._joined.get()) is not None:
            yield joined
            return
        self._check_file()
        with (
            translate_errors(self.place, counts=self.error_counts),
            Session(self._reader, expire_on_commit=False) as session,
            self._joining(session),
        ):
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a write transaction: committed at the end, rolled back by an exception."""
        if (joined := self._joined.get()) is not None:
            if joined.bind is not self._writer:
                raise RuntimeError("expected only queries inside of a read transaction")
            yield joined
            return
        try:
            self._check_file()
            with (
                translate_errors(self.place, counts=self.error_counts),
                self._in_turn(),
                Session(self._writer, expire_on_commit=False) as session,
                self._joining(session),
            ):
                yield session
                session.commit()
                self._check_file()  # else the commit went to a file that is gone
        except STORE_FAILURES:
            self._is_failing = True
            raise
        self._is_failing = False

    def check_writable(self) -> None:
        """Check that a write would succeed now.

        Raises:
            StoreError: The disk is full, the file is gone, or the server does not answer.
        """
        if self._file is not None:
            self._check_file()
            if shutil.disk_usage(self._file.parent).free < MIN_FREE_BYTES:
                raise StoreUnwritableError(self.place, why="the disk is almost full")
        if self._is_failing:  # write more than a tap does, and delete it again
            with self.writing() as session:
                probe = SavedRules(name="\ufffdprobe", rules_json={"": "x" * 100_000})
                session.add(probe)
                session.flush()
                session.delete(probe)

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """Open a connection without a transaction or time limit, as VACUUM needs it."""
        options: dict[str, Any] = {"autocommit": True}
        if self.is_shared:
            options = {"isolation_level": "AUTOCOMMIT"}
        with (
            translate_errors(self.place, counts=self.error_counts),
            self._engine.connect().execution_options(**options) as connection,
        ):
            if self.is_shared:
                connection.detach()  # it is closed at the end, so its settings reach no request
                server.allow_vacuum(connection)
            yield connection

    def _check_file(self) -> None:
        """Raise StoreUnavailableError if the SQLite file was deleted or moved away.

        SQLite would keep writing to it. If another file replaced it, open that one.
        """
        if self._file is None:
            return
        try:
            found = self._file.stat()
        except OSError:
            self.error_counts[StoreUnavailableError.__name__] += 1
            raise StoreUnavailableError(self.place, why="its file was taken away") from None
        identity = found.st_dev, found.st_ino
        if self._identity not in {None, identity}:  # another file replaced it
            self._engine.dispose()
            with translate_errors(self.place):
                _migrate(self._engine, self.place)
        self._identity = identity

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Let the threads of this process write to an SQLite file one after another.

        A writer that finds the file locked sleeps and retries, so with many writers SQLite is idle
        most of the time. Writers of other processes still wait in that way.
        """
        if self._write_lock is None:
            yield
            return
        if not self._write_lock.acquire(timeout=BUSY_MS / 1000):
            raise StoreBusyError(self.place)
        try:
            yield
        finally:
            self._write_lock.release()

    @contextmanager
    def _joining(self, session: Session) -> Iterator[None]:
        token = self._joined.set(session)
        try:
            yield
        finally:
            self._joined.reset(token)
