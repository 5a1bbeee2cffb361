"""The readers: they take the photos that wait, one after another, and read them into their piles.

A photo is kept before anything else is done with it, so a server that dies while it reads goes on
with the photo after it is started again. Reading the same photo twice makes one photo of it.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, Protocol

from door.logs import about, told
from door.metrics import READING_SECONDS
from scoring.errors import ScoringError
from table.commands import READ_AGAIN
from table.photos import GivesReader, Upload, read_again, take_in
from table.roles import HOUSE
from table.sitting import sit
from table.store import (
    HandClosedError,
    MatchClosedError,
    Store,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
    UploadRow,
)
from vision.errors import VisionError
from vision.reading import Stage, told_to

LOOK_EVERY_S = 1.0
"""Seconds after which a reader looks for photos that nobody told it of."""

STORE_FAILS = (StoreUnavailableError, StoreUnwritableError, StoreCorruptError)
"""How a store says that it cannot keep what was read: no fault of the photo."""

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


class TellsStage(Protocol):
    """Is told how far the reading of a photo is."""

    def __call__(self, code: str, upload: int, /, *, stage: Stage | None) -> None:
        """Hears the table's code, the photo's number and its stage; None once it is read."""
        ...


def read_next(store: Store, reader: GivesReader, *, tell: TellsStage | None = None) -> str | None:
    """Reads the photo that has waited longest; gives its table's code, None where none waits.

    A photo that cannot be read, or whose hand is over, leaves the queue with the reason. `tell`
    hears how far it is.

    Raises:
        StoreError: The store does not answer; the photo goes on waiting.
    """
    waiting = store.next_upload()
    if waiting is None:
        return None
    code, row, data = waiting

    def reached(stage: Stage | None) -> None:
        if tell is not None:
            tell(code, row.id, stage=stage)

    try:
        with about(table=code, photo=row.id), READING_SECONDS.time(), told_to(reached):
            _read_and_settle(store, row, code=code, data=data, reader=reader)
    finally:
        reached(None)
    return code


def _read_and_settle(
    store: Store, row: UploadRow, *, code: str, data: bytes, reader: GivesReader
) -> None:
    """Reads a photo and takes it out of the queue."""
    began = time.monotonic()
    try:
        refusal = _read(store, row, code=code, data=data, reader=reader)
    except STORE_FAILS:
        raise
    except (ScoringError, VisionError) as error:
        refusal = refusal_of(error)
    except Exception:
        LOG.exception("a photo could not be read")
        refusal = {"error": "UnreadablePhotoError", "name": row.name}
    store.settle_upload(code, row.id, refusal=refusal)
    seconds = round(time.monotonic() - began, 3)
    outcome = "read" if refusal is None else refusal["error"]
    LOG.info("a photo was taken off the queue", extra=told(outcome=outcome, seconds=seconds))


def _read(
    store: Store, row: UploadRow, *, code: str, data: bytes, reader: GivesReader
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
        taken = take_in(store, sitting, uploads=[Upload(row.name, data)], reader=reader)
    if taken.no_reader is not None:
        return {"error": "NoReaderError", "name": row.name, "file": taken.no_reader.path.name}
    if taken.came_again:
        return {"error": "PhotoAgainError", "name": row.name}
    return refusal_of(taken.refused[0]) if taken.refused else None


class ReaderThread:
    """A reader in a thread of this process. Boards and taps never wait for it.

    Where the system can tell threads apart, it leaves the processor to everything else first.
    """

    def __init__(
        self, store: Store, reader: GivesReader, *, tell: TellsStage | None = None
    ) -> None:
        self._store, self._reader, self._tell = store, reader, tell
        self._told, self._ending = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="reader", daemon=True)

    def start(self) -> None:
        """Begins to read what waits."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether photos are read."""
        return self._thread.is_alive()

    def tell(self) -> None:
        """Says that a photo has come."""
        self._told.set()

    def stop(self) -> None:
        """Ends after the photo that is being read."""
        self._ending.set()
        self._told.set()

    def _work(self) -> None:
        step_back()
        while not self._ending.is_set():
            self._told.clear()
            try:
                while not self._ending.is_set() and self._read_one():
                    pass
            except StoreError:  # also one that ends only when somebody makes room on the disk
                LOG.warning("the store does not answer; photos go on waiting")
            self._told.wait(LOOK_EVERY_S)

    def _read_one(self) -> bool:
        """Reads a photo, if one waits."""
        return read_next(self._store, self._reader, tell=self._tell) is not None


def step_back() -> None:
    """Lets all other threads of the machine go first, where the system can tell threads apart.

    The threads that OpenCV starts from this one step back with it.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
