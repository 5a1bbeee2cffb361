"""Errors of the store. The text of an error is the problem and the way out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, dataclass_transform

from sqlalchemy.exc import DontWrapMixin

from scoring.errors import ScoringError

if TYPE_CHECKING:
    from store.models import PileDraft


@dataclass_transform(eq_default=False)
class StoreError(ScoringError):
    """Root of the store's errors. None of them affects data that was committed before.

    Its subclasses are dataclasses whose fields fill the message.
    """

    message = "expected the store to work: try again"

    def __init_subclass__(cls) -> None:
        dataclass(eq=False)(cls)


# The database


class _PlaceError(StoreError):
    place: str
    """The path of the database, or its address without password."""
    why: str


class StoreUnwritableError(_PlaceError):
    """The folder or file cannot be written."""

    message = (
        "expected to write {place}, but {why}: make it writable, or name another folder "
        "with SETTEBELLO_HOME"
    )


class StoreCorruptError(_PlaceError):
    """The file is not a database, or it is damaged."""

    message = (
        "expected a Settebello database at {place}, but {why}: it was left as it is; "
        "restore a backup or move it away to start an empty one"
    )


class StoreUnavailableError(_PlaceError):
    """The database cannot be reached now."""

    message = "expected an answer from {place}, but {why}: nothing was changed; try again"


class StoreBusyError(StoreUnavailableError):
    """Another session held a lock for too long."""

    message = "expected {place} to be free, but {why}: nothing was changed; try again later"
    why: str = "it is in use"


STORE_FAILURES = (StoreUnavailableError, StoreUnwritableError, StoreCorruptError)
"""Errors of a database that does not work now: clients may send their request again."""


class QueueFullError(StoreError):
    """The queue of a table is full. The phone keeps the photo and sends it again."""

    message = "expected fewer photos of table {code} to wait: send it again once some are read"
    code: str


class AppRunningError(_PlaceError):
    """The database is in use, so it cannot be replaced."""

    message = (
        "expected {place} to be unused, but {why}: nothing was changed; "
        "stop Settebello first, on every machine, and close every other connection"
    )
    why: str = "another program has it open"


class StoreForeignError(StoreError):
    """The database belongs to another program; `tables` names some of its tables."""

    message = (
        "expected a Settebello database at {place}, found one holding {tables}: it was left "
        "as it is; name another with SETTEBELLO_DATABASE_URL"
    )
    place: str
    tables: str


class StoreNewerError(StoreError):
    """A newer version wrote the database. This one knows schemas up to `known`."""

    message = (
        "expected schema {known} or older at {place}, found {schema}: it was written by a "
        "newer Settebello and was left as it is; update the program"
    )
    place: str
    schema: str
    known: str


class StoreOlderError(StoreError):
    """The schema of the database is older than `oldest`, the first that this version opens."""

    message = (
        "expected schema {oldest} or newer at {place}, found {schema}: it was left as it is; "
        "open it with commit ff00e88, the last one that migrates it, then with this version"
    )
    place: str
    schema: str
    oldest: str


class ServerBackupError(StoreError):
    """PostgreSQL databases are not backed up or restored by this program."""

    message = "PostgreSQL has its own backups: use pg_dump and pg_restore (docs/operations.md)"


class StoreUrlError(StoreError):
    """The address of the database is unusable. `why` leaves it out: it may have a password.

    >>> print(StoreUrlError("it cannot be read as an address"))
    expected a database address such as postgresql+psycopg://user@host/name, but it ...
    """

    message = (
        "expected a database address such as postgresql+psycopg://user@host/name, but {why}: "
        "correct SETTEBELLO_DATABASE_URL"
    )
    why: str


class SettingError(StoreError):
    """The environment variable `name` has an invalid value."""

    message = "expected {expected} in {name}, got {came!r:.40}: correct it"
    name: str
    expected: str
    came: str


class UnfitValueError(DontWrapMixin, StoreError):
    """A number or a text that the database cannot store. Sending it again does not help.

    The error has no field for the value: half a character cannot be sent back either.
    """

    message = "expected {expected}: load the page again"
    expected: str


# Backups


class BackupUnfitError(StoreError):
    """A file cannot be restored: it is damaged, or not a backup of Settebello."""

    message = (
        "expected a whole backup at {file}, but {why}: nothing was changed; name another backup"
    )
    file: str
    why: str


class FileStandsError(StoreError):
    """The target of a backup exists already."""

    message = "expected no file at {file}, found one: it was left; name another place"
    file: str


# Tables and matches


class DroppedRulesError(StoreError):
    """The match plays a setting that the rules no longer have. Its hands cannot be scored."""

    message = (
        "this match plays a rule that is no longer scored: its totals stay as they are; "
        "open a new table to play on"
    )


class TableNotFoundError(StoreError):
    """No table has this code."""

    message = "expected the code of an open table, got {code!r}: read it off the board"
    code: str


class LinkTakenError(StoreError):
    """Another phone took the table over, or renewed its scorers' link, first."""

    message = (
        "expected the scorers' link of table {code} as it was, but another phone changed it first: "
        "scan the new one on that phone"
    )
    code: str


class UnknownPlaceError(StoreError):
    """There is no such side, hand, match, photo or conflict (`what`). There are `known`."""

    message = "expected one of {known} {what}s, got {what} {got}: reload the table"
    what: str
    got: int
    known: int


class HandClosedError(StoreError):
    """A request was sent for a hand that is over."""

    message = (
        "expected hand {current}, which is being played, got hand {hand_no}: "
        "look at the table again before repeating it"
    )
    hand_no: int
    current: int


class MatchClosedError(StoreError):
    """A request was sent for a match that is over."""

    message = (
        "expected match {current}, which is being played, got match {match_no}: "
        "look at the table again before repeating it"
    )
    match_no: int
    current: int


class MatchBegunError(StoreError):
    """The match cannot be left: it is the table's first, or has hands."""

    message = (
        "expected a later match without hands, got match {match_no} with {hands}: "
        "undo its hands first"
    )
    match_no: int
    hands: int


class NothingToUndoError(StoreError):
    """There is no step to undo or to redo; `step` is "undo" or "redo"."""

    message = "expected a step to {step}, found none: the match stays as it is"
    step: str


class ScopeBelowZeroError(StoreError):
    """The side has fewer scope than the request takes back."""

    message = (
        "expected to take back at most {count} scope of side {side}, got more: "
        "another device may have taken it back already"
    )
    side: int
    count: int


class PhotoRefusedError(StoreError):
    """The photo is not a JPEG, or too large to store."""

    message = "expected a JPEG of at most {limit:,} bytes, got {size:,} bytes: make it smaller"
    size: int
    limit: int


class PhotoGoneError(StoreError):
    """The photo was deleted, because of its age or by request."""

    message = "expected the picture of photo {photo}, but it was deleted: the cards seen on it stay"
    photo: int


class StaleDraftError(StoreError):
    """Another device changed this draft first. Nothing was written."""

    message = (
        "expected the newest draft of hand {current.hand_no}, side {current.side}, but "
        "{current.device!r} changed it: look at version {current.version} and repeat the change"
    )
    current: "PileDraft"


class ConflictError(StoreError):
    """The match changed before this request arrived. Nothing was stored.

    `expected` is the revision that the sender's screen showed, `revision` the current one.
    """

    message = (
        "expected revision {expected}, the match is at {revision}: another device was first; "
        "look at the table again before repeating the change"
    )
    expected: int
    revision: int
