"""The ways of a point item after item: where each leads, with what weight, to what awards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np

from scoring.steps import Places, Step, Weights, folded, follow
from scoring.ways import Ways

Awards = tuple[int, ...]
"""What each side gets."""

_OPEN = -1
"""A way that can still end in several awards..."""
_DEAD = -2
"""... and one that cannot end at all: the cards that are left do not go round."""


@dataclass(frozen=True)
class Walk:
    """All ways of a point, its items settled one after the other."""

    ways: Ways
    """The point's ways."""
    steps: tuple[Step, ...]
    """What each item does to the ways before it."""
    awards: tuple[Awards, ...]
    """How the point can go."""
    last: Sequence[int]
    """For each way at the end: its place in `awards`."""

    @cached_property
    def ends(self) -> tuple[Weights, ...]:
        """Before each item and after the last: (ways, awards), the weight of ending so."""
        ends = [np.eye(len(self.awards))[self.last]]
        for step in reversed(self.steps):
            ends.append(np.einsum("ow,owa->wa", step.share, ends[-1][step.to]))
        return tuple(reversed(ends))

    @cached_property
    def told(self) -> tuple[Weights, ...]:
        """For each item: (options, awards), the weight of its being so and the point going so."""
        before: Weights = np.ones(1)
        told = []
        for step, ends in zip(self.steps, self.ends[1:], strict=True):
            weight = before * step.share
            told.append(np.einsum("ow,owa->oa", weight, ends[step.to]))
            leads = step.to >= 0
            before = np.bincount(step.to[leads], weight[leads], len(ends)).astype(np.float64)
        return tuple(told)

    @cached_property
    def _only(self) -> tuple[list[int], ...]:
        """For each way: the one place in `awards` where it ends, `_OPEN` or `_DEAD`."""
        only = []
        for ends in self.ends:
            count = (ends > 0).sum(1)
            known = np.where(count == 1, ends.argmax(1), np.where(count, _OPEN, _DEAD))
            only.append(known.tolist())
        return tuple(only)

    def turned_by(self, free: Set[int]) -> bool:
        """Whether two ways that differ in some items only, named by step, award differently.

        Raises:
            TooManyWays: it takes more turns to find out than there are.
        """
        seen: set[tuple[int, int, int]] = set()
        forks = ((step, fork.tolist()) for step in free for fork in self._forks(step))
        return any(
            self._turns(self._apart(step + 1, combinations(fork, 2), seen=seen), free, seen=seen)
            for step, fork in forks
        )

    def _forks(self, step: int) -> Places:
        """Where an item's options lead, (ways, options), from each way that they may turn."""
        to, only = self.steps[step].to, np.array(self._only[step + 1])
        ends = np.where(to < 0, _DEAD, only[to])
        least = np.where(ends == _DEAD, len(self.awards), ends).min(0)
        return to[:, (least == _OPEN) | (least < ends.max(0))].T

    def _turns(
        self, pairs: list[tuple[int, int, int]], free: Set[int], *, seen: set[tuple[int, int, int]]
    ) -> bool:
        """Whether two of some ways, each pair followed side by side, come to award differently."""
        while pairs:
            step, one, other = pairs.pop()
            if step == len(self.steps):
                return True
            self.ways.turn(1)
            to = self.steps[step].to
            paths = to[:, one].tolist(), to[:, other].tolist()
            both = product(*paths) if step in free else zip(*paths, strict=True)
            pairs += self._apart(step + 1, both, seen=seen)
        return False

    def _apart(
        self, step: int, pairs: Iterable[tuple[int, int]], *, seen: set[tuple[int, int, int]]
    ) -> list[tuple[int, int, int]]:
        """The pairs of ways before a step that may yet award differently, each once."""
        only, apart = self._only[step], []
        for one, other in pairs:
            if one >= 0 and other >= 0 and one != other:
                first, second = only[one], only[other]
                if first > _DEAD < second and (first != second or first == _OPEN):
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
    counts, steps = ways.start(), []
    for place, options in ways.options.items():
        ways.turn(counts.shape[1] * len(options))
        after, share = follow(counts, options, closing=ways.closing(place))
        counts, step = folded(after, share, strides=ways.strides)
        steps.append(step)
    awards, last = ways.awards(counts)
    return Walk(ways, tuple(steps), awards, last)
