"""Matches out as files and in again; what is no such file is refused, and nothing of it kept."""

import csv
import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import Store
from season_playing import seasons

from scoring.cards import DECK
from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import PlayedMatch
from table import exchange
from table.exchange import (
    BrokenMatchError,
    ExchangeError,
    ForeignFileError,
    LargeFileError,
    NewerFileError,
    SeveralMatchesError,
    defused,
    from_json,
    match_from_json,
    matches_csv,
    season_csv,
    to_json,
)
from table.names import checked_names
from table.season import season_of

NAMES = ("Anna", "Bruno")


def hand(cut: int, *, scope: int = 0) -> HandRecord:
    return HandRecord((Side("Anna", DECK[:cut], scope), Side("Bruno", DECK[cut:], 0)), dealer=0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'here.db'}")


@pytest.fixture
def other(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'there.db'}")


def two_tables(store: Store) -> None:
    """A table with two matches and a hand mended, and another with one match that goes on."""
    table = store.open_table(NAMES, PRESETS["silver-lake"], device="Anna")
    store.record_hand(table, hand(25, scope=9), key="a", expected=1, device="Anna")
    store.edit_hand(table, hand(22, scope=9), hand_no=1, key="b", expected=2, device="Bruno")
    store.rematch(table, after=1)
    store.record_hand(table, hand(19), key="c", expected=4)
    second = store.open_table(("Carla", "Dario"), PRESETS["escoba"])
    store.record_hand(second, hand(30), key="d", expected=1)


@cache
def _exported() -> str:
    store = Store("sqlite://")
    two_tables(store)
    return to_json(store.played())


def exported() -> dict[str, Any]:
    """The file of the two tables."""
    data: dict[str, Any] = json.loads(_exported())
    return data


# JSON


@given(seasons())
def test_matches_come_back_as_they_were(rows: list[PlayedMatch]) -> None:
    assert from_json(to_json(rows).encode()) == tuple(rows)


def test_what_another_store_imports_is_the_same_once_at_new_tables_and_goes_on(
    store: Store, other: Store
) -> None:
    two_tables(store)
    data: dict[str, Any] = json.loads(to_json(store.played()))
    data["matches"] *= 2  # a match that is twice in a file is one
    matches = from_json(json.dumps(data).encode())
    first, second = other.take_in(matches)
    before, after = store.played(), other.played()
    assert {first.code, second.code}.isdisjoint(row.code for row in before)
    assert [(row.id, row.opened_at, row.match.totals) for row in after] == [
        (row.id, row.opened_at, row.match.totals) for row in before
    ]
    who = [[(hand.device, hand.made_at) for hand in row.hands] for row in before]
    assert [[(hand.device, hand.made_at) for hand in row.hands] for row in after] == who
    assert season_of(after).standings == season_of(before).standings
    for table in (first, second):
        states = {row.match_no: row.match for row in other.matches_of(table)}
        for result in other.results_of(table):
            match = states[result.match_no]
            assert (result.totals, result.winner) == (match.totals, match.winner)
            assert result.hands == len(match.hands)

    assert other.take_in(matches) == ()
    assert store.take_in(from_json(to_json(after).encode())) == ()
    assert len(store.played()) == len(other.played()) == 3

    revision = other.match_of(first).revision
    other.record_hand(first, hand(10), key="on", expected=revision)
    other.edit_hand(first, hand(5), match_no=1, hand_no=1, key="m", expected=revision + 1)
    assert len(other.match_of(first).match.hands) == 2
    assert other.match_of(first, match_no=1).match.hands == (hand(5),)
    assert len(other.match_of(second).match.hands) == 1


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'{"format": "chess"}', b"\xff\xfe", b"[" * 100_000,
     b'{"format": "settebello-matches", "version": 1, "matches": "\\ud800"}'],
    ids=["empty", "torn", "a list", "null", "another format", "no UTF-8", "nested", "half a pair"],
)  # fmt: skip
def test_what_is_no_file_of_matches_is_refused(data: bytes) -> None:
    with pytest.raises(ForeignFileError):
        from_json(data)


@pytest.mark.parametrize("version", [3, None, "1", True])
def test_a_file_of_a_newer_program_is_refused(version: object) -> None:
    data = {"format": exchange.FORMAT, "version": version, "matches": []}
    with pytest.raises(NewerFileError):
        from_json(json.dumps(data).encode())


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    """Gives what puts a value at a place of a file."""

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
        (put("matches", 0, "table", value=None), "matches[0].table"),
        (put("matches", 0, "number", value=0), "matches[0].number"),
        (put("matches", 0, "number", value=True), "matches[0].number"),
        (put("matches", 0, "opened_at", value="yesterday"), "matches[0].opened_at"),
        (put("matches", 0, "opened_at", value="2026-11-25"), "matches[0].opened_at"),
        (put("matches", 0, "opened_at", value="0001-01-01T00:00:00+14:00"), "matches[0].opened_at"),
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
        from_json(json.dumps(data).encode())
    assert caught.value.where.startswith(where)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        put("matches", value=[7] * 1_001),
        put("matches", 0, "hands", value=[7] * 501),
        put("matches", 0, "names", value=["A" * 81, "Bruno"]),
    ],
)
def test_what_is_larger_than_any_season_is_refused(
    change: Callable[[dict[str, Any]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = exported()
    change(data)
    with pytest.raises(LargeFileError):
        from_json(json.dumps(data).encode())
    monkeypatch.setattr(exchange, "MAX_FILE_BYTES", 100)
    with pytest.raises(LargeFileError):
        from_json(b" " * 101)


def test_one_match_is_imported_at_a_time() -> None:
    data = exported()
    every = data["matches"]
    assert match_from_json(json.dumps(data | {"matches": every[:1]}).encode()).id == every[0]["id"]
    for count in (0, len(every)):
        with pytest.raises(SeveralMatchesError) as caught:
            match_from_json(json.dumps(data | {"matches": every[:count]}).encode())
        assert caught.value.count == count


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_no_file_at_all_brings_up_another_error(value: object) -> None:
    data = {"format": exchange.FORMAT, "version": 1, "matches": [value]}
    with pytest.raises(ExchangeError):
        from_json(json.dumps(data).encode())


# CSV


def rows_of(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@given(seasons())
def test_the_spreadsheet_adds_up_to_the_totals_and_holds_no_formula(
    rows: list[PlayedMatch],
) -> None:
    found = rows_of(matches_csv(rows))
    for row in rows:
        for side, name in enumerate(row.match.names):
            mine = [
                one
                for one in found
                if (one["table"], one["match"]) == (row.code, str(row.match_no))
                and one["side"].removeprefix("'") == name
            ]
            counted = sum(int(one["points"]) for one in mine if one["counts"] == "1")
            assert counted == row.match.totals[side]
            assert not mine or int(mine[-1]["total"]) == counted
    cells = [cell for one in found for cell in one.values()]
    cells += [cell for one in rows_of(season_csv(season_of(rows))) for cell in one.values()]
    assert not [c for c in cells if c.startswith(exchange.FORMULA) and not c.lstrip("-").isdigit()]


def test_a_hand_counted_half_by_cards_and_half_by_heart_keeps_what_was_known_of_it(
    store: Store, other: Store
) -> None:
    said = {"carte": (0, 1), "denari": (1, 0), "settebello": (1, 0), "primiera": (0, 0)}
    anna, bruno = (tuple((name, one[side]) for name, one in said.items()) for side in range(2))
    mixed = HandRecord((Side("Anna", DECK[:7], 9, counted=anna), Side("Bruno", (), counted=bruno)))
    table = store.open_table(NAMES, PRESETS["silver-lake"])
    store.record_hand(table, hand(25), key="a", expected=1)
    store.record_hand(table, mixed, key="b", expected=2)
    other.take_in(from_json(to_json(store.played()).encode()))
    [row] = other.played()
    assert row.match.hands[1].sides == mixed.sides
    columns = ("points", "total", "cards", "denari", "settebello", "scope", "pile")
    found = [[one[name] for name in columns] for one in rows_of(matches_csv([row]))]
    pile = "1d 2d 3d 4d 5d 6d 7d"
    assert [one[2:4] for one in found[:2]] == [["25", "10"], ["15", "0"]]
    assert found[2:] == [["11", "14", "", "", "1", "9", pile], ["1", "1", "", "", "0", "0", ""]]
    standings = {one["player"]: one for one in rows_of(season_csv(season_of([row])))}
    assert standings["Anna"]["settebelli"] == "2", "the one that somebody said too"


@pytest.mark.parametrize("start", exchange.FORMULA)
def test_a_cell_that_a_spreadsheet_would_run_is_defused(start: str) -> None:
    assert defused(f"{start}1+1") == f"'{start}1+1"
    assert defused(f"A{start}") == f"A{start}"


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
    one["names"][1] = one["hands"][0]["sides"][1]["name"] = one["hands"][0]["by"] = name
    one["rules"]["name"] = name
    [row, *_] = from_json(json.dumps(data).encode())
    assert row.match.names == ("Anna", kept)
    assert row.match.hands[0].sides[1].name == kept
    assert (row.match.rules.name, row.hands[0].device) == (kept, kept)
    assert checked_names(("Anna", name[:24])) == ("Anna", kept[:24])
    cells = [cell for line in rows_of(matches_csv([row])) for cell in line.values()]
    assert not [cell for cell in cells if any(ord(sign) < 32 for sign in cell)]


def test_a_name_of_nothing_that_is_seen_and_two_that_look_the_same_are_refused() -> None:
    for name, where in (
        ("\u202e\u200b", "matches[0].names[1]"),
        ("\u3164\u2800", "matches[0].names[1]"),
        ("An\u200bna", "matches[0]"),
    ):
        data = exported()
        data["matches"][0]["names"][1] = name
        with pytest.raises(BrokenMatchError) as caught:
            from_json(json.dumps(data).encode())
        assert caught.value.where.startswith(where)
