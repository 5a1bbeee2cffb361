"""The store as one process sees it, on each engine."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from threading import Thread

import pytest
from hands import JPEG, hand
from playing import Store

from assets.deck import CardStyle
from scoring.cards import DECK
from scoring.errors import HandError, MatchError
from scoring.hand import HandScore, Side, score_hand
from scoring.presets import PRESETS
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    SAMPLE,
    ConflictError,
    HandClosedError,
    LogEntry,
    MatchClosedError,
    ScopeBelowZeroError,
    Step,
    Table,
    TableNotFoundError,
    UnknownPlaceError,
    evening,
    idempotent,
    log,
)
from store.errors import MatchBegunError, NothingToUndoError, PhotoRefusedError, StaleDraftError
from store.tables import ALPHABET, LENGTH, make_code

PAIR = ("Anna", "Bruno")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(PAIR, PRESETS["silver-lake"])


# Tables


def test_codes_hold_nothing_that_is_taken_for_something_else() -> None:
    codes = [make_code() for _ in range(2_000)]
    assert not set("O0I1L") & set(ALPHABET)
    assert set("".join(codes)) == set(ALPHABET)
    assert {len(code) for code in codes} == {LENGTH}


def test_a_code_that_is_taken_is_drawn_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["K7QF", "K7QF", "K7QF", "MMMM"])
    monkeypatch.setattr("store.tables.make_code", lambda: next(drawn))
    assert [store.open_table(PAIR, Rules()).code for _ in range(2)] == ["K7QF", "MMMM"]


def test_a_table_and_an_evening_never_share_a_code(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["K7QF", "K7QF", "MMMM", "MMMM", "PPPP"])
    monkeypatch.setattr("store.tables.make_code", lambda: next(drawn))
    assert store.open_table(PAIR, Rules()).code == "K7QF"
    with store.writing() as session:
        assert evening.open_evening(session, {}, key="k", link_hash=None).code == "MMMM"
    assert store.open_table(PAIR, Rules()).code == "PPPP"


def test_a_code_is_found_however_it_is_typed_and_an_unknown_one_is_said(
    store: Store, table: Table
) -> None:
    code = table.code
    for typed in (code.lower(), f" {code[:2]}-{code[2:]} "):
        assert store.find_table(typed).code == code
    for unknown in ("", "AAAA", "K7QFX", "'; drop table log"):
        with pytest.raises(TableNotFoundError, match="read it off the board"):
            store.find_table(unknown)
        with pytest.raises(TableNotFoundError):
            store.add_scope(unknown, 0)


def test_a_table_is_opened_with_names_rules_and_a_dealer(store: Store) -> None:
    assert store.list_tables() == ()
    three = ("Anna", "Bruno", "Carla")
    table = store.open_table(three, PRESETS["escoba"], first_dealer=2)
    assert store.find_table(table.code).rules == PRESETS["escoba"]
    row = store.match_of(table)
    assert (row.match.rules, row.match.names) == (PRESETS["escoba"], three)
    assert (row.first_dealer, row.match.hands) == (2, ())
    assert store.match_of(store.open_table(PAIR, Rules())).first_dealer is None
    for nobody in (3, -1):
        with pytest.raises(UnknownPlaceError):
            store.open_table(three, Rules(), first_dealer=nobody)
    with pytest.raises(MatchError):
        store.open_table(("Anna", "Anna"), Rules())
    assert len(store.list_tables()) == 2


def test_tables_are_listed_the_newest_first_and_a_few_at_a_time(store: Store) -> None:
    opened = [store.open_table(PAIR, Rules()) for _ in range(5)][::-1]
    codes = [table.code for table in opened]
    asked = [codes[3].lower(), codes[0], "AAAAA"]
    second = timedelta(seconds=1)
    for how, found in (
        ({}, codes),
        ({"most": 2}, codes[:2]),
        ({"before": codes[1], "most": 2}, codes[2:4]),
        ({"codes": asked}, [codes[0], codes[3]]),
        ({"codes": []}, []),
        ({"since": opened[1].opened_at}, codes[:2]),
        ({"since": opened[0].opened_at + second}, []),
    ):
        assert [table.code for table in store.list_tables(**how)] == found, how
    with pytest.raises(TableNotFoundError):
        store.list_tables(before="AAAAA")


def test_names_that_played_last_come_first_and_only_those_of_the_tables_asked_for(
    store: Store,
) -> None:
    first = store.open_table(PAIR, Rules())
    second = store.open_table(("Carla", "Anna"), Rules())
    store.open_table(("Sample", "Hand"), Rules(name=SAMPLE))
    assert store.names(most=9) == ("Anna", "Carla", "Bruno")
    assert store.names(most=1) == ("Anna",)
    assert store.names([first.code.lower()], most=9) == ("Anna", "Bruno")
    assert store.names([second.code, "AAAAA"], most=9) == ("Anna", "Carla")
    assert store.names([], most=9) == ()
    store.rematch(first, after=1)
    assert store.names(most=2) == ("Anna", "Bruno")


def test_a_table_has_a_card_style_and_is_closed_and_opened_again(store: Store) -> None:
    table = store.open_table(PAIR, Rules(), drawing=CardStyle.FRENCH)
    assert store.find_table(table.code).drawing is CardStyle.FRENCH
    store.put_drawing(table, CardStyle.ITALIAN)
    assert store.find_table(table.code).drawing is CardStyle.ITALIAN
    assert store.revision(table) > table.revision
    store.close_table(table)
    closed = store.find_table(table.code)
    store.close_table(table)
    assert closed.is_closed
    assert store.find_table(table.code).closed_at == closed.closed_at
    store.open_again(table)
    assert store.list_tables()[0].closed_at is None


# The log of a match


def test_a_hand_is_kept_once_across_processes(store: Store, table: Table, database: str) -> None:
    first = store.record_hand(table, hand(), key="a", expected=1, device="Bruno's phone")
    assert store.record_hand(table, hand(), key="a", expected=1) == first
    assert store.record_hand(table, hand(20), key="a", expected=2) == first
    with closing(Store(database)) as other:
        again = other.match_of(table.code)
    assert again.match.hands == (hand(),)
    assert again.hands[0].device == "Bruno's phone"
    assert again.hands[0].made_at.utcoffset() is not None
    elsewhere = store.open_table(PAIR, Rules())
    store.record_hand(elsewhere, hand(20), key="a", expected=1)
    assert store.match_of(elsewhere).match.hands == (hand(20),)


def test_a_hand_the_rules_refuse_is_not_kept(store: Store, table: Table) -> None:
    doubled = HandRecord((Side("Anna", DECK[:22], 0), Side("Bruno", DECK[21:], 0)))
    with pytest.raises(HandError):
        store.record_hand(table, doubled, key="a", expected=1)
    store.record_hand(table, hand(), key="b", expected=1)
    with pytest.raises(HandError):
        store.edit_hand(table, doubled, hand_no=1, key="c", expected=2)
    for hand_no in (0, 2, -1):
        with pytest.raises(UnknownPlaceError):
            store.edit_hand(table, hand(), hand_no=hand_no, key="d", expected=2)
    assert store.match_of(table).match.hands == (hand(),)


def test_of_two_hands_the_first_stays_and_the_other_is_refused(store: Store, table: Table) -> None:
    store.record_hand(table, hand(22), key="b", expected=1)
    for _ in range(2):
        with pytest.raises(ConflictError) as caught:
            store.record_hand(table, hand(20), key="a", expected=1)
        assert (caught.value.expected, caught.value.revision) == (1, 2)
    assert store.match_of(table).match.hands == (hand(22),)
    assert store.proposals(table) == ()


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


def test_saving_a_hand_scores_each_hand_once(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored = []

    def count(sides: Sequence[Side], rules: Rules) -> HandScore:
        scored.append(sides)
        return score_hand(sides, rules)

    for number in range(3):
        monkeypatch.setattr("scoring.match.score_hand", count)
        scored.clear()
        store.record_hand(table, hand(), key=f"{number}", expected=number + 1)
        assert len(scored) == number + 1


def test_undo_takes_back_an_edit_and_then_the_hand_and_redo_brings_both_back(
    store: Store, table: Table
) -> None:
    store.record_hand(table, hand(22), key="a", expected=1)
    store.edit_hand(table, hand(25), hand_no=1, key="b", expected=2)
    for _ in range(2):  # sent twice, done once
        assert store.undo_hand(table, key="c", expected=3).match.hands == (hand(22),)
    with pytest.raises(ConflictError):
        store.undo_hand(table, key="late", expected=3)
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
    store.undo_hand(table, key="i", expected=7)
    store.record_hand(table, hand(20), key="j", expected=8)
    assert store.match_of(table).can_redo is False, "a new step ends the redo"


def test_a_rematch_is_opened_once_with_the_same_sides_unless_the_match_moved_on(
    store: Store, table: Table
) -> None:
    seen = store.record_hand(table, hand(30), key="a", expected=1).revision
    now = store.undo_hand(table, key="b", expected=seen).revision
    with pytest.raises(ConflictError):
        store.rematch(table, after=1, expected=seen)
    assert store.find_table(table.code).match_no == 1
    now = store.redo_hand(table, key="c", expected=now).revision
    for _ in range(2):  # asked twice
        second = store.rematch(table, after=1, expected=now)
        assert (second.match_no, second.side_names, second.rules) == (2, PAIR, table.rules)
    assert store.match_of(table).match.hands == ()
    assert store.match_of(table, match_no=1).match.hands == (hand(30),)
    with pytest.raises(UnknownPlaceError):
        store.match_of(table, match_no=3)
    [listed] = store.list_tables()
    assert (listed.hands, listed.totals, listed.winner) == (0, (0, 0), None)


def test_a_match_opened_by_mistake_is_left_for_the_one_before(store: Store, table: Table) -> None:
    first = store.record_hand(table, hand(), key="a", expected=1)
    store.rematch(table, after=1)
    seen = store.match_of(table).revision
    store.add_scope(table, 0)
    for _ in range(2):  # tapped twice
        assert store.leave_match(table, match_no=2, expected=seen).match_no == 1
    now = store.match_of(table)
    assert (now.hands, now.can_undo) == ((first,), True)
    third = store.rematch(table, after=1)
    assert (third.match_no, store.scope_counts(third)) == (3, (0, 0))
    assert [match.match_no for match in store.matches_of(table)] == [1, 3]
    assert [row.step for row in store.log_of(table, match_no=2)] == [Step.OPEN, Step.LEAVE]
    assert [(row.match_no, row.hands) for row in store.results_of(table)] == [(3, 0), (1, 1)]
    [row] = store.results_of(table)[1:]
    match = store.match_of(table, match_no=1)
    assert (row.side_names, row.totals, row.winner) == (PAIR, match.match.totals, None)
    assert row.opened_at.utcoffset() is not None


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


def test_a_list_says_who_has_won(store: Store) -> None:
    short = store.open_table(PAIR, PRESETS["silver-lake"].changed(target=1))
    store.record_hand(short, hand(30), key="a", expected=1)
    [listed] = store.list_tables()
    assert listed == store.find_table(short.code)
    assert (listed.hands, listed.winner) == (1, 0)
    assert listed.totals == store.match_of(short).match.totals


# The hand being played


def test_scope_are_counted_by_side_and_start_anew_with_the_hand(store: Store, table: Table) -> None:
    assert store.scope_counts(table) == (0, 0)
    store.add_scope(table, 0)
    store.add_scope(table, 1, delta=2)
    assert store.add_scope(table, 1, delta=-1, hand_no=1) == (1, 1)
    with pytest.raises(ScopeBelowZeroError):
        store.add_scope(table, 0, delta=-2)
    with pytest.raises(UnknownPlaceError):
        store.add_scope(table, 2)
    store.record_hand(table, hand(), key="a", expected=1)
    with pytest.raises(HandClosedError):
        store.add_scope(table, 0, hand_no=1)
    assert store.scope_counts(table) == (0, 0)
    store.undo_hand(table, key="b", expected=2)
    assert store.scope_counts(table) == (1, 1)


@pytest.mark.parametrize(
    "send",
    [
        lambda store, table: store.put_drafts(table, {0: {}}, match_no=1, hand_no=1),
        lambda store, table: store.put_photo(table, JPEG, match_no=1, hand_no=1, side=0),
        lambda store, table: store.add_scope(table, 0, match_no=1, hand_no=1),
    ],
    ids=["draft", "photo", "scopa"],
)
def test_what_was_meant_for_a_match_that_is_over_stays_out_of_the_next(
    store: Store, table: Table, send: Callable[[Store, Table], object]
) -> None:
    send(store, table)
    store.rematch(table, after=1)
    with pytest.raises(MatchClosedError, match="expected match 2"):
        send(store, table)
    assert (store.drafts(table), store.scope_counts(table)) == ((), (0, 0))


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


def test_a_photo_is_a_small_jpeg_that_is_kept_once(store: Store, table: Table) -> None:
    number = store.put_photo(table, JPEG, hand_no=1, side=0)
    assert store.put_photo(table, JPEG, hand_no=1, side=0) == number
    other = store.put_photo(table, JPEG, hand_no=1, side=1)
    assert store.photo(number) == JPEG
    rows = [(number, 0, len(JPEG)), (other, 1, len(JPEG))]
    assert [(row.id, row.side, row.size) for row in store.photos(table)] == rows
    assert store.photos(table, hand_no=2) == ()
    with pytest.raises(UnknownPlaceError):
        store.photo(999)
    for data in (b"", b"no picture", JPEG[:3] + bytes(1_500_000)):
        with pytest.raises(PhotoRefusedError):
            store.put_photo(table, data, hand_no=1, side=0)


# Transactions


def test_every_change_raises_the_revision_and_reading_or_a_refusal_does_not(
    store: Store, table: Table
) -> None:
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
        with pytest.raises(ScopeBelowZeroError):
            store.add_scope(table, 0, delta=-9)
        seen.append(store.revision(table))
    assert seen == list(range(seen[0], seen[0] + 9))


def test_what_is_read_together_is_of_one_moment_and_changes_nothing(
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


def test_a_failure_leaves_no_trace_of_its_transaction(store: Store, table: Table) -> None:
    with pytest.raises(NothingToUndoError), store.write(table.code) as found:  # noqa: PT012  both are one transaction
        assert idempotent(found, "refused")
        log.append(found, LogEntry(step=Step.REDO, key="c"), expected=1)
    with store.write(table.code) as found:
        assert idempotent(found, "refused")
