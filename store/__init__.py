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

from store.database import default_url, home
from store.decks import DeckPhotoRow, DeckRow, Seat, TaughtCard, ViewRow
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
from store.notify import Notice
from store.rows import (
    SAMPLE,
    DraftRow,
    Drawing,
    HandRow,
    LogRow,
    MatchRow,
    Outcome,
    PhotoRow,
    PlayedRow,
    ProposalRow,
    ResultRow,
    Step,
    TableRow,
    UploadRow,
    UploadState,
)
from store.store import Store
from store.tables import idempotent

__all__ = [
    "SAMPLE",
    "ConflictError",
    "DeckPhotoRow",
    "DeckRow",
    "DraftRow",
    "Drawing",
    "HandClosedError",
    "HandRow",
    "LinkTakenError",
    "LogRow",
    "MatchBegunError",
    "MatchClosedError",
    "MatchRow",
    "NothingToUndoError",
    "Notice",
    "Outcome",
    "PhotoGoneError",
    "PhotoRefusedError",
    "PhotoRow",
    "PlayedRow",
    "ProposalRow",
    "ResultRow",
    "ScopeBelowZeroError",
    "Seat",
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
    "TableNotFoundError",
    "TableRow",
    "TaughtCard",
    "UnknownPlaceError",
    "UploadRow",
    "UploadState",
    "ViewRow",
    "default_url",
    "home",
    "idempotent",
]
