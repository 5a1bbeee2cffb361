"""What a point hangs on, and the smallest set of cards to ask about.

An item is *essential* to a point where two ways that differ in it alone award differently: every
set of questions that settles the point holds it. Where no two items want the same scarce card,
the essential ones are enough; where they do, a few more are looked for, smallest sets first. An
item that is neither essential nor after a scarce card can be anything without a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from scoring.walk import Awards, walk
from scoring.ways import TooManyWays, Ways

TRIES = 400
"""Sets of questions tried beyond the essential ones."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is known of one point."""

    ways: Ways
    """Its ways."""
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


def case_of(ways: Ways) -> Case:
    """The case of a point: how it may go, and what it hangs on.

    >>> from scoring.groups import Board, Issue
    >>> issue = Issue("carte", (0,) * 40, best_only=False, awards=lambda masks: (1, 0))
    >>> dict(case_of(Ways(issue, Board((1, 2), (), None, {}))).possible)
    {(1, 0): 1.0}
    """
    places = tuple(ways.options)
    nothing, every = frozenset[int](), frozenset(places)
    try:
        walked = walk(ways, places)
    except TooManyWays:
        return Case(ways=ways, possible={}, essential=every, hangs_on=every, gains={}, exact=False)
    (possible,) = map(_shares, walked.ends[0].values())
    if len(possible) == 1:
        return Case(ways=ways, possible=possible, essential=nothing, hangs_on=nothing, gains={})
    gains = {place: _gain(walked.told(step)) for step, place in enumerate(places)}
    try:
        known = frozenset(place for step, place in enumerate(places) if walked.turned_by(step))
        more = nothing if _settles(ways, known) else ways.coupled
    except TooManyWays:
        known, more = every, nothing
    return Case(ways=ways, possible=possible, essential=known, hangs_on=known | more, gains=gains)


def fewest(cases: Sequence[Case]) -> frozenset[int]:
    """The smallest set of items that settles every point.

    Where `TRIES` sets or the limit of turns do not suffice to find it, the set is larger than
    it need be, and still settles every point.

    >>> fewest([])
    frozenset()
    """
    asked = frozenset(place for case in cases for place in case.essential)
    for case in cases:
        case.ways.renew()
    left = [case for case in cases if not settles(case, asked)]
    if not left:
        return asked
    gains = {
        place: sum(case.gains.get(place, 0.0) for case in left)
        for case in left
        for place in case.ways.coupled - asked
    }
    wanted = sorted(gains, key=lambda place: (-gains[place], place))
    sets = (more for size in range(1, len(wanted)) for more in combinations(wanted, size))
    try:
        for more in islice(sets, TRIES):
            if all(_settles(case.ways, asked.union(more)) for case in left):
                return asked.union(more)
    except TooManyWays:
        pass
    return asked.union(wanted)


def settles(case: Case, asked: frozenset[int]) -> bool:
    """Whether a point goes one way only, whatever is answered about some items.

    The items asked about must hold every essential one.

    >>> from scoring.groups import Board, Issue
    >>> issue = Issue("carte", (0,) * 40, best_only=False, awards=lambda masks: (1, 0))
    >>> settles(case_of(Ways(issue, Board((1, 2), (), None, {}))), frozenset())
    True
    """
    try:
        return case.hangs_on == case.essential or _settles(case.ways, asked)
    except TooManyWays:
        return False


def _settles(ways: Ways, asked: frozenset[int]) -> bool:
    """Whether the answers leave nothing that could turn a point.

    Raises:
        TooManyWays: it takes more turns to find out than there are.
    """
    if ways.coupled <= asked:
        return True
    known = [place for place in ways.options if place in asked]
    idle = [place for place in ways.options if place not in asked | ways.coupled]
    others = [place for place in ways.options if place in ways.coupled - asked]
    walked = walk(ways, (*known, *idle, *others), fixed=idle)
    answered = walked.outcomes[len(known) + len(idle)]
    return all(found.bit_count() <= 1 for found in answered.values())


def _shares(weights: Mapping[Awards, float]) -> dict[Awards, float]:
    """Weights made to add up to 1."""
    total = sum(weights.values())
    return {awards: weight / total for awards, weight in weights.items()}


def _gain(joint: Sequence[Mapping[Awards, float]]) -> float:
    """How much more sure the point is expected to be once an item is known (0 to 1)."""
    before: dict[Awards, float] = {}
    for told in joint:
        for awards, weight in told.items():
            before[awards] = before.get(awards, 0.0) + weight
    total = sum(before.values())
    after = sum(_sureness(told.values()) for told in joint)
    return (after - _sureness(before.values())) / total


def _sureness(weights: Iterable[float]) -> float:
    """The weight, times the chance that two draws agree: full where there is one outcome."""
    known = tuple(weights)
    total = sum(known)
    return sum(weight * weight for weight in known) / total if total else 0.0
