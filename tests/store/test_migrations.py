"""A database that is migrated from the baseline is never left half migrated."""

import signal
import subprocess
import sys

import pytest
from hands import ROOT, load
from sqlalchemy import NullPool, create_engine, inspect, text

pytestmark = pytest.mark.slow

CUTTER = """
import os, signal, sys
from sqlalchemy import Engine, event
from store import Store

def open_and_die(url, last):
    done = []
    def count(*_):
        done.append(1)
        if len(done) == last:
            os.kill(os.getpid(), signal.SIGKILL)
    @event.listens_for(Engine, "after_cursor_execute")
    def after(_connection, _cursor, statement, *_rest):
        if not statement.startswith(("SELECT", "PRAGMA", "BEGIN")):
            count()
    event.listen(Engine, "commit", count)
    Store(url).close()

for line in sys.stdin:
    child = os.fork()
    if not child:
        open_and_die(sys.argv[1], int(line))
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""
"""For each number read: opens a database and is killed after so many changes, commits among them.

Prints how that process ended.
"""


def contents(url: str) -> dict[str, object]:
    """Return what a database holds: the columns of each of its tables, and their rows."""
    with create_engine(url, poolclass=NullPool).connect() as connection:
        found = inspect(connection)
        return {
            name: (
                [(column["name"], str(column["type"])) for column in found.get_columns(name)],
                sorted(map(repr, connection.execute(text(f'SELECT * FROM "{name}"')))),
            )
            for name in sorted(found.get_table_names())
        }


def test_interrupted_migration_keeps_the_old_schema(engine: str, empty_place: str) -> None:
    load("ff00e88", engine, empty_place)
    before = contents(empty_place)
    with subprocess.Popen(
        [sys.executable, "-c", CUTTER, empty_place],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as cutter:  # fmt: skip
        assert cutter.stdin is not None
        assert cutter.stdout is not None
        for cuts in range(1, 1000):
            cutter.stdin.write(f"{cuts}\n")
            cutter.stdin.flush()
            ended = int(cutter.stdout.readline())
            if ended == 0:  # it was done before so many changes
                break
            assert ended == signal.SIGKILL
            assert contents(empty_place) == before, f"cut after change {cuts}"
    assert cuts > 2, "the migration was cut in several places"
    assert contents(empty_place) != before
