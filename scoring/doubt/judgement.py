"""The front of the engine: what is settled in a doubtful hand, and which cards to ask about."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from scoring.doubt.budget import Budget
from scoring.doubt.doubtful_hand import DoubtfulHand, MissingCard
from scoring.doubt.elimination import Elimination
from scoring.doubt.model import model_of
from scoring.doubt.point_functions import point_functions
from scoring.doubt.questions import PointAnalysis, analyse, smallest_questions
from scoring.rules import Rules

ANALYSIS_BUDGET = 18_000
"""Operations for finding out how the points of a hand may go and what they depend on."""

SEARCH_BUDGET = 3_000
"""Operations for finding the fewest questions. With `ANALYSIS_BUDGET` at most 50 ms."""


@dataclass(frozen=True)
class Possible:
    """One outcome that a point may have."""

    awards: tuple[int, ...]
    """What each side gets; for a win outright, 1 for the side that wins."""
    chance: float
    """Its probability, by the doubts' own probabilities."""


@dataclass(frozen=True)
class PointOutlook:
    """What is known of one point."""

    point: str
    """The point's name."""
    possible: tuple[Possible, ...]
    """How it may go, likeliest first; one outcome where it is settled, none where not exact."""
    depends_on: tuple[Hashable, ...]
    """The keys of the cards that can change it; none where it is settled."""
    exact: bool = True
    """Whether every way was counted. Where the budget did not suffice the point is held open,
    though it may be settled."""

    @property
    def settled(self) -> bool:
        """Whether it goes the same way whatever the doubtful cards are."""
        return self.exact and len(self.possible) == 1

    @property
    def awards(self) -> tuple[int, ...] | None:
        """What each side gets where it is settled, or None."""
        return self.possible[0].awards if self.settled else None


@dataclass(frozen=True)
class Question:
    """A card to ask about."""

    key: Hashable
    """The doubt's key, an `UnreadCard`, or a `MissingCard`: of these all are asked about."""
    points: tuple[str, ...]
    """The points that depend on it."""
    gain: float
    """By how much the answer is expected to make the points surer."""


@dataclass(frozen=True)
class Judgement:
    """What is known of a doubtful hand."""

    outlooks: tuple[PointOutlook, ...]
    """Every point that piles decide, in the order of counting."""
    questions: tuple[Question, ...]
    """The fewest cards whose answers settle every point, the most telling first."""
    idle: tuple[Hashable, ...]
    """The keys of cards that make no difference to any point."""

    @property
    def settled(self) -> bool:
        """Whether nothing need be asked."""
        return all(outlook.settled for outlook in self.outlooks)


def judge(hand: DoubtfulHand, rules: Rules) -> Judgement:
    """What is settled in a doubtful hand, and what to ask; judge again after each answer.

    Raises:
        DoubtError: the doubts contradict each other.

    >>> from scoring.cards import DECK, Card
    >>> from scoring.doubt import Doubt
    >>> from scoring.hand import Side
    >>> six = {Card.from_code(code): 0.5 for code in ("6c", "6s")}
    >>> anna = [card for card in DECK[:20] if card not in six]
    >>> hand = DoubtfulHand(sides=(Side("Anna", anna), Side("Bruno", ())),
    ...                     doubts=(Doubt("a", 0, six),), rest=1)
    >>> judge(hand, Rules()).settled, judge(hand, Rules()).idle
    (True, ('a',))
    """
    model = model_of(hand)
    analyses = _analyses([Elimination(point, model) for point in point_functions(hand, rules)])
    asked = smallest_questions(analyses, Budget(SEARCH_BUDGET))
    missing = tuple(MissingCard(number) for number in range(model.missing))
    keys = [*((variable.key,) for variable in model.variables), missing]
    gains = {place: sum(one.gains.get(place, 0.0) for one in analyses) for place in asked}
    questions = tuple(
        Question(key, _points_on(analyses, place), gains[place] / len(keys[place]))
        for place in sorted(gains, key=lambda place: (-gains[place], place))
        for key in keys[place]
    )
    idle = (keys[place] for place in range(len(keys)) if not _points_on(analyses, place))
    outlooks = tuple(_outlook(analysis, keys) for analysis in analyses)
    return Judgement(outlooks, questions, tuple(chain.from_iterable(idle)))


def _analyses(eliminations: Sequence[Elimination]) -> list[PointAnalysis]:
    """The analyses of all points.

    The smallest point comes first. Each may spend an equal part of what is left, so that what small
    points leave over goes to the large ones.
    """
    found: dict[int, PointAnalysis] = {}
    left = ANALYSIS_BUDGET
    order = sorted(range(len(eliminations)), key=lambda place: eliminations[place].size)
    for done, place in enumerate(order):
        part = left // (len(order) - done)
        budget = Budget(part)
        found[place] = analyse(eliminations[place], budget)
        left -= part - budget.left
    return [found[place] for place in range(len(eliminations))]


def _points_on(analyses: Iterable[PointAnalysis], place: int) -> tuple[str, ...]:
    """The points that depend on a variable."""
    return tuple(one.elimination.point.name for one in analyses if place in one.depends_on)


def _outlook(analysis: PointAnalysis, keys: Sequence[Sequence[Hashable]]) -> PointOutlook:
    """What an analysis says, in the caller's names."""
    possible = tuple(Possible(awards, chance) for awards, chance in analysis.possible.items())
    depends_on = tuple(key for place in sorted(analysis.depends_on) for key in keys[place])
    return PointOutlook(analysis.elimination.point.name, possible, depends_on, analysis.exact)
