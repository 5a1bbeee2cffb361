"""The order in which doubtful cards are settled, so that few ways are open at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence


def in_order(
    urgency: Mapping[int, tuple[bool, int]], groups: Sequence[Collection[int]]
) -> list[int]:
    """Some items, each time the one that leaves the fewest groups open; then the lowest urgency.

    A group is open from its first item until its last: its use is part of every way between. What
    is True in an item's urgency puts it after all others.

    >>> in_order({1: (False, 0), 2: (False, 0), 3: (False, 0)}, [{1, 3}, {2, 3}, {1, 3}])
    [2, 3, 1]
    """
    waiting = {
        place: sum(1 << number for number, group in enumerate(groups) if place in group)
        for place in urgency
    }  # the groups of each, as a mask
    order, opened = list[int](), 0
    while waiting:
        ending = _in_one_only(waiting.values())
        left = {place: (opened | mine) & ~(mine & ending) for place, mine in waiting.items()}
        costs = {
            place: (urgency[place][0], groups_open.bit_count(), urgency[place][1])
            for place, groups_open in left.items()
        }
        order.append(min(costs, key=costs.__getitem__))
        opened = left[order[-1]]
        del waiting[order[-1]]
    return order


def _in_one_only(masks: Iterable[int]) -> int:
    """The bits set in exactly one of some masks."""
    once = often = 0
    for mask in masks:
        often |= once & mask
        once |= mask
    return once & ~often
