"""The queue of photos on PostgreSQL, with workers on several machines and failures."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from acting import no_reader
from playing import command, query, until, write

from scoring.rules import Rules
from screens import cli
from store import SettingError, Store, StoreUrlError, Table, UploadState, tables, uploads
from web.worker import WORKERS, Worker, check_workers, worker_count

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = (ROOT / "samples" / "anna-1.jpg").read_bytes()


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with closing(Store(address)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules())


def send(store: Store, table: Table, key: str, *, data: bytes = b"x") -> int:
    return write(store, uploads.add, table, data, key=key, name=key, match_no=1, hand_no=1, side=0)


@contextmanager
def reading(store: Store, reader: Callable[[], Any] = no_reader, *, at_once: int = 1) -> Any:
    readers = Worker(store, reader, workers=at_once)
    readers.start()
    try:
        yield readers
    finally:
        readers.stop()
        until(lambda: not readers.is_alive)


def none_waits(store: Store) -> bool:
    return not query(store, uploads.counts)[UploadState.WAITING]


def test_another_driver_than_psycopg_is_refused_with_a_sentence() -> None:
    with pytest.raises(StoreUrlError, match=r"write postgresql\+psycopg"):
        Store("postgresql+pg8000://db/settebello")


def test_a_server_may_leave_the_photos_to_others(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WORKERS, "0")
    check_workers(store)
    readers = Worker(store, no_reader, workers=worker_count())
    readers.start()
    assert readers.is_alive, "what is not wanted is not ill"
    send(store, table, "a")
    readers.wake()
    time.sleep(1)
    assert not none_waits(store)
    readers.stop()


def test_the_server_of_a_file_reads_its_photos_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WORKERS, "0")
    with closing(Store()) as store, pytest.raises(SettingError, match="by its server alone"):
        check_workers(store)


@pytest.mark.parametrize("value", ["-1", "two", "1000"])
def test_a_number_of_readers_that_means_nothing_is_said(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WORKERS, value)
    with pytest.raises(SettingError, match=WORKERS):
        worker_count()


def test_the_reader_command_wants_a_postgresql() -> None:
    with pytest.raises(SettingError, match=r"postgresql\+psycopg"):
        cli.shared_store()
