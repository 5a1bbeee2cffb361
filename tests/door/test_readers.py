"""The reader of the door: how far it is, and that it steps back behind everything else."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from door.readers import NICE, read_next, step_back
from scoring.rules import Rules
from table.commands import READ_AGAIN
from table.store import Store, TableRow
from vision.errors import ModelError
from vision.reader import Reader
from vision.reading import Stage

SAMPLE = (Path(__file__).resolve().parents[2] / "samples" / "anna-1.jpg").read_bytes()


@pytest.fixture
def store() -> Iterator[Store]:
    opened = Store()
    yield opened
    opened.close()


@pytest.fixture
def table(store: Store) -> TableRow:
    return store.open_table(("Anna", "Bruno"), Rules())


def no_reader() -> Any:
    raise ModelError(Path("locate.onnx"), expected="a network", got="none in this test")


def test_the_stages_of_a_photo_are_told_and_its_end(store: Store, table: TableRow) -> None:
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
    store: Store, table: TableRow, models_dir: Path
) -> None:
    store.put_upload(table, SAMPLE, key="k", name="anna-1.jpg", match_no=1, hand_no=1, side=0)
    heard: list[Stage | None] = []

    def tell(_code: str, _upload: int, *, stage: Stage | None) -> None:
        heard.append(stage)

    read_next(store, lambda: Reader(models_dir), tell=tell)
    assert heard == [Stage.OPENING, Stage.FINDING, Stage.NAMING, None]


def test_the_photos_left_are_read_again_after_one_was_removed(
    store: Store, table: TableRow
) -> None:
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
