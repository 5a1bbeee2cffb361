"""Rows that versions before 0.4 wrote and that are still read."""

from typing import Any
from uuid import uuid4

from playing import match_of
from sqlalchemy import select

from scoring.record import HandRecord
from scoring.rules import Rules
from store import Step, Store, log, session_of
from store.models import Conflict, LogEntry
from store.tables import TableRef
from store.timeline import played_match, replay


def seat(store: Store, table: TableRef, side: int, *members: str) -> None:
    """Let these players sit on a side from the hand being played on."""
    _append(store, table, Step.SEAT, {"side": side, "members": [*members]})


def change_rules_from_now(store: Store, table: TableRef, rules: Rules) -> None:
    """Change the rules from the hand being played on."""
    before = match_of(store, table).match.rules
    _append(store, table, Step.RULES, {"rules": rules.to_dict(), "before": before.to_dict()})


def _append(store: Store, table: TableRef, step: Step, facts: dict[str, Any]) -> None:
    with store.write(table) as found:
        session, match, revision = session_of(found), found.match, log.last_revision(found) + 1
        session.add(
            LogEntry(
                table_id=found.id,
                match_id=match.id,
                revision=revision,
                step=step,
                hand_no=match.hands + 1,
                facts_json=facts,
                key=f"{step}-{revision}",
            )
        )
        session.flush()
        entries = select(LogEntry).where(LogEntry.match_id == match.id).order_by(LogEntry.revision)
        line = replay(session.scalars(entries))
        log.note_result(match, played_match(match, line))


def propose(
    store: Store, table: TableRef, facts: HandRecord, *, hand_no: int = 1, device: str = ""
) -> int:
    """Store a hand that arrived after another phone's. Return its number."""
    with store.write(table) as found:
        session = session_of(found)
        waiting = Conflict(
            table_id=found.id,
            match_id=found.match.id,
            hand_no=hand_no,
            facts_json=facts.to_dict(),
            key=uuid4().hex,
            device=device,
        )
        session.add(waiting)
        session.flush()
        return waiting.id
