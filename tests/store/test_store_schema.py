"""Opening a database: migrations, settings, and everything that may be wrong with the place."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from engines import Postgres
from playing import Store
from sqlalchemy import BigInteger, Engine, NullPool, create_engine, event, inspect, make_url, text

from scoring.rules import Rules
from store import (
    StoreCorruptError,
    StoreError,
    StoreForeignError,
    StoreNewerError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
    default_url,
)
from store.database import _rebuilding, open_engine
from store.models import Base


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settebello.db"


def said_to(url: str, *statements: str) -> list[str]:
    """Says something to a database as another program would; gives the names of its tables."""
    with create_engine(url, poolclass=NullPool).begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
        return inspect(connection).get_table_names()


def test_the_migrations_make_exactly_the_models(empty_place: str) -> None:
    opened = open_engine(empty_place)
    with opened.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    opened.dispose()


def test_opening_again_migrates_nothing(file: Path) -> None:
    Store(f"sqlite:///{file}").open_table(("Anna", "Bruno"), Rules())
    before = file.stat().st_mtime_ns, file.read_bytes()
    assert len(Store(f"sqlite:///{file}").list_tables()) == 1
    assert before == (file.stat().st_mtime_ns, file.read_bytes())


def test_a_file_is_in_wal_mode_fully_synchronous_and_holds_its_keys(file: Path) -> None:
    engine = open_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert said == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
    }


def test_a_writer_takes_the_lock_before_it_reads(file: Path) -> None:
    engine = open_engine(f"sqlite:///{file}")
    said: list[str] = []

    @event.listens_for(engine, "before_cursor_execute")
    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        said.append(statement)

    with engine.begin() as connection:
        connection.exec_driver_sql("SELECT 1")
    with engine.execution_options(writes=True).begin() as connection:
        connection.exec_driver_sql("SELECT 2")
    engine.dispose()
    assert said == ["BEGIN", "SELECT 1", "BEGIN IMMEDIATE", "SELECT 2"]


def test_the_place_comes_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_url() == f"sqlite:///{home}/settebello.db"
    monkeypatch.delenv("SETTEBELLO_HOME")
    assert default_url() == f"sqlite:///{Path.home()}/.settebello/settebello.db"
    monkeypatch.setenv("SETTEBELLO_DATABASE_URL", "postgresql+psycopg://db/settebello")
    assert default_url() == "postgresql+psycopg://db/settebello"


def test_any_home_has_an_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    odd = tmp_path / "a?b%20c"
    monkeypatch.setenv("SETTEBELLO_HOME", str(odd))
    Store().close()
    assert (odd / "settebello.db").is_file()


def test_tables_that_hold_matches_can_be_made_anew_by_a_migration(file: Path) -> None:
    store = Store(f"sqlite:///{file}")
    table = store.open_table(("Anna", "Bruno"), Rules())
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
    assert Store(f"sqlite:///{file}").match_of(table).match_no == 1


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


def test_a_full_disk_is_said_to_whoever_runs_the_computer(file: Path) -> None:
    store = Store(f"sqlite:///{file}")

    @event.listens_for(Engine, "checkout")
    def full(connection: sqlite3.Connection, *_rest: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # no page more than there are

    def fill() -> None:
        for _ in range(500):
            store.open_table(("Anna", "Bruno"), Rules())

    try:
        with pytest.raises(StoreUnwritableError, match="disk is full"):
            fill()
    finally:
        event.remove(Engine, "checkout", full)


def test_damage_met_later_is_said_too(file: Path) -> None:
    store = Store(f"sqlite:///{file}")
    table = store.open_table(("Anna", "Bruno"), Rules())
    store.close()
    content = file.read_bytes()
    file.write_bytes(content[:4_096] + b"\xff" * (len(content) - 4_096))
    with pytest.raises(StoreCorruptError):
        store.match_of(table)


def test_another_programs_database_is_said_and_gets_no_table_of_ours(empty_place: str) -> None:
    said_to(empty_place, "CREATE TABLE recipes (id INTEGER)")
    with pytest.raises(StoreForeignError, match="found one holding recipes"):
        Store(empty_place)
    assert said_to(empty_place) == ["recipes"]


def test_another_programs_file_is_left_alone(file: Path) -> None:
    file.parent.mkdir()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")
    connection.close()
    content = file.read_bytes()
    with pytest.raises(StoreForeignError, match="found one holding recipes"):
        Store(f"sqlite:///{file}")
    assert file.read_bytes() == content, "not even its journal mode is changed"


def test_a_newer_schema_is_said_and_left_alone(database: str) -> None:
    Store(database).close()
    said_to(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreNewerError, match=r"found 9999.*update the program") as caught:
        Store(database)
    assert (caught.value.schema, caught.value.known) == ("9999", "0011")


def test_a_server_that_is_away_is_said_and_found_again(postgres: Postgres) -> None:
    with postgres.database(migrated=True) as address, closing(Store(address)) as store:
        table = store.open_table(("Anna", "Bruno"), Rules())
        name = str(make_url(address).database)
        postgres.hang_up(name)
        assert store.add_scope(table, 0) == (1, 0), "lines that broke are made anew"
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgres.hang_up(name)
        with pytest.raises(StoreUnavailableError, match="nothing was changed; try again"):
            store.add_scope(table, 0)
        postgres.say(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert store.add_scope(table, 0) == (2, 0)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(StoreUnwritableError, match="SETTEBELLO_HOME"):
        Store(f"sqlite:///{tmp_path / 'file' / 'settebello.db'}")


def test_a_read_only_place_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(f"sqlite:///{file}").close()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(StoreUnwritableError, match="read-only for this user"):
        Store(f"sqlite:///{file}")


def test_a_folder_in_the_files_place_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreUnwritableError):
        Store(f"sqlite:///{tmp_path}")


def test_a_database_locked_for_too_long_is_said(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.database.BUSY_MS", 50)
    store = Store(f"sqlite:///{file}")
    table = store.open_table(("Anna", "Bruno"), Rules())
    other = sqlite3.connect(file)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailableError, match="nothing was changed; try again"):
        store.add_scope(table, 0)
    other.rollback()
    other.close()
    assert store.add_scope(table, 0) == (1, 0)


@pytest.mark.parametrize("url", ["", "no address", "oracel://db/x"], ids=["empty", "words", "kind"])
def test_an_address_that_cannot_be_used_is_said(url: str) -> None:
    if not url:
        Store(url).close()  # empty means unset: the file in the home folder
        return
    with pytest.raises(StoreUrlError, match="SETTEBELLO_DATABASE_URL"):
        Store(url)


def test_a_driver_that_is_not_installed_is_named() -> None:
    with pytest.raises(StoreUrlError, match="driver pymssql is not installed"):
        Store("mssql+pymssql://db/settebello")


def test_a_password_is_never_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store("postgresql+psycopg://me:secret@127.0.0.1:1/settebello")
    assert "secret" not in str(caught.value)
