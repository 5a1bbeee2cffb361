"""The store: tables, matches, hands, drafts and photos, kept in SQLite or PostgreSQL.

Front door: `Store`. Its methods give the frozen rows of `rows` and raise the leaves of
`StoreError`; each is one transaction. The rooms, each after those that it uses:

1. `rows`          what the store gives back: frozen copies, free of any session
2. `errors`        what can go wrong, a leaf each
3. `processes`     what several processes on one PostgreSQL share: jobs, notices
4. `opening`       where the database lies, its settings, the migrations
5. `schema`        the tables of the database
6. `log`           the append-only log of a table, and its replay
7. `tables`        tables, their codes, the matches opened at them
8. `live`          scope taps, shared drafts and photos of the hand being played
9. `hands`         record, edit, undo and redo; what happens when two devices disagree
10. `proposals`    hands that came too late, kept until somebody compares
11. `uploads`      photos as phones sent them: the queue of the readers
12. `seasons`      the matches of many tables, read by two questions and taken in from a file
13. `transactions` sessions to read, to write, to hold one table
14. `club`         rules of a club's own, who has played there, the cards that a table shows
15. `decks`        decks that tables have taught, for the whole house
16. `inbox`        what phones sent, each thing once
17. `upkeep`       backups, restoring, the end of old photos, what is wrong
18. `store`        one method for each thing that is kept or asked for

A match is its log: RECORD, EDIT, UNDO and REDO lines, never changed or deleted, replayed into the
hands that stand. Each line has a revision, unique in its table; whoever changes a match says which
revision they saw, so of two devices one is first and the other's hand is kept as a proposal.
"""

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
from store.opening import default_url, home
from store.processes.notices import Notice
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
]
