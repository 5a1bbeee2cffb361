"""The matches of many tables: read with two queries, imported from a file."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlalchemy import and_, insert, select, text, true
from sqlalchemy.orm import Session, joinedload

from scoring.match import Match
from store.database import Store
from store.log import last_revision, match_sides
from store.models import LogEntry, Step, Table, TableMatch, session_of
from store.tables import of_codes, with_new_code
from store.timeline import Seating, members_of, played_match, replay, seatings

IMPORT_LOCK = 7_071_131
"""PostgreSQL's advisory lock under which one file at a time is imported."""

IMPORT_BATCH = 200
"""Rows of an imported log that one transaction writes: it takes a few milliseconds."""


@dataclass(frozen=True, kw_only=True)
class PlayedMatch:
    """A match with its hands, as seasons and match files need it."""

    id: str
    """The key of its opening, which stays the same when the match is imported elsewhere."""
    code: str
    """Code of its table."""
    match_no: int
    """Number of the match at its table, from 1."""
    opened_at: datetime
    """When it was opened (UTC)."""
    match: Match
    """The match with its current hands."""
    hands: tuple[LogEntry, ...]
    """The entry of each hand, in the same order."""
    members: tuple[tuple[str, ...], ...] = ()
    """The players of each side at the first hand if sides are teams; otherwise empty."""
    seats: tuple[Seating, ...] = ()
    """The substitutions since, oldest first."""
    best_of: int = 1


def played(
    session: Session, codes: Sequence[str] | None = None, *, match_no: int | None = None
) -> tuple[PlayedMatch, ...]:
    """Return the matches of these tables, or of all, oldest first, without those that were left.

    With `match_no`, only the matches with that number.
    """
    numbered = true() if match_no is None else TableMatch.match_no == match_no
    where = and_(~TableMatch.is_left, of_codes(codes), numbered)
    logs: defaultdict[int, list[LogEntry]] = defaultdict(list)
    entries = (
        select(LogEntry)
        .join(TableMatch, TableMatch.id == LogEntry.match_id)
        .join(Table, Table.id == TableMatch.table_id)
        .where(where)
        .order_by(LogEntry.revision)
    )
    for entry in session.scalars(entries):
        logs[entry.match_id].append(entry)
    matches = (
        select(TableMatch, Table.code)
        .join(Table, Table.id == TableMatch.table_id)
        .where(where)
        .options(joinedload(TableMatch.sides))  # else a query for every 500 matches
        .order_by(TableMatch.opened_at, TableMatch.id)
    )
    found = session.execute(matches).unique()
    return tuple(_played(match, code, logs[match.id]) for match, code in found)


def _played(match: TableMatch, code: str, entries: Sequence[LogEntry]) -> PlayedMatch:
    line = replay(entries)
    return PlayedMatch(
        id=next(entry.key for entry in entries if entry.step is Step.OPEN),
        code=code,
        match_no=match.match_no,
        opened_at=match.opened_at,
        match=played_match(match, line),
        hands=line.now.hands,
        members=members_of(match),
        seats=seatings(line),
        best_of=match.best_of,
    )


def import_match(store: Store, played: PlayedMatch) -> Table | None:
    """Store the match of a file at a new table; return None if it is stored already.

    A long match takes several transactions, and nothing is computed in them, so that no tap waits.
    If the server dies in between, the next import of the same file continues.
    """
    rows, result = [*_log_rows(played)], _result(played)
    with store.writing() as session:
        table = _table_for(session, played, rows, result=result)
        if table is None:
            return None
        is_done = _write_next(session, table, rows)
    while not is_done:
        with store.write(table.code) as table:
            is_done = _write_next(session_of(table), table, rows)
    return table


def _result(played: PlayedMatch) -> TableMatch:
    """Return the row of a match that is imported, with its result."""
    match = played.match
    sides = match_sides(match.names, played.members)
    for side, total in zip(sides, match.totals, strict=True):
        side.total = total
    return TableMatch(
        table_id=0,
        match_no=1,
        rules_json=match.rules.to_dict(),
        opened_at=played.opened_at,
        hands=len(match.hands),
        is_over=match.is_over,
        winner=match.winner,
        best_of=played.best_of,
        sides=sides,
    )


def _table_for(
    session: Session, played: PlayedMatch, rows: Sequence[Mapping[str, Any]], *, result: TableMatch
) -> Table | None:
    """Return a new table with an imported match, or the one whose import was interrupted.

    Return None if the whole match is stored, at any table.
    """
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.execute(text(f"SELECT pg_advisory_xact_lock({IMPORT_LOCK})"))
    opened = select(LogEntry.match_id).where(LogEntry.step == Step.OPEN, LogEntry.key == played.id)
    match_id = session.scalars(opened).first()
    if match_id is None:
        table = with_new_code(session, Table)
        table.opened_at, result.table_id = played.opened_at, table.id
        session.add(result)
        session.flush()
        session.refresh(table, ["match"])
        return table
    of_match = select(TableMatch.table_id).where(TableMatch.id == match_id)
    table = session.scalars(select(Table).where(Table.id == of_match.scalar_subquery())).one()
    written = select(LogEntry.key).where(LogEntry.table_id == table.id)
    keys = session.scalars(written.order_by(LogEntry.revision)).all()
    is_interrupted = table.match.hands == result.hands and len(keys) < len(rows)
    return table if is_interrupted and keys[-1] == rows[len(keys) - 1]["key"] else None


def _write_next(session: Session, table: Table, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Write the next rows of the log of an imported match; return whether they were the last."""
    done = last_revision(table)
    place = {"table_id": table.id, "match_id": table.match.id}
    batch = rows[done : done + IMPORT_BATCH]
    if batch:
        session.execute(
            insert(LogEntry),
            [{**row, **place, "revision": done + n} for n, row in enumerate(batch, start=1)],
        )
    return done + len(batch) >= len(rows)


def _log_rows(played: PlayedMatch) -> Iterator[dict[str, Any]]:
    """Yield the log of an imported match: its opening, changes of seats and rules, and hands."""
    yield _row(Step.OPEN, played.id, made_at=played.opened_at)
    times = [played.opened_at, *(hand.made_at for hand in played.hands)]
    seats: list[tuple[Step, int, dict[str, Any]]] = [
        (Step.SEAT, one.hand_no, {"side": one.side, "members": [*one.members]})
        for one in played.seats
    ]
    sets = [rules.to_dict() for _, rules in played.match.earlier] + [played.match.rules.to_dict()]
    rules = [
        (Step.RULES, hands + 1, {"before": before, "rules": after})
        for (hands, _), (before, after) in zip(played.match.earlier, pairwise(sets), strict=True)
    ]
    changes = [
        _row(
            step,
            f"{played.id}-{step}-{number}",
            hand_no=hand_no,
            facts_json=facts,
            made_at=times[hand_no - 1],
        )
        for number, (step, hand_no, facts) in enumerate([*seats, *rules], start=1)
    ]
    for hand in played.hands:
        yield from (one for one in changes if one["hand_no"] == hand.hand_no)
        yield _row(
            Step.RECORD,
            f"{played.id}-{hand.hand_no}",
            hand_no=hand.hand_no,
            facts_json=hand.facts_json,
            device=hand.device,
            made_at=hand.made_at,
        )
    yield from (one for one in changes if one["hand_no"] > len(played.hands))


def _row(
    step: Step,
    key: str,
    *,
    made_at: datetime,
    hand_no: int | None = None,
    facts_json: dict[str, Any] | None = None,
    device: str = "",
) -> dict[str, Any]:
    """Return a row of the log without its place: every row of a batch has the same columns."""
    return {
        "step": step,
        "key": key,
        "made_at": made_at,
        "hand_no": hand_no,
        "facts_json": facts_json,
        "device": device,
    }
