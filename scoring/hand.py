"""The points of one hand, each with the sentence that says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from scoring.cards import Card, cards_of, mask_of
from scoring.errors import HandError
from scoring.explain import Explainer, point_name
from scoring.locale import say
from scoring.points import KNIGHTS, OUTRIGHT, PONINO, Point, outright_points, points_of
from scoring.rules import Rules


def name_key(name: str) -> str:
    """What makes two names the same: no capitals, wide letters or spaces, nor dots on an i.

    >>> name_key("  ＢＲＵＮＯ  Bianchi"), name_key("İpek")
    ('bruno bianchi', 'ipek')
    """
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    for dotted_or_not in ("i\N{COMBINING DOT ABOVE}", "\N{LATIN SMALL LETTER DOTLESS I}"):
        folded = folded.replace(dotted_or_not, "i")
    return " ".join(folded.split())


def name_keys(names: Sequence[str]) -> tuple[str, ...]:
    """The `name_key` of each side; two that differ in nothing else are kept as they are.

    >>> name_keys(["Anna", "BRUNO"]), name_keys(["Anna", "ANNA"])
    (('anna', 'bruno'), ('Anna', 'ANNA'))
    """
    keys = tuple(map(name_key, names))
    return keys if len(set(keys)) == len(keys) else tuple(names)


@dataclass(frozen=True)
class Side:
    """What one side (a player or a team) has at the end of a hand."""

    name: str  # what the side is called
    # Its captured cards, of a hand with `counted` those that are known; any iterable is taken, and
    # put in the order of the deck
    pile: tuple[Card, ...]
    scope: int = 0  # scope it made
    # Points declared in play (cirulla); of a hand that 0.3 counted without cards, all but scope
    declared: int = 0
    correction: int = 0  # points added, or taken off as a penalty, by hand
    reason: str = ""  # why
    # Of a hand counted without cards, or with some of them, for each point that somebody answered:
    # 1 where this side won it, 0 where not; the figure where more cards make more points
    counted: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.pile, key=lambda card: card.index))
        object.__setattr__(self, "pile", ordered)
        object.__setattr__(self, "counted", tuple(sorted(self.counted)))

    def said(self, point: str) -> int | None:
        """What was said of a point without cards, see `counted`; None where nobody was asked.

        >>> Side("Anna", (), counted=(("carte", 1),)).said("carte")
        1
        """
        return dict(self.counted).get(point)


@dataclass(frozen=True)
class Line:
    """One point of a hand: who wins it, what it makes and why."""

    point: str  # the point's name: "carte", "denari", "settebello", "primiera", "scope"
    winner: int | None  # index of the side that wins it; None where nobody does
    amount: int  # what the winner gets; 0 where nobody does
    why: str  # the sentence, naming the figures
    figures: tuple[int, ...] = ()  # each side's figure: cards, coins, the prime, scope
    masks: tuple[int, ...] = ()  # the cards that count, a mask for each side

    @property
    def cards(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that count, for each side."""
        return tuple(cards_of(mask) for mask in self.masks)


@dataclass(frozen=True)
class HandScore:
    """A scored hand: every line, nobody's too. Totals are worked out, never kept."""

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
    explainer = Explainer(names=tuple(side.name for side in sides), masks=masks, lang=lang)
    lines = []
    if any(side.counted for side in sides):
        lines = [line for point in points_of(rules) for line in _counted(point, sides, explainer)]
    elif any(masks) or not any(side.declared for side in sides):
        lines = [line for point in points_of(rules) for line in _contest(point, explainer)]
    lines += _declared(sides, lang)
    if rules.scopa:
        lines += _scope(sides, explainer, rules)
    lines += _outright(sides, explainer, rules)
    lines += _corrections(sides, lang)
    return HandScore(tuple(lines), len(sides))


def _checked_masks(sides: Sequence[Side], rules: Rules) -> tuple[int, ...]:
    """The sides' piles as masks, once the hand is one that can be scored, see `score_hand`."""
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


def _contest(point: Point, explainer: Explainer) -> Iterator[Line]:
    """The line of a point that one side wins, or a line for each side that shares it."""
    figures = tuple([point.measure(mask) for mask in explainer.masks])
    cards = tuple([point.cards(mask) for mask in explainer.masks])
    winner, awards = point.winner(figures), point.awards(figures)
    why, shown = explainer.why(point, figures, winner=winner), explainer.shown(point, figures)
    if not any(awards):
        yield Line(point.name, None, 0, why, shown, cards)
    for side, amount in enumerate(awards):
        if amount:
            yield Line(point.name, side, amount, why, shown, cards)


def _said(point: Point, sides: Sequence[Side]) -> tuple[int, ...]:
    """Each side's figure for a point counted without cards; whoever won it has what it takes."""
    unit = 1 if point.per_figure else point.least
    return tuple(unit * (side.said(point.name) or 0) for side in sides)


def _counted(point: Point, sides: Sequence[Side], explainer: Explainer) -> Iterator[Line]:
    """A line for each side that was said to have a point, or nobody's; none if nobody was asked."""
    said = tuple([side.said(point.name) for side in sides])
    if not any(figure is not None for figure in said):
        return
    figures, name = _said(point, sides), point_name(point.name, lang=explainer.lang)
    awards, shown = point.awards(figures), figures if point.per_figure else ()
    known = explainer.known(point)
    cards = tuple([point.cards(mask) for mask in explainer.masks]) if known else ()

    def because(why: str) -> str:
        if not known:
            return why
        if point.decided(explainer.masks) == said:
            return say("figures", explainer.lang, point=name, figures=known)
        return f"{why} ({known})"

    for index, amount in enumerate(awards):
        if amount:
            why = say("counted", explainer.lang, point=name, name=sides[index].name)
            yield Line(point.name, index, amount, because(why), shown, cards)
    if not any(awards):
        why = say("counted.nobody", explainer.lang, point=name)
        yield Line(point.name, None, 0, because(why), shown, cards)


def _declared(sides: Sequence[Side], lang: str) -> Iterator[Line]:
    """One line for each side that declared points."""
    figures = tuple(side.declared for side in sides)
    for index, side in enumerate(sides):
        if side.declared:
            why = say("declared", lang, name=side.name, count=side.declared)
            yield Line("declared", index, side.declared, why, figures, (0,) * len(sides))


def _corrections(sides: Sequence[Side], lang: str) -> Iterator[Line]:
    """One line for each side whose points were put right by hand."""
    figures = tuple(side.correction for side in sides)
    for index, side in enumerate(sides):
        if side.correction:
            reason = side.reason or say("correction.unsaid", lang)
            why = say(
                "correction", lang, name=side.name, points=f"{figures[index]:+}", reason=reason
            )
            yield Line("correction", index, side.correction, why, figures, (0,) * len(sides))


def _scope(sides: Sequence[Side], explainer: Explainer, rules: Rules) -> Iterator[Line]:
    """One line for each side that made scope, or nobody's."""
    figures, no_cards = tuple(side.scope for side in sides), (0,) * len(sides)
    if not any(figures):
        yield Line("scope", None, 0, say("scope.none", explainer.lang), figures, no_cards)
    for index, side in enumerate(sides):
        if side.scope:
            amount, key, cards = side.scope * rules.scopa, "scope", no_cards
            if rules.ponino and (side.said(PONINO) or explainer.masks[index] & KNIGHTS == KNIGHTS):
                amount, key, cards = 2 * amount, "scope.ponino", _held_by(index, KNIGHTS, sides)
            why = say(key, explainer.lang, name=side.name, count=side.scope)
            yield Line("scope", index, amount, why, figures, cards)


def _outright(sides: Sequence[Side], explainer: Explainer, rules: Rules) -> Iterator[Line]:
    """A line for each pile that wins the match at once."""
    for point in outright_points(rules):
        held = [point.measure(mask) for mask in explainer.masks]
        winner = point.winner([*map(max, held, _said(point, sides))])
        if winner is not None:
            why = say(f"win.{point.name}", explainer.lang, name=sides[winner].name)
            cards = _held_by(winner, point.cards(explainer.masks[winner]), sides)
            yield Line(point.name, winner, 0, why, (), cards)


def _held_by(index: int, cards: int, sides: Sequence[Side]) -> tuple[int, ...]:
    """A mask for each side: the cards for the side of an index, no cards for the others."""
    return tuple(cards if side == index else 0 for side in range(len(sides)))
