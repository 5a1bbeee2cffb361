"""Photos end when they are old enough or when somebody wants it; then their bytes are gone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from engines import Postgres
from playing import Store
from sqlalchemy import create_engine, text

from scoring.rules import Rules
from store import PhotoGoneError, Table, UnknownPlaceError, UploadState
from store.errors import SettingError
from store.retention import days_kept

PICTURE = b"only this picture holds these words, which nothing else in the world says"


def jpeg(text: bytes = PICTURE) -> bytes:
    return b"\xff\xd8\xff\xe0" + text * 2000  # far more than a page of the database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settebello.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{file}")) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules())


def photo(store: Store, table: Table, *, picture: bytes = PICTURE, side: int = 0) -> int:
    """Sends a photo, which is read and kept; gives its number."""
    key = f"{side}-{len(store.photos(table))}"
    sent = store.put_upload(
        table, picture * 9000, key=key, name=f"{key}.jpg", match_no=1, hand_no=1, side=side
    )
    number = store.put_photo(table, jpeg(picture), hand_no=1, side=side)
    store.settle_upload(table, sent, state=UploadState.READ)
    return number


def aged(file: Path, days: int, *photos: int) -> None:
    """Makes photos older than they are."""
    then = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=days)
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        for number in photos:
            connection.execute(
                text("UPDATE photos SET made_at = :then WHERE id = :number"),
                {"then": str(then), "number": number},
            )
    engine.dispose()


def on_disk(file: Path) -> bytes:
    """All that stands in the database's files, as somebody who takes the disk can read it."""
    return b"".join(path.read_bytes() for path in sorted(file.parent.glob(f"{file.name}*")))


def ago(days: int) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


def test_a_store_without_photos_has_none_to_sweep(store: Store) -> None:
    assert store.purge(before=ago(0)) == 0


def test_only_photos_that_are_old_enough_go(store: Store, table: Table, file: Path) -> None:
    old, young = photo(store, table), photo(store, table, picture=b"young", side=1)
    aged(file, 31, old)
    aged(file, 29, young)
    assert store.purge(before=ago(30)) == 1
    assert not store.is_kept(old)
    assert store.photo(young) == jpeg(b"young")
    with pytest.raises(PhotoGoneError, match="the cards seen on it stay"):
        store.photo(old)
    assert [row.size > 0 for row in store.photos(table)] == [False, True]


def test_so_many_go_at_once_and_the_rest_afterwards(store: Store, table: Table, file: Path) -> None:
    numbers = [photo(store, table, picture=b"%d" % n) for n in range(5)]
    aged(file, 31, *numbers)
    assert [store.purge(before=ago(30), at_most=2) for _ in range(4)] == [2, 2, 1, 0]


@pytest.mark.parametrize("thoroughly", [False, True])
def test_no_byte_of_a_picture_is_left_in_the_files(
    store: Store, table: Table, file: Path, thoroughly: bool
) -> None:
    number = photo(store, table)
    assert PICTURE in on_disk(file)
    aged(file, 31, number)
    store.purge(before=ago(30))
    assert store.vacuum(thoroughly=thoroughly)
    assert PICTURE not in on_disk(file)


def test_a_file_written_anew_is_smaller(store: Store, table: Table, file: Path) -> None:
    for n in range(8):
        photo(store, table, picture=b"%d%d" % (n, n) * 40)
    store.forget_photos(table)
    store.vacuum()
    before = file.stat().st_size
    store.vacuum(thoroughly=True)
    assert file.stat().st_size < before / 4


def test_the_files_that_others_read_are_said_to_be_held(
    store: Store, table: Table, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo(store, table)
    monkeypatch.setattr("store.database.BUSY_MS", 50)
    hasty = Store(f"sqlite:///{file}")
    with closing(sqlite3.connect(file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM photos").fetchone()
        store.forget_photos(table)
        assert hasty.vacuum() is False
    assert hasty.vacuum() is True
    hasty.close()


def test_a_server_writes_its_files_anew_too(postgres: Postgres) -> None:
    with postgres.database(migrated=True) as address, closing(Store(address)) as store:
        table = store.open_table(("Anna", "Bruno"), Rules())
        numbers = [photo(store, table, picture=b"%d" % n, side=n) for n in range(2)]
        assert store.purge(before=ago(-1), at_most=1) == 1
        assert store.forget_photos(table) == 1
        assert store.vacuum(thoroughly=True)
        assert not any(map(store.is_kept, numbers))


def test_one_table_is_forgotten_and_no_other(store: Store, table: Table, file: Path) -> None:
    other = store.open_table(("Carla", "Dario"), Rules())
    number, kept = photo(store, table), photo(store, other, picture=b"other")
    waits = store.put_upload(
        table, PICTURE * 200, key="w", name="pool.jpg", match_no=1, hand_no=1, side=0
    )
    odd = store.put_upload(table, b"x", key="o", name="pool.txt", match_no=1, hand_no=1, side=0)
    store.settle_upload(
        table,
        odd,
        state=UploadState.REFUSED,
        refusal={"error": "NotAPhotoError", "name": "pool.txt"},
    )
    revision = store.revision(table)
    assert store.forget_photos(table) == 1
    assert store.forget_photos(table) == 0
    store.vacuum()
    assert not store.is_kept(number)
    assert store.photo(kept) == jpeg(b"other")
    assert store.uploads(table, hand_no=1) == ()
    assert store.next_upload() is None, f"{waits} waits no more"
    assert store.revision(table) > revision, "screens render the table again"
    assert PICTURE not in on_disk(file)
    assert b"pool." not in on_disk(file)


def test_what_waits_to_be_read_is_not_swept(store: Store, table: Table) -> None:
    store.put_upload(table, b"x", key="w", name="a.jpg", match_no=1, hand_no=1, side=0)
    store.purge(before=datetime.now(UTC) + timedelta(days=1))
    [row] = store.uploads(table, hand_no=1)
    assert (row.state, row.name) == (UploadState.WAITING, "a.jpg")


def test_hands_and_drafts_stay(store: Store, table: Table) -> None:
    number = photo(store, table)
    store.put_drafts(table, {0: {"photos": [number]}}, hand_no=1)
    store.forget_photos(table)
    assert store.drafts(table)[0].draft == {"photos": [number]}


def test_a_number_is_never_given_to_another_photo(store: Store, table: Table) -> None:
    first = photo(store, table)
    store.forget_photos(table)
    again = photo(store, table)
    assert again != first, "the same picture sent again is a new photo"
    assert store.photo(again) == jpeg()
    with pytest.raises(PhotoGoneError):
        store.photo(first)
    with pytest.raises(UnknownPlaceError):
        store.photo(again + 1)


@pytest.mark.parametrize(
    ("said", "days"), [(None, 30), ("", 30), ("7", 7), (" 90 ", 90), ("0", None)]
)
def test_the_owner_says_how_long(
    monkeypatch: pytest.MonkeyPatch, said: str | None, days: int | None
) -> None:
    monkeypatch.delenv("SETTEBELLO_PHOTO_DAYS", raising=False)
    if said is not None:
        monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", said)
    assert days_kept() == days


@pytest.mark.parametrize("said", ["-1", "a month", "1.5", "٣", "9999999"])
def test_what_is_no_number_of_days_deletes_nothing(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("SETTEBELLO_PHOTO_DAYS", said)
    with pytest.raises(SettingError, match="a number of days"):
        days_kept()
