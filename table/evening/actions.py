"""The actions of an evening: players, rounds and results. `table.actions` runs them.

A round is drawn in the transaction that opens its tables: either all of them are opened, or none.
Each table has its own link for its QR code, derived from the evening's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from scoring.errors import ScoringError
from scoring.hand import name_key
from store import ConflictError, EveningLog, evening, session_of, tables
from store.models import now
from table.access import SCORERS, hash_link, new_link
from table.evening.replay import (
    MAX_PLAYERS,
    Evening,
    SeatSides,
    Teams,
    UnknownFactError,
    evening_of,
)
from table.evening.view import seat_link, with_matches
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
    """The round cannot be undone: `count` of its tables have confirmed hands."""

    message = "expected a round without hands, {count} tables have some: set results instead"
    count: int


def _pair(item: Callable[[Any], Any], expected: str) -> Callable[[Any], Any]:
    """Make a reader of a pair in JSON."""

    def read(value: Any) -> Any:
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(expected)
        return tuple(map(item, value))

    return read


def _several(item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make a reader of a list in JSON."""

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
    """Store a decision if it fits the evening."""
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
    """Add a player, also between rounds.

    Raises:
        NoNameError, LongNameError, SameNameError, ManyPlayersError: The player cannot be added.
    """
    [name] = checked_names([name])
    _record(context, {"do": "player", "name": name})


@action("evening_here", by=SCORERS, of="evening")
def set_here(context: EveningContext, player: PlayerNumber, *, here: Flag) -> None:
    """Note that a player leaves, or is back."""
    _record(context, {"do": "here", "player": player, "here": here})


@action("evening_pairs", by=SCORERS, of="evening")
def set_pairs(context: EveningContext, pairs: Pairs) -> None:
    """Set the fixed pairs of the evening. Pairs that have played stay first in the list.

    Raises:
        UnknownFactError: A player is in two pairs, or a pair that has played is missing.
    """
    _, found = _now(context)
    members = [number for pair in pairs for number in pair]
    kept = [*pairs][: len(found.pairs)] == [*found.pairs] or not found.rounds
    if len(set(members)) < len(members) or not kept:
        raise UnknownFactError("pairs", str([*pairs]))
    _record(context, {"do": "pairs", "pairs": [[*pair] for pair in pairs]})


@action("evening_round", by=SCORERS, of="evening")
def draw_round(context: EveningContext, shown: ShownLog) -> None:
    """Draw the next round and open its tables, once for each screen.

    Raises:
        ConflictError: The evening has changed since.
        RoundOpenError, TooFewError: A round cannot be drawn now.
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
    """Open a table for each meeting. Return their codes with the sides, as the log stores them."""
    place = context.evening
    link = context.credentials.link_of(place) or new_link()
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
    """Set the result of a table, or that a side did not come.

    With neither, the points played there count again.
    """
    given = None if points is None else [*points]
    _record(context, {"do": "result", "code": code, "points": given, "absent": absent})


@action("evening_end", by=SCORERS, of="evening")
def end_evening(context: EveningContext, *, over: Flag) -> None:
    """End the evening once every table is done, so that the standings are final; or reopen it."""
    _, found = _now(context)
    if over:
        found.check_over()
    _record(context, {"do": "end", "over": over})


@action("evening_undo", by=SCORERS, of="evening")
def undo(context: EveningContext, shown: ShownLog) -> None:
    """Undo the newest decision; a round only if no hand of it is confirmed.

    Raises:
        ConflictError: The evening has changed since.
        RoundBegunError: Tables of the round have confirmed hands.
        NothingToUndoError: Only the opening is left.
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
