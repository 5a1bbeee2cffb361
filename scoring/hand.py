"""The points of one hand, each with the sentence that says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.cards import Card, cards_of
from scoring.errors import HandError
from scoring.explain import Explainer
from scoring.locale import say
from scoring.points import COINS, KNIGHTS, TRENTE, Point, points_of
from scoring.rules import Rules

OUTRIGHT = ("all-coins", "napola-of-ten", "trente-win")
"""Names of the lines that win the match at once. They make no points."""


@dataclass(frozen=True)
class Side:
    """What one side (a player or a team) has at the end of a hand."""

    name: str
    """What the side is called."""
    pile: tuple[Card, ...]
    """Its captured cards; any iterable is taken, and put in the order of the deck."""
    scope: int = 0
    """Scope it made."""
    declared: int = 0
    """Points it declared during play (cirulla)."""

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.pile, key=lambda card: card.index))
        object.__setattr__(self, "pile", ordered)


@dataclass(frozen=True)
class Line:
    """One point of a hand: who wins it, what it makes and why."""

    point: str
    """The point's name: "carte", "denari", "settebello", "primiera", "scope"."""
    winner: int | None
    """Index of the side that wins it; None where nobody does."""
    amount: int
    """What the winner gets; 0 where nobody does."""
    why: str
    """The sentence, naming the figures."""
    figures: tuple[int, ...] = ()
    """Each side's figure: cards, coins, the prime, scope."""
    masks: tuple[int, ...] = ()
    """The cards that count, a mask for each side."""

    @property
    def cards(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that count, for each side."""
        return tuple(cards_of(mask) for mask in self.masks)


@dataclass(frozen=True)
class HandScore:
    """A scored hand: every line, nobody's too. Totals are worked out, never kept."""

    lines: tuple[Line, ...]
    """The lines in the order in which points are counted."""
    sides: int
    """How many sides there are."""

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each side."""
        totals = [0] * self.sides
        for line in self.lines:
            if line.winner is not None:
                totals[line.winner] += line.amount
        return tuple(totals)

    @property
    def outright(self) -> int | None:
        """The side that wins the match by this hand alone, or None."""
        for line in self.lines:
            if line.point in OUTRIGHT:
                return line.winner
        return None

    def of(self, side: int) -> tuple[Line, ...]:
        """The lines that one side wins."""
        return tuple(line for line in self.lines if line.winner == side)


def score_hand(sides: Sequence[Side], rules: Rules, *, lang: str = "en") -> HandScore:
    """The score of a hand; cards in no pile simply count for nobody.

    Raises:
        HandError: fewer than two or more than six sides, a doubled card, a negative figure.

    >>> codes = {"Anna": ("7d", "7c", "6b", "1s"), "Bruno": ("7s", "2d")}
    >>> sides = [Side(name, map(Card.from_code, pile)) for name, pile in codes.items()]
    >>> for line in score_hand(sides, Rules()).lines:
    ...     print(line.why)
    carte: Anna 4, Bruno 2
    denari: Anna 1, Bruno 1, a tie, nobody's point
    settebello: Anna has 7d
    primiera: 7d 7c 6b 1s = 76 against Bruno, who lacks coppe and bastoni
    scope: nobody made one
    """
    masks = _checked_masks(sides, rules)
    names = tuple(side.name for side in sides)
    explainer = Explainer(names=names, masks=masks, lang=lang)
    lines: list[Line] = []
    for point in points_of(rules):
        lines += _contest(point, explainer)
    if rules.declared:
        lines += _declared(sides, explainer)
    if rules.scopa:
        lines += _scope(sides, explainer, rules=rules)
    lines += _outright(explainer, rules)
    return HandScore(tuple(lines), len(sides))


def _checked_masks(sides: Sequence[Side], rules: Rules) -> tuple[int, ...]:
    """The sides' piles as masks, see `scoring.cards.mask_of`.

    Raises:
        HandError: this is no hand, see `score_hand`.
    """
    if not 2 <= len(sides) <= 6:
        raise HandError(f"expected 2 to 6 sides, got {len(sides)}")
    names = tuple(side.name for side in sides)
    if len(set(names)) < len(names):
        raise HandError(f"expected a different name for each side, got {', '.join(names)}")
    seen: dict[int, str] = {}
    masks = []
    for side in sides:
        _check_counts(side, rules)
        mask = 0
        for card in side.pile:
            if card.index in seen:
                where = " and ".join(dict.fromkeys((seen[card.index], side.name)))
                raise HandError(f"{card} is there twice ({where}): a deck holds it once")
            seen[card.index] = side.name
            mask |= 1 << card.index
        masks.append(mask)
    return tuple(masks)


def _check_counts(side: Side, rules: Rules) -> None:
    """Refuses negative figures, and declared points where the rules know none."""
    if side.scope < 0 or side.declared < 0:
        least = min(side.scope, side.declared)
        raise HandError(f"{side.name}: expected scope of 0 or more, got {least}")
    if side.declared and not rules.declared:
        raise HandError(f"{side.name}: {rules.name} knows no declared points, got {side.declared}")


def _contest(point: Point, explainer: Explainer) -> Iterator[Line]:
    """The line of a point that one side wins, or a line for each side where all may score it."""
    figures = tuple([point.measure(mask) for mask in explainer.masks])
    cards = tuple([point.cards(mask) for mask in explainer.masks])
    if point.shared and any(figures):
        for side, figure in enumerate(figures):
            if figure:
                why = explainer.held(point, side, cards=cards[side])
                yield Line(point.name, side, point.worth(figure), why, figures, cards)
        return
    winner = point.winner(figures)
    amount = 0 if winner is None else point.worth(figures[winner])
    why = explainer.why(point, figures, winner=winner)
    yield Line(point.name, winner, amount, why, explainer.shown(point, figures), cards)


def _declared(sides: Sequence[Side], explainer: Explainer) -> Iterator[Line]:
    """One line for each side that declared points."""
    figures = tuple(side.declared for side in sides)
    for index, side in enumerate(sides):
        if side.declared:
            why = say("declared", explainer.lang, name=side.name, count=side.declared)
            yield Line("declared", index, side.declared, why, figures, (0,) * len(sides))


def _scope(sides: Sequence[Side], explainer: Explainer, *, rules: Rules) -> Iterator[Line]:
    """One line for each side that made scope, or nobody's."""
    figures, no_cards = tuple(side.scope for side in sides), (0,) * len(sides)
    if not any(figures):
        yield Line("scope", None, 0, say("scope.none", explainer.lang), figures, no_cards)
    for index, side in enumerate(sides):
        if not side.scope:
            continue
        amount, facts = side.scope * rules.scopa, {"name": side.name, "count": side.scope}
        if rules.ponino and explainer.masks[index] & KNIGHTS == KNIGHTS:
            why = say("scope.ponino", explainer.lang, **facts)
            knights = _held_by(index, KNIGHTS, sides=len(sides))
            yield Line("scope", index, 2 * amount, why, figures, knights)
        else:
            why = say("scope", explainer.lang, **facts)
            yield Line("scope", index, amount, why, figures, no_cards)


def _outright(explainer: Explainer, rules: Rules) -> Iterator[Line]:
    """A line for each pile that wins the match at once."""
    ways = (
        ("all-coins", rules.all_coins_win, COINS, "win.all-coins"),
        ("napola-of-ten", rules.napola_wins, COINS, "win.napola-of-ten"),
        ("trente-win", rules.trente_wins, TRENTE, "win.trente-win"),
    )
    for name, played, cards, key in ways:
        for index, mask in enumerate(explainer.masks):
            if played and mask & cards == cards:
                why = say(key, explainer.lang, name=explainer.names[index])
                held = _held_by(index, cards, sides=len(explainer.masks))
                yield Line(name, index, 0, why, (), held)


def _held_by(index: int, cards: int, *, sides: int) -> tuple[int, ...]:
    """A mask for each side: the cards for the side of an index, no cards for the others."""
    return tuple(cards if side == index else 0 for side in range(sides))
