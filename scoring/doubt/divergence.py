"""Whether two assignments that differ in some variables only can have different outcomes.

That is a search of the product graph: two paths through the layered graph are followed side by
side, which may part only in the layers of those variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from itertools import combinations, product

from scoring.doubt.budget import Budget
from scoring.doubt.forward_backward import IMPOSSIBLE, LayeredGraph

PAIR_COST = 3
"""Operations that following one pair of states costs, measured against one transition."""

_StatePair = tuple[int, int, int]
"""A layer and two states before it."""

_PathPair = tuple[int, int, int, int]
"""A layer, two states before it, and the layers in which the paths there differ, as a mask."""


def divergence(graph: LayeredGraph, free: Set[int], *, budget: Budget) -> frozenset[int] | None:
    """The layers in which two paths of different outcomes differ; None where there are no such two.

    Args:
        graph: The point's graph.
        free: The layers in which the paths may take different options.
        budget: What following pairs is paid from.

    Raises:
        BudgetSpent: finding out takes more operations than the budget allows.
    """
    search = _Search(graph, free, budget=budget)
    for layer in free:
        for options in graph.successors[layer]:
            pairs = search.open_pairs(layer + 1, combinations(options, 2))
            differing = search.follow([(*pair, 1 << layer) for pair in pairs])
            if differing:
                return frozenset(at for at in free if differing >> at & 1)
    return None


class _Search:
    """A depth-first search of the product graph; each pair of states is followed once."""

    def __init__(self, graph: LayeredGraph, free: Set[int], *, budget: Budget) -> None:
        self._graph, self._free, self._budget = graph, free, budget
        self._seen: set[_StatePair] = set()

    def follow(self, pairs: list[_PathPair]) -> int:
        """The layers, as a mask, in which two paths differ that end differently; 0 if none do."""
        waiting = list(pairs)
        while waiting:
            layer, one, other, differing = waiting.pop()
            if layer == len(self._graph.transitions):
                return differing
            self._budget.spend(PAIR_COST)
            after = self._graph.successors[layer][one], self._graph.successors[layer][other]
            alike = self.open_pairs(layer + 1, zip(*after, strict=True))
            if layer in self._free:
                apart = self.open_pairs(layer + 1, product(*after))
                waiting += [(*pair, differing | 1 << layer) for pair in apart]
            waiting += [(*pair, differing) for pair in alike]
        return 0

    def open_pairs(self, layer: int, pairs: Iterable[tuple[int, int]]) -> list[_StatePair]:
        """The pairs of states before a layer that may yet end differently and are new."""
        reachable, found = self._graph.reachable[layer], []
        for one, other in pairs:
            if one == other or IMPOSSIBLE in (one, other):
                continue
            first, second = reachable[one], reachable[other]
            if first and second and (first != second or first & first - 1):
                pair = (layer, min(one, other), max(one, other))
                if pair not in self._seen:
                    self._seen.add(pair)
                    found.append(pair)
        return found
