"""The cheapest set that holds something of each of several sets, against trying all of them."""

from itertools import combinations
from random import Random

import pytest

from scoring.doubt.budget import Budget, BudgetSpent
from scoring.doubt.hitting_set import minimum_hitting_set


def cheapest_hitting(sets: list[set[int]], costs: dict[int, int]) -> frozenset[int]:
    return minimum_hitting_set(sets, costs, budget=Budget(1_000_000))


def cheapest(sets: list[set[int]], costs: dict[int, int]) -> int:
    """What the cheapest choice costs, by trying all."""
    choices = (set(some) for size in range(len(costs) + 1) for some in combinations(costs, size))
    return min(
        sum(costs[place] for place in some)
        for some in choices
        if all(not some.isdisjoint(one) for one in sets)
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_choice_that_hits_all_is_cheaper(seed: int) -> None:
    random = Random(seed)
    costs = {place: random.choice((1, 1, 1, 4)) for place in random.sample(range(20), 8)}
    sets = [set(random.sample([*costs], random.randint(1, 4))) for _ in range(random.randint(1, 9))]
    found = cheapest_hitting(sets, costs)
    assert all(not found.isdisjoint(one) for one in sets)
    assert sum(costs[place] for place in found) == cheapest(sets, costs)


def test_nothing_to_hit_costs_nothing() -> None:
    assert cheapest_hitting([], {1: 1}) == frozenset()


def test_of_equally_cheap_ones_the_first_named_is_chosen() -> None:
    assert cheapest_hitting([{1, 2}], {2: 1, 1: 1}) == {2}
    assert cheapest_hitting([{1, 2, 3}], {3: 2, 2: 1, 1: 1}) == {2}


def test_what_is_not_for_sale_is_not_chosen() -> None:
    assert cheapest_hitting([{1, 2}, {2, 3}], {1: 1, 3: 1}) == {1, 3}


def test_a_long_search_is_given_up() -> None:
    with pytest.raises(BudgetSpent):
        minimum_hitting_set([{1, 2}, {2, 3}, {1, 3}], {1: 1, 2: 1, 3: 1}, budget=Budget(3))
