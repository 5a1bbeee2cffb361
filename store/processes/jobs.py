"""Jobs: on PostgreSQL each photo that waits has one, and readers on any machine take them.

The queue is procrastinate's and stands in a schema of its own. It holds nothing that the uploads do
not say: where it is missing, another version's, or has lost a job, it is made anew from them.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

from store.errors import StoreUnavailableError, StoreUrlError

if TYPE_CHECKING:
    from procrastinate.manager import JobManager

SCHEMA = "settebello_queue"
"""The schema of the queue in the database."""

QUEUE, TASK = "photos", "read"
"""The queue's name, and what is to be done with each of its jobs."""

STALLED_S = 10.0
"""Seconds without a sign of life after which a reader counts as dead."""

SEE_QUEUE = f"SELECT set_config('search_path', current_setting('search_path') || ', {SCHEMA}', %s)"
"""Lets a connection find the queue: until the transaction ends, or for good."""

_STANDS = text(
    f"SELECT obj_description(to_regclass('{SCHEMA}.procrastinate_jobs'), 'pg_class') = :version"
)
_LOST = text(
    "SELECT uploads.id, tables.code FROM uploads JOIN tables ON tables.id = uploads.table_id "
    f"WHERE uploads.state = 'waiting' AND NOT EXISTS (SELECT FROM {SCHEMA}.procrastinate_jobs AS j "
    "WHERE j.status IN ('todo', 'doing') AND CAST(j.args ->> 'upload' AS integer) = uploads.id) "
    "ORDER BY uploads.id"
)
_READERS = text(
    f"SELECT count(*) FROM {SCHEMA}.procrastinate_workers "
    "WHERE last_heartbeat > now() - make_interval(secs => :seconds)"
)


def put(session: Session, upload: int, *, code: str) -> None:
    """Makes a job for a photo, which is there with the photo or not at all; none on SQLite.

    The jobs of one table are done one after another, in the order in which they came.
    """
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        _put(connection, upload, code=code)


def _put(connection: Connection, upload: int, *, code: str) -> None:
    from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
    from procrastinate.jobs import Job

    name = f"upload {upload}"  # it waits in the queue once at most
    job = Job(
        queue=QUEUE, task_name=TASK, lock=code, queueing_lock=name, task_kwargs={"upload": upload}
    )
    with _seeing_queue(connection) as driver:
        try:
            with connection.begin_nested():
                _manager().defer_job(job, connection=driver)
        except AlreadyEnqueued:
            pass
        except ConnectorException as error:
            place = connection.engine.url.render_as_string(hide_password=True)
            raise StoreUnavailableError(place, why=f"its queue: {error.__cause__}") from error


@contextmanager
def _seeing_queue(connection: Connection) -> Iterator[Any]:
    """The driver's own connection, which finds the queue inside."""
    before = connection.exec_driver_sql("SHOW search_path").scalar_one()
    connection.exec_driver_sql(SEE_QUEUE, (True,))
    yield connection.connection.driver_connection
    connection.execute(text("SELECT set_config('search_path', :path, true)"), {"path": before})


@cache
def _manager() -> "JobManager":
    """What makes jobs over the connections that it is given; it opens none."""
    from procrastinate import SyncPsycopgConnector
    from procrastinate.manager import JobManager

    return JobManager(SyncPsycopgConnector())


def put_lost(session: Session) -> int:
    """Makes jobs for those photos that wait and have none; gives how many."""
    connection = session.connection()
    if connection.dialect.name != "postgresql":
        return 0
    return _put_lost(connection)


def _put_lost(connection: Connection) -> int:
    lost = connection.execute(_LOST).all()
    for upload, code in lost:
        _put(connection, upload, code=code)
    return len(lost)


def stands(connection: Connection) -> bool:
    """Whether the queue stands as this version of procrastinate wants it; SQLite needs none.

    Raises:
        StoreUrlError: Procrastinate is missing.
    """
    if connection.dialect.name != "postgresql":
        return True
    return bool(connection.scalar(_STANDS, {"version": _version()}))


def stand_up(connection: Connection) -> None:
    """Makes the queue anew in the running transaction, with a job for each photo that waits."""
    if connection.dialect.name != "postgresql":
        return
    connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")
    before = connection.exec_driver_sql("SHOW search_path").scalar_one()
    connection.exec_driver_sql(f"SET LOCAL search_path TO {SCHEMA}")
    driver: Any = connection.connection.driver_connection
    driver.execute(_definition())  # many statements, which SQLAlchemy would prepare as one
    connection.exec_driver_sql(f"COMMENT ON TABLE procrastinate_jobs IS '{_version()}'")
    connection.execute(text("SELECT set_config('search_path', :path, true)"), {"path": before})
    _put_lost(connection)


def readers(connection: Connection) -> int | None:
    """How many processes that read photos gave a sign of life; None on SQLite, which tells none."""
    if connection.dialect.name != "postgresql":
        return None
    return int(connection.execute(_READERS, {"seconds": STALLED_S}).scalar_one())


@cache
def _definition() -> str:
    """The tables and functions of the queue, as procrastinate defines them."""
    try:
        from procrastinate.schema import SchemaManager
    except ModuleNotFoundError as error:
        why = f"{error.name} is not installed: pip install 'settebello[postgres]'"
        raise StoreUrlError(why) from error
    return SchemaManager.get_schema()


@cache
def _version() -> str:
    """Names that definition: another version's has another name."""
    return hashlib.sha256(_definition().encode()).hexdigest()[:16]
