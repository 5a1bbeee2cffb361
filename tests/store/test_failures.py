"""What a store cannot keep now waits on the phone; what no store keeps is refused once."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from acting import serving
from engines import Postgres
from hands import JPEG, hand
from playing import command, find_table, photo_at, read, record_hand, revision_of, until, write
from sqlalchemy import Engine, event, make_url
from starlette.testclient import TestClient

from scoring.rules import Rules
from store import (
    Store,
    StoreUnavailableError,
    StoreUnwritableError,
    Table,
    club,
    piles,
    retention,
    tables,
)
from store.errors import UnfitValueError
from table.access import hash_link, new_link
from web.auth import LINKS_COOKIE

LINK = new_link()
TAP = {"match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
HUGE, HALF, NUL = 2**63, "half of \ud83c", "a\0b"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "secret-folder" / "settebello.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    file.parent.mkdir()
    with closing(Store(f"sqlite:///{file}")) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK))


@pytest.fixture
def phone(store: Store, table: Table) -> Iterator[TestClient]:
    """A phone that scores at the table."""
    with serving(store) as client:
        client.cookies.set(LINKS_COOKIE, f"{table.code}.{LINK}")
        yield client


@pytest.fixture
def pages() -> Iterator[list[int]]:
    """How many pages a file of SQLite may have; with 1, as many as it has."""
    most = [10**6]

    def limit(connection: sqlite3.Connection, *_rest: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {most[0]}")

    event.listen(Engine, "checkout", limit)
    yield most
    event.remove(Engine, "checkout", limit)


def test_taps_on_a_full_disk_arrive_once_there_is_room(
    phone: TestClient, store: Store, table: Table, pages: list[int]
) -> None:
    pages[0] = 1
    for taps in range(500):
        key = f"{taps}".zfill(60)
        answer = phone.post(f"/door/{table.code}", json={"key": key, **TAP})
        if answer.status_code != 200:
            break
    assert answer.status_code == 503, "the phone sends it again"
    assert answer.json() == {"is": "refused", "error": "StoreUnwritableError"}
    for _ in range(2):
        health = phone.get("/health")
        assert (health.status_code, health.json()["store"]) == (503, False)
    with pytest.raises(StoreUnwritableError, match="disk is full"):
        write(store, piles.add_photo, table, JPEG + bytes(10**6), hand_no=1, side=0)
    assert read(store, piles.scope_counts, table) == (taps, 0)
    pages[0] = 10**6
    for _ in range(2):
        assert phone.post(f"/door/{table.code}", json={"key": key, **TAP}).status_code == 200
    assert read(store, piles.scope_counts, table) == (taps + 1, 0)
    assert phone.get("/health").status_code == 200


def test_health_recovers_without_a_write(
    phone: TestClient, store: Store, table: Table, pages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages[0] = 1
    with pytest.raises(StoreUnwritableError):
        write(store, piles.add_photo, table, JPEG + bytes(10**6), hand_no=1, side=0)
    assert phone.get("/health").status_code == 503
    pages[0] = 10**6
    assert phone.get("/health").status_code == 200
    with store.reading() as session:
        assert club.saved_rules(session) == {}
    monkeypatch.setattr("store.database.MIN_FREE_BYTES", 10**18)
    assert phone.get("/health").status_code == 503, "soon there is no room"


def test_nothing_is_done_in_a_file_that_was_taken_away(
    phone: TestClient, store: Store, table: Table, file: Path
) -> None:
    def tap(key: str) -> int:
        answer = phone.post(f"/door/{table.code}", json={"key": key, **TAP})
        assert "secret" not in answer.text
        return answer.status_code

    assert tap("a") == 200
    away = file.with_name("away.db")
    file.rename(away)
    assert tap("b") == 503
    assert phone.get("/health").status_code == 503
    with pytest.raises(StoreUnavailableError, match="taken away"):
        read(store, piles.scope_counts, table)
    assert not file.exists(), "no empty one is created"
    away.rename(file)
    assert tap("b") == tap("b") == 200
    assert phone.get("/health").status_code == 200
    retention.vacuum(store)
    shutil.copy(file, away)
    away.replace(file)  # a copy, as from a backup
    assert tap("c") == 200
    assert read(store, piles.scope_counts, table) == (3, 0)
    with pytest.raises(StoreUnavailableError), store.write(table.code) as found:  # noqa: PT012  one transaction
        found.closed_at = found.opened_at
        file.rename(away)  # between its lock and its commit
    away.rename(file)
    assert not list(file.parent.glob("away*"))


@pytest.mark.parametrize(
    "send",
    [
        lambda store, table: photo_at(store, HUGE, table=table),
        lambda store, table: photo_at(store, 2**31, table=table),
        lambda store, table: write(
            store, piles.add_photo, table, JPEG, hand_no=1, side=0, device=HALF
        ),
        lambda store, table: write(store, piles.add_scope, table, 0, delta=HUGE),
        lambda store, table: write(
            store, piles.put_drafts, table, {0: {"by_hand": [HALF]}}, hand_no=1
        ),
        lambda store, table: write(
            store, piles.put_drafts, table, {0: {"by_hand": [NUL]}}, hand_no=1
        ),
        lambda store, table: record_hand(store, table, hand(named=HALF), key="a", expected=1),
        lambda store, table: record_hand(store, table, hand(), key=HALF, expected=1),
        lambda store, _: command(store, tables.open_table, ("Anna", HALF), Rules()),
        lambda store, _: command(store, club.save_rules, Rules(name=HALF)),
    ],
)
def test_value_that_cannot_be_stored_changes_nothing(
    database: str, send: Callable[[Store, Table], Any]
) -> None:
    with closing(Store(database)) as store:
        table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
        with pytest.raises(UnfitValueError):
            send(store, table)
        assert find_table(store, table.code) == table
        assert store.error_counts == {}, "the database did not fail"


def test_repeated_request_does_not_change_the_revision(
    database: str,
) -> None:
    with closing(Store(database)) as store:
        table = command(
            store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK)
        )
        with serving(store) as phone:
            phone.cookies.set(LINKS_COOKIE, f"{table.code}.{LINK}")
            tap = {"key": "k", **TAP}
            answers = [phone.post(f"/door/{table.code}", json=tap).json() for _ in range(3)]
        assert [answer["revision"] for answer in answers] == [table.revision + 1] * 3
        assert revision_of(store, table) == table.revision + 1
        assert read(store, piles.scope_counts, table) == (1, 0)


@pytest.mark.slow
def test_taps_sent_while_postgresql_restarts_wait_and_count_once(
    address: str, postgres: Postgres
) -> None:
    """All connections break; then it accepts none; then it is back, with the same rows."""
    name = make_url(address).database
    with closing(Store(address)) as store, serving(store) as phone:
        table = command(
            store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK)
        )
        phone.cookies.set(LINKS_COOKIE, f"{table.code}.{LINK}")

        def tap(key: str) -> int:
            answer = phone.post(f"/door/{table.code}", json={"key": key, **TAP})
            assert set(answer.json()) <= {"is", "revision", "error"}
            return answer.status_code

        assert tap("a") == 200
        for number in range(3):
            postgres.hang_up(str(name))
            until(lambda key=f"hung up {number}": tap(key) == 200)  # type: ignore[misc]
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgres.hang_up(str(name))
        assert [tap("away"), tap("away")] == [503, 503], "the phone sends it again"
        assert phone.get("/health").status_code == 503
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        for _ in range(2):
            until(lambda: tap("away") == 200)
        assert read(store, piles.scope_counts, table) == (5, 0)
        assert phone.get("/health").status_code == 200
