"""What a point hangs on, and the smallest set of cards to ask about.

An item is *essential* to a point where two ways that differ in it alone award differently: every
set of questions that settles the point holds it. Where no two items want the same scarce card,
the essential ones are enough; where they do, a few more are looked for, smallest sets first. An
item that is neither essential nor after a scarce card can be anything without a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from scoring.ways import Settled, TooManyWays, Ways, turned

Awards = tuple[int, ...]
"""What each side gets."""

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
    try:
        possible = _shares(_tally(ways, ways.run(places)))
        if len(possible) == 1:
            nothing: frozenset[int] = frozenset()
            return Case(ways=ways, possible=possible, essential=nothing, hangs_on=nothing, gains={})
        return _open_case(ways, possible)
    except TooManyWays:
        every = frozenset(places)
        return Case(ways=ways, possible={}, essential=every, hangs_on=every, gains={}, exact=False)


def _open_case(ways: Ways, possible: Mapping[Awards, float]) -> Case:
    """The case of a point that may go several ways."""
    essential, gains = set(), {}
    for place, settled in _others(ways, tuple(ways.options), settled=ways.run(())):
        alone, joint = _turns(ways, place, settled=settled)
        if alone:
            essential.add(place)
        gains[place] = _gain(joint)
    known = frozenset(essential)
    more = frozenset() if _settles(ways, known) else ways.coupled
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
    for more in islice(sets, TRIES):
        if all(settles(case, asked.union(more)) for case in left):
            return asked.union(more)
    return asked.union(wanted)


def settles(case: Case, asked: frozenset[int]) -> bool:
    """Whether a point goes one way only, whatever is answered about some items.

    The items asked about must hold every essential one.

    >>> from scoring.groups import Board, Issue
    >>> issue = Issue("carte", (0,) * 40, best_only=False, awards=lambda masks: (1, 0))
    >>> settles(case_of(Ways(issue, Board((1, 2), (), None, {}))), frozenset())
    True
    """
    return case.hangs_on == case.essential or _settles(case.ways, asked)


def _settles(ways: Ways, asked: frozenset[int]) -> bool:
    """Whether the answers leave nothing that could turn a point."""
    if ways.coupled <= asked:
        return True
    known = [place for place in ways.options if place in asked]
    idle = [place for place in ways.options if place not in asked | ways.coupled]
    others = [place for place in ways.options if place in ways.coupled - asked]
    try:
        answered = ways.taken_first(idle, ways.run(known))
        return all(
            len(_tally(ways, ways.run(others, Settled({state: 1.0}, answered.places)))) <= 1
            for state in answered.states
        )
    except TooManyWays:
        return False


def _others(
    ways: Ways, places: Sequence[int], *, settled: Settled
) -> Iterator[tuple[int, Settled]]:
    """For each item: the ways in which all the others can turn out."""
    if len(places) == 1:
        yield places[0], settled
        return
    half = len(places) // 2
    left, right = places[:half], places[half:]
    yield from _others(ways, left, settled=ways.run(right, settled))
    yield from _others(ways, right, settled=ways.run(left, settled))


def _turns(ways: Ways, place: int, *, settled: Settled) -> tuple[bool, list[dict[Awards, float]]]:
    """Whether an item alone turns the point, and how it goes after each of its options."""
    alone = False
    first: dict[int, Awards] = {}
    joint: list[dict[Awards, float]] = []
    closing = ways.closing(place, settled.places)
    for option, chance in ways.options[place]:
        told: dict[Awards, float] = {}
        for state, reached, weight in turned(settled.states, option, closing=closing):
            awards = ways.awards(reached)
            alone = alone or first.setdefault(state, awards) != awards
            told[awards] = told.get(awards, 0.0) + weight * chance
        joint.append(told)
    return alone, joint


def _tally(ways: Ways, settled: Settled) -> dict[Awards, float]:
    """The weight of each way a point may go."""
    found: dict[Awards, float] = {}
    for state, weight in settled.states.items():
        awards = ways.awards(state)
        found[awards] = found.get(awards, 0.0) + weight
    return found


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
