"""The append-only log of a table's matches: every change of a match, and its state.

A change names the revision that its sender had seen. If the match has changed since, it raises
`ConflictError` and stores nothing. Versions before 0.4 stored such a hand as a `Conflict`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from uuid import uuid4

from sqlalchemy import func, select, update

from scoring.hand import Side
from scoring.match import Match
from scoring.record import HandRecord
from scoring.rules import Rules
from store import notify
from store.errors import (
    ConflictError,
    DroppedRulesError,
    MatchBegunError,
    NothingToUndoError,
    UnknownPlaceError,
)
from store.models import (
    Conflict,
    LogEntry,
    MatchSide,
    Outcome,
    Step,
    StoredEvening,
    Table,
    TableMatch,
    session_of,
)
from store.timeline import (
    Seating,
    Timeline,
    members_of,
    named_as,
    played_match,
    plays_dropped,
    replay,
    seatings,
)


@dataclass(frozen=True, kw_only=True)
class MatchState:
    """A match replayed from its log, and the revision that its next change must expect."""

    row: TableMatch
    """The match as it is stored."""
    entries: tuple[LogEntry, ...]
    """Its log, oldest first."""
    line: Timeline
    """Its log, replayed."""
    revision: int
    """The revision of its table's log, to pass as `expected` with the next change."""

    @cached_property
    def match(self) -> Match:
        """The match with its current hands."""
        return played_match(self.row, self.line)

    @property
    def match_no(self) -> int:
        """Its number at the table, from 1."""
        return self.row.match_no

    @property
    def first_dealer(self) -> int | None:
        """Index of the side that deals the first hand; None if it was not chosen at opening."""
        return self.row.first_dealer

    @property
    def hands(self) -> tuple[LogEntry, ...]:
        """The entry that holds each of its hands, in order."""
        return self.line.now.hands

    @property
    def last(self) -> LogEntry | None:
        """The entry that an undo would undo; None if there is none."""
        return self.line.last

    @property
    def can_undo(self) -> bool:
        """Whether a step can be undone."""
        return self.last is not None

    @property
    def can_redo(self) -> bool:
        """Whether an undone step can be redone."""
        return self.line.can_redo

    @property
    def members(self) -> tuple[tuple[str, ...], ...]:
        """The players of each side at the first hand; empty if no side is a team."""
        return members_of(self.row)

    @property
    def seats(self) -> tuple[Seating, ...]:
        """The players who replaced others since, oldest first."""
        return seatings(self.line)


@dataclass(frozen=True, kw_only=True)
class LogStep:
    """An entry of the log of a match, with the hand that it changed."""

    revision: int
    match_no: int
    step: Step
    hand_no: int | None
    """The hand that it changed, or from which seats or rules change; None if there is none."""
    facts: HandRecord | None
    """The hand as it was sent, if one was."""
    members: tuple[str, ...]
    """The players of a side after a substitution; otherwise empty."""
    rules: tuple[Rules, Rules] | None
    """The rules before and after it if it changed them; None for an undo."""
    of: Step
    """The kind of step: for an undo or a redo, that of the step concerned."""
    device: str
    made_at: datetime


# Reading


def match_numbered(table: Table, match_no: int | None = None) -> TableMatch:
    """Return a match of a table by its number, which must exist; None gives the current one."""
    current = table.match
    if match_no is None or match_no == current.match_no:
        return current
    query = select(TableMatch).where(
        TableMatch.table_id == table.id, TableMatch.match_no == match_no
    )
    match = session_of(table).scalars(query).one_or_none()
    if match is None:
        raise UnknownPlaceError("match", match_no, known=current.match_no)
    return match


def check_side(match: TableMatch, side: int) -> None:
    """Raise UnknownPlaceError unless the match has this side."""
    if not 0 <= side < len(match.sides):
        raise UnknownPlaceError("side", side, known=len(match.sides))


def check_scored(match: TableMatch) -> None:
    """Raise DroppedRulesError if the match plays a setting that the rules no longer have."""
    if match.has_dropped_rules:
        raise DroppedRulesError


def matches(table: Table, *, most: int | None = None) -> tuple[TableMatch, ...]:
    """Return a table's matches that were not left, oldest first; with `most`, the newest only."""
    query = (
        select(TableMatch)
        .where(TableMatch.table_id == table.id, ~TableMatch.is_left)
        .order_by(TableMatch.match_no.desc())
        .limit(most)
    )
    return tuple(reversed(session_of(table).scalars(query).all()))


def match_state(table: Table, match_no: int | None = None) -> MatchState:
    """Return a match of a table replayed; None gives the current one."""
    row = match_numbered(table, match_no)
    entries = _entries(row)
    return MatchState(row=row, entries=entries, line=replay(entries), revision=last_revision(table))


def steps(table: Table, match_no: int | None = None) -> tuple[LogStep, ...]:
    """Return every step of a match ever taken, with who and when: edits and undos hide nothing."""
    match = match_numbered(table, match_no)
    line, found = Timeline(), []
    for entry in _entries(match):
        before, line = line, line.after(entry)
        changed = line.now.changed_from(before.now)
        concerned = {Step.UNDO: before.last, Step.REDO: line.last}.get(entry.step)
        has_rules = entry.step is Step.RULES
        found.append(
            LogStep(
                revision=entry.revision,
                match_no=match.match_no,
                step=entry.step,
                hand_no=None if changed is None else changed.hand_no,
                facts=named_as(entry.facts, match.side_names)
                if entry.step in {Step.RECORD, Step.EDIT}
                else None,
                members=tuple((entry.facts_json or {}).get("members", ())),
                rules=(entry.rules_before, entry.rules) if has_rules else None,
                of=entry.step if concerned is None else concerned.step,
                device=entry.device,
                made_at=entry.made_at,
            )
        )
    return tuple(found)


def last_revision(table: Table) -> int:
    """Return the revision of the newest entry of a table's log, 0 where there is none yet."""
    newest = select(func.max(LogEntry.revision)).where(LogEntry.table_id == table.id)
    return session_of(table).scalars(newest).one() or 0


def _entries(match: TableMatch) -> tuple[LogEntry, ...]:
    """Return the log of a match in order."""
    query = select(LogEntry).where(LogEntry.match_id == match.id).order_by(LogEntry.revision)
    return tuple(session_of(match).scalars(query))


# Opening and leaving matches


def open_match(
    table: Table,
    side_names: Sequence[str],
    rules: Rules,
    *,
    number: int = 1,
    first_dealer: int | None = None,
    members: Sequence[Sequence[str]] = (),
    best_of: int = 1,
    device: str = "",
) -> None:
    """Open a match at a table; `first_dealer` is the index of a side, `members` are of teams.

    Raises:
        MatchError: The names do not make a match.
    """
    Match(rules, tuple(side_names))
    if first_dealer is not None and not 0 <= first_dealer < len(side_names):
        raise UnknownPlaceError("side", first_dealer, known=len(side_names))
    match = TableMatch(
        table_id=table.id,
        match_no=number,
        rules_json=rules.to_dict(),
        best_of=best_of,
        first_dealer=first_dealer,
    )
    match.sides = match_sides(side_names, members)
    session_of(table).add(match)
    session_of(table).flush()
    _write(table, match, step=Step.OPEN, device=device)


def match_sides(names: Sequence[str], members: Sequence[Sequence[str]] = ()) -> list[MatchSide]:
    """Return the sides of a new match; `members` has the players of teams, and may be empty."""
    teams = members or [()] * len(names)
    return [
        MatchSide(side=side, name=name, members=[*team])
        for side, (name, team) in enumerate(zip(names, teams, strict=True))
    ]


def rematch(
    table: Table,
    *,
    after: int,
    expected: int | None = None,
    first_dealer: int | None = None,
    target: int | None = None,
    device: str = "",
) -> None:
    """Open the match that follows match `after`, unless it is open already.

    Args:
        table: The table.
        after: The number of the match that is over.
        expected: The revision of its log that the screen showed.
        first_dealer: The side that deals first; None for the one whose turn it is.
        target: The points that end it; None for as many as before.
        device: The device that opens it.

    Raises:
        ConflictError: `expected` is given, and is not the revision of the match.
        DroppedRulesError: Its rules can no longer be played.
    """
    match, revision = table.match, last_revision(table)
    if match.match_no != after:
        return
    check_scored(match)
    if expected not in {None, revision}:
        raise ConflictError(expected or 0, revision)
    newest = select(func.max(TableMatch.match_no)).where(TableMatch.table_id == table.id)
    number = session_of(table).scalars(newest).one() + 1  # above those that were left, too
    names, members = [*match.side_names], [tuple(side.members) for side in match.sides]
    for one in seatings(replay(_entries(match))):
        if len(one.members) == 1:
            [names[one.side]] = one.members
        else:
            members[one.side] = one.members
    open_match(
        table,
        names,
        match.rules.changed(target=target or match.rules.target),
        number=number,
        members=members,
        best_of=match.best_of,
        first_dealer=first_dealer,
        device=device,
    )


def leave_match(table: Table, *, match_no: int, expected: int, device: str = "") -> None:
    """Leave a match without hands for the one before it, unless it was left already.

    Raises:
        ConflictError: The match has changed.
        MatchBegunError: It has hands, or there is no match before it.
    """
    match, revision = table.match, last_revision(table)
    if match.match_no != match_no:
        return
    if expected != revision:
        raise ConflictError(expected, revision)
    if match.hands or len(matches(table, most=2)) == 1:
        raise MatchBegunError(match_no, hands=match.hands)
    match.is_left = True
    _write(table, match, step=Step.LEAVE, device=device)


def change_match(
    table: Table,
    *,
    side_names: Sequence[str],
    best_of: int | None = None,
    first_dealer: int | None = None,
) -> None:
    """Rename the sides of the current match, also in its confirmed hands.

    `first_dealer` is the side that deals the first hand, and `best_of` the length of the series, in
    matches. If the match is not in a series of that length yet, a new one begins with it. None
    changes nothing.
    """
    match = table.match
    check_scored(match)
    for side, name in zip(match.sides, side_names, strict=True):
        side.name = name
    if first_dealer is not None:
        match.first_dealer = first_dealer
    match.best_of = best_of or match.best_of
    _tell_evening(table)


def _write(table: Table, match: TableMatch, *, step: Step, device: str) -> None:
    """Add a step without a hand, after which another match may be the current one."""
    _add(table, match, LogEntry(step=step, key=f"{step}-{uuid4()}", device=device))
    session_of(table).refresh(table, ["match"])


def _add(table: Table, match: TableMatch, entry: LogEntry) -> None:
    """Add an entry with the next revision; the database refuses one that is taken already."""
    entry.table_id, entry.match_id, entry.revision = table.id, match.id, last_revision(table) + 1
    session_of(table).add(entry)
    session_of(table).flush()
    _tell_evening(table)


def _tell_evening(table: Table) -> None:
    """Raise the revision of a table's evening, whose boards show the table's score."""
    if table.evening_code is not None:
        raised = {"revision": StoredEvening.revision + 1}
        where = StoredEvening.code == table.evening_code
        session_of(table).execute(update(StoredEvening).where(where).values(raised))
        notify.notify(session_of(table), notify.Notification(code=table.evening_code))


# Changing a match


def append(
    table: Table, entry: LogEntry, *, expected: int, state: MatchState | None = None
) -> LogEntry:
    """Append a change of a match once. A known key returns the entry that was appended first.

    Args:
        table: The table, in a write transaction.
        entry: The change, with a key that the client made once for it: RECORD, EDIT or RULES with
            its facts, UNDO or REDO without. EDIT has the number of its hand.
        expected: The `MatchState.revision` that the sender's screen showed.
        state: The match to change; None for the current one.

    Raises:
        ConflictError: The match has changed since.
        DroppedRulesError: The match plays a setting that the rules no longer have.
        NothingToUndoError: There is no step to undo, or none to redo.
        UnknownPlaceError: The match has no hand with the edited number.
        ScoringError: The match refuses the hand, or a hand does not fit the new rules.
    """
    same_key = select(LogEntry).where(LogEntry.table_id == table.id, LogEntry.key == entry.key)
    known = session_of(table).scalars(same_key).one_or_none()
    if known is not None:
        return known
    state = state or match_state(table)
    oldest = state.revision
    if state.row is not table.match:  # changes of later matches do not matter to its hands
        oldest = max((one.revision for one in state.entries), default=0)
    if not oldest <= expected <= state.revision:
        raise ConflictError(expected, state.revision)
    note_result(state.row, _after(state, entry))
    _add(table, state.row, entry)
    return entry


def _after(state: MatchState, entry: LogEntry) -> Match:
    """Return the match after a change, and number a new hand; raises as `append`."""
    count = len(state.hands)
    if plays_dropped(state.row, state.line):
        raise DroppedRulesError
    if entry.step is Step.UNDO and not state.can_undo:
        raise NothingToUndoError(entry.step)
    if entry.step is Step.REDO and not state.can_redo:
        raise NothingToUndoError(entry.step)
    if entry.step is Step.EDIT and not 1 <= (entry.hand_no or 0) <= count:
        raise UnknownPlaceError("hand", entry.hand_no or 0, known=count)
    if entry.step is Step.RECORD:
        entry.hand_no = count + 1
    match = played_match(state.row, state.line.after(entry))
    if entry.step is Step.RECORD and match.counted <= count:
        state.match.record(entry.facts)  # raises: the match was over before this hand
    return match


def note_result(row: TableMatch, match: Match) -> None:
    """Store hands, winner, totals and newest rules of a match in its row, for lists."""
    if match.rules != row.rules:
        row.rules_json = match.rules.to_dict()
        row.__dict__.pop("rules", None)  # it is cached
    row.hands, row.is_over, row.winner = len(match.hands), match.is_over, match.winner
    for side, total in zip(row.sides, match.totals, strict=True):
        side.total = total


def is_same_hand(one: HandRecord, other: HandRecord) -> bool:
    """Return whether two devices sent the same hand; names and reasons do not matter."""
    dealers = {facts.dealer for facts in (one, other) if facts.dealer is not None}
    return len(dealers) < 2 and _contents(one) == _contents(other)


def _contents(facts: HandRecord) -> list[Side]:
    return [replace(side, name="", reason="") for side in facts.sides]


# Hands that versions before 0.4 stored because another device was first


def conflicts(table: Table) -> tuple[Conflict, ...]:
    """Return the conflicts of a table's current match that are not decided yet, oldest first."""
    query = (
        select(Conflict)
        .where(Conflict.match_id == table.match.id, Conflict.outcome == Outcome.OPEN)
        .order_by(Conflict.id)
    )
    return tuple(session_of(table).scalars(query))


def conflict(table: Table, conflict_id: int) -> Conflict:
    """Return a conflict of a table by its id; UnknownPlaceError if there is none."""
    found = session_of(table).get(Conflict, conflict_id)
    if found is None or found.table_id != table.id:
        raise UnknownPlaceError("proposal", conflict_id, known=len(conflicts(table)))
    return found
