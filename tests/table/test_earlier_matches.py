"""Any hand of any match is edited, restored or voided; the log says who and when."""

from typing import Any

import pytest
from acting import act
from playing import (
    command,
    edit_hand,
    find_table,
    leave_match,
    match_of,
    query,
    read,
    record_hand,
    redo_hand,
    rematch,
    states_at,
    undo_hand,
    write,
)
from sqlalchemy import event

from scoring.cards import DECK
from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import (
    ConflictError,
    MatchClosedError,
    Step,
    Store,
    Table,
    UnknownPlaceError,
    log,
    piles,
    season,
    tables,
)
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
    opened = command(
        store, tables.open_table, ("Anna", "Bruno"), PRESETS["silver-lake"], device="Anna"
    )
    record_hand(store, opened, hand(25, scope=5), key="a", expected=1, device="Anna")
    record_hand(store, opened, hand(22, scope=5), key="b", expected=2, device="Bruno")
    rematch(store, opened, after=1)
    record_hand(store, opened, hand(19), key="c", expected=4)
    return find_table(store, opened.code)


def test_earlier_match_is_edited_during_the_next(store: Store, table: Table) -> None:
    edit: dict[str, Any] = {"match_no": 1, "hand_no": 2, "expected": 5}
    record_hand(store, table, hand(30), key="d", expected=5)
    for _ in range(2):  # it does not wait for the match being played
        edit_hand(store, table, hand(20), key="e", device="Carla", **edit)
    assert match_of(store, table, match_no=1).match.hands == (hand(25, scope=5), hand(20))
    assert match_of(store, table).match.hands == (hand(19), hand(30))
    last = read(store, log.steps, table, match_no=1)[-1]
    assert (last.step, last.hand_no, last.device, last.revision) == (Step.EDIT, 2, "Carla", 7)
    with pytest.raises(ConflictError):
        edit_hand(store, table, hand(21), key="f", **edit)
    for number in (0, 3):
        with pytest.raises(UnknownPlaceError):
            edit_hand(
                store, table, hand(20), **edit | {"hand_no": number, "key": "g", "expected": 7}
            )


def test_earlier_hands_keep_piles_and_photos(store: Store, table: Table) -> None:
    write(store, piles.put_drafts, table, {0: {}}, match_no=1, hand_no=2)
    number = write(
        store, piles.add_photo, table, b"\xff\xd8\xff\xe0 small", match_no=1, hand_no=2, side=1
    )
    assert [photo.id for photo in read(store, piles.photos, table, match_no=1, hand_no=2)] == [
        number
    ]
    assert len(read(store, piles.drafts, table, match_no=1, hand_no=2)) == 1
    assert read(store, piles.drafts, table, hand_no=2) == ()
    with pytest.raises(MatchClosedError):
        write(store, piles.put_drafts, table, {0: {}}, match_no=1, hand_no=3)


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
    [first, _] = match_of(store, table, match_no=1).match.hands
    assert (len(first.sides[0].pile), first.sides[0].scope) == (26, 4)
    assert read(store, log.steps, table, match_no=1)[-1].device == "Bruno"


@pytest.mark.parametrize("match_no", [1, 2])
def test_a_hand_is_voided_and_an_older_version_is_restored(
    store: Store, table: Table, match_no: int
) -> None:
    before = match_of(store, table, match_no=match_no).match
    edited = {"match": match_no, "hand": 1, "mending": True}
    act(store, table.code, "out", **edited, log=match_of(store, table).revision)
    without = match_of(store, table, match_no=match_no).match
    assert without.hands[0].is_empty
    assert without.scores[0].points == (0, 0)
    assert without.hands[1:] == before.hands[1:]
    revision, facts = match_of(store, table).revision, before.hands[0].to_dict()
    act(store, table.code, "stand", **edited, log=revision, facts=facts)
    with pytest.raises(ScreenChangedError):  # tapped twice, once
        act(store, table.code, "stand", **edited, log=revision, facts=facts)
    assert match_of(store, table, match_no=match_no).match == before
    steps = [step.step for step in read(store, log.steps, table, match_no=match_no)]
    assert steps[-2:] == [Step.EDIT, Step.EDIT]


def test_the_log_names_the_hand_that_an_undo_changed(store: Store, table: Table) -> None:
    edit_hand(store, table, hand(20), hand_no=1, key="d", expected=5)
    for number in range(2):
        undo_hand(store, table, key=f"u{number}", expected=6 + number)
    redo_hand(store, table, key="r", expected=8)
    steps = (Step.RECORD, Step.EDIT, Step.UNDO, Step.UNDO, Step.REDO)
    expected = [(Step.OPEN, None), *((step, 1) for step in steps)]
    assert [(step.step, step.hand_no) for step in read(store, log.steps, table)] == expected


@pytest.mark.parametrize("others", [0, 25])
def test_matches_of_all_tables_take_two_queries(store: Store, table: Table, others: int) -> None:
    other = command(store, tables.open_table, ("Carla", "Dario"), PRESETS["escoba"])
    rematch(store, other, after=1)
    leave_match(store, other, match_no=2, expected=2)
    more = [
        command(store, tables.open_table, ("Anna", "Bruno"), PRESETS["silver-lake"])
        for _ in range(others)
    ]
    statements: list[str] = []
    event.listen(
        store._engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_: statements.append(statement),
    )
    played = query(store, season.played)
    assert len([one for one in statements if one.startswith("SELECT")]) == 2
    codes = [(table.code, 1), (table.code, 2), (other.code, 1), *((one.code, 1) for one in more)]
    assert [(row.code, row.match_no) for row in played] == codes
    own, states = query(store, season.played, [table.code.lower()]), read(store, states_at, table)
    assert [(row.match, row.hands) for row in own] == [(row.match, row.hands) for row in states]
    assert query(store, season.played, []) == ()
