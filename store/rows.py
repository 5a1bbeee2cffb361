"""What the store gives back: frozen copies, free of any session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from scoring.match import Match
from scoring.record import HandRecord
from scoring.rules import Rules


class Step(StrEnum):
    """What a line of the match log did."""

    OPEN = "open"
    """A match was opened."""
    RECORD = "record"
    """A hand was added."""
    EDIT = "edit"
    """A hand was replaced by another version of it."""
    UNDO = "undo"
    """The newest standing step was taken back."""
    REDO = "redo"
    """The step taken back last was taken again."""
    LEAVE = "leave"
    """A match in which no hand stands was left: the one before it is played on."""


class Outcome(StrEnum):
    """What became of a proposal."""

    OPEN = "open"
    """Nobody has decided yet."""
    ACCEPTED = "accepted"
    """It took the place of the hand that stood."""
    DISMISSED = "dismissed"
    """The hand that stood was right."""


class UploadState(StrEnum):
    """How far a file is that a phone sent."""

    WAITING = "waiting"
    """It waits for a reader, or is being read."""
    READ = "read"
    """It was read; the photo is among those of its pile."""
    REFUSED = "refused"
    """It is no photo that can be read."""
    LATE = "late"
    """Its hand was over before it was read. It is kept until somebody says which pile it is of."""


class Drawing(StrEnum):
    """Our drawings of the forty cards: screens show those that lie on the table."""

    ITALIAN = "italian"
    """Coins, cups, swords and batons."""
    FRENCH = "french"
    """Diamonds, hearts, spades and clubs, with a queen for the cavallo."""


SAMPLE = "sample"
"""Name of the rules of a table that is only there to try the app: no season counts it."""


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """A table as it stands."""

    code: str
    """Short code people type to join."""
    opened_at: datetime
    """When it was opened (UTC)."""
    revision: int
    """Grows with every change to anything of the table."""
    match_no: int
    """Number of the match being played, from 1."""
    side_names: tuple[str, ...]
    """Names of the sides of that match."""
    rules: Rules
    """Rules that match was opened with."""
    hands: int
    """How many hands of it stand."""
    totals: tuple[int, ...]
    """The points of each side in it."""
    winner: int | None
    """The side that has won it, None while it goes on."""
    link_hash: str | None = field(default=None, repr=False)
    """Hash of the scorers' link; None until somebody takes the table over."""
    drawing: Drawing = Drawing.ITALIAN
    """The cards that its screens show."""
    closed_at: datetime | None = None
    """When the organiser closed it (UTC); None while it is open."""
    lends_photos: bool = False
    """Whether its photos, and what was answered about them, may teach the networks."""

    @property
    def is_closed(self) -> bool:
        """Whether its scorers may only look, until the organiser opens it again."""
        return self.closed_at is not None

    @property
    def is_sample(self) -> bool:
        """Whether the table is only there to try the app."""
        return self.rules.name == SAMPLE


@dataclass(frozen=True, kw_only=True)
class HandRow:
    """One version of a hand."""

    hand_no: int
    """Number of the hand in its match, from 1."""
    facts: HandRecord
    """The piles and scope."""
    revision: int
    """Revision of the match log at which this version came."""
    key: str
    """Key the client made for it."""
    device: str
    """Who sent it."""
    made_at: datetime
    """When it was kept (UTC)."""


@dataclass(frozen=True, kw_only=True)
class MatchRow:
    """A match replayed from its log, and what its next change must expect."""

    match: Match
    """The match as it stands."""
    hands: tuple[HandRow, ...]
    """Where each of its hands comes from, in the same order."""
    revision: int
    """The value to pass as `expected` with the next change."""
    match_no: int
    """Number of the match at its table, from 1."""
    can_undo: bool
    """Whether a step can be taken back."""
    can_redo: bool
    """Whether a step can be taken again."""
    first_dealer: int | None = None
    """The side that deals the first hand, where somebody said so at opening."""


@dataclass(frozen=True, kw_only=True)
class ResultRow:
    """How a match stands, without its hands: for lists of many."""

    match_no: int
    """Number of the match at its table, from 1."""
    opened_at: datetime
    """When it was opened (UTC)."""
    side_names: tuple[str, ...]
    """Names of its sides."""
    hands: int
    """How many hands of it stand."""
    totals: tuple[int, ...]
    """The points of each side."""
    winner: int | None
    """The side that has won, None while it goes on."""


@dataclass(frozen=True, kw_only=True)
class PlayedRow:
    """A match of any table as it stands, for whoever looks at many of them."""

    id: str
    """The key it was opened with: it stays the same when the match is taken to another store."""
    code: str
    """Code of its table."""
    match_no: int
    """Number of the match at its table, from 1."""
    opened_at: datetime
    """When it was opened (UTC)."""
    match: Match
    """The match as it stands."""
    hands: tuple[HandRow, ...]
    """Where each of its hands comes from, in the same order."""


@dataclass(frozen=True, kw_only=True)
class LogRow:
    """One line of the log of a match: nothing is ever taken out of it."""

    revision: int
    """Its place in the log of the table, from 1."""
    match_no: int
    """The match it belongs to."""
    step: Step
    """What was done."""
    hand_no: int | None
    """The hand it changed, also by an undo; None where it changed none."""
    facts: HandRecord | None
    """The hand as it was sent, if one was."""
    device: str
    """Who did it."""
    made_at: datetime
    """When (UTC)."""


@dataclass(frozen=True, kw_only=True)
class ProposalRow:
    """A hand that came too late to stand, kept until somebody has compared."""

    id: int
    """Its number."""
    match_no: int
    """The match it was sent for."""
    hand_no: int
    """The hand it was sent for."""
    facts: HandRecord
    """The piles and scope as they were sent."""
    device: str
    """Who sent it."""
    made_at: datetime
    """When (UTC)."""
    outcome: Outcome
    """Whether it is still to be decided."""


@dataclass(frozen=True, kw_only=True)
class DraftRow:
    """A pile that is not confirmed, as every device of the table sees it."""

    hand_no: int
    """The hand it is of."""
    side: int
    """Index of the side whose pile it is."""
    draft: Mapping[str, Any]
    """The JSON object the screens put: cards, statuses, photo ids."""
    version: int
    """Grows with every change to this draft, from 1."""
    device: str
    """Who changed it last."""
    made_at: datetime
    """When (UTC)."""


@dataclass(frozen=True, kw_only=True)
class PhotoRow:
    """A photo kept as evidence; `Store.photo(id)` gives its bytes."""

    id: int
    """Its number."""
    match_no: int
    """The match it belongs to."""
    hand_no: int
    """The hand it was taken in."""
    side: int
    """Index of the side whose pile it shows."""
    size: int
    """Bytes of the JPEG, 0 where it was deleted."""
    device: str
    """Who sent it."""
    made_at: datetime
    """When (UTC)."""


@dataclass(frozen=True, kw_only=True)
class UploadRow:
    """A file that a phone sent, without its bytes."""

    id: int
    """Its number, and its place in the queue."""
    name: str
    match_no: int
    hand_no: int
    side: int
    is_mending: bool
    """Whether the hand was confirmed before, and is being mended."""
    state: UploadState
    refusal: Mapping[str, Any] | None
    """Why it was refused: "error", the error's name, and its data."""
    size: int
    """Its bytes."""
    device: str
    """Who sent it."""
    made_at: datetime
