"""The `settebello` command: its subcommands, and that it still starts the app."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from playing import command, match_of, query, read, record_hand, write

from scoring.cards import DECK
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from screens import cli, doctor
from screens.doctor import Finding, findings, report
from store import Store, piles, tables, uploads
from vision.networks import NETWORK_FILES

JPEG = b"\xff\xd8\xff\xe0 a small picture"
LATER = datetime.now(UTC) + timedelta(days=400)


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SETTEBELLO_ADDRESS", "http://192.168.1.20:8501")
    for name in ("SETTEBELLO_PHOTO_DAYS", "SETTEBELLO_LOG", "SETTEBELLO_METRICS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def store() -> Iterator[Store]:
    with closing(Store()) as opened:
        yield opened


def played(store: Store) -> str:
    """Return a table with a hand and a photo."""
    table = command(store, tables.open_table, ("Anna", "Bruno"), Rules())
    write(store, piles.add_photo, table, JPEG, hand_no=1, side=0)
    sides = Side("Anna", DECK[:22], 0), Side("Bruno", DECK[22:], 0)
    record_hand(store, table, HandRecord(sides), key="k", expected=1)
    return table.code


def run(*words: object) -> int:
    """Return the exit status of a subcommand; a sentence counts as 1."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(word) for word in words])
    code = ended.value.code
    return code if isinstance(code, int) else 1


def test_a_backup_and_its_restore(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = played(store)
    assert run("backup", tmp_path / "b.db") == 0
    assert "whole, schema 0" in capsys.readouterr().out
    write(store, piles.add_scope, code, 0)
    store.close()
    assert run("restore", tmp_path / "b.db") == 0
    said = capsys.readouterr().out
    assert read(store, piles.scope_counts, code) == (0, 0)
    [aside] = Path(store.place).parent.glob("settebello-replaced-*.db")
    assert str(aside) in said


def test_a_restore_where_nothing_was(store: Store, tmp_path: Path) -> None:
    played(store)
    run("backup", tmp_path / "b.db")
    assert run("restore", tmp_path / "b.db", "--home", tmp_path / "new") == 0
    assert (tmp_path / "new" / "settebello.db").is_file()


def test_what_cannot_be_done_is_a_sentence(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(store)
    with pytest.raises(SystemExit, match=r"settebello: expected a whole backup .* there is none"):
        cli.main(["restore", str(tmp_path / "b.db")])
    with pytest.raises(SystemExit, match="expected the code of an open table"):
        cli.main(["forget", "AAAA"])
    run("backup", tmp_path / "b.db")
    with pytest.raises(SystemExit, match="stop Settebello first"):
        cli.main(["restore", str(tmp_path / "b.db")])
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("words", [["forget"], ["forget", "K7QF", "--old"], ["backup"]])
def test_a_command_line_that_means_nothing_is_refused(words: list[str]) -> None:
    assert run(*words) == 2


@pytest.mark.parametrize(
    ("how", "count"), [(["--days", "0"], 1), (["--days", "1"], 0), (["--old"], 0), (["CODE"], 1)]
)
def test_photos_are_forgotten(
    store: Store, capsys: pytest.CaptureFixture[str], how: list[str], count: int
) -> None:
    code = played(store)
    assert run("forget", *[code.lower() if word == "CODE" else word for word in how]) == 0
    assert f"{count} photos deleted" in capsys.readouterr().out
    assert query(store, piles.is_kept, 1) is (count == 0)
    assert len(match_of(store, code).match.hands) == 1


def test_forget_says_that_the_database_is_in_use(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code = played(store)
    monkeypatch.setattr("store.database.BUSY_MS", 50)
    with closing(sqlite3.connect(store.place, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM photos").fetchone()
        assert run("forget", code) == 1
    assert "1 photos deleted" in (said := capsys.readouterr().out)
    assert "is in use" in said
    assert run("forget", code) == 0


def found(**of: object) -> dict[str, Finding]:
    return {one.what: one for one in findings(port=cli.PORT if not of else int(str(of["port"])))}


@pytest.mark.models
def test_a_new_place_is_well(free_port: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("doctor", "--port", free_port) == 0
    said = capsys.readouterr().out
    assert "Nothing is wrong." in said
    assert "the first start makes it" in said


@pytest.mark.models
def test_few_descriptors_are_told(free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("screens.doctor.allowed_descriptors", lambda: 64)
    told = found(port=free_port)["limits"]
    assert not told.is_well
    assert told.said.startswith("64 connections and files may be open: allow 1,024 (ulimit -n")


@pytest.mark.models
def test_a_database_in_use_is_well(store: Store, free_port: int) -> None:
    played(store)
    told = found(port=free_port)
    assert all(one.is_well for one in told.values()), report(list(told.values()))
    assert told["database"].said == f"{store.place}, whole"
    assert "is free" in told["port"].said


def test_the_doctor_ends_with_one_and_says_what_to_do(
    store: Store, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    played(store)
    store.close()
    Path(store.place).write_bytes(b"Dear diary, " * 1000)
    assert run("doctor", "--port", free_port) == 1
    said = capsys.readouterr().out
    assert "WRONG   database" in said
    assert "restore a backup" in said
    assert "1 thing is wrong." in said
    assert "well    disk" in said, "all else is looked at too"


def test_an_older_schema_is_told_and_left(store: Store, free_port: int) -> None:
    played(store)
    store.close()
    with closing(sqlite3.connect(store.place)) as changed, changed:
        changed.execute("UPDATE alembic_version SET version_num = '0014'")
    told = found(port=free_port)["schema"]
    assert told.is_well
    assert told.said.startswith("0014: the next start brings it to")


def test_a_schema_before_the_baseline_is_wrong(store: Store, free_port: int) -> None:
    played(store)
    store.close()
    with closing(sqlite3.connect(store.place)) as changed, changed:
        changed.execute("UPDATE alembic_version SET version_num = '0013'")
    told = found(port=free_port)["database"]
    assert not told.is_well
    assert "ff00e88" in told.said


def test_photos_that_wait_too_long_are_wrong(
    store: Store, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = played(store)
    write(store, uploads.add, code, b"x", key="k", name="a.jpg", match_no=1, hand_no=2, side=0)
    told = found(port=free_port)["photos"]
    assert (told.is_well, told.said) == (True, "1 wait to be read")
    monkeypatch.setattr(doctor, "LONGEST_WAIT", timedelta(0))
    told = found(port=free_port)["photos"]
    assert not told.is_well
    assert "start Settebello" in told.said


def test_a_clock_that_goes_back_is_wrong(
    store: Store, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(store)
    monkeypatch.setattr(doctor, "FIRST_DAY", LATER)
    told = found(port=free_port)["clock"]
    assert not told.is_well
    assert "set the clock" in told.said
    monkeypatch.setattr(doctor, "FIRST_DAY", LATER - timedelta(days=500))
    with closing(sqlite3.connect(store.place)) as changed, changed:
        changed.execute("UPDATE log SET made_at = '2031-01-01 00:00:00.000000'")
    assert "2031-01-01" in found(port=free_port)["clock"].said


def test_a_full_disk_is_wrong(free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**8))
    told = found(port=free_port)["disk"]
    assert not told.is_well
    assert "100 MB free" in told.said


@pytest.mark.parametrize("broken", [False, True], ids=["missing", "broken"])
def test_networks_that_cannot_be_loaded_are_wrong(
    free_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    monkeypatch.setattr(doctor, "MODELS", tmp_path)
    for name in NETWORK_FILES if broken else NETWORK_FILES[1:]:
        (tmp_path / name).write_bytes(b"no network")
    told = found(port=free_port)["networks"]
    assert not told.is_well
    assert "locate.onnx" in told.said


class Answers(BaseHTTPRequestHandler):
    """What stands at a port: Settebello's health, or another program's page."""

    said = b"<html>"

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.said)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("said", "is_well", "told"),
    [
        ({"is": "well", "store": True}, True, "is well"),
        ({"is": "ill", "store": False, "readers": True}, False, r"not well (store)"),
        (["other"], False, "to be free"),
    ],
)
def test_who_answers_at_the_port_is_told(
    monkeypatch: pytest.MonkeyPatch, said: object, is_well: bool, told: str
) -> None:
    monkeypatch.setattr(Answers, "said", json.dumps(said).encode())
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            one = found(port=server.server_port)["port"]
        finally:
            server.shutdown()
            serving.join()
    assert one.is_well is is_well
    assert told in one.said


@pytest.mark.parametrize(
    ("given", "is_well"),
    [
        ("https://scopa.example", True),
        ("http://192.168.1.20:8501", True),
        ("http://127.0.0.1:8501", False),
        ("http://localhost", False),
        ("scopa.example", False),
    ],
)
def test_an_address_that_no_phone_can_join_by_is_wrong(
    free_port: int, monkeypatch: pytest.MonkeyPatch, given: str, is_well: bool
) -> None:
    monkeypatch.setenv("SETTEBELLO_ADDRESS", given)
    assert found(port=free_port)["address"].is_well is is_well


@pytest.mark.parametrize("name", ["SETTEBELLO_PHOTO_DAYS", "SETTEBELLO_LOG", "SETTEBELLO_METRICS"])
def test_a_setting_that_means_nothing_is_wrong(
    free_port: int, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "nonsense")
    told = found(port=free_port)["settings"]
    assert not told.is_well
    assert name in told.said


def test_the_doctor_changes_nothing(free_port: int, home: Path) -> None:
    found(port=free_port)
    assert not home.exists()
