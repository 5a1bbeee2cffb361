"""What can go wrong in the store: one leaf each, with the data a screen needs to say it well."""

from scoring.errors import ScoringError
from store.rows import DraftRow, HandRow, ProposalRow


class StoreError(ScoringError):
    """Any trouble with what is kept; nothing that was confirmed before is touched by it."""


class StoreUnwritableError(StoreError):
    """The folder or file cannot be written.

    Attributes:
        place: What was to be written.
    """

    def __init__(self, place: str, *, why: str) -> None:
        self.place = place
        super().__init__(
            f"expected to write {place}, but {why}: make it writable, or name another folder "
            "with SETTEBELLO_HOME"
        )


class StoreCorruptError(StoreError):
    """The file is not a database, or a damaged one.

    Attributes:
        place: The database.
    """

    def __init__(self, place: str, *, why: str) -> None:
        self.place = place
        super().__init__(
            f"expected a Settebello database at {place}, but {why}: it was left as it is; "
            "restore a backup or move it away to start an empty one"
        )


class StoreForeignError(StoreError):
    """The database belongs to another program.

    Attributes:
        place: The database.
        found: Names of tables that stand in it.
    """

    def __init__(self, place: str, *, found: tuple[str, ...]) -> None:
        self.place, self.found = place, found
        super().__init__(
            f"expected a Settebello database at {place}, found one holding {', '.join(found[:5])}: "
            "it was left as it is; name another with SETTEBELLO_DATABASE_URL"
        )


class StoreNewerError(StoreError):
    """The database was written by a newer Settebello.

    Attributes:
        place: The database.
        schema: The schema it has.
        known: The newest schema this program knows.
    """

    def __init__(self, place: str, *, schema: str, known: str) -> None:
        self.place, self.schema, self.known = place, schema, known
        super().__init__(
            f"expected schema {known} or older at {place}, found {schema}: it was written by a "
            "newer Settebello and was left as it is; update the program"
        )


class StoreUnavailableError(StoreError):
    """The database cannot be reached now: locked too long, full, or its server is away.

    Attributes:
        place: The database.
    """

    def __init__(self, place: str, *, why: str) -> None:
        self.place = place
        super().__init__(
            f"expected an answer from {place}, but {why}: nothing was changed; try again"
        )


class StoreUrlError(StoreError):
    """The address of the database cannot be used.

    Attributes:
        why: What is wrong with it; never the address, which may hold a password.
    """

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(
            f"expected a database address such as postgresql+psycopg://user@host/name, but {why}: "
            "correct SETTEBELLO_DATABASE_URL"
        )


class LinkTakenError(StoreError):
    """Somebody else took a table over, or renewed its scorers' link, first.

    Attributes:
        code: The table's code.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(
            f"expected the scorers' link of table {code} as it was, but somebody changed it first: "
            "scan the new one on their phone"
        )


class SettingError(StoreError):
    """A setting of the environment has a value that means nothing.

    Attributes:
        name: The environment variable.
    """

    def __init__(self, name: str, *, expected: str, came: str) -> None:
        self.name = name
        super().__init__(f"expected {expected} in {name}, got {came[:40]!r}: correct it")


class BackupUnfitError(StoreError):
    """A file cannot be restored: it is damaged, or no backup of Settebello.

    Attributes:
        file: The file.
    """

    def __init__(self, file: str, *, why: str) -> None:
        self.file = file
        super().__init__(
            f"expected a whole backup at {file}, but {why}: nothing was changed; "
            "name another backup"
        )


class FileStandsError(StoreError):
    """A backup was to be written where something stands already.

    Attributes:
        file: What stands there.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        super().__init__(f"expected no file at {file}, found one: it was left; name another place")


class AppRunningError(StoreError):
    """The database is in use, so nothing may be put in its place.

    Attributes:
        place: The database.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(
            f"expected that nobody uses {place}, but somebody does: nothing was changed; "
            "stop Settebello first, on every machine, and whatever else is connected"
        )


class StoreOlderError(StoreError):
    """Rows were to be copied out of a database whose schema is not the newest.

    Attributes:
        place: The database.
        schema: The schema it has.
        known: The schema that is needed.
    """

    def __init__(self, place: str, *, schema: str, known: str) -> None:
        self.place, self.schema, self.known = place, schema, known
        super().__init__(
            f"expected schema {known} at {place}, found {schema}: back it up with the version "
            "that wrote it, or start this one once, which brings it there"
        )


class TableNotFoundError(StoreError):
    """No table has this code.

    Attributes:
        code: The code asked for, as it was given.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(f"expected the code of an open table, got {code!r}: read it off the board")


class UnknownPlaceError(StoreError):
    """A side, hand, match, photo or proposal that does not exist.

    Attributes:
        what: The kind of thing, such as "side".
        got: The number asked for.
        known: How many there are.
    """

    def __init__(self, what: str, got: int, *, known: int) -> None:
        self.what, self.got, self.known = what, got, known
        super().__init__(f"expected one of {known} {what}s, got {what} {got}: reload the table")


class HandClosedError(StoreError):
    """Something was sent for a hand that is no longer being played.

    Attributes:
        hand_no: The hand it was sent for.
        current: The hand being played now.
    """

    def __init__(self, hand_no: int, *, current: int) -> None:
        self.hand_no, self.current = hand_no, current
        super().__init__(
            f"expected hand {current}, which is being played, got hand {hand_no}: "
            "look at the table again before repeating it"
        )


class MatchClosedError(StoreError):
    """Something was sent for a match that the table no longer plays.

    Attributes:
        match_no: The match it was sent for.
        current: The match being played now.
    """

    def __init__(self, match_no: int, *, current: int) -> None:
        self.match_no, self.current = match_no, current
        super().__init__(
            f"expected match {current}, which is being played, got match {match_no}: "
            "look at the table again before repeating it"
        )


class MatchBegunError(StoreError):
    """A match was to be left that is the table's first, or in which hands stand.

    Attributes:
        match_no: The match.
        hands: How many of its hands stand.
    """

    def __init__(self, match_no: int, *, hands: int) -> None:
        self.match_no, self.hands = match_no, hands
        super().__init__(
            f"expected a later match without hands, got match {match_no} with {hands}: "
            "undo its hands first"
        )


class NothingToUndoError(StoreError):
    """There is no step left to undo, or none to redo.

    Attributes:
        step: "undo" or "redo".
    """

    def __init__(self, step: str) -> None:
        self.step = step
        super().__init__(f"expected a step to {step}, found none: the match stands as it is")


class ScopeBelowZeroError(StoreError):
    """A scopa was taken back from a side that has none.

    Attributes:
        side: Index of the side.
        count: The scope it has now.
    """

    def __init__(self, side: int, *, count: int) -> None:
        self.side, self.count = side, count
        super().__init__(
            f"expected to take back at most {count} scope of side {side}, got more: "
            "another device may have taken it back already"
        )


class PhotoRefusedError(StoreError):
    """A photo that is not kept: no JPEG, or too large for evidence.

    Attributes:
        size: Bytes received.
    """

    def __init__(self, size: int, *, limit: int) -> None:
        self.size = size
        super().__init__(
            f"expected a JPEG of at most {limit:,} bytes, got {size:,} bytes: make it smaller first"
        )


class PhotoGoneError(StoreError):
    """A photo that was deleted: it was old enough, or somebody asked for it.

    Attributes:
        photo: Its number.
    """

    def __init__(self, photo: int) -> None:
        self.photo = photo
        super().__init__(
            f"expected the picture of photo {photo}, but it was deleted: the cards seen on it stand"
        )


class StaleDraftError(StoreError):
    """Another device changed this draft first; its version stands and nothing was written.

    Attributes:
        standing: The draft as it is now.
    """

    def __init__(self, standing: DraftRow) -> None:
        self.standing = standing
        super().__init__(
            f"expected the newest draft of hand {standing.hand_no}, side {standing.side}, but "
            f"{standing.device or 'another device'} changed it: look at version "
            f"{standing.version} and repeat the change"
        )


class ConflictError(StoreError):
    """The match moved on before this arrived: the first version stands, this one is kept beside it.

    Attributes:
        expected: The revision the sender had seen.
        revision: The revision that stands.
        standing: The hand that stands at this place, None when none does.
        proposal: What was sent, kept to compare; None for an undo or redo, which carry no facts.
    """

    def __init__(
        self,
        expected: int,
        revision: int,
        *,
        standing: HandRow | None,
        proposal: ProposalRow | None,
    ) -> None:
        self.expected, self.revision = expected, revision
        self.standing, self.proposal = standing, proposal
        kept = "look at the match again and repeat it"
        if proposal is not None:
            kept = f"yours for hand {proposal.hand_no} is kept as a proposal: compare"
        super().__init__(
            f"expected revision {expected}, the match is at {revision}: "
            f"another device was first and its version stands; {kept}"
        )
