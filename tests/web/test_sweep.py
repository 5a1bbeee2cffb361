"""Old photos are deleted beside the app's work, while no photo waits."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path

import pytest

from scoring.rules import Rules
from store import Store, Table, UploadState
from web import sweep

JPEG = b"\xff\xd8\xff\xe0 a small picture"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store, seen two days from now by whoever sweeps it."""

    class InTwoDays(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "InTwoDays":
            return cls.fromtimestamp(datetime.now(UTC).timestamp() + 2 * 86400, tz)

    monkeypatch.setattr(sweep, "datetime", InTwoDays)
    with closing(Store(f"sqlite:///{tmp_path / 'settebello.db'}")) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules())


def photos(store: Store, table: Table, *, count: int) -> None:
    for number in range(count):
        store.put_photo(table, JPEG + bytes([number]), hand_no=1, side=0)


def kept(store: Store, table: Table) -> int:
    return sum(store.evidence.is_kept(photo.id) for photo in store.photos(table))


@pytest.mark.parametrize(("days", "left"), [("1", 0), ("3", 2), ("0", 2), ("", 2)])
def test_photos_are_kept_as_long_as_the_owner_says(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch, days: str, left: int
) -> None:
    monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", days)
    photos(store, table, count=2)
    sweep.sweep(store)
    assert kept(store, table) == left


def test_a_photo_that_waits_is_read_first(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", "1")
    photos(store, table, count=2)
    sent = store.put_upload(table, b"x", key="k", name="a.jpg", match_no=1, hand_no=1, side=0)
    assert sweep.sweep(store) == 0
    store.settle_upload(table, sent, state=UploadState.READ)
    assert sweep.sweep(store) == 2


def sweep_for(store: Store, *, seconds: float) -> None:
    """Lets the sweeping go on for a moment, as the running app does."""

    async def sweeping() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(sweep.keep_swept(store), seconds)

    asyncio.run(sweeping())


def test_the_running_app_sweeps_all_that_is_old_and_its_files(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FIRST_AFTER_S", "PAUSE_S"):
        monkeypatch.setattr(sweep, name, 0.0)
    monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", "1")
    photos(store, table, count=45)
    sweep_for(store, seconds=3)
    assert kept(store, table) == 0
    assert Path(f"{store.place}-wal").stat().st_size == 0


def test_a_setting_that_means_nothing_deletes_nothing_and_is_logged(
    store: Store,
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sweep, "FIRST_AFTER_S", 0.0)
    monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", "a month")
    photos(store, table, count=2)
    sweep_for(store, seconds=1)
    assert kept(store, table) == 2
    assert "old photos could not be deleted" in caplog.text
