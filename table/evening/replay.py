"""An evening replayed from its log: plan, players, rounds and results. Pure.

`Evening.after` applies one decision; `evening_of` replays a log. Scores come from the matches of
the tables, so a hand corrected there corrects the standings here.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum, unique
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from scoring.errors import ScoringError
from scoring.hand import name_key
from scoring.match import Match
from scoring.presets import dropped_settings, read_stored_rules
from scoring.rules import Rules
from store import PlayedMatch
from table.evening.draw import Draw, ladder, round_robin, swiss
from table.evening.standings import Outcome, Standing, standings
from table.names import MAX_LETTERS, SameNameError
from table.series import LENGTHS, Series

MAX_PLAYERS = 128
"""The most players of an evening."""

MAX_PLACE = 60
"""The longest name of a venue."""

MAX_MINUTES = 24 * 60
"""The longest round, in minutes."""

SeatSides = tuple[tuple[int, ...], tuple[int, ...]]
"""The players of each side of a meeting, by their numbers."""

Facts = Mapping[str, Any]
"""A decision as the log stores it: "do", and its arguments."""


@unique
class System(StrEnum):
    """How rounds are drawn."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    # of older versions: such evenings can only be read
    DANISH = "danish"
    KNOCK_OUT = "knock-out"
    FREE = "free"  # the ladder shows who beat whom


@unique
class Teams(StrEnum):
    """What a side of a meeting is."""

    SINGLE = "single"  # every player alone
    FIXED = "fixed"  # pairs that stay for the evening
    DRAWN = "drawn"  # of older versions: other pairs for each round; every player counts alone


SYSTEMS, TEAMS = (System.SWISS, System.ROUND_ROBIN), (Teams.SINGLE, Teams.FIXED)
"""The systems and kinds of sides for which rounds are drawn."""


@dataclass(eq=False)
class ManyPlayersError(ScoringError):
    """The evening already has the maximum number of players."""

    message = f"expected at most {MAX_PLAYERS} players, got one more: open a second evening"


@dataclass(eq=False)
class UnknownFactError(ScoringError):
    """A decision names a player, a table or a pair that the evening does not have."""

    message = "{what}: expected something of this evening, got {came}: look at it again"
    what: str
    came: str


@dataclass(eq=False)
class RoundOpenError(ScoringError):
    """The round is not over: `count` of its tables have no result yet."""

    message = "expected every table of the round to be done, {count} are not: set their results"
    count: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is decided when an evening is opened. Older versions changed it for later rounds."""

    name: str
    day: str = ""
    """The date, as "2026-11-27"."""
    place: str = ""
    system: System = System.SWISS
    teams: Teams = Teams.SINGLE
    tables: int = 6
    """Number of tables in the room. Further pairs play when a table is free."""
    rules: Rules = field(default_factory=Rules)
    """The rules of its matches, with their target."""
    has_dropped_rules: bool = False
    """Whether its matches play a setting that the rules no longer have."""
    minutes: int = 0
    """Minutes from the draw of a round until the bell; 0 for no bell."""
    best_of: int = 1
    seed: int = 0
    """Seed of every random draw of the evening."""

    @property
    def can_be_played(self) -> bool:
        """Whether rounds can be drawn. Evenings of older systems or rules can only be read."""
        return self.system in SYSTEMS and self.teams in TEAMS and not self.has_dropped_rules

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        settings = {**vars(self), "rules": self.rules.to_dict()}
        del settings["has_dropped_rules"]
        return settings

    @classmethod
    def from_dict(cls, data: Facts) -> "Plan":
        """Return the plan in a mapping; raises KeyError, TypeError, OverflowError or ValueError."""
        best_of, tables, minutes = (int(data[name]) for name in ("best_of", "tables", "minutes"))
        fits = 1 <= tables <= MAX_PLAYERS and 0 <= minutes <= MAX_MINUTES
        if best_of not in LENGTHS or not fits:
            raise ValueError("best_of, tables, minutes")
        return cls(
            name=str(data["name"]),
            day=date.fromisoformat(data["day"]).isoformat() if data.get("day") else "",
            place=str(data.get("place", "")),
            system=System(data["system"]),
            teams=Teams(data["teams"]),
            tables=tables,
            rules=read_stored_rules(data["rules"]),
            has_dropped_rules=bool(dropped_settings(data["rules"])),
            minutes=minutes,
            best_of=best_of,
            seed=int(data["seed"]),
        )


@dataclass(frozen=True, kw_only=True)
class Player:
    """A player of the evening, including players who have left."""

    number: int
    """From 1, in order of arrival."""
    name: str
    link: str = field(default="", repr=False)
    """Hash of the link of a phone that signed up with an older version; usually empty."""
    is_here: bool = True


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A meeting of two sides at a table."""

    code: str
    """Code of the table that was opened for the meeting."""
    sides: SeatSides
    table: int
    """Number of the table in the room, from 1."""
    turn: int = 0
    """How many other meetings of this round are played at that table first."""


@dataclass(frozen=True, kw_only=True)
class Round:
    """A drawn round."""

    seats: tuple[Seat, ...]
    byes: tuple[int, ...] = ()
    """Numbers of the players who sit out."""
    drawn_at: datetime
    plan: Plan
    """The plan when the round was drawn."""

    @property
    def ends_at(self) -> datetime | None:
        """When the bell rings; None without a bell."""
        minutes = self.plan.minutes
        return self.drawn_at + timedelta(minutes=minutes) if minutes else None


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """The score or result of a seat."""

    seat: Seat
    won: tuple[int, ...] = (0, 0)
    """Matches won by each side, for a best of three or five."""
    points: tuple[int, int] = (0, 0)
    """Points in all finished matches; in a single match the current points."""
    scope: tuple[int, int] = (0, 0)
    winner: int | None = None
    """Index of the side that won; None before the end, and after a tie."""
    is_over: bool = False
    hands: int = 0
    """Confirmed hands of the current match."""
    totals: tuple[int, int] = (0, 0)
    """The score of the current match, or of the last one."""
    absent: int | None = None
    """Index of the side that did not come."""
    is_set: bool = False
    """Whether the organiser set the result."""


@dataclass(frozen=True, kw_only=True)
class Evening:
    """An evening: its decisions, and the matches of its tables."""

    plan: Plan
    players: tuple[Player, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    """The fixed pairs, by the numbers of their players."""
    rounds: tuple[Round, ...] = ()
    results: Mapping[str, Facts] = field(default_factory=dict)
    """Results that the organiser set, by table code."""
    is_over: bool = False
    """Whether the evening was ended, so that its standings are final."""
    matches: Mapping[str, Sequence[Match]] = field(default_factory=dict)
    """The matches of each table by its code, oldest first."""

    # Decisions

    def after(self, facts: Facts, at: datetime) -> "Evening":
        """Return the evening after one more decision.

        Raises:
            ScoringError: The decision does not fit.
            KeyError, TypeError, OverflowError, ValueError: The decision is malformed.
        """
        match facts["do"]:
            case "plan":
                return self._with_plan(Plan.from_dict(facts["plan"]))
            case "player":
                return self._with_player(str(facts["name"]), link=str(facts.get("link", "")))
            case "here":
                number, is_here = self.player(facts["player"]).number, facts["here"] is True
                return self._changed(number, is_here=is_here)
            case "pairs":
                return replace(self, pairs=tuple(self._pair(pair) for pair in facts["pairs"]))
            case "round":
                return self._with_round(facts, at)
            case "result":
                self.seat(str(facts["code"]))
                return replace(self, results={**self.results, str(facts["code"]): _result(facts)})
            case "public":  # of older versions, which had a public page
                return self
            case "end":
                return replace(self, is_over=facts["over"] is True)
            case other:
                raise UnknownFactError("do", repr(other))

    def _with_plan(self, plan: Plan) -> "Evening":
        """Return the evening with another plan. The kind of sides stays."""
        if self.rounds and plan.teams is not self.plan.teams:
            raise UnknownFactError("teams", plan.teams)
        return replace(self, plan=plan)

    def _with_player(self, name: str, *, link: str) -> "Evening":
        known = next((one for one in self.players if name_key(one.name) == name_key(name)), None)
        if known is not None and (known.link or not link):
            raise SameNameError(name)
        if known is not None:  # the organiser had typed the name
            return self._changed(known.number, link=link, is_here=True)
        if len(self.players) == MAX_PLAYERS:
            raise ManyPlayersError
        player = Player(number=len(self.players) + 1, name=name, link=link)
        return replace(self, players=(*self.players, player))

    def _changed(self, number: int, **changes: Any) -> "Evening":
        players = list(self.players)
        players[number - 1] = replace(players[number - 1], **changes)
        return replace(self, players=tuple(players))

    def _pair(self, pair: Sequence[Any]) -> tuple[int, int]:
        one, other = (self.player(number).number for number in pair)
        return one, other

    def _with_round(self, facts: Facts, at: datetime) -> "Evening":
        before = self.rounds[-1].seats if facts.get("adds") and self.rounds else ()
        seats = [
            Seat(
                code=str(seat["code"]),
                sides=self._sides(seat["sides"]),
                table=(len(before) + place) % self.plan.tables + 1,
                turn=(len(before) + place) // self.plan.tables,
            )
            for place, seat in enumerate(facts["seats"])
        ]
        byes = tuple(self.player(number).number for number in facts.get("byes", ()))
        if before:
            last = replace(self.rounds[-1], seats=(*before, *seats))
            return replace(self, rounds=(*self.rounds[:-1], last))
        drawn = Round(seats=tuple(seats), byes=byes, drawn_at=at, plan=self.plan)
        return replace(self, rounds=(*self.rounds, drawn))

    def _sides(self, sides: Sequence[Sequence[Any]]) -> SeatSides:
        one, other = (tuple(self.player(number).number for number in side) for side in sides)
        if not (one and other) or {*one} & {*other}:
            raise UnknownFactError("sides", f"{one}, {other}")
        return one, other

    def with_matches(self, rows: Iterable[PlayedMatch]) -> "Evening":
        """Return the evening with the matches played at its tables."""
        by_code: defaultdict[str, list[Match]] = defaultdict(list)
        for row in rows:
            by_code[row.code].append(row.match)
        return replace(self, matches=by_code)

    # Finding

    def player(self, number: Any) -> Player:
        """Return the player with a number; UnknownFactError if there is none."""
        if type(number) is int and 1 <= number <= len(self.players):
            return self.players[number - 1]
        raise UnknownFactError("player", repr(number))

    def seat(self, code: str) -> Seat:
        """Return the meeting that is played at a table; UnknownFactError if there is none."""
        found = next((seat for one in self.rounds for seat in one.seats if seat.code == code), None)
        if found is None:
            raise UnknownFactError("table", code)
        return found

    def name_of(self, side: Iterable[int]) -> str:
        """Return the name of a side: its player's, or those of a pair, shortened if needed."""
        return team_name([self.player(number).name for number in side])

    # What is drawn

    @property
    def here(self) -> tuple[int, ...]:
        """The numbers of the players who are here."""
        return tuple(player.number for player in self.players if player.is_here)

    @property
    def entrants(self) -> tuple[int, ...]:
        """The players or fixed pairs who are drawn and have a row in the standings, from 1."""
        if self.plan.teams is Teams.FIXED:
            return tuple(range(1, len(self.pairs) + 1))
        return tuple(player.number for player in self.players)

    def members(self, entrant: int) -> tuple[int, ...]:
        """Return the players of an entrant."""
        return self.pairs[entrant - 1] if self.plan.teams is Teams.FIXED else (entrant,)

    def _entrant(self, side: tuple[int, ...]) -> int:
        """Return the entrant of a side of a seat."""
        if self.plan.teams is Teams.FIXED:
            return next((n for n, pair in enumerate(self.pairs, start=1) if {*pair} == {*side}), 0)
        return side[0]

    @property
    def unpaired(self) -> tuple[int, ...]:
        """Players who are here and in no fixed pair."""
        paired = {number for pair in self.pairs for number in pair}
        return tuple(number for number in self.here if number not in paired)

    @cached_property
    def _past(self) -> list[Draw]:
        return [
            Draw(
                tuple((self._entrant(s.sides[0]), self._entrant(s.sides[1])) for s in one.seats),
                tuple({self._entrant_of(number) for number in one.byes}),
            )
            for one in self.rounds
        ]

    def _entrant_of(self, player: int) -> int:
        """Return the entrant of a player who sits out."""
        if self.plan.teams is not Teams.FIXED:
            return player
        return next((n for n, pair in enumerate(self.pairs, start=1) if player in pair), 0)

    def drawn_pairs(self) -> list[tuple[int, int]]:
        """Return the fixed pairs, and random pairs of the players without a partner."""
        rest = Random(f"{self.plan.seed}-pairs").sample(self.unpaired, len(self.unpaired))
        return [*self.pairs, *zip(rest[::2], rest[1::2], strict=False)]

    def next_round(self) -> tuple[tuple[SeatSides, ...], tuple[int, ...]]:
        """Return the two sides at each table of the next round, and the players who sit out.

        Raises:
            UnknownFactError: The evening can only be read.
            RoundOpenError: A table of this round has no result yet.
            TooFewError: Fewer than two entrants are here.
        """
        self.check_playable()
        self.check_over()
        here = set(self.here)
        ranked = [row.entrant for row in self.standings]
        present = [one for one in ranked if here.issuperset(self.members(one))]
        if self.plan.system is System.ROUND_ROBIN:
            draw = round_robin(sorted(present), self._past)
        else:
            draw = swiss(present, self._past)
        return (
            tuple((self.members(one), self.members(other)) for one, other in draw.pairs),
            tuple(number for one in draw.byes for number in self.members(one)),
        )

    def check_playable(self) -> None:
        """Raise UnknownFactError if the evening is of an older system or plays dropped rules."""
        if not self.plan.can_be_played:
            raise UnknownFactError("system", f"{self.plan.system}, {self.plan.teams}")

    def check_over(self) -> None:
        """Raise RoundOpenError if a table of the round has no result yet."""
        still = sum(not meeting.is_over for one in self.meetings[-1:] for meeting in one)
        if still:
            raise RoundOpenError(still)

    # Results

    @cached_property
    def meetings(self) -> tuple[tuple[Meeting, ...], ...]:
        """The meeting of each seat of each round, with its score."""
        return tuple(
            tuple(self._meeting(seat, one.plan) for seat in one.seats) for one in self.rounds
        )

    def meeting(self, code: str) -> Meeting:
        """Return the meeting at a table, with its score; raises as `seat`."""
        seat = self.seat(code)
        return next(one for meetings in self.meetings for one in meetings if one.seat == seat)

    def _meeting(self, seat: Seat, plan: Plan) -> Meeting:
        """Return the meeting of a seat: as the organiser set it, else as it was played."""
        played = _played(seat, self.matches.get(seat.code, ()), best_of=plan.best_of)
        result = self.results.get(seat.code, {})
        if result.get("absent") is not None:
            absent = int(result["absent"])
            return replace(
                Meeting(seat=seat), winner=1 - absent, is_over=True, absent=absent, is_set=True
            )
        if result.get("points") is not None:
            one, other = result["points"]
            winner = None if one == other else int(other > one)
            if plan.rules.perdere and winner is not None:
                winner = 1 - winner
            points = (int(one), int(other))
            return replace(
                played, points=points, totals=points, winner=winner, is_over=True, is_set=True
            )
        return played

    @cached_property
    def outcomes(self) -> tuple[tuple[Seat, Outcome], ...]:
        """The meetings that are over, as the standings count them."""
        return tuple(
            (
                meeting.seat,
                Outcome(
                    sides=self._counted(meeting.seat),
                    points=meeting.points,
                    winner=meeting.winner,
                    scope=meeting.scope,
                    is_played=meeting.absent is None,
                ),
            )
            for meetings in self.meetings
            for meeting in meetings
            if meeting.is_over
        )

    def _counted(self, seat: Seat) -> SeatSides:
        if self.plan.teams is Teams.DRAWN:
            return seat.sides
        return (self._entrant(seat.sides[0]),), (self._entrant(seat.sides[1]),)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """All entrants, the best first; in free play as the ladder ranks them."""
        past = zip(self.rounds, self._past, strict=True)
        byes = Counter(
            (entrant, one.plan.system is not System.ROUND_ROBIN)
            for one, draw in past
            for entrant in draw.byes
        )
        outcomes = [outcome for _, outcome in self.outcomes]
        rows = standings(
            self.entrants,
            outcomes,
            seed=self.plan.seed,
            byes={one: byes[one, True] + byes[one, False] for one in self.entrants},
            byes_won={one: byes[one, True] for one in self.entrants},
        )
        if self.plan.system is not System.FREE:
            return rows
        won = [
            (one.sides[one.winner][0], one.sides[1 - one.winner][0])
            for one in outcomes
            if one.winner is not None
        ]
        place = {entrant: n for n, entrant in enumerate(ladder(self.entrants, won), start=1)}
        by_place = sorted(rows, key=lambda row: place[row.entrant])
        return tuple(replace(row, rank=rank, by=None) for rank, row in enumerate(by_place, start=1))


def _result(facts: Facts) -> Facts:
    """A result as it is stored: points, or the side that did not come; neither deletes it."""
    points, absent = facts.get("points"), facts.get("absent")
    if points is not None:
        one, other = points
        if not all(type(figure) is int and -99 <= figure <= 999 for figure in (one, other)):
            raise UnknownFactError("points", repr(points))
        return {"points": (one, other)}
    if absent not in {None, 0, 1}:
        raise UnknownFactError("side", repr(absent))
    return {"absent": absent}


def _played(seat: Seat, matches: Sequence[Match], *, best_of: int) -> Meeting:
    """The meeting that the matches at a table make. Matches after the decisive one do not count."""
    points, scope, series = [0, 0], [0, 0], Series(best_of=best_of)
    current: Match | None = None
    for match in matches:
        current = match
        totals, made, is_over, winner = _figures(match)
        if not is_over and best_of > 1:
            break
        points = [points[side] + totals[side] for side in (0, 1)]
        scope = [scope[side] + made[side] for side in (0, 1)]
        if not is_over:
            break
        series = series.after(winner)
        if series.is_over:
            break
    totals = (0, 0) if current is None else _figures(current)[0]
    return Meeting(
        seat=seat,
        won=series.won,
        points=(points[0], points[1]),
        scope=(scope[0], scope[1]),
        winner=series.winner,
        is_over=series.is_over,
        hands=0 if current is None else len(current.hands),
        totals=totals,
    )


@lru_cache(maxsize=4096)
def _figures(match: Match) -> tuple[tuple[int, int], tuple[int, int], bool, int | None]:
    """Totals and scope of both sides, whether it is over, and the winner. Cached by value."""
    one, other = (
        sum(hand.sides[side].scope for hand in match.hands[: match.counted]) for side in (0, 1)
    )
    totals = match.totals[0], match.totals[1]
    return totals, (one, other), match.ending is not None, match.winner


def team_name(names: Sequence[str]) -> str:
    """Return the name of a side at a table: its players' names, each shortened if needed.

    >>> team_name(["Anna"]), team_name(["Anna", "Bruno"])
    ('Anna', 'Anna & Bruno')
    >>> team_name(["Massimiliano", "Bartolomeo Rossi"])
    'Massimili… & Bartolome…'
    """
    whole = " & ".join(names)
    if len(whole) <= MAX_LETTERS:
        return whole
    room = (MAX_LETTERS - 3 * (len(names) - 1)) // len(names)
    return " & ".join(name if len(name) <= room else f"{name[: room - 1]}…" for name in names)


def evening_of(log: Iterable[tuple[Facts, datetime]]) -> Evening:
    """Return the evening that a log makes, without its matches; raises as `Evening.after`."""
    (first, at), *rest = log
    evening = Evening(plan=Plan.from_dict(first["plan"])).after(first, at)
    for facts, made_at in rest:
        evening = evening.after(facts, made_at)
    return evening
