"""A running server: changes are pushed, photos are read, metrics count, the log is private."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from acting import SAMPLES
from playing import command, query, read, revision_of, until, write
from servers import running

from scoring.rules import Rules
from store import Store, Table, UploadState, piles, tables, uploads
from table.access import hash_link, new_link
from web.auth import LINKS_COOKIE
from web.events import BEAT_SECONDS

pytestmark = pytest.mark.xdist_group("server")  # started once

LINK = new_link()
"""The scorers' link of the tables that the tests change."""


@dataclass(frozen=True)
class Server:
    """A running server, its store and its log."""

    port: int
    store: Store
    log: Path

    def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, body=body, headers=named)
            with connection.getresponse() as answer:
                headers = {name.lower(): value for name, value in answer.getheaders()}
                return answer.status, headers, answer.read()

    @contextmanager
    def stream(self, path: str, **headers: str) -> Iterator[Callable[[], Any]]:
        """Yield a function that returns the next event of a stream, or None at its end."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request("GET", path, headers=headers)
            with connection.getresponse() as stream:

                def next_event() -> Any:
                    for line in iter(stream.readline, b""):
                        if line.startswith(b"data: "):
                            return json.loads(line.removeprefix(b"data: "))
                    return None

                yield next_event

    def metric(self, line: str) -> float:
        """Return the value of a metric, or 0 if it is missing."""
        text = self.ask("GET", "/metrics")[2].decode()
        found = re.search(rf"^{re.escape(line)} (\S+)$", text, flags=re.MULTILINE)
        return float(found[1]) if found else 0.0

    def logged(self) -> list[Any]:
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a JSON log and an empty store."""
    folder = tmp_path_factory.mktemp("server")
    with (
        running(folder, settings={"SETTEBELLO_LOG": "json"}) as started,
        closing(Store(started.database)) as store,
    ):
        yield Server(int(started.address.rpartition(":")[2]), store, folder / "server.log")


@pytest.fixture
def table(server: Server) -> Table:
    names = ("Annamaria", "Brunello")
    return command(
        server.store,
        tables.open_table,
        names,
        Rules(),
        link_hash=hash_link(f"{LINK}{time.time_ns()}"),
    )


@pytest.fixture
def cookie(server: Server, table: Table) -> str:
    """Return the cookie of a phone that scores at the table."""
    write(
        server.store, tables.put_link, table, hash_link(LINK + table.code), expected=table.link_hash
    )
    return f"{LINKS_COOKIE}={table.code}.{LINK}{table.code}"


def tap(server: Server, table: Table, cookie: str, *, key: str, **fields: Any) -> Any:
    tapped = {"key": key, "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1} | fields
    body = json.dumps(tapped).encode()
    return server.ask(
        "POST", f"/door/{table.code}", body, cookie=cookie, x_request_id=f"name-{key}"
    )


def send_photo(server: Server, table: Table, cookie: str, *, name: str, data: bytes) -> None:
    path = f"/door/{table.code}/photos/{name}?name={name}.jpg&match=1&hand=1&side=1"
    for outcome in ("done", "known"):  # sent again, it is one photo
        status, _, answer = server.ask("PUT", path, data, cookie=cookie)
        assert (status, json.loads(answer)["is"]) == (200, outcome)
    until(lambda: not query(server.store, uploads.counts)[UploadState.WAITING])


@pytest.mark.models
def test_a_server_that_is_well_says_so_and_nothing_else(server: Server) -> None:
    status, _, body = server.ask("GET", "/health")
    well = {"is": "well", "store": True, "readers": True, "networks": True}
    assert (status, json.loads(body)) == (200, well)
    assert server.ask("GET", "/metrics", x_forwarded_for="192.168.1.9")[0] == 404


@pytest.mark.models
@pytest.mark.slow
def test_a_photo_is_stored_read_counted_and_timed(
    server: Server, table: Table, cookie: str
) -> None:
    lines = ('settebello_photos{state="refused"}', "settebello_reading_seconds_count")
    before = [server.metric(line) for line in lines]
    sample = (SAMPLES / "anna-1.jpg").read_bytes()
    send_photo(server, table, cookie, name="anna-1", data=sample)
    assert len(read(server.store, piles.photos, table)) == 1
    assert [row.side for row in read(server.store, piles.drafts, table)] == [1]
    send_photo(server, table, cookie, name="notes", data=b"hello " * 30)
    assert [server.metric(line) for line in lines] == [before[0] + 1, before[1] + 2]
    assert server.metric('settebello_photos{state="waiting"}') == 0
    [row] = read(server.store, uploads.of_hand, table, hand_no=1)
    tap(server, table, cookie, key="read", do="forget", upload=row.id)
    assert read(server.store, uploads.of_hand, table, hand_no=1) == ()


def test_a_change_is_streamed_at_once(server: Server, table: Table) -> None:
    with server.stream(f"/door/{table.code}/changes") as next_event:
        assert next_event()["revision"] == revision_of(server.store, table)
        assert server.metric("settebello_listeners") >= 1
        assert server.metric("settebello_memory_bytes") > 10**7
        started = time.monotonic()
        write(server.store, piles.add_scope, table, 0)
        event = next_event()
        waited = time.monotonic() - started
    assert event["revision"] == revision_of(server.store, table)
    assert event["scopes"] == [1, 0]
    assert waited < 1.5, "0.3 s where nothing else runs"


def test_a_board_hears_beats_as_events(server: Server, table: Table) -> None:
    path = f"http://127.0.0.1:{server.port}/door/{table.code}/changes?beats=yes"
    with urlopen(path, timeout=3 * BEAT_SECONDS) as stream:
        lines = iter(stream.readline, b"")
        assert any(line.strip() == b"event: beat" for line in lines)
        assert next(lines).strip() == b"data:", "an EventSource tells its script of no less"


def test_the_app_serves_the_board_without_streamlit(server: Server, table: Table) -> None:
    status, headers, body = server.ask("GET", f"/board/{table.code}")
    assert status == 200
    assert b'class="board n2"' in body
    assert "_streamlit" not in str(headers.get("set-cookie"))
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert server.ask("GET", "/board/ZZZZ")[0] == 404
    assert server.ask("GET", f"/board?table={table.code}")[0] == 302


def test_where_a_phone_is_is_told_while_its_connection_lasts(
    server: Server, table: Table, cookie: str
) -> None:
    changes = f"/door/{table.code}/changes?phone="
    with server.stream(f"{changes}mine") as next_event:
        assert next_event()["phones"] == []
        with server.stream(f"{changes}theirs&me=1&pile=0", cookie=cookie):
            assert next_event()["phones"] == [{"phone": "theirs", "me": 1, "pile": 0}]
        assert next_event()["phones"] == []
        with server.stream(f"{changes}theirs&me=1&pile=0") as viewer:
            assert viewer()["phones"] == [], "a viewer is at no pile"


@pytest.mark.parametrize("change", ["renewed", "closed"])
def test_a_link_that_no_longer_holds_ends_its_streams(
    server: Server, table: Table, cookie: str, change: str
) -> None:
    changes = f"/door/{table.code}/changes?phone="
    with (
        server.stream(f"{changes}mine") as viewer,
        server.stream(f"{changes}theirs&me=1&pile=0", cookie=cookie) as scorer,
    ):
        while not viewer()["phones"]:
            pass
        changed = time.monotonic()
        if change == "renewed":
            write(
                server.store,
                tables.put_link,
                table,
                hash_link(new_link()),
                expected=hash_link(LINK + table.code),
            )
        else:
            write(server.store, tables.close, table)
        while scorer() is not None:
            pass
        while viewer()["phones"]:
            pass
        assert time.monotonic() - changed < 5
        with server.stream(f"{changes}theirs&me=1&pile=0", cookie=cookie) as again:
            assert again()["phones"] == [], "it is a viewer's now"
        write(server.store, piles.add_scope, table, 0)
        while viewer()["scopes"] != [1, 0]:
            pass


def test_taps_are_logged_with_table_and_outcome(server: Server, table: Table, cookie: str) -> None:
    lines = [
        f'settebello_deliveries_total{{outcome="{outcome}",what="tap"}}'
        for outcome in ("done", "known", "refused")
    ]
    before = [server.metric(line) for line in lines]
    headers = tap(server, table, cookie, key="logged")[1]
    tap(server, table, cookie, key="logged")
    tap(server, table, cookie, key="late", hand=7)
    assert [server.metric(line) for line in lines] == [count + 1 for count in before]
    assert headers["x-request-id"] == "name-logged"
    line = next(line for line in server.logged() if line.get("request") == "name-logged")
    assert (line["logger"], line["level"], line["table"]) == ("web.middleware", "info", table.code)
    assert (line["method"], line["status"], line["is"]) == ("POST", 200, "done")


@pytest.mark.models
def test_log_holds_no_names_and_no_secrets(server: Server, table: Table, cookie: str) -> None:
    tap(server, table, cookie, key="secret-key-of-a-phone")
    send_photo(server, table, cookie, name="beach-with-carla", data=b"no photo " * 30)
    server.ask("POST", "/door/Annamaria-was-here", b"{}", x_request_id="odd-code")
    time.sleep(0.5)
    lines = server.logged()
    assert [line for line in lines if line["message"] == "a photo was taken off the queue"]
    [odd] = [line for line in lines if line.get("request") == "odd-code"]
    assert (odd["table"], odd["is"]) == ("", "refused")
    text = server.log.read_text(encoding="utf-8").lower()
    for private in ("annamaria", "brunello", "beach", "carla", str(Path.home()) + "/.settebello"):
        assert private not in text
    assert LINK.lower() not in text
    assert "secret-key" not in text.replace("name-secret-key-of-a-phone", "")
