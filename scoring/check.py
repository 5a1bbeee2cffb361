"""Everything that is wrong with the piles of a hand, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique

from scoring.cards import DECK, Card, Rank
from scoring.locale import say
from scoring.rules import FIFTEEN, Aces, DealtFifteen, Rules


@unique
class ProblemKind(StrEnum):
    """What can be wrong with piles."""

    DUPLICATE = "duplicate"  # a card is there more than once: the hand cannot be scored
    MISSING = "missing"  # a card is in no pile: it does not count
    LONE_CARD = "lone-card"  # a pile has one card, but every capture takes at least two
    TOO_MANY_SCOPE = "too-many-scope"  # a side made more scope than its pile holds captures
    # The scope of a side, or of all, are more than the cards played allow
    TOO_MANY_FOR_PLAYS = "too-many-for-plays"
    # Piles add up to odd values, which captures cannot bring about: perhaps a card was misread
    ODD_SUM = "odd-sum"
    NOT_FIFTEENS = "not-fifteens"  # as ODD_SUM, where captures make fifteen


@dataclass(frozen=True)
class PileProblem:
    """One thing wrong with the piles of a hand."""

    kind: ProblemKind  # what is wrong
    cards: tuple[Card, ...] = ()  # the cards concerned
    sides: tuple[int, ...] = ()  # places of the sides concerned
    figures: tuple[int, ...] = ()
    """The numbers found: how often a card is there; scope, cards (or cards played), and the scope
    that these allow; or the sum of each side concerned."""

    def sentence(self, names: Sequence[str], *, lang: str = "en") -> str:
        """Return what was found and what to do, for sides of these names.

        >>> PileProblem(ProblemKind.MISSING, DECK[:1]).sentence(("Anna", "Bruno"))
        '1d is in no pile: add it to the pile it lies in'
        """
        key, called = f"pile.{self.kind}", [names[side] for side in self.sides]
        if self.kind in {ProblemKind.ODD_SUM, ProblemKind.NOT_FIFTEENS}:
            sums = [f"{name} {sum_}" for name, sum_ in zip(called, self.figures, strict=True)]
            return say(key, lang, sums=", ".join(sums))
        if self.kind is ProblemKind.TOO_MANY_SCOPE:
            scope, cards, most = self.figures
            return say(key, lang, name=called[0], scope=scope, cards=cards, most=most)
        if self.kind is ProblemKind.LONE_CARD:
            return say(key, lang, name=called[0])
        joined = say("and", lang).join(called)
        if self.kind is ProblemKind.TOO_MANY_FOR_PLAYS:
            scope, plays, most = self.figures
            return say(key, lang, names=joined, scope=scope, plays=plays, most=most)
        return say(key, lang, card=self.cards[0], names=joined, times=sum(self.figures))


def check_piles(
    piles: Sequence[Iterable[Card]], scope: Sequence[int] = (), *, rules: Rules | None = None
) -> tuple[PileProblem, ...]:
    """Return every problem of the piles of a hand: doubled, missing and impossible cards.

    What depends on the rules is looked at only where they are given: how many scope the cards
    played allow, and, where each of the forty cards is there once, the sums.

    >>> check_piles([DECK[:20], DECK[20:]])
    ()
    >>> [str(problem.kind) for problem in check_piles([DECK[:21], DECK[20:39]], [0, 12])]
    ['duplicate', 'missing', 'too-many-scope']
    """
    held = [tuple(pile) for pile in piles]
    doubled, missing = tuple(_doubled(held)), tuple(_missing(held))
    problems = [*doubled, *missing, *_impossible(held, tuple(scope), rules)]
    if rules is not None:
        problems += _more_than_plays_allow(scope, rules, sides=len(held))
        if not doubled and not missing:
            problems += _wrong_sums(held, rules)
    return tuple(problems)


def _doubled(held: Sequence[tuple[Card, ...]]) -> Iterator[PileProblem]:
    """Yield a problem for each card that is there more than once."""
    for card in DECK:
        sides = [side for side, pile in enumerate(held) for other in pile if other == card]
        if len(sides) > 1:
            places = tuple(dict.fromkeys(sides))
            yield PileProblem(ProblemKind.DUPLICATE, (card,), places, (len(sides),))


def _missing(held: Sequence[tuple[Card, ...]]) -> Iterator[PileProblem]:
    found = {card for pile in held for card in pile}
    for card in DECK:
        if card not in found:
            yield PileProblem(ProblemKind.MISSING, (card,))


def _impossible(
    held: Sequence[tuple[Card, ...]], scope: tuple[int, ...], rules: Rules | None
) -> Iterator[PileProblem]:
    """Piles and scope that no play can bring about, since every capture makes two cards or more.

    Where aces sweep, some tables let an ace that is played to an empty table take itself.
    """
    sweeps = rules is not None and rules.aces is not Aces.ORDINARY
    for side, pile in enumerate(held):
        if len(pile) == 1 and not (sweeps and pile[0].rank is Rank.ASSO):
            yield PileProblem(ProblemKind.LONE_CARD, pile, (side,))
        made, most = scope[side] if side < len(scope) else 0, len(pile) // 2
        if made > most:
            figures = (made, len(pile), most)
            yield PileProblem(ProblemKind.TOO_MANY_SCOPE, (), (side,), figures)


def _more_than_plays_allow(
    scope: Sequence[int], rules: Rules, *, sides: int
) -> Iterator[PileProblem]:
    """More scope than the cards played allow.

    A side has as many turns as any other. After a scopa the table is empty, so that the next card
    can only be laid: no two scope come one after the other. Where two sides take turns, the scope
    of one are therefore two cards apart, and once another card passes where the other side goes on.
    The first card takes nothing from an empty table, and by most rules the last makes no scopa.
    """
    rules = rules.for_sides(sides) or rules
    plays = len(DECK) - rules.table_cards
    taken = 2 if rules.dealt_fifteen is not DealtFifteen.NOBODY else 0  # before the first card
    useful = plays - (rules.table_cards == 0 or taken > 0) - (not rules.last_card_scopa)
    makers = tuple(side for side, made in enumerate(scope) if made)
    both_of_two = sides == len(makers) == 2
    most = (useful + (not both_of_two)) // 2 + taken
    if sum(scope) > most:
        yield PileProblem(ProblemKind.TOO_MANY_FOR_PLAYS, (), makers, (sum(scope), plays, most))
        return
    turns = plays // sides
    for side in makers:
        if scope[side] > turns + taken:
            figures = (scope[side], turns, turns + taken)
            yield PileProblem(ProblemKind.TOO_MANY_FOR_PLAYS, (), (side,), figures)


def _wrong_sums(held: Sequence[tuple[Card, ...]], rules: Rules) -> Iterator[PileProblem]:
    """Piles whose values captures cannot add up to.

    A capture by value takes as much again as the card played, so every pile is even; the whole deck
    is even too, so this holds also for the pile that gets the cards left over, and piles are odd at
    least two at a time. A capture to fifteen makes a multiple of fifteen; only the pile that gets
    the cards left over need not be one.
    """
    fifteen = rules.captures.to_fifteen
    if rules.aces is not Aces.ORDINARY or (fifteen and rules.captures.by_value):
        return
    kind = ProblemKind.NOT_FIFTEENS if fifteen else ProblemKind.ODD_SUM
    unit = FIFTEEN if fifteen else 2
    totals = [sum(rules.value_of(card.rank) for card in pile) for pile in held]
    wrong = tuple(side for side, total in enumerate(totals) if total % unit)
    if len(wrong) > 1:
        yield PileProblem(kind, (), wrong, tuple(totals[side] for side in wrong))
