"""Draws and standings for 4 to 128 players, by what must hold for all of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from table.evening.draw import (
    Draw,
    TooFewError,
    ladder,
    meetings,
    round_robin,
    swiss,
)
from table.evening.standings import LEVEL, WIN, Criterion, Outcome, standings

counts = st.integers(4, 24)
Way = Callable[[Sequence[int], Sequence[Draw]], Draw]


def is_whole(draw: Draw, entrants: Sequence[int]) -> bool:
    """Everybody is there once, and only one sits out where their number is odd."""
    seen = [*(one for pair in draw.pairs for one in pair), *draw.byes]
    return sorted(seen) == sorted(entrants) and len(draw.byes) == len(entrants) % 2


def could_be_fresh(entrants: Sequence[int], met: Counter[frozenset[int]], idle: set[int]) -> bool:
    """Return whether all can meet somebody new, tried one by one; `idle` may sit out."""
    if not entrants:
        return True
    first, *rest = entrants
    if len(entrants) % 2 and first in idle and could_be_fresh(rest, met, idle):
        return True
    return any(
        not met[frozenset((first, other))]
        and could_be_fresh([one for one in rest if one != other], met, idle)
        for other in rest
    )


@pytest.mark.parametrize("draws", [round_robin, swiss])
@given(count=counts, chance=st.randoms(use_true_random=False))
def test_nobody_meets_twice_and_sits_out_twice_before_it_must_be(
    draws: Way, count: int, chance: Random
) -> None:
    past: list[Draw] = []
    entrants = [*range(1, count + 1)]
    for _ in range(min(5, count // 2)):  # so many rounds always have a fresh one left
        if draws is swiss:
            chance.shuffle(entrants)
        past.append(draws(entrants, past))
        assert is_whole(past[-1], entrants)
        assert max(meetings(past).values()) == 1
        sat_out = Counter(one for draw in past for one in draw.byes)
        assert all(times == 1 for times in sat_out.values())


@pytest.mark.slow
@settings(max_examples=8)
@given(count=st.integers(25, 128), chance=st.randoms(use_true_random=False))
@example(count=128, chance=Random(1))
@example(count=127, chance=Random(1))
def test_a_large_evening_meets_nobody_twice_either(count: int, chance: Random) -> None:
    entrants, past = [*range(count)], list[Draw]()
    for _ in range(4):
        chance.shuffle(entrants)
        past.append(swiss(entrants, past))
        assert is_whole(past[-1], entrants)
    assert max(meetings(past).values()) == 1


@pytest.mark.parametrize("draws", [round_robin, swiss])
@given(count=st.integers(4, 8), rounds=st.integers(1, 12), chance=st.randoms(use_true_random=False))
def test_a_meeting_is_repeated_only_where_no_other_draw_is_left(
    draws: Way, count: int, rounds: int, chance: Random
) -> None:
    """Also when some leave and others come late: every subset of those who ever came plays."""
    everybody, past = [*range(1, count + 3)], list[Draw]()
    for _ in range(rounds):
        here = sorted(chance.sample(everybody, chance.randint(4, len(everybody))))
        met = meetings(past)
        sat_out = Counter(one for draw in past for one in draw.byes)
        least = {one for one in here if sat_out[one] == min(sat_out[other] for other in here)}
        past.append(draws(here, past))
        assert is_whole(past[-1], here)
        assert {*past[-1].byes} <= least
        repeats = [pair for pair in past[-1].pairs if met[frozenset(pair)]]
        assert not repeats or not could_be_fresh(here, met, least)


@given(st.integers(4, 24))
def test_a_round_robin_has_every_meeting_once(count: int) -> None:
    entrants, past = [*range(count)], list[Draw]()
    for _ in range(count - 1 + count % 2):
        past.append(round_robin(entrants, past))
    assert meetings(past) == Counter(map(frozenset, combinations(entrants, 2)))
    assert Counter(one for draw in past for one in draw.byes) == (
        Counter(entrants) if count % 2 else Counter()
    )


@pytest.mark.parametrize("draws", [round_robin, swiss])
def test_nobody_is_drawn_alone(draws: Way) -> None:
    for nobody in ([], [1]):
        with pytest.raises(TooFewError):
            draws(nobody, [])


@given(st.permutations(range(6)), st.lists(st.permutations(range(6)), max_size=8))
def test_ladder_moves_a_winner_to_the_beaten_place(
    order: list[int], results: list[list[int]]
) -> None:
    now = tuple(order)
    for winner, loser, *_ in results:
        after = ladder(now, [(winner, loser)])
        assert sorted(after) == sorted(now)
        assert after.index(winner) == min(now.index(winner), now.index(loser))
        now = after
    assert ladder(order, [(one[0], one[1]) for one in results]) == now


# Standings


@st.composite
def evenings(draw: st.DrawFn) -> tuple[int, list[Outcome]]:
    count = draw(st.integers(4, 12))
    outcomes = []
    for _ in range(draw(st.integers(0, 14))):
        a, b = draw(st.permutations(range(count)))[:2]
        points = draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
        winner = None if points[0] == points[1] else int(points[1] > points[0])
        scope = draw(st.tuples(st.integers(0, 1), st.integers(0, 1)))
        outcomes.append(Outcome(sides=((a,), (b,)), points=points, winner=winner, scope=scope))
    return count, outcomes


@given(evenings(), st.integers(0, 3))
def test_standings_count_each_outcome_once(evening: tuple[int, list[Outcome]], seed: int) -> None:
    count, outcomes = evening
    rows = standings(range(count), outcomes, seed=seed)
    assert [row.rank for row in rows] == [*range(1, count + 1)]
    assert sum(row.match_points for row in rows) == WIN * len(outcomes)
    assert 2 * LEVEL == WIN, "a match gives away the same, level or not"
    assert sum(row.difference for row in rows) == 0
    assert sum(row.made for row in rows) == sum(sum(one.points) for one in outcomes)
    assert standings(range(count), outcomes[::-1], seed=seed) == rows
    for above, below in pairwise(rows):
        figures = [
            (row.match_points, row.difference, row.direct, row.scope, -row.lot)
            for row in (above, below)
        ]
        place = [*Criterion].index(below.by or Criterion.LOT)
        assert figures[0][:place] == figures[1][:place]
        assert figures[0][place] > figures[1][place]


def test_head_to_head_breaks_a_full_tie() -> None:
    """Anna beat Bruno; both lost by as much as they won; Carla and Dario are level by scope."""
    outcomes = [
        Outcome(sides=((1,), (2,)), points=(11, 9), winner=0),
        Outcome(sides=((2,), (3,)), points=(11, 7), winner=0),
        Outcome(sides=((1,), (4,)), points=(9, 9), winner=None),
        Outcome(sides=((3,), (4,)), points=(11, 7), winner=0, scope=(2, 0)),
    ]
    rows = standings([1, 2, 3, 4], outcomes, seed=1)
    assert [(row.entrant, row.match_points, row.difference) for row in rows] == [
        (1, 3, 2),
        (2, 2, 2),
        (3, 2, 0),
        (4, 1, -4),
    ]
    level = [
        Outcome(sides=((1,), (2,)), points=(11, 9), winner=0),
        Outcome(sides=((2,), (3,)), points=(11, 9), winner=0),
    ]
    direct = standings(
        [2, 1], [*level, Outcome(sides=((1,), (3,)), points=(9, 11), winner=1)], seed=1
    )
    assert [(row.entrant, row.direct, row.by) for row in direct] == [
        (1, 2, None),
        (2, 0, Criterion.DIRECT),
    ]


def test_a_seed_gives_the_same_lots_and_another_seed_others() -> None:
    orders = {tuple(row.entrant for row in standings(range(8), [], seed=seed)) for seed in range(6)}
    assert len(orders) > 1
    assert standings(range(8), [], seed=3) == standings(range(8), [], seed=3)


def test_bye_wins_and_no_show_loses() -> None:
    absent = Outcome(sides=((1,), (2,)), points=(0, 0), winner=0, is_played=False)
    rows = standings([1, 2, 3], [absent], seed=1, byes={3: 1}, byes_won={3: 1})
    assert {row.entrant: (row.match_points, row.played) for row in rows} == {
        1: (WIN, 0),
        2: (0, 0),
        3: (WIN, 0),
    }
    rows = standings([1, 2, 3], [absent], seed=1, byes={3: 1})
    assert {row.entrant: row.match_points for row in rows} == {1: WIN, 2: 0, 3: 0}
