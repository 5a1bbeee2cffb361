"""The pairings of the next round of an evening. Pure: previous rounds in, a `Draw` out.

Entrants are numbers, for players or for fixed pairs. Two entrants meet again only if there is no
other way, and an entrant sits out again only after all others did: `min_weight_matching` of
networkx finds the cheapest pairs.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx as nx

from scoring.errors import ScoringError

Pair = tuple[int, int]


@dataclass(eq=False)
class TooFewError(ScoringError):
    """There are too few entrants for a round."""

    message = "expected {least} players or more, got {count}: add some"
    least: int
    count: int


@dataclass(frozen=True)
class Draw:
    """A round: the pairs, and the entrants who sit out."""

    pairs: tuple[Pair, ...]
    byes: tuple[int, ...] = ()


def meetings(past: Iterable[Draw]) -> Counter[frozenset[int]]:
    """Return how often each two entrants have met.

    >>> meetings([Draw(((1, 2),)), Draw(((2, 1),))])[frozenset({1, 2})]
    2
    """
    return Counter(frozenset(pair) for draw in past for pair in draw.pairs)


def round_robin(entrants: Sequence[int], past: Sequence[Draw]) -> Draw:
    """Pair everybody with everybody by the circle method, one turn a round.

    If entrants came late or left, every turn may have a rematch. Then entrants who have met least
    often are paired.

    >>> [round_robin([1, 2, 3], past).pairs for past in ([], [Draw(((1, 2),), (3,))])]
    [((1, 2),), ((2, 3),)]
    """
    _check(entrants)
    met, sat_out = meetings(past), _byes(past)
    for turn in range(len(entrants) - 1 + len(entrants) % 2):
        drawn = _circle(entrants, turn)
        fresh = not any(met[frozenset(pair)] for pair in drawn.pairs)
        least = min(sat_out[one] for one in entrants)
        if fresh and all(sat_out[one] == least for one in drawn.byes):
            return drawn
    return swiss(entrants, past)


def _circle(entrants: Sequence[int], turn: int) -> Draw:
    """One turn of the circle. The entrant who faces the empty seat of an odd number sits out."""
    seats: list[int | None] = [*entrants]
    if len(entrants) % 2:
        seats.insert(0, None)
    seats = [seats[0], *seats[1 + turn :], *seats[1 : 1 + turn]]
    facing = list(zip(seats[: len(seats) // 2], reversed(seats), strict=False))
    pairs = tuple((a, b) for a, b in facing if a is not None and b is not None)
    return Draw(pairs, tuple(b for a, b in facing if a is None and b is not None))


def swiss(ranked: Sequence[int], past: Sequence[Draw]) -> Draw:
    """Pair neighbours in the standings, as near to each other as possible without a rematch.

    If their number is odd, the last of those who sat out least often sits out.

    >>> swiss([1, 2, 3, 4], [Draw(((1, 2), (3, 4)))]).pairs
    ((1, 3), (2, 4))
    """
    _check(ranked)
    met, sat_out = meetings(past), _byes(past)
    pairs = _matched(
        len(ranked),
        apart=lambda a, b: met[frozenset((ranked[a], ranked[b]))],
        far=lambda a, b: (a - b) ** 2,
        idle=[sat_out[one] for one in ranked],
    )
    byes = set(range(len(ranked))) - {place for pair in pairs for place in pair}
    drawn = tuple((ranked[a], ranked[b]) for a, b in pairs)
    return Draw(drawn, tuple(ranked[place] for place in byes))


def _matched(
    count: int,
    *,
    apart: Callable[[int, int], int],
    far: Callable[[int, int], int],
    idle: Sequence[int] = (),
) -> list[Pair]:
    """Return the cheapest pairs of the places 0 to `count` - 1; an odd number leaves one place out.

    Previous byes (`idle`) weigh more than any previous meetings (`apart`), and those more than all
    distances (`far`).
    """
    again = 1 + count**3
    costs = {(a, b): far(a, b) + again * apart(a, b) ** 2 for a, b in combinations(range(count), 2)}
    if count % 2:
        sits_out = 1 + count * max(costs.values())
        costs |= {
            (place, count): sits_out * idle[place] + (count - 1 - place) ** 2
            for place in range(count)
        }
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((a, b, cost) for (a, b), cost in costs.items())
    found = nx.min_weight_matching(graph)
    pairs = sorted((min(pair), max(pair)) for pair in found)
    return [pair for pair in pairs if pair[1] < count]


def _byes(past: Iterable[Draw]) -> Counter[int]:
    return Counter(one for draw in past for one in draw.byes)


def _check(entrants: Sequence[int]) -> None:
    if len(entrants) < 2:
        raise TooFewError(2, len(entrants))


def ladder(order: Sequence[int], results: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the ladder after some matches of (winner, loser).

    A winner takes the place of a better loser.

    >>> ladder([1, 2, 3, 4], [(4, 2), (1, 3)])
    (1, 4, 2, 3)
    """
    now = [*order]
    for winner, loser in results:
        if now.index(winner) > now.index(loser):
            now.remove(winner)
            now.insert(now.index(loser), winner)
    return tuple(now)
