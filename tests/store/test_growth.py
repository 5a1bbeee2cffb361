"""What a screen asks of the store costs the same however much is in it: statements, rows read.

Both engines are sent the same statements and have the same indexes; SQLite says what it does.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from engines import sqlite_url
from hands import hand
from playing import command, find_table, match_of, query, read, record_hand, rematch, results_of
from sqlalchemy import Engine, NullPool, create_engine, event, text

from scoring.presets import PRESETS
from store import Store, log, piles, season, tables
from table.access import ANONYMOUS, SYSTEM
from table.actions import execute, parse_request
from table.view import load_view, snapshot_of

SMALL, LARGE = 60, 2_000
"""Matches in two stores."""

MOST_ROWS = 700
"""Rows that anything may read, far fewer than there are in the large store."""

STEPS_A_ROW = 12
"""Steps of SQLite's machine that reading a row takes, about."""

COPIES = (
    "INSERT INTO tables (id, code, revision, opened_at, drawing, "
    "player_hashes) "
    "SELECT id + i, 'G' || i, revision, opened_at, drawing, "
    "player_hashes FROM tables, n WHERE id = 1 AND :is_wide = 1",
    "INSERT INTO matches (id, table_id, number, rules, opened_at, hands, is_over, winner, "
    "best_of, is_left) "
    "SELECT id + i, table_id + i * :is_wide, number + i * (1 - :is_wide), rules, opened_at, "
    "hands, is_over, winner, best_of, is_left FROM matches, n WHERE id = 1",
    "INSERT INTO match_sides (match_id, side, name, total, members) "
    "SELECT match_id + i, side, name, total, members FROM match_sides, n WHERE match_id = 1",
    'INSERT INTO log (table_id, revision, match_id, step, hand_no, facts, "key", device, made_at) '
    "SELECT table_id + i * :is_wide, revision + 10 * i, match_id + i, step, hand_no, facts, "
    "\"key\" || '-' || i, device, made_at FROM log, n WHERE match_id = 1",
)
"""Copy the first match, `n.i` being the number of the copy: to other tables, or at its own."""


def seed(url: str) -> None:
    """Play one match to its end."""
    with closing(Store(url)) as store:
        rules = PRESETS["silver-lake"].changed(target=6)
        table = command(store, tables.open_table, ("Anna", "Bruno"), rules)
        while find_table(store, table.code).winner is None:
            seen = match_of(store, table).revision
            record_hand(store, table, hand(20 + seen), key=f"hand-{seen}", expected=seen)


def grow(url: str, shape: str, *, first: int, last: int) -> None:
    """Add copies of the first match, of these numbers."""
    numbers = (
        f"WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) "
    )
    with create_engine(url, poolclass=NullPool).begin() as connection:
        for copy in COPIES:
            into, rows = copy.split("SELECT ", 1)
            is_wide = {"is_wide": int(shape == "wide")}
            connection.execute(text(f"{into}{numbers}SELECT {rows}"), is_wide)


# What screens and taps ask


def _board(store: Store, code: str) -> None:
    view = load_view(store, code, credentials=ANONYMOUS)
    _ = view.questions, view.match.totals, read(store, log.conflicts, code)


def _history(store: Store, code: str) -> None:
    view = load_view(store, code, credentials=ANONYMOUS)
    _ = view.match.scores, view.match.standings
    read(store, log.steps, code), read(store, piles.photos, code), results_of(store, code, most=50)
    query(store, season.played, [code], match_no=1)


def _tap(store: Store, code: str) -> None:
    table = find_table(store, code)  # the route does so too, to see who may tap
    fields = {"key": uuid4().hex, "match": table.match_no, "hand": table.hands + 1, "side": 0}
    tapped = parse_request(fields | {"do": "scopa", "delta": 1})
    execute(store, table.code, tapped, credentials=SYSTEM)


Question = Callable[[Store, str], object]
"""What a screen or a tap asks of a store; the code names one of its tables."""

QUESTIONS: Mapping[str, Question] = {
    "home: the newest 4 tables": lambda store, _: query(store, tables.newest, most=4),
    "home: one phone's tables": lambda store, code: query(store, tables.newest, codes=[code]),
    "organiser: 50 tables": lambda store, _: query(store, tables.newest, most=50),
    "organiser: the 50 after one": lambda store, code: query(
        store, tables.newest, before=code, most=50
    ),
    "board": _board,
    "history, 50 matches listed": _history,
    "a tap": _tap,
    "what its screens are told": snapshot_of,
    "changes: 200 tables listened to": lambda store, code: query(
        store, tables.revisions, [code] * 200
    ),
}


# What they cost


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that any database is sent meanwhile."""
    statements: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        statements.append(statement)

    event.listen(Engine, "after_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "after_cursor_execute", note)


@contextmanager
def steps_taken() -> Iterator[list[int]]:
    """How many steps SQLite's machine takes meanwhile."""
    steps = [0]

    def step() -> None:
        steps[0] += 1

    def watch(connection: sqlite3.Connection, *_rest: object) -> None:
        connection.set_progress_handler(step, 1)

    event.listen(Engine, "checkout", watch)
    try:
        yield steps
    finally:
        event.remove(Engine, "checkout", watch)


def costs(url: str) -> dict[str, tuple[int, int]]:
    """Return the statements and the rows read of every question."""
    with closing(Store(url)) as store:
        code = query(store, tables.newest, most=40)[-1].code
    found = {}
    for name, question in QUESTIONS.items():
        with closing(Store(url)) as store, counted() as statements, steps_taken() as steps:
            question(store, code)
        found[name] = len(statements), steps[0] // STEPS_A_ROW
    return found


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_queries_of_a_screen_do_not_grow_with_the_store(tmp_path: Path, shape: str) -> None:
    """Wide: many tables with a match each. Long: one table with many matches."""
    database = sqlite_url(tmp_path)
    seed(database)
    grow(database, shape, first=1, last=SMALL)
    small = costs(database)
    grow(database, shape, first=SMALL + 1, last=LARGE)
    for name, (statements, rows) in costs(database).items():
        assert statements <= small[name][0], f"{name}: a statement for each of many"
        assert rows < MOST_ROWS, f"{name}: reads all of many"


def test_a_tap_asks_little(database: str) -> None:
    seed(database)
    with closing(Store(database)) as store:
        code = rematch(store, query(store, tables.newest)[0], after=1).code
        with counted() as statements:
            QUESTIONS["a tap"](store, code)
    asked = [one for one in statements if not one.startswith(("BEGIN", "SELECT pg_notify"))]
    assert len(asked) <= 20, "\n".join(asked)
