"""What the piles make at the end of a way, and what a way may still come to before its end."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import accumulate

from scoring.groups import Board, Issue

BITS = 6
"""Bits of one count of a way."""

FULL = (1 << BITS) - 1
"""Largest count."""

_Reach = tuple[int, int, int]
"""Of a side: its figure as it stands, at best, and the counts on which that still hangs."""


class Figures:
    """The figures of one point, worked out from the counts of a way."""

    parts: tuple[int, ...]
    """For each side: the counts that make up its pile, as a mask of a way."""

    def __init__(self, issue: Issue, board: Board, *, gains: Mapping[tuple[int, int], int]) -> None:
        self._issue, self._sure = issue, board.sure
        sides = range(len(board.sure))
        self.parts = tuple(
            sum(FULL << shift for (owner, _), shift in gains.items() if owner == side)
            for side in sides
        )
        self._counts = [
            [
                (shift, _cards_for(issue, what, taken=board.sure[side]))
                for (owner, what), shift in gains.items()
                if owner == side
            ]
            for side in sides
        ]  # for each side: where its counts are kept, and cards that stand for each count
        self._figures: dict[tuple[int, int], int] = {}

    def awards(self, state: int) -> tuple[int, ...]:
        """What each side gets at the end of a way."""
        return self._issue.awards([self.figure(*one) for one in enumerate(self.split(state))])

    def split(self, state: int) -> list[int]:
        """Each side's part of a way."""
        return [state & part for part in self.parts]

    def figure(self, side: int, part: int) -> int:
        """What a side's pile makes as it stands in its part of a way."""
        known = self._figures.get((side, part))
        if known is None:
            pile = self._sure[side]
            for shift, cards in self._counts[side]:
                pile |= cards[part >> shift & FULL]
            known = self._figures[side, part] = self._issue.figure(pile)
        return known


class Future:
    """What ways can still come to after an item, for a point of which only the best cards matter.

    Two ways that have used the same scarce cards award alike, whatever follows, where every side
    can come to the same figures, or where it is decided, the same way, who wins.
    """

    def __init__(self, figures: Figures, issue: Issue, *, rising: Mapping[int, int]) -> None:
        self._figures, self._issue = figures, issue
        self._rising = [
            [(shift, level) for shift, level in rising.items() if part >> shift & 1]
            for part in figures.parts
        ]
        self._every = sum(figures.parts)
        self._reaches: dict[tuple[int, int], _Reach] = {}
        self._futures: dict[int, Hashable] = {}

    def of(self, state: int) -> Hashable:
        """What ways have to share so that they award alike, whatever follows."""
        counts = state & self._every
        known = self._futures.get(counts)
        if known is None:
            reaches = tuple(map(self._reach, enumerate(self._figures.split(counts))))
            known = self._futures[counts] = self._decided(reaches) or _relative(reaches)
        return state - counts, known

    def _reach(self, one: tuple[int, int]) -> _Reach:
        """What a side's figure is and can become, by the side and its part of a way."""
        known = self._reaches.get(one)
        if known is None:
            side, part = one
            best, live = part, 0
            for shift, level in self._rising[side]:
                held = part >> shift & FULL
                if held < level:
                    best += (level - held) << shift
                    live |= (held + 1) << shift  # plus 1: nothing held is not nothing to come
            low = high = self._figures.figure(side, part)
            if live:
                high = self._figures.figure(side, best)
            known = self._reaches[one] = (low, high, live if low < high else 0)
        return known

    def _decided(self, reaches: Sequence[_Reach]) -> tuple[int, ...] | None:
        """What each side gets where that no longer hangs on anything, else None."""
        lows, highs = [low for low, _, _ in reaches], [high for _, high, _ in reaches]
        ahead = lows.index(max(lows))
        others = highs[:ahead] + highs[ahead + 1 :]
        if max(others) > lows[ahead]:
            return None
        at_best = self._issue.awards([*lows[:ahead], highs[ahead], *lows[ahead + 1 :]])
        at_worst = self._issue.awards([*others[:ahead], lows[ahead], *others[ahead:]])
        return at_best if at_best == at_worst else None


def _relative(reaches: tuple[_Reach, ...]) -> tuple[_Reach, ...]:
    """How far sides lie apart: where each has a figure, no more than that counts."""
    least = min(low for low, _, _ in reaches)
    return tuple((low - least, high - least, live) for low, high, live in reaches)


def _cards_for(issue: Issue, what: int, *, taken: int) -> Sequence[int]:
    """For each count: so many cards of a kind, or one of a suit's level, that are not taken."""
    if issue.best_only:
        levels = [0] * (FULL + 1)
        for card in range(10 * what, 10 * what + 10):
            levels[issue.kinds[card] + 1] = 1 << card
        return levels
    free = [card for card in range(40) if issue.kinds[card] == what and not taken >> card & 1]
    masks = list(accumulate((1 << card for card in free), initial=0))
    return masks + masks[-1:] * (FULL - len(free))
