"""The shared queue of photos on PostgreSQL, for workers of several processes and machines.

The queue is procrastinate's, in a separate schema, with its locks, heartbeats and stalled jobs.
All of its content follows from the waiting uploads: workers create the schema and add the jobs.
No other module of the store imports this one.
"""

import asyncio
import hashlib
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from store.errors import StoreUrlError
from store.notify import WORKER, Listener
from store.server import connection_string

if TYPE_CHECKING:
    from procrastinate import App, JobContext
    from psycopg import AsyncConnection

SCHEMA = "settebello_queue"
"""The schema of the queue in the database."""

QUEUE, TASK = "photos", "read"
"""Name of the queue, and of the task of its jobs."""

QUEUE_LOCK = 7_071_132
"""Key of the PostgreSQL advisory lock that a worker holds while it creates the queue."""

STALLED_S = 10.0
"""Seconds without a heartbeat until a worker counts as dead."""

HEARTBEAT_S = 2.0
"""Seconds between heartbeats of a worker."""

POLL_S = 0.5
"""Seconds between checks for a job without a notification."""

CHECK_S = 2.0
"""Seconds between checks for photos without a job and for stalled jobs."""

RECONNECT_S = 2.0
"""Seconds until a worker reconnects to a database that did not answer."""

LOG = logging.getLogger(__name__)

_WITHOUT_JOB = f"""
SELECT id, code FROM (
    SELECT DISTINCT ON (tables.id) uploads.id, tables.code
    FROM uploads JOIN tables ON tables.id = uploads.table_id
    WHERE uploads.state = 'waiting' AND NOT EXISTS (
        SELECT FROM {SCHEMA}.procrastinate_jobs AS job
        JOIN uploads AS queued ON queued.id = CAST(job.args ->> 'upload' AS integer)
        WHERE job.status IN ('todo', 'doing') AND queued.state = 'waiting'
        AND queued.table_id = tables.id)
    ORDER BY tables.id, uploads.id) AS next
ORDER BY id
"""
"""The next photo of each table without a job. A table has one job at most, so tables take turns."""


class SharedQueue:
    """The queue of a PostgreSQL database, which this process works on together with others."""

    def __init__(self, address: str, read: Callable[[int], object], *, at_once: int) -> None:
        """Create the workers without starting them.

        Args:
            address: SQLAlchemy address of the database.
            read: Called with the id of an upload. It reads the upload if it still waits.
            at_once: Maximum number of photos to read at the same time, one of each table.

        Raises:
            StoreUrlError: Procrastinate is not installed.
        """
        self._definition = _definition()
        self._address = connection_string(address)
        self._read, self._at_once = read, at_once
        self._ending = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="workers", daemon=True)
        self._listener = Listener(address, lambda _: self.wake(), application=WORKER)
        self._held: set[int] = set()
        self._worker: int | None = None
        self._lost: set[int] = set()

    def start(self) -> None:
        """Start to read the waiting photos."""
        self._thread.start()
        self._listener.start()

    @property
    def is_alive(self) -> bool:
        """Whether the workers run."""
        return self._thread.is_alive()

    def wake(self) -> None:
        """Check for new photos now."""
        self._call(self._woken.set)

    def stop(self) -> None:
        """Stop after the photos that are being read."""
        self._ending.set()
        self._listener.stop()
        if self._running is not None:
            self._call(self._running.cancel)

    def _call(self, function: Callable[[], Any]) -> None:
        """Call a function in the thread of the workers, if they run."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(function)

    def _run(self) -> None:
        """Work until stopped, and reconnect whenever the database fails."""
        from procrastinate.exceptions import ProcrastinateException
        from psycopg import Error
        from psycopg_pool import PoolTimeout

        while not self._ending.is_set():
            try:
                asyncio.run(self._work())
            except (ProcrastinateException, Error, PoolTimeout):
                LOG.warning("the store does not answer; photos go on waiting")
            finally:
                self._loop = self._running = None
            self._ending.wait(RECONNECT_S)

    async def _work(self) -> None:
        """Run jobs until stopped, or until the database fails.

        Only procrastinate's worker is ever cancelled, since it expects that: a connection pool that
        is cancelled while it connects never ends.
        """
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        await self._create_schema()
        async with self._app().open_async() as app:
            jobs = app.run_worker_async(
                queues=[QUEUE],
                concurrency=self._at_once,
                fetch_job_polling_interval=POLL_S,
                update_heartbeat_interval=HEARTBEAT_S,
                stalled_worker_timeout=STALLED_S,
                delete_jobs="always",  # a photo that still waits gets another job
                install_signal_handlers=False,
            )
            self._running = asyncio.create_task(jobs)
            if self._ending.is_set():
                self._running.cancel()
            await self._keep_filled(app, self._running)
            with suppress(asyncio.CancelledError):
                await self._running

    def _app(self) -> "App":
        """Return procrastinate's app, with its own connections to the database."""
        from procrastinate import App, PsycopgConnector

        async def see_queue(connection: "AsyncConnection[Any]") -> None:
            await connection.execute(f"SET search_path TO public, {SCHEMA}")
            if not connection.autocommit:
                await connection.commit()

        app = App(
            connector=PsycopgConnector(
                conninfo=self._address, min_size=1, max_size=4, configure=see_queue
            )
        )
        app.task(name=TASK, queue=QUEUE, pass_context=True)(self._do)
        return app

    async def _create_schema(self) -> None:
        """Create the queue if it is missing or has another version."""
        from psycopg import AsyncConnection

        version = hashlib.sha256(self._definition.encode()).hexdigest()[:16]
        table = f"to_regclass('{SCHEMA}.procrastinate_jobs')"
        async with await AsyncConnection.connect(self._address) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (QUEUE_LOCK,))
            found = await connection.execute(f"SELECT obj_description({table}, 'pg_class')")
            if await found.fetchone() != (version,):
                await connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
                await connection.execute(f"CREATE SCHEMA {SCHEMA}")
                await connection.execute(f"SET LOCAL search_path TO {SCHEMA}")
                await connection.execute(self._definition.encode())
                comment = f"COMMENT ON TABLE procrastinate_jobs IS '{version}'"
                await connection.execute(comment.encode())

    def _do(self, context: "JobContext", *, upload: int) -> None:
        """Run one job. A failed job is deleted, and its photo gets another one."""
        job = context.job
        assert job.id is not None
        self._worker = job.worker_id
        self._held.add(job.id)
        try:
            self._read(upload)
        finally:
            self._held.discard(job.id)
            self.wake()  # the next photo of its table needs a job

    async def _keep_filled(self, app: "App", running: asyncio.Task[None]) -> None:
        """Add a job for the next photo of each table, and retry jobs of dead workers, in a loop.

        The loop ends after the worker.
        """
        from procrastinate.exceptions import ProcrastinateException

        running.add_done_callback(lambda _: self._woken.set())
        while not running.done():
            self._woken.clear()
            try:
                await self._fill(app)
                await self._retry_stalled(app)
            except ProcrastinateException:
                LOG.warning("the store does not answer; photos go on waiting")
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_S):
                    await self._woken.wait()

    async def _fill(self, app: "App") -> None:
        from procrastinate.exceptions import AlreadyEnqueued

        for row in await app.connector.execute_query_all_async(_WITHOUT_JOB):
            job = app.configure_task(
                TASK, queue=QUEUE, lock=row["code"], queueing_lock=f"upload {row['id']}"
            )
            with suppress(AlreadyEnqueued):  # by another process
                await job.defer_async(upload=row["id"])

    async def _retry_stalled(self, app: "App") -> None:
        manager = app.job_manager
        stalled = await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED_S)
        # a heartbeat of this process may be late although it reads its photos
        again = {job.id for job in stalled if job.id is not None} - self._held
        if self._worker is not None:  # jobs of this process whose end was not stored
            own = await manager.list_jobs_async(status="doing", worker_id=self._worker)
            lost = {job.id for job in own if job.id is not None} - self._held
            again |= lost & self._lost  # seen twice, so it is not about to begin or end
            self._lost = lost
        for job_id in again:
            LOG.warning("a photo that nobody reads any more is read again")
            await manager.retry_job_by_id_async(job_id, retry_at=datetime.now(UTC))


@cache
def _definition() -> str:
    """Return the SQL of procrastinate's tables and functions."""
    try:
        from procrastinate.schema import SchemaManager
    except ModuleNotFoundError as error:
        why = f"{error.name} is not installed: pip install 'settebello[postgres]'"
        raise StoreUrlError(why) from error
    return SchemaManager.get_schema()
