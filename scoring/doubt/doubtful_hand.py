"""A hand in which not every card is known, as the caller describes it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scoring.cards import Card
from scoring.hand import Side


@dataclass(frozen=True)
class Doubt:
    """A card seen but not known for sure."""

    key: Hashable
    """The caller's name for it."""
    side: int | None
    """Place of the side in whose pile it lies; None where it may lie in any pile, or in none."""
    chances: Mapping[Card, float]
    """The cards it may be, with their probabilities; it can be no other card."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "chances", MappingProxyType(dict(self.chances)))


@dataclass(frozen=True)
class UnreadCard:
    """The key of a card that lies in a pile and of which nothing could be read."""

    side: int
    """The side in whose pile it lies."""
    number: int
    """Which of that side's unread cards, from 0."""


@dataclass(frozen=True)
class MissingCard:
    """The key of a card that nobody saw: it may lie in any pile or in none."""

    number: int
    """Which of the missing cards, from 0. They are always asked about together."""


@dataclass(frozen=True, kw_only=True)
class DoubtfulHand:
    """A hand in which not every card is known."""

    sides: tuple[Side, ...]
    """Each side's sure cards and its scope."""
    doubts: tuple[Doubt, ...] = ()
    """The cards seen but not known for sure."""
    rest: int | None = None
    """The side that has every card which lies in no other pile, or None."""
    unread: tuple[int, ...] = ()
    """For each side: how many more cards lie in its pile, of which nothing could be read."""
    absent: tuple[Card, ...] = ()
    """Cards that certainly lie in no pile: the pack lacks them."""

    @property
    def missing(self) -> int:
        """How many cards nobody saw, so that they may lie in any pile or in none."""
        seen = sum(len(side.pile) for side in self.sides) + len(self.doubts) + sum(self.unread)
        return 0 if self.rest is not None else max(0, 40 - len(set(self.absent)) - seen)
