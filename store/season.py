"""The matches of many tables: read with two queries, imported from a file."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlalchemy import and_, select, text, true
from sqlalchemy.orm import Session, joinedload

from scoring.match import Match
from store.log import match_sides, note_result
from store.models import LogEntry, Step, Table, TableMatch
from store.tables import of_codes, with_new_code
from store.timeline import Seating, members_of, played_match, replay, seatings

IMPORT_LOCK = 7_071_131
"""PostgreSQL's advisory lock that lets one file at a time be imported."""


@dataclass(frozen=True, kw_only=True)
class PlayedMatch:
    """A match with its hands, as queries over many tables and files of matches have it."""

    id: str
    """The key it was opened with: it stays the same when the match is imported elsewhere."""
    code: str
    """Code of its table."""
    match_no: int
    """Number of the match at its table, from 1."""
    opened_at: datetime
    """When it was opened (UTC)."""
    match: Match
    """The match with its current hands."""
    hands: tuple[LogEntry, ...]
    """The entry that brought each of its hands, in the same order."""
    members: tuple[tuple[str, ...], ...] = ()
    """The players of each side at the first hand, where sides are teams; else empty."""
    seats: tuple[Seating, ...] = ()
    """Who took the place of a player since, oldest first."""
    best_of: int = 1


def played(
    session: Session, codes: Sequence[str] | None = None, *, match_no: int | None = None
) -> tuple[PlayedMatch, ...]:
    """The matches of the tables with these codes, or of all, oldest first; none that was left.

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
        logs[entry.match_id or 0].append(entry)
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


def import_matches(
    session: Session, matches: Sequence[PlayedMatch], *, device: str = ""
) -> tuple[Table, ...]:
    """Store matches of a file, those of one table at one new table; gives the new tables.

    A match that is stored already, also under another code, is left out.
    """
    if session.get_bind().dialect.name == "postgresql":  # SQLite's writers queue anyway
        session.execute(text(f"SELECT pg_advisory_xact_lock({IMPORT_LOCK})"))
    known = set(session.scalars(select(LogEntry.key).where(LogEntry.step == Step.OPEN)))
    new: defaultdict[str, list[PlayedMatch]] = defaultdict(list)
    for match in matches:
        if match.id not in known:
            new[match.code].append(match)
            known.add(match.id)
    return tuple(_import_table(session, group, device=device) for group in new.values())


def _import_table(session: Session, matches: Sequence[PlayedMatch], *, device: str) -> Table:
    """A new table with these matches, its log as if they had been played there."""
    table = with_new_code(session)
    table.opened_at = min(match.opened_at for match in matches)
    revision = 0
    for number, played in enumerate(matches, start=1):
        match = TableMatch(
            table_id=table.id,
            match_no=number,
            rules_json=played.match.rules.to_dict(),
            opened_at=played.opened_at,
            best_of=played.best_of,
        )
        match.sides = match_sides(played.match.names, played.members)
        session.add(match)
        session.flush()
        entries = list(_entries(played, device=device))
        for entry in entries:
            revision += 1
            entry.table_id, entry.match_id, entry.revision = table.id, match.id, revision
        note_result(match, played_match(match, replay(entries)))
        session.add_all(entries)
    session.flush()
    session.refresh(table, ["match"])
    return table


def _entries(played: PlayedMatch, *, device: str) -> Iterator[LogEntry]:
    """The log of a match that is imported: opened, seats and rules changed, hands recorded."""
    yield LogEntry(step=Step.OPEN, key=played.id, device=device, made_at=played.opened_at)
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
        LogEntry(
            step=step,
            hand_no=hand_no,
            facts_json=facts,
            key=f"{played.id}-{step}-{number}",
            device=device,
            made_at=times[hand_no - 1],
        )
        for number, (step, hand_no, facts) in enumerate([*seats, *rules], start=1)
    ]
    for hand in played.hands:
        yield from (one for one in changes if one.hand_no == hand.hand_no)
        yield LogEntry(
            step=Step.RECORD,
            hand_no=hand.hand_no,
            facts_json=hand.facts.to_dict(),
            key=f"{played.id}-{hand.hand_no}",
            device=hand.device,
            made_at=hand.made_at,
        )
    yield from (one for one in changes if (one.hand_no or 0) > len(played.hands))
