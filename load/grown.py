"""Fills a store with matches that nobody played, quickly: its rows are written as they are kept."""

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from typing import Any

from sqlalchemy import Connection, func, insert, select

from scoring.cards import DECK
from scoring.hand import Side
from scoring.match import Match
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import Step
from store.database import open_engine
from store.models import EntryRecord, MatchRecord, SideRecord, TableRecord

NAMES = ("Anna", "Bruno")
KINDS = 24
"""How many different matches there are; the rest are played alike."""

AT_ONCE = 1_000
"""Matches written in one statement."""

MOST_LINES = 100
"""Places in a table's log that each match takes up; most stay empty."""

BEGAN = datetime(2020, 1, 1, tzinfo=UTC)


@cache
def played(kind: int) -> Match:
    """A match played to its end; the same kind gives the same match."""
    rng = random.Random(kind)
    match = Match(PRESETS["silver-lake"], NAMES)
    while match.winner is None:
        deck, cut = rng.sample(DECK, len(DECK)), rng.randint(12, 28)
        sides = Side("Anna", tuple(deck[:cut]), 1), Side("Bruno", tuple(deck[cut:]), 0)
        match = match.record(HandRecord(sides))
    return match


def grow(url: str, *, tables: int, matches: int) -> None:
    """Adds tables with so many finished matches each to a store, which it makes where needed."""
    engine = open_engine(url)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            first = (connection.scalar(select(func.max(TableRecord.id))) or 0) + 1
            last_match = connection.scalar(select(func.max(MatchRecord.id))) or 0
            ids = range(first, first + tables)
            connection.execute(insert(TableRecord), [_table(number) for number in ids])
            rows = ((table, number) for table in ids for number in range(1, matches + 1))
            for at in range(0, tables * matches, AT_ONCE):
                _add_matches(connection, list(islice(rows, AT_ONCE)), after=last_match + at)
            if connection.dialect.name == "postgresql":  # it counts on, and did not see these
                for name in ("tables", "matches"):
                    newest = f"SELECT setval('{name}_id_seq', max(id)) FROM {name}"
                    connection.exec_driver_sql(newest)
    finally:
        engine.dispose()


def _table(number: int) -> dict[str, Any]:
    return {"id": number, "code": f"G{number:06}", "revision": 1, "opened_at": BEGAN}


def _add_matches(connection: Connection, places: list[tuple[int, int]], *, after: int) -> None:
    """Writes matches, given as their tables and numbers there, with ids that follow `after`."""
    numbered = list(enumerate(places, after + 1))
    connection.execute(
        insert(MatchRecord),
        [_match(match_id, table=table, number=no) for match_id, (table, no) in numbered],
    )
    connection.execute(
        insert(SideRecord), [side for match_id, _ in numbered for side in _sides(match_id)]
    )
    log = (_log(match_id, table=table, number=no) for match_id, (table, no) in numbered)
    connection.execute(insert(EntryRecord), [entry for entries in log for entry in entries])


def _match(match_id: int, *, table: int, number: int) -> dict[str, Any]:
    match = played(match_id % KINDS)
    return {
        "id": match_id,
        "table_id": table,
        "number": number,
        "rules": match.rules.to_dict(),
        "opened_at": BEGAN + timedelta(hours=number),
        "hands": len(match.hands),
        "winner": match.winner,
        "is_left": False,
    }


def _sides(match_id: int) -> Iterator[dict[str, Any]]:
    totals = played(match_id % KINDS).totals
    for side, (name, total) in enumerate(zip(NAMES, totals, strict=True)):
        yield {"match_id": match_id, "side": side, "name": name, "total": total}


def _log(match_id: int, *, table: int, number: int) -> Iterator[dict[str, Any]]:
    """The lines of a match: opened, and each of its hands."""
    facts = _facts(match_id % KINDS)
    for place, hand in enumerate((None, *facts)):
        yield {
            "table_id": table,
            "revision": number * MOST_LINES + place,
            "match_id": match_id,
            "step": Step.OPEN if hand is None else Step.RECORD,
            "hand_no": place or None,
            "facts": hand,
            "key": f"{match_id}-{place}",
            "device": "",
            "made_at": BEGAN + timedelta(hours=number, minutes=5 * place),
        }


@cache
def _facts(kind: int) -> tuple[Mapping[str, Any], ...]:
    return tuple(hand.to_dict() for hand in played(kind).hands)
