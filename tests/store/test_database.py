"""Opening a database: migrations, settings, and everything that may be wrong with the place."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from engines import Postgres
from hands import DUMPS
from playing import command, match_of, query, write
from sqlalchemy import BigInteger, NullPool, create_engine, event, inspect, make_url, text

from scoring.rules import Rules
from store import (
    Store,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
    default_url,
    piles,
    tables,
)
from store.database import _rebuilding, open_engine
from store.errors import StoreForeignError, StoreNewerError, StoreOlderError
from store.models import Base

PAIR = ("Anna", "Bruno")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settebello.db"


def say(url: str, *statements: str) -> list[str]:
    """Say something to a database as another program would; gives the names of its tables."""
    with create_engine(url, poolclass=NullPool).begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
        return inspect(connection).get_table_names()


def test_a_migrated_database_has_exactly_the_models(file: Path) -> None:
    """On PostgreSQL, the test of the baseline says so."""
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as old:
        old.executescript((DUMPS / "ff00e88.sqlite.sql").read_text(encoding="utf-8"))
    opened = open_engine(f"sqlite:///{file}")
    with opened.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    opened.dispose()


def test_opening_again_changes_nothing(file: Path) -> None:
    command(Store(f"sqlite:///{file}"), tables.open_table, PAIR, Rules())
    before = file.stat().st_mtime_ns, file.read_bytes()
    assert len(query(Store(f"sqlite:///{file}"), tables.newest)) == 1
    assert before == (file.stat().st_mtime_ns, file.read_bytes())


def test_sqlite_is_synchronous_and_locks_before_reading(file: Path) -> None:
    engine = open_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        for name, value in {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "secure_delete": 1,
            "busy_timeout": 10_000,
        }.items():
            assert connection.exec_driver_sql(f"PRAGMA {name}").scalar() == value, name
    statements: list[str] = []

    @event.listens_for(engine, "before_cursor_execute")
    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        statements.append(statement)

    for how in ({}, {"writes": True}):
        with engine.execution_options(**how).begin() as connection:
            connection.exec_driver_sql("SELECT 1")
    engine.dispose()
    assert statements == ["BEGIN", "SELECT 1", "BEGIN IMMEDIATE", "SELECT 1"]


def test_the_place_comes_from_the_environment(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert default_url() == f"sqlite:///{home}/settebello.db"
    for url in (None, ""):  # empty means unset
        with closing(Store(url)) as store:
            assert store.place == str(home / "settebello.db")
    odd = tmp_path / "a?b%20c"
    monkeypatch.setenv("SETTEBELLO_HOME", str(odd))
    Store().close()
    assert (odd / "settebello.db").is_file()
    monkeypatch.delenv("SETTEBELLO_HOME")
    assert default_url() == f"sqlite:///{Path.home()}/.settebello/settebello.db"
    monkeypatch.setenv("SETTEBELLO_DATABASE_URL", "postgresql+psycopg://db/settebello")
    assert default_url() == "postgresql+psycopg://db/settebello"


def test_a_migration_can_rebuild_tables_that_others_refer_to(file: Path) -> None:
    store = Store(f"sqlite:///{file}")
    table = command(store, tables.open_table, PAIR, Rules())
    store.close()
    engine = open_engine(f"sqlite:///{file}")
    with _rebuilding(engine, str(file)) as connection:
        steps = Operations(MigrationContext.configure(connection))
        with steps.batch_alter_table("matches", recreate="always") as batch:
            batch.alter_column("number", type_=BigInteger())
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    lost = pytest.raises(StoreCorruptError, match="points nowhere")
    with lost, _rebuilding(engine, str(file)) as connection:
        connection.exec_driver_sql("DELETE FROM matches")
    engine.dispose()
    assert match_of(Store(f"sqlite:///{file}"), table).match_no == 1


# What may be wrong


@pytest.mark.parametrize(
    "content",
    [b"this is no database, it is a letter " * 40, b"SQLite format 3\x00" + b"\xff" * 4_096],
    ids=["text", "damaged"],
)
def test_a_file_that_is_no_database_is_said_and_left_alone(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(StoreCorruptError, match="restore a backup") as caught:
        Store(f"sqlite:///{file}")
    assert caught.value.place == str(file)
    assert file.read_bytes() == content


def test_damage_met_later_is_said_too(file: Path) -> None:
    store = Store(f"sqlite:///{file}")
    table = command(store, tables.open_table, PAIR, Rules())
    store.close()
    content = file.read_bytes()
    file.write_bytes(content[:4_096] + b"\xff" * (len(content) - 4_096))
    with pytest.raises(StoreCorruptError):
        match_of(store, table)


def test_another_programs_database_is_left_alone(empty_place: str) -> None:
    say(empty_place, "CREATE TABLE recipes (id INTEGER)")
    file = Path(make_url(empty_place).database or "")
    content = file.is_file() and file.read_bytes()
    with pytest.raises(StoreForeignError, match="found one holding recipes"):
        Store(empty_place)
    assert say(empty_place) == ["recipes"]
    assert content == (file.is_file() and file.read_bytes()), "its journal mode is kept, too"


def test_a_newer_schema_is_said_and_left_alone(database: str) -> None:
    Store(database).close()
    say(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreNewerError, match=r"found 9999.*update the program") as caught:
        Store(database)
    assert (caught.value.schema, caught.value.known) == ("9999", "0017")


@pytest.mark.parametrize("schema", ["0001", "0013"])
def test_a_schema_before_the_baseline_is_refused(database: str, schema: str) -> None:
    Store(database).close()
    say(database, f"UPDATE alembic_version SET version_num = '{schema}'")
    with pytest.raises(StoreOlderError, match=rf"0014 or newer.*found {schema}.*ff00e88"):
        Store(database)
    say(database, "UPDATE alembic_version SET version_num = '0017'")
    Store(database).close()


def test_a_server_that_is_away_is_said_and_found_again(postgres: Postgres) -> None:
    with postgres.database(migrated=True) as address, closing(Store(address)) as store:
        table = command(store, tables.open_table, PAIR, Rules())
        name = str(make_url(address).database)
        postgres.hang_up(name)
        assert write(store, piles.add_scope, table, 0) == (1, 0), (
            "connections that broke are made again"
        )
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgres.hang_up(name)
        with pytest.raises(StoreUnavailableError, match="nothing was changed; try again"):
            write(store, piles.add_scope, table, 0)
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert write(store, piles.add_scope, table, 0) == (2, 0)


def test_a_thread_that_gets_no_connection_is_told_so(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.database.POOL_SIZE", 1)
    monkeypatch.setattr("store.database.POOL_S", 0.05)
    with closing(Store(database)) as store, ThreadPoolExecutor(1) as other:
        with store.reading() as session:
            session.connection()
            with pytest.raises(StoreBusyError, match="in use: nothing was changed; try again"):
                other.submit(query, store, tables.newest).result(timeout=20)
        assert other.submit(query, store, tables.newest).result(timeout=20) == ()
        assert store.error_counts == {"StoreBusyError": 1}


def test_a_database_locked_for_too_long_is_said(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.database.BUSY_MS", 50)
    store = Store(f"sqlite:///{file}")
    table = command(store, tables.open_table, PAIR, Rules())
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="nothing was changed; try again"):
            write(store, piles.add_scope, table, 0)
        other.rollback()
    assert write(store, piles.add_scope, table, 0) == (1, 0)


def test_a_place_that_cannot_be_written_is_said(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(f"sqlite:///{file}").close()
    for place in (file.parent, file / "settebello.db"):  # a folder; below a file
        with pytest.raises(StoreUnwritableError, match="SETTEBELLO_HOME"):
            Store(f"sqlite:///{place}")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(StoreUnwritableError, match="read-only for this user"):
        Store(f"sqlite:///{file}")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("no address", "SETTEBELLO_DATABASE_URL"),
        ("oracel://db/x", "SETTEBELLO_DATABASE_URL"),
        ("mssql+pymssql://db/settebello", "driver pymssql is not installed"),
        ("postgresql+psycopg2://db/settebello", "write postgresql.psycopg"),
    ],
)
def test_an_address_that_cannot_be_used_is_said(url: str, message: str) -> None:
    with pytest.raises(StoreUrlError, match=message):
        Store(url)


def test_a_password_is_never_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store("postgresql+psycopg://me:secret@127.0.0.1:1/settebello")
    assert "secret" not in str(caught.value)
