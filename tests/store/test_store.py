"""The store as one process sees it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from playing import Store

from scoring.cards import DECK
from scoring.errors import HandError, MatchError
from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    SAMPLE,
    ConflictError,
    Drawing,
    HandClosedError,
    MatchBegunError,
    MatchClosedError,
    NothingToUndoError,
    Outcome,
    PhotoRefusedError,
    ScopeBelowZeroError,
    StaleDraftError,
    Step,
    Table,
    TableNotFoundError,
    UnknownPlaceError,
    idempotent,
    log,
)
from store.tables import ALPHABET, LENGTH, make_code

JPEG = b"\xff\xd8\xff\xe0 a small picture"


def hand(cut: int = 22, *, scope: int = 0, named: str = "") -> HandRecord:
    """A hand in which Anna has the first `cut` cards of the deck and some scope."""
    return HandRecord((Side("Anna", DECK[:cut], scope), Side("Bruno", DECK[cut:], 0)), named)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"], device="Anna's phone")


def test_a_new_store_has_no_tables(store: Store) -> None:
    assert store.list_tables() == ()


def test_the_default_place_is_the_home_folder(home: Path) -> None:
    with closing(Store()) as store:
        assert store.place == str(home / "settebello.db")
    assert (home / "settebello.db").is_file()


def test_codes_hold_nothing_that_is_taken_for_something_else() -> None:
    codes = [make_code() for _ in range(2_000)]
    assert not set("O0I1L") & set(ALPHABET)
    assert len(set(ALPHABET)) == len(ALPHABET) == 31
    assert set("".join(codes)) == set(ALPHABET)
    assert {len(code) for code in codes} == {LENGTH}


def test_a_code_that_is_taken_is_drawn_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["K7QF", "K7QF", "K7QF", "MMMM"])
    monkeypatch.setattr("store.tables.make_code", lambda: next(drawn))
    codes = [store.open_table(("Anna", "Bruno"), Rules()).code for _ in range(2)]
    assert codes == ["K7QF", "MMMM"]


@pytest.mark.parametrize("write", [str.lower, lambda code: f" {code[:2]}-{code[2:]} "])
def test_a_code_is_found_however_it_is_typed(store: Store, table: Table, write) -> None:  # type: ignore[no-untyped-def]
    assert store.find_table(write(table.code)).code == table.code


@pytest.mark.parametrize("code", ["", "AAAA", "K7QFX", "'; drop table log"])
def test_an_unknown_code_is_said(store: Store, code: str) -> None:
    with pytest.raises(TableNotFoundError, match="read it off the board"):
        store.find_table(code)
    with pytest.raises(TableNotFoundError):
        store.revision(code)
    with pytest.raises(TableNotFoundError):
        store.add_scope(code, 0)


def test_a_table_needs_names_that_make_a_match(store: Store) -> None:
    with pytest.raises(MatchError):
        store.open_table(("Anna", "Anna"), Rules())
    assert store.list_tables() == ()


def test_a_match_keeps_the_rules_it_was_opened_with(store: Store) -> None:
    rules = PRESETS["escoba"]
    table = store.open_table(("Anna", "Bruno", "Carla"), rules)
    assert store.find_table(table.code).rules == rules
    assert store.match_of(table).match.rules == rules
    assert store.match_of(table).match.names == ("Anna", "Bruno", "Carla")


def test_a_hand_is_kept_across_processes(store: Store, table: Table, database: str) -> None:
    store.record_hand(table, hand(), key="a", expected=1, device="Bruno's phone")
    with closing(Store(database)) as other:
        again = other.match_of(table.code)
    assert again.match.hands == (hand(),)
    assert again.hands[0].device == "Bruno's phone"
    assert again.hands[0].made_at.utcoffset() is not None


def test_the_same_key_again_gives_the_same_hand(store: Store, table: Table) -> None:
    first = store.record_hand(table, hand(), key="a", expected=1)
    assert store.record_hand(table, hand(), key="a", expected=1) == first
    assert store.record_hand(table, hand(20), key="a", expected=2) == first
    assert len(store.match_of(table).hands) == 1


def test_the_same_key_at_another_table_is_another_hand(store: Store, table: Table) -> None:
    other = store.open_table(("Anna", "Bruno"), Rules())
    store.record_hand(table, hand(), key="a", expected=1)
    store.record_hand(other, hand(20), key="a", expected=1)
    assert store.match_of(other).match.hands == (hand(20),)


def test_a_hand_the_rules_refuse_is_not_kept(store: Store, table: Table) -> None:
    duplicated = HandRecord((Side("Anna", DECK[:22], 0), Side("Bruno", DECK[21:], 0)))
    with pytest.raises(HandError):
        store.record_hand(table, duplicated, key="a", expected=1)
    store.record_hand(table, hand(), key="b", expected=1)
    with pytest.raises(HandError):
        store.edit_hand(table, duplicated, hand_no=1, key="c", expected=2)
    assert store.match_of(table).match.hands == (hand(),)


def test_of_two_hands_the_first_stands_and_the_other_is_proposed(
    store: Store, table: Table
) -> None:
    first = store.record_hand(table, hand(22), key="b", expected=1, device="Bruno's phone")
    with pytest.raises(ConflictError, match="compare both") as caught:
        store.record_hand(table, hand(20), key="a", expected=1, device="Anna's phone")
    error = caught.value
    assert (error.expected, error.revision, error.current) == (1, 2, first)
    assert error.conflict is not None
    assert (error.conflict.facts, error.conflict.hand_no) == (hand(20), 1)
    assert store.proposals(table) == (error.conflict,)
    assert store.match_of(table).match.hands == (hand(22),)


def test_a_proposal_sent_again_is_the_same_conflict(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="b", expected=1)
    for _ in range(2):
        with pytest.raises(ConflictError):
            store.record_hand(table, hand(20), key="a", expected=1)
    assert len(store.proposals(table)) == 1


def test_two_phones_that_say_the_same_do_not_disagree(store: Store, table: Table) -> None:
    first = store.record_hand(table, hand(named="b"), key="b", expected=1)
    sides = tuple(Side(s.name, tuple(reversed(s.pile)), s.scope) for s in hand().sides)
    assert store.record_hand(table, HandRecord(sides, "a"), key="a", expected=1) == first
    assert store.proposals(table) == ()


def test_a_hand_from_before_the_first_revision_is_proposed(store: Store, table: Table) -> None:
    with pytest.raises(ConflictError) as caught:
        store.record_hand(table, hand(), key="a", expected=0)
    assert caught.value.conflict is not None
    assert caught.value.conflict.hand_no == 1


def test_a_proposal_is_asked_about_while_its_match_is_played(store: Store, table: Table) -> None:
    with pytest.raises(ConflictError):
        store.record_hand(table, hand(), key="a", expected=0)
    assert len(store.proposals(table)) == 1
    store.rematch(table, after=1)
    assert store.proposals(table) == ()


def test_a_proposal_of_another_table_is_not_there(store: Store, table: Table) -> None:
    with pytest.raises(ConflictError):
        store.record_hand(table, hand(), key="a", expected=0)
    number = store.proposals(table)[0].id
    other = store.open_table(("Anna", "Bruno"), Rules())
    with pytest.raises(UnknownPlaceError):
        store.dismiss_proposal(other, number)
    store.dismiss_proposal(table, number)
    store.dismiss_proposal(table, number)
    assert store.proposals(table) == ()


def test_an_accepted_proposal_takes_the_place_and_loses_nothing(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="b", expected=1)
    with pytest.raises(ConflictError) as caught:
        store.record_hand(table, hand(20), key="a", expected=1)
    assert caught.value.conflict is not None
    number = caught.value.conflict.id
    with pytest.raises(ConflictError):
        store.accept_proposal(table, number, expected=1)
    accepted = store.accept_proposal(table, number, expected=2, device="board")
    assert store.accept_proposal(table, number, expected=2) == accepted
    assert store.record_hand(table, hand(20), key="a", expected=1) == accepted
    assert store.match_of(table).match.hands == (hand(20),)
    assert [row.facts for row in store.log_of(table)] == [None, hand(22), hand(20)]
    assert store.proposals(table) == ()


def test_a_proposal_whose_rival_was_undone_is_recorded(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="b", expected=1)
    with pytest.raises(ConflictError):
        store.record_hand(table, hand(20), key="a", expected=1)
    store.undo_hand(table, key="u", expected=2)
    store.accept_proposal(table, store.proposals(table)[0].id, expected=3)
    assert store.match_of(table).match.hands == (hand(20),)


def test_a_dismissed_proposal_is_not_asked_about_again(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="b", expected=1)
    with pytest.raises(ConflictError):
        store.record_hand(table, hand(20), key="a", expected=1)
    store.dismiss_proposal(table, store.proposals(table)[0].id)
    assert store.proposals(table) == ()
    with pytest.raises(ConflictError) as caught:
        store.record_hand(table, hand(20), key="a", expected=1)
    assert caught.value.conflict is not None
    assert caught.value.conflict.outcome is Outcome.DISMISSED


def test_a_late_hand_for_the_match_before_is_proposed_there(store: Store, table: Table) -> None:
    store.rematch(table, after=1)
    with pytest.raises(ConflictError) as caught:
        store.record_hand(table, hand(), key="a", expected=1)
    assert caught.value.current is None
    assert caught.value.conflict is not None
    assert caught.value.conflict.match_no == 1
    with pytest.raises(UnknownPlaceError):
        store.accept_proposal(table, caught.value.conflict.id, expected=2)


def test_any_hand_can_be_edited_and_its_versions_stay(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="a", expected=1)
    store.record_hand(table, hand(21), key="b", expected=2)
    store.edit_hand(table, hand(25), hand_no=1, key="c", expected=3, device="laptop")
    match = store.match_of(table)
    assert match.match.hands == (hand(25), hand(21))
    assert [row.revision for row in match.hands] == [4, 3]
    steps = store.log_of(table)
    assert [row.step for row in steps] == [Step.OPEN, Step.RECORD, Step.RECORD, Step.EDIT]
    assert [row.facts for row in steps if row.hand_no == 1] == [hand(22), hand(25)]


@pytest.mark.parametrize("hand_no", [0, 2, -1])
def test_a_hand_that_is_not_there_cannot_be_edited(
    store: Store, table: Table, hand_no: int
) -> None:
    store.record_hand(table, hand(), key="a", expected=1)
    with pytest.raises(UnknownPlaceError):
        store.edit_hand(table, hand(), hand_no=hand_no, key="b", expected=2)


def test_undo_takes_back_an_edit_and_then_the_hand_and_redo_brings_both_back(
    store: Store, table: Table
) -> None:
    store.record_hand(table, hand(22), key="a", expected=1)
    store.edit_hand(table, hand(25), hand_no=1, key="b", expected=2)
    assert store.undo_hand(table, key="c", expected=3).match.hands == (hand(22),)
    back = store.undo_hand(table, key="d", expected=4)
    assert (back.match.hands, back.can_undo, back.can_redo) == ((), False, True)
    with pytest.raises(NothingToUndoError):
        store.undo_hand(table, key="e", expected=5)
    assert store.redo_hand(table, key="f", expected=5).match.hands == (hand(22),)
    again = store.redo_hand(table, key="g", expected=6)
    assert (again.match.hands, again.can_undo, again.can_redo) == ((hand(25),), True, False)
    with pytest.raises(NothingToUndoError):
        store.redo_hand(table, key="h", expected=7)
    assert len(store.log_of(table)) == 7


def test_a_new_hand_after_an_undo_ends_the_redo(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="a", expected=1)
    store.undo_hand(table, key="b", expected=2)
    store.record_hand(table, hand(20), key="c", expected=3)
    match = store.match_of(table)
    assert (match.match.hands, match.can_redo) == ((hand(20),), False)


def test_an_undo_sent_twice_undoes_once(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="a", expected=1)
    store.record_hand(table, hand(20), key="b", expected=2)
    for _ in range(2):
        assert store.undo_hand(table, key="c", expected=3).match.hands == (hand(22),)
    with pytest.raises(ConflictError, match="repeat the change") as caught:
        store.undo_hand(table, key="d", expected=3)
    assert caught.value.conflict is None


def test_a_rematch_is_opened_once_with_the_same_sides(store: Store, table: Table) -> None:
    store.record_hand(table, hand(), key="a", expected=1)
    second = store.rematch(table, after=1)
    assert store.rematch(table, after=1) == store.find_table(table.code)
    assert (second.match_no, second.side_names, second.rules) == (2, ("Anna", "Bruno"), table.rules)
    assert store.match_of(table).match.hands == ()
    assert store.match_of(table, match_no=1).match.hands == (hand(),)
    with pytest.raises(UnknownPlaceError):
        store.match_of(table, match_no=3)


def test_a_rematch_may_change_sides_and_rules(store: Store, table: Table) -> None:
    third = store.rematch(table, after=1, side_names=("A", "B", "C"), rules=PRESETS["escoba"])
    assert (third.side_names, third.rules) == (("A", "B", "C"), PRESETS["escoba"])
    assert store.match_of(table, match_no=1).match.rules == table.rules


def test_tables_are_listed_the_newest_first_and_a_few_at_a_time(store: Store) -> None:
    codes = [store.open_table(("Anna", "Bruno"), Rules()).code for _ in range(5)][::-1]
    assert [table.code for table in store.list_tables()] == codes
    assert [table.code for table in store.list_tables(most=2)] == codes[:2]
    assert [table.code for table in store.list_tables(before=codes[1], most=2)] == codes[2:4]
    asked = [codes[3].lower(), codes[0], "AAAAA"]
    assert [table.code for table in store.list_tables(codes=asked)] == [codes[0], codes[3]]
    assert store.list_tables(codes=[]) == ()
    with pytest.raises(TableNotFoundError):
        store.list_tables(before="AAAAA")


def test_tables_are_listed_from_a_moment_on(store: Store) -> None:
    early, late = (store.open_table(("Anna", "Bruno"), Rules()) for _ in range(2))
    assert [table.code for table in store.list_tables(since=late.opened_at)] == [late.code]
    assert len(store.list_tables(since=early.opened_at)) == 2
    assert store.list_tables(since=late.opened_at + timedelta(seconds=1)) == ()


def test_names_that_played_last_come_first_and_only_those_of_the_tables_asked_for(
    store: Store,
) -> None:
    first = store.open_table(("Anna", "Bruno"), Rules())
    second = store.open_table(("Carla", "Anna"), Rules())
    store.open_table(("Sample", "Hand"), Rules(name=SAMPLE))
    assert store.names(most=9) == ("Anna", "Carla", "Bruno")
    assert store.names(most=1) == ("Anna",)
    assert store.names([first.code.lower()], most=9) == ("Anna", "Bruno")
    assert store.names([second.code, "AAAAA"], most=9) == ("Anna", "Carla")
    assert store.names([], most=9) == ()
    store.rematch(first, after=1, side_names=("Bruno", "Dario"))
    assert store.names(most=2) == ("Bruno", "Dario")


def test_who_deals_first_is_kept_and_must_be_one_of_the_sides(store: Store) -> None:
    table = store.open_table(("Anna", "Bruno", "Carla"), Rules(), first_dealer=2)
    assert store.match_of(table).first_dealer == 2
    assert store.match_of(store.open_table(("Anna", "Bruno"), Rules())).first_dealer is None
    for nobody in (3, -1):
        with pytest.raises(UnknownPlaceError):
            store.open_table(("Anna", "Bruno", "Carla"), Rules(), first_dealer=nobody)
    assert len(store.list_tables()) == 2


def test_a_table_has_cards_of_its_own_and_a_change_of_them_is_noticed(store: Store) -> None:
    table = store.open_table(("Anna", "Bruno"), Rules(), drawing=Drawing.FRENCH)
    assert store.find_table(table.code).drawing is Drawing.FRENCH
    store.put_drawing(table, Drawing.ITALIAN)
    assert store.drawing_of(table.code.lower()) is Drawing.ITALIAN
    assert store.revision(table) > table.revision
    assert store.drawing_of("AAAAA") is Drawing.ITALIAN
    with pytest.raises(TableNotFoundError):
        store.put_drawing("AAAAA", Drawing.FRENCH)


def test_a_table_is_closed_once_and_opened_again(store: Store, table: Table) -> None:
    assert not table.is_closed
    store.close_table(table)
    closed = store.find_table(table.code)
    store.close_table(table)
    assert closed.is_closed
    assert store.find_table(table.code).closed_at == closed.closed_at
    store.open_again(table)
    assert not store.find_table(table.code).is_closed
    assert store.list_tables()[0].closed_at is None


def test_a_list_says_how_the_match_being_played_stands(store: Store, table: Table) -> None:
    short = store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"].changed(target=1))
    store.record_hand(short, hand(30), key="a", expected=1)
    store.rematch(table, after=1, side_names=("A", "B", "C"))
    played, other = store.list_tables()
    assert played == store.find_table(short.code)
    assert (played.hands, played.winner) == (1, 0)
    assert played.totals == store.match_of(short).match.totals
    assert (other.match_no, other.side_names) == (2, ("A", "B", "C"))
    assert (other.hands, other.totals, other.winner) == (0, (0, 0, 0), None)


def test_results_are_listed_the_newest_first_without_those_that_were_left(
    store: Store, table: Table
) -> None:
    first = store.record_hand(table, hand(), key="a", expected=1)
    store.rematch(table, after=1)
    seen = store.match_of(table).revision
    store.leave_match(table, match_no=2, expected=seen)
    store.rematch(table, after=1)
    assert [(row.match_no, row.hands) for row in store.results_of(table)] == [(3, 0), (1, 1)]
    [row] = store.results_of(table, before=3, most=1)
    match = store.match_of(table, match_no=1)
    assert match.hands == (first,)
    assert (row.side_names, row.totals) == (("Anna", "Bruno"), match.match.totals)
    assert (row.winner, row.opened_at.utcoffset() is not None) == (None, True)


def test_scope_are_counted_by_side_and_start_anew_with_the_hand(store: Store, table: Table) -> None:
    assert store.scope_counts(table) == (0, 0)
    store.add_scope(table, 0)
    store.add_scope(table, 1, delta=2)
    assert store.add_scope(table, 1, delta=-1, hand_no=1) == (1, 1)
    store.record_hand(table, hand(), key="a", expected=1)
    assert store.scope_counts(table) == (0, 0)
    store.undo_hand(table, key="b", expected=2)
    assert store.scope_counts(table) == (1, 1)


def test_a_scopa_that_is_not_there_cannot_be_taken_back(store: Store, table: Table) -> None:
    with pytest.raises(ScopeBelowZeroError):
        store.add_scope(table, 0, delta=-1)
    with pytest.raises(UnknownPlaceError):
        store.add_scope(table, 2)


def test_a_tap_for_a_hand_that_is_over_is_not_counted_for_the_next(
    store: Store, table: Table
) -> None:
    store.record_hand(table, hand(), key="a", expected=1)
    with pytest.raises(HandClosedError):
        store.add_scope(table, 0, hand_no=1)
    assert store.scope_counts(table) == (0, 0)


@pytest.mark.parametrize(
    "send",
    [
        lambda store, table: store.put_drafts(table, {0: {}}, match_no=1, hand_no=1),
        lambda store, table: store.put_photo(table, JPEG, match_no=1, hand_no=1, side=0),
        lambda store, table: store.add_scope(table, 0, match_no=1, hand_no=1),
    ],
)
def test_what_was_meant_for_a_match_that_is_over_stays_out_of_the_next(
    store: Store, table: Table, send: Callable[[Store, Table], object]
) -> None:
    send(store, table)
    store.rematch(table, after=1)
    with pytest.raises(MatchClosedError, match="expected match 2"):
        send(store, table)
    assert (store.drafts(table), store.scope_counts(table)) == ((), (0, 0))


def test_a_rematch_is_refused_when_the_match_moved_on(store: Store, table: Table) -> None:
    seen = store.record_hand(table, hand(), key="a", expected=1).revision
    now = store.undo_hand(table, key="b", expected=seen).revision
    with pytest.raises(ConflictError, match="repeat the change"):
        store.rematch(table, after=1, expected=seen)
    assert store.find_table(table.code).match_no == 1
    assert store.rematch(table, after=1, expected=now).match_no == 2
    assert store.rematch(table, after=1, expected=now).match_no == 2  # asked twice


def test_drafts_are_shared_and_belong_to_their_hand(
    store: Store, table: Table, database: str
) -> None:
    assert store.drafts(table) == ()
    store.put_drafts(table, {1: {"cards": ["7d"]}}, hand_no=1, device="Bruno's phone")
    later = {1: {"cards": ["7d", "1s"]}}
    [draft] = store.put_drafts(table, later, hand_no=1, expected={1: 1})
    assert (draft.version, draft.draft) == (2, {"cards": ["7d", "1s"]})
    with closing(Store(database)) as other:
        assert other.drafts(table.code) == (draft,)
    store.record_hand(table, hand(), key="a", expected=1)
    assert store.drafts(table) == ()
    assert store.drafts(table, hand_no=1) == (draft,)


def test_a_draft_is_not_laid_over_one_that_was_not_seen(store: Store, table: Table) -> None:
    [first] = store.put_drafts(table, {1: {"cards": []}}, hand_no=1, expected={}, device="B")
    moved = {0: {"cards": ["7d"]}, 1: {"cards": ["1s"]}}
    with pytest.raises(StaleDraftError, match="'B' changed it") as caught:
        store.put_drafts(table, moved, hand_no=1, expected={})
    assert caught.value.current == first
    assert store.drafts(table) == (first,), "of a card that moves, both piles are kept or none"


@pytest.mark.parametrize(("hand_no", "side"), [(0, 0), (2, 0), (1, 2), (1, -1)])
def test_a_draft_or_photo_needs_a_hand_and_a_side(
    store: Store, table: Table, hand_no: int, side: int
) -> None:
    with pytest.raises(UnknownPlaceError):
        store.put_drafts(table, {side: {}}, hand_no=hand_no)
    with pytest.raises(UnknownPlaceError):
        store.put_photo(table, JPEG, hand_no=hand_no, side=side)


def test_a_photo_is_kept_once_and_found_again(store: Store, table: Table) -> None:
    number = store.put_photo(table, JPEG, hand_no=1, side=0)
    assert store.put_photo(table, JPEG, hand_no=1, side=0) == number
    other = store.put_photo(table, JPEG, hand_no=1, side=1)
    assert store.photo(number) == JPEG
    assert [(row.id, row.side, row.size) for row in store.photos(table)] == [
        (number, 0, len(JPEG)),
        (other, 1, len(JPEG)),
    ]
    assert store.photos(table, hand_no=2) == ()
    with pytest.raises(UnknownPlaceError):
        store.photo(999)


@pytest.mark.parametrize(
    "data", [b"", b"no picture", b"\xff\xd8\xff" + bytes(1_500_000)], ids=["empty", "text", "large"]
)
def test_what_is_no_small_jpeg_is_refused(store: Store, table: Table, data: bytes) -> None:
    with pytest.raises(PhotoRefusedError):
        store.put_photo(table, data, hand_no=1, side=0)


def test_every_change_bumps_the_revision_and_reading_does_not(store: Store, table: Table) -> None:
    seen = [store.revision(table)]
    for change in (
        lambda: store.add_scope(table, 0),
        lambda: store.put_drafts(table, {0: {}}, hand_no=1),
        lambda: store.put_photo(table, JPEG, hand_no=1, side=0),
        lambda: store.record_hand(table, hand(), key="a", expected=1),
        lambda: store.edit_hand(table, hand(20), hand_no=1, key="b", expected=2),
        lambda: store.undo_hand(table, key="c", expected=3),
        lambda: store.redo_hand(table, key="d", expected=4),
        lambda: store.rematch(table, after=1),
    ):
        change()
        store.match_of(table), store.drafts(table), store.scope_counts(table)
        seen.append(store.revision(table))
    assert seen == list(range(seen[0], seen[0] + 9))


def test_what_is_refused_does_not_bump(store: Store, table: Table) -> None:
    before = store.revision(table)
    with pytest.raises(ScopeBelowZeroError):
        store.add_scope(table, 0, delta=-1)
    assert store.revision(table) == before


def test_a_match_opened_by_mistake_is_left_for_the_one_before(store: Store, table: Table) -> None:
    first = store.record_hand(table, hand(), key="a", expected=1)
    store.rematch(table, after=1)
    seen = store.match_of(table).revision
    store.add_scope(table, 0)
    for _ in range(2):  # tapped twice
        assert store.leave_match(table, match_no=2, expected=seen).match_no == 1
    now = store.match_of(table)
    assert (now.hands, now.can_undo) == ((first,), True)
    assert store.undo_hand(table, key="b", expected=now.revision).match.hands == ()
    assert [match.match_no for match in store.matches_of(table)] == [1]
    third = store.rematch(table, after=1)
    assert (third.match_no, store.scope_counts(third)) == (3, (0, 0))
    assert [match.match_no for match in store.matches_of(table)] == [1, 3]
    assert [row.step for row in store.log_of(table, match_no=2)] == [Step.OPEN, Step.LEAVE]


def test_a_match_is_not_left_that_has_hands_or_none_before_it(store: Store, table: Table) -> None:
    with pytest.raises(MatchBegunError):
        store.leave_match(table, match_no=1, expected=1)
    store.rematch(table, after=1)
    store.record_hand(table, hand(), key="a", expected=2)
    with pytest.raises(ConflictError):
        store.leave_match(table, match_no=2, expected=2)
    with pytest.raises(MatchBegunError, match="match 2 with 1"):
        store.leave_match(table, match_no=2, expected=3)
    assert store.find_table(table.code).match_no == 2


def test_what_is_asked_in_one_state_is_of_one_moment_and_changes_nothing(
    store: Store, table: Table, database: str
) -> None:
    with closing(Store(database)) as other, store.one_state():
        before = store.revision(table)
        meanwhile = Thread(target=other.add_scope, args=(table, 0))
        meanwhile.start()
        meanwhile.join()
        assert (store.revision(table), store.scope_counts(table)) == (before, (0, 0))
        with pytest.raises(RuntimeError, match="expected only queries"):
            store.add_scope(table, 0)
    assert store.scope_counts(table) == (1, 0)


def test_a_new_conflict_is_committed_although_it_is_raised_and_no_other_failure_is(
    store: Store, table: Table
) -> None:
    store.record_hand(table, hand(22), key="b", expected=1)
    with pytest.raises(ConflictError), store.write(table.code) as found:  # noqa: PT012  both are one transaction
        assert idempotent(found, "late")
        log.record(found, hand(20), key="a", expected=1)
    with pytest.raises(NothingToUndoError), store.write(table.code) as found:  # noqa: PT012  the same
        assert idempotent(found, "refused")
        log.redo(found, key="c", expected=2)
    with store.write(table.code) as found:
        assert [conflict.key for conflict in log.conflicts(found)] == ["a"]
        assert (idempotent(found, "late"), idempotent(found, "refused")) == (False, True)
