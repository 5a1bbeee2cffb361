"""A hand scored from a few answers, checked against the cards that are known.

The user is asked about every point, except points that the known cards decide. If the user answers
such a point nevertheless, the cards are wrong, and are ignored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.cards import Card, cards_of, mask_of
from scoring.errors import ScoringError
from scoring.points import PONINO, Point, four_knights, outright_points, points_of
from scoring.record import HandRecord
from scoring.rules import Rules
from table.hand.pile import Pile
from table.hand.piles import Piles
from table.view import TableView

USUAL = ("carte", "denari", "settebello", "primiera")
"""The points that need an answer. No side has any other point until the user says so."""

Answer = tuple[int, ...]
"""The answer about a point: each side's figure, see `scoring.hand.Side.counted`."""


class AnsweredError(ScoringError):
    """Another phone has answered the point differently since the screen showed it."""

    def __init__(self, point: str) -> None:
        self.point = point
        super().__init__(f"{point}: another phone has answered otherwise: look again")


def points_asked(rules: Rules) -> Mapping[str, Point]:
    """Return the points that are asked about under some rules, by their stored names.

    >>> [*points_asked(Rules(ponino=True))]
    ['carte', 'denari', 'settebello', 'primiera', 'ponino']
    """
    named = {point.name: point for point in (*points_of(rules), *outright_points(rules))}
    return named | ({PONINO: four_knights()} if rules.ponino else {})


def answer_in(piles: Sequence[Pile], point: str) -> Answer | None:
    """Return the answer about a point; None without one.

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
    """Return the piles with an answer about a point: a figure for each side, None to keep it.

    Args:
        piles: The piles.
        point: A key of `points_asked`.
        figures: The figures.
        shown: The figures that the screen showed; None without an answer.

    Raises:
        AnsweredError: A figure that changes is no longer the one that the screen showed.
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
    """Return the cards that are certainly in each side's pile, as masks.

    The rest is certain once it was counted. If the cards of a hand leave nothing open, all are
    certain.
    """
    if view.is_settled:
        return tuple(mask_of(pile.cards) for pile in view.piles)
    sure = [
        codes if side == view.summary.uncounted else codes.union(pile.rest or ())
        for side, (codes, pile) in enumerate(zip(view.summary.certain, view.piles, strict=True))
    ]
    times = Counter(code for codes in sure for code in codes)
    return tuple(_mask(code for code in codes if times[code] == 1) for codes in sure)


def _mask(codes: Iterable[str]) -> int:
    return mask_of(map(Card.from_code, codes))


@dataclass(frozen=True, kw_only=True)
class AskedPoint:
    """A point of the hand, and what is known about it."""

    name: str
    """A key of `points_asked`."""
    point: Point
    said: Answer | None
    """The user's answer; None without one."""
    decided: Answer | None
    """The answer that follows from the known cards; None if they leave it open."""
    unsaid: Answer | None
    """What counts without an answer; None if an answer is needed."""
    can_be_nobodys: bool
    """Whether no side may have the point."""

    @property
    def is_usual(self) -> bool:
        """Whether it needs an answer from the user."""
        return self.name in USUAL

    @property
    def answer(self) -> Answer | None:
        """What counts; None if it still needs an answer."""
        return self.said or self.decided or self.unsaid

    @property
    def is_against_cards(self) -> bool:
        """Whether the user's answer contradicts the known cards."""
        return self.decided not in {None, self.answer}


@dataclass(frozen=True, kw_only=True)
class QuickCount:
    """The state of a quick count."""

    points: tuple[AskedPoint, ...]
    """Its points in the order in which they are counted."""
    cards: tuple[int, ...]
    """The known cards of each side, as a mask."""
    hand: HandRecord
    """The hand as it would be confirmed now."""

    @property
    def left(self) -> int:
        """Number of points that still need an answer."""
        return sum(point.answer is None for point in self.points)


def quick_count(view: TableView) -> QuickCount:
    """Return the state of the quick count of the hand on the screen."""
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
    """The hand: its cards if they decide everything, else the answers with the known cards."""
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
