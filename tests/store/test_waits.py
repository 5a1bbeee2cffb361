"""PostgreSQL: whatever holds a row or a table, every wait for it ends, and others go on."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest
from acting import no_reader, serving
from engines import proxied
from hands import JPEG, hand
from playing import command, read, revision_of, until, write
from psycopg import AsyncConnection
from starlette.testclient import TestClient

from scoring.rules import Rules
from screens import cli
from store import Store, StoreBusyError, StoreUnavailableError, Table, piles, tables
from store.database import MIGRATION_LOCK
from store.notify import Listener
from store.server import connection_string
from table.access import hash_link, new_link
from table.evening.replay import Plan
from table.evening.view import open_evening
from web.auth import LINKS_COOKIE
from web.worker import Worker

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

LINK = new_link()
TAP = {"match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
LIMITS = {
    "lock_timeout": "3s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "10s",
}


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with closing(Store(address)) as opened:
        yield opened


def opened(store: Store) -> Table:
    return command(
        store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(new_link())
    )


@contextmanager
def holding(address: str, statement: str, *values: object) -> Iterator[None]:
    """A transaction that somebody forgot, in a session without limits."""
    plain = address.replace("+psycopg", "", 1)
    with psycopg.connect(plain) as session:
        session.execute(statement.encode(), values)
        yield
        session.rollback()


@contextmanager
def scorers_phone(store: Store, *tables: Table) -> Iterator[TestClient]:
    for table in tables:
        with store.write(table.code) as found:
            found.link_hash = hash_link(LINK + table.code)
    with serving(store) as phone:
        links = "~".join(f"{table.code}.{LINK}{table.code}" for table in tables)
        phone.cookies.set(LINKS_COOKIE, links)
        yield phone


def tap(phone: TestClient, table: Table, key: str) -> tuple[int, str, float]:
    """Return the status of the answer to a tap, when it may be sent again, and how long it took."""
    start = time.monotonic()
    answer = phone.post(f"/door/{table.code}", json={"key": key, **TAP})
    return answer.status_code, answer.headers.get("retry-after", ""), time.monotonic() - start


def limits_of(connection: Any) -> dict[str, str]:
    return {name: connection.execute(f"SHOW {name}").fetchone()[0] for name in LIMITS}


def test_the_stores_connections_have_limits(store: Store) -> None:
    with store.writing() as session:
        driver: Any = session.connection().connection.driver_connection
        assert limits_of(driver) == LIMITS
        line = driver.info.get_parameters()
        assert line.items() >= {"keepalives_idle": "10", "tcp_user_timeout": "15000"}.items()
    with store.autocommit() as maintenance:
        for name, value in {"lock_timeout": "1s", "statement_timeout": "0"}.items():
            assert maintenance.exec_driver_sql(f"SHOW {name}").scalar_one() == value
    with store.reading() as session:
        driver = session.connection().connection.driver_connection
        assert limits_of(driver) == LIMITS, "no request gets a connection of maintenance"


def test_queue_and_listener_connect_with_the_same_limits(
    store: Store,
) -> None:
    used, connect, connect_async = [], psycopg.connect, AsyncConnection.connect

    def spy(address: str = "", **options: Any) -> Any:
        used.append(address)
        return connect(address, **options)

    async def spy_async(address: str, **options: Any) -> Any:
        used.append(address)
        return await connect_async(address, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("psycopg.connect", spy)
        patched.setattr(AsyncConnection, "connect", spy_async)
        worker = Worker(store, no_reader, workers=1)
        listener = Listener(store.address, lambda _: None)
        worker.start()
        listener.start()
        until(lambda: listener.is_listening and len(used) >= 3)
        worker.stop()
        listener.stop()
        until(lambda: not worker.is_alive)
    assert set(used) == {connection_string(store.address)}
    with connect(used[0]) as connection:
        assert limits_of(connection) == LIMITS
        assert connection.info.get_parameters()["tcp_user_timeout"] == "15000"


def test_own_options_of_an_address_come_first(address: str) -> None:
    own = f"{address}{'&' if '?' in address else '?'}options=-c%20lock_timeout%3D250"
    with closing(Store(own)) as store, store.reading() as session:
        driver: Any = session.connection().connection.driver_connection
        assert limits_of(driver) == LIMITS | {"lock_timeout": "250ms"}


def test_a_forgotten_lock_delays_its_table_only(store: Store) -> None:
    hung, other = opened(store), opened(store)
    with scorers_phone(store, hung, other) as phone, ThreadPoolExecutor(60) as phones:
        row = "SELECT * FROM tables WHERE code = %s FOR UPDATE"
        with holding(store.address, row, hung.code):
            taps = [phones.submit(tap, phone, hung, f"hung {number}") for number in range(60)]
            time.sleep(0.5)
            while not all(one.done() for one in taps):
                status, _, seconds = tap(phone, other, f"other {time.monotonic()}")
                assert status == 200
                assert seconds < 1
                start = time.monotonic()
                assert phone.get("/health").status_code == 200
                assert time.monotonic() - start < 1
                time.sleep(0.2)
            for status, retry_after, seconds in (one.result() for one in taps):
                assert (status, retry_after) == (503, "2"), "the phone keeps it"
                assert 2.5 < seconds < 11, "3 s for a turn, 3 s for each of two locks of the row"
        assert [tap(phone, hung, "hung 7")[0] for _ in range(2)] == [200, 200]
        assert read(store, piles.scope_counts, hung) == (1, 0)


def test_a_lock_on_an_evening_delays_its_tables_only(store: Store) -> None:
    evening = open_evening(store, Plan(name="Sunday", seed=7), link=LINK)
    seats, other = [opened(store) for _ in range(12)], opened(store)
    for seat in seats:
        with store.write(seat.code) as found:
            found.evening_code = evening.code
    saved = {"match": 1, "hand": 1, "side": 0, "do": "confirm", "log": 1, "facts": hand().to_dict()}

    def save(phone: TestClient, table: Table, number: int) -> tuple[int, float]:
        start = time.monotonic()
        shown = {"revision": revision_of(store, table), "key": f"{number}"}
        answer = phone.post(f"/door/{table.code}", json=saved | shown)
        return answer.status_code, time.monotonic() - start

    with scorers_phone(store, *seats, other) as phone, ThreadPoolExecutor(60) as phones:
        row = "SELECT * FROM evenings WHERE code = %s FOR UPDATE"
        with holding(store.address, row, evening.code):
            sent = [phones.submit(save, phone, seats[number % 12], number) for number in range(60)]
            time.sleep(0.5)
            while not all(one.done() for one in sent):
                status, _, seconds = tap(phone, other, f"other {time.monotonic()}")
                assert status == 200
                assert seconds < 1
                assert phone.get("/health").status_code == 200
                time.sleep(0.2)
            for status, seconds in (one.result() for one in sent):
                assert status == 503, "the phone keeps it"
                assert seconds < 16, "3 s for a turn, 3 s for each of two locks of two rows"
        assert save(phone, seats[0], 0)[0] == 200


def test_a_server_cut_off_in_a_transaction_frees_its_table(address: str, store: Store) -> None:
    table = opened(store)
    with proxied(address) as (proxy, near):
        dying = Store(near)
        writing = dying.write(table.code)
        writing.__enter__()
        proxy.fall_silent()
        start = time.monotonic()
        with pytest.raises(StoreBusyError, match="in use: nothing was changed; try again later"):
            write(store, piles.add_scope, table, 0)
        assert time.monotonic() - start < 4
        while True:
            try:
                write(store, piles.add_scope, table, 0)
                break
            except StoreBusyError:
                assert time.monotonic() - start < 15
        assert read(store, piles.scope_counts, table) == (1, 0)
        proxy.hang_up()
        with pytest.raises(StoreUnavailableError):
            writing.__exit__(None, None, None)
        dying.close()


def test_forget_gives_way_to_a_reader(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SETTEBELLO_DATABASE_URL", store.address)
    table = opened(store)
    write(store, piles.add_photo, table, JPEG, hand_no=1, side=0)

    def forget() -> tuple[object, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(["forget", table.code])
        return ended.value.code, capsys.readouterr().out

    with scorers_phone(store, table) as phone:
        with holding(store.address, "SELECT id FROM photos LIMIT 1"):
            statuses: list[int] = []
            ending = threading.Event()

            def go_on() -> None:
                while not ending.is_set():
                    statuses.append(tap(phone, table, f"{len(statuses)}")[0])

            tapping = threading.Thread(target=go_on)
            tapping.start()
            start = time.monotonic()
            code, said = forget()
            assert time.monotonic() - start < 4
            ending.set()
            tapping.join()
        assert code == 1
        assert said.splitlines() == [
            "1 photos deleted; the hands stand.",
            "The database is in use, so its files still hold what was deleted: try later.",
        ]
        assert set(statuses) == {200}
        assert forget() == (0, "0 photos deleted; the hands stand.\n")


def test_forget_says_that_the_table_is_in_use(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETTEBELLO_DATABASE_URL", store.address)
    table = opened(store)
    with (
        holding(store.address, "SELECT * FROM tables WHERE code = %s FOR UPDATE", table.code),
        pytest.raises(SystemExit, match="it is in use: nothing was changed; try again later"),
    ):
        cli.main(["forget", table.code])


def test_a_migration_waits_for_another_one(empty_address: str) -> None:
    with holding(empty_address, f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"):
        opening = ThreadPoolExecutor(1).submit(Store, empty_address)
        time.sleep(4)
        assert not opening.done(), "longer than a request waits"
    with closing(opening.result(timeout=30)) as store:
        opened(store)


@pytest.fixture
def empty_address(postgres: Any) -> Iterator[str]:
    with postgres.database(migrated=False) as made:
        yield made
