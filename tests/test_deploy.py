"""Two servers and a reader behind nginx, as deploy/ has them, started and killed for real."""

import asyncio
import json
import os
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
import yaml
from engines import ADMIN, Postgres
from playing import match_of, query, read, until
from servers import AT, CONFIGURATION, Fleet, find_nginx, reading, running_fleet, serving

from scoring.cards import Card
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Store, UploadState, piles, uploads
from table import opening
from table.access import SYSTEM, new_link
from table.hand.pile import Pile
from table.view import load_view, snapshot
from web.auth import LINKS_COOKIE
from web.routes import MAX_PHOTO_BYTES

NAMES = ("Anna", "Bruno")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("deploy")]  # servers started once

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = (ROOT / "samples" / "anna-1.jpg").read_bytes()
REQUIRED = os.environ.get("SETTEBELLO_NGINX_REQUIRED") == "1"

LATEST_S = 0.3
"""Within this a board at one server hears of a tap at another."""


def test_the_compose_file_has_the_servers_that_nginx_names() -> None:
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    text = CONFIGURATION.read_text(encoding="utf-8")
    named = {line.split()[1].split(":")[0] for line in text.splitlines() if "server app-" in line}
    assert named == {name for name in services if name.startswith("app-")} == {"app-1", "app-2"}
    assert set(services) == {"postgres", "reader", "nginx"} | named
    for name in ("reader", *named):
        assert services[name]["environment"]["SETTEBELLO_DATABASE_URL"].startswith(
            "postgresql+psycopg://"
        )


@pytest.fixture(scope="module")
def fleet(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Fleet]:
    if find_nginx() is None and not REQUIRED:
        pytest.skip("no nginx on this machine (Debian: apt-get install nginx-light)")
    if not os.environ.get(ADMIN) and REQUIRED:
        pytest.fail(f"{ADMIN} is demanded here and not set")
    postgres: Postgres = request.getfixturevalue("postgres")
    with (
        postgres.database(migrated=True) as database,
        running_fleet(tmp_path_factory.mktemp("fleet"), database=database) as started,
    ):
        yield started


@pytest.fixture
def store(fleet: Fleet) -> Iterator[Store]:
    with closing(Store(fleet.database)) as opened:
        yield opened


@pytest.fixture
def http(fleet: Fleet) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=fleet.address, timeout=30) as client:
        yield client


def answered_at(fleet: Fleet, http: httpx2.Client, at: str) -> str:
    """At which server a phone is answered; nginx writes it down a moment after the answer."""
    before = fleet.answers().count(at)
    assert http.get("/_stcore/health", headers={"cookie": f"{AT}={at}"}).status_code == 200
    until(lambda: fleet.answers().count(at) > before)
    return fleet.places()[at]


def phones(fleet: Fleet, http: httpx2.Client) -> list[str]:
    """Return a phone for each server, by its cookie, in the order of the servers."""
    found: dict[str, str] = {}
    addresses = [server.address.removeprefix("http://") for server in fleet.servers]
    while found.keys() != set(addresses):
        at = uuid4().hex
        found[answered_at(fleet, http, at)] = at
    return [found[address] for address in addresses]


@dataclass
class Table:
    """A table in play."""

    code: str
    link: str
    hand_no: int = 1

    def confirmation(self, snapshot: dict[str, Any]) -> dict[str, Any]:
        """Return what a phone confirms whose screen shows a snapshot."""
        piles, scopes = snapshot["piles"]["held"], snapshot["scopes"]
        sides = [
            Side(name, tuple(map(Card.from_code, pile)), scope)
            for name, pile, scope in zip(NAMES, piles, scopes, strict=True)
        ]
        hand = HandRecord(tuple(sides), dealer=(self.hand_no - 1) % len(sides))
        facts = hand.to_dict()
        return {"revision": snapshot["revision"], "log": self.hand_no, "facts": facts}


def opened(fleet: Fleet) -> Table:
    """Return a table whose match does not end while it is played."""
    link = new_link()
    with closing(Store(fleet.database)) as store:
        row = opening.open_table(store, NAMES, rules=Rules(target=999), link=link)
    return Table(row.code, link)


async def snapshots(
    http: httpx2.AsyncClient, code: str, *, at: str
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the snapshots of a table, as its boards receive them."""
    path, phone = f"/door/{code}/changes", {"cookie": f"{AT}={at}"}
    async with http.stream("GET", path, timeout=None, headers=phone) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def put(http: httpx2.Client, table: Table, at: str, do: str, **fields: Any) -> dict[str, Any]:
    """Send an action as a phone does: again and again, under one key, until it is answered."""
    cookie = f"{LINKS_COOKIE}={table.code}.{table.link}; {AT}={at}"
    body = {"key": uuid4().hex, "match": 1, "hand": table.hand_no, "side": 0, "me": 0, "do": do}
    end = time.monotonic() + 60
    while True:
        assert time.monotonic() < end
        try:
            answer = http.post(
                f"/door/{table.code}", json=body | fields, headers={"cookie": cookie}
            )
        except httpx2.HTTPError:
            continue
        if answer.status_code < 500:
            result: dict[str, Any] = answer.json()
            return result
        time.sleep(0.1)


def test_a_phone_stays_at_its_server_and_gets_a_cookie_for_that(
    fleet: Fleet, http: httpx2.Client
) -> None:
    first, second = phones(fleet, http)
    for _ in range(5):
        for at, server in zip((first, second), fleet.servers, strict=True):
            assert answered_at(fleet, http, at) == server.address.removeprefix("http://")
    with httpx2.Client(base_url=fleet.address) as new:
        assert AT in new.get("/_stcore/health").cookies
        assert AT not in new.get("/_stcore/health").cookies, "it has one already"
    assert http.get("/metrics").status_code == 404


def test_boards_at_one_server_are_in_step_with_taps_at_the_other(
    fleet: Fleet, http: httpx2.Client
) -> None:
    first, second = phones(fleet, http)
    table = opened(fleet)

    async def taps() -> list[float]:
        waited = []
        async with httpx2.AsyncClient(base_url=fleet.address, timeout=30) as line:
            board = snapshots(line, table.code, at=second)
            await anext(board)
            for scope in range(1, 13):
                began = time.monotonic()
                result = await asyncio.to_thread(put, http, table, first, "scopa", delta=1)
                assert result["is"] == "done"
                while (await anext(board))["scopes"][0] < scope:
                    pass
                waited.append(time.monotonic() - began)
            await board.aclose()
        return waited

    waited = sorted(asyncio.run(taps()))
    print(f"boards across servers: {waited[6]:.3f} s, at most {waited[-1]:.3f} s")
    assert waited[3] < LATEST_S, waited  # the others may have met a busy machine


def test_match_is_finished_after_a_server_is_killed(
    fleet: Fleet, store: Store, http: httpx2.Client
) -> None:
    first, second = phones(fleet, http)
    table = opened(fleet)
    for hand in (1, 2, 3):
        table.hand_no = hand
        for number, code in enumerate(("7d", "1c", "2c", "10s")):
            assert put(http, table, first, "card", code=code, **{"in": True})["is"] == "done"
            assert put(http, table, second, "scopa", delta=1)["is"] == "done"
            if hand == 2 and number == 1:
                fleet.servers[0].process.kill()
        assert read(store, piles.scope_counts, table.code) == (4, 0), "each tap counts once"
        assert put(http, table, second, "rest", owner=1)["is"] == "done"
        shown = table.confirmation(snapshot(load_view(store, table.code, credentials=SYSTEM)))
        assert put(http, table, first, "confirm", **shown)["is"] == "done"
    hands = match_of(store, table.code).match.hands
    assert [side.scope for hand in hands for side in hand.sides] == [4, 0] * 3
    assert [len(hand.sides[1].pile) for hand in hands] == [36] * 3
    port = int(fleet.servers[0].address.rsplit(":", 1)[1])
    with serving(fleet.folder / "again", fleet=fleet, port=port):
        time.sleep(6)  # nginx tries it again after fail_timeout
        table.hand_no = 4
        assert put(http, table, first, "scopa", delta=1)["is"] == "done"
        assert answered_at(fleet, http, first) == fleet.servers[0].address.removeprefix("http://")


def test_a_photo_is_read_though_its_reader_is_killed(
    fleet: Fleet, store: Store, http: httpx2.Client
) -> None:
    table = opened(fleet)
    in_work = "SELECT count(*) FROM settebello_queue.procrastinate_jobs WHERE status = 'doing'"
    cookie = f"{LINKS_COOKIE}={table.code}.{table.link}"
    answer = http.put(
        f"/door/{table.code}/photos/{uuid4().hex}",
        params={"name": "anna-1.jpg", "match": 1, "hand": 1, "side": 0},
        content=SAMPLE,
        headers={"cookie": cookie},
    )
    assert answer.json()["is"] == "done"
    until(lambda: _count(store, in_work))
    fleet.readers[0].kill()
    assert query(store, uploads.counts)[UploadState.WAITING] == 1
    with reading(fleet.folder / "another.log", database=fleet.database):
        until(lambda: not query(store, uploads.counts)[UploadState.WAITING], seconds=120)
    [row] = read(store, piles.drafts, table.code)
    draft = Pile.from_dict(row.draft)
    assert len(draft.photos) == 1, "it counts once"
    assert {"1c", "9d"} <= {seen.guess for seen in draft.detected}, "and was read"


def _count(store: Store, query: str) -> int:
    with store.autocommit() as connection:
        return int(connection.exec_driver_sql(query).scalar_one())


def test_nginx_passes_on_what_the_app_allows(fleet: Fleet, http: httpx2.Client) -> None:
    table, many_tables = opened(fleet), "x" * 7_500
    path = f"/door/{table.code}/photos/large?match=1&hand=1&side=0&name=large.jpg"
    cookie = {"cookie": f"{LINKS_COOKIE}={table.code}.{table.link}; other={many_tables}"}
    answer = http.put(path, content=bytes(MAX_PHOTO_BYTES + 1), headers=cookie)
    assert answer.json()["error"] == "UploadTooLargeError"


def test_the_configuration_that_is_tested_is_that_of_deploy(fleet: Fleet) -> None:
    """Only ports, folders and the log differ, so the test tries the file that people use."""
    tested = (fleet.folder / "nginx.conf").read_text(encoding="utf-8").splitlines()
    ours = set(CONFIGURATION.read_text(encoding="utf-8").splitlines())
    other = [line.strip().split()[0] for line in tested if line not in ours]
    assert sorted(set(other)) == sorted(
        {"listen", "server", "log_format"}
        | {f"{name}_temp_path" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")}
    )
