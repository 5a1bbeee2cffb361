"""The order in which the variables are settled, chosen so that few classes are open at a time.

The number of states grows with the open classes, as it does with the width of a variable
elimination. Finding the best order is hard, so each step takes the greedy choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence


def elimination_order(
    urgency: Mapping[int, tuple[bool, int]], classes: Sequence[Collection[int]]
) -> list[int]:
    """The variables, each time the one that leaves the fewest classes open, then the most urgent.

    A class is open from the first of its variables until the last: in between, every state
    remembers how many of its cards are used.

    Args:
        urgency: For each variable: whether it comes after all others, then its rank; lower first.
        classes: For each counted class: the variables that may be one of its cards.

    >>> elimination_order({1: (False, 0), 2: (False, 0), 3: (False, 0)}, [{1, 3}, {2, 3}, {1, 3}])
    [2, 3, 1]
    """
    waiting = {
        place: sum(1 << number for number, one in enumerate(classes) if place in one)
        for place in urgency
    }  # the classes of each variable, as a mask
    order, opened = list[int](), 0
    while waiting:
        ending = _in_one_only(waiting.values())
        left_open = {place: (opened | mine) & ~(mine & ending) for place, mine in waiting.items()}
        costs = {
            place: (urgency[place][0], mask.bit_count(), urgency[place][1])
            for place, mask in left_open.items()
        }
        order.append(min(costs, key=costs.__getitem__))
        opened = left_open[order[-1]]
        del waiting[order[-1]]
    return order


def _in_one_only(masks: Iterable[int]) -> int:
    """The bits set in exactly one of some masks."""
    once = often = 0
    for mask in masks:
        often |= once & mask
        once |= mask
    return once & ~often
