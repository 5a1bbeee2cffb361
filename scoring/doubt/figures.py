"""What the piles of a final state make, and what a state may still come to before the end."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import accumulate

from scoring.doubt.model import Model
from scoring.doubt.point_functions import PointFunction
from scoring.doubt.states import FULL, StateLayout

_Reach = tuple[int, int, int]
"""Of a side: its figure as it stands, its figure at best, and the counts that may still rise."""


class Figures:
    """The figures of one point, worked out from the counts of a state and remembered."""

    parts: tuple[int, ...]
    """For each side: the counts that make up its pile, as a mask of a state."""

    def __init__(self, point: PointFunction, model: Model, *, layout: StateLayout) -> None:
        self._point, self._sure = point, model.sure
        sides = range(len(model.sure))
        self.parts = tuple(
            sum(FULL << shift for (owner, _), shift in layout.gained.items() if owner == side)
            for side in sides
        )
        self._counts = [
            [
                (shift, _cards_for(point, what, taken=model.sure[side]))
                for (owner, what), shift in layout.gained.items()
                if owner == side
            ]
            for side in sides
        ]  # for each side: where its counts stand, and cards to represent each count by
        self._figures: list[dict[int, int]] = [{} for _ in sides]
        self._awards: dict[tuple[int, ...], tuple[int, ...]] = {}

    def awards_of_state(self, state: int) -> tuple[int, ...]:
        """What each side gets in a final state."""
        parts = [state & part for part in self.parts]
        return self.awards(tuple(self.figure(side, part) for side, part in enumerate(parts)))

    def awards(self, figures: tuple[int, ...]) -> tuple[int, ...]:
        """What each side gets for the figures of all."""
        known = self._awards.get(figures)
        if known is None:
            known = self._awards[figures] = self._point.awards(figures)
        return known

    def figure(self, side: int, part: int) -> int:
        """What a side's pile makes with the counts of its part of a state."""
        figures = self._figures[side]
        known = figures.get(part)
        if known is None:
            pile = self._sure[side]
            for shift, cards in self._counts[side]:
                pile |= cards[part >> shift & FULL]
            known = figures[part] = self._point.figure(pile)
        return known


class Prospects:
    """What states can still come to after a layer, where only the best of each suit matters.

    Two states that have used the same counted classes award alike, whatever follows, if every side
    can come to the same figures, or if both are decided already and in the same way. Such states
    may be merged.
    """

    def __init__(self, figures: Figures, *, rising: Mapping[int, int]) -> None:
        self._figures = figures
        self._rising = [
            [(shift, level) for shift, level in rising.items() if part >> shift & 1]
            for part in figures.parts
        ]
        self._all_parts = sum(figures.parts)
        self._reaches: list[dict[int, _Reach]] = [{} for _ in figures.parts]
        self._known: dict[int, Hashable] = {}

    def signature(self, state: int) -> Hashable:
        """A key that states share only where they award alike, whatever follows."""
        counts = state & self._all_parts
        known = self._known.get(counts)
        if known is None:
            known = self._known[counts] = self._outcome(counts)
        return state - counts, known

    def _outcome(self, counts: int) -> Hashable:
        """The awards where they are decided, else what each side can still come to."""
        found = []
        for side, reaches in enumerate(self._reaches):
            part = counts & self._figures.parts[side]
            reach = reaches.get(part)
            if reach is None:
                reach = reaches[part] = self._reach(side, part)
            found.append(reach)
        return self._decided(found) or _relative(found)

    def _reach(self, side: int, part: int) -> _Reach:
        """What a side's figure is and can become, by its part of a state."""
        best, live = part, 0
        for shift, level in self._rising[side]:
            held = part >> shift & FULL
            if held < level:
                best += (level - held) << shift
                live |= (held + 1) << shift  # plus 1: holding nothing differs from not rising
        low = high = self._figures.figure(side, part)
        if live:
            high = self._figures.figure(side, best)
        return low, high, live if low < high else 0

    def _decided(self, reaches: Sequence[_Reach]) -> tuple[int, ...] | None:
        """What each side gets where nothing that follows can change it, else None."""
        first = max(reaches)
        top = first[0]
        rising = [reach for reach in reaches if reach[1] > top]
        if len(rising) > 1 or (rising and rising[0][0] < top):
            return None
        ahead = reaches.index(rising[0] if rising else first)
        best, worst = [low for low, _, _ in reaches], [high for _, high, _ in reaches]
        best[ahead], worst[ahead] = worst[ahead], top
        at_best = self._figures.awards(tuple(best))
        return at_best if at_best == self._figures.awards(tuple(worst)) else None


def _relative(reaches: Sequence[_Reach]) -> tuple[_Reach, ...]:
    """Each side's reach counted from the lowest figure: only distances between sides matter."""
    least = min(reaches)[0]
    return tuple([(low - least, high - least, live) for low, high, live in reaches])


def _cards_for(point: PointFunction, what: int, *, taken: int) -> Sequence[int]:
    """For each count, cards that represent it, as a mask.

    Where only the best of a suit matters, that is one card of the level; else it is so many cards
    of a kind which are not `taken`.
    """
    if point.best_only:
        levels = [0] * (FULL + 1)
        for card in range(10 * what, 10 * what + 10):
            levels[point.kinds[card] + 1] = 1 << card
        return levels
    free = [card for card in range(40) if point.kinds[card] == what and not taken >> card & 1]
    masks = list(accumulate((1 << card for card in free), initial=0))
    return masks + masks[-1:] * (FULL - len(free))
