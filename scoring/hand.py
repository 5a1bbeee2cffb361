"""The points of one hand, each with the facts from which `scoring.explain` says why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from unicodedata import normalize

from scoring.cards import Card, cards_of, mask_of
from scoring.errors import HandError
from scoring.points import (
    COMPLETE,
    KNIGHTS,
    OUTRIGHT,
    PONINO,
    Evidence,
    Point,
    cascade_counts,
    outright_points,
    points_of,
)
from scoring.rules import Rules

JOINING = re.compile("[\u200c\u200d\U000e0020-\U000e007f]")
"""Joiners, and the tags that make a flag emoji: they are invisible by themselves."""


def name_key(name: str) -> str:
    r"""Return the key of a name: no capitals, wide letters, spaces, dots on an i, or joiners.

    >>> name_key("  ＢＲＵＮＯ  Bianchi"), name_key("İpek"), name_key("An\u200dna")
    ('bruno bianchi', 'ipek', 'anna')
    """
    folded = normalize("NFKC", normalize("NFKC", JOINING.sub("", name)).casefold())
    for dotted_or_not in ("i\N{COMBINING DOT ABOVE}", "\N{LATIN SMALL LETTER DOTLESS I}"):
        folded = folded.replace(dotted_or_not, "i")
    return " ".join(folded.split())


def name_keys(names: Sequence[str]) -> tuple[str, ...]:
    """Return the `name_key` of each side, or all names unchanged if two keys are the same.

    >>> name_keys(["Anna", "BRUNO"]), name_keys(["Anna", "ANNA"])
    (('anna', 'bruno'), ('Anna', 'ANNA'))
    """
    keys = tuple(map(name_key, names))
    return keys if len(set(keys)) == len(keys) else tuple(names)


@dataclass(frozen=True)
class Side:
    """What one side (a player or a team) has at the end of a hand."""

    name: str  # what the side is called
    # Its captured cards: any iterable, stored in the order of the deck. With `counted`, only those
    # that are known
    pile: tuple[Card, ...]
    scope: int = 0  # scope it made
    # Points declared in play (cirulla). In a hand without cards from version 0.3, all but the scope
    declared: int = 0
    correction: int = 0  # points added, or taken off as a penalty, by hand
    reason: str = ""  # why
    # The answers of a hand counted without all of its cards, by point: 1 if this side won it, else
    # 0; the figure if more cards make more points
    counted: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.pile, key=attrgetter("index")))
        object.__setattr__(self, "pile", ordered)
        object.__setattr__(self, "counted", tuple(sorted(self.counted)))

    def said(self, point: str) -> int | None:
        """Return the answer for a point, see `counted`; None if it was not asked about.

        >>> Side("Anna", (), counted=(("carte", 1),)).said("carte")
        1
        """
        return dict(self.counted).get(point)


@dataclass(frozen=True)
class Contest:
    """The facts of a point that the piles decide."""

    point: Point
    piles: tuple[int, ...]  # each side's pile as a mask
    measured: tuple[int, ...]  # what the point measures in each pile

    @property
    def figures(self) -> tuple[int, ...]:
        """Each side's figure as a person counts it: the sum of a prime, the number of sevens."""
        if self.point.evidence is Evidence.PRIME:
            return tuple(figure % COMPLETE for figure in self.measured)
        if self.point.evidence is Evidence.CASCADE:
            return tuple(cascade_counts(pile)[0] for pile in self.piles)
        return self.measured

    @property
    def masks(self) -> tuple[int, ...]:
        """The cards of each side that count, as masks."""
        return tuple(map(self.point.cards, self.piles))


@dataclass(frozen=True)
class Answered:
    """The facts of a point that a user answered, in a hand counted without all of its cards."""

    point: Point
    piles: tuple[int, ...]  # the known cards of each side as a mask
    answers: tuple[int | None, ...]  # see `Side.counted`

    @property
    def figures(self) -> tuple[int, ...]:
        """Each side's figure where more cards make more points; else none."""
        return tuple(answer or 0 for answer in self.answers) if self.point.per_figure else ()

    @property
    def masks(self) -> tuple[int, ...]:
        """The known cards of each side that count, as masks; none if they say nothing."""
        tells = any(map(self.point.tells, self.piles))
        return tuple(map(self.point.cards, self.piles)) if tells else ()


@dataclass(frozen=True)
class Entered:
    """The facts of points that the piles alone do not decide: scope, declared points and so on."""

    key: str  # the key of the sentence
    figures: tuple[int, ...]  # each side's figure; empty for a win
    masks: tuple[int, ...]  # the cards of each side that count, as masks
    reason: str = ""  # why points were corrected


@dataclass(frozen=True)
class Line:
    """One point of a hand: who wins it and its points; `scoring.explain.explain` says why."""

    point: str  # the point's name: "carte", "denari", "settebello", "primiera", "scope"
    winner: int | None  # index of the side that wins it; None if no side does
    amount: int  # what the winner gets; 0 if no side wins it
    facts: Contest | Answered | Entered

    @property
    def figures(self) -> tuple[int, ...]:
        """Each side's figure: cards, coins, the prime, scope; empty where there are none."""
        return self.facts.figures

    @property
    def cards(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that count, for each side."""
        return tuple(map(cards_of, self.facts.masks))


@dataclass(frozen=True)
class HandScore:
    """A scored hand: a line for every point, also for points that no side wins."""

    lines: tuple[Line, ...]  # the lines in the order in which points are counted
    sides: int  # how many sides there are

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
        """Return the lines that one side wins."""
        return tuple(line for line in self.lines if line.winner == side)


def score_hand(sides: Sequence[Side], rules: Rules) -> HandScore:
    """Return the score of a hand; cards in no pile do not count.

    Raises:
        HandError: fewer than two or more than six sides, a doubled card, a negative figure.

    >>> codes = {"Anna": ("7d", "7c", "6b", "1s"), "Bruno": ("7s", "2d")}
    >>> sides = [Side(name, map(Card.from_code, pile)) for name, pile in codes.items()]
    >>> score = score_hand(sides, Rules())
    >>> score.points
    (3, 0)
    >>> [(line.point, line.winner, line.figures) for line in score.lines]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('carte', 0, (4, 2)), ('denari', None, (1, 1)), ('settebello', 0, (1, 0)),
     ('primiera', 0, (76, 0)), ('scope', None, (0, 0))]
    """
    piles = _checked_piles(sides, rules)
    lines = []
    if any(side.counted for side in sides):
        lines = [line for point in points_of(rules) for line in _answered(point, sides, piles)]
    elif any(piles) or not any(side.declared for side in sides):
        lines = [line for point in points_of(rules) for line in _contest(point, piles)]
    lines += _declared(sides)
    if rules.scopa:
        lines += _scope(sides, piles, rules)
    lines += _outright(sides, piles, rules)
    lines += _corrections(sides)
    return HandScore(tuple(lines), len(sides))


def _checked_piles(sides: Sequence[Side], rules: Rules) -> tuple[int, ...]:
    """Return the piles as masks if the hand can be scored; raises as `score_hand`."""
    if not 2 <= len(sides) <= 6:
        raise HandError(f"expected 2 to 6 sides, got {len(sides)}")
    names = [side.name for side in sides]
    if len(set(names)) < len(names):
        raise HandError(f"expected a different name for each side, got {', '.join(names)}")
    holders: dict[Card, str] = {}
    for side in sides:
        least = min(side.scope, side.declared)
        if least < 0:
            raise HandError(f"{side.name}: expected scope of 0 or more, got {least}")
        if side.declared and not rules.declared and any(one.pile for one in sides):
            came = f"{rules.name} knows no declared points, got {side.declared}"
            raise HandError(f"{side.name}: {came}")
        for card in side.pile:
            if card in holders:
                where = " and ".join(dict.fromkeys((holders[card], side.name)))
                raise HandError(f"{card} is there twice ({where}): a deck holds it once")
            holders[card] = side.name
    return tuple(mask_of(side.pile) for side in sides)


def _contest(point: Point, piles: tuple[int, ...]) -> Iterator[Line]:
    """Yield the line of a point that one side wins, or a line for each side that shares it."""
    measured = tuple([point.measure(pile) for pile in piles])
    yield from _lines(point, measured, Contest(point, piles, measured))


def _answered(point: Point, sides: Sequence[Side], piles: tuple[int, ...]) -> Iterator[Line]:
    """Yield the lines of a point that a user answered; none if it was not asked about."""
    answers = tuple([side.said(point.name) for side in sides])
    if any(answer is not None for answer in answers):
        yield from _lines(point, _said(point, sides), Answered(point, piles, answers))


def _lines(point: Point, measured: tuple[int, ...], facts: Contest | Answered) -> Iterator[Line]:
    """Yield a line for each side that gets something for a point, or one without a winner."""
    awards = point.awards(measured)
    if not any(awards):
        yield Line(point.name, None, 0, facts)
    for side, amount in enumerate(awards):
        if amount:
            yield Line(point.name, side, amount, facts)


def _said(point: Point, sides: Sequence[Side]) -> tuple[int, ...]:
    """Return each side's figure for a point counted without cards; the winner gets the minimum."""
    unit = 1 if point.per_figure else point.least
    return tuple(unit * (side.said(point.name) or 0) for side in sides)


def _declared(sides: Sequence[Side]) -> Iterator[Line]:
    """Yield one line for each side that declared points."""
    facts = Entered("declared", tuple(side.declared for side in sides), (0,) * len(sides))
    for index, side in enumerate(sides):
        if side.declared:
            yield Line("declared", index, side.declared, facts)


def _corrections(sides: Sequence[Side]) -> Iterator[Line]:
    """Yield one line for each side whose points were corrected."""
    figures = tuple(side.correction for side in sides)
    for index, side in enumerate(sides):
        if side.correction:
            facts = Entered("correction", figures, (0,) * len(sides), reason=side.reason)
            yield Line("correction", index, side.correction, facts)


def _scope(sides: Sequence[Side], piles: Sequence[int], rules: Rules) -> Iterator[Line]:
    """Yield one line for each side that made scope, or one without a winner."""
    figures, no_cards = tuple(side.scope for side in sides), (0,) * len(sides)
    if not any(figures):
        yield Line("scope", None, 0, Entered("scope.none", figures, no_cards))
    for index, side in enumerate(sides):
        if side.scope:
            amount, facts = side.scope * rules.scopa, Entered("scope", figures, no_cards)
            if rules.ponino and (side.said(PONINO) or piles[index] & KNIGHTS == KNIGHTS):
                doubled = _held_by(index, KNIGHTS, sides)
                amount, facts = 2 * amount, Entered("scope.ponino", figures, doubled)
            yield Line("scope", index, amount, facts)


def _outright(sides: Sequence[Side], piles: Sequence[int], rules: Rules) -> Iterator[Line]:
    """Yield a line for each pile that wins the match at once."""
    for point in outright_points(rules):
        held = [point.measure(pile) for pile in piles]
        winner = point.winner([*map(max, held, _said(point, sides))])
        if winner is not None:
            cards = _held_by(winner, point.cards(piles[winner]), sides)
            yield Line(point.name, winner, 0, Entered(f"win.{point.name}", (), cards))


def _held_by(index: int, cards: int, sides: Sequence[Side]) -> tuple[int, ...]:
    """Return a mask for each side: the cards for the side of an index, no cards for the others."""
    return tuple(cards if side == index else 0 for side in range(len(sides)))
