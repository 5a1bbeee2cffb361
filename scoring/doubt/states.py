"""A state: what the variables settled so far come to, as counts packed into one whole number.

Each count has six bits of its own: how much a side has gained of a kind (or its best card of a
suit), and how many cards of a counted class are used. Partial assignments with the same counts
share one state, and nothing that can matter later is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.doubt.card_classes import CardClass
from scoring.doubt.model import Model
from scoring.doubt.point_functions import PointFunction

BITS = 6
"""Bits of one count."""

FULL = (1 << BITS) - 1
"""The largest count, and the mask of one."""


@dataclass(frozen=True)
class StateLayout:
    """Where each count stands in a state, as the number of bits to shift."""

    used: Mapping[int, int]
    """For each counted class, by its number: how many of its cards are used."""
    gained: Mapping[tuple[int, int], int]
    """For each side and kind: how many it gained. Where only the best of a suit matters, for each
    side and suit: what its best card counts, plus 1."""


def layout_of(classes: Sequence[CardClass], point: PointFunction, *, model: Model) -> StateLayout:
    """The layout for the classes of a point: first what is used, then what is gained.

    >>> point = PointFunction("denari", (0,) * 40, False, int, tuple)
    >>> layout_of((), point, model=Model((0, 0), (), None, {}))
    StateLayout(used={}, gained={})
    """
    counted = [no for no, one in enumerate(classes) if one.is_counted and one.chances]
    used = {number: BITS * place for place, number in enumerate(counted)}
    keys = dict.fromkeys(
        (side, one.suit if point.best_only else one.kind)
        for one in classes
        if one.kind >= 0
        for side in sorted(model.takers(one.chances))
    )
    gained = {key: BITS * (len(used) + place) for place, key in enumerate(keys)}
    return StateLayout(used, gained)
