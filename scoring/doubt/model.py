"""The variables of a doubtful hand: every unknown card, with the cards and owners it may have."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.cards import mask_of
from scoring.doubt.doubtful_hand import DoubtfulHand, UnreadCard
from scoring.errors import DoubtError

LEAST_CHANCE = 1e-6
"""Weight of a candidate that the caller gives no chance: it stays possible."""


@dataclass(frozen=True)
class Variable:
    """One unknown card."""

    key: Hashable
    """The caller's name for it."""
    owners: tuple[int | None, ...]
    """The sides it may belong to; None stands for no side."""
    chances: Mapping[int, float]
    """Its candidates: the cards it may be, by index, with their probabilities."""


@dataclass(frozen=True)
class Model:
    """What is known of a hand. No two variables are the same card, and none is a sure card."""

    sure: tuple[int, ...]
    """The sure cards of each side, as masks."""
    variables: tuple[Variable, ...]
    """The unknown cards. A variable is named by its place in this tuple."""
    rest: int | None
    """The side that has every card which lies in no other pile, or None."""
    wanted_by: Mapping[int, tuple[int, ...]]
    """For each card that is not sure: the variables that may be it."""
    missing: int = 0
    """How many cards are no variable: each may lie in any pile or in none."""

    @property
    def missing_place(self) -> int:
        """The one place that stands for all missing cards, after those of the variables."""
        return len(self.variables)

    def takers(self, variables: Iterable[int]) -> frozenset[int]:
        """The sides that may come to have a card which only these variables may be."""
        if self.missing:
            return frozenset(range(len(self.sure)))
        owners = {owner for place in variables for owner in self.variables[place].owners}
        return frozenset(owner for owner in (*owners, self.rest) if owner is not None)


def model_of(hand: DoubtfulHand) -> Model:
    """The model of a doubtful hand.

    Raises:
        DoubtError: a sure card lies in two piles or is said to be absent, or the doubts cannot all
            be different cards.

    >>> from scoring.cards import Card
    >>> from scoring.doubt.doubtful_hand import Doubt
    >>> from scoring.hand import Side
    >>> seven = Card.from_code("7d")
    >>> hand = DoubtfulHand(sides=(Side("Anna", (seven,)), Side("Bruno", ())),
    ...                     doubts=(Doubt("a", 1, {seven: 1.0}),))
    >>> model_of(hand)
    Traceback (most recent call last):
    scoring.errors.DoubtError: a cannot be what is left: look at these cards again
    """
    sure = _sure_masks(hand)
    known = sum(sure) | mask_of(hand.absent)
    pool = [card for card in range(40) if not known >> card & 1]
    variables = _variables(hand, pool)
    _check_all_different(variables)
    wanted_by = {
        card: tuple(place for place, one in enumerate(variables) if card in one.chances)
        for card in pool
    }
    if hand.rest is not None:
        sure[hand.rest] |= sum(1 << card for card, places in wanted_by.items() if not places)
    matter = {card: places for card, places in wanted_by.items() if places or hand.missing}
    return Model(tuple(sure), variables, hand.rest, matter, hand.missing)


def _sure_masks(hand: DoubtfulHand) -> list[int]:
    """The sure cards of each side, once they are known not to contradict each other."""
    masks, known = [mask_of(side.pile) for side in hand.sides], 0
    for side, mask in zip(hand.sides, masks, strict=True):
        if mask & known or mask.bit_count() < len(side.pile):
            raise DoubtError(f"{side.name}'s sure cards hold one twice: keep it once")
        known |= mask
    if known & mask_of(hand.absent):
        raise DoubtError("a card that lies in a pile is said to be in none: look at it again")
    return masks


def _variables(hand: DoubtfulHand, pool: Sequence[int]) -> tuple[Variable, ...]:
    """A variable for each doubtful card and for each unread one."""
    even = dict.fromkeys(pool, 1.0 / max(1, len(pool)))
    anybody = (*range(len(hand.sides)), None)
    variables = []
    for doubt in hand.doubts:
        left = {
            card.index: max(chance, LEAST_CHANCE)
            for card, chance in doubt.chances.items()
            if card.index in even
        }
        total = sum(left.values())
        chances = {index: chance / total for index, chance in left.items()}
        owners = anybody if doubt.side is None else (doubt.side,)
        variables.append(Variable(doubt.key, owners, chances))
    for side, count in enumerate(hand.unread):
        variables += [Variable(UnreadCard(side, no), (side,), even) for no in range(count)]
    return tuple(variables)


def _check_all_different(variables: Sequence[Variable]) -> None:
    """Refuse variables that cannot all be different cards.

    A bipartite matching of variables and cards is built by augmenting paths.
    """
    matched: dict[int, int] = {}
    for place in range(len(variables)):
        tried: set[int] = set()
        if not _augment(place, variables, matched=matched, tried=tried):
            clashing = {place} | {matched[card] for card in tried}
            keys = tuple(variables[other].key for other in sorted(clashing))
            named = ", ".join(map(str, keys))
            raise DoubtError(
                f"{named} cannot be what is left: look at these cards again", keys=keys
            )


def _augment(
    place: int, variables: Sequence[Variable], *, matched: dict[int, int], tried: set[int]
) -> bool:
    """Match a variable with a card, rematching others where needed.

    `matched` (card to variable) and `tried` are the search's own and are changed.
    """
    for card in variables[place].chances:
        if card in tried:
            continue
        tried.add(card)
        if card not in matched or _augment(matched[card], variables, matched=matched, tried=tried):
            matched[card] = place
            return True
    return False
