"""What the piles make at the end of a way, and what a way may still come to before its end."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import accumulate

from scoring.doubt.groups import Board, Issue

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
        self._figures: list[dict[int, int]] = [{} for _ in sides]
        self._awards: dict[tuple[int, ...], tuple[int, ...]] = {}

    def awards(self, state: int) -> tuple[int, ...]:
        """What each side gets at the end of a way."""
        parts = [state & part for part in self.parts]
        return self.of(tuple(self.figure(side, part) for side, part in enumerate(parts)))

    def of(self, figures: tuple[int, ...]) -> tuple[int, ...]:
        """What each side gets for the figures of all."""
        known = self._awards.get(figures)
        if known is None:
            known = self._awards[figures] = self._issue.awards(figures)
        return known

    def figure(self, side: int, part: int) -> int:
        """What a side's pile makes as it stands in its part of a way."""
        figures = self._figures[side]
        known = figures.get(part)
        if known is None:
            pile = self._sure[side]
            for shift, cards in self._counts[side]:
                pile |= cards[part >> shift & FULL]
            known = figures[part] = self._issue.figure(pile)
        return known


class Future:
    """What ways can still come to after an item, for a point of which only the best cards matter.

    Two ways that have used the same scarce cards award alike, whatever follows, where every side
    can come to the same figures, or where it is decided, the same way, who wins.
    """

    def __init__(self, figures: Figures, *, rising: Mapping[int, int]) -> None:
        self._figures = figures
        self._rising = [
            [(shift, level) for shift, level in rising.items() if part >> shift & 1]
            for part in figures.parts
        ]
        self._every = sum(figures.parts)
        self._reaches: list[dict[int, _Reach]] = [{} for _ in figures.parts]
        self._futures: dict[int, Hashable] = {}

    def of(self, state: int) -> Hashable:
        """What ways have to share so that they award alike, whatever follows."""
        counts = state & self._every
        known = self._futures.get(counts)
        if known is None:
            known = self._futures[counts] = self._outcome(counts)
        return state - counts, known

    def _outcome(self, counts: int) -> Hashable:
        """How the point goes where that is decided, else what each side can still come to."""
        found = []
        for side, reaches in enumerate(self._reaches):
            part = counts & self._figures.parts[side]
            reach = reaches.get(part)
            if reach is None:
                reach = reaches[part] = self._reach(side, part)
            found.append(reach)
        return self._decided(found) or _relative(found)

    def _reach(self, side: int, part: int) -> _Reach:
        """What a side's figure is and can become, by its part of a way."""
        best, live = part, 0
        for shift, level in self._rising[side]:
            held = part >> shift & FULL
            if held < level:
                best += (level - held) << shift
                live |= (held + 1) << shift  # plus 1: nothing held is not nothing to come
        low = high = self._figures.figure(side, part)
        if live:
            high = self._figures.figure(side, best)
        return low, high, live if low < high else 0

    def _decided(self, reaches: Sequence[_Reach]) -> tuple[int, ...] | None:
        """What each side gets where that no longer hangs on anything, else None."""
        first = max(reaches)
        top = first[0]
        rising = [reach for reach in reaches if reach[1] > top]
        if len(rising) > 1 or (rising and rising[0][0] < top):
            return None
        ahead = reaches.index(rising[0] if rising else first)
        best, worst = [low for low, _, _ in reaches], [high for _, high, _ in reaches]
        best[ahead], worst[ahead] = worst[ahead], top
        at_best = self._figures.of(tuple(best))
        return at_best if at_best == self._figures.of(tuple(worst)) else None


def _relative(reaches: Sequence[_Reach]) -> tuple[_Reach, ...]:
    """How far sides lie apart: where each has a figure, no more than that counts."""
    least = min(reaches)[0]
    return tuple([(low - least, high - least, live) for low, high, live in reaches])


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
