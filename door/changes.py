"""Changes pushed: whoever listens to a table hears at once that it has changed.

One question a moment is put to the database for all tables that somebody listens to, and none where
nobody does. So changes made by other processes are heard of too, and many boards cost no more than
one.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

from anyio import to_thread

from scoring.errors import ScoringError
from table.store import Store

LOOK_EVERY_S = 0.15
"""Seconds between two looks at the revisions of the tables that somebody listens to."""


class Changes:
    """The revisions of the tables that somebody listens to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: Counter[str] = Counter()
        self._revisions: dict[str, int] = {}
        self._changed = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None

    @property
    def listeners(self) -> int:
        """How many screens listen."""
        return self._listeners.total()

    async def of(self, code: str) -> AsyncIterator[int]:
        """The revision of a table now, and again each time it changes."""
        self._listeners[code] += 1
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        seen = None
        try:
            while True:
                async with self._changed:
                    while self._revisions.get(code) == seen:
                        await self._changed.wait()
                    seen = self._revisions[code]
                yield seen
        finally:
            self._listeners[code] -= 1
            if not self._listeners[code]:
                del self._listeners[code]
                self._revisions.pop(code, None)

    async def _look(self) -> None:
        """Asks for the revisions as long as somebody listens."""
        while self._listeners:
            try:
                found = await to_thread.run_sync(self._store.revisions, [*self._listeners])
            except ScoringError:
                found = {}  # the store does not answer: nothing new is known
            async with self._changed:
                if any(self._revisions.get(code) != number for code, number in found.items()):
                    self._revisions.update(found)
                    self._changed.notify_all()
            await asyncio.sleep(LOOK_EVERY_S)
        self._looking = None

    async def close(self) -> None:
        """Ends the looking."""
        if self._looking is not None:
            self._looking.cancel()
