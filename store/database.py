"""The database: opening and migrating it, and its transactions."""

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
"""Ends of the names of the files that SQLite keeps beside a database."""

BUSY_MS = 10_000
"""How long a writer waits for another one, in milliseconds."""

POOL_SIZE = 40
"""Connections a process holds open at most; more threads wait for one."""

MIGRATION_LOCK = 7_071_130
"""PostgreSQL's advisory lock that lets one server at a time migrate."""

MIN_FREE_BYTES = 20_000_000
"""With less on its disk, a database is about to fail: there is no room for a photo."""

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
    """The folder of the data: $SETTEBELLO_HOME, or .settebello in the user's home."""
    return Path(os.environ.get("SETTEBELLO_HOME") or "~/.settebello").expanduser()


def default_url() -> str:
    """The address of the database: $SETTEBELLO_DATABASE_URL, or the file in `home()`."""
    file = URL.create("sqlite", database=str(home() / FILE_NAME))
    return os.environ.get("SETTEBELLO_DATABASE_URL") or file.render_as_string()


def open_engine(address: str) -> Engine:
    """An engine on a database, created or migrated to the newest schema where needed.

    Raises:
        StoreError: It cannot be used; an existing database is then unchanged.
    """
    url = parse_url(address)
    place = place_of(url)
    if url.get_backend_name() == "sqlite" and url.database:
        create_folder(Path(url.database))
        if url.database != ":memory:":
            with suppress(OSError):  # it is there; or SQLite says why it cannot be
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
    """How messages name a database: the path of a file, else the address without password.

    >>> place_of(make_url("sqlite:////srv/s.db")), place_of(make_url("postgresql://me:pw@db/s"))
    ('/srv/s.db', 'postgresql://me:***@db/s')
    """
    if url.get_backend_name() == "sqlite":
        return url.database or "memory"
    return url.render_as_string(hide_password=True)


@contextmanager
def translate_errors(place: str, *, counts: Counter[str] | None = None) -> Iterator[None]:
    """Raises a driver's error as the StoreError that explains it, and counts it by class name."""
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
    """The parts of an SQLAlchemy address.

    Raises:
        StoreUrlError: It names no database that can be opened.
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
    """Create the folder of a database; StoreUnwritableError if it cannot be written."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnwritableError(str(file.parent), why=error.strerror or "it failed") from error
    target = file if file.exists() else file.parent
    if not os.access(target, os.W_OK) or not os.access(file.parent, os.W_OK):
        raise StoreUnwritableError(str(target), why="it is read-only for this user")


def keep_private(file: Path) -> None:
    """Let only its owner read a database, and what SQLite keeps beside it."""
    for end in ("", *SIDE_FILES):
        with suppress(FileNotFoundError, PermissionError):  # a file of another user stays readable
            file.with_name(file.name + end).chmod(0o600)


def plain_engine(url: URL) -> Engine:
    """An engine on a database as it is: nothing is created or migrated.

    Raises:
        StoreUrlError: The driver is missing, or is another one than psycopg for PostgreSQL.
    """
    if url.get_backend_name() == "postgresql" and url.get_driver_name() != "psycopg":
        raise StoreUrlError("write postgresql+psycopg:// for PostgreSQL")
    pool: dict[str, Any] = {"pool_size": POOL_SIZE, "max_overflow": 0, "pool_pre_ping": True}
    if url.get_backend_name() == "postgresql":
        pool |= {"pool_timeout": server.LOCK_MS / 1000, "connect_args": server.arguments(url)}
    if url.get_backend_name() == "sqlite":  # a file hangs up on nobody, memory has one connection
        pool = {"pool_size": POOL_SIZE, "max_overflow": 0} if url.database else {}
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
    connection.execute("PRAGMA synchronous = FULL")  # what was confirmed survives a power cut
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")  # a restored file runs no function it names
    connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten with zeros


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock before it reads: what it decided on cannot change under it.
    options = connection.get_execution_options()
    if options.get("autocommit", False):
        return
    writes = options.get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrate(engine: Engine, place: str) -> None:
    with engine.connect() as connection:
        is_newest = schema_of(connection, place=place) == newest_schema()
        connection.rollback()
        _pragma(connection, "journal_mode = WAL")  # only now: another program's file keeps its own
    if engine.dialect.name == "sqlite" and engine.url.database:
        keep_private(Path(engine.url.database))
    if is_newest:
        return
    with _rebuilding(engine, place) as connection:
        if connection.dialect.name == "postgresql":
            server.allow_migration(connection)
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            connection.execute(text(f"SET LOCAL lock_timeout = {server.LOCK_MS}"))
        schema = schema_of(connection, place=place)  # another may have been faster
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
    """A write transaction in which SQLite's tables can be rebuilt although others refer to them."""
    with engine.connect().execution_options(writes=True) as connection:
        _pragma(connection, "foreign_keys = OFF")  # which does nothing inside a transaction
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
    """Set what SQLite sets outside of transactions only; nothing on other databases."""
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA {setting}")


def schema_of(connection: Connection, *, place: str) -> str | None:
    """The schema that a database has; None where it is empty.

    Raises:
        StoreForeignError: It belongs to another program.
        StoreNewerError: A newer Settebello wrote it.
        StoreOlderError: It has a schema from before ff00e88.
        StoreCorruptError: It names several schemas.
    """
    # The tables first: a server that creates them now commits its schema with them, so tables
    # without a schema are another program's.
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
    """The schema that this program works with.

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
    """The migrations that this program knows."""
    return ScriptDirectory.from_config(_config())


class Store:
    """An open database and its transactions; safe to share between threads.

    Functions in the modules of this package take the `Table` or the session that a
    transaction gives. Transactions opened inside another one of the same store join it.
    """

    def __init__(self, url: str | None = None) -> None:
        """Opens the database; creates or migrates it where needed.

        Args:
            url: An SQLAlchemy address; None takes $SETTEBELLO_DATABASE_URL, else the file in
                $SETTEBELLO_HOME, else ~/.settebello/settebello.db.

        Raises:
            StoreError: The place cannot be used; an existing database is left unchanged.
        """
        self.address = url or default_url()
        """The database's address, password included."""
        self._engine = open_engine(self.address)
        weakref.finalize(self, self._engine.dispose)  # else Python warns of open connections
        self.place = place_of(self._engine.url)
        """Where the data lies, without password."""
        self.is_shared = self._engine.dialect.name == "postgresql"
        """Whether processes on several machines may share the database."""
        self._reader = self._engine
        if self.is_shared:  # SQLite's readers see one snapshot anyway
            self._reader = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._writer = self._engine.execution_options(writes=True)
        self.error_counts: Counter[str] = Counter()
        """How often the database failed, by error class name."""
        self._write_lock = None if self.is_shared else threading.Lock()
        file = None if self.is_shared else self._engine.url.database
        self._file = Path(file) if file and file != ":memory:" else None
        self._identity: tuple[int, int] | None = None
        """Device and inode of the file, where there is one."""
        self._is_failing = False
        """Whether the last change could not be kept."""
        self._check_file()
        self._joined: ContextVar[Session | None] = ContextVar("joined", default=None)

    def close(self) -> None:
        """Closes the connections; the store can still be used and opens new ones."""
        self._engine.dispose()

    @contextmanager
    def read(self, code: TableRef) -> Iterator[Table]:
        """A table by its code, typed in any case, in a transaction that sees one snapshot.

        Raises:
            TableNotFoundError: No table has this code.
        """
        with self.reading() as session:
            yield find(session, code)

    @contextmanager
    def write(self, code: TableRef) -> Iterator[Table]:
        """A table in one write transaction: locked, its revision raised, committed at the end.

        An exception inside rolls everything back. Raises as `read`.
        """
        with self.writing() as session:
            yield lock(session, code)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one snapshot of the database."""
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
        """A session that is committed at its end, and rolled back by an exception."""
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
                self._check_file()  # else it was done in a file that nobody finds again
        except STORE_FAILURES:
            self._is_failing = True
            raise
        self._is_failing = False

    def check_writable(self) -> None:
        """Prove that what somebody sends now would be kept.

        Raises:
            StoreError: It would not: the disk is full, the file is gone, the server is away.
        """
        if self._file is not None:
            self._check_file()
            if shutil.disk_usage(self._file.parent).free < MIN_FREE_BYTES:
                raise StoreUnwritableError(self.place, why="the disk is almost full")
        if self._is_failing:  # write as much as a tap does, and leave nothing
            with self.writing() as session:
                probe = SavedRules(name="\ufffdprobe", rules_json={"": "x" * 100_000})
                session.add(probe)
                session.flush()
                session.delete(probe)

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """A connection outside of transactions, which takes the time that VACUUM needs."""
        options: dict[str, Any] = {"autocommit": True}
        if self.is_shared:
            options = {"isolation_level": "AUTOCOMMIT"}
        with (
            translate_errors(self.place, counts=self.error_counts),
            self._engine.connect().execution_options(**options) as connection,
        ):
            if self.is_shared:
                connection.detach()  # closed at the end: no request gets its settings
                server.allow_vacuum(connection)
            yield connection

    def _check_file(self) -> None:
        """Raise StoreUnavailableError where the file of SQLite is not the one that was opened.

        SQLite would go on writing to a file that was deleted or moved away.
        """
        if self._file is None:
            return
        try:
            found = self._file.stat()
        except OSError:
            self.error_counts[StoreUnavailableError.__name__] += 1
            raise StoreUnavailableError(self.place, why="its file was taken away") from None
        identity = found.st_dev, found.st_ino
        if self._identity not in {None, identity}:  # a copy of it was put in its place
            self._engine.dispose()
            with translate_errors(self.place):
                _migrate(self._engine, self.place)
        self._identity = identity

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Let the threads of this process write to an SQLite file one after another.

        SQLite makes a writer that finds the file locked sleep and retry, which leaves it idle for
        most of the time when many write. Other processes are still waited for in that way.
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
