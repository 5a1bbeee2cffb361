"""Push changes to screens: each subscriber of a table gets a snapshot of it at once.

One query, repeated while there are subscribers, reads the revisions of all their tables. It finds
changes by other processes too, without a query for each board. PostgreSQL notifies of changes, so
there the query waits for a notification.

A snapshot is small: totals, scope and piles, which phones show before their screens are rendered
again; the stages of photos that are being read; and which phone is at which pile.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from anyio import to_thread

from scoring.errors import ScoringError
from store import Notification, Place, Store, tables
from store.errors import STORE_FAILURES
from store.notify import Listener
from table.view import snapshot_of
from web.logging import fields

POLL_SECONDS = 0.15
"""Seconds between two queries for the revisions of tables with subscribers."""

NOTIFIED_POLL_SECONDS = 5.0
"""Seconds between two queries if the database notifies of every change."""

BEAT_SECONDS = 4
"""Seconds between two heartbeats. After ten seconds without one a screen says so."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Presence:
    """A phone at the pile of a side."""

    phone: str
    """The identifier that the phone chose for itself."""
    me: int | None
    """The side that holds the phone, if known."""
    pile: int
    """The side whose pile it records."""


class EventHub:
    """The subscribers of tables in one process, and the latest snapshot of each table."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._subscribers: Counter[str] = Counter()
        self._snapshots: dict[str, Mapping[str, Any]] = {}
        self._places: dict[str, Place] = {}
        self._stages: dict[str, dict[int, str]] = {}
        self._present: defaultdict[str, Counter[Presence]] = defaultdict(Counter)
        self._changed = asyncio.Condition()
        self._wake = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._listener = Listener(store.address, self._on_notify) if store.is_shared else None
        if self._listener is not None:
            self._listener.start()

    @property
    def subscribers(self) -> int:
        """The number of subscribed screens."""
        return self._subscribers.total()

    async def subscribe(
        self,
        code: str,
        presence: Presence | None = None,
        *,
        also: Collection[str] = (),
        may_stay: Callable[[Place], bool] = lambda _: True,
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        """Yield snapshots of a table and of others: the current ones, and one with each change.

        While the subscription lasts, the other subscribers of the first table see the phone's
        presence. If the phone may not stay after a change of this table, the subscription ends.
        """
        codes = {code, *also}
        self._subscribers.update(codes)
        if presence is not None:
            self._present[code][presence] += 1
            await self._publish_again(code)
        self.wake()
        if self._polling is None:
            self._polling = asyncio.create_task(self._poll())
        sent: dict[str, Mapping[str, Any] | None] = dict.fromkeys(codes)
        try:
            while True:
                async with self._changed:
                    while not (news := self._newer(sent)):
                        await self._changed.wait()
                    sent |= news
                if code in self._places and not may_stay(self._places[code]):
                    return
                for snapshot in news.values():
                    yield snapshot
        finally:
            self._subscribers.subtract(codes)
            for one in codes:
                if not self._subscribers[one]:
                    del self._subscribers[one]
                    self._snapshots.pop(one, None)
                    self._places.pop(one, None)
            if presence is not None:
                self._present[code] -= Counter([presence])
                if not self._present[code]:
                    del self._present[code]
                self._start(self._publish_again(code))

    def _newer(self, sent: Mapping[str, Mapping[str, Any] | None]) -> dict[str, Mapping[str, Any]]:
        """Return the latest snapshots of tables that differ from those sent last."""
        latest = {code: self._snapshots[code] for code in sent if code in self._snapshots}
        return {code: snapshot for code, snapshot in latest.items() if snapshot is not sent[code]}

    def wake(self) -> None:
        """Check for changes now, because something was just written."""
        self._wake.set()

    def publish_stage(self, code: str, upload: int, stage: str | None) -> None:
        """Publish, from any thread, the stage of a photo of a table; None once it is read."""
        with suppress(RuntimeError):  # the server has ended, so there are no subscribers
            self._loop.call_soon_threadsafe(partial(self._set_stage, code, upload, stage))

    def _set_stage(self, code: str, upload: int, stage: str | None) -> None:
        stages = self._stages.setdefault(code, {})
        stages.pop(upload, None)
        if stage is not None:
            stages[upload] = stage
        if not stages:
            del self._stages[code]
        self._start(self._publish_again(code))

    def _on_notify(self, notice: Notification | None) -> None:
        """Handle a notification in the listener's thread; None means that some were lost."""
        if notice is not None and notice.upload is not None:
            self.publish_stage(notice.code, notice.upload, notice.stage)
        elif notice is None or notice.code in self._subscribers:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._wake.set)

    def _start(self, publishing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(publishing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish_again(self, code: str) -> None:
        """Publish the latest snapshot with the current stages and phones."""
        async with self._changed:
            if code in self._snapshots:
                self._snapshots[code] = self._with_live(code, self._snapshots[code])
                self._changed.notify_all()

    def _with_live(self, code: str, snapshot: Mapping[str, Any]) -> Mapping[str, Any]:
        """Add what is not in the database to a snapshot: stages of photos, phones at piles."""
        phones = [asdict(presence) for presence in self._present.get(code, ())]
        return {**snapshot, "reading": dict(self._stages.get(code, {})), "phones": phones}

    async def _poll(self) -> None:
        """Check for changed tables as long as there are subscribers."""
        while self._subscribers:
            self._wake.clear()
            changed = await to_thread.run_sync(self._changed_tables)
            if changed:
                async with self._changed:
                    for code, (place, snapshot) in changed.items():
                        if code in self._subscribers:
                            self._places[code] = place
                            self._snapshots[code] = self._with_live(code, snapshot)
                    self._changed.notify_all()
            notified = self._listener is not None and self._listener.is_listening
            pause = NOTIFIED_POLL_SECONDS if notified else POLL_SECONDS
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):  # Python 3.11's wait_for can miss a cancel
                    await self._wake.wait()
        self._polling = None

    def _changed_tables(self) -> dict[str, tuple[Place, Mapping[str, Any]]]:
        """Return the tables that have changed since their latest snapshot, with a new one.

        A table whose snapshot fails is left out, and the boards of the others continue.
        """
        changed: dict[str, tuple[Place, Mapping[str, Any]]] = {}
        with suppress(ScoringError):  # the store does not answer, so there are no changes to send
            with self._store.reading() as session:
                revisions = tables.revisions(session, [*self._subscribers])
            for code, revision in revisions.items():
                if self._snapshots.get(code, {}).get("revision") == revision:
                    continue
                try:
                    with self._store.reading() as session:
                        place = tables.find_place(session, code)
                        changed[code] = place, snapshot_of(self._store, code)
                except STORE_FAILURES:
                    raise
                except Exception:
                    LOG.exception("a table could not be shown", extra=fields(table=code))
        return changed

    async def close(self) -> None:
        """Stop polling and listening."""
        if self._listener is not None:
            self._listener.stop()
        if self._polling is not None:
            self._polling.cancel()
