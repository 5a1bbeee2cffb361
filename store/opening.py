"""Where the database lies, and opening it: the engine, its settings, the migrations."""

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
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

from store.errors import (
    StoreCorruptError,
    StoreError,
    StoreForeignError,
    StoreNewerError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
)
from store.processes import jobs

FILE_NAME = "settebello.db"
"""The database inside the home folder."""

BUSY_MS = 10_000
"""How long a writer waits for another one, in milliseconds."""

LINES = 40
"""Lines to the database that a process holds open at most; more who ask wait for one."""

MIGRATION_LOCK = 7_071_130
"""PostgreSQL's advisory lock that lets one server at a time migrate."""

LOG = logging.getLogger(__name__)

_UNWRITABLE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
}
_MIGRATIONS = Path(__file__).with_name("migrations")


def home() -> Path:
    """The folder of the data: $SETTEBELLO_HOME, or .settebello in the user's home."""
    return Path(os.environ.get("SETTEBELLO_HOME") or "~/.settebello").expanduser()


def default_url() -> str:
    """The address of the database: $SETTEBELLO_DATABASE_URL, or the file in `home()`."""
    file = URL.create("sqlite", database=str(home() / FILE_NAME))
    return os.environ.get("SETTEBELLO_DATABASE_URL") or file.render_as_string()


def open_engine(address: str) -> Engine:
    """An engine on a database that stands at the newest schema.

    Raises:
        StoreError: A leaf that says what is wrong; an existing database is then unchanged.
    """
    url = parsed(address)
    place = place_of(url)
    if url.get_backend_name() == "sqlite" and url.database:
        make_folder(Path(url.database))
    with speaking(place):
        engine = engine_as_it_is(url)
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
def speaking(place: str, *, troubles: Counter[str] | None = None) -> Iterator[None]:
    """Turns a driver's error into the leaf of StoreError that says it, and counts it by its name.

    Raises:
        StoreError: Whatever the database had to say.
    """
    try:
        yield
    except DBAPIError as error:
        said = _said(error, place)
        if troubles is not None:
            name = type(said).__name__
            troubles[name] += 1
            LOG.warning("the database failed", extra={"told": {"error": name}})
        raise said from error


def _said(error: DBAPIError, place: str) -> StoreError:
    why = " ".join(str(error.orig).split())
    code = (getattr(error.orig, "sqlite_errorcode", None) or 0) & 0xFF
    if code in _UNWRITABLE:
        return StoreUnwritableError(place, why=why)
    if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return StoreCorruptError(place, why=why)
    return StoreUnavailableError(place, why=why)


def parsed(address: str) -> URL:
    """An address taken apart.

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


def make_folder(file: Path) -> None:
    """Makes the folder of a database.

    Raises:
        StoreUnwritableError: It cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnwritableError(str(file.parent), why=error.strerror or "it failed") from error
    target = file if file.exists() else file.parent
    if not os.access(target, os.W_OK) or not os.access(file.parent, os.W_OK):
        raise StoreUnwritableError(str(target), why="it is read-only for this user")


def engine_as_it_is(url: URL) -> Engine:
    """An engine on a database as it stands: nothing is made and nothing migrated.

    Raises:
        StoreUrlError: The driver is missing, or is one over which PostgreSQL's queue cannot be
            reached.
    """
    if url.get_backend_name() == "postgresql" and url.get_driver_name() != "psycopg":
        raise StoreUrlError("write postgresql+psycopg:// for PostgreSQL")
    try:
        engine = create_engine(url, **_lines(url))
    except ModuleNotFoundError as error:
        raise StoreUrlError(f"its driver {error.name} is not installed") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _lines(url: URL) -> dict[str, Any]:
    """How lines to a database are held: a file's never break, and one in memory has only one."""
    if url.get_backend_name() != "sqlite":
        return {"pool_size": LINES, "max_overflow": 0, "pool_pre_ping": True}
    return {"pool_size": LINES, "max_overflow": 0} if url.database else {}


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # BEGIN is said by _begin_sqlite, COMMIT by SQLAlchemy
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA synchronous = FULL")  # what was confirmed survives a power cut
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten with zeros


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock before it reads: what it decided on cannot change under it.
    options = connection.get_execution_options()
    if options.get("outside", False):
        return
    writes = options.get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrate(engine: Engine, place: str) -> None:
    with engine.connect() as connection:
        is_newest = schema_of(connection, place=place) == newest_schema()
        is_newest = is_newest and jobs.stands(connection)
        connection.rollback()
        _pragma(connection, "journal_mode = WAL")  # only now: another program's file keeps its own
    if is_newest:
        return
    with _rebuilding(engine, place) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
        if schema_of(connection, place=place) != newest_schema():  # another may have been faster
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
        if not jobs.stands(connection):
            jobs.stand_up(connection)


@contextmanager
def _rebuilding(engine: Engine, place: str) -> Iterator[Connection]:
    """A writing transaction in which SQLite's tables may be made anew under keys to them."""
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
    """Sets what SQLite sets outside of transactions only; nothing on other databases."""
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA {setting}")


def schema_of(connection: Connection, *, place: str) -> str | None:
    """The schema that a database stands at; None where it is empty.

    Raises:
        StoreForeignError: It belongs to another program.
        StoreNewerError: A newer Settebello wrote it.
    """
    # The tables first: a server that makes them in this moment writes the schema with them, so
    # whoever sees them and then no schema sees another program's.
    found = tuple(sorted(inspect(connection).get_table_names()))
    schema = MigrationContext.configure(connection).get_current_revision()
    if schema is None:
        if found and found != ("alembic_version",):
            raise StoreForeignError(place, found=found)
    elif schema not in {script.revision for script in _scripts().walk_revisions()}:
        raise StoreNewerError(place, schema=schema, known=newest_schema())
    return schema


def newest_schema() -> str:
    """The schema that this program works with.

    >>> len(newest_schema())
    4
    """
    return str(_scripts().get_current_head())


def _config() -> Config:
    """What Alembic needs to know."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


@cache
def _scripts() -> ScriptDirectory:
    """The migrations that this program knows."""
    return ScriptDirectory.from_config(_config())
