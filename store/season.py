"""The matches of many tables: read by two questions to the database, taken in from a file."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, and_, select, text, true
from sqlalchemy.orm import Session, joinedload

from store.log import hand_row, note_standing, replay
from store.log import played as replayed
from store.models import EntryRecord, MatchRecord, SideRecord, TableRecord
from store.rows import PlayedRow, Step, TableRow
from store.tables import clean_code, row, with_new_code

IMPORT_LOCK = 7_071_131
"""PostgreSQL's advisory lock that lets one file at a time be taken in."""


def played(
    session: Session, *, codes: Sequence[str] | None, match_no: int | None
) -> tuple[PlayedRow, ...]:
    """The matches of the tables with these codes, or of all; none that was left."""
    asked = and_(~MatchRecord.is_left, of_tables(codes), _numbered(match_no))
    logs: defaultdict[int, list[EntryRecord]] = defaultdict(list)
    lines = (
        select(EntryRecord)
        .join(MatchRecord, MatchRecord.id == EntryRecord.match_id)
        .join(TableRecord, TableRecord.id == MatchRecord.table_id)
        .where(asked)
        .order_by(EntryRecord.revision)
    )
    for entry in session.scalars(lines):
        logs[entry.match_id].append(entry)
    matches = (
        select(MatchRecord, TableRecord.code)
        .join(TableRecord, TableRecord.id == MatchRecord.table_id)
        .where(asked)
        .options(joinedload(MatchRecord.sides))
        .order_by(MatchRecord.opened_at, MatchRecord.id)
    )
    found = session.execute(matches).unique()
    return tuple(_row(match, code, entries=logs[match.id]) for match, code in found)


def take_in(session: Session, matches: Sequence[PlayedRow], *, device: str) -> tuple[TableRow, ...]:
    """Keeps the matches that are not kept yet, those of one table at one new table."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite's writers queue anyway
        session.execute(text(f"SELECT pg_advisory_xact_lock({IMPORT_LOCK})"))
    opened = select(EntryRecord.key).where(EntryRecord.step == Step.OPEN)
    known = set(session.scalars(opened))
    new: defaultdict[str, list[PlayedRow]] = defaultdict(list)
    for match in matches:
        if match.id not in known:
            new[match.code].append(match)
            known.add(match.id)
    return tuple(_keep_table(session, group, device=device) for group in new.values())


def of_tables(codes: Sequence[str] | None) -> ColumnElement[bool]:
    """Whether a table is one of those asked for."""
    return true() if codes is None else TableRecord.code.in_([clean_code(code) for code in codes])


def _numbered(match_no: int | None) -> ColumnElement[bool]:
    """Whether a match is the one asked for, where one is."""
    return true() if match_no is None else MatchRecord.number == match_no


def _row(match: MatchRecord, code: str, *, entries: Sequence[EntryRecord]) -> PlayedRow:
    """A match replayed from its log."""
    line = replay(entries)
    return PlayedRow(
        id=next(entry.key for entry in entries if entry.step == Step.OPEN),
        code=code,
        match_no=match.number,
        opened_at=match.opened_at,
        match=replayed(match, line),
        hands=tuple(hand_row(entry) for entry in line.hands),
    )


def _keep_table(session: Session, matches: Sequence[PlayedRow], *, device: str) -> TableRow:
    """A new table with these matches, its log as if they had been played there."""
    table = with_new_code(session)
    table.opened_at = min(match.opened_at for match in matches)
    entries: list[EntryRecord] = []
    for number, match in enumerate(matches, start=1):
        record = MatchRecord(
            table_id=table.id,
            number=number,
            rules=match.match.rules.to_dict(),
            opened_at=match.opened_at,
        )
        record.sides = [SideRecord(side=i, name=name) for i, name in enumerate(match.match.names)]
        session.add(record)
        session.flush()
        told = list(_lines(match, record, device=device))
        note_standing(record, replay(told))
        entries += told
    for revision, entry in enumerate(entries, start=1):
        entry.revision = revision
    session.add_all(entries)
    session.flush()
    return row(table)


def _lines(match: PlayedRow, record: MatchRecord, *, device: str) -> Iterator[EntryRecord]:
    """The log of a match that was taken in: it was opened, and each of its hands recorded."""
    place = {"table_id": record.table_id, "match_id": record.id}
    yield EntryRecord(**place, step=Step.OPEN, key=match.id, device=device, made_at=match.opened_at)
    for hand in match.hands:
        yield EntryRecord(
            **place,
            step=Step.RECORD,
            hand_no=hand.hand_no,
            facts=hand.facts.to_dict(),
            key=f"{match.id}-{hand.hand_no}",
            device=hand.device,
            made_at=hand.made_at,
        )
