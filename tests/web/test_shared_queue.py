"""The queue of photos on PostgreSQL: readers on several machines, and what is lost on the way."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from engines import Postgres
from sqlalchemy import NullPool, create_engine, make_url, text

from scoring.rules import Rules
from screens import cli
from store import SettingError, Store, StoreUrlError, Table, UploadState, queue
from store.backup import back_up, restore
from store.check import examine
from store.queue import SCHEMA
from table.commands import READ_AGAIN
from vision.errors import ModelError
from web.readers import READ_HERE, Readers, check_read_here, read_here

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = (ROOT / "samples" / "anna-1.jpg").read_bytes()


@pytest.fixture
def address(postgres: Postgres) -> Iterator[str]:
    with postgres.database(migrated=True) as made:
        yield made


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with closing(Store(address)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules())


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers are given up after two seconds instead of ten."""
    for place, name, seconds in (
        (queue, "STALLED_S", 2.0),
        (queue, "HEARTBEAT_S", 0.3),
        (queue, "MEND_EVERY_S", 0.3),
        (queue, "AGAIN_S", 0.2),
    ):
        monkeypatch.setattr(place, name, seconds)


def said(address: str, statement: str, **given: object) -> list[tuple[Any, ...]]:
    """Says something to the database as another program would."""
    with create_engine(address, poolclass=NullPool).begin() as connection:
        connection.execute(text(f"SET LOCAL search_path TO public, {SCHEMA}"))
        done = connection.execute(text(statement), given)
        return [tuple(row) for row in done] if done.returns_rows else []


def waiting_jobs(address: str) -> list[tuple[int, str, str]]:
    """Photo, table and state of each job."""
    asked = f"SELECT args ->> 'upload', lock, status FROM {SCHEMA}.procrastinate_jobs ORDER BY id"
    return [(int(upload), lock, status) for upload, lock, status in said(address, asked)]


def send(store: Store, table: Table, key: str, *, data: bytes = b"x") -> int:
    return store.put_upload(table, data, key=key, name=key, match_no=1, hand_no=1, side=0)


def no_networks() -> Any:
    raise ModelError(Path("locate.onnx"), expected="a network", got="none in this test")


@contextmanager
def reading(store: Store, reader: Callable[[], Any] = no_networks, *, at_once: int = 1) -> Any:
    readers = Readers(store, reader, at_once=at_once)
    readers.start()
    try:
        yield readers
    finally:
        readers.stop()
        until(lambda: not readers.is_alive)


def until(is_so: Callable[[], bool], *, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def none_waits(store: Store) -> bool:
    return not store.upload_counts()[UploadState.WAITING]


def test_a_job_comes_with_its_photo_once_or_not_at_all(
    store: Store, table: Table, address: str
) -> None:
    upload = send(store, table, "a")
    assert send(store, table, "a") == upload
    gone = RuntimeError("the delivery failed")
    with pytest.raises(RuntimeError), store.once(table, "b"):  # noqa: PT012
        send(store, table, "b")
        raise gone
    assert waiting_jobs(address) == [(upload, table.code, "todo")]


def test_photos_are_read_and_their_jobs_are_gone(store: Store, table: Table, address: str) -> None:
    send(store, table, "a", data=SAMPLE)
    with reading(store):
        send(store, table, READ_AGAIN, data=b"")
        until(lambda: none_waits(store))
        until(lambda: not waiting_jobs(address))
    refusals = [row.refusal for row in store.uploads(table, hand_no=1)]
    assert [refusal and refusal["error"] for refusal in refusals] == ["NoReaderError"] * 2


def test_a_late_photo_that_a_pile_takes_gets_a_job_again(
    store: Store, table: Table, address: str
) -> None:
    upload = send(store, table, "a")
    store.settle_upload(table, upload, state=UploadState.LATE)
    with reading(store):
        until(lambda: not waiting_jobs(address))
    assert store.upload_counts()[UploadState.LATE] == 1
    store.take_up_upload(table, upload, match_no=1, hand_no=1, side=1)
    assert waiting_jobs(address) == [(upload, table.code, "todo")]


def test_two_processes_read_two_tables_side_by_side_and_one_in_turn(
    store: Store, table: Table, address: str
) -> None:
    other = store.open_table(("Carla", "Dario"), Rules())
    for place, key in ((table, "a"), (table, "b"), (other, "c")):
        send(store, place, key, data=SAMPLE)
    both, alone = threading.Barrier(2, timeout=30), threading.Lock()

    def reader() -> Any:
        if both.broken:
            return no_networks()
        both.wait()  # passed only where two read at the same time
        assert alone.acquire(timeout=30)
        both.abort()
        alone.release()
        return no_networks()

    with closing(Store(address)) as second, reading(store, reader), reading(second, reader):
        until(lambda: none_waits(store))
        found = examine(address)
        assert found is not None
        assert found.readers == 2


KILLED = """
import sys, time
from web.readers import Readers
from store import Store

def reader():
    print("reads", flush=True)
    time.sleep(600)

readers = Readers(Store(sys.argv[1]), reader, at_once=1)
readers.start()
time.sleep(600)
"""
"""Takes a photo and never comes to its end."""


@pytest.mark.usefixtures("hasty")
def test_the_photo_of_a_killed_reader_is_read_by_another(
    store: Store, table: Table, address: str
) -> None:
    send(store, table, "a", data=SAMPLE)
    command = [sys.executable, "-c", KILLED, address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "reads\n"
        os.kill(other.pid, signal.SIGKILL)
    assert [status for _, _, status in waiting_jobs(address)] == ["doing"]
    with reading(store):
        until(lambda: none_waits(store))


@pytest.mark.usefixtures("hasty")
def test_a_photo_whose_job_was_lost_gets_another(store: Store, table: Table, address: str) -> None:
    send(store, table, "a")
    said(address, f"DELETE FROM {SCHEMA}.procrastinate_jobs")
    with reading(store):
        until(lambda: none_waits(store))


@pytest.mark.usefixtures("hasty")
def test_a_job_whose_end_could_not_be_written_is_done_again(
    store: Store, table: Table, address: str
) -> None:
    """The process lives and gives signs of life, but is not at this job any more."""
    with reading(store):
        send(store, table, "a")
        until(lambda: none_waits(store))
        statement = (
            f"INSERT INTO {SCHEMA}.procrastinate_jobs "
            "(queue_name, task_name, lock, args, status, worker_id) SELECT 'photos', 'read', "
            f":code, '{{\"upload\": 1}}', 'doing', id FROM {SCHEMA}.procrastinate_workers"
        )
        said(address, statement, code=table.code)
        send(store, table, "b")
        until(lambda: none_waits(store))


@pytest.mark.usefixtures("hasty")
def test_readers_outlive_a_database_that_was_away(
    store: Store, table: Table, address: str, postgres: Postgres
) -> None:
    name = str(make_url(address).database)
    with reading(store):
        until(lambda: bool(said(address, f"SELECT id FROM {SCHEMA}.procrastinate_workers")))
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgres.hang_up(name)
        time.sleep(1)
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        send(store, table, "a")
        until(lambda: none_waits(store), seconds=60)


def test_the_queue_of_another_version_is_made_anew(
    store: Store, table: Table, address: str
) -> None:
    upload = send(store, table, "a")
    said(address, f"COMMENT ON TABLE {SCHEMA}.procrastinate_jobs IS 'another version'")
    said(address, f"DELETE FROM {SCHEMA}.procrastinate_jobs")
    Store(address).close()
    assert waiting_jobs(address) == [(upload, table.code, "todo")]


def test_a_backup_that_is_restored_has_a_job_for_each_photo_that_waits(
    store: Store, table: Table, address: str, tmp_path: Path
) -> None:
    upload = send(store, table, "a")
    back_up(address, tmp_path / "backup.db")
    send(store, table, "b")
    store.close()
    restore(address, tmp_path / "backup.db")
    assert waiting_jobs(address) == [(upload, table.code, "todo")]


def test_another_driver_than_psycopg_is_refused_with_a_sentence() -> None:
    with pytest.raises(StoreUrlError, match=r"write postgresql\+psycopg"):
        Store("postgresql+pg8000://db/settebello")


def test_a_server_may_leave_the_photos_to_others(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(READ_HERE, "0")
    check_read_here(store)
    readers = Readers(store, no_networks, at_once=read_here())
    readers.start()
    assert readers.is_alive, "what is not wanted is not ill"
    send(store, table, "a")
    readers.tell()
    time.sleep(1)
    assert not none_waits(store)
    readers.stop()


def test_the_server_of_a_file_reads_its_photos_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(READ_HERE, "0")
    with closing(Store()) as store, pytest.raises(SettingError, match="by its server alone"):
        check_read_here(store)


@pytest.mark.parametrize("value", ["-1", "two", "1000"])
def test_a_number_of_readers_that_means_nothing_is_said(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(READ_HERE, value)
    with pytest.raises(SettingError, match=READ_HERE):
        read_here()


def test_the_reader_command_wants_a_postgresql() -> None:
    with pytest.raises(SettingError, match=r"postgresql\+psycopg"):
        cli.shared_store()
