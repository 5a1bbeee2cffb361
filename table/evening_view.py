"""Evenings as screens show them: opened, read in one transaction, found by their public link."""

from base64 import urlsafe_b64encode
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from store import (
    EveningLog,
    PlayedMatch,
    Store,
    Table,
    TableNotFoundError,
    evening,
    season,
    session_of,
    tables,
)
from table.access import Credentials, Role, hash_link, new_link
from table.evening import MAX_PLACE, Evening, Plan, evening_of
from table.names import checked_names, clean_name


@dataclass(frozen=True, kw_only=True)
class EveningView:
    """An evening as one device may see it."""

    table: Table
    """Its row: code, link, revision."""
    evening: Evening
    log: EveningLog
    role: Role

    @property
    def code(self) -> str:
        """The evening's code."""
        return self.table.code

    @property
    def fingerprint(self) -> list[int]:
        """A change of these numbers makes a phone rerun; live scores do not."""
        return fingerprint(self.log.revision, self.evening)


def fingerprint(revision: int, shown: Evening) -> list[int]:
    """The revision of the log, and how many meetings are over."""
    return [revision, len(shown.outcomes)]


def load_evening(store: Store, code: str, *, credentials: Credentials) -> EveningView:
    """Reads an evening in one transaction.

    Raises:
        TableNotFoundError: There is no evening under this code.
        StoreError: It cannot be read.
    """
    with store.read(code) as table:
        if not table.is_evening:
            raise TableNotFoundError(code)
        log, found = _loaded(store, table.code, table.revision)
        return EveningView(table=table, evening=found, log=log, role=credentials.role_at(table))


@lru_cache(maxsize=16)
def _loaded(store: Store, code: str, revision: int) -> tuple[EveningLog, Evening]:  # noqa: ARG001  each revision is read once
    """An evening at a revision, which every change at one of its tables raises."""
    with store.read(code) as table:
        log = evening.read(table)
        found = evening_of(log.facts)
        revisions = tables.revisions(session_of(table), _codes(found))
        known = dict(_known(store, code))
        changed = [one for one, at in revisions.items() if known.get(one, (0,))[0] != at]
        known |= {one: (revisions[one], []) for one in changed}
        for row in season.played(session_of(table), changed):
            known[row.code][1].append(row)
        _known(store, code).update(known)
        return log, found.with_matches(row for one in revisions for row in known[one][1])


@lru_cache(maxsize=16)
def _known(store: Store, code: str) -> dict[str, tuple[int, list[PlayedMatch]]]:  # noqa: ARG001  one for each evening
    """The matches of the tables of an evening, each with the revision at which they were read.

    Of a hand that comes, only its table is read again.
    """
    return {}


def with_matches(table: Table, log: EveningLog) -> Evening:
    """The evening that a log makes, with the matches of its tables; in their transaction."""
    found = evening_of(log.facts)
    return found.with_matches(season.played(session_of(table), _codes(found)))


def _codes(found: Evening) -> list[str]:
    return [seat.code for one in found.rounds for seat in one.seats]


def snapshot(store: Store, table: Table) -> dict[str, Any]:
    """What screens of an evening get with every change, as `table.view.snapshot` is for tables."""
    log, found = _loaded(store, table.code, table.revision)
    return {
        "revision": table.revision,
        "code": table.code,
        "evening": fingerprint(log.revision, found),
    }


def open_evening(store: Store, plan: Plan, *, link: str, device: str = "") -> Table:
    """Opens an evening; holders of the link run it. Asked twice with the same link, once.

    Raises:
        NoNameError, LongNameError: It cannot be called so.
    """
    facts = {"do": "plan", "plan": checked_plan(plan).to_dict()}
    with store.writing() as session:
        key = f"evening-{new_link()}"
        return evening.open_evening(
            session, facts, key=key, link_hash=hash_link(link), device=device
        )


def checked_plan(plan: Plan) -> Plan:
    """A plan as it is kept.

    Raises:
        NoNameError, LongNameError: It cannot be called so.
        UnknownFactError: No rounds are drawn by its system.
    """
    Evening(plan=plan).check_playable()
    [name] = checked_names([plan.name])
    place = clean_name(plan.place)[:MAX_PLACE]
    return replace(plan, name=name, place=place, rules=plan.rules.played_by(2))


def seat_link(link: str, code: str) -> str:
    """The scorers' link of a table, from the evening's link and the table's code.

    >>> len(seat_link("the evening's", "K7QF")), seat_link("a", "K7QF") == seat_link("a", "H3XQ")
    (22, False)
    """
    return urlsafe_b64encode(sha256(f"{link}/{code}".encode()).digest())[:22].decode()
