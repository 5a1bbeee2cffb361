"""Changing a match: record, edit, undo and redo, and what happens when two devices disagree."""

from dataclasses import dataclass, replace

from sqlalchemy import func, select

from scoring.cards import Card
from scoring.record import HandRecord
from store.errors import ConflictError, NothingToUndoError, UnknownPlaceError
from store.log import (
    Timeline,
    current_match,
    entries_of,
    facts_of,
    hand_row,
    last_revision,
    note_standing,
    played,
    replay,
)
from store.models import EntryRecord, MatchRecord, ProposalRecord, TableRecord, session_of
from store.rows import HandRow, Outcome, ProposalRow, Step
from store.tables import match_numbered


@dataclass(frozen=True, kw_only=True)
class Change:
    """A step somebody asks for."""

    step: Step
    """RECORD, EDIT, UNDO or REDO."""
    key: str
    """Made by the client once for each step: a repeated request carries the same."""
    expected: int
    """The revision the sender had on the screen."""
    device: str
    """Who asks."""
    hand_no: int | None = None
    """The hand to edit; a recorded hand follows the ones the sender saw."""
    facts: HandRecord | None = None
    """The hand; None for undo and redo."""
    match_no: int | None = None
    """The match whose hand is edited; None for the match being played."""


def apply(table: TableRecord, change: Change) -> EntryRecord | ConflictError:
    """Does a step once, or says why it does not stand.

    A conflict is given back, not raised: its proposal must be committed first.

    Raises:
        NothingToUndoError: No step is left.
        UnknownPlaceError: The hand to edit does not exist.
        ScoringError: The match refuses the hand.
    """
    seen = _seen_before(table, change)
    if seen is not None:
        return seen
    match = match_numbered(table, change.match_no)
    line = replay(entries_of(match))
    newest = last_revision(table)
    is_earlier = match.number != current_match(table).number
    oldest = _last_change(match) if is_earlier else newest  # of what the sender may have seen
    if not oldest <= change.expected <= newest:
        return _too_late(table, change)
    stands = replace(_checked(match, line, change=change), expected=newest)
    entry = append(table, match, change=stands)
    note_standing(match, line.after(entry))
    return entry


def stood(done: EntryRecord | ConflictError) -> EntryRecord:
    """What was done; raises the conflict now that its proposal is committed."""
    if isinstance(done, ConflictError):
        raise done
    return done


def append(table: TableRecord, match: MatchRecord, *, change: Change) -> EntryRecord:
    """Writes a step at the end of the log; the database refuses a revision taken already."""
    entry = EntryRecord(
        table_id=table.id,
        revision=change.expected + 1,
        match_id=match.id,
        step=change.step,
        hand_no=change.hand_no,
        facts=None if change.facts is None else change.facts.to_dict(),
        key=change.key,
        device=change.device,
    )
    session_of(table).add(entry)
    session_of(table).flush()
    return entry


def proposal_row(record: ProposalRecord) -> ProposalRow:
    """A proposal as the screens see it."""
    return ProposalRow(
        id=record.id,
        match_no=session_of(record).get_one(MatchRecord, record.match_id).number,
        hand_no=record.hand_no,
        facts=HandRecord.from_dict(record.facts),
        device=record.device,
        made_at=record.made_at,
        outcome=Outcome(record.outcome),
    )


def proposal_key(proposal: ProposalRecord) -> str:
    """The key of the step that accepts a proposal."""
    return f"proposal-{proposal.id}"


def entry_with(table: TableRecord, key: str) -> EntryRecord | None:
    """The step that was made with this key, if it was made."""
    return (
        session_of(table)
        .scalars(
            select(EntryRecord).where(EntryRecord.table_id == table.id, EntryRecord.key == key)
        )
        .one_or_none()
    )


def conflict(
    table: TableRecord, *, expected: int, proposal: ProposalRecord | None
) -> ConflictError:
    """The error that shows what stands beside what came."""
    return ConflictError(
        expected,
        last_revision(table),
        standing=None if proposal is None else _standing(proposal),
        proposal=None if proposal is None else proposal_row(proposal),
    )


def _checked(match: MatchRecord, line: Timeline, *, change: Change) -> Change:
    """The change with its hand number, after the rules have agreed to it."""
    if change.facts is None:
        if not (line.can_undo if change.step is Step.UNDO else line.can_redo):
            raise NothingToUndoError(change.step)
        return change
    count = len(line.hands)
    if change.step is Step.RECORD:
        played(match, line).record(change.facts).score(count)
        return replace(change, hand_no=count + 1)
    if change.hand_no is None or not 1 <= change.hand_no <= count:
        raise UnknownPlaceError("hand", change.hand_no or 0, known=count)
    played(match, line).edit(change.hand_no - 1, change.facts).score(change.hand_no - 1)
    return change


def _seen_before(table: TableRecord, change: Change) -> EntryRecord | ConflictError | None:
    """What this key led to the first time, if it came before."""
    entry = entry_with(table, change.key)
    if entry is not None:
        return entry
    proposal = (
        session_of(table)
        .scalars(
            select(ProposalRecord).where(
                ProposalRecord.table_id == table.id, ProposalRecord.key == change.key
            )
        )
        .one_or_none()
    )
    if proposal is None:
        return None
    accepted = entry_with(table, proposal_key(proposal))
    return accepted or conflict(table, expected=change.expected, proposal=proposal)


def _too_late(table: TableRecord, change: Change) -> EntryRecord | ConflictError:
    """The standing hand when both say the same, else a conflict that keeps what came."""
    if change.facts is None:
        return conflict(table, expected=change.expected, proposal=None)
    match, hand_no = _meant(table, change)
    standing = _entry_at(match, hand_no)
    if standing is not None and _agree(facts_of(standing), change.facts):
        return standing
    if match.number != current_match(table).number and change.match_no is not None:
        return conflict(table, expected=change.expected, proposal=None)  # nobody compares it there
    proposal = ProposalRecord(
        table_id=table.id,
        match_id=match.id,
        hand_no=hand_no,
        facts=change.facts.to_dict(),
        key=change.key,
        device=change.device,
    )
    session_of(table).add(proposal)
    session_of(table).flush()
    return conflict(table, expected=change.expected, proposal=proposal)


def _meant(table: TableRecord, change: Change) -> tuple[MatchRecord, int]:
    """The match and the hand that somebody meant who saw an older revision."""
    if change.match_no is None:
        match = _current_at(table, change.expected)
    else:
        match = match_numbered(table, change.match_no)
    seen = replay(entries_of(match, until=change.expected))
    return match, change.hand_no or len(seen.hands) + 1


def _current_at(table: TableRecord, revision: int) -> MatchRecord:
    """The match that was played at a revision: the newest one opened then and not left."""
    before = (EntryRecord.table_id == table.id, EntryRecord.revision <= revision)
    left = select(EntryRecord.match_id).where(*before, EntryRecord.step == Step.LEAVE)
    newest = select(func.max(EntryRecord.match_id)).where(
        *before, EntryRecord.step == Step.OPEN, EntryRecord.match_id.not_in(left)
    )
    found = session_of(table).scalar(newest)
    return current_match(table) if found is None else session_of(table).get_one(MatchRecord, found)


def _last_change(match: MatchRecord) -> int:
    """The revision of the newest line of a match's log."""
    newest = select(func.max(EntryRecord.revision)).where(EntryRecord.match_id == match.id)
    return session_of(match).scalars(newest).one() or 0


def _entry_at(match: MatchRecord, hand_no: int) -> EntryRecord | None:
    hands = replay(entries_of(match)).hands
    return hands[hand_no - 1] if hand_no <= len(hands) else None


def _standing(proposal: ProposalRecord) -> HandRow | None:
    match = session_of(proposal).get_one(MatchRecord, proposal.match_id)
    entry = _entry_at(match, proposal.hand_no)
    return None if entry is None else hand_row(entry)


def _agree(one: HandRecord, other: HandRecord) -> bool:
    """Whether two devices sent the same hand, whatever they call it and however they sort it."""
    dealers = {facts.dealer for facts in (one, other) if facts.dealer is not None}
    return len(dealers) < 2 and _said(one) == _said(other)


def _said(facts: HandRecord) -> list[tuple[frozenset[Card], int, int]]:
    return [(frozenset(side.pile), side.scope, side.declared) for side in facts.sides]
