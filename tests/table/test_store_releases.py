"""Databases that earlier releases made open, keep all they hold, and hold no sentence any more."""

import json
import sqlite3
from pathlib import Path

import pytest

from table.draft import Draft, Fault
from table.store import Store
from vision.reading import PhotoProblemKind, Region

DUMPS = sorted((Path(__file__).parent / "databases").glob("*.sql"))


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database as an earlier release left it."""
    path = tmp_path / "settebello.db"
    connection = sqlite3.connect(path)
    connection.executescript(request.param.read_text(encoding="utf-8"))
    connection.close()
    return path


def test_a_database_of_an_earlier_release_keeps_its_hands_and_its_scope(file: Path) -> None:
    store = Store(f"sqlite:///{file}")
    [table] = store.list_tables()
    match = store.match_of(table).match
    assert match.names == ("Anna", "Bruno")
    assert [len(side.pile) for side in match.hands[0].sides] == [22, 18]
    assert match.hands[0].sides[0].scope == 1
    assert store.scope_counts(table) == (0, 1)


def test_a_database_of_an_earlier_release_keeps_its_photos_and_drafts(file: Path) -> None:
    store = Store(f"sqlite:///{file}")
    [table] = store.list_tables()
    anna, bruno = (Draft.from_dict(row.draft) for row in store.drafts(table))
    assert store.photo(anna.photos[0])[:2] == b"\xff\xd8"
    assert (anna.seen[0].guess, anna.seen[0].alternatives) == ("7d", ("6d", "x"))
    assert (anna.by_hand, anna.counted) == (("1c", "2c"), 3)
    assert bruno.by_hand == ("10s",)


def test_sentences_that_an_earlier_release_kept_are_kinds_now(file: Path) -> None:
    store = Store(f"sqlite:///{file}")
    [table] = store.list_tables()
    row, _ = store.drafts(table)
    assert "notes" not in row.draft
    assert Draft.from_dict(row.draft).faults == (
        Fault(photo=1, kind=PhotoProblemKind.BLURRED, region=Region.TOP_LEFT),
        Fault(photo=1, kind=PhotoProblemKind.DARK),
        Fault(photo=1, kind=PhotoProblemKind.COVERED, region=Region.MIDDLE),
    )
    store.close()
    connection = sqlite3.connect(file)
    kept = [json.loads(text) for (text,) in connection.execute("SELECT draft FROM drafts")]
    connection.close()
    assert not any(" " in fault["kind"] for draft in kept for fault in draft["faults"])
