"""What a played card may take from the table, whether it must, and whether that is a scopa."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.cards import Card, Rank
from scoring.errors import PlayError
from scoring.rules import Rules
from scoring.rules.choices import FIFTEEN, Aces, Captures, Forced

Taken = tuple[Card, ...]
"""The table cards that one capture takes, in the order of the deck."""


def legal_captures(table: Iterable[Card], card: Card, *, rules: Rules) -> tuple[Taken, ...]:
    """Every capture that a played card may make: fewest cards first, then in the deck's order.

    Raises:
        PlayError: a card lies there twice, or the played card lies on the table.

    >>> lying = [Card.from_code(code) for code in ("1c", "5c", "6s")]
    >>> [[str(card) for card in taken]
    ...  for taken in legal_captures(lying, Card.from_code("7b"), rules=Rules())]
    [['1c', '6s']]
    """
    lying = _laid_out(table, card)
    if card.rank is Rank.ASSO and rules.aces is not Aces.ORDINARY:
        return _by_sweeping_ace(lying, rules)
    return _ordinary(lying, card, rules=rules)


def may_lay(table: Iterable[Card], card: Card, *, rules: Rules) -> bool:
    """Whether a card may be laid on the table instead of capturing.

    Raises:
        PlayError: a card lies there twice, or the played card lies on the table.

    >>> may_lay([], Card.from_code("7b"), rules=Rules(forced=Forced.ALWAYS))
    True
    """
    lying = _laid_out(table, card)
    if not legal_captures(lying, card, rules=rules):
        return True
    if rules.forced is Forced.SAME_RANK:
        return all(other.rank is not card.rank for other in lying)
    return rules.forced is Forced.NEVER


def is_scopa(
    table: Iterable[Card], card: Card, *, taken: Taken, rules: Rules, last_card: bool
) -> bool:
    """Whether a capture is a scopa; `last_card` says that it is the hand's very last.

    >>> lying = [Card.from_code("7c")]
    >>> seven = Card.from_code("7b")
    >>> is_scopa(lying, seven, taken=tuple(lying), rules=Rules(), last_card=False)
    True
    >>> is_scopa(lying, seven, taken=tuple(lying), rules=Rules(), last_card=True)
    False
    """
    lying = _laid_out(table, card)
    if not taken or set(taken) != set(lying) or (last_card and not rules.last_card_scopa):
        return False
    swept = card.rank is Rank.ASSO and rules.aces is Aces.SWEEP
    return not swept or lying in _ordinary(lying, card, rules=rules)


def _laid_out(table: Iterable[Card], card: Card) -> Taken:
    """The table cards in the order of the deck.

    Raises:
        PlayError: a card lies there twice, or the played card lies on the table.
    """
    lying = tuple(sorted(table, key=lambda other: other.index))
    for index, other in enumerate(lying):
        if other == card or other in lying[:index]:
            message = f"{other} is there twice: a deck holds it once, look at the table again"
            raise PlayError(message, card=other.code)
    return lying


def _by_sweeping_ace(lying: Taken, rules: Rules) -> tuple[Taken, ...]:
    """What an ace takes where aces sweep the table."""
    aces = tuple((other,) for other in lying if other.rank is Rank.ASSO)
    if rules.ace_takes_ace and aces:
        return aces
    return (lying,) if lying else ()


def _ordinary(lying: Taken, card: Card, *, rules: Rules) -> tuple[Taken, ...]:
    """What a card takes where no sweeping ace is played: by its value or to fifteen."""
    rank = int(card.rank)
    if rules.captures is Captures.FIFTEEN:
        return _in_order(_adding_up(lying, FIFTEEN - rank))
    sets = _in_order(_adding_up(lying, rank))
    if rules.captures is Captures.SINGLE_FIRST:
        singles = tuple(taken for taken in sets if len(taken) == 1)
        return singles or sets
    if rules.captures is Captures.VALUE_OR_FIFTEEN:
        return _in_order({*sets, *_adding_up(lying, FIFTEEN - rank)})
    return sets


def _adding_up(lying: Taken, wanted: int) -> Iterator[Taken]:
    """Every set of table cards whose values add up to a figure."""
    for index, other in enumerate(lying):
        if other.rank == wanted:
            yield (other,)
        elif other.rank < wanted:
            for rest in _adding_up(lying[index + 1 :], wanted - other.rank):
                yield (other, *rest)


def _in_order(captures: Iterable[Taken]) -> tuple[Taken, ...]:
    """Captures with fewest cards first, then in the deck's order."""
    return tuple(sorted(captures, key=lambda taken: (len(taken), [c.index for c in taken])))
