"""Databases that earlier releases made open, keep all they hold, and are never left half migrated.

Each on the engine that it was made on.
"""

import signal
import subprocess
import sys
from contextlib import closing

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hands import ROOT, load
from playing import Store
from sqlalchemy import NullPool, create_engine, inspect, text

from assets.deck import CardStyle
from scoring.presets import PRESETS
from store import UploadState, idempotent, log, piles, uploads
from store.models import Base
from table.pile import Fault, Pile
from vision.reading import PhotoProblemKind, Region

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
    """What a database holds: the columns of each of its tables, and their rows."""
    with create_engine(url, poolclass=NullPool).connect() as connection:
        found = inspect(connection)
        return {
            name: (
                [(column["name"], str(column["type"])) for column in found.get_columns(name)],
                sorted(map(repr, connection.execute(text(f'SELECT * FROM "{name}"')))),
            )
            for name in sorted(found.get_table_names())
        }


@pytest.mark.parametrize("release", ["0.1.0", "0.2.0"])
def test_a_database_of_an_earlier_release_keeps_all_it_holds_and_is_played_on(
    release: str, engine: str, empty_place: str
) -> None:
    load(release, engine, empty_place)
    with closing(Store(empty_place)) as store:
        with create_engine(empty_place, poolclass=NullPool).connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, Base.metadata) == []
        [table] = store.list_tables()
        seen = store.match_of(table)
        [first] = seen.match.hands
        assert seen.match.names == ("Anna", "Bruno")
        assert [len(side.pile) for side in first.sides] == [22, 18]
        assert first.sides[0].scope == 1
        assert store.scope_counts(table) == (0, 1)

        assert sum(seen.match.totals) > 0
        [result] = store.results_of(table)
        for row in (result, table):
            kept = (row.hands, row.totals, row.is_over, row.winner)
            assert kept == (1, seen.match.totals, seen.match.is_over, seen.match.winner)

        anna, bruno = (Pile.from_dict(row.draft) for row in store.drafts(table))
        assert store.photo(anna.photos[0])[:2] == b"\xff\xd8"
        assert (anna.detected[0].guess, anna.detected[0].alternatives) == ("7d", ("6d", "x"))
        assert (anna.by_hand, anna.counted, bruno.by_hand) == (("1c", "2c"), 3, ("10s",))
        faults = (
            Fault(photo=1, kind=PhotoProblemKind.BLURRED, region=Region.TOP_LEFT),
            Fault(photo=1, kind=PhotoProblemKind.DARK),
            Fault(photo=1, kind=PhotoProblemKind.COVERED, region=Region.MIDDLE),
        )
        assert anna.faults == (() if release == "0.1.0" else faults)

        store.add_scope(table, 0)
        store.put_photo(table, b"\xff\xd8\xff another", hand_no=2, side=1)
        store.record_hand(table, first, key="next", expected=seen.revision)
        assert store.match_of(table).match.hands == (first, first)


def test_a_migration_that_is_cut_anywhere_leaves_all_of_the_old_schema(
    engine: str, empty_place: str
) -> None:
    load("0.2.0", engine, empty_place)
    before = contents(empty_place)
    with subprocess.Popen(
        [sys.executable, "-c", CUTTER, empty_place],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as cutter:  # fmt: skip
        assert cutter.stdin is not None
        assert cutter.stdout is not None
        for cuts in range(1, 1000, 9):
            cutter.stdin.write(f"{cuts}\n")
            cutter.stdin.flush()
            ended = int(cutter.stdout.readline())
            if ended == 0:  # it was done before so many changes
                break
            assert ended == signal.SIGKILL
            assert contents(empty_place) == before, f"cut after change {cuts}"
    assert cuts > 18, "the migration was cut in several places"
    assert contents(empty_place) != before


def test_a_database_of_main_before_0_3_0_keeps_all_it_holds(engine: str, empty_place: str) -> None:
    load("0011", engine, empty_place)
    with closing(Store(empty_place)) as store:
        other, table = store.list_tables()
        assert (other.is_closed, other.match_no, table.drawing) == (True, 1, CardStyle.FRENCH)
        with store.read(table.code) as read:
            state = log.match_state(read)
            assert [entry.key for entry in state.hands] == ["e1"]
            assert (state.can_undo, state.can_redo, state.revision) == (True, False, 5)
            assert [(one.hand_no, one.device) for one in log.conflicts(read)] == [(1, "Bruno")]
            assert piles.scope_counts(read) == (0, 1)
            assert [draft.side for draft in piles.drafts(read)] == [0, 1]
            assert (state.match.totals, read.totals) == ((3, 2), (3, 2)), "as it was counted then"
            found = {upload.key: upload.state for upload in uploads.of_hand(read, hand_no=2)}
            assert found == {
                "w": UploadState.WAITING, "r": UploadState.REFUSED, "l": UploadState.LATE
            }  # fmt: skip
        with store.write(table.code) as written:
            assert not idempotent(written, "a tap"), "keys of before still count"
            opened = written.rules
            log.change_rules(written, PRESETS["escoba"], key="r", expected=5)
            assert written.totals != (3, 2)
            log.undo(written, key="u6", expected=6)
            again = log.match_state(written)
            assert (again.match, written.rules) == (state.match, opened)
        assert store.photo(1, table=table) == b"\xff\xd8\xff small"
        assert list(store.house_rules()) == ["at home"]
