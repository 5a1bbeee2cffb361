"""What a screen asks of the store costs the same however much is in it: statements, rows read."""

import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import Any
from uuid import uuid4

import pytest
from playing import Store
from sqlalchemy import (
    Connection,
    Engine,
    NullPool,
    create_engine,
    event,
    func,
    insert,
    make_url,
    select,
    text,
)

from scoring.cards import DECK
from scoring.hand import Side
from scoring.match import Match
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import Drawing, Step
from store.database import open_engine
from store.models import LogEntry, MatchSide, Table, TableMatch
from table.access import ANONYMOUS, SYSTEM
from table.actions import execute, parse_request
from table.view import load_view, snapshot_of

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
            first = (connection.scalar(select(func.max(Table.id))) or 0) + 1
            last_match = connection.scalar(select(func.max(TableMatch.id))) or 0
            ids = range(first, first + tables)
            connection.execute(insert(Table), [_table(number) for number in ids])
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
    return {
        "id": number,
        "code": f"G{number:06}",
        "revision": 1,
        "opened_at": BEGAN,
        "drawing": Drawing.ITALIAN,
        "lends_photos": False,
    }


def _add_matches(connection: Connection, places: list[tuple[int, int]], *, after: int) -> None:
    """Writes matches, given as their tables and numbers there, with ids that follow `after`."""
    numbered = list(enumerate(places, after + 1))
    connection.execute(
        insert(TableMatch),
        [_match(match_id, table=table, number=no) for match_id, (table, no) in numbered],
    )
    connection.execute(
        insert(MatchSide), [side for match_id, _ in numbered for side in _sides(match_id)]
    )
    log = (_log(match_id, table=table, number=no) for match_id, (table, no) in numbered)
    connection.execute(insert(LogEntry), [entry for entries in log for entry in entries])


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


def _board(store: Store, code: str) -> None:
    view = load_view(store, code, credentials=ANONYMOUS)
    _ = view.questions, view.match.totals, store.proposals(code)


def _history(store: Store, code: str) -> None:
    view = load_view(store, code, credentials=ANONYMOUS)
    _ = view.match.scores, view.match.standings
    store.log_of(code), store.photos(code), store.results_of(code, most=50)
    store.played([code], match_no=1)


def _tap(store: Store, code: str) -> None:
    table = store.find_table(code)  # the door does so too, to see who may tap
    told = {"key": uuid4().hex, "match": table.match_no, "hand": table.hands + 1, "side": 0}
    tapped = parse_request(told | {"do": "scopa", "delta": 1})
    execute(store, table.code, tapped, credentials=SYSTEM)


def _heard(store: Store, code: str) -> None:
    snapshot_of(store, code)


Question = Callable[[Store, str], object]
"""What a screen or a tap asks of a store; the code names one of its tables."""

QUESTIONS: MappingProxyType[str, Question] = MappingProxyType(
    {
        "home: the newest 4 tables": lambda store, _: store.list_tables(most=4),
        "home: one phone's tables": lambda store, code: store.list_tables(codes=[code]),
        "organiser: 50 tables": lambda store, _: store.list_tables(most=50),
        "organiser: the 50 after one": lambda store, code: store.list_tables(before=code, most=50),
        "board": _board,
        "history, 50 matches listed": _history,
        "a tap": _tap,
        "what its screens are told": _heard,
        "changes: 200 tables listened to": lambda store, code: store.revisions([code] * 200),
    }
)
"""What screens and taps ask."""


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that any database is sent meanwhile."""
    said: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        said.append(statement)

    event.listen(Engine, "after_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(Engine, "after_cursor_execute", note)


SMALL, LARGE = 60, 10_000
"""Matches in two stores."""

STEPS_A_ROW = 12
"""Steps of SQLite's machine that reading a row takes, about."""


def work_of(question: Question, *, url: str, code: str) -> int:
    """The rows that a question makes the database read."""
    is_sqlite = make_url(url).get_backend_name() == "sqlite"
    return (_steps if is_sqlite else _rows)(question, url=url, code=code)


def _steps(question: Question, *, url: str, code: str) -> int:
    """Rows read by SQLite, reckoned from the steps of its machine."""
    taken = 0

    def step() -> None:
        nonlocal taken
        taken += 1

    def watch(connection: sqlite3.Connection, *_rest: object) -> None:
        connection.set_progress_handler(step, 1)

    with closing(Store(url)) as store:
        event.listen(Engine, "checkout", watch)
        try:
            question(store, code)
        finally:
            event.remove(Engine, "checkout", watch)
    return taken // STEPS_A_ROW


def _rows(question: Question, *, url: str, code: str) -> int:
    """Rows read by PostgreSQL, as it counts them itself."""
    before = _read_so_far(url)
    with closing(Store(url)) as store:
        question(store, code)
    return _read_so_far(url) - before


def _read_so_far(url: str) -> int:
    """The rows that were read since the database was made, by all who have hung up."""
    others = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    read = text(
        "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int FROM pg_stat_user_tables"
    )
    with create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect() as asking:
        while (asking.scalar(others) or 0) > 1:
            pass
        asking.execute(text("SELECT pg_stat_clear_snapshot()"))
        return int(asking.scalar(read) or 0)


@pytest.fixture(params=["wide", "long"])
def shape(request: pytest.FixtureRequest) -> str:
    """Many tables with a match each, or one table with many matches."""
    return str(request.param)


def costs(url: str, *, shape: str, matches: int) -> Iterator[tuple[str, int, int]]:
    """The statements and the rows read of every question, in a store grown to so many matches."""
    with closing(Store(url)) as store:
        stand = len(store.list_tables()) if shape == "wide" else 0
        grow(url, tables=matches - stand if shape == "wide" else 1,
             matches=1 if shape == "wide" else matches)  # fmt: skip
        with create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect() as line:
            line.execute(text("ANALYZE"))  # as every database does by itself in the end
        code = store.list_tables(most=40)[-1].code
    for name, question in QUESTIONS.items():
        with closing(Store(url)) as store, counted() as said:
            question(store, code)
        yield name, len(said), work_of(question, url=url, code=code)


@pytest.mark.slow
def test_what_a_screen_asks_costs_the_same_in_a_store_of_many_matches(
    database: str, shape: str
) -> None:
    small = list(costs(database, shape=shape, matches=SMALL))
    large = list(costs(database, shape=shape, matches=LARGE))
    for (name, statements, _), (_, of_many, rows) in zip(small, large, strict=True):
        print(f"{name}: {of_many} statements, {rows} rows")
        assert of_many <= statements, f"{name}: a statement for each of many"
        assert rows < 700, f"{name}: reads all of many"


def test_a_tap_asks_little(database: str) -> None:
    grow(database, tables=1, matches=1)
    with closing(Store(database)) as store, counted() as said:
        [table] = store.list_tables()
        said.clear()
        QUESTIONS["a tap"](store, table.code)
    asked = [one for one in said if not one.startswith(("BEGIN", "SELECT pg_notify"))]
    assert len(asked) <= 20, "\n".join(asked)
