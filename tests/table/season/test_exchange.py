"""A match out as a file and in again; what is no such file is refused, and nothing of it kept."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import command, edit_hand, match_of, query, read, record_hand, results_of
from season_playing import seasons

from scoring.cards import DECK
from scoring.hand import Side
from scoring.match import Match
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import PlayedMatch, Session, Store, log, season, tables
from table.names import checked_names
from table.season import exchange
from table.season.exchange import (
    BrokenMatchError,
    ExchangeError,
    ForeignFileError,
    LargeFileError,
    NewerFileError,
    SeveralMatchesError,
    match_from_json,
    to_json,
)
from table.season.statistics import season_of

NAMES = ("Anna", "Bruno")


def hand(cut: int, *, scope: int = 0) -> HandRecord:
    return HandRecord((Side("Anna", DECK[:cut], scope), Side("Bruno", DECK[cut:], 0)), dealer=0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'here.db'}")


@pytest.fixture
def other(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'there.db'}")


def played(store: Store, *, hands: int = 3) -> PlayedMatch:
    """Return a match of which the first hand was edited."""
    table = command(
        store, tables.open_table, NAMES, PRESETS["silver-lake"].changed(target=101), device="Anna"
    )
    for number in range(hands):
        made = hand(20 + number % 9, scope=number % 3)
        record_hand(store, table, made, key=f"a{number}", expected=number + 1, device="Anna")
    edited = hand(22, scope=9)
    edit_hand(store, table, edited, hand_no=1, key="b", expected=hands + 1, device="Bruno")
    [row] = query(store, season.played, [table.code])
    return row


def exported() -> dict[str, Any]:
    """Return the JSON of a file."""
    data: dict[str, Any] = json.loads(to_json(played(Store("sqlite://"))))
    return data


def parse(data: object) -> PlayedMatch:
    """Return the match in a file of this JSON."""
    return match_from_json(json.dumps(data).encode())


# Out and in again


@given(seasons())
def test_a_match_comes_back_as_it_was(rows: list[PlayedMatch]) -> None:
    for row in rows:
        assert match_from_json(to_json(row).encode()) == replace(row, code="", match_no=1)


def test_an_imported_match_is_the_same_and_goes_on(store: Store, other: Store) -> None:
    before = played(store)
    table = season.import_match(other, match_from_json(to_json(before).encode()))
    assert table is not None
    [after] = query(other, season.played)
    assert (after.id, after.opened_at, after.match) == (before.id, before.opened_at, before.match)
    for one, again in zip(before.hands, after.hands, strict=True):
        assert (again.device, again.made_at) == (one.device, one.made_at)
    assert season_of([after]).standings == season_of([before]).standings
    [result] = results_of(other, table)
    assert (result.totals, result.winner) == (before.match.totals, before.match.winner)
    assert result.hands == len(before.hands)

    revision = match_of(other, table).revision
    record_hand(other, table, hand(10), key="on", expected=revision)
    edit_hand(other, table, hand(5), hand_no=1, key="m", expected=revision + 1)
    assert match_of(other, table).match.hands[0] == hand(5)
    assert len(match_of(other, table).match.hands) == 4


def test_a_match_is_imported_once(store: Store, other: Store) -> None:
    row = match_from_json(to_json(played(store)).encode())
    assert season.import_match(other, row) is not None
    assert season.import_match(other, row) is None
    assert season.import_match(store, row) is None
    assert len(query(store, season.played)) == len(query(other, season.played)) == 1


def test_a_long_match_is_imported_in_parts(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season, "IMPORT_BATCH", 4)
    row = match_from_json(to_json(played(store, hands=10)).encode())
    write, found = other.write, []

    def noted(code: str) -> Any:
        found.append(len(read(other, log.steps, code)))
        return write(code)

    monkeypatch.setattr(other, "write", noted)
    table = season.import_match(other, row)
    assert table is not None
    assert found == [4, 8]
    assert match_of(other, table).match == row.match


def test_nothing_is_scored_in_a_transaction(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = match_from_json(to_json(played(store)).encode())
    writing = other.writing

    @contextmanager
    def alone() -> Iterator[Session]:
        with writing() as session, monkeypatch.context() as here:
            here.setattr(Match, "score", None)
            yield session

    monkeypatch.setattr(other, "writing", alone)
    assert season.import_match(other, row) is not None


def test_an_interrupted_import_continues(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season, "IMPORT_BATCH", 4)
    row = match_from_json(to_json(played(store, hands=10)).encode())
    with monkeypatch.context() as killed:
        killed.setattr(other, "write", lambda _code: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            season.import_match(other, row)
    [begun] = query(other, tables.newest)
    assert len(read(other, log.steps, begun)) == 4
    table = season.import_match(other, row)
    assert table is not None
    assert table.code == begun.code
    assert match_of(other, table).match == row.match
    assert season.import_match(other, row) is None


def test_a_longer_file_changes_no_match_that_is_stored(store: Store, other: Store) -> None:
    row = match_from_json(to_json(played(store)).encode())
    assert season.import_match(other, row) is not None
    longer = replace(row, match=row.match.record(hand(9)), hands=(*row.hands, row.hands[-1]))
    assert season.import_match(other, longer) is None
    [kept] = query(other, season.played)
    assert kept.match == row.match


# What is refused


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'{"format": "chess"}', b"\xff\xfe", b"[" * 100_000,
     b'{"format": "settebello-matches", "version": 1, "matches": "\\ud800"}'],
    ids=["empty", "torn", "a list", "null", "another format", "no UTF-8", "nested", "half a pair"],
)  # fmt: skip
def test_what_is_no_file_of_matches_is_refused(data: bytes) -> None:
    with pytest.raises(ForeignFileError):
        match_from_json(data)


@pytest.mark.parametrize("version", [3, None, "1", True])
def test_a_file_of_a_newer_program_is_refused(version: object) -> None:
    data = {"format": exchange.FORMAT, "version": version, "matches": []}
    with pytest.raises(NewerFileError):
        parse(data)


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    """Return what puts a value at a place of a file."""

    def change(data: dict[str, Any]) -> None:
        inner: Any = data
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value

    return change


HAND = ("matches", 0, "hands", 0)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (put("matches", value=None), "matches"),
        (put("matches", 0, value=7), "matches[0]"),
        (put("matches", 0, "id", value=""), "matches[0].id"),
        (put("matches", 0, "best_of", value=0), "matches[0].best_of"),
        (put("matches", 0, "best_of", value=True), "matches[0].best_of"),
        (put("matches", 0, "opened_at", value="yesterday"), "matches[0].opened_at"),
        (put("matches", 0, "opened_at", value="2026-11-25"), "matches[0].opened_at"),
        (put("matches", 0, "opened_at", value="0001-01-01T00:00:00+14:00"), "matches[0].opened_at"),
        (put("matches", 0, "opened_at", value="1999-12-31T23:59:59+00:00"), "matches[0].opened_at"),
        (put("matches", 0, "opened_at", value="2101-01-01T00:00:00+00:00"), "matches[0].opened_at"),
        (put("matches", 0, "id", value="x" * 81), "matches[0].id"),
        (put("matches", 0, "names", value=["A" * 25, "Bruno"]), "matches[0].names[0]"),
        (put("matches", 0, "names", value="Anna"), "matches[0].names"),
        (put("matches", 0, "names", value=["Anna", 7]), "matches[0].names[1]"),
        (put("matches", 0, "names", value=["Anna", "B\0"]), "matches[0].names[1]"),
        (put("matches", 0, "names", value=["Anna"]), "matches[0].hands[0]"),
        (put("matches", 0, "names", value=["Anna", "Anna"]), "matches[0]"),
        (put("matches", 0, "rules", "target", value=-1), "matches[0].rules.target"),
        (put("matches", 0, "rules", "jokers", value=2), "matches[0].rules.jokers"),
        (put("matches", 0, "hands", value={}), "matches[0].hands"),
        (put(*HAND, value=None), "matches[0].hands[0]"),
        (put(*HAND, "by", value=None), "matches[0].hands[0].by"),
        (put(*HAND, "at", value=12), "matches[0].hands[0].at"),
        (put(*HAND, "at", value="9999-12-31T23:59:59-14:00"), "matches[0].hands[0].at"),
        (put(*HAND, "sides", 0, "pile", value=["11d"]), "matches[0].hands[0].sides[0].pile"),
        (put(*HAND, "sides", 0, "scope", value=-1), "matches[0].hands[0].sides[0].scope"),
        (put(*HAND, "sides", 0, "pile", value=["7d", "7d"]), "matches[0].hands[0]"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_named(
    change: Callable[[dict[str, Any]], None], where: str
) -> None:
    data = exported()
    change(data)
    with pytest.raises(BrokenMatchError) as caught:
        parse(data)
    assert caught.value.where.startswith(where)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [put("matches", 0, "hands", value=[7] * 2001), put("matches", 0, "seats", value=[7] * 2001)],
    ids=["hands", "seats"],
)
def test_a_longer_match_than_can_be_played_is_refused(
    change: Callable[[dict[str, Any]], None],
) -> None:
    data = exported()
    change(data)
    with pytest.raises(LargeFileError):
        parse(data)


def test_a_file_over_2_mb_is_refused() -> None:
    with pytest.raises(LargeFileError):
        match_from_json(b" " * 2_000_001)


@pytest.mark.parametrize("year", [2000, 2100])
def test_matches_of_this_century_are_imported(year: int, other: Store) -> None:
    data = exported()
    data["matches"][0]["opened_at"] = f"{year}-06-01T10:00:00+14:00"
    row = parse(data)
    assert row.opened_at.year == year
    assert season.import_match(other, row) is not None


def test_one_match_is_imported_at_a_time() -> None:
    data = exported()
    for count in (0, 2):
        with pytest.raises(SeveralMatchesError) as caught:
            parse(data | {"matches": data["matches"] * count})
        assert caught.value.count == count


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_no_file_at_all_brings_up_another_error(value: object) -> None:
    data = {"format": exchange.FORMAT, "version": 1, "matches": [value]}
    with pytest.raises(ExchangeError):
        parse(data)


ODD = {
    "\u202eonurB": "onurB",
    "\u2066Bru\u2069no\u200b": "Bruno",
    " Bru\r\nno\t": "Bru no",
    "Bru\u3164no\u2800": "Bruno",
    "\x1b[31mBruno": "[31mBruno",
    "B" + "\u0301" * 40: "B" + "\u0301" * 3,
    "<script>x(1)</script>": "<script>x(1)</script>",
    "*[x](javascript:y)*": "*[x](javascript:y)*",
}
"""Names that hide something, as they are kept; screens escape what is left."""


@pytest.mark.parametrize(("name", "kept"), ODD.items(), ids=range(len(ODD)))
def test_names_of_a_file_are_kept_as_typed_ones_are(name: str, kept: str) -> None:
    data = exported()
    one = data["matches"][0]
    for facts in one["hands"]:
        facts["sides"][1]["name"] = facts["by"] = name
    one["names"][1] = one["rules"]["name"] = name
    row = parse(data)
    assert row.match.names == ("Anna", kept)
    assert row.match.hands[0].sides[1].name == kept
    assert (row.match.rules.name, row.hands[0].device) == (kept, kept)
    assert checked_names(("Anna", name[:24])) == ("Anna", kept[:24])


def test_invisible_and_lookalike_names_are_refused() -> None:
    for name, where in (
        ("\u202e\u200b", "matches[0].names[1]"),
        ("\u3164\u2800", "matches[0].names[1]"),
        ("An\u200bna", "matches[0]"),
    ):
        data = exported()
        data["matches"][0]["names"][1] = name
        with pytest.raises(BrokenMatchError) as caught:
            parse(data)
        assert caught.value.where.startswith(where)
