"""The ways of a point item after item: where each leads, with what weight, to what awards.

What an item does to thousands of ways is kept as columns, a number for each way, since Python
goes through a column several times as fast as through ways one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, product
from operator import add, mul, or_

from scoring.doubt.steps import Step
from scoring.doubt.ways import Ways

Awards = tuple[int, ...]
"""What each side gets."""

Column = Sequence[float]
"""For each way: a weight."""

_Pair = tuple[int, int, int, int]
"""A step, two ways before it, and the steps in which they differ so far, as a mask."""

OUT = -1
"""Where an option leads whose cards are used up: to nowhere, which follows the last way."""


@dataclass(frozen=True)
class Move:
    """What one option of an item does to the ways before it."""

    to: Sequence[int]
    """For each way: the way after it, or `OUT`."""
    share: Column
    """For each way: the option's weight there, 0 where it is out."""


@dataclass(frozen=True)
class Walk:
    """All ways of a point, its items settled one after the other; ways are named by their place."""

    ways: Ways
    """The point's ways."""
    weights: tuple[Column, ...]
    """The weight of each way before each item, and after the last."""
    moves: tuple[Sequence[Move], ...]
    """What each option of each item does."""
    awards: tuple[Awards, ...]
    """How the point can go."""
    last: Sequence[int]
    """For each way at the end: its place in `awards`."""

    @cached_property
    def _counted(self) -> tuple[list[float], list[list[list[float]]]]:
        """`chances`, and `told` with the last item first."""
        ends = [[float(at == last) for last in self.last] for at in range(len(self.awards))]
        told = []
        for moves, weights in zip(self.moves[::-1], self.weights[-2::-1], strict=True):
            before, known = [], [list[float]() for _ in moves]
            for end in ends:
                after, found = [*end, 0.0], [0.0] * len(weights)
                for move, sums in zip(moves, known, strict=True):
                    part = list(map(mul, move.share, map(after.__getitem__, move.to)))
                    found = list(map(add, found, part))
                    sums.append(sum(map(mul, weights, part)))
                before.append(found)
            ends = before
            told.append(known)
        return [sum(end) for end in ends], told

    @cached_property
    def chances(self) -> Column:
        """For each of the awards: the weight of the point going so."""
        return self._counted[0]

    @cached_property
    def told(self) -> Sequence[Sequence[Column]]:
        """For each item and option, for each of the awards: the weight of both being so."""
        return self._counted[1][::-1]

    @cached_property
    def _reach(self) -> Sequence[Sequence[int]]:
        """For each way: the awards in which it can end, as a mask; 0 where the cards run out."""
        reach = [[1 << last for last in self.last]]
        for moves in self.moves[::-1]:
            after = [*reach[-1], 0]
            found = (map(after.__getitem__, move.to) for move in moves)
            reach.append(list(reduce(lambda one, other: map(or_, one, other), found)))
        return reach[::-1]

    @cached_property
    def _forks(self) -> Sequence[Sequence[tuple[int, ...]]]:
        """For each item and each way before it: where its options lead."""
        return [list(zip(*(move.to for move in moves), strict=True)) for moves in self.moves]

    def difference(self, free: Set[int]) -> frozenset[int] | None:
        """The steps in which two ways differ that award differently; None where no two do.

        Args:
            free: The steps in which they may differ.

        Raises:
            TooManyWays: it takes more turns to find out than there are.
        """
        seen: set[tuple[int, int, int]] = set()
        for step in free:
            for fork in self._forks[step]:
                pairs = self._apart(step + 1, combinations(fork, 2), seen=seen)
                differing = self._turned([(*pair, 1 << step) for pair in pairs], free, seen=seen)
                if differing:
                    return frozenset(at for at in free if differing >> at & 1)
        return None

    def _turned(
        self, pairs: list[_Pair], free: Set[int], *, seen: set[tuple[int, int, int]]
    ) -> int:
        """The steps, as a mask, in which two ways differ that come to award differently; or 0.

        Each of some pairs of ways is followed side by side.
        """
        while pairs:
            step, one, other, differing = pairs.pop()
            if step == len(self.moves):
                return differing
            self.ways.turn(1)
            forks = self._forks[step][one], self._forks[step][other]
            alike = self._apart(step + 1, zip(*forks, strict=True), seen=seen)
            if step in free:
                apart = self._apart(step + 1, product(*forks), seen=seen)
                pairs += [(*pair, differing | 1 << step) for pair in apart]
            pairs += [(*pair, differing) for pair in alike]
        return 0

    def _apart(
        self, step: int, both: Iterable[tuple[int, int]], *, seen: set[tuple[int, int, int]]
    ) -> list[tuple[int, int, int]]:
        """The pairs of ways before a step that may yet award differently, each once."""
        reach, apart = self._reach[step], []
        for one, other in both:
            if one != other and one != OUT and other != OUT:
                first, second = reach[one], reach[other]
                if first and second and (first != second or first & first - 1):
                    found = (step, min(one, other), max(one, other))
                    if found not in seen:
                        seen.add(found)
                        apart.append(found)
        return apart


def walk(ways: Ways) -> Walk:
    """The ways of a point, item after item.

    Raises:
        TooManyWays: there were more turns than `LIMIT` since they were renewed.
    """
    states, moves = [ways.start()], list[Sequence[Move]]()
    weights: list[Column] = [[1.0]]
    for step in ways.steps:
        ways.turn(len(states) * len(step.options))
        states, led = _step(states, step, alike=ways.alike(step))
        weights.append(_carried(weights[-1], led, count=len(states)))
        moves.append(led)
    ends = [ways.figures.awards(state) for state in states]
    known = {awards: place for place, awards in enumerate(dict.fromkeys(ends))}
    last = [known[awards] for awards in ends]
    return Walk(ways, tuple(weights), tuple(moves), tuple(known), last)


def _step(
    states: Sequence[int], step: Step, *, alike: Callable[[int], Hashable]
) -> tuple[list[int], list[Move]]:
    """What an item does to ways: the ways after it, and each option's move.

    Ways alike in what the item looks at change alike; of ways alike after it, one is kept.
    """
    looked_at = step.looks_at
    parts = [state & looked_at for state in states]
    others = [state - part for state, part in zip(states, parts, strict=True)]
    places: dict[int | None, int] = {None: OUT}
    kinds: dict[Hashable, int] = {}
    kept: list[int] = []
    moves = []
    for option, chance in step.options:
        led = {
            part: step.follow(part, option, chance=chance) or (None, 0.0)
            for part in dict.fromkeys(parts)
        }
        changed, share = zip(*map(led.__getitem__, parts), strict=True)
        reached = [
            None if change is None else other + change
            for other, change in zip(others, changed, strict=True)
        ]
        for state in dict.fromkeys(reached):
            if state is not None and state not in places:
                place = places[state] = kinds.setdefault(alike(state), len(kept))
                if place == len(kept):
                    kept.append(state)
        moves.append(Move([places[state] for state in reached], share))
    return kept, moves


def _carried(weights: Column, moves: Sequence[Move], *, count: int) -> Column:
    """The weights of so many ways after some moves."""
    after = [0.0] * (count + 1)
    for move in moves:
        for to, weight in zip(move.to, map(mul, weights, move.share), strict=True):
            after[to] += weight
    return after[:count]
