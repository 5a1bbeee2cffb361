"""Limits on bodies that are being received, and on the waiting photos of one table."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import chain, repeat
from typing import Any

import pytest
from acting import serving
from playing import command, query, read, write
from starlette.requests import Request
from starlette.testclient import TestClient

from scoring.rules import Rules
from store import Store, Table, UploadState, tables, uploads
from table.access import hash_link, new_link
from table.requests import RequestError
from web import intake, worker
from web.auth import LINKS_COOKIE
from web.intake import Intake, IntakeFullError, UploadTooLargeError

LINK = new_link()
TAP = {"match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK))


@pytest.fixture
def phone(store: Store, table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A scorer's phone, and a server that does not read photos."""
    monkeypatch.setattr(worker.Worker, "start", lambda _: None)
    with serving(store) as client:
        client.cookies.set(LINKS_COOKIE, f"{table.code}.{LINK}")
        yield client


def send(phone: TestClient, table: Table, key: str, data: bytes = b"x") -> tuple[int, str, str]:
    """Send a photo; return the status, the outcome or error, and the header Retry-After."""
    path = f"/door/{table.code}/photos/{key}?name=a.jpg&match=1&hand=1&side=0"
    answer = phone.put(path, content=data)
    body = answer.json()
    return answer.status_code, body.get("error", body["is"]), answer.headers.get("retry-after", "")


def test_a_table_has_twelve_photos_waiting(phone: TestClient, table: Table, store: Store) -> None:
    sent = [send(phone, table, f"k{number}") for number in range(12)]
    assert sent == [(200, "done", "")] * 12
    assert send(phone, table, "k12") == (503, "QueueFullError", "2")
    assert send(phone, table, "k3") == (200, "known", ""), "the server has it"
    assert phone.post(f"/door/{table.code}", json={"key": "tap", **TAP}).status_code == 200
    [first, *_] = read(store, uploads.of_hand, table, hand_no=1)
    write(store, uploads.settle, table, first.id, state=UploadState.READ)
    assert send(phone, table, "k12") == (200, "done", "")
    assert query(store, uploads.counts)[UploadState.WAITING] == 12


def fill_queue(store: Store, table: Table) -> None:
    """Let as many photos of a table wait as may."""
    for number in range(12):
        key = str(number)
        write(store, uploads.add, table, b"x", key=key, name="a", match_no=1, hand_no=1, side=0)


def test_a_full_table_leaves_room_to_others(phone: TestClient, table: Table, store: Store) -> None:
    fill_queue(store, table)
    other = command(
        store, tables.open_table, ("Carla", "Dario"), Rules(), link_hash=hash_link(LINK + "2")
    )
    phone.cookies.set(LINKS_COOKIE, f"{other.code}.{LINK}2~{table.code}.{LINK}")
    assert send(phone, other, "k") == (200, "done", "")
    assert send(phone, table, "k") == (503, "QueueFullError", "2")


def test_a_table_has_200_mb_waiting(
    phone: TestClient, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert uploads.MAX_WAITING_BYTES == 200_000_000
    monkeypatch.setattr(uploads, "MAX_WAITING_BYTES", 2000)
    assert send(phone, table, "a", bytes(1999)) == (200, "done", "")
    assert send(phone, table, "b", bytes(2)) == (503, "QueueFullError", "2")
    assert send(phone, table, "c", bytes(1)) == (200, "done", "")


def test_photos_to_read_again_need_no_room(store: Store, table: Table) -> None:
    fill_queue(store, table)
    assert write(
        store, uploads.add, table, b"", key="again", name="", match_no=1, hand_no=1, side=0
    )


# Bodies that are being received


def request(*parts: bytes, is_whole: bool = True) -> Any:
    """Return a request whose body arrives in parts. Unless it `is_whole`, it never ends."""
    messages = chain(
        ({"type": "http.request", "body": part, "more_body": True} for part in parts),
        [{"type": "http.request"}] if is_whole else [],
    )

    async def receive() -> Any:
        message = next(messages, None)
        if message is None:
            await asyncio.sleep(60)
        return message

    return Request({"type": "http", "method": "PUT", "headers": []}, receive)


def test_bodies_of_all_tables_have_one_limit() -> None:
    part = bytes(1_000_000)

    async def story() -> None:
        received = Intake()
        async with AsyncExitStack() as held:
            for code in ("A", "B", "C", "D"):
                body = received.receive(request(*repeat(part, 60)), most=60_000_000, table=code)
                assert len(await held.enter_async_context(body)) == 60_000_000
            late = request(part)
            with pytest.raises(IntakeFullError):
                await held.enter_async_context(received.receive(late, most=60_000_000, table="E"))
            with pytest.raises(RuntimeError):
                await anext(late.stream())  # the whole body was received
            tap = received.receive(request(b"{}"), most=intake.SMALL_BYTES)
            assert await held.enter_async_context(tap) == b"{}", "taps never wait for photos"
        async with received.receive(request(part), most=60_000_000, table="E") as late_body:
            assert late_body == part

    asyncio.run(story())


def test_bodies_of_one_table_take_half_of_it() -> None:
    part = bytes(1_000_000)

    async def story() -> None:
        received = Intake()
        async with AsyncExitStack() as held:
            for _ in range(2):
                body = received.receive(request(*repeat(part, 60)), most=60_000_000, table="A")
                await held.enter_async_context(body)
            with pytest.raises(IntakeFullError):
                await held.enter_async_context(
                    received.receive(request(part), most=60_000_000, table="A")
                )
            await held.enter_async_context(
                received.receive(request(part), most=60_000_000, table="B")
            )

    asyncio.run(story())


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (request(b"part", is_whole=False), IntakeFullError),
        (request(bytes(101)), UploadTooLargeError),
    ],
    ids=["never whole", "too large"],
)
def test_a_failed_body_gives_its_memory_back(
    sent: Any, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "BODY_SECONDS", 0.05)

    async def story() -> Intake:
        received = Intake()
        with pytest.raises(error):
            async with received.receive(sent, most=100, table="A"):
                pass
        return received

    received = asyncio.run(story())
    assert (received._held, received._of_tables) == (0, {})


def test_a_broken_connection_gives_its_memory_back() -> None:
    async def disconnect() -> Any:
        return {"type": "http.disconnect"}

    async def story() -> None:
        with pytest.raises(RequestError, match="got 'a part'"):
            async with Intake().receive(Request({"type": "http"}, disconnect), most=100):
                pass

    asyncio.run(story())
