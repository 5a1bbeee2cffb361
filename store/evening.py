"""Evenings: many tables under one code, and the append-only log of what was decided there.

An evening is a row of the tables that has no match. Its log is kept and replayed as a match's is:
RECORD, UNDO and REDO entries, never changed or deleted. What was played stays with its tables.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.errors import ConflictError, NothingToUndoError, TableNotFoundError
from store.log import last_revision
from store.models import LogEntry, Step, Table, session_of
from store.tables import of_link, with_new_code
from store.timeline import Timeline, replay

Facts = dict[str, Any]
"""A decision as JSON: "do", and what that needs to know."""


@dataclass(frozen=True, kw_only=True)
class EveningLog:
    """What was decided at an evening and not taken back."""

    entries: tuple[LogEntry, ...]
    """The entry of each decision, in order; the first opened the evening."""
    revision: int
    """What the next change must expect."""
    can_undo: bool

    @property
    def facts(self) -> tuple[tuple[Facts, datetime], ...]:
        """Each decision, and when it was made."""
        return tuple((entry.facts_json or {}, entry.made_at) for entry in self.entries)


def open_evening(
    session: Session, facts: Facts, *, key: str, link_hash: str | None, device: str = ""
) -> Table:
    """A new evening under a new code; with the same link again, the one that is open already."""
    if (known := of_link(session, link_hash)) is not None:
        return known
    table = with_new_code(session)
    table.is_evening, table.link_hash = True, link_hash
    _append(table, Timeline(), Step.RECORD, facts, key=key, device=device)
    return table


def read(table: Table) -> EveningLog:
    """The log of an evening.

    Raises:
        TableNotFoundError: It is a table.
    """
    line = _timeline(table)
    return EveningLog(
        entries=line.now.hands,
        revision=last_revision(table),
        can_undo=line.at > 1,  # its opening stays
    )


def record(
    table: Table, facts: Facts, *, key: str, expected: int | None = None, device: str = ""
) -> None:
    """Append a decision; ConflictError where the log is not at the revision `expected`."""
    _check(table, expected)
    _append(table, _timeline(table), Step.RECORD, facts, key=key, device=device)


def undo(table: Table, *, key: str, expected: int, device: str = "") -> Facts:
    """Take the newest decision back, and give it; raises as `record`, or NothingToUndoError."""
    _check(table, expected)
    line = _timeline(table)
    if line.at < 2:
        raise NothingToUndoError(Step.UNDO)
    _append(table, line, Step.UNDO, None, key=key, device=device)
    return line.now.hands[-1].facts_json or {}


def _check(table: Table, expected: int | None) -> None:
    revision = last_revision(table)
    if expected not in {None, revision}:
        raise ConflictError(expected or 0, revision)


def _timeline(table: Table) -> Timeline:
    if not table.is_evening:
        raise TableNotFoundError(table.code)
    query = select(LogEntry).where(LogEntry.table_id == table.id).order_by(LogEntry.revision)
    return replay(session_of(table).scalars(query))


def _append(
    table: Table, line: Timeline, step: Step, facts: Facts | None, *, key: str, device: str
) -> None:
    session_of(table).add(
        LogEntry(
            table_id=table.id,
            revision=last_revision(table) + 1,
            step=step,
            hand_no=None if facts is None else len(line.now.hands) + 1,
            facts_json=facts,
            key=key,
            device=device,
        )
    )
    session_of(table).flush()
