"""What the rules say of one card played: what it may take, whether that is a scopa, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.cards import Card, Rank
from scoring.locale import mark, say
from scoring.play.captures import Taken, is_scopa, legal_captures, may_lay
from scoring.rules import Rules
from scoring.rules.choices import Aces, Captures


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to capture."""

    taken: Taken
    """The table cards it takes, in the order of the deck."""
    is_scopa: bool
    """Whether it is a scopa."""


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What a played card may do on a table, under a rule set."""

    ways: tuple[Way, ...]
    """Every legal capture: fewest cards first, then in the deck's order."""
    may_lay: bool
    """Whether the card may be laid on the table instead."""
    barred: tuple[Taken, ...]
    """Sets that add up too, and wait because a card of the same value lies there."""
    why: tuple[str, ...]
    """The reasons, a sentence each."""


def rule_on(
    table: Iterable[Card], card: Card, *, rules: Rules, last_card: bool = False, lang: str = "en"
) -> Ruling:
    """Gives what a played card may do; `last_card` says that it is the hand's very last.

    Raises:
        PlayError: a card lies there twice, or the played card lies on the table.

    >>> lying = [Card.from_code(code) for code in ("7c", "5s", "2b")]
    >>> ruling = rule_on(lying, Card.from_code("7d"), rules=Rules())
    >>> [[str(one) for one in way.taken] for way in ruling.ways], ruling.may_lay
    ([['7c']], False)
    >>> [[str(one) for one in taken] for taken in ruling.barred]
    [['5s', '2b']]
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
    free = rules.changed(captures=Captures.FREE)
    barred = tuple(
        taken
        for taken in legal_captures(lying, card, rules=free)
        if rules.captures is Captures.SINGLE_FIRST and ways and taken not in legal
    )
    said = _reasons(ways, lying, card=card, rules=rules, last_card=last_card)
    return Ruling(
        ways=ways,
        may_lay=may_lay(lying, card, rules=rules),
        barred=barred,
        why=tuple(say(key, lang) for key in said),
    )


def _reasons(
    ways: tuple[Way, ...], lying: Taken, *, card: Card, rules: Rules, last_card: bool
) -> Iterator[str]:
    """The keys of the sentences that say why, most telling first."""
    if not lying:
        yield mark("ruling.empty")
    elif not ways:
        yield mark("ruling.nothing")
    elif card.rank is Rank.ASSO and rules.aces is not Aces.ORDINARY:
        yield f"rule.aces.{rules.aces}"
        if rules.ace_takes_ace:
            yield "rule.ace_takes_ace.yes"
    else:
        yield f"rule.captures.{rules.captures}"
    if len(ways) > 1:
        yield mark("ruling.choose")
    if ways:
        yield f"rule.forced.{rules.forced}"
    sweeps = any(set(way.taken) == set(lying) for way in ways)
    if sweeps and last_card and not rules.last_card_scopa:
        yield "rule.last_card_scopa.no"
