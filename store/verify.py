"""Prove that a file is a whole database of this program: its form, its rows and its matches."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, Connection, Engine, LargeBinary, create_engine, select, text
from sqlalchemy import Table as SqlTable
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from sqlalchemy.types import TypeDecorator

from scoring.errors import ScoringError
from scoring.presets import read_stored_rules
from store import evening, log
from store.database import create_newest, newest_schema, place_of, plain_engine, schema_of
from store.errors import (
    BackupUnfitError,
    StoreCorruptError,
    StoreForeignError,
    StoreNewerError,
    StoreOlderError,
)
from store.models import Base, SavedRules, Table, TableMatch

MAX_REVISION = 1_000_000_000
"""The highest revision of a restored table: a change a second reaches it in thirty years."""

_ACTING = """
SELECT CASE WHEN sql LIKE 'CREATE VIRTUAL%' THEN 'virtual table' ELSE lower(type) END || ' ' || name
FROM sqlite_master WHERE NOT (
    (type = 'table' AND sql LIKE 'CREATE TABLE %') OR (type = 'index' AND
    (sql IS NULL OR sql LIKE 'CREATE INDEX %' OR sql LIKE 'CREATE UNIQUE INDEX %')))
UNION ALL
SELECT 'computed column ' || sqlite_master.name || '.' || found.name
FROM sqlite_master, pragma_table_xinfo(sqlite_master.name) AS found
WHERE sqlite_master.type = 'table' AND found.hidden
"""
"""Objects that run statements in an SQLite file; no release of ours had any."""

_FORM = """
SELECT type || ' ' || name, sql FROM sqlite_master
WHERE sql <> '' AND substr(name, 1, 7) <> 'sqlite_'
"""

_UNREADABLE = (
    ScoringError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""What reading rows that this program did not write may raise."""


def connect(file: Path) -> sqlite3.Connection:
    """Connect to a file of unknown origin; the driver begins no transactions."""
    uri = f"{file.resolve().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")  # runs no function that the file names
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def find_damage(file: Path) -> str:
    """Return what SQLite finds wrong with a file, in its own words; empty if it is whole."""
    try:
        with closing(connect(file)) as connection:
            found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            lost = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    if found != "ok":
        return " ".join(found.split())
    return f"a row of {lost[0]} points nowhere" if lost else ""


def check_file(file: Path) -> str:
    """Check that a file is a whole database of ours, and return the schema it has.

    Raises:
        BackupUnfitError: It is not.
    """
    if not file.is_file():
        raise BackupUnfitError(str(file), why="there is none")
    if damage := find_damage(file):
        raise BackupUnfitError(str(file), why=f"it is damaged ({damage})")
    engine = plain_engine(URL.create("sqlite", database=str(file)))
    try:
        with engine.connect() as connection:
            schema = schema_of(connection, place=str(file))
            odd = _odd_form(connection, schema)
    except StoreForeignError as error:
        why = f"it is another program's ({error.tables})"
        raise BackupUnfitError(str(file), why=why) from error
    except StoreNewerError as error:
        why = f"a newer Settebello wrote it (schema {error.schema}, known {error.known})"
        raise BackupUnfitError(str(file), why=why) from error
    except StoreOlderError as error:
        why = f"only commit ff00e88 opens it (schema {error.schema}, oldest here {error.oldest})"
        raise BackupUnfitError(str(file), why=why) from error
    except StoreCorruptError as error:
        raise BackupUnfitError(str(file), why=error.why) from error
    except DBAPIError as error:
        raise BackupUnfitError(str(file), why=f"it cannot be read ({error.orig})") from error
    finally:
        engine.dispose()
    if schema is None:
        raise BackupUnfitError(str(file), why="it is empty")
    if odd:
        raise BackupUnfitError(str(file), why=odd)
    return schema


def check_contents(engine: Engine) -> None:
    """Read every row of a database of the newest schema, and replay every match.

    Raises:
        StoreCorruptError: A row cannot be read, or a match cannot be replayed.
    """
    with Session(engine) as session:
        connection = session.connection()
        odd = (_odd_rows(connection, table) for table in Base.metadata.sorted_tables)
        why = next(filter(None, odd), "") or _odd_play(session)
    if why:
        raise StoreCorruptError(place_of(engine.url), why=why)


# Its form


def _odd_form(connection: Connection, schema: str | None) -> str:
    """Return how the database differs from one that this program makes; empty if it does not."""
    acting = connection.scalar(text(_ACTING))
    if acting is not None:  # it would act on every change
        return f"it holds a {acting}"
    if schema != newest_schema():
        return ""
    found, expected = _form(connection), _newest_form()
    if unknown := sorted(found.keys() - expected.keys()):
        return f"it holds an unknown {unknown[0]}"
    if lost := sorted(expected.keys() - found.keys()):
        return f"it lacks the {lost[0]}"
    for name, clauses in sorted(expected.items()):
        if lost := sorted(clauses - found[name]):
            return f"its {name} lacks: {lost[0]}"
        if unknown := sorted(found[name] - clauses):
            return f"its {name} has the unknown: {unknown[0]:.80}"
    return ""


def _form(connection: Connection) -> dict[str, frozenset[str]]:
    """Return the clauses of each table and index, which is named as "table log"."""
    return {name: _clauses(statement) for name, statement in connection.exec_driver_sql(_FORM)}


def _newest_form() -> dict[str, frozenset[str]]:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        create_newest(connection)
        found = _form(connection)
    engine.dispose()
    return found


def _clauses(statement: str) -> frozenset[str]:
    """Return the clauses of a CREATE statement, in no order: migrations add columns at the end.

    >>> sorted(_clauses('CREATE TABLE "t" (a INTEGER, CONSTRAINT c UNIQUE (a, b))'))
    ['CONSTRAINT c UNIQUE (a, b)', 'CREATE TABLE t', 'a INTEGER']
    """
    head, _, body = " ".join(statement.replace('"', "").split()).partition("(")
    found, depth = [""], 0
    for part in re.split(r"([(),])", body.removesuffix(")")):
        depth += (part == "(") - (part == ")")
        if part == "," and not depth:
            found.append("")
        else:
            found[-1] += part
    return frozenset(clause.strip() for clause in (head, *found))


# Its rows


def _odd_rows(connection: Connection, table: SqlTable) -> str:
    """Return what this program cannot have written into a table; empty if all of it can be read."""
    columns = [one for one in table.columns if not isinstance(one.type, LargeBinary)]
    try:
        for row in connection.execute(select(*columns)):
            for column, value in zip(columns, row, strict=True):
                if not _fits(column, value):
                    return f"it holds {value!r:.40} as {table.name}.{column.name}"
    except _UNREADABLE as error:
        return f"a row of {table.name} cannot be read ({error})"
    return ""


def _fits(column: Column[Any], value: Any) -> bool:
    """Return whether a value, as it was read, is one that this program writes into a column."""
    if value is None:
        return True  # SQLite refuses it in a NOT NULL column
    if isinstance(column.type, JSON):
        return isinstance(value, dict | list)
    kind = column.type
    plain = kind.impl_instance if isinstance(kind, TypeDecorator) else kind
    if not isinstance(value, plain.python_type):
        return False
    if not isinstance(value, int):
        return True
    if column.name in {"revision", "version"}:
        return 1 <= value <= MAX_REVISION
    return -(2**31) <= value < 2**31


def _odd_play(session: Session) -> str:
    """Return what cannot be replayed; empty if all matches, evenings and saved rules can."""
    where = "it"
    try:
        for saved in session.scalars(select(SavedRules)):
            where = f"the rules {saved.name!r:.40}"
            read_stored_rules(saved.rules_json)
        for table in session.scalars(select(Table)):
            where = f"table {table.code:.10}"
            numbers = select(TableMatch.match_no).where(TableMatch.table_id == table.id)
            for number in (None, *session.scalars(numbers)):  # None: the current one
                state = log.match_state(table, number)
                _ = state.match.totals, state.match.ending
        for held in evening.newest(session):
            where = f"evening {held.code:.10}"
            evening.read(held)
    except _UNREADABLE as error:
        return f"{where} cannot be replayed ({error})"
    return ""
