"""What a played card may take, whether it must, whether that is a scopa, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.cards import Card, Rank
from scoring.errors import PlayError
from scoring.locale import say
from scoring.rules import FIFTEEN, Aces, Captures, Forced, Rules

Taken = tuple[Card, ...]
"""The table cards that one capture takes, in the order of the deck."""


def legal_captures(table: Iterable[Card], card: Card, *, rules: Rules) -> tuple[Taken, ...]:
    """Return every capture of a played card: fewest cards first, then in the deck's order.

    Raises:
        PlayError: a card is on the table twice, or the played card is already there.

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
    """Return whether a card may be laid on the table instead of capturing.

    Raises:
        PlayError: a card is on the table twice, or the played card is already there.
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
    """Return whether a capture is a scopa; `last_card`: the card is the last of the hand.

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
    """Return the table cards in the order of the deck.

    Raises:
        PlayError: a card is on the table twice, or the played card is already there.
    """
    lying = tuple(sorted(table, key=lambda other: other.index))
    for index, other in enumerate(lying):
        if other == card or other in lying[:index]:
            message = f"{other} is there twice: a deck holds it once, look at the table again"
            raise PlayError(message)
    return lying


def _by_sweeping_ace(lying: Taken, rules: Rules) -> tuple[Taken, ...]:
    """Return what an ace takes where aces sweep the table."""
    aces = tuple((other,) for other in lying if other.rank is Rank.ASSO)
    if rules.ace_takes_ace and aces:
        both = rules.captures.by_value and rules.captures.to_fifteen
        return _in_order({*aces, *_adding_up(lying, FIFTEEN - 1, rules)}) if both else aces
    return (lying,) if lying else ()


def _ordinary(lying: Taken, card: Card, *, rules: Rules) -> tuple[Taken, ...]:
    """Return what a card takes where no sweeping ace is played: by its value or to fifteen."""
    value, found = rules.value_of(card.rank), set[Taken]()
    if rules.captures.by_value:
        sets = _limited(_adding_up(lying, value, rules), rules)
        singles = {taken for taken in sets if len(taken) == 1}
        found |= singles if singles and rules.captures.single_first else sets
    if rules.captures.to_fifteen:
        found |= _limited(_adding_up(lying, FIFTEEN - value, rules), rules)
    return _in_order(found)


def _limited(sets: Iterable[Taken], rules: Rules) -> set[Taken]:
    """Return the sets that `Rules.fewest_cards` allows. All given sets have the same sum."""
    found = set(sets)
    fewest = min(map(len, found), default=0)
    return {taken for taken in found if len(taken) == fewest} if rules.fewest_cards else found


def _adding_up(lying: Taken, wanted: int, rules: Rules) -> Iterator[Taken]:
    """Yield every set of table cards whose values add up to a figure."""
    for index, other in enumerate(lying):
        value = rules.value_of(other.rank)
        if value == wanted:
            yield (other,)
        elif value < wanted:
            for rest in _adding_up(lying[index + 1 :], wanted - value, rules):
                yield (other, *rest)


def _in_order(captures: Iterable[Taken]) -> tuple[Taken, ...]:
    """Captures with fewest cards first, then in the deck's order."""
    return tuple(sorted(captures, key=lambda taken: (len(taken), [c.index for c in taken])))


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to capture."""

    taken: Taken  # the table cards it takes, in the order of the deck
    is_scopa: bool  # whether it is a scopa


@dataclass(frozen=True, kw_only=True)
class Barred:
    """Cards that add up, and still may not be taken."""

    taken: Taken  # the cards, in the order of the deck
    why: str  # the reason, as a sentence


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What a played card may do on a table, under a rule set."""

    ways: tuple[Way, ...]  # every legal capture: fewest cards first, then in the deck's order
    may_lay: bool  # whether the card may be laid on the table instead
    barred: tuple[Barred, ...]  # sets that add up too, and may not be taken
    why: tuple[str, ...]  # the reasons, a sentence each


def rule_on(
    table: Iterable[Card], card: Card, *, rules: Rules, last_card: bool = False, lang: str = "en"
) -> Ruling:
    """Return what a played card may do; `last_card`: the card is the last of the hand.

    Raises:
        PlayError: a card is on the table twice, or the played card is already there.

    >>> lying = [Card.from_code(code) for code in ("7c", "5s", "2b")]
    >>> ruling = rule_on(lying, Card.from_code("7d"), rules=Rules())
    >>> [[str(one) for one in way.taken] for way in ruling.ways], ruling.may_lay
    ([['7c']], False)
    >>> [([str(one) for one in barred.taken], barred.why) for barred in ruling.barred]
    [(['5s', '2b'], 'a card of the same value lies there: it goes first')]
    """
    lying = tuple(table)
    legal = legal_captures(lying, card, rules=rules)
    ways = tuple(
        Way(
            taken=taken,
            is_scopa=is_scopa(lying, card, taken=taken, rules=rules, last_card=last_card),
        )
        for taken in legal
    )
    free = legal_captures(lying, card, rules=_without_limits(rules))
    barred = tuple(
        Barred(taken=taken, why=say(_barred_by(taken, card, legal, rules=rules), lang))
        for taken in free
        if taken not in legal
    )
    said = _reasons(ways, lying, card=card, rules=rules, last_card=last_card)
    return Ruling(
        ways=ways,
        may_lay=may_lay(lying, card, rules=rules),
        barred=barred,
        why=tuple(say(key, lang) for key in said),
    )


def _without_limits(rules: Rules) -> Rules:
    """Return the rules without the limits on which of the sets that add up may be taken."""
    free = {
        Captures.SINGLE_FIRST: Captures.FREE,
        Captures.SINGLE_FIRST_OR_FIFTEEN: Captures.VALUE_OR_FIFTEEN,
    }
    captures = free.get(rules.captures, rules.captures)
    return rules.changed(captures=captures, fewest_cards=False)


def _barred_by(taken: Taken, card: Card, legal: tuple[Taken, ...], *, rules: Rules) -> str:
    """Return the key of the sentence that says why a set that adds up may not be taken."""
    value = rules.value_of(card.rank)
    is_sum = sum(rules.value_of(one.rank) for one in taken) == value
    equal = any(len(one) == 1 and rules.value_of(one[0].rank) == value for one in legal)
    single_first = rules.captures.single_first and is_sum and equal
    return "barred.single" if single_first else "barred.fewest_cards"


def _reasons(
    ways: tuple[Way, ...], lying: Taken, *, card: Card, rules: Rules, last_card: bool
) -> Iterator[str]:
    """Yield the keys of the sentences that explain a ruling, most important first."""
    if not lying:
        yield "ruling.empty"
    elif not ways:
        yield "ruling.nothing"
    elif card.rank is Rank.ASSO and rules.aces is not Aces.ORDINARY:
        yield f"rule.aces.{rules.aces}"
        if rules.ace_takes_ace:
            yield "rule.ace_takes_ace.yes"
        if any(len(way.taken) > 1 for way in ways) and len(ways) > 1:
            yield f"rule.captures.{rules.captures}"
    else:
        yield f"rule.captures.{rules.captures}"
    if len(ways) > 1:
        yield "ruling.choose"
    if ways:
        yield f"rule.forced.{rules.forced}"
    sweeps = any(set(way.taken) == set(lying) for way in ways)
    if sweeps and last_card and not rules.last_card_scopa:
        yield "rule.last_card_scopa.no"
