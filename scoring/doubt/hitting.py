"""The cheapest set that holds something of each of several sets (a minimum hitting set).

Every two ways of a hand that award differently must be told apart by some question: the questions
to ask are such a set.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from scoring.doubt.ways import TooManyWays

LIMIT = 5_000
"""Sets looked at after which the search is given up."""


def cheapest_hitting(sets: Sequence[Collection[int]], costs: Mapping[int, int]) -> frozenset[int]:
    """The cheapest choice that holds a member of each set; among several, of the first members.

    Args:
        sets: What must be hit.
        costs: What each member costs, at least 1, the best ones first; others are never chosen.

    Raises:
        TooManyWays: it takes too long to find out.

    >>> sorted(cheapest_hitting([{1, 2}, {2, 3}, {3, 4}], {1: 1, 2: 1, 3: 1, 4: 1}))
    [1, 3]
    >>> sorted(cheapest_hitting([{1, 2}, {2, 3}], {1: 1, 2: 3, 3: 1}))
    [1, 3]
    """
    members = [tuple(place for place in costs if place in one) for one in sets]
    search = _Search(members, costs)
    budget = 0
    while (found := search.within(budget, frozenset())) is None:
        budget += 1
    return found


class _Search:
    """A search that tries the members of a set not hit yet, one after the other."""

    def __init__(self, sets: Sequence[tuple[int, ...]], costs: Mapping[int, int]) -> None:
        self._sets = sets
        self._costs = costs
        self._looked = 0

    def within(self, budget: int, chosen: frozenset[int]) -> frozenset[int] | None:
        """What to add to a choice at no more than a cost, the choice with it; None if nothing."""
        self._looked += 1
        if self._looked > LIMIT:
            raise TooManyWays
        open_sets = [one for one in self._sets if chosen.isdisjoint(one)]
        if not open_sets:
            return chosen
        if self._least(open_sets) > budget:
            return None
        for place in min(open_sets, key=len):
            if (left := budget - self._costs[place]) >= 0:
                found = self.within(left, chosen | {place})
                if found is not None:
                    return found
        return None

    def _least(self, sets: Sequence[tuple[int, ...]]) -> int:
        """What hitting some sets costs at least: those that share nothing are hit one by one."""
        cost, hit = 0, set[int]()
        for one in sets:
            if hit.isdisjoint(one):
                hit.update(one)
                cost += min(self._costs[place] for place in one)
        return cost
