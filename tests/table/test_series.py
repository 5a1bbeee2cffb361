"""The best of three at any table, and substitutes that earlier versions stored."""

import json
from typing import Any

import pytest
from acting import act
from earlier import seat
from playing import command, find_table, query, read, record_hand, rematch, revision_of

from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import Seating, Step, Store, Table, log, season, tables
from table.access import SYSTEM
from table.actions import SubstitutesEndedError, parse_request
from table.requests import RequestError
from table.season.exchange import BrokenMatchError, match_from_json, to_json
from table.season.statistics import season_of
from table.series import Series
from table.view import TableView, load_view

RULES = PRESETS["silver-lake"].changed(hands=1, draw=True)
"""A match is one hand, and may end level."""


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), RULES)


def seen(store: Store, table: Table) -> TableView:
    return load_view(store, table.code, credentials=SYSTEM)


def play(store: Store, table: Table, *scope: int) -> Series:
    """Play the match to its end, the next one first where one is over."""
    view = seen(store, table)
    if view.match.is_over:
        rematch(store, table, after=view.row.match_no)
        view = seen(store, table)
    sides = (Side(name, (), made) for name, made in zip(view.names, scope, strict=True))
    revision = view.row.revision
    record_hand(store, table, HandRecord(tuple(sides)), key=f"k{revision}", expected=revision)
    return seen(store, table).series


def change(store: Store, table: Table, best_of: int) -> None:
    view = seen(store, table)
    sent = {"shown": view.row.revision, "names": view.names, "rules": RULES, "best_of": best_of}
    act(store, table.code, "change_match", **sent)


def test_a_table_plays_the_best_of_three_and_then_a_new_one(store: Store, table: Table) -> None:
    single = play(store, table, 1, 0)
    assert (single.best_of, single.is_over) == (1, True)
    rematch(store, table, after=1)
    change(store, table, 3)
    assert seen(store, table).series.won == (0, 0), "the match before was not of this series"
    assert play(store, table, 2, 0) == Series(best_of=3, won=(1, 0), played=1)
    assert play(store, table, 1, 1) == Series(best_of=3, won=(1, 0), played=2)
    over = play(store, table, 0, 1)
    assert (over.won, over.is_over, over.winner) == ((1, 1), True, None)
    assert play(store, table, 0, 1) == Series(best_of=3, won=(0, 1), played=1)
    over = play(store, table, 0, 1)
    assert (over.won, over.winner) == ((0, 2), 1)
    first, *_, last = query(store, season.played, [table.code])
    assert [match_from_json(to_json(row).encode()).best_of for row in (first, last)] == [1, 3]


def test_series_length_is_one_three_or_five(store: Store, table: Table) -> None:
    with pytest.raises(RequestError):
        change(store, table, 2)
    with store.write(table.code) as found:
        found.evening_code = "ZZZZ"
    change(store, table, 5)
    assert seen(store, table).series.best_of == 1


def test_a_match_that_ended_level_is_over_in_every_list(store: Store, table: Table) -> None:
    play(store, table, 2, 2)
    row = find_table(store, table.code)
    assert (row.is_over, row.winner, row.totals) == (True, None, (2, 2))


def test_stored_substitutes_replay_and_can_be_undone(store: Store) -> None:
    table = command(store, tables.open_table, ("Anna", "Bruno & Carla"), PRESETS["silver-lake"])
    play(store, table, 1, 0)
    seat(store, table, 0, "Zoe")
    seat(store, table, 1, "Bruno", "Dora")
    both = (
        Seating(hand_no=2, side=0, members=("Zoe",)),
        Seating(hand_no=2, side=1, members=("Bruno", "Dora")),
    )
    assert seen(store, table).row.seats == both
    act(store, table.code, "undo", revision=revision_of(store, table))
    assert seen(store, table).row.seats == both[:1]
    act(store, table.code, "redo", revision=revision_of(store, table))
    assert seen(store, table).row.seats == both
    steps = [(one.step, one.hand_no) for one in read(store, log.steps, table)]
    assert steps[2:] == [(Step.SEAT, 2), (Step.SEAT, 2), (Step.UNDO, 2), (Step.REDO, 2)]


def test_a_waiting_substitute_of_an_earlier_version_is_refused() -> None:
    with pytest.raises(SubstitutesEndedError):
        parse_request({"key": "k", "match": 1, "hand": 1, "side": 0, "do": "seat"})


def test_rematch_keeps_current_players(store: Store, table: Table) -> None:
    seat(store, table, 0, "Zoe")
    play(store, table, 2, 0)
    play(store, table, 2, 0)
    assert seen(store, table).names == ("Zoe", "Bruno")
    rows = query(store, season.played, [table.code])
    counted = season_of(rows)
    assert {one.name: one.won for one in counted.standings} == {"Zoe": 2, "Bruno": 0}
    files = [to_json(row) for row in rows]
    other = Store("sqlite://")
    for file in files:
        assert season.import_match(other, match_from_json(file.encode())) is not None
    assert season_of(query(other, season.played)).standings == counted.standings
    broken: list[dict[str, Any]] = [{"hand": 9}, {"side": 4}, {"members": []}, {"members": [1]}]
    for wrong in broken:
        data = json.loads(files[0])
        data["matches"][0]["seats"][0] |= wrong
        with pytest.raises(BrokenMatchError):
            match_from_json(json.dumps(data).encode())
