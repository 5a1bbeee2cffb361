"""Optional, for PostgreSQL: workers of several processes and machines read photos off one queue.

The queue is procrastinate's, in a schema of its own: its locks, heartbeats and stalled jobs. It
holds nothing that the uploads do not say: workers create it, and fill it from the uploads that
wait. No other module of the store imports this one.
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
"""The queue's name, and what is done with each of its jobs."""

QUEUE_LOCK = 7_071_132
"""PostgreSQL's advisory lock that lets one worker at a time create or fill the queue."""

STALLED_S = 10.0
"""Seconds without a heartbeat after which a worker counts as dead."""

HEARTBEAT_S = 2.0
"""Seconds between two heartbeats."""

POLL_S = 0.5
"""Seconds after which a worker looks for a job it was not notified of."""

CHECK_S = 2.0
"""Seconds between two looks for photos without a job and for stalled jobs."""

RECONNECT_S = 2.0
"""Seconds until a database that did not answer is connected to again."""

LOG = logging.getLogger(__name__)

_WITHOUT_JOB = f"""
SELECT uploads.id, tables.code FROM uploads JOIN tables ON tables.id = uploads.table_id
WHERE uploads.state = 'waiting' AND NOT EXISTS (
    SELECT FROM {SCHEMA}.procrastinate_jobs AS job
    WHERE job.status IN ('todo', 'doing') AND CAST(job.args ->> 'upload' AS integer) = uploads.id)
ORDER BY uploads.id
"""


class SharedQueue:
    """The queue of a PostgreSQL, worked off by this process together with others."""

    def __init__(self, address: str, read: Callable[[int], object], *, at_once: int) -> None:
        """Prepare to read.

        Args:
            address: The database, as an SQLAlchemy address.
            read: Reads the upload with an id, unless it does not wait any more.
            at_once: How many photos are read at the same time, each of another table.

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
        """Begin to read what waits."""
        self._thread.start()
        self._listener.start()

    @property
    def is_alive(self) -> bool:
        """Whether photos are read."""
        return self._thread.is_alive()

    def wake(self) -> None:
        """Look for new photos now."""
        self._call(self._woken.set)

    def stop(self) -> None:
        """End after the photos that are being read."""
        self._ending.set()
        self._listener.stop()
        if self._running is not None:
            self._call(self._running.cancel)

    def _call(self, function: Callable[[], Any]) -> None:
        """Call a function in the thread of the workers, if they work."""
        if self._loop is not None:
            with suppress(RuntimeError):  # they have ended
                self._loop.call_soon_threadsafe(function)

    def _run(self) -> None:
        """Work until stopped, whatever the database does meanwhile."""
        from procrastinate.exceptions import ProcrastinateException
        from psycopg import Error
        from psycopg_pool import PoolTimeout

        while not self._ending.is_set():
            try:
                with suppress(asyncio.CancelledError):
                    asyncio.run(self._work())
            except (ProcrastinateException, Error, PoolTimeout):
                LOG.warning("the store does not answer; photos go on waiting")
            finally:
                self._loop = self._running = None
            self._ending.wait(RECONNECT_S)

    async def _work(self) -> None:
        """Do jobs until cancelled, or until the database fails."""
        self._running = asyncio.current_task()
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        if self._ending.is_set():
            return
        await self._create_schema()
        async with self._app().open_async() as app:
            filling = asyncio.create_task(self._keep_filled(app))
            try:
                await app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=self._at_once,
                    fetch_job_polling_interval=POLL_S,
                    update_heartbeat_interval=HEARTBEAT_S,
                    stalled_worker_timeout=STALLED_S,
                    delete_jobs="always",  # a photo that still waits gets a new job
                    install_signal_handlers=False,
                )
            finally:
                filling.cancel()
                with suppress(asyncio.CancelledError):
                    await filling

    def _app(self) -> "App":
        """The queue as procrastinate sees it, on connections of its own to the database."""
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
        """Create the queue, where it is missing or another version's."""
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
        """Do one job; one that failed is deleted, and its photo gets another."""
        job = context.job
        assert job.id is not None
        self._worker = job.worker_id
        self._held.add(job.id)
        try:
            self._read(upload)
        finally:
            self._held.discard(job.id)

    async def _keep_filled(self, app: "App") -> None:
        """Give each photo that waits a job, and free the jobs of dead workers, again and again."""
        from procrastinate.exceptions import ProcrastinateException

        while True:
            self._woken.clear()
            try:
                await self._fill(app)
                await self._retry_stalled(app)
            except ProcrastinateException:
                LOG.warning("the store does not answer; photos go on waiting")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), CHECK_S)

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
        # the heart of this process may beat late: its photos are read all the same
        again = {job.id for job in stalled if job.id is not None} - self._held
        if self._worker is not None:  # jobs of this process whose end could not be written
            own = await manager.list_jobs_async(status="doing", worker_id=self._worker)
            lost = {job.id for job in own if job.id is not None} - self._held
            again |= lost & self._lost  # twice: it is not just about to begin or to end
            self._lost = lost
        for job_id in again:
            LOG.warning("a photo that nobody reads any more is read again")
            await manager.retry_job_by_id_async(job_id, retry_at=datetime.now(UTC))


@cache
def _definition() -> str:
    """The tables and functions of the queue, as procrastinate defines them."""
    try:
        from procrastinate.schema import SchemaManager
    except ModuleNotFoundError as error:
        why = f"{error.name} is not installed: pip install 'settebello[postgres]'"
        raise StoreUrlError(why) from error
    return SchemaManager.get_schema()
