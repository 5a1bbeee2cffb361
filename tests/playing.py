"""The store with short-hands for tests: one call, one transaction."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import store
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    club,
    decks,
    log,
    notify,
    piles,
    retention,
    season,
    tables,
    uploads,
)
from store.log import LogStep, MatchState
from store.models import (
    Conflict,
    Deck,
    DeckPhoto,
    Drawing,
    LogEntry,
    PileDraft,
    ReferenceImage,
    StoredPhoto,
    Table,
    TableDeck,
    TableMatch,
    Upload,
    UploadState,
)
from store.season import PlayedMatch
from store.tables import TableRef


class Store(store.Store):
    """A store with a method for each thing that tests do; each is one transaction."""

    def __init__(self, url: str | None = None) -> None:
        super().__init__(url)
        self.evidence = Evidence(self)
        self.decks = Decks(self)

    @contextmanager
    def one_state(self) -> Iterator[None]:
        with self.reading():
            yield

    @contextmanager
    def once(self, table: TableRef, key: str, *, device: str = "") -> Iterator[bool]:
        with self.write(table) as locked:
            yield tables.idempotent(locked, key, device=device)

    def open_table(self, side_names: Sequence[str], rules: Rules, **how: Any) -> Table:
        with self.writing() as session:
            return tables.open_table(session, side_names, rules, **how)

    def put_link(self, table: TableRef, link_hash: str, *, expected: str | None) -> None:
        with self.write(table) as found:
            tables.put_link(found, link_hash, expected=expected)

    def find_table(self, code: TableRef) -> Table:
        with self.read(code) as found:
            return found

    def list_tables(
        self,
        *,
        codes: Sequence[str] | None = None,
        before: TableRef | None = None,
        since: datetime | None = None,
        most: int | None = None,
    ) -> tuple[Table, ...]:
        with self.reading() as session:
            return tables.newest(session, codes=codes, before=before, since=since, most=most)

    def rematch(self, table: TableRef, *, after: int, **how: Any) -> Table:
        with self.write(table) as found:
            log.rematch(found, after=after, **how)
            return found

    def leave_match(
        self, table: TableRef, *, match_no: int, expected: int, device: str = ""
    ) -> Table:
        with self.write(table) as found:
            log.leave_match(found, match_no=match_no, expected=expected, device=device)
            return found

    def matches_of(self, table: TableRef) -> tuple[MatchState, ...]:
        with self.read(table) as found:
            return log.match_states(found)

    def results_of(
        self, table: TableRef, *, before: int | None = None, most: int | None = None
    ) -> tuple[TableMatch, ...]:
        with self.read(table) as found:
            return tuple(reversed(log.matches(found, before=before, most=most)))

    def played(
        self, codes: Sequence[str] | None = None, *, match_no: int | None = None
    ) -> tuple[PlayedMatch, ...]:
        with self.reading() as session:
            return season.played(session, codes, match_no=match_no)

    def take_in(self, matches: Sequence[PlayedMatch], *, device: str = "") -> tuple[Table, ...]:
        with self.writing() as session:
            return season.import_matches(session, matches, device=device)

    def revision(self, table: TableRef) -> int:
        with self.read(table) as found:
            return found.revision

    def revisions(self, codes: Sequence[str] | None = None) -> dict[str, int]:
        with self.reading() as session:
            return tables.revisions(session, codes)

    def match_of(self, table: TableRef, *, match_no: int | None = None) -> MatchState:
        with self.read(table) as found:
            return log.match_state(found, match_no)

    def log_of(self, table: TableRef, *, match_no: int | None = None) -> tuple[LogStep, ...]:
        with self.read(table) as found:
            return log.steps(found, match_no)

    def record_hand(
        self, table: TableRef, facts: HandRecord, *, key: str, expected: int, device: str = ""
    ) -> LogEntry:
        with self.write(table) as found:
            return log.record(found, facts, key=key, expected=expected, device=device)

    def edit_hand(self, table: TableRef, facts: HandRecord, **how: Any) -> LogEntry:
        with self.write(table) as found:
            return log.edit(found, facts, **how)

    def undo_hand(
        self, table: TableRef, *, key: str, expected: int, device: str = ""
    ) -> MatchState:
        with self.write(table) as found:
            log.undo(found, key=key, expected=expected, device=device)
            return log.match_state(found)

    def redo_hand(
        self, table: TableRef, *, key: str, expected: int, device: str = ""
    ) -> MatchState:
        with self.write(table) as found:
            log.redo(found, key=key, expected=expected, device=device)
            return log.match_state(found)

    def proposals(self, table: TableRef) -> tuple[Conflict, ...]:
        with self.read(table) as found:
            return log.conflicts(found)

    def accept_proposal(
        self, table: TableRef, proposal_id: int, *, expected: int, device: str = ""
    ) -> LogEntry:
        with self.write(table) as found:
            return log.accept(found, proposal_id, expected=expected, device=device)

    def dismiss_proposal(self, table: TableRef, proposal_id: int) -> None:
        with self.write(table) as found:
            log.dismiss(found, proposal_id)

    def add_scope(self, table: TableRef, side: int, **how: Any) -> tuple[int, ...]:
        with self.write(table) as found:
            return piles.add_scope(found, side, **how)

    def scope_counts(self, table: TableRef) -> tuple[int, ...]:
        with self.read(table) as found:
            return piles.scope_counts(found)

    def put_drafts(
        self, table: TableRef, drafts: Mapping[int, Mapping[str, Any]], **how: Any
    ) -> tuple[PileDraft, ...]:
        with self.write(table) as found:
            return piles.put_drafts(found, drafts, **how)

    def drafts(
        self, table: TableRef, *, match_no: int | None = None, hand_no: int | None = None
    ) -> tuple[PileDraft, ...]:
        with self.read(table) as found:
            return piles.drafts(found, match_no=match_no, hand_no=hand_no)

    def put_photo(self, table: TableRef, jpeg: bytes, **how: Any) -> int:
        with self.write(table) as found:
            return piles.add_photo(found, jpeg, **how)

    def photo(self, photo_id: int, *, table: TableRef | None = None) -> bytes:
        with self.reading() as session:
            of = None if table is None else tables.find(session, table)
            return piles.photo(session, photo_id, table=of)

    def photos(
        self, table: TableRef, *, match_no: int | None = None, hand_no: int | None = None
    ) -> tuple[StoredPhoto, ...]:
        with self.read(table) as found:
            return piles.photos(found, match_no=match_no, hand_no=hand_no)

    def house_rules(self) -> dict[str, Rules]:
        with self.reading() as session:
            return club.saved_rules(session)

    def keep_rules(self, rules: Rules) -> None:
        with self.writing() as session:
            club.save_rules(session, rules)

    def forget_rules(self, name: str) -> None:
        with self.writing() as session:
            club.delete_rules(session, name)

    def names(self, codes: Sequence[str] | None = None, *, most: int) -> tuple[str, ...]:
        with self.reading() as session:
            return club.names(session, codes, most=most)

    def drawing_of(self, code: str) -> Drawing:
        with self.reading() as session:
            return club.drawing_of(session, code)

    def put_drawing(self, table: TableRef, drawing: Drawing) -> None:
        with self.write(table) as found:
            found.drawing = drawing

    def put_lending(self, table: TableRef, *, lends: bool) -> None:
        with self.write(table) as found:
            found.lends_photos = lends

    def lenders(self) -> tuple[str, ...]:
        with self.reading() as session:
            return club.sharing_codes(session)

    def close_table(self, table: TableRef) -> None:
        with self.write(table) as found:
            tables.close(found)

    def open_again(self, table: TableRef) -> None:
        with self.write(table) as found:
            found.closed_at = None

    def put_upload(self, table: TableRef, data: bytes, **how: Any) -> int:
        with self.write(table) as found:
            return uploads.add(found, data, **how)

    def uploads(
        self, table: TableRef, *, hand_no: int, match_no: int | None = None
    ) -> tuple[Upload, ...]:
        with self.read(table) as found:
            return uploads.of_hand(found, hand_no=hand_no, match_no=match_no)

    def next_upload(self, *, besides: Collection[str] = ()) -> tuple[str, Upload, bytes] | None:
        with self.reading() as session:
            found = uploads.next_waiting(session, besides=besides)
            return None if found is None else (found[0].code, *found)

    def tell_stage(self, code: str, upload: int, /, *, stage: str | None) -> None:
        with self.writing() as session:
            notify.notify(session, notify.Notification(code=code, upload=upload, stage=stage))

    def listener(
        self, hear: Callable[[notify.Notification | None], None]
    ) -> notify.Listener | None:
        return notify.Listener(self.address, hear) if self.is_shared else None

    def upload_counts(self) -> dict[UploadState, int]:
        with self.reading() as session:
            return uploads.counts(session)

    def settle_upload(
        self,
        table: TableRef,
        upload: int,
        *,
        state: UploadState,
        refusal: Mapping[str, Any] | None = None,
    ) -> None:
        with self.write(table) as found:
            uploads.settle(found, upload, state=state, refusal=refusal)


class Evidence:
    def __init__(self, store: store.Store) -> None:
        self._store = store

    def is_kept(self, photo: int) -> bool:
        with self._store.reading() as session:
            return piles.is_kept(session, photo)

    def forget(self, table: TableRef) -> int:
        with self._store.write(table) as found:
            return retention.delete_photos(found)

    def purge(self, *, before: datetime, at_most: int = retention.PURGE_BATCH) -> int:
        return retention.purge_expired(self._store, before=before, at_most=at_most)

    def leave_nothing(self, *, thoroughly: bool = False) -> bool:
        return retention.vacuum(self._store, thoroughly=thoroughly)


class Decks:
    def __init__(self, store: store.Store) -> None:
        self._store = store

    @contextmanager
    def _writing(self, table: TableRef) -> Iterator[Any]:
        with self._store.writing() as session:
            tables.lock(session, table)
            yield session

    def begin(self, table: TableRef, *, key: str, device: str = "") -> Deck:
        with self._store.write(table) as found:
            return decks.begin(found, key=key, device=device)

    def deck(self, deck: int) -> Deck:
        with self._store.reading() as session:
            return decks.deck(session, deck)

    def offered(self) -> tuple[Deck, ...]:
        with self._store.reading() as session:
            return decks.offered(session)

    def unfinished(self, table: TableRef) -> Deck | None:
        with self._store.read(table) as found:
            return decks.unfinished(found)

    def put_photo(self, table: TableRef, data: bytes, *, deck: int, key: str, name: str) -> int:
        with self._writing(table) as session:
            return decks.add_photo(session, data, deck_id=deck, key=key, name=name)

    def waiting(self, deck: int) -> tuple[DeckPhoto, bytes] | None:
        with self._store.reading() as session:
            return decks.waiting(session, deck)

    def add_views(self, table: TableRef, cards: Sequence[ReferenceImage], *, deck: int) -> None:
        with self._writing(table) as session:
            decks.add_images(session, cards, deck_id=deck)

    def photos(self, deck: int) -> tuple[DeckPhoto, ...]:
        with self._store.reading() as session:
            return decks.photos(session, deck)

    def views(self, deck: int) -> tuple[ReferenceImage, ...]:
        with self._store.reading() as session:
            return decks.images(session, deck)

    def drop_photo(self, table: TableRef, photo: int, *, deck: int) -> None:
        with self._writing(table) as session:
            decks.drop_photo(session, photo, deck_id=deck)

    def keep(self, table: TableRef, *, deck: int, name: str) -> None:
        with self._writing(table) as session:
            decks.keep(session, deck, name=name)

    def forget(self, table: TableRef, *, deck: int) -> None:
        with self._writing(table) as session:
            decks.forget(session, deck)

    def sit_down(self, table: TableRef, deck: int | None, *, learns: bool = False) -> None:
        with self._store.write(table) as found:
            decks.choose(found, deck, learns=learns)

    def seat(self, table: TableRef) -> TableDeck | None:
        with self._store.read(table) as found:
            return decks.table_deck(found)


def store_of_screens() -> Store:
    """The store of the screens under test (conftest.py makes it one with short-hands)."""
    from screens import state

    found = state.store()
    assert isinstance(found, Store)
    return found


def until(is_so: Callable[[], object], *, seconds: float = 60) -> None:
    """Waits for what another thread or process does."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
