"""The queue of photos on PostgreSQL: workers on several machines, and what is lost on the way."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from engines import Postgres
from hands import ROOT
from playing import command, query, until, write
from sqlalchemy import NullPool, create_engine, make_url, text

from scoring.rules import Rules
from store import Store, StoreUrlError, Table, UploadState, queue, tables, uploads
from store.check import examine
from store.queue import SCHEMA, SharedQueue


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """A store on PostgreSQL."""
    with closing(Store(address)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules())


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are given up after two seconds instead of ten."""
    for name, seconds in {
        "STALLED_S": 2.0,
        "HEARTBEAT_S": 0.3,
        "CHECK_S": 0.3,
        "RECONNECT_S": 0.2,
    }.items():
        monkeypatch.setattr(queue, name, seconds)


def say(address: str, statement: str, **given: object) -> list[tuple[Any, ...]]:
    """Say something to the database as another program would."""
    with create_engine(address, poolclass=NullPool).begin() as connection:
        connection.execute(text(f"SET LOCAL search_path TO public, {SCHEMA}"))
        done = connection.execute(text(statement), given)
        return [tuple(row) for row in done] if done.returns_rows else []


def jobs(address: str) -> list[tuple[Any, ...]]:
    return say(address, "SELECT args ->> 'upload', lock, status FROM procrastinate_jobs")


def send(store: Store, table: Table, key: str) -> int:
    return write(store, uploads.add, table, b"x", key=key, name=key, match_no=1, hand_no=1, side=0)


def settle(store: Store, upload_id: int) -> str | None:
    """Read an upload as a worker does; return its name."""
    with store.reading() as session:
        waiting = uploads.waiting(session, upload_id)
    if waiting is None:
        return None
    write(store, uploads.settle, waiting[0].code, upload_id, state=UploadState.READ)
    return waiting[0].name


@contextmanager
def working(store: Store, read: Callable[[int], Any] | None = None) -> Iterator[SharedQueue]:
    reads = read or (lambda upload_id: settle(store, upload_id))
    shared = SharedQueue(store.address, reads, at_once=2)
    shared.start()
    try:
        yield shared
    finally:
        shared.stop()
        until(lambda: not shared.is_alive)


def none_waits(store: Store) -> bool:
    return not query(store, uploads.counts)[UploadState.WAITING]


def test_photos_are_read_once_and_their_jobs_are_gone(
    store: Store, table: Table, address: str
) -> None:
    read: list[int] = []

    def reads(upload_id: int) -> None:
        read.append(upload_id)
        settle(store, upload_id)

    first = send(store, table, "a")
    assert send(store, table, "a") == first
    with pytest.raises(RuntimeError), store.write(table.code):  # noqa: PT012
        send(store, table, "of a transaction that fails")
        raise RuntimeError
    late = send(store, table, "late")
    write(store, uploads.settle, table, late, state=UploadState.LATE)
    with working(store, reads):
        second = send(store, table, "b")
        until(lambda: none_waits(store))
        with store.write(table.code) as found:
            uploads.reassign(found, late, match_no=1, hand_no=1, side=1)
        until(lambda: none_waits(store))
        until(lambda: not jobs(address))
    assert read == [first, second, late]


def test_processes_share_tables_but_not_one_table(store: Store, table: Table, address: str) -> None:
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules())
    for place, key in ((table, "a"), (table, "b"), (other, "c")):
        send(store, place, key)
    both = threading.Barrier(2, timeout=60)
    busy: set[str] = set()

    def reads(upload_id: int) -> None:
        with store.reading() as session:
            waiting = uploads.waiting(session, upload_id)
        assert waiting is not None
        assert waiting[0].code not in busy, "photos of one table are read in turn"
        busy.add(waiting[0].code)
        if waiting[0].name != "b":
            both.wait()  # passed only where two read at the same time
        settle(store, upload_id)
        busy.discard(waiting[0].code)

    with closing(Store(address)) as second, working(store, reads), working(second, reads):
        until(lambda: none_waits(store))
        until(lambda: getattr(examine(address), "readers", None) == 2)


def test_tables_take_turns(store: Store, table: Table) -> None:
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules())
    for place, key in ((table, "a1"), (table, "a2"), (table, "a3"), (other, "b1"), (other, "b2")):
        send(store, place, key)
    read: list[str | None] = []
    shared = SharedQueue(
        store.address, lambda upload_id: read.append(settle(store, upload_id)), at_once=1
    )
    started = time.monotonic()
    shared.start()
    until(lambda: none_waits(store))
    shared.stop()
    until(lambda: not shared.is_alive)
    assert read == ["a1", "b1", "a2", "b2", "a3"]
    assert time.monotonic() - started < 15, "the next photo of a table needs no check"


KILLED = """
import sys, time
from store.queue import SharedQueue

def read(upload_id):
    print("reads", flush=True)
    time.sleep(600)

SharedQueue(sys.argv[1], read, at_once=1).start()
time.sleep(600)
"""
"""Takes a photo and never comes to its end."""


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
def test_the_photo_of_a_killed_worker_is_read_by_another(
    store: Store, table: Table, address: str
) -> None:
    send(store, table, "a")
    command = [sys.executable, "-c", KILLED, address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "reads\n"
        os.kill(other.pid, signal.SIGKILL)
    assert [status for _, _, status in jobs(address)] == ["doing"]
    with working(store):
        until(lambda: none_waits(store))


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
def test_a_worker_whose_heart_beats_late_goes_on_with_its_photo(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine it counted itself as dead, gave its photo away, and had to begin anew."""
    monkeypatch.setattr(queue, "HEARTBEAT_S", 600.0)
    read: list[str | None] = []
    looked = threading.Event()

    def reads(upload_id: int) -> None:
        looked.wait(queue.STALLED_S + 2.0)  # meanwhile others look for stalled photos
        read.append(settle(store, upload_id))

    with working(store, reads):
        for key in ("a", "b"):
            send(store, table, key)
            until(lambda: none_waits(store))
            looked.set()
    assert read == ["a", "b"]


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
def test_lost_job_is_done_again(store: Store, table: Table, address: str) -> None:
    """The process lives and its heart beats, but it is not at this job any more."""
    with working(store):
        send(store, table, "a")
        until(lambda: none_waits(store))
        say(address, "DELETE FROM procrastinate_jobs")
        say(
            address,
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id) "
            "SELECT 'photos', 'read', :code, '{\"upload\": 1}', 'doing', id "
            "FROM procrastinate_workers",
            code=table.code,
        )
        send(store, table, "b")
        until(lambda: none_waits(store))


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
def test_workers_outlive_a_database_that_was_away(
    store: Store, table: Table, address: str, postgres: Postgres
) -> None:
    name = str(make_url(address).database)
    with working(store):
        send(store, table, "a")
        until(lambda: none_waits(store))
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgres.hang_up(name)
        time.sleep(1)
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        send(store, table, "b")
        until(lambda: none_waits(store))


@pytest.mark.parametrize("after_ms", range(0, 100, 5))
def test_workers_end_whenever_they_are_stopped(store: Store, after_ms: int) -> None:
    """A pool of connections that was cancelled while it connected never ended."""
    with working(store):
        time.sleep(after_ms / 1000)


def test_a_queue_of_another_version_is_created_again(
    store: Store, table: Table, address: str
) -> None:
    say(address, f"CREATE SCHEMA {SCHEMA}")
    say(address, f"CREATE TABLE {SCHEMA}.procrastinate_jobs (id int)")
    send(store, table, "a")
    read: list[str | None] = []
    with working(store, lambda upload_id: read.append(settle(store, upload_id))):
        until(lambda: none_waits(store))
    assert read == ["a"]


def test_a_missing_procrastinate_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "procrastinate.schema", None)
    queue._definition.cache_clear()
    with pytest.raises(StoreUrlError, match=r"pip install 'settebello\[postgres\]'"):
        SharedQueue("postgresql+psycopg://db/settebello", lambda _: None, at_once=1)
    queue._definition.cache_clear()
