"""Turns at a table: requests of one table never block those of the others."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, fail_after, to_thread

from store import Store, StoreBusyError, tables
from store.tables import clean_code

SHARE = 4
"""One table may use at most 1/`SHARE` of the worker threads.

A hand saved at a table of an evening also locks the evening's row. So all tables of an evening may
together use this part of the threads, and each of them half of it.
"""

PATIENCE_SECONDS = 3.0
"""Seconds that a request waits for its turn."""


class Turns:
    """Limits how many requests of one table, and of one evening, run at the same time."""

    def __init__(self, most: int | None = None) -> None:
        """Let `most` requests of a table run at the same time, by default a share of threads."""
        self._most = most
        self._limiters = WeakValueDictionary[str, CapacityLimiter]()
        self._evenings: dict[str, str | None] = {}

    @asynccontextmanager
    async def at(self, store: Store, code: str) -> AsyncIterator[None]:
        """Wait, without a thread, for a turn at a table, and hold it.

        Raises:
            StoreBusyError: There was no turn in time, because all running requests wait.
        """
        limits = await self._limits(store, clean_code(code))
        limiters = [
            self._limiters.setdefault(row, CapacityLimiter(most)) for row, most in limits.items()
        ]
        async with AsyncExitStack() as held:
            try:
                with fail_after(PATIENCE_SECONDS):
                    for limiter in limiters:
                        await held.enter_async_context(limiter)
            except TimeoutError:
                raise StoreBusyError(store.place) from None
            yield

    async def _limits(self, store: Store, code: str) -> dict[str, int]:
        """Return how many requests may run at once, for the table and for its evening, if any."""
        if self._most is not None:
            return {code: self._most}
        threads = int(to_thread.current_default_thread_limiter().total_tokens)
        share = max(1, threads // SHARE)
        if code not in self._evenings:
            self._evenings |= await to_thread.run_sync(_evening_of, store, code)
        evening = self._evenings.get(code)
        return {code: share} if evening is None else {code: max(1, share // 2), evening: share}


def _evening_of(store: Store, code: str) -> dict[str, str | None]:
    """Return the code of a table's evening by the code of the table; empty if there is no table."""
    with store.reading() as session:
        return {table.code: table.evening_code for table in tables.newest(session, codes=[code])}
