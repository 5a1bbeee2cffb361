"""A season counted from matches made up at random, and from a few whose figures are known."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from season_playing import SHORT, START, seasons

from scoring.cards import CODES, Card
from scoring.hand import Side, name_keys
from scoring.match import Match
from scoring.record import HandRecord
from store import PlayedMatch, Seating
from table.season.statistics import Season, points_by_kind, season_of

DENARI = tuple(map(Card.from_code, (code for code in CODES if code.endswith("d"))))
"""With these a side gets denari, settebello and a napola."""


ONE_HAND = SHORT.changed(hands=1, draw=True)


def hand(names: tuple[str, ...], *scope: int) -> HandRecord:
    return HandRecord(tuple(Side(name, (), made) for name, made in zip(names, scope, strict=True)))


def row(number: int, *names: str, winner: int | None = 0, scope: int = 7) -> PlayedMatch:
    """Return a match of one hand, won by scope alone; or level, where nobody is said to win."""
    made = [scope if side == winner else 1 for side in range(len(names))]
    match = Match(SHORT if winner is not None else ONE_HAND, names, (hand(names, *made),))
    opened = START + timedelta(days=number)
    return PlayedMatch(
        id=f"open-{number}", code="K7QF", match_no=number, opened_at=opened, match=match, hands=()
    )


@given(seasons(), st.randoms(use_true_random=False))
def test_a_season_adds_up_in_whatever_order_its_matches_come(
    rows: list[PlayedMatch], chance: Random
) -> None:
    season = season_of(rows)
    shuffled = list(rows)
    chance.shuffle(shuffled)
    assert season_of(shuffled) == season
    matches = [row.match for row in rows]
    over = [match for match in matches if match.winner is not None]
    assert season.still_open == sum(bool(one.hands) for one in matches if one.winner is None)
    sums = {
        column: sum(getattr(one, column) for one in season.standings)
        for column in ("won", "points", "matches", "settebelli", "primiere")
    }
    won = Counter(
        line.point
        for match in over
        for score in match.scores[: match.counted]
        for line in score.lines
        if line.winner is not None
    )
    assert sums == {
        "won": len(over),
        "points": sum(sum(match.totals) for match in over),
        "matches": sum(len(match.names) for match in over),
        "settebelli": won["settebello"],
        "primiere": won["primiera"],
    }
    for match in matches:
        gains = [sum(gained) for gained in zip(*points_by_kind(match).values(), strict=True)]
        assert tuple(gains or [0] * len(match.names)) == match.totals


@given(seasons())
def test_what_is_said_of_a_player_agrees_with_the_season(rows: list[PlayedMatch]) -> None:
    season = season_of(rows)
    for one in season.standings:
        assert one.won + one.level + one.lost == one.matches
        after = season.points_over_time(one.player)
        assert (len(after), after[-1]) == (len(season.results), one.points)
        assert sorted(after) == list(after)
        for other in season.standings:
            if one != other:
                here = season.between(one.player, other.player)
                there = season.between(other.player, one.player)
                assert (here.won, here.points) == (there.won[::-1], there.points[::-1])
                assert here.matches == there.matches >= sum(here.won)


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


def test_removed_hands_and_hands_after_the_end_do_not_count() -> None:
    hand = HandRecord((Side("Anna", DENARI, 1), Side("Bruno", (), 0)))
    empty = HandRecord((Side("Anna", ()), Side("Bruno", ())))
    one = row(1, "Anna", "Bruno")
    match = replace(one.match, hands=(empty, hand, hand))
    standing = season_of([replace(one, match=match)]).standings[0]
    assert match.counted == 2
    assert (standing.hands, standing.settebelli, standing.napole) == (1, 1, 1)
    assert standing.scope == 1


def test_a_level_match_counts_as_half_a_win() -> None:
    rows = [row(1, "Anna", "Bruno"), row(2, "Anna", "Bruno", winner=None)]
    season = season_of([*rows, row(3, "Carla", "Dario")])
    assert season.still_open == 0
    figures = {one.player: (one.matches, one.won, one.level, one.lost) for one in season.standings}
    assert figures == {
        "anna": (2, 1, 1, 0),
        "bruno": (2, 0, 1, 1),
        "carla": (1, 1, 0, 0),
        "dario": (1, 0, 0, 1),
    }
    assert [one.player for one in season.standings] == ["anna", "carla", "bruno", "dario"]
    met = season.between("anna", "bruno")
    assert (met.matches, met.won, met.level, met.points) == (2, (1, 0), 1, (8, 2))
    three = season_of([row(1, "Anna", "Bruno", "Carla", winner=None)])
    assert three.results[0].first == (0, 1, 2)
    assert [(one.level, one.lost) for one in three.standings] == [(1, 0)] * 3


def test_hands_and_matches_credit_their_players() -> None:
    names = ("Anna", "Bruno")
    hands = tuple(hand(names, *scope) for scope in ((2, 1), (1, 0), (5, 1)))
    one = row(1, *names)
    one = replace(one, match=replace(one.match, hands=hands))
    season = season_of([replace(one, seats=(Seating(hand_no=2, side=0, members=("Zoe",)),))])
    figures = {
        player.player: (player.matches, player.won, player.hands, player.points)
        for player in season.standings
    }
    assert figures == {"zoe": (1, 1, 2, 6), "bruno": (1, 0, 3, 2), "anna": (0, 0, 1, 2)}
    met = season.between("zoe", "bruno")
    assert (met.won, met.points) == ((1, 0), (6, 2))
    late = season_of([replace(one, seats=(Seating(hand_no=4, side=0, members=("Zoe",)),))])
    assert [player.player for player in late.standings] == ["anna", "bruno"]


@given(seasons(), st.data())
def test_whoever_takes_a_place_no_point_and_no_match_is_lost(
    rows: list[PlayedMatch], data: st.DataObject
) -> None:
    def figures(season: Season) -> list[int]:
        columns = ("matches", "won", "level", "points", "hands", "scope", "settebelli")
        return [sum(getattr(one, column) for one in season.standings) for column in columns]

    taken = []
    for one in rows:
        places = st.tuples(st.integers(1, 6), st.integers(0, len(one.match.names) - 1))
        seats = sorted(data.draw(st.lists(places, max_size=3)))
        seated = tuple(
            Seating(hand_no=at, side=side, members=(f"Guest {number}",))
            for number, (at, side) in enumerate(seats)
        )
        taken.append(replace(one, seats=seated))
    assert figures(season_of(taken)) == figures(season_of(rows))


def test_without_matches_or_hands_there_is_nothing() -> None:
    assert season_of([]) == Season()
    assert Season().standings == ()
    assert points_by_kind(Match(SHORT, ("Anna", "Bruno"))) == {}


def test_a_team_counts_for_each_of_its_players() -> None:
    rows = [
        row(1, "Anna & Bruno", "Carla & Dario"),
        row(2, "Anna", "bruno"),
        replace(row(3, "The old", "The young"), members=(("Anna", "Dario"), ())),
    ]
    season = season_of(rows)
    standings = {one.player: one for one in season.standings}
    assert {player: (one.matches, one.won) for player, one in standings.items()} == {
        "anna": (3, 3),
        "bruno": (2, 1),
        "carla": (1, 0),
        "dario": (2, 1),
        "the young": (1, 0),
    }
    assert season.between("anna", "bruno").matches == 1, "partners do not meet"
    assert season.between("anna", "dario").matches == 1
    assert season.between("bruno", "carla").won == (1, 0)
