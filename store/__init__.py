"""The store: tables, matches, hands, drafts and photos, kept in SQLite or PostgreSQL.

`Store(url)` opens a database. Work is done in its transactions, by the functions of the modules:

    with store.write(code) as table:  # locked; committed at the end with a higher revision
        if idempotent(table, key):    # the key is written in the same transaction
            ...
    with store.read(code) as table:   # one snapshot
        ...
    with store.reading() as session:  # queries over many tables; store.writing() to change them
        ...

A match is its log: RECORD, EDIT, RULES, UNDO and REDO entries, never changed or deleted, replayed
into the current hands. Each entry has a revision, unique in its table. `log.append` takes an entry
and the revision that the phone showed, so if two phones change a match at once, the second gets a
ConflictError. An evening has its own row and log (`store.evening`).
"""

from sqlalchemy.orm import Session as Session

from store.database import Store as Store
from store.database import default_url as default_url
from store.database import home as home
from store.errors import ConflictError as ConflictError
from store.errors import DroppedRulesError as DroppedRulesError
from store.errors import HandClosedError as HandClosedError
from store.errors import LinkTakenError as LinkTakenError
from store.errors import MatchClosedError as MatchClosedError
from store.errors import PhotoGoneError as PhotoGoneError
from store.errors import QueueFullError as QueueFullError
from store.errors import ScopeBelowZeroError as ScopeBelowZeroError
from store.errors import SettingError as SettingError
from store.errors import StoreBusyError as StoreBusyError
from store.errors import StoreCorruptError as StoreCorruptError
from store.errors import StoreError as StoreError
from store.errors import StoreUnavailableError as StoreUnavailableError
from store.errors import StoreUnwritableError as StoreUnwritableError
from store.errors import StoreUrlError as StoreUrlError
from store.errors import TableNotFoundError as TableNotFoundError
from store.errors import UnknownPlaceError as UnknownPlaceError
from store.evening import EveningLog as EveningLog
from store.log import LogStep as LogStep
from store.log import MatchState as MatchState
from store.models import SAMPLE as SAMPLE
from store.models import Conflict as Conflict
from store.models import LogEntry as LogEntry
from store.models import Outcome as Outcome
from store.models import PileDraft as PileDraft
from store.models import Place as Place
from store.models import Step as Step
from store.models import StoredEvening as StoredEvening
from store.models import StoredPhoto as StoredPhoto
from store.models import Table as Table
from store.models import TableMatch as TableMatch
from store.models import Upload as Upload
from store.models import UploadState as UploadState
from store.models import session_of as session_of
from store.notify import Notification as Notification
from store.season import PlayedMatch as PlayedMatch
from store.tables import idempotent as idempotent
from store.timeline import KeptMatch as KeptMatch
from store.timeline import Seating as Seating
