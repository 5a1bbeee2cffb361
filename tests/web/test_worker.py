"""Background work: photos are read in turn, old ones are deleted."""

import asyncio
import io
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import psutil
import pytest
from acting import SAMPLES, no_reader
from hostile_reader import Hostile
from PIL import Image
from playing import command, query, read, until, write

from scoring.rules import Rules
from store import Store, StoreUnwritableError, Table, UploadState, piles, tables, uploads
from table.registry import READ_AGAIN
from vision.isolated import IsolatedReader
from vision.reader import Reader
from vision.reading import Stage
from web import metrics, worker
from web.worker import Claims, Worker, process_next

SAMPLE = (SAMPLES / "anna-1.jpg").read_bytes()


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules())


def send(store: Store, table: Table, *, key: str = "k", data: bytes = SAMPLE) -> int:
    return write(store, uploads.add, table, data, key=key, name=key, match_no=1, hand_no=1, side=0)


# One photo after another


@pytest.mark.models
@pytest.mark.xdist_group("readings")
def test_the_stages_of_a_photo_are_published_and_its_end(
    store: Store, table: Table, reader: Reader
) -> None:
    stages: list[Any] = []
    bare = io.BytesIO()
    Image.new("RGB", (320, 240), "green").save(bare, "JPEG")
    upload = send(store, table, data=bare.getvalue())
    process_next(store, lambda: reader, on_stage=lambda *stage: stages.append(stage))
    expected = (Stage.OPENING, Stage.FINDING, Stage.NAMING, None)
    assert stages == [(table.code, upload, stage) for stage in expected]
    assert [draft.side for draft in read(store, piles.drafts, table)] == [0]


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("anna-1.jpg", SAMPLE, "NoReaderError"),
        (READ_AGAIN, b"", "NoReaderError"),
        ("notes.jpg", b"hello " * 30, "NotAPhotoError"),
        ("empty.jpg", b"", "EmptyPhotoError"),
    ],
    ids=["no networks", "the others read again", "no photo", "empty"],
)
def test_unreadable_photo_leaves_the_queue_with_a_reason(
    store: Store, table: Table, name: str, data: bytes, error: str
) -> None:
    write(store, uploads.add, table, data, key="k", name=name, match_no=1, hand_no=1, side=0)
    assert process_next(store, no_reader) == table.code
    assert process_next(store, no_reader) is None
    [upload] = read(store, uploads.of_hand, table, hand_no=1)
    assert upload.refusal is not None
    assert (upload.state, upload.refusal["error"]) == (UploadState.REFUSED, error)
    assert upload.refusal["name"] == name


def test_tables_are_read_in_parallel_photos_of_one_in_turn(store: Store, table: Table) -> None:
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules())
    for place, key in ((table, "a"), (table, "b"), (other, "c")):
        send(store, place, key=key, data=b"x")
    claims = Claims()
    with claims.next(store) as first, claims.next(store) as second, claims.next(store) as third:
        assert first is not None
        assert second is not None
        assert (first[0].name, second[0].name, third) == ("a", "c", None)
    with claims.next(store) as again:
        assert again is not None
        assert again[0].name == "a", "it was not read, so it is the next of its table"


def test_tables_take_turns(store: Store, table: Table) -> None:
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules())
    third = command(store, tables.open_table, ("Elena", "Fabio"), Rules())
    for place, key in ((table, "a1"), (table, "a2"), (table, "a3"), (other, "b1"), (other, "b2")):
        send(store, place, key=key, data=b"x")
    claims, read = Claims(), []
    while True:
        with claims.next(store) as waiting:
            if waiting is None:
                break
            read.append(waiting[0].name)
        write(store, uploads.settle, waiting[0].code, waiting[0].id, state=UploadState.READ)
        if len(read) == 2:
            send(store, third, key="c1", data=b"x")
    assert read == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_a_phone_learns_how_many_photos_are_before_its_own(store: Store, table: Table) -> None:
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules())
    sent = [send(store, table, key=f"a{number}", data=b"x") for number in range(3)]
    sent += [send(store, other, key=f"b{number}", data=b"x") for number in range(2)]
    with store.reading() as session:
        before = [uploads.waiting_before(session, upload_id) for upload_id in sent]
    assert before == [0, 2, 4, 1, 3]


def test_as_many_photos_are_read_at_once_as_there_are_workers(store: Store) -> None:
    both = threading.Barrier(2, timeout=30)

    def reader() -> Any:
        both.wait()  # passed only if two threads wait here at the same time
        return no_reader()

    for _ in range(2):
        send(store, command(store, tables.open_table, ("Anna", "Bruno"), Rules()))
    working = Worker(store, reader, workers=2)
    assert not working.is_alive
    working.start()
    assert working.is_alive
    until(lambda: not query(store, uploads.counts)[UploadState.WAITING])
    working.stop()
    until(lambda: not working.is_alive)


def test_a_worker_outlives_a_store_that_fails(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a full disk the worker continues once there is room."""
    monkeypatch.setattr(worker, "POLL_SECONDS", 0.02)
    send(store, table, data=b"x")
    errors = [StoreUnwritableError(store.place, why="the disk is full") for _ in range(3)]
    original = uploads.next_waiting

    def next_waiting(session: Any, **besides: Any) -> Any:
        if errors:
            raise errors.pop()
        return original(session, **besides)

    monkeypatch.setattr("store.uploads.next_waiting", next_waiting)
    working = Worker(store, no_reader, workers=1)
    working.start()
    until(lambda: query(store, uploads.counts)[UploadState.REFUSED] == 1)
    assert not errors
    working.stop()


def test_slow_photo_is_refused_and_the_next_one_is_read(store: Store, table: Table) -> None:
    for name in ("stuck", "breaks", "anna-1.jpg"):
        send(store, table, key=name)
    with closing(IsolatedReader(make=Hostile, limit_seconds=3.0)) as reader:
        while process_next(store, lambda: reader):
            pass
        assert metrics.memory_bytes() > psutil.Process().memory_info().rss + 10**7
    refusals = [row.refusal for row in read(store, uploads.of_hand, table, hand_no=1)]
    assert refusals == [
        {"error": "SlowPhotoError", "name": "stuck", "seconds": 3},
        {"error": "UnreadablePhotoError", "name": "breaks"},
    ]
    assert len(read(store, piles.photos, table)) == 1


# Old photos


@pytest.fixture
def in_two_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the purge run two days from now."""

    class InTwoDays(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "InTwoDays":
            later = datetime.now(UTC) + timedelta(days=2)
            return cls.fromtimestamp(later.timestamp(), tz)

    monkeypatch.setattr(worker, "datetime", InTwoDays)


def add_photos(store: Store, table: Table, *, count: int = 2) -> None:
    for number in range(count):
        write(
            store,
            piles.add_photo,
            table,
            b"\xff\xd8\xff\xe0 small" + bytes([number]),
            hand_no=1,
            side=0,
        )


def kept(store: Store, table: Table) -> int:
    return sum(query(store, piles.is_kept, photo.id) for photo in read(store, piles.photos, table))


@pytest.mark.usefixtures("in_two_days")
@pytest.mark.parametrize(("days", "left"), [("1", 0), ("3", 2), ("0", 2), ("", 2)])
def test_photos_are_kept_as_long_as_the_setting_says(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch, days: str, left: int
) -> None:
    monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", days)
    add_photos(store, table)
    upload = send(store, table)
    assert worker.purge_expired(store) == 0
    write(store, uploads.settle, table, upload, state=UploadState.READ)
    assert worker.purge_expired(store) == 2 - left
    assert kept(store, table) == left


@pytest.mark.usefixtures("in_two_days")
@pytest.mark.parametrize("days", ["1", "a month"])
def test_app_deletes_old_photos_and_logs_a_bad_setting(
    store: Store,
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    days: str,
) -> None:
    monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", days)
    monkeypatch.setattr(worker, "PURGE_FIRST_SECONDS", 0.0)
    monkeypatch.setattr(worker, "PURGE_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(worker, "PURGE_EVERY_SECONDS", 0.05)
    add_photos(store, table, count=45)  # more than one transaction deletes

    async def purge() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(worker.purge_regularly(store), 3 if days == "1" else 0.5)

    asyncio.run(purge())
    if days == "1":
        assert kept(store, table) == 0
        assert Path(f"{store.place}-wal").stat().st_size == 0
    else:
        assert kept(store, table) == 45
        assert "old photos could not be deleted" in caplog.text
