"""How the server says it is: to a proxy, to Prometheus, and in its log."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from scoring.rules import Rules
from store import Store, StoreUnwritableError, Table, UploadState
from table.roles import hash_of, new_link
from web import metrics
from web.changes import Changes
from web.health import Health, may_see
from web.passes import LINKS
from web.readers import Readers

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Server:
    """A running server, its store and what it logs."""

    port: int
    store: Store
    log: Path

    def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as line:
            line.request(method, path, body=body, headers=named)
            with line.getresponse() as answer:
                return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()

    def health(self) -> tuple[int, Any]:
        status, _, body = self.ask("GET", "/health")
        return status, json.loads(body)

    def metric(self, line: str) -> float:
        """The value of a metric, 0 where it is not told."""
        text = self.ask("GET", "/metrics")[2].decode()
        found = re.search(rf"^{re.escape(line)} (\S+)$", text, flags=re.MULTILINE)
        return float(found[1]) if found else 0.0

    def logged(self) -> list[Any]:
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose log is JSON, with an empty store."""
    home, port = tmp_path_factory.mktemp("home"), free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address=127.0.0.1"]
    log = home / "log"
    environment = {**os.environ, "SETTEBELLO_HOME": str(home), "SETTEBELLO_LOG": "json"}
    with log.open("wb") as sink:
        running = subprocess.Popen(
            [*command, f"--server.port={port}", "--logger.hideWelcomeMessage=true"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=sink,
        )
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as line:
                    line.request("GET", "/health")
                    line.getresponse().close()
                break
            except OSError:
                time.sleep(0.2)
        with closing(Store(f"sqlite:///{home / 'settebello.db'}")) as store:
            yield Server(port, store, log)
    finally:
        running.kill()
        running.wait()


@pytest.fixture
def table(server: Server) -> Table:
    return server.store.open_table(("Annamaria", "Brunello"), Rules(), link_hash=hash_of(LINK))


LINK = new_link()
"""The scorers' link of the tables that the tests write at."""


def scores_at(table: Table) -> dict[str, str]:
    """What a phone shows that scores at a table."""
    return {"cookie": f"{LINKS}={table.code}.{LINK}"}


def tap(server: Server, table: Table, *, key: str, **told: Any) -> dict[str, str]:
    delivery = {"key": key, "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1} | told
    body = json.dumps(delivery).encode()
    named = scores_at(table) | {"x_request_id": f"name-{key}"}
    return server.ask("POST", f"/door/{table.code}", body, **named)[1]


def photo(server: Server, table: Table, *, name: str, data: bytes) -> None:
    path = f"/door/{table.code}/photos/{name}?name={name}.jpg&match=1&hand=1&side=1"
    assert server.ask("PUT", path, data, **scores_at(table))[0] == 200
    end = time.monotonic() + 60
    while time.monotonic() < end and server.store.upload_counts()[UploadState.WAITING]:
        time.sleep(0.1)


@pytest.mark.models
def test_a_server_that_is_well_says_so_and_nothing_else(server: Server) -> None:
    assert server.health() == (
        200,
        {"is": "well", "store": True, "readers": True, "networks": True},
    )


def test_deliveries_are_counted_by_what_became_of_them(server: Server, table: Table) -> None:
    lines = [
        f'settebello_deliveries_total{{outcome="{outcome}",what="tap"}}'
        for outcome in ("done", "known", "refused")
    ]
    before = [server.metric(line) for line in lines]
    tap(server, table, key="a")
    tap(server, table, key="a")
    tap(server, table, key="b", hand=7)
    assert [server.metric(line) for line in lines] == [count + 1 for count in before]


def test_photos_are_counted_by_state_and_readings_timed(server: Server, table: Table) -> None:
    refused = 'settebello_photos{state="refused"}'
    before = server.metric(refused), server.metric("settebello_reading_seconds_count")
    photo(server, table, name="notes", data=b"hello " * 30)
    end = time.monotonic() + 20
    while time.monotonic() < end and server.metric(refused) == before[0]:
        time.sleep(0.1)
    assert server.metric(refused) == before[0] + 1
    assert server.metric("settebello_reading_seconds_count") == before[1] + 1
    assert server.metric('settebello_photos{state="waiting"}') == 0


def test_who_listens_and_the_memory_are_told(server: Server, table: Table) -> None:
    assert server.metric("settebello_memory_bytes") > 10**7
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=10)) as line:
        line.request("GET", f"/door/{table.code}/changes")
        with line.getresponse() as stream:
            stream.readline()
            assert server.metric("settebello_listeners") >= 1


def test_the_log_tells_table_and_request_and_what_became_of_it(
    server: Server, table: Table
) -> None:
    headers = tap(server, table, key="logged")
    assert headers["x-request-id"] == "name-logged"
    [line] = [line for line in server.logged() if line.get("request") == "name-logged"]
    assert (line["logger"], line["level"], line["table"]) == ("web.traffic", "info", table.code)
    assert (line["method"], line["status"], line["is"]) == ("POST", 200, "done")


def test_a_name_that_is_forged_for_a_request_is_not_taken_over(
    server: Server, table: Table
) -> None:
    for forged in ("a b", "x" * 65, 'q"{}'):
        _, headers, _ = server.ask("POST", f"/door/{table.code}", b"{}", x_request_id=forged)
        assert re.fullmatch("[0-9a-f]{12}", headers["x-request-id"])


def test_a_code_in_a_path_that_is_none_is_not_logged(server: Server) -> None:
    server.ask("POST", "/door/Annamaria-was-here", b"{}", x_request_id="odd-code")
    [line] = [line for line in server.logged() if line.get("request") == "odd-code"]
    assert (line["table"], line["is"]) == ("", "refused")


def test_the_log_is_json_and_holds_no_name_of_a_person_or_a_photo_and_no_key(
    server: Server, table: Table
) -> None:
    tap(server, table, key="secret-key-of-a-phone")
    photo(server, table, name="beach-with-carla", data=b"no photo " * 30)
    time.sleep(0.5)
    lines = server.logged()
    assert [line for line in lines if line["message"] == "a photo was taken off the queue"]
    text = server.log.read_text(encoding="utf-8").lower()
    for private in ("annamaria", "brunello", "beach", "carla", str(Path.home()) + "/.settebello"):
        assert private not in text
    assert LINK.lower() not in text
    assert "secret-key" not in text.replace("name-secret-key-of-a-phone", "")


def asked(*, client: str | None, headers: tuple[str, ...] = ()) -> Request:
    """A request for the metrics."""
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/metrics"}
    scope["headers"] = [(name.encode(), b"192.168.1.9") for name in headers]
    scope["client"] = None if client is None else (client, 1)
    return Request(scope)


@pytest.mark.parametrize(
    ("said", "client", "headers", "shown"),
    [
        (None, None, (), False),
        (None, "127.0.0.1", (), True),
        (None, "::1", (), True),
        (None, "::ffff:127.0.0.1", (), True),
        (None, "::ffff:192.168.1.9", (), False),
        (None, "192.168.1.9", (), False),
        (None, "127.0.0.1", ("x-forwarded-for",), False),
        (None, "127.0.0.1", ("forwarded",), False),
        (None, "testclient", (), False),
        ("all", "192.168.1.9", (), True),
        ("nobody", "127.0.0.1", (), False),
        ("everyone", "127.0.0.1", (), False),
    ],
)
def test_the_metrics_are_for_this_machine_unless_the_owner_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
    said: str | None,
    client: str | None,
    headers: tuple[str, ...],
    shown: bool,
) -> None:
    monkeypatch.delenv("SETTEBELLO_METRICS", raising=False)
    if said is not None:
        monkeypatch.setenv("SETTEBELLO_METRICS", said)
    assert may_see(asked(client=client, headers=headers)) is shown


def test_metrics_that_somebody_may_not_see_are_not_there(server: Server) -> None:
    assert server.ask("GET", "/metrics", x_forwarded_for="192.168.1.9")[0] == 404


def ask_health(health: Health) -> tuple[int, Any]:
    async def asked_once() -> tuple[int, Any]:
        response = await health.tell_health(asked(client=None))
        return response.status_code, json.loads(bytes(response.body))

    return asyncio.run(asked_once())


def test_a_server_that_has_not_begun_or_lacks_its_networks_is_ill() -> None:
    told = {"is": "ill", "store": False, "readers": False, "networks": False}
    assert ask_health(Health(lambda: False)) == (503, told)


def test_a_store_that_fails_makes_a_server_ill_and_is_counted(tmp_path: Path) -> None:
    place = tmp_path / "settebello.db"
    with closing(Store(f"sqlite:///{place}")) as store:
        assert told_while_watching(store)["store"] is True
        store.close()
        place.rename(tmp_path / "moved.db")
        place.mkdir()
        assert told_while_watching(store) == {
            "is": "ill",
            "store": False,
            "readers": True,
            "networks": True,
        }
        assert store.error_counts["StoreUnwritableError"] >= 1
        line = b'settebello_store_errors_total{error="StoreUnwritableError"}'
        told = metrics.text(store=store, listeners=0)
        assert line in told
        assert b"settebello_photos" not in told, "a store in trouble tells nothing of photos"


def told_while_watching(store: Store) -> Any:
    async def watched_once() -> Any:
        health = Health(lambda: True)
        readers = Readers(store, lambda: pytest.fail("nothing waits"))
        readers.start()
        async with health.watching(store, readers=readers, changes=Changes(store)):
            response = await health.tell_health(asked(client=None))
        readers.stop()
        return json.loads(bytes(response.body))

    return asyncio.run(watched_once())


def test_a_reader_outlives_a_store_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is no end: it goes on when there is room again."""
    monkeypatch.setattr("web.readers.LOOK_EVERY_S", 0.02)
    with closing(Store(f"sqlite:///{tmp_path}/settebello.db")) as store:
        table = store.open_table(("Anna", "Bruno"), Rules())
        store.put_upload(table, b"x", key="k", name="a.jpg", match_no=1, hand_no=1, side=0)
        full = [StoreUnwritableError(store.place, why="the disk is full") for _ in range(3)]
        asked = store.next_upload

        def next_upload(**told: Any) -> Any:
            if full:
                raise full.pop()
            return asked(**told)

        monkeypatch.setattr(store, "next_upload", next_upload)
        readers = Readers(store, lambda: pytest.fail("no photo is one"))
        readers.start()
        end = time.monotonic() + 20
        while store.upload_counts()[UploadState.WAITING] and time.monotonic() < end:
            time.sleep(0.02)
        assert not full
        assert store.upload_counts()[UploadState.REFUSED] == 1
        readers.stop()


@pytest.mark.slow
def test_a_reader_that_ended_makes_a_server_ill(tmp_path: Path) -> None:
    with closing(Store(f"sqlite:///{tmp_path / 'settebello.db'}")) as store:
        readers = Readers(store, lambda: pytest.fail("nothing waits"))
        assert not readers.is_alive
        readers.start()
        assert readers.is_alive
        readers.stop()
        end = time.monotonic() + 10
        while readers.is_alive and time.monotonic() < end:
            time.sleep(0.05)
        assert not readers.is_alive
