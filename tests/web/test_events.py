"""Changes by another process are published at once if PostgreSQL notifies of them."""

import asyncio
import queue
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from engines import Postgres, proxied
from playing import command, tell_stage, write
from sqlalchemy import make_url

from scoring.errors import MatchError
from scoring.rules import Rules
from store import Store, notify, piles, tables
from store.notify import Listener, Notification
from table.view import snapshot_of
from web import events
from web.events import EventHub, Presence

LATEST_S = 0.3
"""Maximum seconds until a board gets a change by another process."""


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with closing(Store(address)) as opened:
        yield opened


@pytest.fixture
def other(address: str) -> Iterator[Store]:
    """The same store, opened by another process."""
    with closing(Store(address)) as opened:
        yield opened


Story = Callable[[EventHub, Any], Awaitable[None]]


def listening(store: Store, code: str, story: Story) -> None:
    """Run a story while a stream of a table is open."""

    async def listen() -> None:
        hub = EventHub(store)
        snapshots = hub.subscribe(code)
        try:
            while not (hub._listener and hub._listener.is_listening):
                await asyncio.sleep(0.01)
            await anext(snapshots)
            await story(hub, snapshots)
        finally:
            await snapshots.aclose()
            await hub.close()

    asyncio.run(asyncio.wait_for(listen(), 60))


def test_what_another_process_does_is_published_at_once(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "POLL_SECONDS", 60)
    monkeypatch.setattr(events, "NOTIFIED_POLL_SECONDS", 60)  # polling finds no change
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
    waited = []

    async def story(_hub: EventHub, snapshots: Any) -> None:
        for scope in range(1, 11):
            await asyncio.sleep(0.05)  # until the process is idle
            began = time.monotonic()
            await asyncio.to_thread(write, other, piles.add_scope, table, 0)
            snapshot = await anext(snapshots)
            waited.append(time.monotonic() - began)
            assert snapshot["scopes"] == (scope, 0)

    listening(store, table.code, story)
    assert sorted(waited)[8] < LATEST_S, waited  # one of ten may be slow on a busy machine


def test_the_stage_of_a_photo_read_elsewhere_is_published(store: Store, other: Store) -> None:
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())

    async def story(hub: EventHub, snapshots: Any) -> None:
        await asyncio.to_thread(tell_stage, other, table.code, 7, stage="opening")
        assert (await anext(snapshots))["reading"] == {7: "opening"}
        await asyncio.to_thread(tell_stage, other, table.code, 7, stage=None)
        assert (await anext(snapshots))["reading"] == {}
        assert hub._stages == {}, "nothing is kept of photos that were read"

    listening(store, table.code, story)


def test_what_was_rolled_back_is_not_notified(store: Store, other: Store) -> None:
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
    seen: list[Any] = []
    listener = Listener(store.address, seen.append)
    listener.start()
    while not listener.is_listening:
        time.sleep(0.01)
    gone = RuntimeError("the action failed")
    with pytest.raises(RuntimeError), other.write(table) as found:  # noqa: PT012
        piles.add_scope(found, 0)
        raise gone
    with other.write(table) as found:
        piles.add_scope(found, 0)
        piles.add_scope(found, 1)
    time.sleep(0.5)
    listener.stop()
    assert [notice and notice.code for notice in seen] == [None, table.code]


def test_changes_are_published_again_after_the_database_hung_up(
    store: Store, other: Store, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "NOTIFIED_POLL_SECONDS", 60)
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())

    async def story(hub: EventHub, snapshots: Any) -> None:
        listener = hub._listener
        assert listener is not None
        postgres.hang_up(str(make_url(store.address).database))
        await asyncio.to_thread(write, other, piles.add_scope, table, 0)
        assert (await anext(snapshots))["scopes"] == (1, 0), "what was missed is looked for"
        while not listener.is_listening:
            await asyncio.sleep(0.05)
        await asyncio.to_thread(write, other, piles.add_scope, table, 0)
        assert (await anext(snapshots))["scopes"] == (2, 0)

    listening(store, table.code, story)


def test_one_stream_reports_changes_of_several_tables(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "POLL_SECONDS", 60)
    monkeypatch.setattr(events, "NOTIFIED_POLL_SECONDS", 60)
    first, second = (
        command(store, tables.open_table, ("Anna", "Bruno"), Rules()) for _ in range(2)
    )

    async def story(hub: EventHub, _snapshots: Any) -> None:
        both = hub.subscribe(first.code, also=[second.code])
        assert {(await anext(both))["code"] for _ in range(2)} == {first.code, second.code}
        for table in (second, first):
            await asyncio.to_thread(write, other, piles.add_scope, table, 0)
            snapshot = await anext(both)
            assert (snapshot["code"], snapshot["scopes"]) == (table.code, (1, 0))
        await both.aclose()
        assert hub.subscribers == 1, "the other one goes on"

    listening(store, first.code, story)


def test_a_stream_ends_when_another_process_renews_its_link(store: Store, other: Store) -> None:
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash="old")

    async def story(hub: EventHub, viewer: Any) -> None:
        presence = Presence(phone="a", me=0, pile=1)
        scorer = hub.subscribe(
            table.code, presence, may_stay=lambda place: place.link_hash == "old"
        )
        assert (await anext(scorer))["code"] == table.code
        assert [one["phone"] for one in (await anext(viewer))["phones"]] == ["a"]
        changed = time.monotonic()
        await asyncio.to_thread(write, other, tables.put_link, table, "new", expected="old")
        assert [one async for one in scorer] == []
        while (await anext(viewer))["phones"]:
            pass
        assert time.monotonic() - changed < 5
        assert hub.subscribers == 1

    listening(store, table.code, story)


@pytest.mark.parametrize("error", [MatchError("a fault"), KeyError("a fault")], ids=repr)
def test_a_table_that_cannot_be_shown_holds_up_no_other(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def snapshot_or_fault(opened: Any, code: str) -> dict[str, Any]:
        if code == broken.code:
            raise error
        return snapshot_of(opened, code)

    async def listen() -> None:
        hub = EventHub(store)
        both = hub.subscribe(table.code, also=[broken.code])
        assert (await anext(both))["code"] == table.code
        await asyncio.to_thread(write, store, piles.add_scope, table, 0)
        assert (await anext(both))["scopes"] == (1, 0)
        await both.aclose()
        await hub.close()

    monkeypatch.setattr(events, "snapshot_of", snapshot_or_fault)
    with closing(Store()) as store:
        broken, table = (
            command(store, tables.open_table, ("Anna", "Bruno"), Rules()) for _ in range(2)
        )
        asyncio.run(asyncio.wait_for(listen(), 10))


def test_nobody_notifies_of_changes_to_a_file() -> None:
    with closing(Store()) as store:
        assert not store.is_shared
        tell_stage(store, "K7QF", 1, stage="opening")


def test_dead_stream_is_noticed_and_caught_up(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "CHECK_EVERY", 1)
    monkeypatch.setattr(notify, "ANSWER_S", 0.5)
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
    heard = queue.SimpleQueue[Any]()
    with proxied(store.address) as (proxy, near):
        listener = Listener(near, heard.put)
        listener.start()
        assert heard.get(timeout=20) is None
        proxy.fall_silent()
        write(other, piles.add_scope, table, 0)
        assert heard.get(timeout=20) is None, "connected anew: some may have been missed"
        write(other, piles.add_scope, table, 0)
        assert heard.get(timeout=20) == Notification(code=table.code)
        listener.stop()
