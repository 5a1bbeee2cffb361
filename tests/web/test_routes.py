"""The routes of a running server: what comes in counts once, and changes go out at once."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from engines import sqlite_url
from servers import running

from scoring.rules import Rules
from store import Store, Table, UploadState
from table.roles import hash_of, new_link
from web.passes import LINKS
from web.routes import MOST_JSON

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = (ROOT / "samples" / "anna-1.jpg").read_bytes()


@pytest.fixture(scope="module")
def kept(
    engine: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The address of the database in which the server keeps its store."""
    if engine == "sqlite":
        yield sqlite_url(tmp_path_factory.mktemp("home"))
        return
    with request.getfixturevalue("postgres").database(migrated=False) as address:
        yield address


@pytest.fixture(scope="module")
def port(kept: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server of its own, with an empty store."""
    with running(tmp_path_factory.mktemp("server"), database=kept) as server:
        yield int(server.address.rsplit(":", 1)[1])


@pytest.fixture
def store(kept: str) -> Iterator[Store]:
    """The store of the running server, opened beside it."""
    with closing(Store(kept)) as opened:
        yield opened


LINK = new_link()
"""The scorers' link of the table that the tests write at."""


@pytest.fixture(scope="module")
def table(port: int, kept: str) -> Table:  # noqa: ARG001  the server has made the store
    with closing(Store(kept)) as store:
        return store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_of(LINK))


def ask(
    port: int, method: str, path: str, body: bytes = b"", *, scores_at: Table | None = None
) -> tuple[int, bytes]:
    """Asks the server; as a phone that scores at a table, where one is given."""
    headers = {} if scores_at is None else {"cookie": f"{LINKS}={scores_at.code}.{LINK}"}
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request(method, path, body=body, headers=headers)
        with connection.getresponse() as response:
            return response.status, response.read()


def post(port: int, table: Table, **told: Any) -> tuple[int, Any]:
    delivery = {"match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1} | told
    sent = json.dumps(delivery).encode()
    status, body = ask(port, "POST", f"/door/{table.code}", sent, scores_at=table)
    return status, json.loads(body)


def test_a_delivery_is_done_once_and_told_so(port: int, store: Store, table: Table) -> None:
    status, first = post(port, table, key="one")
    assert (status, first["is"]) == (200, "done")
    again = first | {"is": "known", "revision": first["revision"] + 1}
    assert post(port, table, key="one") == (200, again)
    assert store.scope_counts(table) == (1, 0)


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"", 400, "DeliveryError"),
        (b"[" * 5000, 400, "DeliveryError"),
        (b"\xff\xfe", 400, "DeliveryError"),
        (b'{"key": "k", "do": "fly"}', 400, "DeliveryError"),
        (b" " * (MOST_JSON + 1), 409, "UploadTooLargeError"),
    ],
    ids=["empty", "nested", "no text", "unknown", "too long"],
)
def test_what_cannot_be_understood_is_refused_by_name(
    port: int, table: Table, body: bytes, status: int, error: str
) -> None:
    came, answer = ask(port, "POST", f"/door/{table.code}", body, scores_at=table)
    told = json.loads(answer)
    assert (came, told["is"], told["error"]) == (status, "refused", error)


def test_a_table_that_is_not_there_is_said(port: int, table: Table) -> None:
    missing = f"{table.code[:-1]}{'2' if table.code[-1] != '2' else '3'}Z"
    for method, path in (("POST", ""), ("GET", "/changes")):
        body = json.dumps({"key": "k", "match": 1, "hand": 1, "side": 0, "do": "undo"}).encode()
        status, answer = ask(port, method, f"/door/{missing}{path}", body)
        assert (status, json.loads(answer)["error"]) == (404, "TableNotFoundError")


@pytest.mark.models
def test_a_photo_is_kept_and_read(port: int, store: Store, table: Table) -> None:
    path = f"/door/{table.code}/photos/k1?name=anna-1.jpg&match=1&hand=1&side=1"
    for _ in range(2):
        status, answer = ask(port, "PUT", path, SAMPLE, scores_at=table)
        assert (status, json.loads(answer)["is"]) == (200, "done")
    end = time.monotonic() + 60
    while time.monotonic() < end and store.uploads(table, hand_no=1):
        time.sleep(0.2)
    assert len(store.photos(table)) == 1
    assert [row.side for row in store.drafts(table)] == [1]


def test_a_file_that_is_no_photo_is_refused_once_it_was_looked_at(
    port: int, store: Store, table: Table
) -> None:
    path = f"/door/{table.code}/photos/k2?name=notes.jpg&match=1&hand=1&side=0"
    assert ask(port, "PUT", path, b"hello " * 30, scores_at=table)[0] == 200
    end = time.monotonic() + 30
    rows = store.uploads(table, hand_no=1)
    while time.monotonic() < end and rows[0].state is UploadState.WAITING:
        time.sleep(0.2)
        rows = store.uploads(table, hand_no=1)
    [row] = rows
    assert row.state is UploadState.REFUSED
    assert row.refusal is not None
    assert (row.refusal["error"], row.refusal["name"]) == ("NotAPhotoError", "notes.jpg")
    post(port, table, key="seen", do="forget", upload=row.id)
    assert store.uploads(table, hand_no=1) == ()


def test_a_closed_table_takes_nothing_in_and_says_so_until_it_is_open_again(
    port: int, store: Store
) -> None:
    table = store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_of(f"{LINK}2"))
    cookie = {"cookie": f"{LINKS}={table.code}.{LINK}2"}
    tap = json.dumps(
        {"key": "k", "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
    ).encode()
    photo = f"/door/{table.code}/photos/k9?name=a.jpg&match=1&hand=1&side=0"
    asked = [("POST", f"/door/{table.code}", tap), ("PUT", photo, SAMPLE)]
    store.close_table(table)
    for method, path, body in asked:
        status, told = sent(port, method, path, body, headers=cookie)
        assert (status, told["error"], told["code"]) == (403, "TableClosedError", table.code)
    assert store.scope_counts(table) == (0, 0)
    assert not store.uploads(table, hand_no=1)
    store.open_again(table)
    assert sent(port, *asked[0], headers=cookie)[0] == 200
    assert store.scope_counts(table) == (1, 0)


def sent(
    port: int, method: str, path: str, body: bytes, *, headers: dict[str, str]
) -> tuple[int, Any]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request(method, path, body=body, headers=headers)
        with connection.getresponse() as response:
            return response.status, json.loads(response.read())


def test_a_change_is_heard_at_once(port: int, store: Store, table: Table) -> None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", f"/door/{table.code}/changes")
        with connection.getresponse() as stream:
            assert heard(stream)["revision"] == store.revision(table)
            started = time.monotonic()
            store.add_scope(table, 0)
            said = heard(stream)
            assert said["revision"] == store.revision(table)
            assert said["scopes"] == list(store.scope_counts(table))
            waited = time.monotonic() - started
    print(f"\nchange -> heard: {waited:.3f} s")
    assert waited < 1.5, "0.3 s where nothing else runs"


def heard(stream: Any) -> dict[str, Any]:
    """How a table stands, as a stream of events tells next."""
    while True:
        line = stream.readline().decode().strip()
        if line.startswith("data: "):
            said: dict[str, Any] = json.loads(line.removeprefix("data: "))
            return said


def test_where_a_phone_is_is_told_while_its_line_stands(port: int, table: Table) -> None:
    mine = f"/door/{table.code}/changes?phone=mine"
    theirs = f"/door/{table.code}/changes?phone=theirs&me=1&pile=0"
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as line:
        line.request("GET", mine)
        with line.getresponse() as stream:
            assert heard(stream)["phones"] == []
            with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as other:
                other.request("GET", theirs, headers={"cookie": f"{LINKS}={table.code}.{LINK}"})
                with other.getresponse():
                    there = {"phone": "theirs", "me": 1, "pile": 0}
                    assert heard(stream)["phones"] == [there]
            assert heard(stream)["phones"] == []
            with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as viewer:
                viewer.request("GET", theirs)  # who may only look is at no pile
                with viewer.getresponse() as seen:
                    assert heard(seen)["phones"] == []
