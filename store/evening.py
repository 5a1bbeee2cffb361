"""Evenings: many tables under one code, and the append-only log of what was decided there.

The log is kept and replayed as a match's is: RECORD and UNDO entries, never changed or deleted.
Hands stay with their tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, true
from sqlalchemy.orm import Session

from store.errors import ConflictError, NothingToUndoError, TableNotFoundError
from store.models import EveningEntry, Step, StoredEvening, session_of
from store.tables import clean_code, of_link, raise_revision, with_new_code

Facts = dict[str, Any]
"""A decision as JSON: "do", and its data."""


@dataclass(frozen=True, kw_only=True)
class EveningLog:
    """The decisions at an evening that were not undone."""

    entries: tuple[EveningEntry, ...]
    """The entry of each decision, in order; the first opened the evening."""
    revision: int
    """The revision that the next change must expect."""

    @property
    def can_undo(self) -> bool:
        """Whether a decision can be undone; the opening cannot."""
        return len(self.entries) > 1

    @property
    def facts(self) -> tuple[tuple[Facts, datetime], ...]:
        """Each decision, and when it was made."""
        return tuple((entry.facts_json or {}, entry.made_at) for entry in self.entries)


def open_evening(
    session: Session, facts: Facts, *, key: str, link_hash: str | None
) -> StoredEvening:
    """Open an evening under a new code, or return the one that this link opened before."""
    if (known := of_link(session, StoredEvening, link_hash)) is not None:
        return known
    evening = with_new_code(session, StoredEvening)
    evening.link_hash = link_hash
    _append(evening, Step.RECORD, facts, key=key)
    return evening


def find(session: Session, code: str) -> StoredEvening:
    """Return the evening with this code, to read.

    Raises:
        TableNotFoundError: There is none.
    """
    [*found] = newest(session, codes=[code])
    if not found:
        raise TableNotFoundError(clean_code(code))
    return found[0]


def lock(session: Session, code: str) -> StoredEvening:
    """Lock the evening with this code until the transaction ends, and raise its revision.

    Raises:
        TableNotFoundError: There is none.
    """
    return raise_revision(session, StoredEvening, clean_code(code))


def newest(
    session: Session, *, codes: Sequence[str] | None = None, most: int | None = None
) -> tuple[StoredEvening, ...]:
    """Return evenings, the newest first: all, or those with these codes; at most `most`."""
    asked = true() if codes is None else StoredEvening.code.in_(map(clean_code, codes))
    query = select(StoredEvening).where(asked).order_by(StoredEvening.id.desc()).limit(most)
    return tuple(session.scalars(query))


def read(evening: StoredEvening) -> EveningLog:
    """Return the log of an evening."""
    query = select(EveningEntry).where(EveningEntry.evening_id == evening.id)
    kept: list[EveningEntry] = []
    undone: list[EveningEntry] = []
    revision = 0
    for entry in session_of(evening).scalars(query.order_by(EveningEntry.revision)):
        revision = entry.revision
        if entry.step is Step.UNDO:
            undone.append(kept.pop())
        elif entry.step is Step.REDO:
            kept.append(undone.pop())
        else:
            kept.append(entry)
            undone.clear()
    return EveningLog(entries=tuple(kept), revision=revision)


def has_key(evening: StoredEvening, key: str) -> bool:
    """Return whether a decision with this key was made before."""
    query = select(EveningEntry.id).where(
        EveningEntry.evening_id == evening.id, EveningEntry.key == key
    )
    return session_of(evening).scalar(query) is not None


def record(evening: StoredEvening, facts: Facts, *, key: str, expected: int | None = None) -> None:
    """Append a decision; ConflictError if the log is not at the revision `expected`."""
    if expected is not None:
        _check(evening, expected)
    _append(evening, Step.RECORD, facts, key=key)


def undo(evening: StoredEvening, *, key: str, expected: int) -> Facts:
    """Undo the newest decision, and return it; raises as `record`, or NothingToUndoError."""
    _check(evening, expected)
    log = read(evening)
    if not log.can_undo:
        raise NothingToUndoError(Step.UNDO)
    _append(evening, Step.UNDO, None, key=key)
    return log.entries[-1].facts_json or {}


def _check(evening: StoredEvening, expected: int) -> None:
    revision = _last_revision(evening)
    if expected != revision:
        raise ConflictError(expected, revision)


def _last_revision(evening: StoredEvening) -> int:
    query = select(func.max(EveningEntry.revision)).where(EveningEntry.evening_id == evening.id)
    return session_of(evening).scalar(query) or 0


def _append(evening: StoredEvening, step: Step, facts: Facts | None, *, key: str) -> None:
    session = session_of(evening)
    session.add(
        EveningEntry(
            evening_id=evening.id,
            revision=_last_revision(evening) + 1,
            step=step,
            facts_json=facts,
            key=key,
        )
    )
    session.flush()
