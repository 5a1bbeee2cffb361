"""The store: tables, matches, hands, drafts and photos, kept in SQLite or PostgreSQL.

Front door: `Store`. Its methods give the frozen rows of `table.store.rows` and raise the leaves
of `StoreError`. How it is built, from the outside in:

    store         one method for each thing the screens do, each one transaction
    tables        tables, codes, matches
    hands         record, edit, undo, redo; what happens when two devices disagree
    proposals     hands that came too late, kept until somebody compares
    live          scope taps, shared drafts, photos
    log           the append-only log of a table and its replay
    transactions  sessions to read, to write, to hold one table
    schema        the tables of the database
    opening       where it lies, its settings, the migrations

A match is its log: RECORD, EDIT, UNDO and REDO lines, never changed or deleted, replayed into the
hands that stand. Each line has a revision, unique in its table; whoever changes a match says which
revision they saw, so of two devices one is first and the other's hand is kept as a proposal.
"""

from table.store.errors import (
    ConflictError,
    HandClosedError,
    MatchBegunError,
    MatchClosedError,
    NothingToUndoError,
    PhotoRefusedError,
    ScopeBelowZeroError,
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
from table.store.opening import default_url, home
from table.store.rows import (
    DraftRow,
    HandRow,
    LogRow,
    MatchRow,
    Outcome,
    PhotoRow,
    ProposalRow,
    Step,
    TableRow,
)
from table.store.store import Store

__all__ = [
    "ConflictError",
    "DraftRow",
    "HandClosedError",
    "HandRow",
    "LogRow",
    "MatchBegunError",
    "MatchClosedError",
    "MatchRow",
    "NothingToUndoError",
    "Outcome",
    "PhotoRefusedError",
    "PhotoRow",
    "ProposalRow",
    "ScopeBelowZeroError",
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
    "UnknownPlaceError",
    "default_url",
    "home",
]
