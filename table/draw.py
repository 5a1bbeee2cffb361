"""Who meets whom in the next round of an evening. Pure: what was drawn before in, a `Draw` out.

Entrants are numbers, players or fixed pairs alike. In every way of drawing but Danish and
knock-out two entrants meet again only where there is no other way, and one sits out again only
after all others did: `min_weight_matching` of networkx finds the pairs that cost least.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import networkx as nx

from scoring.errors import ScoringError

Pair = tuple[int, int]

SWAPS = 2_000
"""How many swaps of two players are tried for a round without a meeting of before."""

Sides = tuple[Pair, Pair]
"""Two pairs at a table."""


@dataclass(eq=False)
class TooFewError(ScoringError):
    """A round cannot be drawn for so few."""

    message = "expected {least} players or more, got {count}: add some"
    least: int
    count: int


@dataclass(eq=False)
class UndecidedError(ScoringError):
    """A round of a knock-out has no winner in `count` of its matches yet."""

    message = "expected a winner of every match of this round, {count} have none: set their results"
    count: int


@dataclass(frozen=True)
class Draw:
    """A round: who meets whom, and who sits out."""

    pairs: tuple[Pair, ...]
    byes: tuple[int, ...] = ()


def meetings(past: Iterable[Draw]) -> Counter[frozenset[int]]:
    """How often each two have met.

    >>> meetings([Draw(((1, 2),)), Draw(((2, 1),))])[frozenset({1, 2})]
    2
    """
    return Counter(frozenset(pair) for draw in past for pair in draw.pairs)


def round_robin(entrants: Sequence[int], past: Sequence[Draw]) -> Draw:
    """Everybody against everybody, by the circle that turns by one place a round.

    Where entrants came late or left and no turn of the circle is without a meeting of before, the
    pairs that have met least are matched.

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
    """A turn of the circle; who faces the empty seat of an odd number sits out."""
    seats: list[int | None] = [*entrants]
    if len(entrants) % 2:
        seats.insert(0, None)
    seats = [seats[0], *seats[1 + turn :], *seats[1 : 1 + turn]]
    facing = list(zip(seats[: len(seats) // 2], reversed(seats), strict=False))
    pairs = tuple((a, b) for a, b in facing if a is not None and b is not None)
    return Draw(pairs, tuple(b for a, b in facing if a is None and b is not None))


def swiss(ranked: Sequence[int], past: Sequence[Draw]) -> Draw:
    """Neighbours in the standings meet, as near to each other as those who have met allow.

    The last of those who sat out least sits out where their number is odd.

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


def danish(ranked: Sequence[int], past: Sequence[Draw]) -> Draw:
    """First meets second, third meets fourth, whether they have met or not.

    >>> danish([4, 2, 1, 3, 5], [Draw(((4, 2), (1, 3)), (5,))])
    Draw(pairs=((4, 2), (1, 5)), byes=(3,))
    """
    _check(ranked)
    seated, byes = [*ranked], []
    if len(ranked) % 2:
        sat_out = _byes(past)
        least = min(sat_out[one] for one in ranked)
        byes = [[one for one in ranked if sat_out[one] == least][-1]]
        seated.remove(byes[0])
    return Draw(tuple(zip(seated[::2], seated[1::2], strict=True)), tuple(byes))


def knock_out(seeds: Sequence[int], past: Sequence[Draw], winners: Mapping[Pair, int]) -> Draw:
    """The next round of a knock-out: first seed against last; the best seeds sit out at first.

    Args:
        seeds: All who entered, the best first.
        past: Its rounds.
        winners: Who won each pair that was drawn, as `Draw.pairs` has them.

    Raises:
        UndecidedError: A match has no winner.

    >>> first = knock_out([1, 2, 3], [], {})
    >>> first
    Draw(pairs=((2, 3),), byes=(1,))
    >>> knock_out([1, 2, 3], [first], {(2, 3): 3}).pairs
    ((1, 3),)
    """
    slots = bracket(seeds)
    for draw in past:
        open_pairs = [pair for pair in draw.pairs if pair not in winners]
        if open_pairs:
            raise UndecidedError(len(open_pairs))
        won = {one: winners[pair] for pair in draw.pairs for one in pair}
        facing = zip(slots[::2], slots[1::2], strict=True)
        slots = [won[a] if a in won and b in won else _through(a, b) for a, b in facing]
    standing = [one for one in slots if one is not None]
    _check(standing)
    facing = zip(slots[::2], slots[1::2], strict=True)
    pairs = [(a, b) for a, b in facing if a is not None and b is not None]
    playing = {one for pair in pairs for one in pair}
    return Draw(tuple(pairs), tuple(one for one in standing if one not in playing))


def _through(one: int | None, other: int | None) -> int | None:
    return other if one is None else one


def bracket(seeds: Sequence[int]) -> list[int | None]:
    """The places of a knock-out from top to bottom; the two best can meet in the last round only.

    >>> bracket([1, 2, 3, 4, 5])
    [1, None, 4, 5, 2, None, 3, None]
    """
    order, size = [0], 1
    while size < len(seeds):
        size *= 2
        order = [place for best in order for place in (best, size - 1 - best)]
    return [seeds[place] if place < len(seeds) else None for place in order]


def partners(
    ranked: Sequence[int], past: Sequence[Sequence[Sides]], *, seed: int
) -> tuple[tuple[Sides, ...], tuple[int, ...]]:
    """Pairs for one round, and which of them meet; then who sits out.

    Two play as partners again only where there is no other way. As far as swaps find it, those who
    met at a table before do not meet at one again.

    Args:
        ranked: The players, the best first.
        past: The rounds before: the two pairs at each table.
        seed: Of the lots.

    >>> tables, idle = partners([1, 2, 3, 4, 5], [], seed=1)
    >>> len(tables), idle
    (1, (5,))
    """
    _check(ranked, least=4)
    sat_out = Counter[int]()
    for tables in past:
        sat_out.update({*ranked} - {one for sides in tables for pair in sides for one in pair})
    longest = sorted(ranked, key=lambda one: (sat_out[one], -ranked.index(one)))
    idle = longest[: len(ranked) % 4]
    chance = Random(seed)
    order = chance.sample([one for one in ranked if one not in idle], len(ranked) - len(idle))
    together = Counter(frozenset(pair) for tables in past for sides in tables for pair in sides)
    pairs = [
        (order[a], order[b])
        for a, b in _matched(
            len(order),
            apart=lambda a, b: together[frozenset((order[a], order[b]))],
            far=lambda a, b: chance.randrange(9),  # noqa: ARG005
        )
    ]
    seats = [one for pair in pairs for one in pair]
    _swap(seats, _costs_of(past, together), chance=chance)
    drawn = tuple(
        ((seats[at], seats[at + 1]), (seats[at + 2], seats[at + 3]))
        for at in range(0, len(seats), 4)
    )
    return drawn, tuple(idle)


def _costs_of(
    past: Sequence[Sequence[Sides]], together: Counter[frozenset[int]]
) -> Callable[[Sequence[int]], int]:
    """What four players at a table cost: two partners of before more than all else."""
    met = Counter(
        frozenset(two)
        for tables in past
        for one, other in tables
        for two in combinations((*one, *other), 2)
    )

    def cost(four: Sequence[int]) -> int:
        partners = sum(together[frozenset(four[at : at + 2])] ** 2 for at in (0, 2))
        return 1_000_000 * partners + sum(met[frozenset(two)] ** 2 for two in combinations(four, 2))

    return cost


def _swap(seats: list[int], cost: Callable[[Sequence[int]], int], *, chance: Random) -> None:
    """Swaps players of two tables of four as long as that costs no more, until nothing costs."""
    costs = [cost(seats[at : at + 4]) for at in range(0, len(seats), 4)]
    for _ in range(SWAPS if len(costs) > 1 else 0):
        if not any(costs):
            return
        one = chance.choice([at for at, worth in enumerate(costs) if worth])
        other = (one + chance.randrange(1, len(costs))) % len(costs)
        a, b = 4 * one + chance.randrange(4), 4 * other + chance.randrange(4)
        seats[a], seats[b] = seats[b], seats[a]
        now = [cost(seats[4 * at : 4 * at + 4]) for at in (one, other)]
        if sum(now) <= costs[one] + costs[other]:
            costs[one], costs[other] = now
        else:
            seats[a], seats[b] = seats[b], seats[a]


def _matched(
    count: int,
    *,
    apart: Callable[[int, int], int],
    far: Callable[[int, int], int],
    idle: Sequence[int] = (),
) -> list[Pair]:
    """Pairs of the places 0 to `count` - 1 that cost least; of an odd number one place is left.

    How often a place was left before (`idle`) weighs more than any meeting of before (`apart`), and
    that more than all distances (`far`).
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


def _check(entrants: Sequence[int], *, least: int = 2) -> None:
    if len(entrants) < least:
        raise TooFewError(least, len(entrants))


def ladder(order: Sequence[int], results: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The ladder after some matches of (winner, loser): who beats a better one takes his place.

    >>> ladder([1, 2, 3, 4], [(4, 2), (1, 3)])
    (1, 4, 2, 3)
    """
    now = [*order]
    for winner, loser in results:
        if now.index(winner) > now.index(loser):
            now.remove(winner)
            now.insert(now.index(loser), winner)
    return tuple(now)
