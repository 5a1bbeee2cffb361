"""Evenings as they are kept: from sign-up to the prize, undone and corrected; who may do what."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from acting import act
from evening_playing import LINK, NAMES, do, draw, holder, now, opened, play, seen
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import find_table, match_of, query, rematch, revision_of, undo_hand

from scoring.presets import PRESETS
from screens.parts.evening import can_draw
from store import ConflictError, PlayedMatch, Session, Store, TableNotFoundError, season, tables
from store import evening as store_evening
from store.errors import NothingToUndoError
from table.access import ANONYMOUS, SYSTEM, Credentials, Role, hash_link, new_link
from table.actions import execute
from table.evening.actions import RoundBegunError
from table.evening.draw import TooFewError
from table.evening.replay import (
    MAX_PLAYERS,
    SYSTEMS,
    Facts,
    ManyPlayersError,
    RoundOpenError,
    System,
    Teams,
    UnknownFactError,
    team_name,
)
from table.evening.standings import WIN
from table.evening.view import load_evening, open_evening, seat_link
from table.names import SameNameError
from table.requests import Request
from table.view import load_view, snapshot_of

START = datetime(2026, 11, 27, 20, tzinfo=UTC)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as made:
        yield made


def test_four_rounds_of_twenty_four_count_each_result_once(
    store: Store,
) -> None:
    code = opened(store, *NAMES, teams=Teams.FIXED)
    do(store, code, "pairs", pairs=[(n, n + 1) for n in range(1, 24, 2)])
    for _ in range(4):
        seats = draw(store, code)
        assert [(seat.table, seat.turn) for seat in seats] == [(n, 0) for n in range(1, 7)]
        with pytest.raises(RoundOpenError):
            draw(store, code)
        for number, seat in enumerate(seats):
            play(store, seat.code, 11, number)
    do(store, code, "end", over=True)
    evening = now(store, code)
    assert evening.is_over
    met = Counter(frozenset(seat.sides) for one in evening.rounds for seat in one.seats)
    assert set(met.values()) == {1}, "no two pairs met twice"
    rows = evening.standings
    assert [row.rank for row in rows] == [*range(1, 13)]
    assert all(row.played == 4 for row in rows)
    assert sum(row.match_points for row in rows) == 4 * 6 * WIN
    assert sum(row.difference for row in rows) == 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_fixed_pairs_play_by_every_system(store: Store, system: System) -> None:
    code = opened(store, *NAMES[:10], system=system, teams=Teams.FIXED)
    do(store, code, "pairs", pairs=[(n, n + 1) for n in range(1, 10, 2)])
    with pytest.raises(UnknownFactError):
        do(store, code, "pairs", pairs=[(1, 2), (2, 3)])
    for number in range(3):
        seats = draw(store, code)
        assert all(len(side) == 2 for seat in seats for side in seat.sides)
        for seat in seats:
            play(store, seat.code, 11, number)
    evening = now(store, code)
    assert len(evening.entrants) == len(evening.standings) == 5
    assert [len(one.seats) for one in evening.rounds] == [2, 2, 2]
    assert [len(one.byes) for one in evening.rounds] == [2, 2, 2]
    [name] = {row.match.names[0] for row in query(store, season.played, [seats[0].code])}
    assert name == team_name([evening.player(n).name for n in seats[0].sides[0]])
    [row] = query(store, season.played, [seats[0].code])
    assert row.members[0] == tuple(evening.player(n).name for n in seats[0].sides[0])


@pytest.mark.parametrize(
    "older",
    [
        {"system": System.DANISH},
        {"system": System.KNOCK_OUT},
        {"system": System.FREE},
        {"teams": Teams.DRAWN},
    ],
    ids=lambda older: str(*older.values()),
)
def test_an_evening_of_an_older_system_can_only_be_read(
    store: Store, older: dict[str, Any]
) -> None:
    code = opened(store, *NAMES[:4])
    plan = replace(now(store, code).plan, **older)
    with pytest.raises(UnknownFactError):
        open_evening(store, plan, link=new_link())
    with store.writing() as session:  # as an older version wrote it
        row = store_evening.lock(session, code)
        store_evening.record(row, {"do": "plan", "plan": plan.to_dict()}, key="old")
    assert len(now(store, code).standings) == 4
    assert not can_draw(now(store, code))
    shown = seen(store, code).log.revision
    refused: dict[str, dict[str, Any]] = {
        "player": {"name": "Late"},
        "here": {"player": 1, "here": False},
        "round": {"shown": shown},
        "end": {"over": True},
    }
    for name, sent in refused.items():
        with pytest.raises(UnknownFactError):
            do(store, code, name, **sent)
    assert seen(store, code).log.revision == shown


def test_more_pairs_than_tables_wait_for_a_table(store: Store) -> None:
    code = opened(store, *NAMES[:10], tables=2)
    seats = draw(store, code)
    assert [(seat.table, seat.turn) for seat in seats] == [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2)]


def test_latecomers_leavers_and_no_shows(
    store: Store,
) -> None:
    code = opened(store, *NAMES[:4], system=System.ROUND_ROBIN)
    for seat in draw(store, code):
        play(store, seat.code, 11, 4)
    do(store, code, "player", name="Late")
    do(store, code, "here", player=2, here=False)
    first, second = draw(store, code)
    assert {n for seat in (first, second) for side in seat.sides for n in side} == {1, 3, 4, 5}
    do(store, code, "result", code=first.code, absent=1)
    play(store, second.code, 11, 4)
    by_entrant = {row.entrant: row for row in now(store, code).standings}
    winner, loser = (by_entrant[side[0]] for side in first.sides)
    assert winner.match_points - loser.match_points >= 0
    assert now(store, code).meetings[-1][0].absent == 1
    do(store, code, "result", code=first.code)
    assert not now(store, code).meetings[-1][0].is_over, "what is played counts again"
    do(store, code, "here", player=2, here=True)
    assert now(store, code).here == (1, 2, 3, 4, 5)


def test_a_hand_corrected_at_its_table_corrects_the_standings(store: Store) -> None:
    code = opened(store, *NAMES[:4])
    first, second = draw(store, code)
    play(store, first.code, 11, 2)
    play(store, second.code, 3, 11)
    assert now(store, code).meetings[0][0].winner == 0
    row = match_of(store, first.code)
    undo_hand(store, first.code, key="u", expected=row.revision)
    assert not now(store, code).meetings[0][0].is_over
    play(store, first.code, 2, 11)
    assert now(store, code).meetings[0][0].winner == 1


def test_best_of_three_ends_with_the_second_win(store: Store) -> None:
    code = opened(store, *NAMES[:4], best_of=3)
    first, _ = draw(store, code)
    play(store, first.code, 11, 2)
    meeting = now(store, code).meetings[0][0]
    assert (meeting.won, meeting.is_over) == ((1, 0), False)
    for scope in ((3, 11), (11, 0)):
        number = match_of(store, first.code).match_no
        rematch(store, first.code, after=number)
        play(store, first.code, *scope)
    meeting = now(store, code).meetings[0][0]
    assert (meeting.won, meeting.is_over, meeting.winner) == ((2, 1), True, 0)
    assert (meeting.points, meeting.scope) == ((25, 13), (25, 13))


def test_a_round_keeps_the_plan_it_was_drawn_with(store: Store) -> None:
    """Older versions changed the plan of a running evening; their logs still replay."""
    code = opened(store, *NAMES[:9], system=System.ROUND_ROBIN, tables=2, best_of=3, minutes=30)
    first, *rest = draw(store, code)
    before = now(store, code)
    changed = replace(before.plan, system=System.SWISS, tables=4, best_of=1, minutes=0)
    changed = replace(changed, rules=PRESETS["a-perdere"].played_by(2))
    with store.writing() as session:
        row = store_evening.lock(session, code)
        store_evening.record(row, {"do": "plan", "plan": changed.to_dict()}, key="changed")
    evening = now(store, code)
    assert (evening.plan, evening.rounds) == (changed, before.rounds)
    assert evening.rounds[0].ends_at is not None
    play(store, first.code, 11, 2)
    assert not now(store, code).meetings[0][0].is_over, "it is the best of three"
    for seat in (first, *rest):
        do(store, code, "result", code=seat.code, points=(11, 2))
    assert now(store, code).meetings[0][0].winner == 0, "more points win there"
    seats = draw(store, code)
    assert [seat.table for seat in seats] == [1, 2, 3, 4]
    assert find_table(store, seats[0].code).match.best_of == 1
    do(store, code, "result", code=seats[0].code, points=(11, 2))
    assert now(store, code).meetings[1][0].winner == 1, "fewer points win there"
    byes = [row.match_points for row in now(store, code).standings if row.byes]
    assert sum(byes) >= WIN, "a bye counts in a Swiss round"


# The log


def test_decisions_are_undone_but_no_round_that_was_played(store: Store) -> None:
    code = opened(store, *NAMES[:4])
    before = now(store, code).players
    view = seen(store, code)
    do(store, code, "undo", shown=view.log.revision)
    assert now(store, code).players == before[:3]
    with pytest.raises(ConflictError):
        do(store, code, "undo", shown=view.log.revision)
    do(store, code, "player", name=NAMES[3])
    first, _ = draw(store, code)
    drawn = revision_of(store, first.code)
    do(store, code, "undo", shown=seen(store, code).log.revision)
    assert not now(store, code).rounds
    undone = find_table(store, first.code)
    assert undone.is_closed
    assert holder(code).role_at(undone) is Role.SUSPENDED, "nobody plays on there in vain"
    assert undone.revision > drawn, "its screens hear of it"
    first, _ = draw(store, code)
    play(store, first.code, 2, 1)
    with pytest.raises(RoundBegunError):
        do(store, code, "undo", shown=seen(store, code).log.revision)
    assert now(store, code).rounds, "what is refused leaves no trace"


def test_the_opening_cannot_be_undone(store: Store) -> None:
    code = opened(store)
    with pytest.raises(NothingToUndoError):
        do(store, code, "undo", shown=seen(store, code).log.revision)


def test_repeated_tap_draws_one_round(store: Store) -> None:
    code = opened(store, *NAMES[:4])
    shown = seen(store, code).log.revision
    request = Request(do="evening_round", payload={"shown": shown}, key="k")
    for is_new in (True, False):
        done = execute(store, code, request, credentials=holder(code))
        assert done.is_new is is_new
    with pytest.raises(ConflictError):
        do(store, code, "round", shown=shown)
    assert len(now(store, code).rounds) == 1
    assert len(query(store, tables.newest)) == 2


def test_an_evening_asked_for_twice_is_opened_once(store: Store) -> None:
    code = opened(store)
    again = open_evening(store, now(store, code).plan, link=LINK)
    assert again.code == code


@settings(max_examples=6)
@given(st.data())
def test_an_evening_however_it_goes_keeps_its_rules(data: st.DataObject) -> None:
    """Every decision is kept or refused whole; undo takes it back whole."""
    with closing(Store("sqlite://")) as store:
        system = data.draw(st.sampled_from(SYSTEMS))
        code = opened(store, *NAMES[:4], system=system, tables=2)
        for step in range(data.draw(st.integers(3, 8))):
            evening = now(store, code)
            revision = seen(store, code).log.revision
            kinds = ("player", "round", "play", "undo", *(["here"] if evening.players else []))
            kind = data.draw(st.sampled_from(kinds))
            players = st.integers(1, max(1, len(evening.players)))
            try:
                if kind == "player":
                    do(store, code, kind, name=f"Guest {step}")
                elif kind == "here":
                    do(store, code, kind, player=data.draw(players), here=data.draw(st.booleans()))
                elif kind == "play":
                    for meeting in evening.meetings[-1] if evening.rounds else ():
                        if not meeting.is_over:
                            play(store, meeting.seat.code, *data.draw(st.permutations((11, 3))))
                else:
                    do(store, code, kind, shown=revision)
            except (TooFewError, RoundOpenError, RoundBegunError, NothingToUndoError):
                assert seen(store, code).log.revision == revision
                continue
            after = now(store, code)
            for one in after.rounds:
                seated = [n for seat in one.seats for side in seat.sides for n in side]
                assert len({*seated, *one.byes}) == len(seated) + len(one.byes)
            if kind in {"player", "here"}:
                do(store, code, "undo", shown=seen(store, code).log.revision)
                back = now(store, code)
                assert (back.players, back.rounds) == (evening.players, evening.rounds)
                after = back
            rows = after.standings
            assert sum(row.difference for row in rows) == 0
            assert sum(row.won + row.lost + row.level for row in rows) == 2 * len(after.outcomes)


@pytest.mark.parametrize(
    "facts",
    [
        {"do": "fly"},
        {"do": "here", "player": 9, "here": True},
        {"do": "here", "player": "1", "here": True},
        {"do": "pairs", "pairs": [[1, 9]]},
        {"do": "round", "seats": [{"code": "K7QF", "sides": [[1], [1]]}]},
        {"do": "result", "code": "ZZZZ", "points": [1, 2]},
        {"do": "result", "code": "ZZZZ"},
    ],
    ids=lambda facts: str(facts["do"]),
)
def test_what_does_not_fit_an_evening_is_refused(store: Store, facts: Facts) -> None:
    evening = now(store, opened(store, *NAMES[:4]))
    with pytest.raises(UnknownFactError):
        evening.after(facts, START)


def test_names_are_checked_as_those_of_tables_are(store: Store) -> None:
    code = opened(store, "Anna")
    for name in ("ANNA", " anna "):
        with pytest.raises(SameNameError):
            do(store, code, "player", name=name)
    evening = now(store, code)
    for number in range(MAX_PLAYERS - 1):
        evening = evening.after({"do": "player", "name": f"P{number}"}, START)
    with pytest.raises(ManyPlayersError):
        evening.after({"do": "player", "name": "one more"}, START)


# Who may do what


def test_an_evening_is_no_table_and_a_table_no_evening(store: Store) -> None:
    code = opened(store, *NAMES[:4])
    draw(store, code)
    assert code not in {table.code for table in query(store, tables.newest)}
    with pytest.raises(TableNotFoundError):
        load_view(store, code, credentials=SYSTEM)
    for name in ("scopa", "rematch", "close", "drawing"):
        request = Request(do=name, payload={"side": 0, "delta": 1} if name == "scopa" else {})
        with pytest.raises(TableNotFoundError):
            execute(store, code, request, credentials=SYSTEM)
    table = query(store, tables.newest)[0].code
    with pytest.raises(TableNotFoundError):
        load_evening(store, table, credentials=SYSTEM)
    with pytest.raises(TableNotFoundError):
        act(store, table, "evening_player", name="Zoe")


def test_the_link_of_an_evening_scores_at_its_tables(store: Store) -> None:
    code = opened(store, *NAMES[:4])
    seats = draw(store, code)
    for seat in seats:
        table = find_table(store, seat.code)
        assert holder(code).role_at(table) is Role.SCORER
        assert Credentials({seat.code: seat_link(LINK, seat.code)}).role_at(table) is Role.SCORER
        assert Credentials({seat.code: LINK}).role_at(table) is Role.VIEWER
        assert Credentials({code: ""}).role_at(table) is Role.VIEWER
        assert ANONYMOUS.role_at(table) is Role.VIEWER


def test_old_player_link_scores_only_at_its_table(store: Store) -> None:
    code, link = opened(store, *NAMES[:4]), new_link()
    first, second = draw(store, code)
    with store.write(first.code) as table:
        table.player_hashes = [*table.player_hashes, hash_link(link)]
    phone = Credentials({code: link})
    assert phone.role_at(find_table(store, first.code)) is Role.SCORER
    assert phone.role_at(find_table(store, second.code)) is Role.VIEWER
    assert phone.role_at(seen(store, code).row) is Role.VIEWER


def test_of_a_hand_that_comes_only_its_table_is_read_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = opened(store, *NAMES[:8])
    first, *_ = draw(store, code)
    now(store, code)
    read: list[str] = []
    played = season.played

    def counted(session: Session, codes: Sequence[str]) -> tuple[PlayedMatch, ...]:
        read.extend(codes)
        return played(session, codes)

    monkeypatch.setattr(season, "played", counted)
    play(store, first.code, 3, 2)
    assert now(store, code).meetings[0][0].totals == (3, 2)
    assert read == [first.code]


def test_every_screen_of_an_evening_hears_of_its_tables(store: Store) -> None:
    code = opened(store, *NAMES[:4])
    first, _ = draw(store, code)
    before = snapshot_of(store, code)
    play(store, first.code, 3, 2)
    live = snapshot_of(store, code)
    assert live["revision"] > before["revision"]
    assert live["evening"] == before["evening"], "phones do not rerun for a score"
    play(store, first.code, 11, 2)
    assert snapshot_of(store, code)["evening"] != before["evening"]
