"""What is done at an evening: players, rounds, results; each is an action of `table.actions`.

A round is drawn in one transaction with the tables that it opens: either all of them are there, or
none. Each table has a link of its own for its QR code, made from the evening's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from scoring.errors import ScoringError
from scoring.hand import name_key
from store import ConflictError, EveningLog, evening, session_of, tables
from store.models import now
from table.access import SCORERS, hash_link, new_link
from table.evening import (
    MAX_PLAYERS,
    Evening,
    SeatSides,
    Teams,
    UnknownFactError,
    evening_of,
)
from table.evening_view import seat_link, with_matches
from table.names import checked_names
from table.registry import EveningContext, action
from table.requests import (
    Field,
    Flag,
    RequestError,
    ShownLog,
    Text,
    number,
    optional,
)


@dataclass(eq=False)
class RoundBegunError(ScoringError):
    """A round cannot be taken back: at `count` of its tables hands are confirmed."""

    message = "expected a round without hands, {count} tables have some: set results instead"
    count: int


def _pair(item: Callable[[Any], Any], expected: str) -> Callable[[Any], Any]:
    """Reads a pair of JSON."""

    def read(value: Any) -> Any:
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(expected)
        return tuple(map(item, value))

    return read


def _several(item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Reads a list of JSON."""

    def read(value: Any) -> Any:
        if not isinstance(value, list) or len(value) > MAX_PLAYERS:
            raise ValueError(f"a list of at most {MAX_PLAYERS}")
        return tuple(map(item, value))

    return read


_PLAYER = number(1, MAX_PLAYERS)
PlayerNumber = Annotated[int, _PLAYER]
Pairs = Annotated[Sequence[tuple[int, int]], Field(_several(_pair(_PLAYER.read, "two players")))]
Points = Annotated[
    tuple[int, int] | None, Field(optional(_pair(number(-99, 999).read, "two figures")))
]
Absent = Annotated[int | None, Field(optional(number(0, 1).read))]


def _now(context: EveningContext) -> tuple[EveningLog, Evening]:
    log = evening.read(context.evening)
    return log, with_matches(session_of(context.evening), log)


def _record(context: EveningContext, facts: Mapping[str, Any]) -> None:
    """Keep a decision that fits the evening."""
    log = evening.read(context.evening)
    before = evening_of(log.facts)
    before.check_playable()
    try:
        before.after(facts, context.evening.opened_at)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ScoringError):
            raise
        raise RequestError("evening", expected="a decision", came=facts) from error
    evening.record(
        context.evening,
        dict(facts),
        key=context.request.key,
        expected=log.revision,
    )


@action("evening_player", by=SCORERS, of="evening")
def add_player(context: EveningContext, name: Text) -> None:
    """Adds a player, also between rounds.

    Raises:
        NoNameError, LongNameError, SameNameError, ManyPlayersError: The name does not do.
    """
    [name] = checked_names([name])
    _record(context, {"do": "player", "name": name})


@action("evening_here", by=SCORERS, of="evening")
def set_here(context: EveningContext, player: PlayerNumber, *, here: Flag) -> None:
    """Note that a player leaves, or is back."""
    _record(context, {"do": "here", "player": player, "here": here})


@action("evening_pairs", by=SCORERS, of="evening")
def set_pairs(context: EveningContext, pairs: Pairs) -> None:
    """Puts together who plays as a pair all evening; pairs of before that have played stay first.

    Raises:
        UnknownFactError: A player is in two pairs, or a pair that has played would go.
    """
    _, found = _now(context)
    members = [number for pair in pairs for number in pair]
    kept = [*pairs][: len(found.pairs)] == [*found.pairs] or not found.rounds
    if len(set(members)) < len(members) or not kept:
        raise UnknownFactError("pairs", str([*pairs]))
    _record(context, {"do": "pairs", "pairs": [[*pair] for pair in pairs]})


@action("evening_round", by=SCORERS, of="evening")
def draw_round(context: EveningContext, shown: ShownLog) -> None:
    """Draws the next round and opens its tables, once for each screen.

    Raises:
        ConflictError: The evening has changed since.
        RoundOpenError, TooFewError: It cannot be drawn now.
    """
    log, found = _now(context)
    if log.revision != shown:
        raise ConflictError(shown, log.revision)
    sides, byes = found.next_round()
    seats = _open_tables(context, found, sides)
    _record(context, {"do": "round", "seats": seats, "byes": [*byes]})


def _open_tables(
    context: EveningContext, found: Evening, meetings: Sequence[SeatSides]
) -> list[dict[str, Any]]:
    """Opens a table for each meeting; gives their codes with the sides, as the log keeps them."""
    place = context.evening
    link = context.credentials.links.get(place.code) or new_link()
    seats = []
    for sides in meetings:
        names = [found.name_of(side) for side in sides]
        if name_key(names[0]) == name_key(names[1]):
            names[1] = f"{names[1][:20]} (2)"
        members = [[found.player(number).name for number in side] for side in sides]
        table = tables.open_table(
            session_of(place),
            checked_names(names),
            found.plan.rules,
            members=members if found.plan.teams is not Teams.SINGLE else (),
            best_of=found.plan.best_of,
        )
        table.link_hash = hash_link(seat_link(link, table.code))
        table.player_hashes = [place.link_hash] if place.link_hash else []
        table.evening_code, table.drawing = place.code, place.drawing
        seats.append({"code": table.code, "sides": [[*side] for side in sides]})
    return seats


@action("evening_result", by=SCORERS, of="evening")
def set_result(
    context: EveningContext,
    code: Text,
    points: Points = None,
    absent: Absent = None,
) -> None:
    """Sets the result of a table whatever was played there, or that a side did not come.

    With neither, what was played counts again.
    """
    given = None if points is None else [*points]
    _record(context, {"do": "result", "code": code, "points": given, "absent": absent})


@action("evening_end", by=SCORERS, of="evening")
def end_evening(context: EveningContext, *, over: Flag) -> None:
    """Ends the evening, once every table is done: the standings are final; or goes on with it."""
    _, found = _now(context)
    if over:
        found.check_over()
    _record(context, {"do": "end", "over": over})


@action("evening_undo", by=SCORERS, of="evening")
def undo(context: EveningContext, shown: ShownLog) -> None:
    """Takes the newest decision back; of a round only before a hand is confirmed.

    Raises:
        ConflictError: The evening has changed since.
        RoundBegunError: Hands are confirmed at tables of the round.
        NothingToUndoError: Nothing is left but the opening.
    """
    _, found = _now(context)
    found.check_playable()
    facts = evening.undo(context.evening, key=context.request.key, expected=shown)
    codes = {seat["code"] for seat in facts.get("seats", ())}
    played = sum(any(match.hands for match in found.matches.get(code, ())) for code in codes)
    if played:
        raise RoundBegunError(played)
    for code in sorted(codes):
        table = tables.lock(session_of(context.evening), code)
        if table.evening_code == context.evening.code:  # not one that an old import named
            table.closed_at = now()
