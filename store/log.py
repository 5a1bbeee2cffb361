"""The append-only log of a table's matches, and replaying it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from sqlalchemy import func, select

from scoring.match import Match
from scoring.presets import read_rules
from scoring.record import HandRecord
from store.models import EntryRecord, MatchRecord, TableRecord, session_of
from store.rows import HandRow, LogRow, MatchRow, ResultRow, Step

_CURRENT = "current matches"
"""What the information of a session keeps: the current match of a table by its key."""


@dataclass(frozen=True)
class Timeline:
    """Every state a match was in since its last change of course, and where it is now."""

    states: tuple[tuple[EntryRecord, ...], ...] = ((),)
    """The hands after each step, oldest first; each hand is the entry that brought it."""
    at: int = 0
    """Which of them stands."""

    @property
    def hands(self) -> tuple[EntryRecord, ...]:
        """The hands that stand."""
        return self.states[self.at]

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step can be taken again."""
        return self.at + 1 < len(self.states)

    def after(self, entry: EntryRecord) -> "Timeline":
        """The timeline with one more line of the log."""
        if entry.step == Step.UNDO:
            return Timeline(self.states, self.at - 1)
        if entry.step == Step.REDO:
            return Timeline(self.states, self.at + 1)
        if entry.step in {Step.OPEN, Step.LEAVE}:
            return self
        index = (entry.hand_no or 1) - 1
        hands = (*self.hands[:index], entry, *self.hands[index + 1 :])
        return Timeline((*self.states[: self.at + 1], hands), self.at + 1)


def replay(entries: Iterable[EntryRecord]) -> Timeline:
    """The timeline that the lines of one match make."""
    line = Timeline()
    for entry in entries:
        line = line.after(entry)
    return line


def current_match(table: TableRecord) -> MatchRecord:
    """The newest match of a table that was not left: asked for once a transaction.

    Within one nobody else changes it, as it sees one state or holds the table.
    """
    known: dict[int, MatchRecord] = session_of(table).info.setdefault(_CURRENT, {})
    if table.id not in known:
        known[table.id] = standing_matches(table, most=1)[0]
    return known[table.id]


def forget_current(table: TableRecord) -> None:
    """Has the current match of a table asked for anew: it may be another now."""
    session_of(table).info.pop(_CURRENT, None)


def standing_matches(
    table: TableRecord, *, before: int | None = None, most: int | None = None
) -> tuple[MatchRecord, ...]:
    """The matches of a table that were not left, the last one last.

    Args:
        table: The table.
        before: Only those with a lower number.
        most: At most so many, the newest of them.
    """
    asked = select(MatchRecord).where(MatchRecord.table_id == table.id, ~MatchRecord.is_left)
    if before is not None:
        asked = asked.where(MatchRecord.number < before)
    found = session_of(table).scalars(asked.order_by(MatchRecord.number.desc()).limit(most))
    return tuple(reversed(found.all()))


def entries_of(match: MatchRecord, *, until: int | None = None) -> tuple[EntryRecord, ...]:
    """The log of a match in order, all of it or up to a revision."""
    asked = select(EntryRecord).where(EntryRecord.match_id == match.id)
    if until is not None:
        asked = asked.where(EntryRecord.revision <= until)
    return tuple(session_of(match).scalars(asked.order_by(EntryRecord.revision)))


def entries_by_match(
    table: TableRecord, matches: Sequence[MatchRecord]
) -> dict[int, list[EntryRecord]]:
    """The log of each of several matches in a row, in order: one question to the database."""
    found: dict[int, list[EntryRecord]] = {match.id: [] for match in matches}
    numbers = [match.number for match in matches] or [0]
    asked = (
        select(EntryRecord)
        .join(MatchRecord, MatchRecord.id == EntryRecord.match_id)
        .where(
            MatchRecord.table_id == table.id,
            MatchRecord.number.between(min(numbers), max(numbers)),
        )
        .order_by(EntryRecord.revision)
    )
    for entry in session_of(table).scalars(asked):
        if entry.match_id in found:  # one between them may have been left
            found[entry.match_id].append(entry)
    return found


def last_revision(table: TableRecord) -> int:
    """The revision of the newest line of a table's log, 0 where there is none yet."""
    newest = select(func.max(EntryRecord.revision)).where(EntryRecord.table_id == table.id)
    return session_of(table).scalars(newest).one() or 0


def hand_row(entry: EntryRecord) -> HandRow:
    """The hand a line of the log brought."""
    return HandRow(
        hand_no=entry.hand_no or 1,
        facts=facts_of(entry),
        revision=entry.revision,
        key=entry.key,
        device=entry.device,
        made_at=entry.made_at,
    )


def facts_of(entry: EntryRecord) -> HandRecord:
    """The facts of a line that brought a hand."""
    return HandRecord.from_dict(entry.facts or {})


def log_rows(match: MatchRecord) -> tuple[LogRow, ...]:
    """The log of a match as the screens see it, each line with the hand that it changed."""
    line, rows = Timeline(), []
    for entry in entries_of(match):
        before, line = line, line.after(entry)
        rows.append(
            LogRow(
                revision=entry.revision,
                match_no=match.number,
                step=Step(entry.step),
                hand_no=_changed(before.hands, line.hands),
                facts=None if entry.facts is None else facts_of(entry),
                device=entry.device,
                made_at=entry.made_at,
            )
        )
    return tuple(rows)


def _changed(before: tuple[EntryRecord, ...], after: tuple[EntryRecord, ...]) -> int | None:
    """The number of the one hand in which two states differ."""
    pairs = enumerate(zip_longest(before, after), start=1)
    return next((number for number, (old, new) in pairs if old is not new), None)


def played(match: MatchRecord, line: Timeline) -> Match:
    """The match that a timeline stands for."""
    return Match(
        rules=read_rules(match.rules),
        names=tuple(side.name for side in match.sides),
        hands=tuple(facts_of(entry) for entry in line.hands),
    )


def note_standing(match: MatchRecord, line: Timeline) -> None:
    """Keeps how a match stands beside it, for lists."""
    stands_now = played(match, line)
    match.hands, match.winner = len(line.hands), stands_now.winner
    for side, total in zip(match.sides, stands_now.totals, strict=True):
        side.total = total


def result_row(match: MatchRecord) -> ResultRow:
    """How a match stands, as it is kept beside it."""
    return ResultRow(
        match_no=match.number,
        opened_at=match.opened_at,
        side_names=tuple(side.name for side in match.sides),
        hands=match.hands,
        totals=tuple(side.total for side in match.sides),
        winner=match.winner,
    )


def match_rows(table: TableRecord, matches: Sequence[MatchRecord]) -> tuple[MatchRow, ...]:
    """Matches replayed, with the revision that the next change of their table must expect."""
    revision = last_revision(table)
    entries = entries_by_match(table, matches)
    return tuple(
        _match_row(match, replay(entries[match.id]), revision=revision) for match in matches
    )


def _match_row(match: MatchRecord, line: Timeline, *, revision: int) -> MatchRow:
    return MatchRow(
        match=played(match, line),
        hands=tuple(hand_row(entry) for entry in line.hands),
        revision=revision,
        match_no=match.number,
        can_undo=line.can_undo,
        can_redo=line.can_redo,
        first_dealer=match.first_dealer,
    )
