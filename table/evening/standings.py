"""The standings of an evening, with stated tie-breaks. Pure: outcomes in, rows out.

Entrants are ranked by match points; then by point difference; then, if they are equal in both, by
their results against each other; then by scope; then by lot, from a seed that the log stores.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from itertools import groupby
from random import Random

WIN, LEVEL = 2, 1
"""Match points for a win and for a tie."""


@unique
class Criterion(StrEnum):
    """A criterion that ranks one entrant above another."""

    MATCH_POINTS = "match-points"
    DIFFERENCE = "difference"
    DIRECT = "direct"
    SCOPE = "scope"
    LOT = "lot"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of one meeting."""

    sides: tuple[tuple[int, ...], tuple[int, ...]]
    """The entrants on each side: one, or the two of a pair that was drawn for the round."""
    points: tuple[int, int]
    winner: int | None
    """Index of the side that won; None after a tie."""
    scope: tuple[int, int] = (0, 0)
    is_played: bool = True
    """False if a side did not come. The other side wins, and no points are counted."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A row of the standings."""

    entrant: int
    rank: int = 0
    by: Criterion | None = None
    """The criterion that ranks it below the row above; None for the first row."""
    played: int = 0
    won: int = 0
    level: int = 0
    lost: int = 0
    byes: int = 0
    match_points: int = 0
    made: int = 0
    """Points made in all its matches."""
    conceded: int = 0
    scope: int = 0
    direct: int = 0
    """Match points against entrants with the same match points and difference."""
    lot: float = 0.0

    @property
    def difference(self) -> int:
        """Points made minus points conceded."""
        return self.made - self.conceded


def standings(
    entrants: Sequence[int],
    outcomes: Sequence[Outcome],
    *,
    seed: int,
    byes: Mapping[int, int] | None = None,
    byes_won: Mapping[int, int] | None = None,
) -> tuple[Standing, ...]:
    """Return a row for each entrant, the best first.

    Args:
        entrants: All entrants.
        outcomes: The meetings that are over.
        seed: Seed of the lots.
        byes: How often each entrant sat out.
        byes_won: How many of these byes count as a win, without points.

    >>> level = Outcome(sides=((1,), (2,)), points=(7, 7), winner=None)
    >>> won = Outcome(sides=((1,), (3,)), points=(11, 4), winner=0)
    >>> rows = standings([1, 2, 3], [level, won], seed=1)
    >>> [(row.entrant, row.match_points, row.by) for row in rows][:2]
    [(1, 3, None), (2, 1, <Criterion.MATCH_POINTS: 'match-points'>)]
    """
    sat_out, sat_out_won = byes or {}, byes_won or {}
    rows = []
    for entrant in entrants:
        row = _added(entrant, outcomes)
        points = WIN * (row.won + sat_out_won.get(entrant, 0)) + LEVEL * row.level
        lot = Random(f"{seed}-{entrant}").random()
        idle = sat_out.get(entrant, 0)
        rows.append(replace(row, byes=idle, match_points=points, lot=lot))
    rows.sort(key=_first_keys)
    ordered: list[Standing] = []
    for _, group in groupby(rows, key=_first_keys):
        level = list(group)
        against = _direct({row.entrant for row in level}, outcomes)
        level = [replace(row, direct=against[row.entrant]) for row in level]
        ordered += sorted(level, key=_keys)
    return tuple(_ranked(ordered))


def _first_keys(row: Standing) -> tuple[int, int]:
    return -row.match_points, -row.difference


def _keys(row: Standing) -> tuple[float, ...]:
    """Return the sort key of a row, in the order of `Criterion`."""
    return (*_first_keys(row), -row.direct, -row.scope, row.lot)


def _ranked(rows: Sequence[Standing]) -> Iterator[Standing]:
    above: Standing | None = None
    for rank, row in enumerate(rows, start=1):
        by = None
        if above is not None:
            pairs = zip(Criterion, _keys(above), _keys(row), strict=True)
            by = next((one for one, before, after in pairs if before != after), Criterion.LOT)
        above = replace(row, rank=rank, by=by)
        yield above


def _added(entrant: int, outcomes: Iterable[Outcome]) -> Standing:
    row = Standing(entrant=entrant)
    for outcome in outcomes:
        for side, members in enumerate(outcome.sides):
            if entrant in members:
                row = replace(
                    row,
                    played=row.played + outcome.is_played,
                    won=row.won + (outcome.winner == side),
                    level=row.level + (outcome.winner is None),
                    lost=row.lost + (outcome.winner == 1 - side),
                    made=row.made + outcome.points[side],
                    conceded=row.conceded + outcome.points[1 - side],
                    scope=row.scope + outcome.scope[side],
                )
    return row


def _direct(among: set[int], outcomes: Iterable[Outcome]) -> dict[int, int]:
    """Return the match points that some entrants made against each other."""
    made: defaultdict[int, int] = defaultdict(int)
    for outcome in outcomes:
        for side, members in enumerate(outcome.sides):
            if among & {*outcome.sides[1 - side]}:
                for entrant in among & {*members}:
                    made[entrant] += WIN * (outcome.winner == side) + LEVEL * (
                        outcome.winner is None
                    )
    return made
