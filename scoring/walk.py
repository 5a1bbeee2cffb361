"""The ways of a point item after item: where each leads, with what weight, to what awards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from scoring.ways import States, Ways, follow

Awards = tuple[int, ...]
"""What each side gets."""

Moves = Mapping[int, tuple[tuple[int, float] | None, ...]]
"""From each way before an item: where each of its options leads and its weight, or None."""


@dataclass(frozen=True)
class Walk:
    """All ways of a point, its items settled one after the other."""

    ways: Ways
    """The point's ways."""
    states: tuple[States, ...]
    """The ways before each item, and after the last, with their weight."""
    moves: tuple[Moves, ...]
    """What each item does."""

    @cached_property
    def ends(self) -> tuple[Mapping[int, Mapping[Awards, float]], ...]:
        """For each way of `states`: the awards it can end in, with their weight."""
        last = {state: {self.ways.awards(state): 1.0} for state in self.states[-1]}
        ends: list[dict[int, dict[Awards, float]]] = [last]
        for moves in reversed(self.moves):
            after, before = ends[-1], {}
            for state, options in moves.items():
                found: dict[Awards, float] = {}
                for move in options:
                    if move is not None:
                        for awards, weight in after[move[0]].items():
                            found[awards] = found.get(awards, 0.0) + weight * move[1]
                before[state] = found
            ends.append(before)
        return tuple(reversed(ends))

    @cached_property
    def outcomes(self) -> tuple[Mapping[int, int], ...]:
        """For each way of `states`: which awards it can end in, a bit for each."""
        bits: dict[Awards, int] = {}
        last = {s: 1 << bits.setdefault(self.ways.awards(s), len(bits)) for s in self.states[-1]}
        outcomes = [last]
        for moves in reversed(self.moves):
            after, before = outcomes[-1], {}
            for state, options in moves.items():
                found = 0
                for move in options:
                    if move is not None:
                        found |= after[move[0]]
                before[state] = found
            outcomes.append(before)
        return tuple(reversed(outcomes))

    def told(self, step: int) -> list[dict[Awards, float]]:
        """How the point goes after each option of an item, with the weight of that."""
        after, told = self.ends[step + 1], []
        for moves in zip(*self.moves[step].values(), strict=True):
            found: dict[Awards, float] = {}
            for before, move in zip(self.states[step].values(), moves, strict=True):
                if move is not None:
                    for awards, weight in after[move[0]].items():
                        found[awards] = found.get(awards, 0.0) + before * move[1] * weight
            told.append(found)
        return told

    def turned_by(self, step: int) -> bool:
        """Whether two ways that differ in one item alone award differently."""
        seen: set[tuple[int, int, int]] = set()
        return any(
            self._part(step + 1, (one, other), seen=seen)
            for moves in self.moves[step].values()
            for one, other in combinations({move[0] for move in moves if move is not None}, 2)
        )

    def _part(self, step: int, pair: tuple[int, int], *, seen: set[tuple[int, int, int]]) -> bool:
        """Whether two ways, followed side by side, can come to award differently."""
        one, other = pair
        if one == other or (step, *pair) in seen:
            return False
        seen.add((step, *pair))
        if (self.outcomes[step][one] | self.outcomes[step][other]).bit_count() < 2:
            return False
        if step == len(self.moves):
            return True
        self.ways.turn(1)
        both = zip(self.moves[step][one], self.moves[step][other], strict=True)
        return any(
            self._part(step + 1, (first[0], second[0]), seen=seen)
            for first, second in both
            if first is not None and second is not None
        )


def walk(ways: Ways, places: Sequence[int], *, fixed: Collection[int] = ()) -> Walk:
    """The ways of a point, item after item; of a fixed item only the first option is followed.

    Raises:
        TooManyWays: there were more turns than `LIMIT` since they were renewed.
    """
    states, moves = [{ways.start(): 1.0}], []
    for step, place in enumerate(places):
        options = ways.options[place][: 1 if place in fixed else None]
        ways.turn(len(states[-1]) * len(options))
        closing = ways.closing(place, frozenset(places[:step]))
        moves.append(
            {
                state: tuple(
                    [
                        follow(state, option, chance=chance, closing=closing)
                        for option, chance in options
                    ]
                )
                for state in states[-1]
            }
        )
        states.append(_reached(states[-1], moves[-1]))
    return Walk(ways, tuple(states), tuple(moves))


def _reached(states: States, moves: Moves) -> States:
    """The ways after an item, those that do the same as one."""
    after: States = {}
    for state, weight in states.items():
        for move in moves[state]:
            if move is not None:
                after[move[0]] = after.get(move[0], 0.0) + weight * move[1]
    return after
