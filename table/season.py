"""A season: many matches counted together, by player. Pure: matches in, a `Season` out.

Only matches that somebody has won count, each on the day it was opened, and of a match the hands up
to its end. A player is a name; how it is spaced and whether in capitals makes no difference. A team
counts for each of its players: those that its evening names, or those of a name as "Anna & Bruno".
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import groupby

from scoring.hand import name_keys
from scoring.match import Match
from store import PlayedMatch


@dataclass(frozen=True)
class Taken:
    """What one side took in a match, beside its points."""

    hands: int = 0
    """Hands that counted; those taken out of the match do not."""
    scope: int = 0
    """Scope it made."""
    settebelli: int = 0
    """How often it got the point for the seven of coins."""
    primiere: int = 0
    """How often it got the point for the primiera."""
    napole: int = 0
    """How often it got points for a napola."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """A match that was played out."""

    code: str
    """Code of its table."""
    match_no: int
    """Its number at that table."""
    played_at: datetime
    """When it was opened (UTC)."""
    names: tuple[str, ...]
    """The sides, as they were called then."""
    people: tuple[tuple[str, ...], ...]
    """The players of each side by their names: one, or a team."""
    players: tuple[tuple[str, ...], ...]
    """The same by what makes a player the same, see `scoring.hand.name_keys`."""
    points: tuple[int, ...]
    """The points of each side."""
    taken: tuple[Taken, ...]
    """What else each side took."""
    winner: int
    """Index of the side that won."""

    def side_of(self, player: str) -> int | None:
        """The side that a player was on, None where he did not play."""
        found = (side for side, team in enumerate(self.players) if player in team)
        return next(found, None)

    def name_of(self, player: str) -> str:
        """How a player who took part was called then."""
        pairs = zip(self.players, self.people, strict=True)
        return next(names[team.index(player)] for team, names in pairs if player in team)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One player's season."""

    player: str
    """What makes the player the same, see `scoring.hand.name_keys`."""
    name: str
    """The name as it was written last."""
    matches: int
    won: int
    points: int
    hands: int
    scope: int
    settebelli: int
    primiere: int
    napole: int
    streak: int
    """How many matches were won in a row at the end of the season; lost ones count below zero."""
    longest: int
    """The most matches won in a row."""


@dataclass(frozen=True, kw_only=True)
class HeadToHead:
    """The matches in which two players met as sides of their own."""

    names: tuple[str, str]
    matches: int
    won: tuple[int, int]
    """Matches that each of them won; with more than two sides a third may win."""
    points: tuple[int, int]
    scope: tuple[int, int]
    last: tuple[Result, ...]
    """Those matches, the newest first."""


@dataclass(frozen=True)
class Season:
    """Matches that were played out, the first one first, and what they come to."""

    results: tuple[Result, ...] = ()
    still_open: int = 0
    """Matches with hands that nobody has won yet; they do not count."""

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Every player, the most matches won first, then the most points."""
        found: defaultdict[str, list[tuple[Result, int]]] = defaultdict(list)
        for result in self.results:
            for side, team in enumerate(result.players):
                for player in team:
                    found[player].append((result, side))
        standings = (_standing(player, played) for player, played in found.items())
        return tuple(sorted(standings, key=lambda one: (-one.won, -one.points, one.player)))

    def between(self, one: str, other: str) -> HeadToHead:
        """What two players did against each other, given by `Standing.player`."""
        both = ((r, r.side_of(one), r.side_of(other)) for r in self.results)
        sides = [(r, a, b) for r, a, b in both if a is not None and b is not None and a != b]
        met = [r for r, _, _ in sides]
        names = {standing.player: standing.name for standing in self.standings}
        return HeadToHead(
            names=(names[one], names[other]),
            matches=len(met),
            won=(sum(r.winner == a for r, a, _ in sides), sum(r.winner == b for r, _, b in sides)),
            points=(sum(r.points[a] for r, a, _ in sides), sum(r.points[b] for r, _, b in sides)),
            scope=(
                sum(r.taken[a].scope for r, a, _ in sides),
                sum(r.taken[b].scope for r, _, b in sides),
            ),
            last=tuple(reversed(met)),
        )

    def points_over_time(self, player: str) -> tuple[int, ...]:
        """A player's points after each match of the season, also those played by others."""
        total, after = 0, []
        for result in self.results:
            side = result.side_of(player)
            if side is not None:
                total += result.points[side]
            after.append(total)
        return tuple(after)


def season_of(rows: Iterable[PlayedMatch]) -> Season:
    """The season of some matches, in whatever order they come.

    >>> season_of(())
    Season(results=(), still_open=0)
    """
    results, still_open = [], 0
    for row in sorted(rows, key=lambda row: (row.opened_at, row.code, row.match_no)):
        counted = _counted(row.match)
        if counted is None:
            still_open += bool(row.hands) and not row.match.is_over
            continue
        winner, points, taken = counted
        people = people_of(row)
        results.append(
            Result(
                code=row.code,
                match_no=row.match_no,
                played_at=row.opened_at,
                names=row.match.names,
                people=people,
                players=_keys(people),
                points=points,
                taken=taken,
                winner=winner,
            )
        )
    return Season(tuple(results), still_open)


def people_of(row: PlayedMatch) -> tuple[tuple[str, ...], ...]:
    """The players of each side of a match by their names."""
    if row.members:
        pairs = zip(row.members, row.match.names, strict=True)
        return tuple(members or (name,) for members, name in pairs)
    return tuple(map(team_of, row.match.names))


def team_of(name: str) -> tuple[str, ...]:
    """The players that the name of a side names.

    >>> team_of("Anna & Bruno"), team_of("Anna"), team_of("R&B")
    (('Anna', 'Bruno'), ('Anna',), ('R&B',))
    """
    parts = tuple(part.strip() for part in name.split(" & "))
    return parts if len(parts) > 1 and all(parts) else (name,)


def _keys(people: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The keys of the players of each side; two that differ in nothing else are kept apart."""
    keys = iter(name_keys([name for team in people for name in team]))
    return tuple(tuple(next(keys) for _ in team) for team in people)


def points_by_kind(match: Match) -> dict[str, tuple[int, ...]]:
    """Where the points of a match come from: a point's name -> what each side got by it.

    Points that nobody got are left out; the others stand in the order in which they are counted.

    >>> from scoring.record import HandRecord
    >>> from scoring.hand import Side
    >>> from scoring.rules import Rules
    >>> hand = HandRecord((Side("Anna", (), 2), Side("Bruno", (), 1)))
    >>> points_by_kind(Match(Rules(), ("Anna", "Bruno"), (hand,)))
    {'scope': (2, 1)}
    """
    made: dict[str, list[int]] = {}
    for score in match.scores[: match.counted]:
        for line in score.lines:
            gains = made.setdefault(line.point, [0] * len(match.names))
            if line.winner is not None:
                gains[line.winner] += line.amount
    return {point: tuple(gains) for point, gains in made.items() if any(gains)}


@lru_cache(maxsize=4096)
def _counted(match: Match) -> tuple[int, tuple[int, ...], tuple[Taken, ...]] | None:
    """Winner, points and what else each side took; None while nobody has won the match.

    Cached by value: a match that was read from the store again is not counted again.
    """
    if match.winner is None:
        return None
    won: list[Counter[str]] = [Counter() for _ in match.names]
    for score in match.scores[: match.counted]:
        for line in score.lines:
            if line.winner is not None and line.amount:
                won[line.winner][line.point] += 1
    hands = [hand for hand in match.hands[: match.counted] if not hand.is_empty]
    taken = tuple(
        Taken(
            hands=len(hands),
            scope=sum(hand.sides[side].scope for hand in hands),
            settebelli=points["settebello"],
            primiere=points["primiera"],
            napole=points["napola"],
        )
        for side, points in enumerate(won)
    )
    return match.winner, match.totals, taken


def _standing(player: str, played: Sequence[tuple[Result, int]]) -> Standing:
    outcomes = [result.winner == side for result, side in played]
    runs = [(won, len(list(run))) for won, run in groupby(outcomes)]
    taken = [result.taken[side] for result, side in played]
    last, _ = played[-1]
    return Standing(
        player=player,
        name=last.name_of(player),
        matches=len(played),
        won=sum(outcomes),
        points=sum(result.points[side] for result, side in played),
        hands=sum(one.hands for one in taken),
        scope=sum(one.scope for one in taken),
        settebelli=sum(one.settebelli for one in taken),
        primiere=sum(one.primiere for one in taken),
        napole=sum(one.napole for one in taken),
        streak=runs[-1][1] if runs[-1][0] else -runs[-1][1],
        longest=max((length for won, length in runs if won), default=0),
    )
