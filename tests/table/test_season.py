"""A season counted from matches made up at random, and from a few whose figures are known."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from season_playing import SHORT, START, seasons

from scoring.cards import CODES, Card
from scoring.hand import Side, name_keys
from scoring.match import Match
from scoring.record import HandRecord
from store import PlayedMatch
from table.season import Season, points_by_kind, season_of

DENARI = tuple(map(Card.from_code, (code for code in CODES if code.endswith("d"))))
"""With these a side gets denari, settebello and a napola."""


def row(number: int, *names: str, winner: int = 0, scope: int = 7) -> PlayedMatch:
    """A match of one hand, won by scope alone."""
    sides = tuple(Side(name, (), scope if side == winner else 1) for side, name in enumerate(names))
    match = Match(SHORT, names, (HandRecord(sides),))
    opened = START + timedelta(days=number)
    return PlayedMatch(
        id=f"open-{number}", code="K7QF", match_no=number, opened_at=opened, match=match, hands=()
    )


def test_a_season_without_matches_is_empty() -> None:
    season = season_of([])
    assert season == Season()
    assert season.standings == ()


@given(seasons())
def test_every_match_is_won_once_and_every_point_counted_once(rows: list[PlayedMatch]) -> None:
    season = season_of(rows)
    over = [one.match for one in rows if one.match.winner is not None]
    assert sum(one.won for one in season.standings) == len(over)
    assert sum(one.points for one in season.standings) == sum(sum(m.totals) for m in over)
    assert sum(one.matches for one in season.standings) == sum(len(m.names) for m in over)
    assert season.still_open == sum(m.winner is None and bool(m.hands) for m in (
        one.match for one in rows
    ))  # fmt: skip


@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_in_which_matches_come_makes_no_difference(
    rows: list[PlayedMatch], chance: Random
) -> None:
    shuffled = list(rows)
    chance.shuffle(shuffled)
    assert season_of(shuffled) == season_of(rows)


@given(seasons())
def test_what_is_taken_is_what_the_lines_of_the_hands_say(rows: list[PlayedMatch]) -> None:
    season = season_of(rows)
    lines = [
        line
        for one in rows
        if one.match.winner is not None
        for score in one.match.scores[: one.match.counted]
        for line in score.lines
        if line.winner is not None
    ]
    for column, point in (("settebelli", "settebello"), ("primiere", "primiera")):
        counted = sum(getattr(standing, column) for standing in season.standings)
        assert counted == sum(line.point == point for line in lines)


@given(seasons())
def test_two_players_seen_from_the_other_side_are_the_same_two(rows: list[PlayedMatch]) -> None:
    season = season_of(rows)
    players = [one.player for one in season.standings]
    for one in players:
        for other in players:
            if one == other:
                continue
            here, there = season.between(one, other), season.between(other, one)
            assert here.won == there.won[::-1]
            assert here.points == there.points[::-1]
            assert here.matches == there.matches >= sum(here.won)


@given(seasons())
def test_streaks_are_no_longer_than_what_was_played(rows: list[PlayedMatch]) -> None:
    for one in season_of(rows).standings:
        assert one.streak != 0
        assert -(one.matches - one.won) <= one.streak <= one.longest <= one.won


@given(seasons())
def test_points_over_time_end_with_the_points_of_the_season(rows: list[PlayedMatch]) -> None:
    season = season_of(rows)
    for one in season.standings:
        after = season.points_over_time(one.player)
        assert len(after) == len(season.results)
        assert after[-1] == one.points
        assert sorted(after) == list(after)


@given(seasons())
def test_points_by_kind_add_up_to_the_totals(rows: list[PlayedMatch]) -> None:
    for one in rows:
        sums = [sum(gains) for gains in zip(*points_by_kind(one.match).values(), strict=True)]
        assert tuple(sums or [0] * len(one.match.names)) == one.match.totals


def test_a_row_of_wins_is_counted_up_to_the_last_match() -> None:
    winners = (0, 0, 1, 0, 0, 0, 1, 1)
    season = season_of(row(n, "Anna", "Bruno", winner=won) for n, won in enumerate(winners))
    anna, bruno = season.standings
    assert (anna.name, anna.won, anna.streak, anna.longest) == ("Anna", 5, -2, 3)
    assert (bruno.name, bruno.won, bruno.streak, bruno.longest) == ("Bruno", 3, 2, 2)


def test_a_player_is_the_same_however_the_name_is_written() -> None:
    season = season_of([row(1, "anna", "Bruno"), row(2, "Bruno", " ANNA ", winner=1)])
    assert [(one.name, one.matches, one.won) for one in season.standings] == [
        (" ANNA ", 2, 2),
        ("Bruno", 2, 0),
    ]
    turkish = season_of([row(1, "\u0130pek", "Bruno"), row(2, "ipek", "Bruno")])
    assert [one.matches for one in turkish.standings] == [2, 2]
    assert name_keys(("Anna", "anna")) == ("Anna", "anna")


def test_a_third_side_may_win_where_two_meet() -> None:
    season = season_of([row(1, "Anna", "Bruno", "Carla", winner=2), row(2, "Anna", "Bruno")])
    met = season.between("anna", "bruno")
    assert (met.matches, met.won, met.points) == (2, (1, 0), (8, 2))
    assert [result.match_no for result in met.last] == [2, 1]


def test_a_hand_that_was_taken_out_and_hands_after_the_end_count_nothing() -> None:
    hand = HandRecord((Side("Anna", DENARI, 1), Side("Bruno", (), 0)))
    empty = HandRecord((Side("Anna", ()), Side("Bruno", ())))
    one = row(1, "Anna", "Bruno")
    match = replace(one.match, hands=(empty, hand, hand))
    standing = season_of([replace(one, match=match)]).standings[0]
    assert match.counted == 2
    assert (standing.hands, standing.settebelli, standing.napole) == (1, 1, 1)
    assert standing.scope == 1


@pytest.mark.parametrize(
    ("match", "expected"), [(Match(SHORT, ("Anna", "Bruno")), {})], ids=["no hands"]
)
def test_a_match_without_hands_has_no_points(match: Match, expected: dict[str, object]) -> None:
    assert points_by_kind(match) == expected
