"""Changes pushed: whoever listens to a table hears at once how its hand stands now.

One question a moment is put to the database for all tables that somebody listens to, and none where
nobody does. So changes made by other processes are heard of too, and many boards cost no more than
one. PostgreSQL tells of changes itself, so there the question is put when it tells. What is said is
small: totals, scope and piles, so that phones can show it before their screens are drawn anew.

Beside how its hand stands, a table's screens hear how far its photos are that are being read, and
which of its phones take in a pile.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from anyio import to_thread

from scoring.errors import ScoringError
from store import Notification, Store
from table.standing import standing_at


@dataclass(frozen=True, kw_only=True)
class Presence:
    """A phone at the pile of a side."""

    phone: str
    """Names the phone to itself."""
    me: int | None
    """The side that holds it, where that was said."""
    pile: int
    """The side whose pile it takes in."""


LOOK_EVERY_S = 0.15
"""Seconds between two looks at the revisions of the tables that somebody listens to."""

TOLD_LOOK_EVERY_S = 5.0
"""The same where the database tells of every change."""


class Changes:
    """How the tables stand that somebody listens to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: Counter[str] = Counter()
        self._said: dict[str, Mapping[str, Any]] = {}
        self._stages: dict[str, dict[int, str]] = {}
        self._present: defaultdict[str, Counter[Presence]] = defaultdict(Counter)
        self._changed = asyncio.Condition()
        self._hurry = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._saying: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._listener = store.listener(self._hear)
        if self._listener is not None:
            self._listener.start()

    @property
    def listeners(self) -> int:
        """How many screens listen."""
        return self._listeners.total()

    async def of(
        self, code: str, presence: Presence | None = None
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        """How a table stands now, and again each time that it changes.

        As long as it is listened to, the others hear of the phone's presence.
        """
        self._listeners[code] += 1
        if presence is not None:
            self._present[code][presence] += 1
            await self._say_anew(code)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        said: Mapping[str, Any] | None = None
        try:
            while True:
                async with self._changed:
                    while self._said.get(code) is said:
                        await self._changed.wait()
                    said = self._said[code]
                yield said
        finally:
            self._listeners[code] -= 1
            if not self._listeners[code]:
                del self._listeners[code]
                self._said.pop(code, None)
            if presence is not None:
                self._leave(code, presence)

    def _leave(self, code: str, presence: Presence) -> None:
        """Forgets a phone's presence, and has the others told: the line of this one is gone."""
        self._present[code] -= Counter([presence])
        if not self._present[code]:
            del self._present[code]
        self._tell_later(self._say_anew(code))

    def hurry(self) -> None:
        """Has the tables looked at now: something has just been taken in."""
        self._hurry.set()

    def _hear(self, notice: Notification | None) -> None:
        """Hears, from another thread, what any process told."""
        if notice is not None and notice.upload is not None:
            self.tell_stage(notice.code, notice.upload, stage=notice.stage)
        elif notice is None or notice.code in self._listeners:
            with suppress(RuntimeError):  # the server has ended: nobody listens
                self._loop.call_soon_threadsafe(self._hurry.set)

    def tell_stage(self, code: str, upload: int, *, stage: str | None) -> None:
        """Says, from any thread, how far a photo of a table is; None once it is read."""
        with suppress(RuntimeError):  # the server has ended: nobody listens
            begin = partial(self._begin_stage, code, upload, stage=stage)
            self._loop.call_soon_threadsafe(begin)

    def _begin_stage(self, code: str, upload: int, *, stage: str | None) -> None:
        stages = self._stages.setdefault(code, {})
        stages.pop(upload, None)
        if stage is not None:
            stages[upload] = stage
        if not stages:
            del self._stages[code]
        self._tell_later(self._say_anew(code))

    def _tell_later(self, saying: Coroutine[Any, Any, None]) -> None:
        said = asyncio.create_task(saying)
        self._saying.add(said)
        said.add_done_callback(self._saying.discard)

    async def _say_anew(self, code: str) -> None:
        """Says anew how a table stands, with the stages of its photos and where its phones are."""
        async with self._changed:
            if code in self._said:
                self._said[code] = self._as_of_now(code, self._said[code])
                self._changed.notify_all()

    def _as_of_now(self, code: str, said: Mapping[str, Any]) -> Mapping[str, Any]:
        present = [asdict(presence) for presence in self._present.get(code, ())]
        return {**said, "reading": dict(self._stages.get(code, {})), "phones": present}

    async def _look(self) -> None:
        """Asks for the revisions as long as somebody listens."""
        while self._listeners:
            self._hurry.clear()
            found = await to_thread.run_sync(self._news)
            if found:
                async with self._changed:
                    for code, said in found.items():
                        if code in self._listeners:
                            self._said[code] = self._as_of_now(code, said)
                    self._changed.notify_all()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), self._pause_s)
        self._looking = None

    @property
    def _pause_s(self) -> float:
        """Seconds until the next look, unless there is a reason for an earlier one."""
        is_told = self._listener is not None and self._listener.is_listening
        return TOLD_LOOK_EVERY_S if is_told else LOOK_EVERY_S

    def _news(self) -> dict[str, Mapping[str, Any]]:
        """How those tables stand whose revision is another than was said last."""
        try:
            revisions = self._store.revisions([*self._listeners])
            return {
                code: standing_at(self._store, code)
                for code, number in revisions.items()
                if self._said.get(code, {}).get("revision") != number
            }
        except ScoringError:
            return {}  # the store does not answer: nothing new is known

    async def close(self) -> None:
        """Ends the looking and listening."""
        if self._listener is not None:
            self._listener.stop()
        if self._looking is not None:
            self._looking.cancel()
