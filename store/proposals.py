"""Hands that came too late to stand, until somebody has compared them."""

from sqlalchemy import select

from scoring.record import HandRecord
from store.errors import ConflictError, UnknownPlaceError
from store.hands import Change, apply, conflict, entry_with, proposal_key, proposal_row
from store.log import current_match, last_revision
from store.models import EntryRecord, ProposalRecord, TableRecord, session_of
from store.rows import Outcome, ProposalRow, Step


def open_proposals(table: TableRecord) -> tuple[ProposalRow, ...]:
    """The proposals of a table's match that nobody has decided on, oldest first."""
    match = current_match(table)
    found = session_of(table).scalars(
        select(ProposalRecord)
        .where(ProposalRecord.match_id == match.id, ProposalRecord.outcome == Outcome.OPEN)
        .order_by(ProposalRecord.id)
    )
    return tuple(proposal_row(record) for record in found)


def accept(
    table: TableRecord, proposal_id: int, *, expected: int, device: str
) -> EntryRecord | ConflictError:
    """Puts a proposal in the place of the hand that stands; both stay in the log.

    Raises:
        UnknownPlaceError: There is no such proposal, or its match is over and done with.
    """
    proposal = _find(table, proposal_id)
    done = entry_with(table, proposal_key(proposal))
    if done is not None:
        return done
    if expected != last_revision(table):
        return conflict(table, expected=expected, proposal=proposal)
    match = current_match(table)
    if proposal.match_id != match.id or proposal.hand_no > match.hands + 1:
        raise UnknownPlaceError("hand", proposal.hand_no, known=match.hands)
    proposal.outcome = Outcome.ACCEPTED
    return apply(
        table,
        Change(
            step=Step.EDIT if proposal.hand_no <= match.hands else Step.RECORD,
            key=proposal_key(proposal),
            expected=expected,
            device=device,
            hand_no=proposal.hand_no,
            facts=HandRecord.from_dict(proposal.facts),
        ),
    )


def dismiss(table: TableRecord, proposal_id: int) -> None:
    """Lets the standing hand stand; the proposal is kept, and no longer asked about."""
    proposal = _find(table, proposal_id)
    if proposal.outcome == Outcome.OPEN:
        proposal.outcome = Outcome.DISMISSED


def _find(table: TableRecord, proposal_id: int) -> ProposalRecord:
    found = session_of(table).get(ProposalRecord, proposal_id)
    if found is None or found.table_id != table.id:
        raise UnknownPlaceError("proposal", proposal_id, known=len(open_proposals(table)))
    return found
