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
    from procrastinate import App, JobContext
    from procrastinate.manager import JobManager
    from psycopg import AsyncConnection

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy.engine import make_url

from store.errors import StoreError

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


HEARTBEAT_S = 2.0
"""Seconds between two signs of life."""

FETCH_EVERY_S = 0.5
"""Seconds after which a job is asked for that nobody told of: one whose table was being read."""

MEND_EVERY_S = 2.0
"""Seconds between two looks for jobs of the dead, and for photos without a job."""

AGAIN_S = 2.0
"""Seconds until a database that did not answer is asked again."""

LOG = logging.getLogger(__name__)


class SharedQueue:
    """The queue of a PostgreSQL, worked off by this process together with others."""

    def __init__(
        self,
        address: str,
        read: Callable[[int], None],
        *,
        at_once: int,
        put_lost: Callable[[], int],
    ) -> None:
        """Prepares to read.

        Args:
            address: The database, as an SQLAlchemy address.
            read: Reads the photo with a number, unless it waits no more.
            at_once: How many photos are read at the same time, each of another table.
            put_lost: Makes jobs for those photos that wait and have none.
        """
        told = make_url(address).set(drivername="postgresql")
        self._address = told.render_as_string(hide_password=False)
        self._read, self._at_once, self._put_lost = read, at_once, put_lost
        self._ending = threading.Event()
        self._working: tuple[asyncio.AbstractEventLoop, asyncio.Task[None]] | None = None
        self._thread = threading.Thread(target=self._run, name="readers", daemon=True)
        self._held: set[int] = set()
        self._worker: int | None = None
        self._unheld: set[int] = set()

    def start(self) -> None:
        """Begins to read what waits."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether photos are read."""
        return self._thread.is_alive()

    def tell(self) -> None:
        """Does nothing: the database tells of new photos itself."""

    def stop(self) -> None:
        """Ends after the photos that are being read."""
        self._ending.set()
        working = self._working
        if working is not None:
            with suppress(RuntimeError):  # it has ended by itself
                working[0].call_soon_threadsafe(working[1].cancel)

    def _run(self) -> None:
        """Works until it is stopped, whatever the database does meanwhile."""
        from procrastinate.exceptions import ProcrastinateException
        from psycopg import Error
        from psycopg_pool import PoolTimeout

        while not self._ending.is_set():
            try:
                with suppress(asyncio.CancelledError):
                    asyncio.run(self._work())
            except (ProcrastinateException, Error, PoolTimeout, StoreError):
                LOG.warning("the store does not answer; photos go on waiting")
            finally:
                self._working = None
            self._ending.wait(AGAIN_S)

    async def _work(self) -> None:
        """Does jobs until it is cancelled or the database fails."""
        task = asyncio.current_task()
        assert task is not None
        self._working = asyncio.get_running_loop(), task
        if self._ending.is_set():
            return
        async with self._app().open_async() as app:
            mending = asyncio.create_task(self._keep_mended(app))
            try:
                await app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=self._at_once,
                    fetch_job_polling_interval=FETCH_EVERY_S,
                    update_heartbeat_interval=HEARTBEAT_S,
                    stalled_worker_timeout=STALLED_S,
                    delete_jobs="always",  # a photo that still waits gets a new job
                    install_signal_handlers=False,
                )
            finally:
                mending.cancel()
                with suppress(asyncio.CancelledError):
                    await mending

    def _app(self) -> "App":
        """The queue as procrastinate sees it, on lines of its own to the database."""
        from procrastinate import App, PsycopgConnector

        async def see_queue(line: "AsyncConnection[Any]") -> None:
            await line.execute(SEE_QUEUE, (False,))
            if not line.autocommit:
                await line.commit()

        app = App(
            connector=PsycopgConnector(
                conninfo=self._address, min_size=1, max_size=4, configure=see_queue
            )
        )
        app.task(name=TASK, queue=QUEUE, pass_context=True)(self._do)
        return app

    def _do(self, context: "JobContext", *, upload: int) -> None:
        """Does one job; one that failed is deleted, and its photo gets another."""
        job = context.job
        assert job.id is not None
        self._worker = job.worker_id
        self._held.add(job.id)
        try:
            self._read(upload)
        finally:
            self._held.discard(job.id)

    async def _keep_mended(self, app: "App") -> None:
        """Lets others take what this or another process left lying, again and again."""
        from procrastinate.exceptions import ProcrastinateException

        while True:
            try:
                await self._mend(app)
            except (ProcrastinateException, StoreError):
                LOG.warning("the store does not answer; photos go on waiting")
            await asyncio.sleep(MEND_EVERY_S)

    async def _mend(self, app: "App") -> None:
        manager = app.job_manager
        await manager.prune_stalled_workers(STALLED_S)
        left = await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED_S)
        again = {job.id for job in left if job.id is not None}
        if self._worker is not None:
            mine = await manager.list_jobs_async(status="doing", worker_id=self._worker)
            unheld = {job.id for job in mine if job.id is not None} - self._held
            again |= unheld & self._unheld  # twice: it is not just about to begin or to end
            self._unheld = unheld
        for job in again:
            LOG.warning("a photo that nobody reads any more is read again")
            await manager.retry_job_by_id_async(job, retry_at=datetime.now(UTC))
        await asyncio.to_thread(self._put_lost)
