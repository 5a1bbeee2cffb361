"""The reader of the door: how far it is, and that it steps back behind everything else."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import Rules
from store import Store, Table, UploadState
from table.commands import READ_AGAIN
from vision.errors import ModelError
from vision.reader import Reader
from vision.reading import Stage
from web.readers import NICE, Claims, Readers, read_next, step_back

SAMPLE = (Path(__file__).resolve().parents[2] / "samples" / "anna-1.jpg").read_bytes()


@pytest.fixture
def store() -> Iterator[Store]:
    opened = Store()
    yield opened
    opened.close()


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules())


def no_reader() -> Any:
    raise ModelError(Path("locate.onnx"), expected="a network", got="none in this test")


def test_the_stages_of_a_photo_are_told_and_its_end(store: Store, table: Table) -> None:
    upload = store.put_upload(
        table, SAMPLE, key="k", name="anna-1.jpg", match_no=1, hand_no=1, side=0
    )
    heard: list[tuple[str, int, Stage | None]] = []

    def tell(code: str, upload: int, *, stage: Stage | None) -> None:
        heard.append((code, upload, stage))

    read_next(store, no_reader, tell=tell)
    assert heard == [(table.code, upload, Stage.OPENING), (table.code, upload, None)]


@pytest.mark.models
def test_a_photo_is_opened_then_its_cards_are_found_then_named(
    store: Store, table: Table, models_dir: Path
) -> None:
    store.put_upload(table, SAMPLE, key="k", name="anna-1.jpg", match_no=1, hand_no=1, side=0)
    heard: list[Stage | None] = []

    def tell(_code: str, _upload: int, *, stage: Stage | None) -> None:
        heard.append(stage)

    read_next(store, lambda: Reader(models_dir), tell=tell)
    assert heard == [Stage.OPENING, Stage.FINDING, Stage.NAMING, None]


def test_the_photos_left_are_read_again_after_one_was_removed(store: Store, table: Table) -> None:
    store.put_upload(table, b"", key="k", name=READ_AGAIN, match_no=1, hand_no=1, side=0)
    assert read_next(store, no_reader) == table.code
    [row] = store.uploads(table, hand_no=1)
    assert row.refusal is not None
    assert row.refusal["error"] == "NoReaderError"


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own here")
def test_a_reader_steps_back_and_other_threads_do_not() -> None:
    found: list[int] = []

    def work() -> None:
        step_back()
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [NICE]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


def test_photos_of_two_tables_are_read_side_by_side_and_those_of_one_in_turn(
    store: Store, table: Table
) -> None:
    other = store.open_table(("Carla", "Dario"), Rules())
    for place, key in ((table, "a"), (table, "b"), (other, "c")):
        store.put_upload(place, b"x", key=key, name=key, match_no=1, hand_no=1, side=0)
    claims = Claims()
    with claims.next(store) as first, claims.next(store) as second, claims.next(store) as third:
        assert first is not None
        assert second is not None
        assert (first[1].name, second[1].name, third) == ("a", "c", None)
    with claims.next(store) as again:
        assert again is not None
        assert again[1].name == "a", "it was not read, so it waits first in line"


def test_as_many_photos_are_read_at_once_as_there_are_readers(store: Store) -> None:
    tables = [store.open_table(("Anna", "Bruno"), Rules()) for _ in range(2)]
    both = threading.Barrier(2, timeout=30)

    def reader() -> Any:
        both.wait()  # passed only where two readers stand here at the same time
        raise ModelError(Path("locate.onnx"), expected="a network", got="none in this test")

    for table in tables:
        store.put_upload(table, SAMPLE, key="k", name="anna-1.jpg", match_no=1, hand_no=1, side=0)
    readers = Readers(store, reader, at_once=2)
    readers.start()
    end = time.monotonic() + 30
    while any(
        row.state is UploadState.WAITING
        for table in tables
        for row in store.uploads(table, hand_no=1)
    ):
        assert time.monotonic() < end
        time.sleep(0.05)
    readers.stop()
    while readers.is_alive:
        time.sleep(0.05)
