"""The append-only log of a table's matches: every change of a match, and how matches stand.

A change names the revision that its sender had seen. If the match has changed since, it raises
`ConflictError` and stores nothing. Versions before 0.4 stored such a hand as a `Conflict`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
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
    KeptMatch,
    Seating,
    Timeline,
    members_of,
    named_as,
    played_match,
    replay,
    seatings,
)


@dataclass(frozen=True, kw_only=True)
class MatchState:
    """A match replayed from its log, and what its next change must expect."""

    match: Match
    """The match with its current hands."""
    hands: tuple[LogEntry, ...]
    """The entry that brought each of its hands, in the same order."""
    revision: int
    """The value to pass as `expected` with the next change."""
    match_no: int
    can_redo: bool
    last: LogEntry | None
    """The entry that an undo takes back; None where there is none."""
    first_dealer: int | None = None
    """Index of the side that deals the first hand, where somebody said so at opening."""
    members: tuple[tuple[str, ...], ...] = ()
    """The players of each side at the first hand, where sides are teams; else empty."""
    seats: tuple[Seating, ...] = ()
    """Who took the place of a player since, oldest first."""

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""
        return self.last is not None


@dataclass(frozen=True, kw_only=True)
class LogStep:
    """An entry of the log of a match, with the hand that it changed."""

    revision: int
    match_no: int
    step: Step
    hand_no: int | None
    """The hand it changed, also by an undo, or from which on seats or rules are others; else None.
    """
    facts: HandRecord | None
    """The hand as it was sent, if one was."""
    members: tuple[str, ...]
    """The players of a side after somebody took a place there; else empty."""
    rules: tuple[Rules, Rules] | None
    """The rules before it and those after it, where it changed them; None for an undo."""
    of: Step
    """The kind of step: that of what an undo took back, or a redo took again."""
    device: str
    made_at: datetime


# Reading


def match_numbered(table: Table, match_no: int | None = None) -> TableMatch:
    """A match of a table by its number, which must exist; None gives the current one."""
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
    """The matches of a table that were not left, oldest first; with `most`, only the newest."""
    query = (
        select(TableMatch)
        .where(TableMatch.table_id == table.id, ~TableMatch.is_left)
        .order_by(TableMatch.match_no.desc())
        .limit(most)
    )
    return tuple(reversed(session_of(table).scalars(query).all()))


def match_state(table: Table, match_no: int | None = None) -> MatchState:
    """A match of a table replayed; None gives the current one."""
    return match_states(table, [match_numbered(table, match_no)])[0]


def match_states(table: Table, of: Sequence[TableMatch] | None = None) -> tuple[MatchState, ...]:
    """Matches of a table replayed with two queries; all that were not left unless given."""
    of = matches(table) if of is None else of
    revision = last_revision(table)
    logs: dict[int, list[LogEntry]] = {match.id: [] for match in of}
    query = select(LogEntry).where(LogEntry.match_id.in_(logs)).order_by(LogEntry.revision)
    for entry in session_of(table).scalars(query):
        logs[entry.match_id].append(entry)
    lines = [replay(entries) for entries in logs.values()]
    return tuple(
        MatchState(
            match=played_match(match, line),
            hands=line.hands,
            revision=revision,
            match_no=match.match_no,
            can_redo=line.can_redo,
            last=line.last,
            first_dealer=match.first_dealer,
            members=members_of(match),
            seats=seatings(line),
        )
        for match, line in zip(of, lines, strict=True)
    )


def steps(table: Table, match_no: int | None = None) -> tuple[LogStep, ...]:
    """Every step of a match ever taken, with who and when: edits and undos hide nothing."""
    match = match_numbered(table, match_no)
    line, found = Timeline(), []
    for entry in _entries(match):
        before, line = line, line.after(entry)
        changed = line.now.changed_from(before.now)
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
                of=entry.step if changed is None else changed.step,
                device=entry.device,
                made_at=entry.made_at,
            )
        )
    return tuple(found)


def last_revision(table: Table) -> int:
    """The revision of the newest entry of a table's log, 0 where there is none yet."""
    newest = select(func.max(LogEntry.revision)).where(LogEntry.table_id == table.id)
    return session_of(table).scalars(newest).one() or 0


def _entries(match: TableMatch) -> tuple[LogEntry, ...]:
    """The log of a match in order."""
    query = select(LogEntry).where(LogEntry.match_id == match.id).order_by(LogEntry.revision)
    return tuple(session_of(match).scalars(query))


def _entry_with(table: Table, key: str) -> LogEntry | None:
    query = select(LogEntry).where(LogEntry.table_id == table.id, LogEntry.key == key)
    return session_of(table).scalars(query).one_or_none()


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
    """The sides of a new match; `members` are the players of each, empty where none is a team."""
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
    """Open the match that follows match `after`, unless somebody opened it already.

    Args:
        table: The table.
        after: The number of the match that is over.
        expected: The revision of its log that the screen showed.
        first_dealer: The side that deals first; None: the one whose turn it is.
        target: The points that end it; None: as many as before.
        device: Who opened it.

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
    """Leave a match without hands for the one before it, unless somebody left it already.

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
    """Give the sides of the current match other names, which hands confirmed before bear, too.

    The deal goes on from `first_dealer`, the side that deals first; None: as it did. With
    `best_of`, a series of at most so many matches begins with this one, if it is not of such a
    series already.
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
    """Append a step that carries no hand, after which another match may be the current one."""
    session = session_of(table)
    entry = LogEntry(
        table_id=table.id,
        revision=last_revision(table) + 1,
        match_id=match.id,
        step=step,
        key=f"{step}-{uuid4()}",
        device=device,
    )
    session.add(entry)
    session.flush()
    session.refresh(table, ["match"])
    _tell_evening(table)


def _tell_evening(table: Table) -> None:
    """Raise the revision of the evening that a table is of: its boards show the table's score."""
    if table.evening_code is not None:
        raised = {"revision": StoredEvening.revision + 1}
        where = StoredEvening.code == table.evening_code
        session_of(table).execute(update(StoredEvening).where(where).values(raised))
        notify.notify(session_of(table), notify.Notification(code=table.evening_code))


# Changing a match


def record(
    table: Table, facts: HandRecord, *, key: str, expected: int, device: str = ""
) -> LogEntry:
    """Add a hand to the current match.

    Args:
        table: The table, to write.
        facts: The hand.
        key: Made by the client once for this hand; the same key again gives the same entry.
        expected: The `MatchState.revision` the sender had on the screen.
        device: Who sends it, to be shown to others.

    Raises:
        ConflictError: The match has changed.
        ScoringError: The match refuses the hand.
    """
    entry = LogEntry(step=Step.RECORD, facts_json=facts.to_dict(), key=key, device=device)
    return _append(table, entry, expected=expected)


def edit(
    table: Table,
    facts: HandRecord,
    *,
    hand_no: int,
    key: str,
    expected: int,
    match_no: int | None = None,
    device: str = "",
) -> LogEntry:
    """Replace a hand, counted from 1, of the current or another match; raises as `record`.

    The version before stays in the log.
    """
    entry = LogEntry(
        step=Step.EDIT, hand_no=hand_no, facts_json=facts.to_dict(), key=key, device=device
    )
    return _append(table, entry, expected=expected, match_no=match_no)


def change_rules(
    table: Table, rules: Rules, *, key: str, expected: int, device: str = ""
) -> LogEntry:
    """Let the current match be played by other rules, which recount all of its hands.

    Raises:
        ConflictError: The match has changed.
        HandError: A hand holds what the new rules do not know.
    """
    facts = {"rules": rules.to_dict(), "before": table.match.rules.to_dict()}
    entry = LogEntry(step=Step.RULES, hand_no=1, facts_json=facts, key=key, device=device)
    return _append(table, entry, expected=expected)


def undo(table: Table, *, key: str, expected: int, device: str = "") -> LogEntry:
    """Take the newest step back: a recorded hand, an edit, a change of rules, a stored seat.

    Raises:
        ConflictError: The match has changed.
        NothingToUndoError: No step is left.
    """
    return _append(table, LogEntry(step=Step.UNDO, key=key, device=device), expected=expected)


def redo(table: Table, *, key: str, expected: int, device: str = "") -> LogEntry:
    """Take the step again that was taken back last; raises as `undo`."""
    return _append(table, LogEntry(step=Step.REDO, key=key, device=device), expected=expected)


def _append(
    table: Table, entry: LogEntry, *, expected: int, match_no: int | None = None
) -> LogEntry:
    """Append a change once: with a known key, give what it led to the first time."""
    known = _entry_with(table, entry.key)
    if known is not None:
        return known
    match = match_numbered(table, match_no)
    line = replay(_entries(match))
    newest = oldest = last_revision(table)
    if match is not table.match:  # changes of later matches do not matter to its hands
        own = select(func.max(LogEntry.revision)).where(LogEntry.match_id == match.id)
        oldest = session_of(table).scalars(own).one() or 0
    if not oldest <= expected <= newest:
        raise ConflictError(expected, newest)
    _check(match, line, entry=entry)
    entry.table_id, entry.match_id, entry.revision = table.id, match.id, newest + 1
    session_of(table).add(entry)
    session_of(table).flush()  # the database refuses a revision that is taken already
    note_result(match, line.after(entry))
    _tell_evening(table)
    return entry


def _check(match: TableMatch, line: Timeline, *, entry: LogEntry) -> None:
    """Let the rules check a change, and number a new hand."""
    if isinstance(played_match(match, line), KeptMatch):
        raise DroppedRulesError
    if entry.facts_json is None:
        if not (line.last if entry.step is Step.UNDO else line.can_redo):
            raise NothingToUndoError(entry.step)
        return
    count = len(line.hands)
    if entry.step is Step.RULES:
        return
    if entry.step is Step.RECORD:
        played_match(match, line).record(entry.facts).score(count)
        entry.hand_no = count + 1
    elif entry.hand_no is None or not 1 <= entry.hand_no <= count:
        raise UnknownPlaceError("hand", entry.hand_no or 0, known=count)
    else:
        index = entry.hand_no - 1
        played_match(match, line).edit(index, entry.facts).score(index)


def note_result(match: TableMatch, line: Timeline) -> None:
    """Keep hands, winner, totals and newest rules of a match in its row, for lists."""
    played = played_match(match, line)
    if played.rules != match.rules:
        match.rules_json = played.rules.to_dict()
        match.__dict__.pop("rules", None)  # it is cached
    match.hands, match.is_over, match.winner = len(line.hands), played.is_over, played.winner
    for side, total in zip(match.sides, played.totals, strict=True):
        side.total = total


def is_same_hand(one: HandRecord, other: HandRecord) -> bool:
    """Whether two devices sent the same hand, however it is named and sorted."""
    dealers = {facts.dealer for facts in (one, other) if facts.dealer is not None}
    return len(dealers) < 2 and _contents(one) == _contents(other)


def _contents(facts: HandRecord) -> list[Side]:
    return [replace(side, name="", reason="") for side in facts.sides]


# Hands that versions before 0.4 stored because another device was first


def conflicts(table: Table) -> tuple[Conflict, ...]:
    """The conflicts of a table's current match that are not decided yet, oldest first."""
    query = (
        select(Conflict)
        .where(Conflict.match_id == table.match.id, Conflict.outcome == Outcome.OPEN)
        .order_by(Conflict.id)
    )
    return tuple(session_of(table).scalars(query))


def accept(table: Table, conflict_id: int, *, expected: int, device: str = "") -> LogEntry:
    """Put the hand of a conflict in the place of the current one; both stay in the log.

    Raises:
        ConflictError: The match has changed.
        UnknownPlaceError: There is no such conflict, or its match is over.
    """
    conflict = _conflict(table, conflict_id)
    key = _accept_key(conflict)
    done = _entry_with(table, key)
    if done is not None:
        return done
    if expected != last_revision(table):
        raise ConflictError(expected, last_revision(table))
    match, hand_no = table.match, conflict.hand_no
    if conflict.match_id != match.id or hand_no > match.hands + 1:
        raise UnknownPlaceError("hand", hand_no, known=match.hands)
    conflict.outcome = Outcome.ACCEPTED
    if hand_no > match.hands:
        return record(table, conflict.facts, key=key, expected=expected, device=device)
    return edit(table, conflict.facts, hand_no=hand_no, key=key, expected=expected, device=device)


def dismiss(table: Table, conflict_id: int) -> None:
    """Keep the current hand; the conflict stays stored, and is no longer open."""
    conflict = _conflict(table, conflict_id)
    if conflict.outcome is Outcome.OPEN:
        conflict.outcome = Outcome.DISMISSED


def _conflict(table: Table, conflict_id: int) -> Conflict:
    conflict = session_of(table).get(Conflict, conflict_id)
    if conflict is None or conflict.table_id != table.id:
        raise UnknownPlaceError("proposal", conflict_id, known=len(conflicts(table)))
    return conflict


def _accept_key(conflict: Conflict) -> str:
    """Key of the entry that accepts a conflict."""
    return f"proposal-{conflict.id}"
