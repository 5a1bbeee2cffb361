"""Call a function of the store in a transaction of its own, and play hands at a table."""

import time
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from assets.deck import CardStyle
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Session, Store, log, notify, piles, tables, uploads
from store.models import LogEntry, Step, Table, TableMatch, Upload
from store.tables import TableRef

P = ParamSpec("P")
R = TypeVar("R")


def read(
    store: Store,
    function: Callable[Concatenate[Table, P], R],
    table: TableRef,
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Call a function of a table in a read transaction."""
    with store.read(table) as found:
        return function(found, *args, **kwargs)


def write(
    store: Store,
    function: Callable[Concatenate[Table, P], R],
    table: TableRef,
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Call a function of a table in a write transaction."""
    with store.write(table) as found:
        return function(found, *args, **kwargs)


def query(
    store: Store,
    function: Callable[Concatenate[Session, P], R],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Call a function of a session in a read transaction."""
    with store.reading() as session:
        return function(session, *args, **kwargs)


def command(
    store: Store,
    function: Callable[Concatenate[Session, P], R],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Call a function of a session in a write transaction."""
    with store.writing() as session:
        return function(session, *args, **kwargs)


def find_table(store: Store, code: TableRef) -> Table:
    with store.read(code) as found:
        return found


def revision_of(store: Store, table: TableRef) -> int:
    code = tables.code_of(table)
    with store.reading() as session:
        return tables.revisions(session, [code])[code]


def match_of(store: Store, code: TableRef, match_no: int | None = None) -> log.MatchState:
    """Return the state of a match of a table, of the latest by default."""
    with store.read(code) as table:
        return log.match_state(table, match_no)


def states_at(table: Table) -> tuple[log.MatchState, ...]:
    """Return the state of each match of a table, the first match first."""
    return tuple(log.match_state(table, match.match_no) for match in log.matches(table))


def results_of(store: Store, code: TableRef, **asked: Any) -> tuple[TableMatch, ...]:
    """Return the matches of a table, the newest first."""
    with store.read(code) as table:
        return tuple(reversed(log.matches(table, **asked)))


def hand_entry(
    facts: HandRecord, *, key: str, hand_no: int | None = None, device: str = ""
) -> LogEntry:
    """Return a log entry that records a hand, or edits the one with a number."""
    step = Step.RECORD if hand_no is None else Step.EDIT
    facts_json = facts.to_dict()
    return LogEntry(step=step, hand_no=hand_no, facts_json=facts_json, key=key, device=device)


def record_hand(
    store: Store, code: TableRef, facts: HandRecord, *, expected: int, **entry: Any
) -> LogEntry:
    with store.write(code) as table:
        return log.append(table, hand_entry(facts, **entry), expected=expected)


def edit_hand(
    store: Store,
    code: TableRef,
    facts: HandRecord,
    *,
    expected: int,
    match_no: int | None = None,
    **entry: Any,
) -> LogEntry:
    with store.write(code) as table:
        state = log.match_state(table, match_no)
        return log.append(table, hand_entry(facts, **entry), expected=expected, state=state)


def undo_hand(store: Store, code: TableRef, *, key: str, expected: int) -> log.MatchState:
    with store.write(code) as table:
        log.append(table, LogEntry(step=Step.UNDO, key=key), expected=expected)
        return log.match_state(table)


def redo_hand(store: Store, code: TableRef, *, key: str, expected: int) -> log.MatchState:
    with store.write(code) as table:
        log.append(table, LogEntry(step=Step.REDO, key=key), expected=expected)
        return log.match_state(table)


def change_rules(store: Store, code: TableRef, rules: Rules, *, key: str, expected: int) -> None:
    with store.write(code) as table:
        facts = {"rules": rules.to_dict(), "before": table.rules.to_dict()}
        entry = LogEntry(step=Step.RULES, hand_no=1, facts_json=facts, key=key)
        log.append(table, entry, expected=expected)


def rematch(store: Store, code: TableRef, **asked: Any) -> Table:
    with store.write(code) as table:
        log.rematch(table, **asked)
        return table


def leave_match(store: Store, code: TableRef, **asked: Any) -> Table:
    with store.write(code) as table:
        log.leave_match(table, **asked)
        return table


def open_again(store: Store, code: TableRef) -> None:
    with store.write(code) as table:
        table.closed_at = None


def put_drawing(store: Store, code: TableRef, drawing: CardStyle) -> None:
    """Change the card style of a table."""
    with store.write(code) as table:
        table.drawing = drawing


def photo_at(store: Store, photo_id: int, *, table: TableRef | None = None) -> bytes:
    """Return a photo's file, if it is at the table."""
    with store.reading() as session:
        of = None if table is None else tables.find(session, table)
        return piles.photo(session, photo_id, table=of)


def next_upload(store: Store, **asked: Any) -> tuple[str, Upload, bytes] | None:
    """Return the next photo to read: its table's code, its row and its file."""
    with store.reading() as session:
        found = uploads.next_waiting(session, **asked)
        return None if found is None else (found[0].code, *found)


def tell_stage(store: Store, code: str, upload: int, /, *, stage: str | None) -> None:
    """Notify the screens of a table that a photo's reading reached a stage."""
    with store.writing() as session:
        notify.notify(session, notify.Notification(code=code, upload=upload, stage=stage))


def until(is_so: Callable[[], object], *, seconds: float = 60) -> None:
    """Wait for what another thread or process does."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
