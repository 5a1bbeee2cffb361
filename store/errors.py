"""What can go wrong in the store. `str(error)` says what was expected, what came, what to do."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scoring.errors import ScoringError

if TYPE_CHECKING:
    from store.models import Conflict, LogEntry, PileDraft


@dataclass(eq=False)
class StoreError(ScoringError):
    """Root of the store's errors. Nothing that was confirmed before is affected by one."""

    message: ClassVar[str] = "expected the store to work: try again"
    """Text for the log and the console, filled from the fields."""

    def __str__(self) -> str:
        return self.message.format_map(vars(self))


@dataclass(eq=False)
class StoreUnwritableError(StoreError):
    """The folder or file `place` cannot be written."""

    message = (
        "expected to write {place}, but {why}: make it writable, or name another folder "
        "with SETTEBELLO_HOME"
    )
    place: str
    why: str


@dataclass(eq=False)
class StoreCorruptError(StoreError):
    """The file is not a database, or a damaged one."""

    message = (
        "expected a Settebello database at {place}, but {why}: it was left as it is; "
        "restore a backup or move it away to start an empty one"
    )
    place: str
    why: str


@dataclass(eq=False)
class StoreForeignError(StoreError):
    """The database belongs to another program; `found` names its tables."""

    place: str
    found: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"expected a Settebello database at {self.place}, found one holding "
            f"{', '.join(self.found[:5])}: it was left as it is; "
            "name another with SETTEBELLO_DATABASE_URL"
        )


@dataclass(eq=False)
class StoreNewerError(StoreError):
    """The database was written by a newer Settebello."""

    message = (
        "expected schema {known} or older at {place}, found {schema}: it was written by a "
        "newer Settebello and was left as it is; update the program"
    )
    place: str
    schema: str
    """The schema it has."""
    known: str
    """The newest schema this program knows."""


@dataclass(eq=False)
class StoreOlderError(StoreError):
    """Rows were to be copied out of a database whose schema is not the newest."""

    message = (
        "expected schema {known} at {place}, found {schema}: back it up with the version "
        "that wrote it, or start this one once, which migrates it"
    )
    place: str
    schema: str
    """The schema it has."""
    known: str
    """The schema that is needed."""


@dataclass(eq=False)
class StoreUnavailableError(StoreError):
    """The database cannot be reached now: locked too long, or its server is away."""

    message = "expected an answer from {place}, but {why}: nothing was changed; try again"
    place: str
    why: str


@dataclass(eq=False)
class StoreUrlError(StoreError):
    """The address of the database cannot be used; `why` never holds it, as it may hold a password.

    >>> print(StoreUrlError("it cannot be read as an address"))
    expected a database address such as postgresql+psycopg://user@host/name, but it ...
    """

    message = (
        "expected a database address such as postgresql+psycopg://user@host/name, but {why}: "
        "correct SETTEBELLO_DATABASE_URL"
    )
    why: str


@dataclass(eq=False)
class SettingError(StoreError):
    """The environment variable `name` has a value that means nothing."""

    name: str
    expected: str
    came: str

    def __str__(self) -> str:
        return f"expected {self.expected} in {self.name}, got {self.came[:40]!r}: correct it"


@dataclass(eq=False)
class BackupUnfitError(StoreError):
    """A file cannot be restored: it is damaged, or no backup of Settebello."""

    message = (
        "expected a whole backup at {file}, but {why}: nothing was changed; name another backup"
    )
    file: str
    why: str


@dataclass(eq=False)
class FileStandsError(StoreError):
    """A backup was to be written where there is a file already."""

    message = "expected no file at {file}, found one: it was left; name another place"
    file: str


@dataclass(eq=False)
class AppRunningError(StoreError):
    """The database is in use, so it cannot be replaced."""

    message = (
        "expected that nobody uses {place}, but somebody does: nothing was changed; "
        "stop Settebello first, on every machine, and whatever else is connected"
    )
    place: str


@dataclass(eq=False)
class TableNotFoundError(StoreError):
    """No table has this code."""

    code: str
    """The code as it was given."""

    def __str__(self) -> str:
        return f"expected the code of an open table, got {self.code!r}: read it off the board"


@dataclass(eq=False)
class LinkTakenError(StoreError):
    """Somebody else took a table over, or renewed its scorers' link, first."""

    message = (
        "expected the scorers' link of table {code} as it was, but somebody changed it first: "
        "scan the new one on their phone"
    )
    code: str


@dataclass(eq=False)
class UnknownPlaceError(StoreError):
    """A side, hand, match, photo or conflict that does not exist."""

    message = "expected one of {known} {what}s, got {what} {got}: reload the table"
    what: str
    """The kind of thing, such as "side"."""
    got: int
    known: int
    """How many there are."""


@dataclass(eq=False)
class HandClosedError(StoreError):
    """Something was sent for a hand that is no longer being played."""

    message = (
        "expected hand {current}, which is being played, got hand {hand_no}: "
        "look at the table again before repeating it"
    )
    hand_no: int
    current: int


@dataclass(eq=False)
class MatchClosedError(StoreError):
    """Something was sent for a match that the table no longer plays."""

    message = (
        "expected match {current}, which is being played, got match {match_no}: "
        "look at the table again before repeating it"
    )
    match_no: int
    current: int


@dataclass(eq=False)
class MatchBegunError(StoreError):
    """A match was to be left that is the table's first, or has hands."""

    message = (
        "expected a later match without hands, got match {match_no} with {hands}: "
        "undo its hands first"
    )
    match_no: int
    hands: int


@dataclass(eq=False)
class NothingToUndoError(StoreError):
    """There is no step left to undo, or none to redo; `step` is "undo" or "redo"."""

    message = "expected a step to {step}, found none: the match stays as it is"
    step: str


@dataclass(eq=False)
class ScopeBelowZeroError(StoreError):
    """A scopa was taken back from a side that has none."""

    message = (
        "expected to take back at most {count} scope of side {side}, got more: "
        "another device may have taken it back already"
    )
    side: int
    count: int
    """The scope it has now."""


@dataclass(eq=False)
class PhotoRefusedError(StoreError):
    """A photo that is not kept: no JPEG, or too large."""

    message = "expected a JPEG of at most {limit:,} bytes, got {size:,} bytes: make it smaller"
    size: int
    limit: int


@dataclass(eq=False)
class PhotoGoneError(StoreError):
    """A photo that was deleted: it was old enough, or somebody asked for it."""

    message = "expected the picture of photo {photo}, but it was deleted: the cards seen on it stay"
    photo: int


@dataclass(eq=False)
class StaleDraftError(StoreError):
    """Another device changed this draft first; nothing was written."""

    current: "PileDraft"

    def __str__(self) -> str:
        draft = self.current
        return (
            f"expected the newest draft of hand {draft.hand_no}, side {draft.side}, but "
            f"{draft.device or 'another device'} changed it: look at version "
            f"{draft.version} and repeat the change"
        )


@dataclass(eq=False)
class ConflictError(StoreError):
    """The match changed before this arrived: the first version stays, this one is kept."""

    expected: int
    """The revision the sender had seen."""
    revision: int
    """The current revision."""
    current: "LogEntry | None" = None
    """The hand that is there now, if one is."""
    conflict: "Conflict | None" = None
    """What was sent, kept to compare; None for an undo or redo, which carry no hand."""
    is_new: bool = False
    """Whether this transaction keeps the conflict; it is committed before this is raised."""

    def __str__(self) -> str:
        kept = "look at the match again and repeat it"
        if self.conflict is not None:
            kept = f"yours for hand {self.conflict.hand_no} is kept: compare"
        return (
            f"expected revision {self.expected}, the match is at {self.revision}: "
            f"another device was first and its version stays; {kept}"
        )
