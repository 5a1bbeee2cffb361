"""Background work of a server: photos that wait are read into their piles, old ones are deleted.

A photo is stored before anything else is done with it, so a server that dies while it reads goes on
with the photo after it is started again. Reading the same photo twice makes one photo of it.

Which photo is next is decided by a queue: on PostgreSQL by one that workers on all machines share,
else by the queue of this process. What is done with the photo is the same (`process_upload`).
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
from table.photos import GivesReader, read_upload
from vision.errors import UnreadablePhotoError, VisionError
from vision.reading import Stage, stage_listener
from web.logging import fields, log_context
from web.metrics import READING_SECONDS

POLL_SECONDS = 1.0
"""After which a worker looks for photos that it was not woken for."""

THREADS_EACH = 2
"""Processors for each photo: with one alone a single photo takes half as long again."""

WORKERS = "SETTEBELLO_READERS"
"""Environment variable: how many photos a server reads at once; 0 leaves them to others."""

DEFAULT_WORKERS = max(1, (os.cpu_count() or 1) // THREADS_EACH)
"""How many photos a server reads at once unless the environment says otherwise."""

MAX_WORKERS = 256
"""More than any machine has a use for."""

PURGE_FIRST_SECONDS, PURGE_EVERY_SECONDS = 60.0, 3600.0
"""When old photos are first looked for after the start, and how often afterwards."""

PURGE_PAUSE_SECONDS = 1.0
"""Between two transactions that delete old photos, in which others write."""

LOG = logging.getLogger(__name__)

Waiting = tuple[Upload, bytes]
"""A photo that waits: what is known of it, and its bytes."""


def worker_count() -> int:
    """How many photos this server reads at the same time; 0 where others read them.

    Raises:
        SettingError: The environment says something that is no such number.
    """
    value = os.environ.get(WORKERS, "").strip() or str(DEFAULT_WORKERS)
    if not (value.isascii() and value.isdecimal() and len(value) < 6 and int(value) <= MAX_WORKERS):
        raise SettingError(WORKERS, expected=f"a number from 0 to {MAX_WORKERS}", came=value)
    return int(value)


def check_workers(store: Store) -> None:
    """Proves that somebody may read the photos of a store.

    Raises:
        SettingError: This server is to read none, and no other process can.
    """
    if not store.is_shared and not worker_count():
        expected = "1 or more: photos of an SQLite database are read by its server alone"
        raise SettingError(WORKERS, expected=expected, came="0")


def refusal_of(error: Exception) -> dict[str, Any]:
    """An error as JSON: its name, and those of its fields that are text or numbers.

    Where the database lies and why it fails is for its owner's log.

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
    """Reads one photo into its pile and takes it off the queue.

    A photo that cannot be read, or whose hand is over, leaves the queue with the reason.

    Raises:
        StoreError: The store does not answer; the photo goes on waiting.
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
    """Reads a photo; gives what becomes of the upload, and why where it is refused."""
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
    """The tables whose photos are being read: each photo helps to read the others of its hand.

    So a table's photos are read one after another, and those of several tables in parallel. Tables
    take turns.
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
        StoreError: The store does not answer; the photo goes on waiting.
    """
    with (claims or Claims()).next(store) as waiting:
        if waiting is not None:
            process_upload(store, waiting, reader=reader, on_stage=on_stage)
        return None if waiting is None else waiting[0].code


class _LocalQueue:
    """The queue of a single process: what waits in its store, a thread for each worker."""

    def __init__(self, process_one: Callable[[], bool], *, workers: int) -> None:
        """`process_one` reads one photo and gives False where none waits."""
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
            except StoreError:  # also one that ends only when somebody makes room on the disk
                LOG.warning("the store does not answer; photos go on waiting")
            with self._woken:
                if not self._ending.is_set():
                    self._woken.wait(POLL_SECONDS)


class Worker:
    """Reads the photos of a store in threads. Boards and taps never wait for it."""

    def __init__(
        self,
        store: Store,
        reader: GivesReader,
        *,
        on_stage: OnStage | None = None,
        workers: int = DEFAULT_WORKERS,
    ) -> None:
        """As many photos are read at once as there are `workers`; 0 leaves them to other processes.

        A store that several processes share notifies all of them of stages, without `on_stage`.
        """
        self._store, self._reader, self._workers = store, reader, workers
        self._on_stage = self._notify_stage if store.is_shared else on_stage
        self._claims = Claims()
        self._queue: _LocalQueue | SharedQueue = _LocalQueue(self._process_next, workers=workers)
        if store.is_shared:
            self._queue = SharedQueue(store.address, self._process_numbered, at_once=workers)

    def start(self) -> None:
        """Begins to read what waits."""
        if self._workers:
            self._queue.start()

    @property
    def is_alive(self) -> bool:
        """Whether photos are read, as far as this process is to read them."""
        return not self._workers or self._queue.is_alive

    def wake(self) -> None:
        """Says that a photo has come."""
        self._queue.wake()

    def stop(self) -> None:
        """Ends after the photos that are being read."""
        self._queue.stop()

    def _notify_stage(self, code: str, upload: int, stage: Stage | None) -> None:
        # a photo is read all the same
        with suppress(StoreError), self._store.writing() as session:
            notify(session, Notification(code=code, upload=upload, stage=stage))

    def _process_next(self) -> bool:
        found = process_next(
            self._store, self._reader, on_stage=self._on_stage, claims=self._claims
        )
        return found is not None

    def _process_numbered(self, upload: int) -> None:
        """Reads the photo with a number, unless it waits no more."""
        with self._store.reading() as session:
            waiting = uploads.waiting(session, upload)
        if waiting is not None:
            process_upload(self._store, waiting, reader=self._reader, on_stage=self._on_stage)


MALLOC_ARENAS = 2
"""Places from which the C library takes memory: with one a thread, most of each would lie idle."""

MMAP_THRESHOLD_BYTES = 1_000_000
"""What is larger, as a picture is, goes back to the system at once when it is free."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # of glibc's malloc.h


def limit_memory() -> None:
    """Has glibc keep little free memory; to be called before threads are started."""
    if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_ARENA_MAX, MALLOC_ARENAS)
        mallopt(_M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)


# Old photos


async def purge_regularly(store: Store) -> None:
    """Deletes the photos that are older than the owner keeps them, until it is cancelled."""
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
    """Deletes some photos that are too old; none while others wait to be read.

    Raises:
        StoreError: The store does not answer, or the days of keeping cannot be understood.
    """
    days = days_kept()
    with store.reading() as session:
        is_waiting = uploads.counts(session)[UploadState.WAITING] > 0
    if days is None or is_waiting:
        return 0
    return retention.purge_expired(store, before=datetime.now(UTC) - timedelta(days=days))
