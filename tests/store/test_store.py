"""The store as one process sees it, on each engine."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from threading import Thread

import pytest
from hands import JPEG, hand
from playing import (
    command,
    edit_hand,
    find_table,
    leave_match,
    match_of,
    open_again,
    photo_at,
    put_drawing,
    query,
    read,
    record_hand,
    redo_hand,
    rematch,
    results_of,
    revision_of,
    states_at,
    undo_hand,
    write,
)

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
    Store,
    Table,
    TableNotFoundError,
    UnknownPlaceError,
    club,
    evening,
    idempotent,
    log,
    piles,
    tables,
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
    return command(store, tables.open_table, PAIR, PRESETS["silver-lake"])


# Tables


def test_codes_hold_nothing_that_is_taken_for_something_else() -> None:
    codes = [make_code() for _ in range(2_000)]
    assert not set("O0I1L") & set(ALPHABET)
    assert set("".join(codes)) == set(ALPHABET)
    assert {len(code) for code in codes} == {LENGTH}


def test_a_code_that_is_taken_is_drawn_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["K7QF", "K7QF", "K7QF", "MMMM"])
    monkeypatch.setattr("store.tables.make_code", lambda: next(drawn))
    assert [command(store, tables.open_table, PAIR, Rules()).code for _ in range(2)] == [
        "K7QF",
        "MMMM",
    ]


def test_a_table_and_an_evening_never_share_a_code(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["K7QF", "K7QF", "MMMM", "MMMM", "PPPP"])
    monkeypatch.setattr("store.tables.make_code", lambda: next(drawn))
    assert command(store, tables.open_table, PAIR, Rules()).code == "K7QF"
    with store.writing() as session:
        assert evening.open_evening(session, {}, key="k", link_hash=None).code == "MMMM"
    assert command(store, tables.open_table, PAIR, Rules()).code == "PPPP"


def test_codes_are_found_however_they_are_typed(store: Store, table: Table) -> None:
    code = table.code
    for typed in (code.lower(), f" {code[:2]}-{code[2:]} "):
        assert find_table(store, typed).code == code
    for unknown in ("", "AAAA", "K7QFX", "'; drop table log"):
        with pytest.raises(TableNotFoundError, match="read it off the board"):
            find_table(store, unknown)
        with pytest.raises(TableNotFoundError):
            write(store, piles.add_scope, unknown, 0)


def test_a_table_is_opened_with_names_rules_and_a_dealer(store: Store) -> None:
    assert query(store, tables.newest) == ()
    three = ("Anna", "Bruno", "Carla")
    table = command(store, tables.open_table, three, PRESETS["escoba"], first_dealer=2)
    assert find_table(store, table.code).rules == PRESETS["escoba"]
    row = match_of(store, table)
    assert (row.match.rules, row.match.names) == (PRESETS["escoba"], three)
    assert (row.first_dealer, row.match.hands) == (2, ())
    assert match_of(store, command(store, tables.open_table, PAIR, Rules())).first_dealer is None
    for nobody in (3, -1):
        with pytest.raises(UnknownPlaceError):
            command(store, tables.open_table, three, Rules(), first_dealer=nobody)
    with pytest.raises(MatchError):
        command(store, tables.open_table, ("Anna", "Anna"), Rules())
    assert len(query(store, tables.newest)) == 2


def test_tables_are_listed_the_newest_first_and_a_few_at_a_time(store: Store) -> None:
    opened = [command(store, tables.open_table, PAIR, Rules()) for _ in range(5)][::-1]
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
        assert [table.code for table in query(store, tables.newest, **how)] == found, how
    with pytest.raises(TableNotFoundError):
        query(store, tables.newest, before="AAAAA")


def test_names_are_listed_by_last_match(
    store: Store,
) -> None:
    first = command(store, tables.open_table, PAIR, Rules())
    second = command(store, tables.open_table, ("Carla", "Anna"), Rules())
    command(store, tables.open_table, ("Sample", "Hand"), Rules(name=SAMPLE))
    assert query(store, club.names, most=9) == ("Anna", "Carla", "Bruno")
    assert query(store, club.names, most=1) == ("Anna",)
    assert query(store, club.names, [first.code.lower()], most=9) == ("Anna", "Bruno")
    assert query(store, club.names, [second.code, "AAAAA"], most=9) == ("Anna", "Carla")
    assert query(store, club.names, [], most=9) == ()
    rematch(store, first, after=1)
    assert query(store, club.names, most=2) == ("Anna", "Bruno")


def test_a_table_has_a_card_style_and_is_closed_and_opened_again(store: Store) -> None:
    table = command(store, tables.open_table, PAIR, Rules(), drawing=CardStyle.FRENCH)
    assert find_table(store, table.code).drawing is CardStyle.FRENCH
    put_drawing(store, table, CardStyle.ITALIAN)
    assert find_table(store, table.code).drawing is CardStyle.ITALIAN
    assert revision_of(store, table) > table.revision
    write(store, tables.close, table)
    closed = find_table(store, table.code)
    write(store, tables.close, table)
    assert closed.is_closed
    assert find_table(store, table.code).closed_at == closed.closed_at
    open_again(store, table)
    assert query(store, tables.newest)[0].closed_at is None


# The log of a match


def test_a_hand_is_kept_once_across_processes(store: Store, table: Table, database: str) -> None:
    first = record_hand(store, table, hand(), key="a", expected=1, device="Bruno's phone")
    assert record_hand(store, table, hand(), key="a", expected=1) == first
    assert record_hand(store, table, hand(20), key="a", expected=2) == first
    with closing(Store(database)) as other:
        again = match_of(other, table.code)
    assert again.match.hands == (hand(),)
    assert again.hands[0].device == "Bruno's phone"
    assert again.hands[0].made_at.utcoffset() is not None
    elsewhere = command(store, tables.open_table, PAIR, Rules())
    record_hand(store, elsewhere, hand(20), key="a", expected=1)
    assert match_of(store, elsewhere).match.hands == (hand(20),)


def test_a_hand_the_rules_refuse_is_not_kept(store: Store, table: Table) -> None:
    doubled = HandRecord((Side("Anna", DECK[:22], 0), Side("Bruno", DECK[21:], 0)))
    with pytest.raises(HandError):
        record_hand(store, table, doubled, key="a", expected=1)
    record_hand(store, table, hand(), key="b", expected=1)
    with pytest.raises(HandError):
        edit_hand(store, table, doubled, hand_no=1, key="c", expected=2)
    for hand_no in (0, 2, -1):
        with pytest.raises(UnknownPlaceError):
            edit_hand(store, table, hand(), hand_no=hand_no, key="d", expected=2)
    assert match_of(store, table).match.hands == (hand(),)


def test_of_two_hands_the_first_stays_and_the_other_is_refused(store: Store, table: Table) -> None:
    record_hand(store, table, hand(22), key="b", expected=1)
    for _ in range(2):
        with pytest.raises(ConflictError) as caught:
            record_hand(store, table, hand(20), key="a", expected=1)
        assert (caught.value.expected, caught.value.revision) == (1, 2)
    assert match_of(store, table).match.hands == (hand(22),)
    assert read(store, log.conflicts, table) == ()


def test_any_hand_can_be_edited_and_its_versions_stay(store: Store, table: Table) -> None:
    record_hand(store, table, hand(22), key="a", expected=1)
    record_hand(store, table, hand(21), key="b", expected=2)
    edit_hand(store, table, hand(25), hand_no=1, key="c", expected=3, device="laptop")
    match = match_of(store, table)
    assert match.match.hands == (hand(25), hand(21))
    assert [row.revision for row in match.hands] == [4, 3]
    steps = read(store, log.steps, table)
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
        record_hand(store, table, hand(), key=f"{number}", expected=number + 1)
        assert len(scored) == number + 1


def test_undo_and_redo_step_through_edit_and_hand(store: Store, table: Table) -> None:
    record_hand(store, table, hand(22), key="a", expected=1)
    edit_hand(store, table, hand(25), hand_no=1, key="b", expected=2)
    for _ in range(2):  # sent twice, done once
        assert undo_hand(store, table, key="c", expected=3).match.hands == (hand(22),)
    with pytest.raises(ConflictError):
        undo_hand(store, table, key="late", expected=3)
    back = undo_hand(store, table, key="d", expected=4)
    assert (back.match.hands, back.can_undo, back.can_redo) == ((), False, True)
    with pytest.raises(NothingToUndoError):
        undo_hand(store, table, key="e", expected=5)
    assert redo_hand(store, table, key="f", expected=5).match.hands == (hand(22),)
    again = redo_hand(store, table, key="g", expected=6)
    assert (again.match.hands, again.can_undo, again.can_redo) == ((hand(25),), True, False)
    with pytest.raises(NothingToUndoError):
        redo_hand(store, table, key="h", expected=7)
    assert len(read(store, log.steps, table)) == 7
    undo_hand(store, table, key="i", expected=7)
    record_hand(store, table, hand(20), key="j", expected=8)
    assert match_of(store, table).can_redo is False, "a new step ends the redo"


def test_rematch_opens_once_with_the_same_sides(store: Store, table: Table) -> None:
    seen = record_hand(store, table, hand(30), key="a", expected=1).revision
    now = undo_hand(store, table, key="b", expected=seen).revision
    with pytest.raises(ConflictError):
        rematch(store, table, after=1, expected=seen)
    assert find_table(store, table.code).match_no == 1
    now = redo_hand(store, table, key="c", expected=now).revision
    for _ in range(2):  # asked twice
        second = rematch(store, table, after=1, expected=now)
        assert (second.match_no, second.side_names, second.rules) == (2, PAIR, table.rules)
    assert match_of(store, table).match.hands == ()
    assert match_of(store, table, match_no=1).match.hands == (hand(30),)
    with pytest.raises(UnknownPlaceError):
        match_of(store, table, match_no=3)
    [listed] = query(store, tables.newest)
    assert (listed.hands, listed.totals, listed.winner) == (0, (0, 0), None)


def test_a_match_opened_by_mistake_is_left_for_the_one_before(store: Store, table: Table) -> None:
    first = record_hand(store, table, hand(), key="a", expected=1)
    rematch(store, table, after=1)
    seen = match_of(store, table).revision
    write(store, piles.add_scope, table, 0)
    for _ in range(2):  # tapped twice
        assert leave_match(store, table, match_no=2, expected=seen).match_no == 1
    now = match_of(store, table)
    assert (now.hands, now.can_undo) == ((first,), True)
    third = rematch(store, table, after=1)
    assert (third.match_no, read(store, piles.scope_counts, third)) == (3, (0, 0))
    assert [match.match_no for match in read(store, states_at, table)] == [1, 3]
    assert [row.step for row in read(store, log.steps, table, match_no=2)] == [
        Step.OPEN,
        Step.LEAVE,
    ]
    assert [(row.match_no, row.hands) for row in results_of(store, table)] == [(3, 0), (1, 1)]
    [row] = results_of(store, table)[1:]
    match = match_of(store, table, match_no=1)
    assert (row.side_names, row.totals, row.winner) == (PAIR, match.match.totals, None)
    assert row.opened_at.utcoffset() is not None


def test_a_match_is_not_left_that_has_hands_or_none_before_it(store: Store, table: Table) -> None:
    with pytest.raises(MatchBegunError):
        leave_match(store, table, match_no=1, expected=1)
    rematch(store, table, after=1)
    record_hand(store, table, hand(), key="a", expected=2)
    with pytest.raises(ConflictError):
        leave_match(store, table, match_no=2, expected=2)
    with pytest.raises(MatchBegunError, match="match 2 with 1"):
        leave_match(store, table, match_no=2, expected=3)
    assert find_table(store, table.code).match_no == 2


def test_a_list_says_who_has_won(store: Store) -> None:
    short = command(store, tables.open_table, PAIR, PRESETS["silver-lake"].changed(target=1))
    record_hand(store, short, hand(30), key="a", expected=1)
    [listed] = query(store, tables.newest)
    assert listed == find_table(store, short.code)
    assert (listed.hands, listed.winner) == (1, 0)
    assert listed.totals == match_of(store, short).match.totals


# The hand being played


def test_scope_are_counted_by_side_and_start_anew_with_the_hand(store: Store, table: Table) -> None:
    assert read(store, piles.scope_counts, table) == (0, 0)
    write(store, piles.add_scope, table, 0)
    write(store, piles.add_scope, table, 1, delta=2)
    assert write(store, piles.add_scope, table, 1, delta=-1, hand_no=1) == (1, 1)
    with pytest.raises(ScopeBelowZeroError):
        write(store, piles.add_scope, table, 0, delta=-2)
    with pytest.raises(UnknownPlaceError):
        write(store, piles.add_scope, table, 2)
    record_hand(store, table, hand(), key="a", expected=1)
    with pytest.raises(HandClosedError):
        write(store, piles.add_scope, table, 0, hand_no=1)
    assert read(store, piles.scope_counts, table) == (0, 0)
    undo_hand(store, table, key="b", expected=2)
    assert read(store, piles.scope_counts, table) == (1, 1)


@pytest.mark.parametrize(
    "send",
    [
        lambda store, table: write(store, piles.put_drafts, table, {0: {}}, match_no=1, hand_no=1),
        lambda store, table: write(
            store, piles.add_photo, table, JPEG, match_no=1, hand_no=1, side=0
        ),
        lambda store, table: write(store, piles.add_scope, table, 0, match_no=1, hand_no=1),
    ],
    ids=["draft", "photo", "scopa"],
)
def test_late_tap_of_an_ended_match_stays_out_of_the_next(
    store: Store, table: Table, send: Callable[[Store, Table], object]
) -> None:
    send(store, table)
    rematch(store, table, after=1)
    with pytest.raises(MatchClosedError, match="expected match 2"):
        send(store, table)
    assert (read(store, piles.drafts, table), read(store, piles.scope_counts, table)) == (
        (),
        (0, 0),
    )


def test_drafts_are_shared_and_belong_to_their_hand(
    store: Store, table: Table, database: str
) -> None:
    assert read(store, piles.drafts, table) == ()
    write(store, piles.put_drafts, table, {1: {"cards": ["7d"]}}, hand_no=1, device="Bruno's phone")
    later = {1: {"cards": ["7d", "1s"]}}
    [draft] = write(store, piles.put_drafts, table, later, hand_no=1, expected={1: 1})
    assert (draft.version, draft.draft) == (2, {"cards": ["7d", "1s"]})
    with closing(Store(database)) as other:
        assert read(other, piles.drafts, table.code) == (draft,)
    record_hand(store, table, hand(), key="a", expected=1)
    assert read(store, piles.drafts, table) == ()
    assert read(store, piles.drafts, table, hand_no=1) == (draft,)


def test_a_draft_is_not_laid_over_one_that_was_not_seen(store: Store, table: Table) -> None:
    [first] = write(
        store, piles.put_drafts, table, {1: {"cards": []}}, hand_no=1, expected={}, device="B"
    )
    moved = {0: {"cards": ["7d"]}, 1: {"cards": ["1s"]}}
    with pytest.raises(StaleDraftError, match="'B' changed it") as caught:
        write(store, piles.put_drafts, table, moved, hand_no=1, expected={})
    assert caught.value.current == first
    assert read(store, piles.drafts, table) == (first,), (
        "of a card that moves, both piles are kept or none"
    )


@pytest.mark.parametrize(("hand_no", "side"), [(0, 0), (2, 0), (1, 2), (1, -1)])
def test_a_draft_or_photo_needs_a_hand_and_a_side(
    store: Store, table: Table, hand_no: int, side: int
) -> None:
    with pytest.raises(UnknownPlaceError):
        write(store, piles.put_drafts, table, {side: {}}, hand_no=hand_no)
    with pytest.raises(UnknownPlaceError):
        write(store, piles.add_photo, table, JPEG, hand_no=hand_no, side=side)


def test_a_photo_is_a_small_jpeg_that_is_kept_once(store: Store, table: Table) -> None:
    number = write(store, piles.add_photo, table, JPEG, hand_no=1, side=0)
    assert write(store, piles.add_photo, table, JPEG, hand_no=1, side=0) == number
    other = write(store, piles.add_photo, table, JPEG, hand_no=1, side=1)
    assert photo_at(store, number) == JPEG
    rows = [(number, 0, len(JPEG)), (other, 1, len(JPEG))]
    assert [(row.id, row.side, row.size) for row in read(store, piles.photos, table)] == rows
    assert read(store, piles.photos, table, hand_no=2) == ()
    with pytest.raises(UnknownPlaceError):
        photo_at(store, 999)
    for data in (b"", b"no picture", JPEG[:3] + bytes(1_500_000)):
        with pytest.raises(PhotoRefusedError):
            write(store, piles.add_photo, table, data, hand_no=1, side=0)


# Transactions


def test_only_changes_raise_the_revision(store: Store, table: Table) -> None:
    seen = [revision_of(store, table)]
    for change in (
        lambda: write(store, piles.add_scope, table, 0),
        lambda: write(store, piles.put_drafts, table, {0: {}}, hand_no=1),
        lambda: write(store, piles.add_photo, table, JPEG, hand_no=1, side=0),
        lambda: record_hand(store, table, hand(), key="a", expected=1),
        lambda: edit_hand(store, table, hand(20), hand_no=1, key="b", expected=2),
        lambda: undo_hand(store, table, key="c", expected=3),
        lambda: redo_hand(store, table, key="d", expected=4),
        lambda: rematch(store, table, after=1),
    ):
        change()
        (
            match_of(store, table),
            read(store, piles.drafts, table),
            read(store, piles.scope_counts, table),
        )
        with pytest.raises(ScopeBelowZeroError):
            write(store, piles.add_scope, table, 0, delta=-9)
        seen.append(revision_of(store, table))
    assert seen == list(range(seen[0], seen[0] + 9))


def test_latest_keys_are_those_of_the_last_commands(store: Store, table: Table) -> None:
    sent = [f"key {number}" for number in range(tables.LATEST_KEYS + 1)]
    for key in sent:
        with store.write(table) as found:
            assert idempotent(found, key)
    assert read(store, tables.latest_keys, table) == tuple(reversed(sent[1:]))


def test_read_transaction_is_one_snapshot(store: Store, table: Table, database: str) -> None:
    with closing(Store(database)) as other, store.reading():
        before = revision_of(store, table)
        meanwhile = Thread(target=write, args=(other, piles.add_scope, table, 0))
        meanwhile.start()
        meanwhile.join()
        assert (revision_of(store, table), read(store, piles.scope_counts, table)) == (
            before,
            (0, 0),
        )
        with pytest.raises(RuntimeError, match="expected only queries"):
            write(store, piles.add_scope, table, 0)
    assert read(store, piles.scope_counts, table) == (1, 0)


def test_a_failure_leaves_no_trace_of_its_transaction(store: Store, table: Table) -> None:
    with pytest.raises(NothingToUndoError), store.write(table.code) as found:  # noqa: PT012  both are one transaction
        assert idempotent(found, "refused")
        log.append(found, LogEntry(step=Step.REDO, key="c"), expected=1)
    with store.write(table.code) as found:
        assert idempotent(found, "refused")
