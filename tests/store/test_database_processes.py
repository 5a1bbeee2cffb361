"""The store when several processes use it at once, and when one of them is killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from engines import Postgres
from hands import ROOT, hand
from playing import command, match_of, read, record_hand
from sqlalchemy import Engine, event, make_url

from scoring.rules import Rules
from store import Store, log, piles, tables

pytestmark = pytest.mark.slow

LONG = Rules(target=999)

WRITER = """
import sys
from scoring.cards import DECK
from scoring.record import HandRecord
from scoring.hand import Side
from store import ConflictError, LogEntry, Step, Store, log, piles
url, code, device, count = sys.argv[1:5]
store, sent = Store(url), 0
while sent < int(count):
    with store.read(code) as table:
        seen = log.match_state(table)
    sides = Side("A", DECK[:20], 0), Side("B", DECK[20:], 0)
    facts = HandRecord(sides, dealer=int(device == "two"))  # so that the two never agree
    key = f"{device}-{sent}-{seen.revision}"
    try:
        with store.write(code) as table:
            piles.add_scope(table, 0, device=device)
        with store.write(code) as table:
            entry = LogEntry(step=Step.RECORD, facts_json=facts.to_dict(), key=key, device=device)
            row = log.append(table, entry, expected=seen.revision)
    except ConflictError:
        continue
    print(row.key, flush=True)
    sent += 1
"""
"""Records hands until `count` of its own stand, and prints the key of each that was confirmed."""


def start(url: str, code: str, device: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, url, code, device, str(count)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_two_processes_write_at_once_and_nothing_is_lost(database: str) -> None:
    with closing(Store(database)) as store:
        code = command(store, tables.open_table, ("Anna", "Bruno"), LONG).code
        writers = [start(database, code, device, 5) for device in ("one", "two")]
        said = [writer.communicate(timeout=120) for writer in writers]
        assert [writer.returncode for writer in writers] == [0, 0], said
        confirmed = {key for out, _ in said for key in out.split()}
        assert {row.key for row in match_of(store, code).hands} == confirmed
        assert len(confirmed) == 10
        assert [row.revision for row in read(store, log.steps, code)] == list(range(1, 1 + 1 + 10))
        assert read(store, piles.scope_counts, code) == (0, 0)


def test_several_processes_may_open_an_empty_place_at_once(empty_place: str) -> None:
    program = "import sys; from store import Store; Store(sys.argv[1]).close()"
    command = [sys.executable, "-c", program, empty_place]
    all_of_them = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) for _ in range(3)]
    said = [process.communicate(timeout=60)[1] for process in all_of_them]
    assert [process.returncode for process in all_of_them] == [0, 0, 0], said


@pytest.mark.parametrize("statement", [1, 2])
def test_two_processes_may_create_the_schema_at_once(postgres: Postgres, statement: int) -> None:
    """A reader of an SQLite file holds off whoever makes tables in it."""
    statements = 0

    def another_opens(*_: object) -> None:
        nonlocal statements
        statements += 1
        if statements == statement:
            Store(empty_place).close()

    with postgres.database(migrated=False) as empty_place:
        event.listen(Engine, "after_cursor_execute", another_opens)
        try:
            Store(empty_place).close()
        finally:
            event.remove(Engine, "after_cursor_execute", another_opens)
    assert statements > statement


@pytest.mark.parametrize("pause_s", [0, 0.02])
def test_what_a_killed_writer_had_confirmed_is_there(database: str, pause_s: float) -> None:
    with closing(Store(database)) as store:
        code = command(store, tables.open_table, ("Anna", "Bruno"), LONG).code
    with start(database, code, "phone", 500) as writer:
        assert writer.stdout is not None
        confirmed = [writer.stdout.readline().strip() for _ in range(5)]
        time.sleep(pause_s)  # in another place of its work each time
        os.kill(writer.pid, signal.SIGKILL)
        confirmed += writer.stdout.read().split()
    with closing(Store(database)) as store:
        hands = match_of(store, code).hands
        assert [row.key for row in hands][: len(confirmed)] == confirmed
        assert len(hands) - len(confirmed) in {0, 1}, "at most one was kept and not yet said"
        record_hand(store, code, hand(), key="after", expected=match_of(store, code).revision)
    if make_url(database).get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(make_url(database).database))) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
