"""The cheapest set that holds a member of each of several sets: a minimum weighted hitting set.

Every two assignments with different outcomes must be told apart by some question. The questions
to ask are therefore a set that hits, for every such two, the variables in which they differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from scoring.doubt.budget import Budget


def minimum_hitting_set(
    sets: Sequence[Collection[int]], costs: Mapping[int, int], *, budget: Budget
) -> frozenset[int]:
    """The cheapest choice that holds a member of each set; among equal ones, of the first members.

    Iterative deepening: all choices of cost 0 are tried, then of cost 1, and so on.

    Args:
        sets: What must be hit.
        costs: What each member costs, at least 1, the best ones first; others are never chosen.
        budget: What the search is paid from: one operation a set looked at.

    Raises:
        BudgetSpent: the search takes more operations than the budget allows.

    >>> cost = dict.fromkeys((1, 2, 3, 4), 1)
    >>> sorted(minimum_hitting_set([{1, 2}, {2, 3}, {3, 4}], cost, budget=Budget(100)))
    [1, 3]
    >>> sorted(minimum_hitting_set([{1, 2}, {2, 3}], {1: 1, 2: 3, 3: 1}, budget=Budget(100)))
    [1, 3]
    """
    members = [tuple(place for place in costs if place in one) for one in sets]
    search = _Search(members, costs, budget=budget)
    allowed = 0
    while (found := search.within(allowed, frozenset())) is None:
        allowed += 1
    return found


class _Search:
    """A search that tries the members of the smallest set not hit yet, one after the other."""

    def __init__(
        self, sets: Sequence[tuple[int, ...]], costs: Mapping[int, int], *, budget: Budget
    ) -> None:
        self._sets = sets
        self._costs = costs
        self._budget = budget

    def within(self, allowed: int, chosen: frozenset[int]) -> frozenset[int] | None:
        """A choice completed at no more than a cost; None where that is impossible."""
        self._budget.spend(1 + len(self._sets))
        open_sets = [one for one in self._sets if chosen.isdisjoint(one)]
        if not open_sets:
            return chosen
        if self._lower_bound(open_sets) > allowed:
            return None
        for place in min(open_sets, key=len):
            if (left := allowed - self._costs[place]) >= 0:
                found = self.within(left, chosen | {place})
                if found is not None:
                    return found
        return None

    def _lower_bound(self, sets: Sequence[tuple[int, ...]]) -> int:
        """What hitting some sets costs at least: disjoint sets have to be hit one by one."""
        cost, hit = 0, set[int]()
        for one in sets:
            if hit.isdisjoint(one):
                hit.update(one)
                cost += min(self._costs[place] for place in one)
        return cost
