"""Evenings as screens show them: opened, read in one transaction, found by their public link."""

from base64 import urlsafe_b64encode
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from store import (
    EveningLog,
    PlayedMatch,
    Session,
    Store,
    StoredEvening,
    evening,
    season,
    tables,
)
from table.access import Credentials, Role, hash_link, new_link
from table.evening.replay import MAX_PLACE, Evening, Plan, evening_of
from table.names import checked_names, clean_name


@dataclass(frozen=True, kw_only=True)
class EveningView:
    """An evening as one device may see it."""

    row: StoredEvening
    evening: Evening
    log: EveningLog
    role: Role

    @property
    def code(self) -> str:
        """The evening's code."""
        return self.row.code

    @property
    def fingerprint(self) -> list[int]:
        """If these numbers change, phones rerun the screen. A live score does not change them."""
        return fingerprint(self.log.revision, self.evening)


def fingerprint(revision: int, shown: Evening) -> list[int]:
    """Return the revision of the log, and how many meetings are over."""
    return [revision, len(shown.outcomes)]


def load_evening(store: Store, code: str, *, credentials: Credentials) -> EveningView:
    """Read an evening in one transaction.

    Raises:
        TableNotFoundError: There is no evening under this code.
        StoreError: It cannot be read.
    """
    with store.reading() as session:
        row = evening.find(session, code)
        log, found = _loaded(store, row.code, row.revision)
        return EveningView(row=row, evening=found, log=log, role=credentials.role_at(row))


@lru_cache(maxsize=16)
def _loaded(store: Store, code: str, revision: int) -> tuple[EveningLog, Evening]:  # noqa: ARG001  each revision is read once
    """Return an evening at a revision. Every change at one of its tables raises its revision."""
    with store.reading() as session:
        log = evening.read(evening.find(session, code))
        found = evening_of(log.facts)
        revisions = tables.revisions(session, _codes(found))
        return log, found.with_matches(
            row for one in revisions.items() for row in _matches(store, *one)
        )


@lru_cache(maxsize=1024)
def _matches(store: Store, code: str, revision: int) -> tuple[PlayedMatch, ...]:  # noqa: ARG001  each revision is read once
    """Return the matches of a table at a revision, so that after a hand only its table is read."""
    with store.reading() as session:
        return season.played(session, [code])


def with_matches(session: Session, log: EveningLog) -> Evening:
    """Return the evening that a log makes, with the matches of its tables."""
    found = evening_of(log.facts)
    return found.with_matches(season.played(session, _codes(found)))


def _codes(found: Evening) -> list[str]:
    return [seat.code for one in found.rounds for seat in one.seats]


def snapshot(store: Store, row: StoredEvening) -> dict[str, Any]:
    """Return what screens of an evening get with every change."""
    log, found = _loaded(store, row.code, row.revision)
    return {
        "revision": row.revision,
        "code": row.code,
        "evening": fingerprint(log.revision, found),
    }


def open_evening(store: Store, plan: Plan, *, link: str) -> StoredEvening:
    """Open an evening, once for each link; holders of the link run it.

    Raises:
        NoNameError, LongNameError: The name cannot be used.
    """
    facts = {"do": "plan", "plan": checked_plan(plan).to_dict()}
    with store.writing() as session:
        key = f"evening-{new_link()}"
        return evening.open_evening(session, facts, key=key, link_hash=hash_link(link))


def checked_plan(plan: Plan) -> Plan:
    """Return a plan as it is stored.

    Raises:
        NoNameError, LongNameError: The name cannot be used.
        UnknownFactError: No rounds are drawn by its system.
    """
    Evening(plan=plan).check_playable()
    [name] = checked_names([plan.name])
    place = clean_name(plan.place)[:MAX_PLACE]
    return replace(plan, name=name, place=place, rules=plan.rules.played_by(2))


def seat_link(link: str, code: str) -> str:
    """Return the scorers' link of a table, derived from the evening's link and the table's code.

    >>> len(seat_link("the evening's", "K7QF")), seat_link("a", "K7QF") == seat_link("a", "H3XQ")
    (22, False)
    """
    return urlsafe_b64encode(sha256(f"{link}/{code}".encode()).digest())[:22].decode()
