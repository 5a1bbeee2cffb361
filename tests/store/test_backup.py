"""Backups of both engines: made while the app runs, whole or refused, and put back the same way."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from engines import Postgres
from playing import Store
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from scoring.cards import DECK
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store.backup import SIDE_FILES, back_up, restore
from store.database import newest_schema
from store.errors import (
    AppRunningError,
    BackupUnfitError,
    FileStandsError,
    StoreError,
    StoreOlderError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
)

ROOT = Path(__file__).resolve().parents[2]
JPEG = b"\xff\xd8\xff\xe0 a small picture"
OLD = ROOT / "tests" / "store" / "databases"


@pytest.fixture
def on_server(postgres: Postgres) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    with postgres.database(migrated=False) as address:
        yield address


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The address of an SQLite database that is not there yet."""
    return f"sqlite:///{tmp_path / 'data' / 'settebello.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest) -> str:
    """The address of an empty database of each engine."""
    return str(request.getfixturevalue("file" if request.param == "sqlite" else "on_server"))


def place(address: str) -> Path:
    return Path(make_url(address).database or "")


def play(address: str, *, scope: int = 1) -> str:
    """Opens a table with a hand, scope and a photo; gives its code."""
    with closing(Store(address)) as store:
        table = store.open_table(("Anna", "Bruno"), Rules())
        sides = Side("Anna", DECK[:22], scope), Side("Bruno", DECK[22:], 0)
        store.record_hand(table, HandRecord(sides), key="k", expected=1, device="Anna's phone")
        store.add_scope(table, 1)
        store.put_drafts(table, {0: {"by_hand": ["7d"], "none": None}}, hand_no=2)
        store.put_photo(table, JPEG, hand_no=1, side=0)
        store.put_upload(table, b"raw", key="u", name="a.jpg", match_no=1, hand_no=2, side=0)
        return table.code


def told(address: str) -> tuple[object, ...]:
    """Everything that a database says of its tables."""
    with closing(Store(address)) as store:
        said: list[object] = []
        for table in store.list_tables():
            photos = store.photos(table)
            waiting = store.next_upload()
            said += [
                table, store.match_of(table), store.log_of(table), store.scope_counts(table),
                store.drafts(table), photos, [store.photo(photo.id) for photo in photos],
                waiting and waiting[2],
            ]  # fmt: skip
        return tuple(said)


def damage(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def test_a_backup_put_back_says_all_that_was_said(address: str, tmp_path: Path) -> None:
    play(address)
    before = told(address)
    assert back_up(address, tmp_path / "b.db") == newest_schema()
    play(address, scope=3)
    after = told(address)
    aside = restore(address, tmp_path / "b.db")
    assert told(address) == before
    assert aside is not None
    assert told(f"sqlite:///{aside}") == after, "what was there is kept"
    play(address)  # numbers are counted on, so that nothing is written over
    assert len(told(address)) == 2 * len(before)


def test_a_backup_of_either_engine_goes_into_the_other(
    file: str, on_server: str, tmp_path: Path
) -> None:
    play(file)
    back_up(file, tmp_path / "one.db")
    assert restore(on_server, tmp_path / "one.db") is None, "nothing was there"
    assert told(on_server) == told(file)
    play(on_server)
    back_up(on_server, tmp_path / "two.db")
    restore(file, tmp_path / "two.db")
    assert told(file) == told(on_server)


def test_a_backup_is_one_file_of_ours_alone(file: str, tmp_path: Path) -> None:
    play(file)
    back_up(file, tmp_path / "b.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.db", "data"]
    assert (tmp_path / "b.db").stat().st_mode & 0o077 == 0, "only its owner reads it"
    assert not [end for end in SIDE_FILES if (tmp_path / f"b.db{end}").exists()]


def test_a_backup_is_made_while_somebody_writes(file: str, tmp_path: Path) -> None:
    code = play(file)
    program = (
        "import sys\nfrom store import Store, piles\nstore = Store(sys.argv[1])\n"
        "for n in range(100000):\n    with store.write(sys.argv[2]) as table:\n"
        "        piles.add_scope(table, 0)\n    print(n, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, file, code], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(20)]
        back_up(file, tmp_path / "b.db")
        writer.kill()
    with closing(Store(f"sqlite:///{tmp_path / 'b.db'}")) as store:
        assert store.scope_counts(code)[0] > said[-1]


def test_a_backup_writes_over_nothing(file: str, tmp_path: Path) -> None:
    play(file)
    (tmp_path / "b.db").write_text("mine")
    with pytest.raises(FileStandsError, match="name another place"):
        back_up(file, tmp_path / "b.db")
    assert (tmp_path / "b.db").read_text() == "mine"


def test_a_backup_migrates_nothing(file: str, tmp_path: Path) -> None:
    place(file).parent.mkdir()
    dump = OLD / "0.1.0.sqlite.sql"
    with closing(sqlite3.connect(place(file))) as old:
        old.executescript(dump.read_text(encoding="utf-8"))
    schema = back_up(file, tmp_path / "b.db")
    assert schema != newest_schema()
    with closing(sqlite3.connect(place(file))) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == (schema,)
    restore(file, tmp_path / "b.db")
    assert told(file), "the app brings it to the newest schema when it starts"


def test_an_older_server_is_not_copied_by_a_newer_program(on_server: str, tmp_path: Path) -> None:
    play(on_server)
    server = create_engine(on_server)
    with server.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    server.dispose()
    with pytest.raises(StoreOlderError, match="found 0001"):
        back_up(on_server, tmp_path / "b.db")
    assert not (tmp_path / "b.db").exists()


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("sqlite://", StoreUrlError),
        ("sqlite:////nowhere/settebello.db", StoreUnavailableError),
    ],
    ids=["memory", "missing"],
)
def test_what_cannot_be_backed_up_is_said(
    tmp_path: Path, address: str, error: type[StoreError]
) -> None:
    with pytest.raises(error):
        back_up(address, tmp_path / "b.db")
    assert not list(tmp_path.glob("*b.db*")), "nothing half is left"


def test_a_damaged_database_makes_no_backup(file: str, tmp_path: Path) -> None:
    play(file)
    damage(place(file))
    with pytest.raises(StoreError, match=r"damaged|malformed|not a database"):
        back_up(file, tmp_path / "b.db")
    assert not list(tmp_path.glob("*b.db*"))


def test_a_folder_that_cannot_be_written_is_said(file: str, tmp_path: Path) -> None:
    play(file)
    with pytest.raises(StoreUnwritableError):
        back_up(file, tmp_path / "nowhere" / "b.db")


def unfit(kind: str, file: str, path: Path) -> None:
    """Makes a file that is no backup."""
    if kind == "missing":
        return
    if kind in {"empty", "text"}:
        path.write_bytes(b"" if kind == "empty" else b"Dear diary, " * 1000)
        return
    back_up(file, path)
    if kind == "truncated":
        damage(path)
        return
    with closing(sqlite3.connect(path)) as changed, changed:
        if kind == "newer":
            changed.execute("UPDATE alembic_version SET version_num = '9999'")
        elif kind == "torn":
            changed.execute("PRAGMA foreign_keys = OFF")
            changed.execute("DELETE FROM matches")
        else:
            changed.execute("DROP TABLE alembic_version")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("missing", "there is none"),
        ("empty", "it is empty"),
        ("text", "damaged"),
        ("truncated", "damaged"),
        ("torn", "points nowhere"),
        ("newer", "newer Settebello wrote it .schema 9999"),
        ("foreign", "another program's"),
    ],
)
def test_a_file_that_is_no_whole_backup_of_ours_is_refused(
    address: str, file: str, tmp_path: Path, kind: str, said: str
) -> None:
    play(address)
    if address != file:
        play(file)
    before = told(address)
    unfit(kind, file, tmp_path / "b.db")
    with pytest.raises(BackupUnfitError, match=said):
        restore(address, tmp_path / "b.db")
    assert told(address) == before
    assert not list(tmp_path.rglob("*replaced*"))


def test_the_database_itself_is_no_backup(file: str) -> None:
    play(file)
    with pytest.raises(BackupUnfitError, match="the database itself"):
        restore(file, place(file))


def test_nothing_is_restored_under_a_running_app(address: str, tmp_path: Path) -> None:
    play(address)
    before = told(address)
    back_up(address, tmp_path / "b.db")
    program = (
        "import sys\nfrom store import Store, tables\nstore = Store(sys.argv[1])\n"
        "with store.reading() as session:\n    tables.newest(session)\n"
        "print('open', flush=True)\nsys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, address],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as app:  # fmt: skip
        assert app.stdout is not None
        assert app.stdout.readline() == "open\n"
        with pytest.raises(AppRunningError, match="stop Settebello first"):
            restore(address, tmp_path / "b.db")
        app.kill()
    assert told(address) == before
    assert not list(tmp_path.rglob("*replaced*"))
    assert restore(address, tmp_path / "b.db") is not None, "a killed app holds nothing"


def test_a_damaged_database_is_kept_and_replaced(file: str, tmp_path: Path) -> None:
    play(file)
    before = told(file)
    back_up(file, tmp_path / "b.db")
    damage(place(file))
    bad = place(file).read_bytes()
    wal = place(file).with_name("settebello.db-wal")
    wal.write_bytes(b"the newest lines")
    aside = restore(file, tmp_path / "b.db")
    assert told(file) == before
    assert aside is not None
    assert aside.read_bytes() == bad
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"the newest lines"


def big(address: str) -> None:
    """Fills a database so far that restoring it takes a while."""
    code = play(address)
    with closing(Store(address)) as store:
        for number in range(40):
            jpeg = JPEG + bytes([number]) * 1_000_000
            store.put_photo(code, jpeg, hand_no=1, side=0)


RESTORE = (
    "import sys\nfrom pathlib import Path\nfrom store.backup import restore\n"
    "print('begun', flush=True)\nrestore(sys.argv[1], Path(sys.argv[2]))\n"
)
"""Restores a backup."""


@pytest.mark.slow
def test_a_restore_that_is_killed_leaves_the_old_or_the_new(address: str, tmp_path: Path) -> None:
    big(address)
    back_up(address, tmp_path / "b.db")
    new = told(address)
    play(address, scope=2)
    old = told(address)
    found = []
    for round_no in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", RESTORE, address, str(tmp_path / "b.db")],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        ) as running:  # fmt: skip
            assert running.stdout is not None
            running.stdout.readline()
            time.sleep(0.05 + 0.15 * round_no)
            os.kill(running.pid, signal.SIGKILL)
        for _ in range(100):  # a server ends the killed one's connection a moment later
            try:
                found.append(told(address))
                break
            except StoreUnavailableError:
                time.sleep(0.1)
        assert found[-1] in (old, new)
        if found[-1] == new:
            break
    assert old in found, "the first was killed before its end"
    for _ in range(50):
        try:
            restore(address, tmp_path / "b.db")
            break
        except AppRunningError:
            time.sleep(0.1)
    assert told(address) == new
    if address.startswith("sqlite"):
        assert not list(place(address).parent.glob("*.restoring*"))
