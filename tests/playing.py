"""The store with a method for each function that tests call, each in one transaction."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

import store
from assets.deck import CardStyle
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Session, club, evening, log, notify, piles, retention, season, tables, uploads
from store.models import LogEntry, Step, Table, TableMatch, Upload
from store.tables import TableRef

P = ParamSpec("P")
R = TypeVar("R")


def reads(
    function: Callable[Concatenate[Table, P], R],
) -> Callable[Concatenate["Store", TableRef, P], R]:
    """Return a method that calls a function of the store in a read transaction of a table."""

    def method(store: "Store", table: TableRef, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with store.read(table) as found:
            return function(found, *args, **kwargs)

    return method


def writes(
    function: Callable[Concatenate[Table, P], R],
) -> Callable[Concatenate["Store", TableRef, P], R]:
    """Return a method that calls a function of the store in a write transaction of a table."""

    def method(store: "Store", table: TableRef, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with store.write(table) as found:
            return function(found, *args, **kwargs)

    return method


def queries(
    function: Callable[Concatenate[Session, P], R],
) -> Callable[Concatenate["Store", P], R]:
    """Return a method that calls a function of the store in a read transaction."""

    def method(store: "Store", /, *args: P.args, **kwargs: P.kwargs) -> R:
        with store.reading() as session:
            return function(session, *args, **kwargs)

    return method


def changes(
    function: Callable[Concatenate[Session, P], R],
) -> Callable[Concatenate["Store", P], R]:
    """Return a method that calls a function of the store in a write transaction."""

    def method(store: "Store", /, *args: P.args, **kwargs: P.kwargs) -> R:
        with store.writing() as session:
            return function(session, *args, **kwargs)

    return method


def _newest_first(table: Table, /, **asked: Any) -> tuple[TableMatch, ...]:
    return tuple(reversed(log.matches(table, **asked)))


def _rematch(table: Table, /, **asked: Any) -> Table:
    log.rematch(table, **asked)
    return table


def _leave(table: Table, /, **asked: Any) -> Table:
    log.leave_match(table, **asked)
    return table


def hand_entry(
    facts: HandRecord, *, key: str, hand_no: int | None = None, device: str = ""
) -> LogEntry:
    """Return a log entry that records a hand, or edits the one with a number."""
    step = Step.RECORD if hand_no is None else Step.EDIT
    facts_json = facts.to_dict()
    return LogEntry(step=step, hand_no=hand_no, facts_json=facts_json, key=key, device=device)


def _record(table: Table, facts: HandRecord, /, *, expected: int, **entry: Any) -> LogEntry:
    return log.append(table, hand_entry(facts, **entry), expected=expected)


def _edit(
    table: Table,
    facts: HandRecord,
    /,
    *,
    expected: int,
    match_no: int | None = None,
    **entry: Any,
) -> LogEntry:
    state = log.match_state(table, match_no)
    return log.append(table, hand_entry(facts, **entry), expected=expected, state=state)


def _change_rules(table: Table, rules: Rules, /, *, key: str, expected: int) -> LogEntry:
    facts = {"rules": rules.to_dict(), "before": table.rules.to_dict()}
    entry = LogEntry(step=Step.RULES, hand_no=1, facts_json=facts, key=key)
    return log.append(table, entry, expected=expected)


def _undo(table: Table, /, *, key: str, expected: int) -> log.MatchState:
    log.append(table, LogEntry(step=Step.UNDO, key=key), expected=expected)
    return log.match_state(table)


def _redo(table: Table, /, *, key: str, expected: int) -> log.MatchState:
    log.append(table, LogEntry(step=Step.REDO, key=key), expected=expected)
    return log.match_state(table)


def states_at(table: Table, /) -> tuple[log.MatchState, ...]:
    return tuple(log.match_state(table, match.match_no) for match in log.matches(table))


def _next_upload(session: Session, /, **asked: Any) -> tuple[str, Upload, bytes] | None:
    found = uploads.next_waiting(session, **asked)
    return None if found is None else (found[0].code, *found)


class Store(store.Store):
    """A store with a method for each thing that tests do; each is one transaction."""

    open_table = changes(tables.open_table)
    list_tables = queries(tables.newest)
    evenings = queries(evening.newest)
    put_link = writes(tables.put_link)
    close_table = writes(tables.close)
    revisions = queries(tables.revisions)

    match_of = reads(log.match_state)
    matches_of = reads(states_at)
    results_of = reads(_newest_first)
    log_of = reads(log.steps)
    rematch = writes(_rematch)
    leave_match = writes(_leave)
    record_hand = writes(_record)
    edit_hand = writes(_edit)
    change_rules = writes(_change_rules)
    undo_hand = writes(_undo)
    redo_hand = writes(_redo)
    proposals = reads(log.conflicts)

    add_scope = writes(piles.add_scope)
    scope_counts = reads(piles.scope_counts)
    drafts = reads(piles.drafts)
    put_drafts = writes(piles.put_drafts)
    put_photo = writes(piles.add_photo)
    photos = reads(piles.photos)
    is_kept = queries(piles.is_kept)
    forget_photos = writes(retention.delete_photos)
    put_upload = writes(uploads.add)
    upload_counts = queries(uploads.counts)
    next_upload = queries(_next_upload)
    settle_upload = writes(uploads.settle)
    uploads = reads(uploads.of_hand)

    played = queries(season.played)
    import_match = season.import_match
    house_rules = queries(club.saved_rules)
    keep_rules = changes(club.save_rules)
    forget_rules = changes(club.delete_rules)
    names = queries(club.names)

    def find_table(self, code: TableRef) -> Table:
        with self.read(code) as found:
            return found

    def revision(self, table: TableRef) -> int:
        code = tables.code_of(table)
        with self.reading() as session:
            return tables.revisions(session, [code])[code]

    def open_again(self, table: TableRef) -> None:
        with self.write(table) as found:
            found.closed_at = None

    @contextmanager
    def one_state(self) -> Iterator[None]:
        with self.reading():
            yield

    def photo(self, photo_id: int, *, table: TableRef | None = None) -> bytes:
        with self.reading() as session:
            of = None if table is None else tables.find(session, table)
            return piles.photo(session, photo_id, table=of)

    def purge(self, *, before: datetime, at_most: int = retention.PURGE_BATCH) -> int:
        return retention.purge_expired(self, before=before, at_most=at_most)

    def vacuum(self, *, thoroughly: bool = False) -> bool:
        return retention.vacuum(self, thoroughly=thoroughly)

    def put_drawing(self, table: TableRef, drawing: CardStyle) -> None:
        with self.write(table) as found:
            found.drawing = drawing

    def tell_stage(self, code: str, upload: int, /, *, stage: str | None) -> None:
        with self.writing() as session:
            notify.notify(session, notify.Notification(code=code, upload=upload, stage=stage))


def store_of_screens() -> Store:
    """Return the store of the screens under test (conftest.py makes it one with short-hands)."""
    from screens import state

    found = state.store()
    assert isinstance(found, Store)
    return found


def until(is_so: Callable[[], object], *, seconds: float = 60) -> None:
    """Wait for what another thread or process does."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
