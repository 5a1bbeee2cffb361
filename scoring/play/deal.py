"""The deal: who deals, how the cards go out, and when the deal is void."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.cards import DECK, Card, Rank
from scoring.errors import PlayError
from scoring.locale import say
from scoring.rules import Rules
from scoring.rules.checks import deals_out


def deal_fault(table: Sequence[Card], rules: Rules, *, lang: str = "en") -> str | None:
    """Why the first table cards void the deal, or None where they stand.

    Raises:
        PlayError: a card lies there twice.

    >>> kings = [Card.from_code(code) for code in ("10d", "10c", "10s", "2b")]
    >>> deal_fault(kings, Rules())
    '3 kings among the first 4 table cards: no scopa could be made, deal again'
    """
    for index, card in enumerate(table):
        if card in table[:index]:
            message = f"{card} is there twice: a deck holds it once, look at the table again"
            raise PlayError(message, card=card.code)
    if len(table) != rules.table_cards:
        return say("deal.count", lang, wanted=rules.table_cards, came=len(table))
    kings = sum(card.rank is Rank.RE for card in table)
    if rules.void_kings and kings >= rules.void_kings:
        return say("deal.kings", lang, kings=kings, cards=len(table))
    return None


def deals(rules: Rules, *, players: int) -> int:
    """How many times cards are dealt in a hand.

    Raises:
        PlayError: the deck does not deal out evenly for so many players.

    >>> deals(Rules(), players=2)
    6
    """
    if not deals_out(rules.hand_cards, rules.table_cards, players=players):
        cards = f"{rules.hand_cards} cards each and {rules.table_cards} on the table"
        raise PlayError(f"{cards} do not deal out evenly for {players}: change one of them")
    return (len(DECK) - rules.table_cards) // (rules.hand_cards * players)


def next_seat(seat: int, rules: Rules, *, players: int) -> int:
    """The seat whose turn comes next; seats are numbered to the right.

    >>> next_seat(3, Rules(), players=4), next_seat(3, Rules(clockwise=True), players=4)
    (0, 2)
    """
    return (seat + (-1 if rules.clockwise else 1)) % players


def dealer_of(hand_no: int, rules: Rules, *, first: int, players: int) -> int:
    """The seat that deals a hand (counted from 0) when `first` dealt the first.

    >>> dealer_of(2, Rules(), first=1, players=2)
    1
    """
    return (first + (-hand_no if rules.clockwise else hand_no)) % players


def side_of(seat: int, *, sides: int) -> int:
    """The side a seat belongs to: the seats go round the sides, so team mates sit opposite.

    >>> [side_of(seat, sides=2) for seat in range(4)]
    [0, 1, 0, 1]
    """
    return seat % sides
