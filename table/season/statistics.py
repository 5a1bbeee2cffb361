"""A season: the statistics of many matches, by player. Pure: matches in, a `Season` out.

Finished matches count, each on the day it was opened, with its hands up to its end. A player is a
name; spaces and capitals make no difference. A team counts for each of its players: those that its
evening names, or those of a name such as "Anna & Bruno". Points and scope are credited to the
players who sat there at the time. The match itself counts for the player who played the most hands
in a seat; if several played equally many, for the first of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache

from scoring.hand import name_keys
from scoring.match import Match
from store import PlayedMatch, Seating

People = tuple[tuple[str, ...], ...]
"""The players of each side by their names: one, or a team."""


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What a player or a side made in some hands."""

    hands: int = 0
    """Hands that counted. Voided hands do not."""
    points: int = 0
    scope: int = 0
    """Scope made."""
    settebelli: int = 0
    """Hands with the point for the settebello."""
    primiere: int = 0
    """Hands with the point for the primiera."""
    napole: int = 0
    """Hands with points for a napola."""

    def __add__(self, other: "Taken") -> "Taken":
        return Taken(
            hands=self.hands + other.hands,
            points=self.points + other.points,
            scope=self.scope + other.scope,
            settebelli=self.settebelli + other.settebelli,
            primiere=self.primiere + other.primiere,
            napole=self.napole + other.napole,
        )


@dataclass(frozen=True, kw_only=True)
class Result:
    """A finished match."""

    code: str
    """Code of its table."""
    match_no: int
    """Its number at that table."""
    played_at: datetime
    """When it was opened (UTC)."""
    names: tuple[str, ...]
    """The names of the sides."""
    points: tuple[int, ...]
    """The points of each side."""
    players: tuple[tuple[str, ...], ...]
    """Players credited with the result, for each side, identified by `name_keys`."""
    called: Mapping[str, str]
    """The name of every player in the match, as it was written then."""
    taken: Mapping[str, Taken]
    """What every player made in the hands that they played."""
    first: tuple[int, ...]
    """The side that won; after a tie, the sides that were ahead."""

    def side_of(self, player: str) -> int | None:
        """Return the side on which the match counts for a player; None if it does not count."""
        found = (side for side, team in enumerate(self.players) if player in team)
        return next(found, None)

    def has_won(self, side: int) -> bool | None:
        """Return whether a side won; None if it is one of the sides that tied."""
        return None if side in self.first and len(self.first) > 1 else side in self.first


@dataclass(frozen=True, kw_only=True)
class Standing(Taken):
    """One player's season."""

    player: str
    """The key of the player, from `scoring.hand.name_keys`."""
    name: str
    """The player's name as it was written last."""
    matches: int
    won: int
    level: int

    @property
    def lost(self) -> int:
        """Matches that were neither won nor tied."""
        return self.matches - self.won - self.level


@dataclass(frozen=True, kw_only=True)
class HeadToHead:
    """The matches in which two players met on different sides."""

    names: tuple[str, str]
    matches: int
    won: tuple[int, int]
    """Matches that each of them won. With more than two sides a third may win."""
    level: int
    """Matches that ended in a tie between the two."""
    points: tuple[int, int]
    scope: tuple[int, int]
    last: tuple[Result, ...]
    """Those matches, the newest first."""


@dataclass(frozen=True)
class Season:
    """Finished matches, oldest first, and their statistics."""

    results: tuple[Result, ...] = ()
    still_open: int = 0
    """Number of matches that are not over. They do not count."""

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Every player, by matches won (a tie as half), then by points."""
        found: defaultdict[str, list[Result]] = defaultdict(list)
        for result in self.results:
            for player in result.taken:
                found[player].append(result)
        rows = (_standing(player, played) for player, played in found.items())
        return tuple(sorted(rows, key=lambda o: (-2 * o.won - o.level, -o.points, o.player)))

    def between(self, one: str, other: str) -> HeadToHead:
        """Return the matches between two players, given by `Standing.player`."""
        both = ((r, r.side_of(one), r.side_of(other)) for r in self.results)
        met = [(r, a, b) for r, a, b in both if a is not None and b is not None and a != b]
        made = [sum((r.taken[player] for r, _, _ in met), Taken()) for player in (one, other)]
        names = {standing.player: standing.name for standing in self.standings}
        return HeadToHead(
            names=(names[one], names[other]),
            matches=len(met),
            won=(sum(bool(r.has_won(a)) for r, a, _ in met),
                 sum(bool(r.has_won(b)) for r, _, b in met)),
            level=sum(r.has_won(a) is None is r.has_won(b) for r, a, b in met),
            points=(made[0].points, made[1].points),
            scope=(made[0].scope, made[1].scope),
            last=tuple(r for r, _, _ in reversed(met)),
        )  # fmt: skip

    def points_over_time(self, player: str) -> tuple[int, ...]:
        """Return a player's points after each match of the season, including matches of others."""
        total, after = 0, []
        for result in self.results:
            total += result.taken.get(player, Taken()).points
            after.append(total)
        return tuple(after)


def season_of(rows: Iterable[PlayedMatch]) -> Season:
    """Return the season of some matches, in any order.

    >>> season_of(())
    Season(results=(), still_open=0)
    """
    played = sorted(rows, key=lambda row: (row.opened_at, row.code, row.match_no))
    still_open = sum(bool(row.match.hands) and not row.match.is_over for row in played)
    return Season(tuple(_result(row) for row in played if row.match.is_over), still_open)


def _result(row: PlayedMatch) -> Result:
    match, spells = row.match, [*_spells(row)]
    everybody = {name: None for people, _ in spells for team in people for name in team}
    keys = dict(zip(everybody, name_keys([*everybody]), strict=True))
    taken: defaultdict[str, Taken] = defaultdict(Taken)
    hands: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for people, made in spells:
        for side, team in enumerate(people):
            for place, name in enumerate(team):
                taken[keys[name]] += made[side]
                hands[side, place][keys[name]] += made[side].hands
    counts = [
        tuple(dict.fromkeys(hands[side, place].most_common(1)[0][0] for place in range(len(team))))
        for side, team in enumerate(spells[0][0])
    ]
    return Result(
        code=row.code,
        match_no=row.match_no,
        played_at=row.opened_at,
        names=match.names,
        points=match.totals,
        players=tuple(counts),
        called={keys[name]: name for name in everybody},
        taken=dict(taken),
        first=_first(match),
    )


def _first(match: Match) -> tuple[int, ...]:
    """Return the side that won a match; after a tie, the sides that were ahead."""
    if match.winner is not None:
        return (match.winner,)
    best = (min if match.rules.perdere else max)(match.totals)
    return tuple(side for side, total in enumerate(match.totals) if total == best)


def _spells(row: PlayedMatch) -> Iterator[tuple[People, tuple[Taken, ...]]]:
    """Yield the players, and what each side made, between two changes of seats."""
    people = seated(row.match.names, row.members)
    begun, last = 0, row.match.counted
    for seat in row.seats:
        if (at := min(seat.hand_no - 1, last)) > begun:
            yield people, _taken(row.match, begun, at)
            begun = at
        if seat.hand_no <= last:
            people = (*people[: seat.side], seat.members, *people[seat.side + 1 :])
    yield people, _taken(row.match, begun, last)


def seated(
    names: Sequence[str],
    members: Sequence[Sequence[str]] = (),
    seats: Iterable[Seating] = (),
) -> People:
    """Return the players of each side of a match by their names, after the seat changes.

    >>> seated(("Anna", "Bruno & Carla"), seats=[Seating(hand_no=3, side=0, members=("Zoe",))])
    (('Zoe',), ('Bruno', 'Carla'))
    """
    people = [tuple(team) for team in members] or [()] * len(names)
    people = [team or team_of(name) for team, name in zip(people, names, strict=True)]
    for one in seats:
        people[one.side] = one.members
    return tuple(people)


def team_of(name: str) -> tuple[str, ...]:
    """Return the players in the name of a side.

    >>> team_of("Anna & Bruno"), team_of("Anna"), team_of("R&B")
    (('Anna', 'Bruno'), ('Anna',), ('R&B',))
    """
    parts = tuple(part.strip() for part in name.split(" & "))
    return parts if len(parts) > 1 and all(parts) else (name,)


def points_by_kind(match: Match) -> dict[str, tuple[int, ...]]:
    """Return how many points each side of a match got by each kind of point.

    Points that no side got are left out. The others are in the order in which they are counted.

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
def _taken(match: Match, begun: int, end: int) -> tuple[Taken, ...]:
    """Return what each side made in the hands from `begun` to before `end`, counted from 0.

    Cached by value: a match that is read from the store again is not counted again.
    """
    made = (Taken(),) * len(match.names)
    for hand, score in zip(match.hands[begun:end], match.scores[begun:end], strict=True):
        if hand.is_empty:
            continue
        won = [{line.point for line in score.of(side) if line.amount} for side in range(len(made))]
        made = tuple(
            before
            + Taken(
                hands=1,
                points=score.points[side],
                scope=hand.sides[side].scope,
                settebelli=int("settebello" in won[side]),
                primiere=int("primiera" in won[side]),
                napole=int("napola" in won[side]),
            )
            for side, before in enumerate(made)
        )
    return made


def _standing(player: str, played: Sequence[Result]) -> Standing:
    sides = ((result, result.side_of(player)) for result in played)
    outcomes = [result.has_won(side) for result, side in sides if side is not None]
    return Standing(
        **vars(sum((result.taken[player] for result in played), Taken())),
        player=player,
        name=played[-1].called[player],
        matches=len(outcomes),
        won=outcomes.count(True),
        level=outcomes.count(None),
    )
