"""Hands the jobs of the queue out to the readers of a process, on whichever machine it runs.

It gives signs of life while it reads. Jobs of a process that gives none any more are taken by
another, and photos that lost their job get a new one.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy.engine import make_url

from store.errors import StoreError
from store.processes.jobs import QUEUE, SEE_QUEUE, STALLED_S, TASK

if TYPE_CHECKING:
    from procrastinate import App, JobContext
    from psycopg import AsyncConnection

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
