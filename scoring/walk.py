"""The ways of a point item after item: where each leads, with what weight, to what awards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from scoring.ways import Closing, Option, States, Ways, follow, seen_by

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
                for reached, share in filter(None, options):
                    for awards, weight in after[reached].items():
                        found[awards] = found.get(awards, 0.0) + weight * share
                before[state] = found
            ends.append(before)
        return tuple(reversed(ends))

    def told(self, step: int) -> list[dict[Awards, float]]:
        """How the point goes after each option of an item, with the weight of that."""
        after, told = self.ends[step + 1], []
        for moves in zip(*self.moves[step].values(), strict=True):
            found: dict[Awards, float] = {}
            for before, move in zip(self.states[step].values(), moves, strict=True):
                if move is not None:
                    share = before * move[1]
                    for awards, weight in after[move[0]].items():
                        found[awards] = found.get(awards, 0.0) + share * weight
            told.append(found)
        return told

    def turned_by(self, free: Set[int]) -> bool:
        """Whether two ways that differ in some items only, named by step, award differently.

        Raises:
            TooManyWays: it takes more turns to find out than there are.
        """
        seen: set[tuple[int, int, int]] = set()
        return any(
            self._part(step + 1, pair, free=free, seen=seen)
            for step in free
            for moves in self.moves[step].values()
            for pair in combinations({move[0] for move in moves if move is not None}, 2)
        )

    def _part(
        self, step: int, pair: tuple[int, int], *, free: Set[int], seen: set[tuple[int, int, int]]
    ) -> bool:
        """Whether two ways, followed side by side, can come to award differently."""
        one, other = min(pair), max(pair)
        if one == other or (step, one, other) in seen:
            return False
        seen.add((step, one, other))
        if len(self.ends[step][one].keys() | self.ends[step][other].keys()) < 2:
            return False
        if step == len(self.moves):
            return True
        self.ways.turn(1)
        first, second = self.moves[step][one], self.moves[step][other]
        both = product(first, second) if step in free else zip(first, second, strict=True)
        return any(
            self._part(step + 1, (to[0], fro[0]), free=free, seen=seen)
            for to, fro in both
            if to is not None and fro is not None
        )


def walk(ways: Ways) -> Walk:
    """The ways of a point, item after item.

    Raises:
        TooManyWays: there were more turns than `LIMIT` since they were renewed.
    """
    states, moves = [{ways.start(): 1.0}], []
    for place, options in ways.options.items():
        ways.turn(len(states[-1]) * len(options))
        moves.append(_moves(states[-1], options, closing=ways.closing(place)))
        states.append(_reached(states[-1], moves[-1]))
    return Walk(ways, tuple(states), tuple(moves))


def _moves(
    states: States, options: Sequence[tuple[Option, float]], *, closing: Sequence[Closing]
) -> Moves:
    """What an item does to each way; those alike in what it looks at change alike."""
    looked_at = seen_by(options, closing)
    changes: dict[int, list[tuple[int, float] | None]] = {}
    moves: dict[int, tuple[tuple[int, float] | None, ...]] = {}
    for state in states:
        part = state & looked_at
        found = changes.get(part)
        if found is None:
            found = changes[part] = [
                follow(part, option, chance=chance, closing=closing) for option, chance in options
            ]
        rest = state - part
        moves[state] = tuple([move and (rest + move[0], move[1]) for move in found])
    return moves


def _reached(states: States, moves: Moves) -> States:
    """The ways after an item, those that do the same as one."""
    after: States = {}
    for state, weight in states.items():
        for move in moves[state]:
            if move is not None:
                after[move[0]] = after.get(move[0], 0.0) + weight * move[1]
    return after
