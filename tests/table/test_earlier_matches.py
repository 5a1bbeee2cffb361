"""Any hand of any match is edited, restored or voided; the log says who and when."""

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
from table.access import SYSTEM
from table.registry import ScreenChangedError
from table.view import TableView, load_view


def hand(cut: int, *, scope: int = 0) -> HandRecord:
    return HandRecord((Side("Anna", DECK[:cut], scope), Side("Bruno", DECK[cut:], 0)))


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def table(store: Store) -> Table:
    """Match 1 has two hands; match 2, which is played, has one."""
    opened = store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"], device="Anna")
    store.record_hand(opened, hand(25, scope=5), key="a", expected=1, device="Anna")
    store.record_hand(opened, hand(22, scope=5), key="b", expected=2, device="Bruno")
    store.rematch(opened, after=1)
    store.record_hand(opened, hand(19), key="c", expected=4)
    return store.find_table(opened.code)


def test_a_hand_of_an_earlier_match_is_edited_once_while_the_next_match_goes_on(
    store: Store, table: Table
) -> None:
    edit: dict[str, Any] = {"match_no": 1, "hand_no": 2, "expected": 5}
    store.record_hand(table, hand(30), key="d", expected=5)
    for _ in range(2):  # it does not wait for the match being played
        store.edit_hand(table, hand(20), key="e", device="Carla", **edit)
    assert store.match_of(table, match_no=1).match.hands == (hand(25, scope=5), hand(20))
    assert store.match_of(table).match.hands == (hand(19), hand(30))
    last = store.log_of(table, match_no=1)[-1]
    assert (last.step, last.hand_no, last.device, last.revision) == (Step.EDIT, 2, "Carla", 7)
    with pytest.raises(ConflictError):
        store.edit_hand(table, hand(21), key="f", **edit)
    for number in (0, 3):
        with pytest.raises(UnknownPlaceError):
            store.edit_hand(
                table, hand(20), **edit | {"hand_no": number, "key": "g", "expected": 7}
            )


def test_piles_and_photos_of_an_earlier_hand_are_kept_and_none_of_a_hand_that_was_not_played(
    store: Store, table: Table
) -> None:
    store.put_drafts(table, {0: {}}, match_no=1, hand_no=2)
    number = store.put_photo(table, b"\xff\xd8\xff\xe0 small", match_no=1, hand_no=2, side=1)
    assert [photo.id for photo in store.photos(table, match_no=1, hand_no=2)] == [number]
    assert len(store.drafts(table, match_no=1, hand_no=2)) == 1
    assert store.drafts(table, hand_no=2) == ()
    with pytest.raises(MatchClosedError):
        store.put_drafts(table, {0: {}}, match_no=1, hand_no=3)


def test_a_hand_of_an_earlier_match_is_edited_as_the_screens_do(store: Store, table: Table) -> None:
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
    screen = {"log": shown.row.revision, "revision": shown.table.revision}
    edit("confirm", facts=shown.facts.to_dict(), **screen)
    [first, _] = store.match_of(table, match_no=1).match.hands
    assert (len(first.sides[0].pile), first.sides[0].scope) == (26, 4)
    assert store.log_of(table, match_no=1)[-1].device == "Bruno"


@pytest.mark.parametrize("match_no", [1, 2])
def test_a_hand_is_voided_and_an_older_version_is_restored(
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
    steps = [step.step for step in store.log_of(table, match_no=match_no)]
    assert steps[-2:] == [Step.EDIT, Step.EDIT]


def test_the_log_names_the_hand_that_an_undo_changed(store: Store, table: Table) -> None:
    store.edit_hand(table, hand(20), hand_no=1, key="d", expected=5)
    for number in range(2):
        store.undo_hand(table, key=f"u{number}", expected=6 + number)
    store.redo_hand(table, key="r", expected=8)
    steps = (Step.RECORD, Step.EDIT, Step.UNDO, Step.UNDO, Step.REDO)
    expected = [(Step.OPEN, None), *((step, 1) for step in steps)]
    assert [(step.step, step.hand_no) for step in store.log_of(table)] == expected


@pytest.mark.parametrize("tables", [0, 25])
def test_the_matches_of_any_number_of_tables_take_two_queries_and_none_that_was_left(
    store: Store, table: Table, tables: int
) -> None:
    other = store.open_table(("Carla", "Dario"), PRESETS["escoba"])
    store.rematch(other, after=1)
    store.leave_match(other, match_no=2, expected=2)
    more = [store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"]) for _ in range(tables)]
    statements: list[str] = []
    event.listen(
        store._engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_: statements.append(statement),
    )
    played = store.played()
    assert len([one for one in statements if one.startswith("SELECT")]) == 2
    codes = [(table.code, 1), (table.code, 2), (other.code, 1), *((one.code, 1) for one in more)]
    assert [(row.code, row.match_no) for row in played] == codes
    own, states = store.played([table.code.lower()]), store.matches_of(table)
    assert [(row.match, row.hands) for row in own] == [(row.match, row.hands) for row in states]
    assert store.played([]) == ()
