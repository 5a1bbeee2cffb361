"""One step from ways to ways: what options do to counts, and which ways become one."""

from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.board import Doubt, DoubtfulHand, lay_out
from scoring.cards import Card
from scoring.groups import Issue
from scoring.hand import Side
from scoring.points import Point, points_of
from scoring.rules import Rules
from scoring.steps import Closing, Option, folded, follow, strides_of
from scoring.ways import Ways


def plain(*changes: tuple[int, int]) -> Option:
    return Option(changes, -1, 0, -1, 0)


def test_options_stand_beside_each_other_and_leave_the_ways_as_they_were() -> None:
    before = np.array([[1, 2], [0, 0], [5, 5]], np.int16)
    after, share = follow(before, [(plain((0, 3)), 0.25), (plain((2, -1)), 0.75)], closing=())
    assert after[:, 0].tolist() == [[4, 5], [0, 0], [5, 5]]
    assert after[:, 1].tolist() == [[1, 2], [0, 0], [4, 4]]
    assert share.tolist() == [[0.25, 0.25], [0.75, 0.75]]
    assert before.tolist() == [[1, 2], [0, 0], [5, 5]]


def test_a_scarce_card_is_less_likely_the_more_of_it_is_used() -> None:
    before = np.array([[0, 1, 2]], np.int16)
    after, share = follow(before, [(Option(((0, 1),), 0, 2, -1, 0), 0.5)], closing=())
    assert share.tolist() == [[0.5, 0.25, 0.0]]
    assert after.tolist() == [[[1, 2, 3]]]


def test_the_best_of_a_suit_only_rises() -> None:
    before = np.array([[3, 7]], np.int16)
    after, _ = follow(before, [(Option((), -1, 0, 0, 5), 1.0)], closing=())
    assert after.tolist() == [[[5, 7]]]


@pytest.mark.parametrize(
    ("used", "level", "best"), [(1, 6, 6), (2, 6, 4), (1, 3, 4), (1, 0, 4), (0, 9, 9)]
)
def test_what_is_left_of_a_group_goes_to_whoever_takes_the_rest(
    used: int, level: int, best: int
) -> None:
    before = np.array([[used], [4]], np.int16)
    after, _ = follow(before, [(plain(), 1.0)], closing=[Closing(0, 2, 1, level)])
    assert after.tolist() == [[[0]], [[best]]]


@given(st.lists(st.integers(1, 41), min_size=1, max_size=30))
@example([41] * 30)
@example([2] * 62)
@example([2] * 63)
def test_strides_tell_all_counts_apart_in_as_few_rows_as_hold_them(sizes: list[int]) -> None:
    strides = strides_of(sizes)
    assert ((strides > 0).sum(axis=0) == 1).all()
    for row in strides:
        own = [at for at in range(len(sizes)) if row[at]]
        assert row[own[0]] == 1
        assert all(row[next_] == row[at] * sizes[at] for at, next_ in pairwise(own))
        assert prod(sizes[at] for at in own) <= 2**62
    assert (len(strides) == 1) == (prod(sizes) <= 2**62)


def test_ways_too_long_for_one_number_are_told_apart() -> None:
    ways = np.zeros((26, 5), np.int16)
    ways[[0, 0, 12, 25], [1, 2, 2, 3]] = [40, 40, 40, 40]
    ways[:, 4] = ways[:, 1]
    found, step = folded(ways[:, None], np.ones((1, 5)), strides=strides_of([41] * 26))
    assert found.shape == (26, 4)
    assert found[:, step.to[0]].tolist() == ways.tolist()


@given(st.data())
def test_ways_with_the_same_counts_become_one(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.sampled_from([2, 3, 41]), min_size=1, max_size=24))
    columns = st.tuples(*(st.sampled_from([0, size - 1]) for size in sizes))
    ways = data.draw(st.lists(columns, min_size=1, max_size=12))
    leads = data.draw(st.lists(st.booleans(), min_size=len(ways), max_size=len(ways)))
    after = np.array(ways, np.int16).T[:, None]
    share = np.array([leads], np.float64)
    found, step = folded(after, share, strides=strides_of(sizes))
    reached = [way for way, there in zip(ways, leads, strict=True) if there]
    assert sorted(map(tuple, found.T.tolist())) == sorted(set(reached))
    for way, to, there in zip(ways, step.to[0].tolist(), leads, strict=True):
        assert (to >= 0) == there
        assert not there or tuple(found[:, to].tolist()) == way
    assert step.share is share


@pytest.mark.parametrize("point", points_of(Rules()), ids=lambda point: str(point.name))
def test_no_count_outgrows_its_stride(point: Point) -> None:
    sevens = {Card.from_code(code): 0.25 for code in ("7d", "7c", "7s", "7b")}
    doubts = tuple(Doubt(f"d{side}", side, sevens) for side in (0, 1))
    sides = (Side("Anna", ()), Side("Bruno", ()), Side("Carla", ()))
    board = lay_out(DoubtfulHand(sides=sides, doubts=doubts, rest=2))
    issue = Issue(point.name, point.kinds, point.best_only, point.measure, point.awards)
    ways = Ways(issue, board)
    counts = ways.start()
    for place, options in ways.options.items():
        after, share = follow(counts, options, closing=ways.closing(place))
        counts, _ = folded(after, share, strides=ways.strides)
        for row in ways.strides:
            own = np.flatnonzero(row)
            most = counts[own].max(axis=1)
            assert all(row[own][1:] > most[:-1] * row[own][:-1])
