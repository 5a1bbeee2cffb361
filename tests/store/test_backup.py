"""Backups of an SQLite database: made while the app runs, whole or refused, and put back."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hands import DUMPS, JPEG, ROOT, hand
from playing import command, match_of, next_upload, photo_at, query, read, record_hand, write
from sqlalchemy.engine import make_url

from scoring.rules import Rules
from store import (
    Store,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
    log,
    piles,
    tables,
    uploads,
)
from store.backup import back_up, restore
from store.database import newest_schema
from store.errors import AppRunningError, BackupUnfitError, FileStandsError, ServerBackupError


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The address of an SQLite database that is not there yet."""
    return f"sqlite:///{tmp_path / 'data' / 'settebello.db'}"


def path_of(address: str) -> Path:
    return Path(make_url(address).database or "")


def play(address: str, *, scope: int = 1) -> str:
    """Open a table with a hand, scope and a photo; gives its code."""
    with closing(Store(address)) as store:
        table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
        record_hand(store, table, hand(scope=scope), key="k", expected=1, device="Anna's phone")
        write(store, piles.add_scope, table, 1)
        write(store, piles.put_drafts, table, {0: {"by_hand": ["7d"], "none": None}}, hand_no=2)
        write(store, piles.add_photo, table, JPEG, hand_no=1, side=0)
        write(
            store, uploads.add, table, b"raw", key="u", name="a.jpg", match_no=1, hand_no=2, side=0
        )
        return table.code


def contents(address: str) -> list[object]:
    """Everything that a database holds about its tables."""
    with closing(Store(address)) as store:
        found: list[object] = []
        for table in query(store, tables.newest):
            photos = read(store, piles.photos, table)
            waiting = next_upload(store)
            found += [
                table,
                match_of(store, table),
                read(store, log.steps, table),
                read(store, piles.scope_counts, table),
                read(store, piles.drafts, table),
                photos,
                [photo_at(store, photo.id) for photo in photos],
                waiting and waiting[2],
            ]
        return found


def damage(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


@contextmanager
def program(*lines: str, arguments: list[str]) -> Iterator["subprocess.Popen[str]"]:
    """Another process, which ends with the block."""
    command = [sys.executable, "-c", "\n".join(("import sys", *lines)), *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def line_of(running: "subprocess.Popen[str]") -> str:
    assert running.stdout is not None
    return running.stdout.readline().strip()


def test_a_restored_backup_holds_all_that_was_there(file: str, tmp_path: Path) -> None:
    play(file)
    before = contents(file)
    assert back_up(file, tmp_path / "b.db") == newest_schema()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "data") == ["b.db"]
    assert (tmp_path / "b.db").stat().st_mode & 0o077 == 0, "only its owner reads it"
    play(file, scope=3)
    after = contents(file)
    previous = restore(file, tmp_path / "b.db")
    assert contents(file) == before
    assert previous is not None
    assert contents(f"sqlite:///{previous}") == after, "what was there is kept"
    play(file)  # ids are counted on, so that nothing is written over
    assert len(contents(file)) == 2 * len(before)


def test_a_backup_is_made_while_somebody_writes(file: str, tmp_path: Path) -> None:
    code = play(file)
    with program(
        "from store import Store, piles",
        "store = Store(sys.argv[1])",
        "for n in range(100000):",
        "    with store.write(sys.argv[2]) as table:",
        "        piles.add_scope(table, 0)",
        "    print(n, flush=True)",
        arguments=[file, code],
    ) as writer:
        written = [int(line_of(writer)) for _ in range(20)]
        back_up(file, tmp_path / "b.db")
    with closing(Store(f"sqlite:///{tmp_path / 'b.db'}")) as store:
        assert read(store, piles.scope_counts, code)[0] > written[-1]


def test_a_backup_migrates_nothing(file: str, tmp_path: Path) -> None:
    path_of(file).parent.mkdir()
    with closing(sqlite3.connect(path_of(file))) as old:
        old.executescript((DUMPS / "ff00e88.sqlite.sql").read_text(encoding="utf-8"))
    assert back_up(file, tmp_path / "b.db") == "0014"
    with closing(sqlite3.connect(path_of(file))) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == ("0014",)
    restore(file, tmp_path / "b.db")
    with closing(sqlite3.connect(path_of(file))) as new:
        found = new.execute("SELECT version_num FROM alembic_version").fetchone()
    assert found == (newest_schema(),), "a restore migrates its copy"
    assert contents(file)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE matches SET rules = '['", "a row of matches cannot be read"),
        ("CREATE INDEX i ON tables(code)", "unknown index i"),
        ("UPDATE log SET facts = '{}' WHERE step = 'record'", "cannot be replayed"),
    ],
)
def test_an_older_backup_is_checked_when_it_is_migrated(
    file: str, tmp_path: Path, change: str, why: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "b.db")) as old:
        old.executescript((DUMPS / "ff00e88.sqlite.sql").read_text(encoding="utf-8"))
        old.execute(change)
        old.commit()
    with pytest.raises(BackupUnfitError, match=f"b.db, but .*{why}.*: nothing was changed"):
        restore(file, tmp_path / "b.db")
    assert [path.name for path in tmp_path.rglob("*")] in (["b.db"], ["b.db", "data"])


def test_only_the_owner_reads_what_the_program_writes(file: str, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        play(file)
        with closing(Store(file)) as store, store.reading() as session:
            session.connection()
            assert modes(tmp_path / "data") == {
                "data": 0o700,
                "settebello.db": 0o600,
                "settebello.db-shm": 0o600,
                "settebello.db-wal": 0o600,
            }
        back_up(file, tmp_path / "b.db")
        path_of(file).chmod(0o644)
        previous = restore(file, tmp_path / "b.db")
        assert previous is not None
        found = modes(tmp_path / "data")
        assert found.keys() >= {"data", "settebello.db", previous.name}
        assert found.pop("data") == 0o700
        assert set(found.values()) == {0o600}
        path_of(file).chmod(0o664)  # as a release before made it
        Store(file).close()
        assert modes(path_of(file)) == {"settebello.db": 0o600}
        assert modes(tmp_path / "b.db") == {"b.db": 0o600}
    finally:
        os.umask(before)


def modes(path: Path) -> dict[str, int]:
    """Return who may do what with a file, or a folder and the files in it."""
    return {one.name: one.stat().st_mode & 0o777 for one in (path, *path.glob("*"))}


@pytest.mark.parametrize(
    ("source", "target", "error"),
    [
        ("sqlite://", "b.db", StoreUrlError),
        ("postgresql+psycopg://db/settebello", "b.db", ServerBackupError),
        ("sqlite:////nowhere/settebello.db", "b.db", StoreUnavailableError),
        ("damaged", "b.db", StoreError),
        ("whole", "nowhere/b.db", StoreUnwritableError),
        ("whole", "mine", FileStandsError),
    ],
    ids=["memory", "a server", "missing", "damaged", "no folder", "a file is there"],
)
def test_failed_backup_says_why_and_leaves_no_file(
    file: str, tmp_path: Path, source: str, target: str, error: type[StoreError]
) -> None:
    play(file)
    (tmp_path / "mine").write_text("mine")
    if source == "damaged":
        damage(path_of(file))
    with pytest.raises(error):
        back_up(source if "://" in source else file, tmp_path / target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "mine"]
    assert (tmp_path / "mine").read_text() == "mine"


HIDDEN = (
    "INSERT INTO sqlite_master VALUES ('{}', 't', 'tables', 0, 'CREATE TRIGGER t AFTER INSERT ON "
    "deliveries BEGIN DELETE FROM tables; END')"
)
"""A trigger whose kind is spelled so that SQLite runs it and a glance at the schema misses it."""


def write_unfit(kind: str, file: str, path: Path) -> None:
    """Write a file that is no backup."""
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
        changed.executescript(f"PRAGMA writable_schema = ON; {kind}")


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("missing", "there is none"),
        ("empty", "it is empty"),
        ("text", "damaged"),
        ("truncated", "damaged"),
        ("DELETE FROM matches", "points nowhere"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer Settebello wrote it .schema 9"),
        ("UPDATE alembic_version SET version_num = '0013'", "only commit ff00e88 opens it"),
        ("DROP TABLE alembic_version", "another program's"),
        ("CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM log; END", "holds a trigger t"),
        (
            "CREATE VIEW club AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) "
            "SELECT i FROM n",
            "holds a view club",
        ),
        ("CREATE VIRTUAL TABLE v USING fts5(x)", "holds a virtual table v"),
        (HIDDEN.format("TRIGGER"), "damaged .malformed"),
        (HIDDEN.format("table"), "damaged .malformed"),
        (
            "ALTER TABLE log ADD COLUMN c GENERATED ALWAYS AS (zeroblob(1e9)) VIRTUAL",
            "holds a computed column log.c",
        ),
        *(
            (f"ALTER TABLE tables ADD COLUMN g int {spelled} (id)", "computed column tables.g")
            for spelled in ("AS", "as\t", "as/**/", "generated always as")
        ),
        ("ALTER TABLE tables DROP COLUMN drawing", "its table tables lacks: drawing VARCHAR"),
        ("ALTER TABLE tables ADD COLUMN a", "its table tables has the unknown: a"),
        (
            "UPDATE sqlite_master SET sql = replace(sql, 'CONSTRAINT pk_', "
            "'check(revision < 99), CONSTRAINT pk_') WHERE name = 'tables'",
            "its table tables has the unknown: check",
        ),
        ("DROP TABLE house_rules", "lacks the table house_rules"),
        ("CREATE TABLE extra(a DEFAULT (randomblob(1000)))", "unknown table extra"),
        ("CREATE INDEX i ON tables(code) WHERE abs(id) > 0", "unknown index i"),
        ("CREATE UNIQUE INDEX i ON tables(closed_at IS NULL)", "unknown index i"),
        ("INSERT INTO alembic_version VALUES ('0014')", "names several schemas .00"),
        ("UPDATE matches SET rules = '['", "a row of matches cannot be read"),
        ("UPDATE matches SET rules = '\"target\"'", "holds 'target' as matches.rules"),
        ("UPDATE matches SET rules = '{\"target\": 0}'", "table .... cannot be replayed"),
        ("UPDATE log SET facts = '{}'", "table .... cannot be replayed"),
        ("UPDATE log SET step = 'jump'", "a row of log cannot be read"),
        ("UPDATE tables SET opened_at = 'soon'", "a row of tables cannot be read"),
        ("UPDATE tables SET revision = 9223372036854775807", "854775807 as tables.revision"),
        ("UPDATE tables SET revision = 'x'", "holds 'x' as tables.revision"),
        ("UPDATE log SET revision = revision - 9", "holds -8 as log.revision"),
        ("UPDATE matches SET number = 5000000000", "holds 5000000000 as matches.number"),
        (
            "INSERT INTO house_rules VALUES ('Ours', '{\"target\": 0}', '2026-01-01 00:00:00')",
            "the rules 'Ours' cannot be replayed",
        ),
    ],
)
def test_a_file_that_is_no_whole_backup_of_ours_is_refused(
    file: str, tmp_path: Path, kind: str, why: str
) -> None:
    play(file)
    before = contents(file)
    write_unfit(kind, file, tmp_path / "b.db")
    with pytest.raises(BackupUnfitError, match=why):
        restore(file, tmp_path / "b.db")
    with pytest.raises(BackupUnfitError, match="the database itself"):
        restore(file, path_of(file))
    assert contents(file) == before
    assert not list(tmp_path.rglob("*replaced*"))


def test_restore_refuses_a_running_app_and_a_damaged_file(file: str, tmp_path: Path) -> None:
    play(file)
    before = contents(file)
    back_up(file, tmp_path / "b.db")
    (tmp_path / "bad.db").write_bytes((tmp_path / "b.db").read_bytes())
    damage(tmp_path / "bad.db")
    with pytest.raises(BackupUnfitError, match="damaged"):
        restore(file, tmp_path / "bad.db")
    with program(
        "from store import Store, tables",
        "store = Store(sys.argv[1])",
        "with store.reading() as session:",
        "    tables.newest(session)",
        "print('open', flush=True)",
        "sys.stdin.read()",
        arguments=[file],
    ) as app:
        assert line_of(app) == "open"
        with pytest.raises(AppRunningError, match="stop Settebello first"):
            restore(file, tmp_path / "b.db")
    assert contents(file) == before
    assert not list(tmp_path.rglob("*replaced*"))
    assert restore(file, tmp_path / "b.db") is not None, "a killed app holds nothing"


@pytest.mark.parametrize("has_links", [True, False])
def test_a_damaged_database_is_kept_and_replaced(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    play(file)
    before = contents(file)
    back_up(file, tmp_path / "b.db")
    damage(path_of(file))
    bad = path_of(file).read_bytes()
    path_of(file).with_name("settebello.db-wal").write_bytes(b"the newest lines")
    if not has_links:

        def refuse(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(Path, "hardlink_to", refuse)
    previous = restore(file, tmp_path / "b.db")
    assert contents(file) == before
    assert previous is not None
    assert previous.read_bytes() == bad
    assert previous.with_name(f"{previous.name}-wal").read_bytes() == b"the newest lines"


@pytest.mark.slow
def test_a_restore_that_is_killed_leaves_the_old_or_the_new(file: str, tmp_path: Path) -> None:
    code = play(file)
    with closing(Store(file)) as store:
        for number in range(15):  # so much that restoring takes a while
            write(
                store, piles.add_photo, code, JPEG + bytes([number]) * 1_000_000, hand_no=1, side=0
            )
    back_up(file, tmp_path / "b.db")
    new = contents(file)
    play(file, scope=2)
    old = contents(file)
    found: list[object] = []

    for delay_s in (0.05, 0.3):
        with program(
            "from pathlib import Path",
            "from store.backup import restore",
            "print('begun', flush=True)",
            "restore(sys.argv[1], Path(sys.argv[2]))",
            arguments=[file, str(tmp_path / "b.db")],
        ) as running:
            line_of(running)
            time.sleep(delay_s)
            os.kill(running.pid, signal.SIGKILL)
        found.append(contents(file))
        assert found[-1] in (old, new)
        if found[-1] == new:
            break
    assert old in found, "the first was killed before its end"
    restore(file, tmp_path / "b.db")
    assert contents(file) == new
    assert not list(path_of(file).parent.glob("*.restoring*"))
