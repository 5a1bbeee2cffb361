"""Turns at a table: requests of one table never hold up those of the others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, fail_after, to_thread

from store import Store, StoreBusyError
from store.tables import clean_code

SHARE = 4
"""One in so many worker threads may work for one table; the others are left to other tables."""

PATIENCE_SECONDS = 3.0
"""How long a request waits for its turn."""


class Turns:
    """Limits how many requests of one table run at the same time."""

    def __init__(self, most: int | None = None) -> None:
        """Let `most` requests of a table run at the same time; None: a part of the threads."""
        self._most = most
        self._limiters = WeakValueDictionary[str, CapacityLimiter]()

    @asynccontextmanager
    async def at(self, store: Store, code: str) -> AsyncIterator[None]:
        """Wait, without a thread, for a turn at a table, and hold it.

        Raises:
            StoreBusyError: None came in time, as all that run at this table wait for something.
        """
        threads = int(to_thread.current_default_thread_limiter().total_tokens)
        new = CapacityLimiter(self._most or max(1, threads // SHARE))
        limiter = self._limiters.setdefault(clean_code(code), new)
        try:
            with fail_after(PATIENCE_SECONDS):
                await limiter.acquire()
        except TimeoutError:
            raise StoreBusyError(store.place) from None
        try:
            yield
        finally:
            limiter.release()
