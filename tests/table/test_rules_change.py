"""Rules changed in mid-match: which hands they count for, on every way that a match is read."""

import json
from typing import Any

import pytest
from acting import act
from earlier import change_rules_from_now
from playing import command, edit_hand, find_table, query, read, record_hand, rematch, revision_of

from scoring.cards import DECK
from scoring.errors import HandError, RulesError
from scoring.hand import Side
from scoring.match import Match
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import Step, Store, Table, log, season, tables
from table.access import SYSTEM
from table.actions import SavedElsewhereError
from table.registry import ScreenChangedError
from table.season.exchange import BrokenMatchError, match_from_json, to_json
from table.season.spreadsheet import matches_csv
from table.season.statistics import season_of
from table.view import TableView, load_view

FIRST = PRESETS["silver-lake"]
"""One point for the settebello."""
SECOND = FIRST.changed(name="ours", settebello=3)


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), FIRST)


def seen(store: Store, table: Table, **where: int) -> TableView:
    return load_view(store, table.code, credentials=SYSTEM, **where)


def hand(*scope: int, takes: int = 40) -> HandRecord:
    """A hand in which Anna has the first cards of the deck, the settebello among them: 4 points."""
    piles = (DECK[:takes], DECK[takes:])
    names = ("Anna", "Bruno")
    made = scope or (0, 0)
    sides = (Side(*one) for one in zip(names, piles, made, strict=True))
    return HandRecord(tuple(sides), dealer=0)


def play(store: Store, table: Table, *scope: int) -> Match:
    revision = seen(store, table).row.revision
    record_hand(store, table, hand(*scope), key=f"k{revision}", expected=revision)
    return seen(store, table).match


def change(store: Store, table: Table, rules: Any, *, shown: int = 0, **sent: Any) -> Match:
    view = seen(store, table)
    sent |= {"shown": shown or view.row.revision, "names": view.names, "rules": rules}
    act(store, table.code, "change_match", **sent)
    return seen(store, table).match


def points(match: Match) -> list[int]:
    """Return what Anna made in each hand."""
    return [score.points[0] for score in match.scores]


def test_new_rules_recount_the_whole_match(store: Store, table: Table) -> None:
    play(store, table)
    match = change(store, table, SECOND)
    assert (points(match), match.rules, match.earlier) == ([6], SECOND, ())
    match = play(store, table)
    assert (points(match), match.winner) == ([6, 6], 0)
    match = change(store, table, FIRST)
    assert (points(match), match.winner) == ([4, 4], None), "a recount lets a match go on"


def test_stored_rules_from_a_hand_on_keep_earlier_hands(store: Store, table: Table) -> None:
    play(store, table)
    change_rules_from_now(store, table, SECOND)
    match = play(store, table)
    assert (points(match), match.winner, match.standings[-1]) == ([4, 6], None, (10, 0))
    assert match.rules_of(0) == FIRST
    assert seen(store, table, hand_no=1).rules == FIRST, "edited, it is counted as before"
    assert seen(store, table).rules == SECOND
    revision = seen(store, table).row.revision
    edit_hand(store, table, hand(1, 0), hand_no=1, key="e", expected=revision)
    match = seen(store, table).match
    assert (points(match), match.winner) == ([5, 6], 0)
    assert points(change(store, table, FIRST)) == [5, 4], "new rules recount them, too"


def test_undo_and_redo_take_changes_of_rules_as_steps(store: Store, table: Table) -> None:
    play(store, table)
    change_rules_from_now(store, table, SECOND)
    play(store, table)
    change(store, table, FIRST)
    assert [one.step for one in read(store, log.steps, table)][2:] == [
        Step.RULES,
        Step.RECORD,
        Step.RULES,
    ]
    assert [one.hand_no for one in read(store, log.steps, table)][2:] == [2, 2, 1]
    made = [[4, 4], [4, 6], [4], [4]]
    for number, expected in enumerate(made):
        view, row = seen(store, table), find_table(store, table.code)
        assert points(view.match) == expected, f"{number} steps back"
        kept = (row.rules, row.totals, row.is_over)
        assert kept == (view.match.rules, view.match.totals, view.match.is_over), "as in lists"
        if number < len(made) - 1:
            act(store, table.code, "undo", revision=view.table.revision)
    assert seen(store, table).match.rules == FIRST
    for expected in reversed(made[:-1]):
        act(store, table.code, "redo", revision=revision_of(store, table))
        assert points(seen(store, table).match) == expected


def test_target_change_ends_or_reopens_a_match(store: Store, table: Table) -> None:
    play(store, table)
    change(store, table, FIRST.changed(target=4))
    assert find_table(store, table.code).winner == 0
    assert not change(store, table, FIRST.changed(target=31)).is_over
    assert change(store, table, FIRST.changed(target=31, cappotto=4)).winner == 0


def test_second_of_two_rule_changes_is_refused(store: Store, table: Table) -> None:
    play(store, table)
    shown = seen(store, table).row.revision
    change(store, table, SECOND, shown=shown)
    for late in (FIRST.changed(target=21), PRESETS["escoba"]):
        with pytest.raises(ScreenChangedError):
            change(store, table, late, shown=shown, best_of=3)
    view = seen(store, table)
    assert (view.match.rules, view.series.best_of) == (SECOND, 1), "nothing of it is kept"


def test_hand_saved_under_old_rules_is_refused(store: Store, table: Table) -> None:
    play(store, table)
    shown = {"log": seen(store, table).row.revision, "revision": revision_of(store, table)}
    change(store, table, SECOND)
    sent = {"hand": 2, "facts": hand().to_dict(), **shown}
    with pytest.raises(SavedElsewhereError) as caught:
        act(store, table.code, "confirm", **sent)
    assert (caught.value.saved, caught.value.own_points) == (0, "Anna 6 · Bruno 0")
    act(store, table.code, "confirm", saved=0, **sent)
    assert points(seen(store, table).match) == [6, 6]


def test_rules_that_do_not_fit_leave_everything_as_it_was(store: Store, table: Table) -> None:
    sides = (Side("Anna", DECK, 0, declared=3), Side("Bruno", ()))
    cirulla = command(store, tables.open_table, ("Anna", "Bruno"), PRESETS["cirulla"])
    record_hand(store, cirulla, HandRecord(sides), key="d", expected=1)
    with pytest.raises(HandError):
        change(store, cirulla, FIRST)
    assert seen(store, cirulla).match.rules == PRESETS["cirulla"]
    with pytest.raises(RulesError):
        change(store, table, FIRST.changed(seatings=((3, 1),)))


def test_files_and_seasons_know_which_rules_a_hand_has(store: Store, table: Table) -> None:
    play(store, table)
    [row] = query(store, season.played, [table.code])
    assert json.loads(to_json(row))["version"] == 1
    change_rules_from_now(store, table, SECOND)
    play(store, table)
    change_rules_from_now(store, table, FIRST.changed(target=51))
    play(store, table, 1, 0)
    rows = query(store, season.played, [table.code])
    file = to_json(rows[0])
    assert json.loads(file)["version"] == 2, "older programs say that they are too old"
    other = Store("sqlite://")
    taken = season.import_match(other, match_from_json(file.encode()))
    assert taken is not None
    [again] = query(other, season.played, [taken.code])
    assert (again.match, points(again.match)) == (rows[0].match, [4, 6, 5])
    assert find_table(other, taken.code).totals == (15, 0)
    assert to_json(again).replace(again.code, rows[0].code) == file
    assert season_of([again]) == season_of(rows)
    ends = [line.split(",")[-1] for line in matches_csv(rows).splitlines()[1::2]]
    assert ends == ["silver-lake", "ours", "silver-lake"]
    broken: list[Any] = [7, [7], [{"hands": 0}], [{"hands": 4}], [{"hands": 1}] * 2]
    for wrong in broken:
        data = json.loads(file)
        data["matches"][0]["earlier"] = wrong
        with pytest.raises(BrokenMatchError):
            match_from_json(json.dumps(data).encode())


def test_the_next_match_goes_on_by_the_newest_rules(store: Store, table: Table) -> None:
    play(store, table, 9, 0)
    change(store, table, SECOND)
    rematch(store, table, after=1)
    assert (seen(store, table).match.rules, points(play(store, table))) == (SECOND, [6])


def test_a_hand_that_is_edited_keeps_who_dealt(store: Store) -> None:
    table = command(store, tables.open_table, ("Anna", "Bruno", "Carla"), FIRST)
    sides = tuple(Side(name, ()) for name in ("Anna", "Bruno", "Carla"))
    record_hand(store, table, HandRecord(sides, dealer=0), key="a", expected=1)
    view = seen(store, table)
    sent = {"shown": view.row.revision, "names": view.names, "rules": FIRST, "first_dealer": 1}
    act(store, table.code, "change_match", **sent)
    assert (seen(store, table).dealer, seen(store, table, hand_no=1).dealer) == (2, 0)
