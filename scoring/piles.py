"""Everything that is wrong with the piles of a hand, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique

from scoring.cards import DECK, Card
from scoring.rules import Rules
from scoring.rules.choices import Aces, Captures


@unique
class ProblemKind(StrEnum):
    """What can be wrong with piles."""

    DUPLICATE = "duplicate"
    """A card that is there more than once: the hand cannot be scored."""
    MISSING = "missing"
    """A card in no pile: it counts for nobody."""
    IMPOSSIBLE = "impossible"
    """More scope than captures, or a pile of one card."""
    SUM = "sum"
    """Values that captures under these rules cannot add up to: perhaps a card misread."""


@dataclass(frozen=True)
class PileProblem:
    """One thing wrong with the piles of a hand."""

    kind: ProblemKind
    """What it is."""
    message: str
    """What was found, and what to do."""
    cards: tuple[Card, ...] = ()
    """The cards concerned."""
    sides: tuple[int, ...] = ()
    """Places of the sides concerned."""

    @property
    def blocks(self) -> bool:
        """Whether the hand cannot be scored before it is put right."""
        return self.kind is ProblemKind.DUPLICATE


def check_piles(
    piles: Sequence[Iterable[Card]],
    scope: Sequence[int] = (),
    *,
    names: Sequence[str] = (),
    rules: Rules | None = None,
) -> tuple[PileProblem, ...]:
    """Every problem of the piles of a hand: doubled, missing and impossible cards.

    The sums are looked at only where `rules` are given and all forty cards are there.

    >>> check_piles([DECK[:20], DECK[20:]])
    ()
    >>> [str(problem.kind) for problem in check_piles([DECK[:21], DECK[20:39]], [0, 12])]
    ['duplicate', 'missing', 'impossible']
    """
    held = [tuple(pile) for pile in piles]
    called = tuple(names) or tuple(f"side {place + 1}" for place in range(len(held)))
    doubled = tuple(_doubled(held, called))
    missing = tuple(_missing(held))
    problems = (*doubled, *missing, *_impossible(held, called, scope=tuple(scope)))
    if rules is None or doubled or missing:
        return problems
    return (*problems, *_sums(held, called, rules=rules))


def _doubled(held: Sequence[tuple[Card, ...]], names: Sequence[str]) -> Iterator[PileProblem]:
    """A problem for each card that is there more than once."""
    for card in DECK:
        sides = [place for place, pile in enumerate(held) for other in pile if other == card]
        if len(sides) > 1:
            where = " and ".join(dict.fromkeys(names[side] for side in sides))
            message = f"{card} is there {len(sides)} times ({where}): keep it once"
            places = tuple(dict.fromkeys(sides))
            yield PileProblem(ProblemKind.DUPLICATE, message, (card,), places)


def _missing(held: Sequence[tuple[Card, ...]]) -> Iterator[PileProblem]:
    """A problem for each card in no pile."""
    found = {card for pile in held for card in pile}
    for card in DECK:
        if card not in found:
            message = f"{card} is in no pile: add it to the pile it lies in"
            yield PileProblem(ProblemKind.MISSING, message, (card,))


def _impossible(
    held: Sequence[tuple[Card, ...]], names: Sequence[str], *, scope: tuple[int, ...]
) -> Iterator[PileProblem]:
    """Piles and scope that no play can bring about: every capture takes two cards or more."""
    for place, pile in enumerate(held):
        if len(pile) == 1:
            message = f"{names[place]} has one card, but a capture makes two: look for the others"
            yield PileProblem(ProblemKind.IMPOSSIBLE, message, pile, (place,))
        made = scope[place] if place < len(scope) else 0
        if made > len(pile) // 2:
            most = len(pile) // 2
            message = f"{names[place]} has {made} scope, but {len(pile)} cards allow {most}"
            yield PileProblem(ProblemKind.IMPOSSIBLE, message, (), (place,))


def _sums(
    held: Sequence[tuple[Card, ...]], names: Sequence[str], *, rules: Rules
) -> Iterator[PileProblem]:
    """Piles whose values captures cannot add up to.

    A capture by value takes as much again as the card played, so every pile is even (the cards
    left over are then even too). A capture to fifteen leaves only the last capturer's pile free.
    """
    if rules.aces is not Aces.ORDINARY or rules.captures is Captures.VALUE_OR_FIFTEEN:
        return
    fifteen = rules.captures is Captures.FIFTEEN
    totals = [sum(card.rank for card in pile) for pile in held]
    odd = tuple(place for place, total in enumerate(totals) if total % (15 if fifteen else 2))
    if len(odd) > int(fifteen):
        shown = ", ".join(f"{names[place]} {totals[place]}" for place in odd)
        wanted = "all but one a multiple of 15" if fifteen else "even"
        message = f"values add up to {shown}, but captures make them {wanted}: look again"
        yield PileProblem(ProblemKind.SUM, message, (), odd)
