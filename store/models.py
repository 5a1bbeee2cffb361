"""The tables of the database, one class each. A change here needs a migration (CONTRIBUTING.md).

Objects stay readable after their session has ended; a relationship that was not loaded raises then.

In many tables: `side` is the index of a side in dealing order, from 0; `hand_no` and `match_no`
count from 1; `key` is an idempotency key made by the client; `rules_json` and `facts_json` are
`to_dict()` of the rules and of the hand.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    UniqueConstraint,
    and_,
    func,
    select,
)
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    MappedAsDataclass,
    Session,
    aliased,
    column_property,
    foreign,
    mapped_column,
    object_session,
    relationship,
)
from sqlalchemy.types import TypeDecorator

from assets.deck import CardStyle
from scoring.presets import dropped_settings, read_stored_rules
from scoring.record import HandRecord
from scoring.rules import Rules
from store.errors import UnfitValueError

SAMPLE = "sample"
"""Name of the rules of a table for trying the app, which no season counts."""

CONSTRAINT_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a migration can refer to it."""


class Step(StrEnum):
    """The kind of an entry in the match log."""

    OPEN = "open"  # a match was opened
    RECORD = "record"  # a hand was added
    EDIT = "edit"  # a hand was replaced by another version of it
    UNDO = "undo"  # the newest step was taken back
    REDO = "redo"  # the step taken back last was taken again
    LEAVE = "leave"  # a match without hands was left: the one before it is played on
    SEAT = "seat"  # a substitute took a player's place; stored by versions before 0.4 only
    RULES = "rules"  # other rules, for all hands; before 0.4 also from a later hand on


class Outcome(StrEnum):
    """The outcome of a conflicting hand."""

    OPEN = "open"  # no user has decided yet
    ACCEPTED = "accepted"  # it replaced the current hand
    DISMISSED = "dismissed"  # the current hand was right


class UploadState(StrEnum):
    """The state of an uploaded file."""

    WAITING = "waiting"  # it waits for a worker, or is being read
    READ = "read"  # it was read; the photo is among those of its pile
    REFUSED = "refused"  # it is no photo that can be read
    LATE = "late"  # its hand was over before it was read: a user must say which pile it is of


E = TypeVar("E", bound=StrEnum)


class EnumText(TypeDecorator[E]):
    """A StrEnum kept as its text."""

    impl = String
    cache_ok = True

    def __init__(self, values: type[E]) -> None:
        super().__init__()
        self.values = values

    def process_bind_param(self, value: E | str | None, dialect: Dialect) -> str | None:  # noqa: ARG002  SQLAlchemy passes it
        """Its text."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:  # noqa: ARG002  SQLAlchemy passes it
        """Return the member of the enumeration."""
        return None if value is None else self.values(value)


class WholeNumber(TypeDecorator[int]):
    """An integer of 32 bits, the most that PostgreSQL keeps in such a column."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:  # noqa: ARG002  SQLAlchemy passes it
        """Return the number, if it fits."""
        if value is not None and not -(2**31) <= value < 2**31:
            raise UnfitValueError("a number of at most 32 bits")
        return value


class PlainText(TypeDecorator[str]):
    """A text that both engines keep and that can be sent in UTF-8."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002  SQLAlchemy passes it
        """Return the text, if it is one."""
        return None if value is None else check_text(value)


def check_text(text: str) -> str:
    """Return the text itself; UnfitValueError for half a surrogate pair, or a NUL character."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise UnfitValueError("a text of whole characters") from None
    if "\0" in text:
        raise UnfitValueError("a text without NUL characters")
    return text


def to_json(value: Any) -> str:
    """JSON of a value whose texts both engines keep."""
    text = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in text:
        raise UnfitValueError("a text without NUL characters")
    return check_text(text)


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC: SQLite keeps no zone, so reading adds it again."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002  SQLAlchemy passes it
        """Return the time in UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002  SQLAlchemy passes it
        """Return the time with its zone."""
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


def now() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC)


class Base(MappedAsDataclass, DeclarativeBase):
    """All tables of the store."""

    metadata = MetaData(naming_convention=CONSTRAINT_NAMES)
    type_annotation_map = {  # noqa: RUF012  SQLAlchemy reads a plain dict here
        int: WholeNumber(),
        str: PlainText(),
        datetime: UtcTime(),
        dict[str, Any]: JSON(none_as_null=True),
        Step: EnumText(Step),
        Outcome: EnumText(Outcome),
        UploadState: EnumText(UploadState),
        CardStyle: EnumText(CardStyle),
    }


def session_of(record: Base) -> Session:
    """Return the running transaction that an object was loaded in.

    Raises:
        RuntimeError: The transaction has ended.
    """
    session = object_session(record)
    if session is None:
        raise RuntimeError("expected an object inside its transaction, which has ended")
    return session


class Sent(MappedAsDataclass, kw_only=True):
    """The device that sent a row, and the time."""

    device: Mapped[str] = mapped_column(default="")
    made_at: Mapped[datetime] = mapped_column(default_factory=now)


class MatchSide(Base, kw_only=True):
    """A side of a match."""

    __tablename__ = "match_sides"
    __table_args__ = (Index(None, "name"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True, init=False)
    side: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    total: Mapped[int] = mapped_column(default=0)
    """Points after the current hands; follows from the log."""
    members: Mapped[list[str]] = mapped_column(JSON, default_factory=list)
    """The players of a team by name; empty if the side is one player."""


class TableMatch(Base, kw_only=True):
    """A match at a table."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    match_no: Mapped[int] = mapped_column("number")
    rules_json: Mapped[dict[str, Any]] = mapped_column("rules")
    """The rules of the next hand; derived from the log, as `hands` is."""
    opened_at: Mapped[datetime] = mapped_column(default_factory=now)
    hands: Mapped[int] = mapped_column(default=0)
    """Number of current hands; from the log, as `is_over`, `winner` and the totals are."""
    is_over: Mapped[bool] = mapped_column(default=False)
    winner: Mapped[int | None] = mapped_column(default=None)
    """Index of the side that has won; None while the match goes on, or if it ended in a tie."""
    best_of: Mapped[int] = mapped_column(default=1)
    """The most matches of the series; who wins more than half of them wins it."""
    is_left: Mapped[bool] = mapped_column(default=False)
    """Whether it was left for the match before it."""
    first_dealer: Mapped[int | None] = mapped_column(default=None)
    """Index of the side that deals first; None if it was not chosen at opening."""
    sides: Mapped[list[MatchSide]] = relationship(
        order_by=MatchSide.side, lazy="selectin", default_factory=list
    )

    @cached_property
    def rules(self) -> Rules:
        """The rules of the next hand."""
        return read_stored_rules(self.rules_json)

    @property
    def has_dropped_rules(self) -> bool:
        """Whether the rules hold a setting that is no longer played."""
        return bool(dropped_settings(self.rules_json))

    @property
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides."""
        return tuple(side.name for side in self.sides)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each side."""
        return tuple(side.total for side in self.sides)


_newer = aliased(TableMatch)


class Table(Base, kw_only=True):
    """A table where people play, with its current match."""

    __tablename__ = "tables"
    __table_args__ = (Index(None, "link_hash", unique=True), Index(None, "evening_code"))

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    code: Mapped[str] = mapped_column(unique=True)
    """The code people type to join."""
    link_hash: Mapped[str | None] = mapped_column(default=None, repr=False)
    """SHA-256 of the scorers' link; None until a device takes the table over."""
    revision: Mapped[int] = mapped_column(default=1)
    """Raised by every change at the table."""
    opened_at: Mapped[datetime] = mapped_column(default_factory=now)
    drawing: Mapped[CardStyle] = mapped_column(default=CardStyle.ITALIAN)
    """The card style of its screens."""
    closed_at: Mapped[datetime | None] = mapped_column(default=None)
    """When the organiser closed it; None while it is open."""
    evening_code: Mapped[str | None] = mapped_column(default=None)
    """Code of the evening that the table belongs to."""
    player_hashes: Mapped[list[str]] = mapped_column(JSON, default_factory=list, repr=False)
    """SHA-256 of the links of that evening whose holders score here: its organiser's. Rows of
    versions with sign-up by phone also hold links of players."""
    match: Mapped[TableMatch] = relationship(
        init=False,
        viewonly=True,
        lazy="joined",
        primaryjoin=lambda: and_(
            Table.id == foreign(TableMatch.table_id),
            TableMatch.match_no
            == select(func.max(_newer.match_no))
            .where(_newer.table_id == Table.id, ~_newer.is_left)
            .correlate(Table)
            .scalar_subquery(),
        ),
    )
    """The newest match that was not left."""

    @property
    def match_no(self) -> int:
        """Number of the current match, from 1."""
        return self.match.match_no

    @property
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides of the current match."""
        return self.match.side_names

    @property
    def rules(self) -> Rules:
        """Rules of the current match."""
        return self.match.rules

    @property
    def hands(self) -> int:
        """Number of hands of the current match."""
        return self.match.hands

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each side in the current match."""
        return self.match.totals

    @property
    def is_over(self) -> bool:
        """Whether the current match has ended: won or tied."""
        return self.match.is_over

    @property
    def winner(self) -> int | None:
        """The side that has won the current match; None if none has."""
        return self.match.winner

    @property
    def is_closed(self) -> bool:
        """Whether its scorers may only watch, until the organiser opens it again."""
        return self.closed_at is not None

    @property
    def is_sample(self) -> bool:
        """Whether the table is only for trying the app."""
        return self.rules.name == SAMPLE


class StoredEvening(Base, kw_only=True):
    """An evening of many tables under one code."""

    __tablename__ = "evenings"
    __table_args__ = (Index(None, "link_hash", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    code: Mapped[str] = mapped_column(unique=True)
    """The code that people type. No table has it."""
    link_hash: Mapped[str | None] = mapped_column(default=None, repr=False)
    """SHA-256 of its organiser's link."""
    revision: Mapped[int] = mapped_column(default=1)
    """Raised by every decision, and by every change of a score at its tables."""
    opened_at: Mapped[datetime] = mapped_column(default_factory=now)
    drawing: Mapped[CardStyle] = mapped_column(default=CardStyle.ITALIAN)
    """The card style of its screens and tables."""


class EveningEntry(Base, kw_only=True):
    """One entry of the append-only log of an evening; never updated, never deleted."""

    __tablename__ = "evening_log"
    __table_args__ = (
        UniqueConstraint("evening_id", "revision"),
        UniqueConstraint("evening_id", "key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    evening_id: Mapped[int] = mapped_column(ForeignKey("evenings.id"))
    revision: Mapped[int]
    """Its place in the log, from 1."""
    step: Mapped[Step]
    """RECORD or UNDO; versions before 0.4 also stored REDO."""
    facts_json: Mapped[dict[str, Any] | None] = mapped_column("facts")
    """The decision of a RECORD entry."""
    key: Mapped[str]
    made_at: Mapped[datetime] = mapped_column(default_factory=now)


Place = Table | StoredEvening
"""Something with a code, a link and a revision."""


def _code_of(table_id: Any) -> Any:
    """Return a column with the code of the table that a row belongs to."""
    query = select(Table.code).where(Table.id == table_id)
    return column_property(query.correlate_except(Table).scalar_subquery())


def _number_of(match_id: Any) -> Any:
    """Return a column with the number of the match that a row belongs to."""
    query = select(TableMatch.match_no).where(TableMatch.id == match_id)
    return column_property(query.correlate_except(TableMatch).scalar_subquery())


class LogEntry(Sent, Base, kw_only=True):
    """One entry of the append-only log of a table's matches; never updated, never deleted."""

    __tablename__ = "log"
    __table_args__ = (
        UniqueConstraint("table_id", "revision"),
        UniqueConstraint("table_id", "key"),
        Index(None, "match_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), default=0)
    revision: Mapped[int] = mapped_column(default=0)
    """Its place in the table's log, from 1: two writers cannot both take one."""
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), default=0)
    step: Mapped[Step]
    hand_no: Mapped[int | None] = mapped_column(default=None)
    """Number of the recorded or edited hand, from 1, or of the first with new seats or rules."""
    facts_json: Mapped[dict[str, Any] | None] = mapped_column("facts", default=None)
    key: Mapped[str]

    @cached_property
    def facts(self) -> HandRecord:
        """The hand of a RECORD or EDIT entry."""
        return HandRecord.from_dict(self.facts_json or {})

    @cached_property
    def rules(self) -> Rules:
        """The new rules of a RULES entry."""
        return read_stored_rules((self.facts_json or {})["rules"])

    @cached_property
    def rules_before(self) -> Rules:
        """The rules of the next hand before a RULES entry."""
        return read_stored_rules((self.facts_json or {})["before"])

    @property
    def has_dropped_rules(self) -> bool:
        """Whether a RULES entry has, before or after it, a setting that is no longer played."""
        facts = self.facts_json or {}
        return any(dropped_settings(facts[name]) for name in ("rules", "before"))


class Conflict(Sent, Base, kw_only=True):
    """A hand that arrived after another device had changed the match; no longer written."""

    __tablename__ = "proposals"
    __table_args__ = (UniqueConstraint("table_id", "key"), Index(None, "match_id"))

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    hand_no: Mapped[int]
    """Number of the hand it was sent for."""
    facts_json: Mapped[dict[str, Any]] = mapped_column("facts")
    key: Mapped[str]
    outcome: Mapped[Outcome] = mapped_column(default=Outcome.OPEN)
    match_no: Mapped[int] = _number_of(match_id)

    @cached_property
    def facts(self) -> HandRecord:
        """The hand that was sent."""
        return HandRecord.from_dict(self.facts_json)


class ScopaTap(Sent, Base, kw_only=True):
    """A tap on + or - scopa while a hand is played; the count is their sum."""

    __tablename__ = "scope_taps"
    __table_args__ = (Index(None, "match_id", "hand_no"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    hand_no: Mapped[int]
    side: Mapped[int]
    delta: Mapped[int]
    """Scope added (or, below zero, taken back)."""


class PileDraft(Sent, Base, kw_only=True):
    """A pile that is not confirmed yet, shared by the devices of a table."""

    __tablename__ = "drafts"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    hand_no: Mapped[int] = mapped_column(primary_key=True)
    side: Mapped[int] = mapped_column(primary_key=True)
    draft: Mapped[dict[str, Any]]
    """What `table.hand.pile.Pile.to_dict()` gives: cards, detections, photo ids."""
    version: Mapped[int]
    """Raised by every change of this draft, from 1."""


class StoredPhoto(Sent, Base, kw_only=True):
    """A photo of a pile, kept small; `piles.photo` gives its bytes."""

    __tablename__ = "photos"
    __table_args__ = (UniqueConstraint("match_id", "hand_no", "side", "sha256"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    hand_no: Mapped[int]
    side: Mapped[int]
    size: Mapped[int]
    """Bytes of the JPEG, 0 once it was deleted."""
    sha256: Mapped[str]
    """The same picture sent twice is kept once."""


class PhotoBytes(Base, kw_only=True):
    """The JPEG of a photo. Lists read only `StoredPhoto`, which stays when the JPEG is deleted."""

    __tablename__ = "photo_files"

    photo_id: Mapped[int] = mapped_column(
        ForeignKey("photos.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    jpeg: Mapped[bytes] = mapped_column(LargeBinary, repr=False)


class SavedRules(Base, kw_only=True):
    """House rules, which are offered when a table is opened."""

    __tablename__ = "house_rules"

    name: Mapped[str] = mapped_column(primary_key=True)
    rules_json: Mapped[dict[str, Any]] = mapped_column("rules")
    made_at: Mapped[datetime] = mapped_column(default_factory=now)


class EndedSession(Base, kw_only=True):
    """A session of the club's organiser that was logged out before it expired."""

    __tablename__ = "ended_sessions"

    digest: Mapped[str] = mapped_column(primary_key=True, repr=False)
    """SHA-256 of what identifies it in its cookie."""
    expires_at: Mapped[datetime]


class ProcessedCommand(Sent, Base, kw_only=True):
    """A command of a phone that was executed; its key counts once at a table."""

    __tablename__ = "deliveries"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)


class Upload(Sent, Base, kw_only=True):
    """A photo as a phone sent it, without its bytes."""

    __tablename__ = "uploads"
    __table_args__ = (
        UniqueConstraint("table_id", "key"),
        Index(None, "state", "id"),
        Index(None, "match_id", "hand_no"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    """Its place in the queue."""
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    hand_no: Mapped[int]
    side: Mapped[int]
    is_mending: Mapped[bool]
    """Whether the hand was confirmed before, and is being edited."""
    key: Mapped[str]
    name: Mapped[str]
    size: Mapped[int]
    state: Mapped[UploadState] = mapped_column(default=UploadState.WAITING)
    refusal: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    """Why it was refused: "error", the error's name, and its data."""
    code: Mapped[str] = _code_of(table_id)
    """The table's code."""
    match_no: Mapped[int] = _number_of(match_id)


class UploadBytes(Base, kw_only=True):
    """The bytes of a file that waits for a worker."""

    __tablename__ = "upload_files"

    upload_id: Mapped[int] = mapped_column(
        ForeignKey("uploads.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    data: Mapped[bytes] = mapped_column(LargeBinary, repr=False)


Refusal = Mapping[str, Any]
"""Why a file was refused, as data: "error", the error's name, and what it carries."""
