"""A doubtful hand laid out for counting its ways: sure piles, items, and who may be what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from scoring.cards import Card, mask_of
from scoring.doubt.groups import Board, Item
from scoring.errors import DoubtError
from scoring.hand import Side

LEAST_CHANCE = 1e-6
"""Weight of an alternative that is named but given no chance: it stays possible."""


@dataclass(frozen=True)
class Doubt:
    """A card seen but not known for sure."""

    key: str
    """The caller's name for it."""
    side: int | None
    """Place of the side in whose pile it lies; None where it may be any, or none."""
    chances: Mapping[Card, float]
    """The cards it may be, with their probability; no other card is thought of."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "chances", MappingProxyType(dict(self.chances)))


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
    """Cards that lie in no pile for certain: the pack lacks them."""

    @property
    def missing(self) -> int:
        """How many cards nobody saw, so that they may lie in any pile or in none."""
        seen = sum(len(side.pile) for side in self.sides) + len(self.doubts) + sum(self.unread)
        return 0 if self.rest is not None else max(0, 40 - len(set(self.absent)) - seen)


def lay_out(hand: DoubtfulHand) -> Board:
    """The board of a doubtful hand.

    Raises:
        DoubtError: a sure card lies twice or is said to be in no pile, there are more than forty
            cards, or the doubts cannot all be different cards.

    >>> seven = Card.from_code("7d")
    >>> hand = DoubtfulHand(sides=(Side("Anna", (seven,)), Side("Bruno", ())),
    ...                     doubts=(Doubt("a", 1, {seven: 1.0}),))
    >>> lay_out(hand)
    Traceback (most recent call last):
    scoring.errors.DoubtError: a cannot be what is left: look at these cards again
    """
    sure = [mask_of(side.pile) for side in hand.sides]
    known = 0
    for side, mask in zip(hand.sides, sure, strict=True):
        if mask & known or mask.bit_count() < len(side.pile):
            raise DoubtError(f"{side.name}'s sure cards hold one twice: keep it once")
        known |= mask
    if known & mask_of(hand.absent):
        raise DoubtError("a card that lies in a pile is said to be in none: look at it again")
    pool = [card for card in range(40) if not (known | mask_of(hand.absent)) >> card & 1]
    items = _items(hand, pool)
    _check_ways(items)
    listing = {
        card: tuple(place for place, item in enumerate(items) if card in item.chances)
        for card in pool
    }
    if hand.rest is not None:
        sure[hand.rest] |= sum(1 << card for card, places in listing.items() if not places)
    matter = {card: places for card, places in listing.items() if places or hand.missing}
    return Board(tuple(sure), items, hand.rest, matter, hand.missing)


def _items(hand: DoubtfulHand, pool: Sequence[int]) -> tuple[Item, ...]:
    """Every card in a pile that is not known: doubtful and unread ones."""
    even = dict.fromkeys(pool, 1.0 / max(1, len(pool)))
    anybody = (*range(len(hand.sides)), None)
    items = []
    for doubt in hand.doubts:
        left = {
            card.index: max(chance, LEAST_CHANCE)
            for card, chance in doubt.chances.items()
            if card.index in even
        }
        total = sum(left.values())
        chances = {index: chance / total for index, chance in left.items()}
        items.append(Item(doubt.key, anybody if doubt.side is None else (doubt.side,), chances))
    for side, count in enumerate(hand.unread):
        items += [Item(f"unread:{side}:{number}", (side,), even) for number in range(count)]
    return tuple(items)


def _check_ways(items: Sequence[Item]) -> None:
    """Refuse items that cannot all be different cards (a matching, by augmenting paths)."""
    holder: dict[int, int] = {}
    for place in range(len(items)):
        tried: set[int] = set()
        if not _placed(place, items, holder=holder, tried=tried):
            clashing = {place} | {holder[card] for card in tried}
            keys = tuple(items[other].key for other in sorted(clashing))
            message = f"{', '.join(keys)} cannot be what is left: look at these cards again"
            raise DoubtError(message, keys=keys)


def _placed(place: int, items: Sequence[Item], *, holder: dict[int, int], tried: set[int]) -> bool:
    """Give an item a card of its own, moving others where needed; `holder` is changed."""
    for card in items[place].chances:
        if card in tried:
            continue
        tried.add(card)
        if card not in holder or _placed(holder[card], items, holder=holder, tried=tried):
            holder[card] = place
            return True
    return False
