"""A hand counted by what the table knows by heart, with what the cards that are known say of it.

Every point is asked about, but for those that the cards decide whoever holds the others: nobody has
to answer these. Somebody may answer otherwise all the same; then the cards are wrong, and left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.cards import Card, cards_of, mask_of
from scoring.errors import ScoringError
from scoring.points import PONINO, Point, four_knights, outright_points, points_of
from scoring.record import HandRecord
from scoring.rules import Rules
from table.pile import Pile
from table.piles import Piles
from table.view import TableView

USUAL = ("carte", "denari", "settebello", "primiera")
"""The points that somebody has to answer; of others nobody has one until it is said."""

Answer = tuple[int, ...]
"""What was said of a point: each side's figure, see `scoring.hand.Side.counted`."""


class AnsweredError(ScoringError):
    """Somebody else has answered a point otherwise since the screen showed it."""

    def __init__(self, point: str) -> None:
        self.point = point
        super().__init__(f"{point}: another phone has answered otherwise: look again")


def points_asked(rules: Rules) -> Mapping[str, Point]:
    """The points that are asked about under some rules, by the names under which they are kept.

    >>> [*points_asked(Rules(ponino=True))]
    ['carte', 'denari', 'settebello', 'primiera', 'ponino']
    """
    named = {point.name: point for point in (*points_of(rules), *outright_points(rules))}
    return named | ({PONINO: four_knights()} if rules.ponino else {})


def answer_in(piles: Sequence[Pile], point: str) -> Answer | None:
    """What was answered of a point; None where nobody has answered.

    >>> answer_in([Pile(said=(("carte", 1),)), Pile()], "carte")
    (1, 0)
    """
    said = [dict(pile.said).get(point) for pile in piles]
    return None if set(said) == {None} else tuple(figure or 0 for figure in said)


def answered(
    piles: Sequence[Pile],
    point: str,
    figures: Sequence[int | None],
    *,
    shown: Sequence[int | None] | None,
) -> Piles:
    """The piles with an answer to a point: a figure for each side, None where it stays.

    Args:
        piles: The piles.
        point: A key of `points_asked`.
        figures: The figures.
        shown: What the screen showed of the point; None: nobody had answered.

    Raises:
        AnsweredError: Of a side whose figure changes something else is known by now.
    """
    stands, before = answer_in(piles, point), shown or (None,) * len(piles)
    old = stands or (None,) * len(piles)
    new = [was or 0 if one is None else one for one, was in zip(figures, old, strict=True)]
    changes = zip(figures, old, before, strict=True)
    if any(one not in {None, was} and was != seen for one, was, seen in changes):
        raise AnsweredError(point)
    return tuple(
        replace(pile, said=tuple(sorted((dict(pile.said) | {point: figure}).items())))
        for pile, figure in zip(piles, new, strict=True)
    )


def known_cards(view: TableView) -> tuple[int, ...]:
    """Of each side the cards that are certain to be in its pile, as a mask.

    What one side has as the rest is certain once it was counted. Where the cards of a hand leave
    nothing open, all are certain.
    """
    if view.is_settled:
        return tuple(mask_of(pile.cards) for pile in view.piles)
    sure = list(view.summary.certain)
    if (rest := view.summary.rest) is not None and view.summary.uncounted is None:
        sure[rest] |= frozenset(view.piles[rest].rest or ())
    times = Counter(code for codes in sure for code in codes)
    return tuple(_mask(code for code in codes if times[code] == 1) for codes in sure)


def _mask(codes: Iterable[str]) -> int:
    return mask_of(map(Card.from_code, codes))


@dataclass(frozen=True, kw_only=True)
class AskedPoint:
    """A point of the hand, and what is known of it."""

    name: str
    """A key of `points_asked`."""
    point: Point
    said: Answer | None
    """What somebody answered; None where nobody has."""
    decided: Answer | None
    """What the cards say that are known; None where they leave it open."""
    unsaid: Answer | None
    """What counts while neither says anything; None where somebody has to answer."""
    can_be_nobodys: bool
    """Whether it may be that no side has it."""

    @property
    def is_usual(self) -> bool:
        """Whether somebody has to answer it."""
        return self.name in USUAL

    @property
    def answer(self) -> Answer | None:
        """What counts; None where somebody has to answer yet."""
        return self.said or self.decided or self.unsaid

    @property
    def is_against_cards(self) -> bool:
        """Whether somebody answered otherwise than the cards say."""
        return self.decided not in {None, self.answer}


@dataclass(frozen=True, kw_only=True)
class QuickCount:
    """How far a hand is that is counted so."""

    points: tuple[AskedPoint, ...]
    """Its points in the order in which they are counted."""
    cards: tuple[int, ...]
    """Of each side the cards that are known, as a mask."""
    hand: HandRecord
    """The hand as it would be confirmed now."""

    @property
    def left(self) -> int:
        """How many points somebody has to answer yet."""
        return sum(point.answer is None for point in self.points)


def quick_count(view: TableView) -> QuickCount:
    """How far the hand on the screen is."""
    cards = known_cards(view)
    lacking = _mask(view.summary.absent)
    points = tuple(
        AskedPoint(
            name=name,
            point=point,
            said=answer_in(view.piles, name),
            decided=point.decided(cards, absent=lacking) if any(cards) else None,
            unsaid=None if name in USUAL else (0,) * len(cards),
            can_be_nobodys=point.can_be_nobodys(absent=lacking),
        )
        for name, point in points_asked(view.rules).items()
    )
    hand = _hand(view, points, cards)
    return QuickCount(points=points, cards=cards, hand=hand)


def _hand(view: TableView, points: Sequence[AskedPoint], cards: Sequence[int]) -> HandRecord:
    """The hand: its cards alone where they say all, else the answers with the cards known."""
    is_against = any(point.is_against_cards for point in points)
    if view.is_settled and not is_against:
        return view.facts
    answers = {one.name: one.answer for one in points if one.answer is not None}
    return replace(
        view.facts,
        sides=tuple(
            replace(
                side,
                pile=() if is_against else cards_of(cards[number]),
                counted=tuple((name, answer[number]) for name, answer in answers.items()),
            )
            for number, side in enumerate(view.facts.sides)
        ),
    )
