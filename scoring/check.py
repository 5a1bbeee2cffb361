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

    DUPLICATE = "duplicate"  # a card is in the piles more than once: the hand cannot be scored
    MISSING = "missing"  # a card is in no pile: it does not count
    LONE_CARD = "lone-card"  # a pile has one card, but every capture takes at least two
    TOO_MANY_SCOPE = "too-many-scope"  # a side made more scope than captures fit into its pile
    # A side, or all sides together, made more scope than the cards played allow
    TOO_MANY_FOR_PLAYS = "too-many-for-plays"
    # Piles have odd sums, which captures cannot produce: perhaps a card was misread
    ODD_SUM = "odd-sum"
    NOT_FIFTEENS = "not-fifteens"  # as ODD_SUM, where captures make fifteen


@dataclass(frozen=True)
class PileProblem:
    """One thing wrong with the piles of a hand."""

    kind: ProblemKind  # what is wrong
    cards: tuple[Card, ...] = ()  # the cards concerned
    sides: tuple[int, ...] = ()  # places of the sides concerned
    figures: tuple[int, ...] = ()
    """Depends on `kind`: how many times a card was found; the scope made, the cards in the pile (or
    the cards played) and the most scope they allow; or the sum of each side concerned."""

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

    If `rules` are given, also check how many scope the cards played allow. If each of the forty
    cards is in the piles once, check the sums of the piles too.

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
    """Yield impossible piles and scope: each capture adds at least two cards to a pile.

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
    """Yield a problem if there are more scope than the cards played allow.

    All sides have the same number of turns. After a scopa the table is empty, so the next card can
    only be laid: two scope are at least two cards apart. If both of two sides made scope, the gap
    is at least three cards where a scopa of one side follows a scopa of the other.
    The first card takes nothing from an empty table. By most rules the last card makes no scopa.
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
    """Yield a problem if two or more piles have sums that captures cannot produce.

    A capture by value takes cards worth as much as the card played, so it adds an even number to a
    pile. The sum of the deck is even, so the cards left over have an even sum too. If one pile is
    odd, so is another. A capture to fifteen adds fifteen, so every pile is a multiple of fifteen,
    except the pile that gets the cards left over.
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
