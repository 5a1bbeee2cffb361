"""An evening as files: taken in elsewhere once, whole and checked; CSV for a spreadsheet."""

import csv
import io
import json
from functools import cache
from typing import Any

import pytest
from acting import SAMPLES, act
from evening_playing import NAMES, do, draw, now, opened, play, seen
from playing import Store

from table.access import ANONYMOUS, Credentials, Role
from table.evening import Evening, Teams
from table.evening_exchange import (
    evening_from_json,
    evening_json,
    results_csv,
    standings_csv,
    take_in,
)
from table.exchange import BrokenMatchError, ExchangeError, ForeignFileError, NewerFileError


def played(store: Store) -> str:
    """An evening of eight in pairs: two rounds, a result that was set, a side that did not come."""
    code = opened(store, *NAMES[:8], teams=Teams.DRAWN, best_of=3)
    first, second = draw(store, code)
    play(store, first.code, 11, 3)
    store.rematch(first.code, after=1)
    play(store, first.code, 11, 4)
    do(store, code, "result", code=second.code, absent=0)
    third, fourth = draw(store, code)
    play(store, third.code, 2, 1)
    do(store, code, "result", code=fourth.code, points=(9, 9))
    do(store, code, "public", link="secret")
    return code


def file_of(store: Store, code: str) -> bytes:
    codes = [seat.code for one in now(store, code).rounds for seat in one.seats]
    return evening_json(seen(store, code).log, store.played(codes)).encode()


def comes_to(evening: Evening) -> Any:
    """What an evening comes to, whatever its tables are called."""
    meetings = [
        [(one.seat.sides, one.points, one.won, one.winner, one.is_over) for one in meetings]
        for meetings in evening.meetings
    ]
    return meetings, evening.standings, [player.name for player in evening.players]


def test_an_evening_is_taken_in_elsewhere_once_and_comes_to_the_same() -> None:
    here, there = Store("sqlite://"), Store("sqlite://")
    code = played(here)
    file = file_of(here, code)
    assert b"secret" not in file
    with there.writing() as session:
        table = take_in(session, evening_from_json(file))
    assert table is not None
    new = table.code
    with there.writing() as session:
        assert take_in(session, evening_from_json(file)) is None, "it is there already"
    assert comes_to(now(there, new)) == comes_to(now(here, code))
    assert now(there, new).public is None
    assert len(there.list_tables()) == len(here.list_tables()) == 4
    assert {row.members for row in there.played()} == {row.members for row in here.played()}
    again = Store("sqlite://")
    with again.writing() as session:
        table = take_in(session, evening_from_json(file_of(there, new)))
    assert table is not None
    assert comes_to(now(again, table.code)) == comes_to(now(here, code))
    with here.writing() as session:
        assert take_in(session, evening_from_json(file)) is None


def test_a_file_takes_over_no_table_that_is_there_already() -> None:
    store = Store("sqlite://")
    code = played(store)
    data = json.loads(file_of(store, code))
    data["id"] = "evening-of-another"
    with store.writing() as session:
        forged = take_in(session, evening_from_json(json.dumps(data).encode()))
    assert forged is not None
    act(store, forged.code, "evening_sign_up", credentials=ANONYMOUS, name=NAMES[0], link="mine")
    phone = Credentials({forged.code: "mine", code: "mine"})
    for table in store.list_tables():
        assert (table.evening_code, table.match.best_of) == (code, 3)
        assert phone.role_at(table) is Role.VIEWER


@cache
def whole() -> bytes:
    store = Store("sqlite://")
    return file_of(store, played(store))


def broken(change: Any) -> bytes:
    data = json.loads(whole())
    change(data)
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda data: data.update(format="x"), ForeignFileError),
        (lambda data: data.update(version=9), NewerFileError),
        (lambda data: data.update(log=[]), BrokenMatchError),
        (lambda data: data["log"].pop(0), BrokenMatchError),
        (lambda data: data["log"][1]["facts"].update(name=" "), BrokenMatchError),
        (lambda data: data["log"][1]["facts"].update(do="fly"), BrokenMatchError),
        (lambda data: data["log"][0].update(at="yesterday"), BrokenMatchError),
        (lambda data: data["played"]["matches"].pop(), BrokenMatchError),
        (lambda data: data["played"]["matches"][0].update(members=[["A"]]), BrokenMatchError),
        (lambda data: data.update(id=7), BrokenMatchError),
        (lambda data: data["log"][0]["facts"]["plan"].update(tables=1e999), BrokenMatchError),
        (lambda data: data["log"][0]["facts"]["plan"].update(minutes=10**12), BrokenMatchError),
    ],
)
def test_a_file_that_is_not_whole_is_refused_and_says_where(
    change: Any, error: type[ExchangeError]
) -> None:
    with pytest.raises(error):
        evening_from_json(broken(change))
    for nothing in (b"", b"[]", b"\xff", b"[" * 9_999):
        with pytest.raises(ForeignFileError):
            evening_from_json(nothing)


def test_the_tables_for_spreadsheets_hold_every_meeting_and_everybody() -> None:
    store = Store("sqlite://")
    evening = now(store, played(store))
    rows = list(csv.DictReader(io.StringIO(results_csv(evening).removeprefix("\ufeff"))))
    assert [(row["round"], row["over"], row["set"]) for row in rows] == [
        ("1", "1", "0"), ("1", "1", "1"), ("2", "0", "0"), ("2", "1", "1")
    ]  # fmt: skip
    assert (rows[0]["points_1"], rows[0]["won_1"]) == ("22", "2")
    assert rows[1]["absent"] == rows[1]["side_1"]
    ranks = list(csv.DictReader(io.StringIO(standings_csv(evening).removeprefix("\ufeff"))))
    assert [row["rank"] for row in ranks] == [str(n) for n in range(1, 9)]
    assert {row["name"] for row in ranks} == {*NAMES[:8]}


def test_the_sample_evening_is_read_and_makes_the_tables_beside_it() -> None:
    store = Store("sqlite://")
    with store.writing() as session:
        table = take_in(session, evening_from_json((SAMPLES / "evening.json").read_bytes()))
    assert table is not None
    evening = now(store, table.code)
    assert (len(evening.players), len(evening.rounds), evening.is_over) == (12, 3, True)

    def rows(text: str) -> list[dict[str, str]]:
        found = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
        return [{name: row[name] for name in row if name != "code"} for row in found]

    for name, made in (("results", results_csv), ("standings", standings_csv)):
        kept = (SAMPLES / f"evening-{name}.csv").read_text(encoding="utf-8")
        assert rows(made(evening)) == rows(kept)
