"""Background work of a server: read waiting photos into their piles, and delete old ones.

A photo is stored before it is read, so a restarted server reads the photos that were waiting or
being read. Reading the same photo twice has no further effect.

A queue decides which photo is next: on PostgreSQL one that workers on all machines share, otherwise
one of this process. Both call `process_upload`.
"""

import asyncio
import ctypes
import logging
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from anyio import to_thread

from scoring.errors import ScoringError
from store import (
    HandClosedError,
    MatchClosedError,
    SettingError,
    Store,
    StoreError,
    Upload,
    UploadState,
    retention,
    uploads,
)
from store.errors import STORE_FAILURES
from store.notify import Notification, notify
from store.queue import SharedQueue
from store.retention import days_kept
from table.hand.photos import GivesReader, read_upload
from vision.errors import UnreadablePhotoError, VisionError
from vision.reading import Stage, stage_listener
from web.logging import fields, log_context
from web.metrics import READING_SECONDS

POLL_SECONDS = 1.0
"""Seconds until a worker looks for photos without being woken."""

THREADS_EACH = 2
"""Processors for each photo. With one, a single photo takes half as long again."""

WORKERS = "SETTEBELLO_READERS"
"""Environment variable with the number of photos a server reads at once. With 0 it reads none."""

DEFAULT_WORKERS = max(1, (os.cpu_count() or 1) // THREADS_EACH)
"""Number of photos a server reads at once by default."""

MAX_WORKERS = 256
"""Maximum value of `WORKERS`."""

PURGE_FIRST_SECONDS, PURGE_EVERY_SECONDS = 60.0, 3600.0
"""Seconds until old photos are deleted for the first time after the start, and between two runs."""

PURGE_PAUSE_SECONDS = 1.0
"""Seconds between two transactions that delete old photos, so that others can write."""

LOG = logging.getLogger(__name__)

Waiting = tuple[Upload, bytes]
"""A waiting photo and its bytes."""


def worker_count() -> int:
    """Return how many photos this server reads at the same time; 0 if other processes read them.

    Raises:
        SettingError: The environment has no such number.
    """
    value = os.environ.get(WORKERS, "").strip() or str(DEFAULT_WORKERS)
    if not (value.isascii() and value.isdecimal() and len(value) < 6 and int(value) <= MAX_WORKERS):
        raise SettingError(WORKERS, expected=f"a number from 0 to {MAX_WORKERS}", came=value)
    return int(value)


def check_workers(store: Store) -> None:
    """Check that a process can read the photos of a store.

    Raises:
        SettingError: This server reads none, and no other process can.
    """
    if not store.is_shared and not worker_count():
        expected = "1 or more: photos of an SQLite database are read by its server alone"
        raise SettingError(WORKERS, expected=expected, came="0")


def refusal_of(error: Exception) -> dict[str, Any]:
    """Return an error as JSON: its name, and its fields that are text or numbers.

    The path of the database and the reason of its failure are only logged.

    >>> from vision.errors import EmptyPhotoError
    >>> refusal_of(EmptyPhotoError("a.jpg"))
    {'error': 'EmptyPhotoError', 'name': 'a.jpg'}
    """
    if isinstance(error, STORE_FAILURES):
        return {"error": type(error).__name__}
    plain = {
        name: value for name, value in vars(error).items() if isinstance(value, str | int | float)
    }
    return {"error": getattr(error, "wire_name", type(error).__name__), **plain}


# One photo


OnStage = Callable[[str, int, Stage | None], None]
"""Called with the code of a table, the number of an upload and its stage; None once it is read."""


def process_upload(
    store: Store, waiting: Waiting, *, reader: GivesReader, on_stage: OnStage | None = None
) -> None:
    """Read one photo into its pile and take it off the queue.

    If a photo cannot be read, or its hand is over, the reason is stored.

    Raises:
        StoreError: The store does not answer; the photo stays in the queue.
    """
    upload, _ = waiting
    code = upload.code
    started = time.monotonic()

    def reached(stage: Stage | None) -> None:
        if on_stage is not None:
            on_stage(code, upload.id, stage)

    with log_context(table=code, photo=upload.id):
        try:
            with READING_SECONDS.time(), stage_listener(reached):
                state, refusal = _read(store, waiting, reader=reader)
            with store.write(code) as table:
                uploads.settle(table, upload.id, state=state, refusal=refusal)
        finally:
            reached(None)
        outcome = "read" if refusal is None else refusal["error"]
        seconds = round(time.monotonic() - started, 3)
        LOG.info("a photo was taken off the queue", extra=fields(outcome=outcome, seconds=seconds))


def _read(
    store: Store, waiting: Waiting, *, reader: GivesReader
) -> tuple[UploadState, dict[str, Any] | None]:
    """Read a photo; return the new state of the upload, and the reason if it is refused."""
    upload, data = waiting
    try:
        read_upload(store, upload.code, upload, data=data, reader=reader)
    except STORE_FAILURES:
        raise
    except (HandClosedError, MatchClosedError) as late:
        return (UploadState.LATE if data else UploadState.READ), refusal_of(late)
    except (ScoringError, VisionError) as error:
        return UploadState.REFUSED, refusal_of(error)
    except Exception:
        LOG.exception("a photo could not be read")
        return UploadState.REFUSED, refusal_of(UnreadablePhotoError(upload.name))
    return UploadState.READ, None


# Many photos


class Claims:
    """The tables with a photo being read.

    A table's photos are read one after another, because each helps to read the others of its hand.
    Those of several tables are read in parallel, and tables take turns.
    """

    def __init__(self) -> None:
        self._codes: set[str] = set()
        self._turns: dict[str, int] = {}
        self._turn = 0
        self._lock = threading.Lock()

    @contextmanager
    def next(self, store: Store) -> Iterator[Waiting | None]:
        """Yield the next photo of the next table that is not claimed; claim it inside."""
        with self._lock:
            with store.reading() as session:
                waiting = uploads.next_waiting(session, besides=self._codes, turns=self._turns)
            if waiting is not None:
                self._codes.add(waiting[0].code)
                self._turn += 1
                self._turns[waiting[0].code] = self._turn
        try:
            yield waiting
        finally:
            if waiting is not None:
                with self._lock:
                    self._codes.discard(waiting[0].code)


def process_next(
    store: Store,
    reader: GivesReader,
    *,
    on_stage: OnStage | None = None,
    claims: Claims | None = None,
) -> str | None:
    """Read the next photo; return its table's code, or None if no photo waits.

    Raises:
        StoreError: The store does not answer; the photo stays in the queue.
    """
    with (claims or Claims()).next(store) as waiting:
        if waiting is not None:
            process_upload(store, waiting, reader=reader, on_stage=on_stage)
        return None if waiting is None else waiting[0].code


class _LocalQueue:
    """The queue of a single process, with a thread for each worker."""

    def __init__(self, process_one: Callable[[], bool], *, workers: int) -> None:
        """Create the threads. `process_one` reads one photo, and returns False if none waits."""
        self._process_one = process_one
        self._woken = threading.Condition()
        self._ending = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, name=f"reader-{number}", daemon=True)
            for number in range(1, workers + 1)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    @property
    def is_alive(self) -> bool:
        return all(thread.is_alive() for thread in self._threads)

    def wake(self) -> None:
        with self._woken:
            self._woken.notify_all()

    def stop(self) -> None:
        self._ending.set()
        self.wake()

    def _work(self) -> None:
        while not self._ending.is_set():
            try:
                while not self._ending.is_set() and self._process_one():
                    pass
            except StoreError:  # includes a full disk, which ends once there is room
                LOG.warning("the store does not answer; photos go on waiting")
            with self._woken:
                if not self._ending.is_set():
                    self._woken.wait(POLL_SECONDS)


class Worker:
    """Reads the photos of a store in threads, so boards and taps do not wait for it."""

    def __init__(
        self,
        store: Store,
        reader: GivesReader,
        *,
        on_stage: OnStage | None = None,
        workers: int = DEFAULT_WORKERS,
    ) -> None:
        """Create the threads: one for each photo to read at once, or 0 to read none.

        If several processes share the store, all of them are notified of the stages of photos, and
        `on_stage` is not called.
        """
        self._store, self._reader, self._workers = store, reader, workers
        self._on_stage = self._notify_stage if store.is_shared else on_stage
        self._claims = Claims()
        self._queue: _LocalQueue | SharedQueue = _LocalQueue(self._process_next, workers=workers)
        if store.is_shared:
            self._queue = SharedQueue(store.address, self._process_numbered, at_once=workers)

    def start(self) -> None:
        """Start to read."""
        if self._workers:
            self._queue.start()

    @property
    def is_alive(self) -> bool:
        """Whether the threads that should read photos are running."""
        return not self._workers or self._queue.is_alive

    def wake(self) -> None:
        """Check for new photos now."""
        self._queue.wake()

    def stop(self) -> None:
        """Stop after the photos that are being read."""
        self._queue.stop()

    def _notify_stage(self, code: str, upload: int, stage: Stage | None) -> None:
        # the photo is read even if the notification fails
        with suppress(StoreError), self._store.writing() as session:
            notify(session, Notification(code=code, upload=upload, stage=stage))

    def _process_next(self) -> bool:
        found = process_next(
            self._store, self._reader, on_stage=self._on_stage, claims=self._claims
        )
        return found is not None

    def _process_numbered(self, upload: int) -> None:
        """Read the photo with this number if it still waits."""
        with self._store.reading() as session:
            waiting = uploads.waiting(session, upload)
        if waiting is not None:
            process_upload(self._store, waiting, reader=self._reader, on_stage=self._on_stage)


MALLOC_ARENAS = 2
"""Number of memory pools of the C library. With one per thread most memory would be unused."""

MMAP_THRESHOLD_BYTES = 1_000_000
"""Larger blocks, such as pictures, are returned to the system as soon as they are free."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # from glibc's malloc.h


def limit_memory() -> None:
    """Let glibc keep little free memory. Call this before threads are started."""
    if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_ARENA_MAX, MALLOC_ARENAS)
        mallopt(_M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)


# Old photos


async def purge_regularly(store: Store) -> None:
    """Delete the photos that are older than the configured days, until cancelled."""
    await asyncio.sleep(PURGE_FIRST_SECONDS)
    while True:
        try:
            count = 0
            while deleted := await to_thread.run_sync(purge_expired, store):
                count += deleted
                await asyncio.sleep(PURGE_PAUSE_SECONDS)
            if count:
                await to_thread.run_sync(retention.vacuum, store)
                LOG.info("old photos were deleted", extra=fields(photos=count))
        except ScoringError:
            LOG.warning("old photos could not be deleted", exc_info=True)
        await asyncio.sleep(PURGE_EVERY_SECONDS)


def purge_expired(store: Store) -> int:
    """Delete some photos that are too old, and return their number.

    While photos wait to be read, delete none.

    Raises:
        StoreError: The store does not answer, or the configured days are malformed.
    """
    days = days_kept()
    with store.reading() as session:
        is_waiting = uploads.counts(session)[UploadState.WAITING] > 0
    if days is None or is_waiting:
        return 0
    return retention.purge_expired(store, before=datetime.now(UTC) - timedelta(days=days))
