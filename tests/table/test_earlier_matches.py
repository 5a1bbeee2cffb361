"""Any hand of any match is mended, brought back or taken out; the log says who and when."""

from pathlib import Path
from typing import Any

import pytest
from acting import act
from playing import Store
from sqlalchemy import event

from scoring.cards import DECK
from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import ConflictError, MatchClosedError, Step, Table, UnknownPlaceError
from table.access import ANONYMOUS, SYSTEM, NotAllowedError
from table.actions import ScreenChangedError
from table.view import TableView, load_view

JPEG = b"\xff\xd8\xff\xe0 a small picture"


def hand(cut: int, *, scope: int = 0) -> HandRecord:
    return HandRecord((Side("Anna", DECK[:cut], scope), Side("Bruno", DECK[cut:], 0)))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'settebello.db'}")


@pytest.fixture
def table(store: Store) -> Table:
    """Match 1 has two hands; match 2, which is played, has one."""
    opened = store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"], device="Anna")
    store.record_hand(opened, hand(25, scope=5), key="a", expected=1, device="Anna")
    store.record_hand(opened, hand(22, scope=5), key="b", expected=2, device="Bruno")
    store.rematch(opened, after=1)
    store.record_hand(opened, hand(19), key="c", expected=4)
    return store.find_table(opened.code)


def test_a_hand_of_an_earlier_match_is_edited_and_the_match_being_played_stays(
    store: Store, table: Table
) -> None:
    store.edit_hand(table, hand(20), match_no=1, hand_no=2, key="d", expected=5, device="Carla")
    assert store.match_of(table, match_no=1).match.hands == (hand(25, scope=5), hand(20))
    assert store.match_of(table).match.hands == (hand(19),)
    last = store.log_of(table, match_no=1)[-1]
    assert (last.step, last.hand_no, last.device, last.revision) == (Step.EDIT, 2, "Carla", 6)
    store.record_hand(table, hand(30), key="e", expected=6)
    assert len(store.match_of(table).match.hands) == 2


def test_an_edit_of_an_earlier_match_does_not_wait_for_the_match_being_played(
    store: Store, table: Table
) -> None:
    store.record_hand(table, hand(30), key="d", expected=5)
    store.edit_hand(table, hand(20), match_no=1, hand_no=2, key="e", expected=5)
    assert store.match_of(table, match_no=1).match.hands[1] == hand(20)


def test_two_edits_of_one_earlier_match_cannot_both_stand(store: Store, table: Table) -> None:
    for again in range(2):
        store.edit_hand(table, hand(20), match_no=1, hand_no=2, key=f"d{again}", expected=5)
    with pytest.raises(ConflictError) as caught:
        store.edit_hand(table, hand(21), match_no=1, hand_no=2, key="e", expected=5)
    assert caught.value.conflict is None
    assert store.match_of(table, match_no=1).match.hands[1] == hand(20)
    assert store.proposals(table) == ()


def test_a_late_hand_after_an_edit_of_an_earlier_match_is_a_proposal_for_its_own_match(
    store: Store, table: Table
) -> None:
    store.edit_hand(table, hand(20), match_no=1, hand_no=2, key="d", expected=5)
    store.record_hand(table, hand(30), key="e", expected=6)
    with pytest.raises(ConflictError):
        store.record_hand(table, hand(31), key="f", expected=6)
    [proposal] = store.proposals(table)
    assert (proposal.match_no, proposal.hand_no) == (2, 2)


@pytest.mark.parametrize("hand_no", [0, 3])
def test_a_hand_that_an_earlier_match_does_not_have_is_not_edited(
    store: Store, table: Table, hand_no: int
) -> None:
    with pytest.raises(UnknownPlaceError):
        store.edit_hand(table, hand(20), match_no=1, hand_no=hand_no, key="d", expected=5)


def test_piles_and_photos_of_an_earlier_hand_are_kept_and_none_of_a_hand_that_was_not_played(
    store: Store, table: Table
) -> None:
    store.put_drafts(table, {0: {}}, match_no=1, hand_no=2)
    number = store.put_photo(table, JPEG, match_no=1, hand_no=2, side=1)
    assert [row.id for row in store.photos(table, match_no=1, hand_no=2)] == [number]
    assert len(store.drafts(table, match_no=1, hand_no=2)) == 1
    assert store.drafts(table, hand_no=2) == ()
    with pytest.raises(MatchClosedError):
        store.put_drafts(table, {0: {}}, match_no=1, hand_no=3)


def test_a_hand_of_an_earlier_match_is_mended_as_the_screens_do(store: Store, table: Table) -> None:
    def view(hand_no: int | None = 1) -> TableView:
        return load_view(store, table.code, credentials=SYSTEM, match_no=1, hand_no=hand_no)

    def edit(do: str, **fields: Any) -> None:
        act(store, table.code, do, match=1, hand=1, mending=True, me=1, **fields)

    assert (view(None).is_earlier, view(None).scope) == (True, (0, 0))
    edit("mend")
    assert view().scope == (5, 0)
    edit("card", code="10b", **{"in": "10b" not in view().piles[0].codes})
    edit("scopa", delta=-1)
    shown = view()
    edit(
        "confirm",
        facts=shown.facts.to_dict(),
        log=shown.row.revision,
        revision=shown.table.revision,
    )
    [first, _] = store.match_of(table, match_no=1).match.hands
    assert len(first.sides[0].pile) == 26
    assert first.sides[0].scope == 4
    assert store.log_of(table, match_no=1)[-1].device == "Bruno"


@pytest.mark.parametrize("match_no", [1, 2])
def test_a_hand_is_taken_out_and_an_older_version_stands_again(
    store: Store, table: Table, match_no: int
) -> None:
    before = store.match_of(table, match_no=match_no).match
    edited = {"match": match_no, "hand": 1, "mending": True}
    act(store, table.code, "out", **edited, log=store.match_of(table).revision)
    without = store.match_of(table, match_no=match_no).match
    assert without.hands[0].is_empty
    assert without.scores[0].points == (0, 0)
    assert without.hands[1:] == before.hands[1:]
    log, facts = store.match_of(table).revision, before.hands[0].to_dict()
    act(store, table.code, "stand", **edited, log=log, facts=facts)
    with pytest.raises(ScreenChangedError):  # tapped twice, once
        act(store, table.code, "stand", **edited, log=log, facts=facts)
    assert store.match_of(table, match_no=match_no).match == before
    steps = [row.step for row in store.log_of(table, match_no=match_no)]
    assert steps[-2:] == [Step.EDIT, Step.EDIT]


def test_the_log_names_the_hand_that_an_undo_changed(store: Store, table: Table) -> None:
    store.edit_hand(table, hand(20), hand_no=1, key="d", expected=5)
    for number in range(2):
        store.undo_hand(table, key=f"u{number}", expected=6 + number)
    store.redo_hand(table, key="r", expected=8)
    told = [(row.step, row.hand_no) for row in store.log_of(table)]
    assert told == [
        (Step.OPEN, None),
        (Step.RECORD, 1),
        (Step.EDIT, 1),
        (Step.UNDO, 1),
        (Step.UNDO, 1),
        (Step.REDO, 1),
    ]


# Many matches at once


def test_the_matches_of_some_tables_are_given_and_none_that_was_left(
    store: Store, table: Table
) -> None:
    other = store.open_table(("Carla", "Dario"), PRESETS["escoba"])
    store.rematch(other, after=1)
    store.leave_match(other, match_no=2, expected=2)
    assert [(row.code, row.match_no) for row in store.played()] == [
        (table.code, 1),
        (table.code, 2),
        (other.code, 1),
    ]
    assert [row.match for row in store.played([table.code.lower()])] == [
        row.match for row in store.matches_of(table)
    ]
    assert [row.hands for row in store.played([table.code])] == [
        row.hands for row in store.matches_of(table)
    ]
    assert store.played([]) == ()


@pytest.mark.parametrize("tables", [1, 25])
def test_any_number_of_matches_takes_two_queries(store: Store, tables: int) -> None:
    for _ in range(tables):
        opened = store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"])
        store.record_hand(opened, hand(20), key="a", expected=1)
    asked: list[str] = []

    def note(_connection, _cursor, statement, *_others) -> None:  # type: ignore[no-untyped-def]
        asked.append(statement)

    event.listen(store._engine, "before_cursor_execute", note)
    assert len(store.played()) == tables
    assert len([one for one in asked if one.startswith("SELECT")]) == 2


@pytest.mark.parametrize("match_no", [1, 2])
def test_whoever_may_only_look_takes_no_hand_out_and_brings_none_back(
    store: Store, table: Table, match_no: int
) -> None:
    edited = {"match": match_no, "hand": 1, "mending": True, "log": 1}
    for do, fields in (("out", {}), ("stand", {"facts": hand(3).to_dict()})):
        with pytest.raises(NotAllowedError):
            act(store, table.code, do, credentials=ANONYMOUS, **edited, **fields)
    assert len(store.log_of(table, match_no=match_no)) == 4 - match_no
