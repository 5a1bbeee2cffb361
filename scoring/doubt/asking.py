"""What a point hangs on, and the smallest set of cards to ask about.

An item is *essential* to a point where two ways that differ in it alone award differently: every
set of questions that settles the point holds it. Where no two items want the same scarce card,
the essential ones are enough; where they do, a few more are looked for, smallest sets first. An
item that is neither essential nor after a scarce card can be anything without a difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.doubt.hitting import cheapest_hitting
from scoring.doubt.walk import Awards, Column, Walk, walk
from scoring.doubt.ways import TooManyWays, Ways

TRIES = 400
"""Sets of questions tried beyond the essential ones."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is known of one point."""

    walk: Walk
    """Its ways, item after item; empty where they are too many."""
    possible: Mapping[Awards, float]
    """How it may go, with the chance of each."""
    essential: frozenset[int]
    """Items that alone can change it."""
    hangs_on: frozenset[int]
    """Items that can change it, alone or with others."""
    gains: Mapping[int, float]
    """For each item that matters, what its answer is expected to tell."""
    exact: bool = True
    """Whether every way was counted."""

    @property
    def ways(self) -> Ways:
        """Its ways."""
        return self.walk.ways


def case_of(ways: Ways) -> Case:
    """The case of a point: how it may go, and what it hangs on.

    >>> from scoring.doubt.groups import Board, Issue
    >>> issue = Issue("carte", (0,) * 40, False, int, lambda figures: (1, 0))
    >>> dict(case_of(Ways(issue, Board((1, 2), (), None, {}))).possible)
    {(1, 0): 1.0}
    """
    nothing, every = frozenset[int](), frozenset(ways.places)
    try:
        walked = walk(ways)
    except TooManyWays:
        cut = Walk(ways, (), (), (), ())
        return Case(walk=cut, possible={}, essential=every, hangs_on=every, gains={}, exact=False)
    if len(walked.awards) == 1:
        certain = {walked.awards[0]: 1.0}
        return Case(walk=walked, possible=certain, essential=nothing, hangs_on=nothing, gains={})
    possible = _possible(walked)
    gains = dict.fromkeys(ways.places, 0.0)
    for step, told in zip(ways.steps, walked.told, strict=True):
        gains[step.place] += _gain(told)
    try:
        alone = {place: ways.steps_of(frozenset({place})) for place in ways.places}
        known = frozenset(place for place, steps in alone.items() if walked.difference(steps))
    except TooManyWays:
        known = every
    more = known | ways.coupled
    case = Case(walk=walked, possible=possible, essential=known, hangs_on=more, gains=gains)
    return replace(case, hangs_on=known) if settles(case, known) else case


def fewest(cases: Sequence[Case]) -> frozenset[int]:
    """The items that settle every point, all lost cards counted as so many.

    Where `TRIES` sets or the limit of turns do not suffice to find it, the set is larger than
    it need be, and still settles every point.

    >>> fewest([])
    frozenset()
    """
    asked = frozenset(place for case in cases for place in case.essential)
    for case in cases:
        case.ways.renew()
    left = [case for case in cases if not settles(case, asked)]
    gains = {
        place: sum(case.gains.get(place, 0.0) for case in left)
        for case in left
        for place in case.ways.coupled - asked
    }
    wanted = sorted(gains, key=lambda place: (-gains[place], place))
    costs = {place: left[0].ways.cards_at(place) for place in wanted}
    told = list[frozenset[int]]()
    try:
        for _ in range(TRIES):
            more = cheapest_hitting(told, costs)
            for case in left:
                if items := _difference(case.walk, asked | more):
                    told.append(items)
                    break
            else:
                return asked | more
    except TooManyWays:
        pass
    return asked.union(wanted)


def settles(case: Case, asked: frozenset[int]) -> bool:
    """Whether a point goes one way only, whatever is answered about some items.

    The items asked about must hold every essential one.

    >>> from scoring.doubt.groups import Board, Issue
    >>> issue = Issue("carte", (0,) * 40, False, int, lambda figures: (1, 0))
    >>> settles(case_of(Ways(issue, Board((1, 2), (), None, {}))), frozenset())
    True
    """
    try:
        return case.hangs_on == case.essential or not _difference(case.walk, asked)
    except TooManyWays:
        return False


def _difference(walked: Walk, asked: frozenset[int]) -> frozenset[int] | None:
    """Items in which two ways differ that award differently, whatever was answered; or None.

    Only items that may still want the same scarce card as another could turn the point together:
    what any other one is makes no difference alone, and takes no choice from the rest. A set of
    questions that holds none of the items found does not settle the point.

    Raises:
        TooManyWays: it takes more turns to find out than there are.
    """
    ways = walked.ways
    steps = walked.difference(ways.steps_of(ways.rivals(asked)))
    return frozenset(ways.steps[step].place for step in steps) if steps else None


def _possible(walked: Walk) -> dict[Awards, float]:
    """How a point may go, with the chance of each."""
    total = sum(walked.chances)
    shares = zip(walked.awards, walked.chances, strict=True)
    return {awards: weight / total for awards, weight in shares if weight}


def _gain(told: Sequence[Column]) -> float:
    """How much more sure the point is expected to be once an item is known (0 to 1)."""
    before: list[float] = [sum(weights) for weights in zip(*told, strict=True)]
    after = sum(_sureness(weights) for weights in told)
    return (after - _sureness(before)) / sum(before)


def _sureness(weights: Column) -> float:
    """The weight, times the chance that two draws agree: full where there is one outcome."""
    total = sum(weights)
    return sum(weight * weight for weight in weights) / total if total else 0.0
