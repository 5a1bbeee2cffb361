"""The store: tables, matches, hands, drafts and photos, kept in SQLite or PostgreSQL.

`Store(url)` opens a database. Work is done in its transactions, by the functions of the modules:

    with store.write(code) as table:  # locked; committed at the end with a higher revision
        if idempotent(table, key):    # the key is written in the same transaction
            ...
    with store.read(code) as table:   # one snapshot
        ...
    with store.reading() as session:  # queries over many tables; store.writing() to change them
        ...

A match is its log: RECORD, EDIT, UNDO and REDO entries, never changed or deleted, replayed into the
current hands. Each entry has a revision, unique in its table; whoever changes a match says which
revision they saw, so of two devices one is first and the other's hand is kept as a conflict.
"""

from sqlalchemy.orm import Session

from store.database import Store, default_url, home
from store.errors import (
    ConflictError,
    HandClosedError,
    LinkTakenError,
    MatchBegunError,
    MatchClosedError,
    NothingToUndoError,
    PhotoGoneError,
    PhotoRefusedError,
    ScopeBelowZeroError,
    SettingError,
    StaleDraftError,
    StoreCorruptError,
    StoreError,
    StoreForeignError,
    StoreNewerError,
    StoreUnavailableError,
    StoreUnwritableError,
    StoreUrlError,
    TableNotFoundError,
    UnknownPlaceError,
)
from store.log import LogStep, MatchState
from store.models import (
    SAMPLE,
    Conflict,
    Deck,
    DeckPhoto,
    Drawing,
    LogEntry,
    Outcome,
    PileDraft,
    ReferenceImage,
    Step,
    StoredPhoto,
    Table,
    TableDeck,
    TableMatch,
    Upload,
    UploadState,
    session_of,
)
from store.notify import Notification
from store.season import PlayedMatch
from store.tables import idempotent

__all__ = [
    "SAMPLE",
    "Conflict",
    "ConflictError",
    "Deck",
    "DeckPhoto",
    "Drawing",
    "HandClosedError",
    "LinkTakenError",
    "LogEntry",
    "LogStep",
    "MatchBegunError",
    "MatchClosedError",
    "MatchState",
    "NothingToUndoError",
    "Notification",
    "Outcome",
    "PhotoGoneError",
    "PhotoRefusedError",
    "PileDraft",
    "PlayedMatch",
    "ReferenceImage",
    "ScopeBelowZeroError",
    "Session",
    "SettingError",
    "StaleDraftError",
    "Step",
    "Store",
    "StoreCorruptError",
    "StoreError",
    "StoreForeignError",
    "StoreNewerError",
    "StoreUnavailableError",
    "StoreUnwritableError",
    "StoreUrlError",
    "StoredPhoto",
    "Table",
    "TableDeck",
    "TableMatch",
    "TableNotFoundError",
    "UnknownPlaceError",
    "Upload",
    "UploadState",
    "default_url",
    "home",
    "idempotent",
    "session_of",
]
