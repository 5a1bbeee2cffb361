"""What a screen asks of the store costs the same however much is in it: statements, rows read."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import Engine, NullPool, create_engine, event, make_url, text

from load.grown import grow
from load.growth import QUESTIONS, Question, counted, main
from store import Store

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


def test_the_command_prints_what_each_screen_costs(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--matches", "30"])
    said = capsys.readouterr().out
    assert "30 tables with 1 matches each" in said
    assert said.count("statements") == 2 * len(QUESTIONS)
