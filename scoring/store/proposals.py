"""Hands that came too late to stand, until somebody has compared them."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from scoring.match import HandFacts
from scoring.store.errors import ConflictError, UnknownPlaceError
from scoring.store.hands import Change, apply, conflict, entry_with, proposal_key, proposal_row
from scoring.store.log import current_match, hand_count, last_revision
from scoring.store.rows import Outcome, ProposalRow, Step
from scoring.store.schema import EntryRecord, ProposalRecord, TableRecord


def open_proposals(session: Session, table: TableRecord) -> tuple[ProposalRow, ...]:
    """The proposals of a table that nobody has decided on, oldest first."""
    found = session.scalars(
        select(ProposalRecord)
        .where(ProposalRecord.table_id == table.id, ProposalRecord.outcome == Outcome.OPEN)
        .order_by(ProposalRecord.id)
    )
    return tuple(proposal_row(session, record) for record in found)


def accept(
    session: Session, table: TableRecord, proposal_id: int, *, expected: int, device: str
) -> EntryRecord | ConflictError:
    """Puts a proposal in the place of the hand that stands; both stay in the log.

    Raises:
        UnknownPlaceError: There is no such proposal, or its match is over and done with.
    """
    proposal = _find(session, table, proposal_id)
    done = entry_with(session, table, proposal_key(proposal))
    if done is not None:
        return done
    if expected != last_revision(session, table):
        return conflict(session, table, expected=expected, proposal=proposal)
    match = current_match(session, table)
    count = hand_count(session, match)
    if proposal.match_id != match.id or proposal.hand_no > count + 1:
        raise UnknownPlaceError("hand", proposal.hand_no, known=count)
    proposal.outcome = Outcome.ACCEPTED
    return apply(
        session,
        table,
        Change(
            step=Step.EDIT if proposal.hand_no <= count else Step.RECORD,
            key=proposal_key(proposal),
            expected=expected,
            device=device,
            hand_no=proposal.hand_no,
            facts=HandFacts.from_dict(proposal.facts),
        ),
    )


def dismiss(session: Session, table: TableRecord, proposal_id: int) -> None:
    """Lets the standing hand stand; the proposal is kept, and no longer asked about."""
    proposal = _find(session, table, proposal_id)
    if proposal.outcome == Outcome.OPEN:
        proposal.outcome = Outcome.DISMISSED


def _find(session: Session, table: TableRecord, proposal_id: int) -> ProposalRecord:
    found = session.get(ProposalRecord, proposal_id)
    if found is None or found.table_id != table.id:
        raise UnknownPlaceError("proposal", proposal_id, known=len(open_proposals(session, table)))
    return found
