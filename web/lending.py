"""The reader is lent to whoever has photos to read, and let go when nobody had any for a while.

Its networks and what they work with take some 200 MB of memory. They are loaded again in 0.1 s.
"""

import ctypes
import platform
import sys
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

REST_S = 300.0
"""Seconds after which a reader that nobody asks for is let go."""

ARENAS = 2
"""Places from which the C library takes memory: with one a thread, most of each would lie idle."""

LARGE_BYTES = 1_000_000
"""What is larger, as a picture is, goes back to the system at once when it is free."""

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # as glibc's malloc.h numbers them

T = TypeVar("T")


class Lender(Generic[T]):
    """Gives the same reader to all who ask, as long as somebody asks."""

    def __init__(self, make: Callable[[], T], *, rest_s: float = REST_S) -> None:
        """Prepares to lend.

        Args:
            make: Makes the reader when it is first asked for, and again after a rest.
            rest_s: Seconds after which one that nobody asks for is let go.
        """
        self._make, self._rest_s = make, rest_s
        self._lock = threading.Lock()
        self._kept: T | None = None
        self._asked_at = 0.0

    def __call__(self) -> T:
        """Gives the reader; whoever works with it holds it until the work is done."""
        with self._lock:
            self._asked_at = time.monotonic()
            if self._kept is None:
                self._kept = self._make()
                threading.Thread(target=self._watch, name="lender", daemon=True).start()
            return self._kept

    def _watch(self) -> None:
        """Waits until nobody has asked for long enough, and lets the reader go."""
        while (left := self._let_go()) > 0:
            time.sleep(left)
        give_memory_back()

    def _let_go(self) -> float:
        """Lets the reader go, or gives the seconds for which it is kept at least."""
        with self._lock:
            left = self._asked_at + self._rest_s - time.monotonic()
            if left <= 0:
                self._kept = None
            return left


def gather_memory() -> None:
    """Has the C library keep little memory that is free; to be called before threads are started.

    Only glibc has to be told.
    """
    tune = _in_glibc("mallopt")
    if tune is not None:
        tune(_ARENA_MAX, ARENAS)
        tune(_MMAP_THRESHOLD, LARGE_BYTES)


def give_memory_back() -> None:
    """Has the C library give the system all memory that is free; only glibc has to be told."""
    trim = _in_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _in_glibc(name: str) -> Callable[..., int] | None:
    """A function of glibc; None where the C library is another one."""
    is_glibc = sys.platform == "linux" and platform.libc_ver()[0] == "glibc"
    return getattr(ctypes.CDLL(None), name) if is_glibc else None
