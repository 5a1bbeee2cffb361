"""The readers: they take the photos that wait, the oldest first, and read them into their piles.

A photo is kept before anything else is done with it, so a server that dies while it reads goes on
with the photo after it is started again. Reading the same photo twice makes one photo of it.

Which photo is next is said by a queue: on PostgreSQL by one that readers on all machines share,
else by the queue of this process. What is done with the photo is the same (`read_upload`).
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from scoring.errors import ScoringError
from store import (
    HandClosedError,
    MatchClosedError,
    SettingError,
    Store,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
    Upload,
    UploadState,
)
from table.commands import READ_AGAIN
from table.photos import GivesReader, read_again, take_in
from table.photos import Upload as PhotoFile
from table.roles import HOUSE
from table.sitting import sit
from vision.errors import VisionError
from vision.reading import Stage, stage_listener
from web.logs import about, told
from web.metrics import READING_SECONDS

LOOK_EVERY_S = 1.0
"""Seconds after which a reader looks for photos that nobody told it of."""

STORE_FAILS = (StoreUnavailableError, StoreUnwritableError, StoreCorruptError)
"""How a store says that it cannot keep what was read: no fault of the photo."""

THREADS_EACH = 2
"""Processors for each reader: with one alone a single photo takes half as long again."""

AT_ONCE = max(1, (os.cpu_count() or 1) // THREADS_EACH)
"""How many photos a server reads at the same time unless told otherwise."""

READ_HERE = "SETTEBELLO_READERS"
"""Environment variable: how many photos a server reads at once; 0 leaves them to others."""

MOST_READERS = 256
"""More readers than any machine has a use for."""

NICE = 10
"""How far a reader steps back behind everything else, in the system's own measure (0 to 19)."""

LOG = logging.getLogger(__name__)


def refusal_of(error: Exception) -> dict[str, Any]:
    """Why a file was refused, as data: the error's name and what it carries.

    >>> from vision.errors import EmptyPhotoError
    >>> refusal_of(EmptyPhotoError("a.jpg"))
    {'error': 'EmptyPhotoError', 'name': 'a.jpg'}
    """
    plain = {name: value for name, value in vars(error).items() if isinstance(value, str | int)}
    return {"error": type(error).__name__, **plain}


def read_here() -> int:
    """How many photos this server reads at the same time; 0 where others read them.

    Raises:
        SettingError: The environment says something that is no such number.
    """
    said = os.environ.get(READ_HERE, "").strip() or str(AT_ONCE)
    if not (said.isascii() and said.isdecimal() and len(said) < 6 and int(said) <= MOST_READERS):
        raise SettingError(READ_HERE, expected=f"a number from 0 to {MOST_READERS}", came=said)
    return int(said)


def check_read_here(store: Store) -> None:
    """Proves that somebody may read the photos of a store.

    Raises:
        SettingError: This server is to read none, and no other process can.
    """
    if not store.is_shared and not read_here():
        expected = "1 or more: photos of an SQLite database are read by its server alone"
        raise SettingError(READ_HERE, expected=expected, came="0")


class TellsStage(Protocol):
    """Is told how far the reading of a photo is."""

    def __call__(self, code: str, upload: int, /, *, stage: Stage | None) -> None:
        """Hears the table's code, the photo's number and its stage; None once it is read."""
        ...


Waiting = tuple[str, Upload, bytes]
"""A photo that waits: the code of its table, what is known of it, its bytes."""


class Claims:
    """The tables whose photos are being read: each photo tells of the others of its hand.

    So a table's photos are read one after another, and those of several tables side by side.
    """

    def __init__(self) -> None:
        self._held: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def next(self, store: Store) -> Iterator[Waiting | None]:
        """The photo that has waited longest at a table that nobody reads for; held inside."""
        with self._lock:
            waiting = store.next_upload(besides=self._held)
            if waiting is not None:
                self._held.add(waiting[0])
        try:
            yield waiting
        finally:
            if waiting is not None:
                with self._lock:
                    self._held.discard(waiting[0])


def read_next(
    store: Store,
    reader: GivesReader,
    *,
    tell: TellsStage | None = None,
    claims: Claims | None = None,
) -> str | None:
    """Reads the photo that has waited longest; gives its table's code, None where none waits.

    A photo that cannot be read, or whose hand is over, leaves the queue with the reason.

    Args:
        store: Where the photos wait.
        reader: Gives what reads them.
        tell: Hears how far it is.
        claims: What other readers of this process are reading for.

    Raises:
        StoreError: The store does not answer; the photo goes on waiting.
    """
    with (claims or Claims()).next(store) as waiting:
        if waiting is not None:
            read_upload(store, waiting, reader=reader, tell=tell)
        return None if waiting is None else waiting[0]


def read_upload(
    store: Store,
    waiting: Waiting,
    *,
    reader: GivesReader,
    tell: TellsStage | None,
) -> None:
    """Reads one photo, takes it off the queue, and tells how far it is.

    A photo that cannot be read, or whose hand is over, leaves the queue with the reason.

    Raises:
        StoreError: The store does not answer; the photo goes on waiting.
    """
    code, row, data = waiting

    def reached(stage: Stage | None) -> None:
        if tell is not None:
            tell(code, row.id, stage=stage)

    try:
        with about(table=code, photo=row.id), READING_SECONDS.time(), stage_listener(reached):
            _read_and_settle(store, row, code=code, data=data, reader=reader)
    finally:
        reached(None)


def _read_and_settle(
    store: Store, row: Upload, *, code: str, data: bytes, reader: GivesReader
) -> None:
    """Reads a photo and takes it out of the queue."""
    began = time.monotonic()
    refused = UploadState.REFUSED
    try:
        refusal = _read(store, row, code=code, data=data, reader=reader)
    except STORE_FAILS:
        raise
    except (HandClosedError, MatchClosedError) as error:
        refused = UploadState.LATE if data else UploadState.READ
        refusal = refusal_of(error)
    except (ScoringError, VisionError) as error:
        refusal = refusal_of(error)
    except Exception:
        LOG.exception("a photo could not be read")
        refusal = {"error": "UnreadablePhotoError", "name": row.name}
    state = UploadState.READ if refusal is None else refused
    store.settle_upload(code, row.id, state=state, refusal=refusal)
    seconds = round(time.monotonic() - began, 3)
    outcome = "read" if refusal is None else refusal["error"]
    LOG.info("a photo was taken off the queue", extra=told(outcome=outcome, seconds=seconds))


def _read(
    store: Store, row: Upload, *, code: str, data: bytes, reader: GivesReader
) -> Mapping[str, Any] | None:
    """Reads a photo into its pile; gives why that cannot be, or None."""
    mended = {"match_no": row.match_no, "hand_no": row.hand_no} if row.is_mending else {}
    sitting = sit(store, code, held=HOUSE, side=row.side, **mended)
    if sitting.row.match_no != row.match_no:
        raise MatchClosedError(row.match_no, current=sitting.row.match_no)
    if row.hand_no != sitting.hand_no:
        raise HandClosedError(row.hand_no, current=sitting.hand_no)
    if row.name == READ_AGAIN:
        taken = read_again(store, sitting, reader=reader)
    else:
        taken = take_in(store, sitting, uploads=[PhotoFile(row.name, data)], reader=reader)
    if taken.no_reader is not None:
        return {"error": "NoReaderError", "name": row.name, "file": taken.no_reader.path.name}
    if taken.came_again:
        return {"error": "PhotoAgainError", "name": row.name}
    return refusal_of(taken.refused[0]) if taken.refused else None


class Queue(Protocol):
    """Gives the photos that wait to the readers of this process, those of one table in turn."""

    @property
    def is_alive(self) -> bool:
        """Whether photos are read."""
        ...

    def start(self) -> None:
        """Begins to read what waits."""
        ...

    def tell(self) -> None:
        """Hears that a photo has come."""
        ...

    def stop(self) -> None:
        """Ends after the photos that are being read."""
        ...


class OwnQueue:
    """The queue of a single process: what waits in its store, a thread for each reader."""

    def __init__(self, store: Store, read: Callable[[Waiting], None], *, at_once: int) -> None:
        self._store, self._read = store, read
        self._claims, self._told = Claims(), threading.Condition()
        self._ending = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, name=f"reader-{number}", daemon=True)
            for number in range(1, at_once + 1)
        ]

    def start(self) -> None:
        """Begins to read what waits."""
        for thread in self._threads:
            thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether photos are read."""
        return all(thread.is_alive() for thread in self._threads)

    def tell(self) -> None:
        """Says that a photo has come."""
        with self._told:
            self._told.notify_all()

    def stop(self) -> None:
        """Ends after the photos that are being read."""
        self._ending.set()
        self.tell()

    def _work(self) -> None:
        while not self._ending.is_set():
            try:
                while not self._ending.is_set() and self._read_one():
                    pass
            except StoreError:  # also one that ends only when somebody makes room on the disk
                LOG.warning("the store does not answer; photos go on waiting")
            with self._told:
                if not self._ending.is_set():
                    self._told.wait(LOOK_EVERY_S)

    def _read_one(self) -> bool:
        """Reads a photo, if one waits."""
        with self._claims.next(self._store) as waiting:
            if waiting is not None:
                self._read(waiting)
            return waiting is not None


class Readers:
    """The readers of this process. Boards and taps never wait for them.

    Where the system can tell threads apart, they leave the processor to everything else first.
    """

    def __init__(
        self,
        store: Store,
        reader: GivesReader,
        *,
        tell: TellsStage | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        """Prepares to read.

        Args:
            store: Where the photos wait.
            reader: Gives what reads them.
            tell: Hears how far each is; a store that several processes share tells all of them.
            at_once: How many are read at the same time; 0 leaves them to other processes.
        """
        self._store, self._reader = store, reader
        self._tell = self._tell_all if store.is_shared else tell
        shared = store.shared_queue(self._read_numbered, at_once=at_once)
        self._queue: Queue = shared or OwnQueue(store, self._read, at_once=at_once)
        self._reads = at_once > 0

    def start(self) -> None:
        """Begins to read what waits."""
        if self._reads:
            self._queue.start()

    @property
    def is_alive(self) -> bool:
        """Whether photos are read, as far as this process is to read them."""
        return not self._reads or self._queue.is_alive

    def tell(self) -> None:
        """Says that a photo has come."""
        self._queue.tell()

    def stop(self) -> None:
        """Ends after the photos that are being read."""
        self._queue.stop()

    def _tell_all(self, code: str, upload: int, /, *, stage: Stage | None) -> None:
        """Tells all servers how far a photo is, this one too."""
        with suppress(StoreError):  # a photo is read all the same
            self._store.tell_stage(code, upload, stage=stage)

    def _read(self, waiting: Waiting) -> None:
        step_back()
        read_upload(self._store, waiting, reader=self._reader, tell=self._tell)

    def _read_numbered(self, upload: int) -> None:
        """Reads the photo with a number, unless it waits no more."""
        waiting = self._store.waiting_upload(upload)
        if waiting is not None:
            self._read(waiting)


def step_back() -> None:
    """Lets all other threads of the machine go first, where the system can tell threads apart.

    The threads that OpenCV starts from this one step back with it.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
