"""Photos end when they are old enough or when somebody wants it; then their bytes are gone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from engines import Postgres
from playing import command, next_upload, photo_at, query, read, revision_of, write
from sqlalchemy import update

from scoring.rules import Rules
from store import (
    PhotoGoneError,
    SettingError,
    Store,
    Table,
    UnknownPlaceError,
    UploadState,
    piles,
    retention,
    tables,
    uploads,
)
from store.models import StoredPhoto
from store.retention import days_kept

PICTURE = b"only this picture holds these words, which nothing else in the world says"


def jpeg(text: bytes = PICTURE) -> bytes:
    return b"\xff\xd8\xff\xe0" + text * 2000  # far more than a page of the database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settebello.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    """A store in a file, whose bytes the tests look at."""
    with closing(Store(f"sqlite:///{file}")) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules())


def photo(store: Store, table: Table, *, picture: bytes = PICTURE, side: int = 0) -> int:
    """Send a photo, which is read and kept; gives its id."""
    key = f"{side}-{len(read(store, piles.photos, table))}"
    sent = write(
        store,
        uploads.add,
        table,
        picture * 9000,
        key=key,
        name=f"{key}.jpg",
        match_no=1,
        hand_no=1,
        side=side,
    )
    number = write(store, piles.add_photo, table, jpeg(picture), hand_no=1, side=side)
    write(store, uploads.settle, table, sent, state=UploadState.READ)
    return number


def make_older(store: Store, days: int, *photos: int) -> None:
    with store.writing() as session:
        rows = update(StoredPhoto).where(StoredPhoto.id.in_(photos))
        session.execute(rows.values(made_at=ago(days)))


def on_disk(file: Path) -> bytes:
    """Return all that is in the database's files, as somebody who takes the disk can read it."""
    return b"".join(path.read_bytes() for path in sorted(file.parent.glob(f"{file.name}*")))


def ago(days: int) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


def test_old_photos_are_deleted_in_batches(store: Store, table: Table) -> None:
    assert retention.purge_expired(store, before=ago(0)) == 0
    old = [photo(store, table, picture=b"%d" % n) for n in range(5)]
    young = photo(store, table, picture=b"young", side=1)
    write(store, uploads.add, table, b"x", key="w", name="a.jpg", match_no=1, hand_no=1, side=0)
    write(store, piles.put_drafts, table, {0: {"photos": old}}, hand_no=1)
    make_older(store, 31, *old)
    make_older(store, 29, young)
    assert [retention.purge_expired(store, before=ago(30), at_most=2) for _ in range(4)] == [
        2,
        2,
        1,
        0,
    ]
    assert not any(query(store, piles.is_kept, number) for number in old)
    assert photo_at(store, young) == jpeg(b"young")
    with pytest.raises(PhotoGoneError, match="the cards seen on it stay"):
        photo_at(store, old[0])
    assert [row.size > 0 for row in read(store, piles.photos, table)] == [False] * 5 + [True]
    assert read(store, piles.drafts, table)[0].draft == {"photos": old}
    retention.purge_expired(store, before=ago(-1))
    [row] = read(store, uploads.of_hand, table, hand_no=1)
    assert (row.state, row.name) == (UploadState.WAITING, "a.jpg"), "it has not been read yet"


@pytest.mark.parametrize("thoroughly", [False, True])
def test_no_byte_of_a_picture_is_left_in_the_files(
    store: Store, table: Table, file: Path, thoroughly: bool
) -> None:
    for n in range(8):
        photo(store, table, picture=PICTURE + b"%d" % n)
    assert PICTURE in on_disk(file)
    before = file.stat().st_size
    retention.purge_expired(store, before=ago(-1))
    assert retention.vacuum(store, thoroughly=thoroughly)
    assert PICTURE not in on_disk(file)
    assert not thoroughly or file.stat().st_size < before / 4


def test_the_files_that_others_read_are_said_to_be_held(
    store: Store, table: Table, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo(store, table)
    monkeypatch.setattr("store.database.BUSY_MS", 50)
    with closing(Store(f"sqlite:///{file}")) as hasty:
        with closing(sqlite3.connect(file, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM photos").fetchone()
            write(store, retention.delete_photos, table)
            assert retention.vacuum(hasty) is False
        assert retention.vacuum(hasty) is True


def test_a_server_rewrites_its_files_too(postgres: Postgres) -> None:
    with postgres.database(migrated=True) as address, closing(Store(address)) as store:
        table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
        numbers = [photo(store, table, picture=b"%d" % n, side=n) for n in range(2)]
        assert retention.purge_expired(store, before=ago(-1), at_most=1) == 1
        assert write(store, retention.delete_photos, table) == 1
        assert retention.vacuum(store, thoroughly=True)
        assert not any(query(store, piles.is_kept, number) for number in numbers)


def test_one_tables_photos_are_deleted_and_no_others(
    store: Store, table: Table, file: Path
) -> None:
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules())
    number, kept = photo(store, table), photo(store, other, picture=b"other")
    for key, name in (("w", "pool.jpg"), ("o", "pool.txt")):
        sent = write(
            store,
            uploads.add,
            table,
            PICTURE * 200,
            key=key,
            name=name,
            match_no=1,
            hand_no=1,
            side=0,
        )
    refusal = {"error": "NotAPhotoError", "name": "pool.txt"}
    write(store, uploads.settle, table, sent, state=UploadState.REFUSED, refusal=refusal)
    revision = revision_of(store, table)
    assert write(store, retention.delete_photos, table) == 1
    assert write(store, retention.delete_photos, table) == 0
    retention.vacuum(store)
    assert not query(store, piles.is_kept, number)
    assert photo_at(store, kept) == jpeg(b"other")
    assert read(store, uploads.of_hand, table, hand_no=1) == ()
    assert next_upload(store) is None, "what waited waits no more"
    assert revision_of(store, table) > revision, "screens render the table again"
    assert PICTURE not in on_disk(file)
    assert b"pool." not in on_disk(file)
    again = photo(store, table)
    assert again != number, "the same picture sent again is a new photo"
    assert photo_at(store, again) == jpeg()
    with pytest.raises(PhotoGoneError):
        photo_at(store, number)
    with pytest.raises(UnknownPlaceError):
        photo_at(store, max(again, kept) + 1)


@pytest.mark.parametrize(
    ("value", "days"),
    [(None, 30), ("", 30), ("7", 7), (" 90 ", 90), ("0", None)]
    + [(wrong, SettingError) for wrong in ("-1", "a month", "1.5", "٣", "9999999")],
)
def test_the_owner_says_how_long_photos_are_kept(
    monkeypatch: pytest.MonkeyPatch, value: str | None, days: int | type[SettingError] | None
) -> None:
    monkeypatch.delenv("SETTEBELLO_PHOTO_DAYS", raising=False)
    if value is not None:
        monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", value)
    if isinstance(days, type):
        with pytest.raises(days, match="a number of days"):
            days_kept()
    else:
        assert days_kept() == days
