"""The ways of a point item after item: where each leads, with what weight, to what awards."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, product
from operator import or_

from scoring.ways import Step, Ways, follow, seen_by

Awards = tuple[int, ...]
"""What each side gets."""

Move = tuple[int, float] | None
"""Where an option leads and its weight, or None where its cards are used up."""

Moves = Sequence[Sequence[Move]]
"""For each way before an item: where each of its options leads and its weight, or None."""

Ends = Sequence[Sequence[float]]
"""For each way or option: the weight of each award."""


@dataclass(frozen=True)
class Walk:
    """All ways of a point, its items settled one after the other; ways are named by their place."""

    ways: Ways
    """The point's ways."""
    weights: tuple[Sequence[float], ...]
    """The weight of each way before each item, and after the last."""
    moves: tuple[Moves, ...]
    """What each item does."""
    awards: tuple[Awards, ...]
    """How the point can go."""
    last: Sequence[int]
    """For each way at the end: its place in `awards`."""

    @cached_property
    def _counted(self) -> tuple[list[Ends], list[Ends]]:
        """`ends` and `told`, last item first."""
        size = len(self.awards)
        ends: list[Ends] = [[[float(at == last) for at in range(size)] for last in self.last]]
        told: list[Ends] = []
        for moves, weights in zip(self.moves[::-1], self.weights[-2::-1], strict=True):
            after, before = ends[-1], []
            known = [[0.0] * size for _ in moves[0]]
            for way, weight in zip(moves, weights, strict=True):
                found = [0.0] * size
                for move, sums in zip(way, known, strict=True):
                    if move is not None:
                        to, share = move
                        for at, end in enumerate(after[to]):
                            if end:
                                found[at] += share * end
                                sums[at] += weight * share * end
                before.append(found)
            ends.append(before)
            told.append(known)
        return ends, told

    @cached_property
    def ends(self) -> Sequence[Ends]:
        """Before each item and after the last: for each way, the weight of ending in each award."""
        return self._counted[0][::-1]

    @cached_property
    def told(self) -> Sequence[Ends]:
        """For each item and option: the weight of its being so and the point going so."""
        return self._counted[1][::-1]

    @cached_property
    def _reach(self) -> Sequence[Sequence[int]]:
        """For each way: the awards in which it can end, as a mask; 0 where the cards run out."""
        reach = [[1 << last for last in self.last]]
        for moves in self.moves[::-1]:
            after = reach[-1]
            reach.append(
                [reduce(or_, (after[move[0]] for move in way if move), 0) for way in moves]
            )
        return reach[::-1]

    def turned_by(self, free: Set[int]) -> bool:
        """Whether two ways that differ in some items only, named by step, award differently.

        Raises:
            TooManyWays: it takes more turns to find out than there are.
        """
        seen: set[tuple[int, int, int]] = set()
        forks = ((step, way) for step in free for way in self.moves[step])
        return any(
            self._turns(self._apart(step + 1, combinations(way, 2), seen=seen), free, seen=seen)
            for step, way in forks
        )

    def _turns(
        self, pairs: list[tuple[int, int, int]], free: Set[int], *, seen: set[tuple[int, int, int]]
    ) -> bool:
        """Whether two of some ways, each pair followed side by side, come to award differently."""
        while pairs:
            step, one, other = pairs.pop()
            if step == len(self.moves):
                return True
            self.ways.turn(1)
            ways = self.moves[step][one], self.moves[step][other]
            both = product(*ways) if step in free else zip(*ways, strict=True)
            pairs += self._apart(step + 1, both, seen=seen)
        return False

    def _apart(
        self, step: int, moves: Iterable[tuple[Move, Move]], *, seen: set[tuple[int, int, int]]
    ) -> list[tuple[int, int, int]]:
        """The pairs of ways before a step that may yet award differently, each once."""
        reach, apart = self._reach[step], []
        for to, fro in moves:
            if to is not None and fro is not None and to[0] != fro[0]:
                one, other = to[0], fro[0]
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
    states, weights, moves = [ways.start()], [[1.0]], []
    for step in ways.steps:
        ways.turn(len(states) * len(step.options))
        pairs = list(zip(states, weights[-1], strict=True))
        states, after, led = _step(pairs, step, alike=ways.alike(step))
        weights.append(after)
        moves.append(led)
    ends = [ways.figures.awards(state) for state in states]
    known = {awards: place for place, awards in enumerate(dict.fromkeys(ends))}
    last = [known[awards] for awards in ends]
    return Walk(ways, tuple(weights), tuple(moves), tuple(known), last)


def _step(
    before: Sequence[tuple[int, float]], step: Step, *, alike: Callable[[int], Hashable]
) -> tuple[list[int], list[float], Moves]:
    """What an item does to ways and their weights: the ways after it, their weights, the moves.

    Ways alike in what the item looks at change alike; of ways alike after it, one is kept.
    """
    looked_at = seen_by(step.options, step.closing)
    changes: dict[int, list[tuple[int, float] | None]] = {}
    numbers: dict[int, int] = {}
    kinds: dict[Hashable, int] = {}
    states: list[int] = []
    weights: list[float] = []
    moves = []
    for state, weight in before:
        part = state & looked_at
        found = changes.get(part)
        if found is None:
            found = changes[part] = [
                follow(part, option, chance=chance, closing=step.closing)
                for option, chance in step.options
            ]
        rest, way = state - part, list[Move]()
        for change in found:
            if change is None:
                way.append(None)
                continue
            reached = rest + change[0]
            number = numbers.get(reached)
            if number is None:
                number = numbers[reached] = kinds.setdefault(alike(reached), len(states))
                if number == len(states):
                    states.append(reached)
                    weights.append(0.0)
            weights[number] += weight * change[1]
            way.append((number, change[1]))
        moves.append(way)
    return states, weights, moves
