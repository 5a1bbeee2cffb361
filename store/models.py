"""The tables of the database. A change here needs a migration (see CONTRIBUTING.md)."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    UniqueConstraint,
)
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    mapped_column,
    object_session,
    relationship,
)
from sqlalchemy.types import TypeDecorator

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a migration can speak of it."""


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC: SQLite keeps no zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    """The column underneath."""
    cache_ok = True
    """It has no state."""

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002  SQLAlchemy passes it
        """Refuses a time without a zone and stores UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002  SQLAlchemy passes it
        """Gives the time with its zone."""
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


def now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """All tables of the store."""

    metadata = MetaData(naming_convention=NAMES)
    """What the migrations are compared with."""
    type_annotation_map = {  # noqa: RUF012  SQLAlchemy reads a plain dict here
        datetime: UtcTime(),
        dict[str, Any]: JSON(none_as_null=True),
    }
    """Column types by annotation."""


def session_of(record: Base) -> Session:
    """The transaction a record was read in: whoever holds a record can ask for more."""
    session = object_session(record)
    if session is None:
        raise RuntimeError("expected a record inside its transaction, which has ended")
    return session


class TableRecord(Base):
    """A table where people play."""

    __tablename__ = "tables"
    __table_args__ = (Index(None, "link_hash", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    code: Mapped[str] = mapped_column(unique=True)
    """The code people type."""
    link_hash: Mapped[str | None]
    """SHA-256 of the scorers' link; None until somebody takes the table over."""
    revision: Mapped[int] = mapped_column(default=1)
    """Bumped by every change; also the row that writers of one table queue at."""
    opened_at: Mapped[datetime] = mapped_column(default=now)
    """When it was opened."""
    drawing: Mapped[str] = mapped_column(default="italian")
    """A `rows.Drawing`."""
    closed_at: Mapped[datetime | None]
    """When the organiser closed it; None while it is open."""
    lends_photos: Mapped[bool] = mapped_column(default=False)
    """Whether its photos, and what was answered about them, may teach the networks."""


class MatchRecord(Base):
    """A match at a table, with the rules it was opened with."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    """The table."""
    number: Mapped[int]
    """1 for the first match at the table."""
    rules: Mapped[dict[str, Any]]
    """`Rules.to_dict()` at opening."""
    opened_at: Mapped[datetime] = mapped_column(default=now)
    """When it was opened."""
    hands: Mapped[int] = mapped_column(default=0)
    """How many hands stand: follows from the log, as `winner` and the sides' totals do."""
    winner: Mapped[int | None]
    """The side that has won, None while it goes on."""
    is_left: Mapped[bool] = mapped_column(default=False)
    """Whether it was left for the match before it."""
    first_dealer: Mapped[int | None]
    """The side that deals its first hand, where somebody said so at opening."""
    sides: Mapped[list["SideRecord"]] = relationship(order_by="SideRecord.side", lazy="selectin")
    """Who plays."""


class SideRecord(Base):
    """A side of a match: a row of its own, so that a season can be asked for by name."""

    __tablename__ = "match_sides"
    __table_args__ = (Index(None, "name"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    """The match."""
    side: Mapped[int] = mapped_column(primary_key=True)
    """Index of the side, from 0."""
    name: Mapped[str]
    """The name of the player or team."""
    total: Mapped[int] = mapped_column(default=0)
    """Its points in the match; kept beside the log, so that lists need no replay."""


class EntryRecord(Base):
    """One line of the append-only log of a table's matches; never updated, never deleted."""

    __tablename__ = "log"
    __table_args__ = (
        UniqueConstraint("table_id", "revision"),
        UniqueConstraint("table_id", "key"),
        Index(None, "match_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    """The table."""
    revision: Mapped[int]
    """Its place in the table's log, from 1: two writers cannot both take one."""
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    """The match."""
    step: Mapped[str]
    """A `rows.Step`."""
    hand_no: Mapped[int | None]
    """The hand recorded or edited."""
    facts: Mapped[dict[str, Any] | None]
    """`HandRecord.to_dict()` as it was sent."""
    key: Mapped[str]
    """Made by the client: the same key again changes nothing."""
    device: Mapped[str]
    """Who did it."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When."""


class ProposalRecord(Base):
    """A hand that came too late to stand."""

    __tablename__ = "proposals"
    __table_args__ = (UniqueConstraint("table_id", "key"), Index(None, "match_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    """The table."""
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    """The match it was sent for."""
    hand_no: Mapped[int]
    """The hand it was sent for."""
    facts: Mapped[dict[str, Any]]
    """`HandRecord.to_dict()` as it was sent."""
    key: Mapped[str]
    """Made by the client."""
    device: Mapped[str]
    """Who sent it."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When."""
    outcome: Mapped[str] = mapped_column(default="open")
    """A `rows.Outcome`."""


class TapRecord(Base):
    """A tap on + or - scopa while a hand is played; the count is their sum."""

    __tablename__ = "scope_taps"
    __table_args__ = (Index(None, "match_id", "hand_no"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    """The match."""
    hand_no: Mapped[int]
    """The hand being played."""
    side: Mapped[int]
    """Index of the side."""
    delta: Mapped[int]
    """Scope added (or, below zero, taken back)."""
    device: Mapped[str]
    """Who tapped."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When."""


class DraftRecord(Base):
    """A pile that is not confirmed yet, shared by the devices of a table."""

    __tablename__ = "drafts"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    """The match."""
    hand_no: Mapped[int] = mapped_column(primary_key=True)
    """The hand."""
    side: Mapped[int] = mapped_column(primary_key=True)
    """Index of the side."""
    draft: Mapped[dict[str, Any]]
    """What the screens keep: cards, statuses, photo ids."""
    version: Mapped[int]
    """Bumped by every change."""
    device: Mapped[str]
    """Who changed it last."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When."""


class PhotoRecord(Base):
    """A photo kept small as evidence."""

    __tablename__ = "photos"
    __table_args__ = (UniqueConstraint("match_id", "hand_no", "side", "sha256"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    """The match."""
    hand_no: Mapped[int]
    """The hand."""
    side: Mapped[int]
    """Index of the side."""
    size: Mapped[int]
    """Its bytes, 0 once it was deleted."""
    sha256: Mapped[str]
    """The same picture sent twice is kept once."""
    device: Mapped[str]
    """Who sent it."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When."""


class PhotoFileRecord(Base):
    """The bytes of a photo, outside of the row that lists read. They may go before it."""

    __tablename__ = "photo_files"

    photo_id: Mapped[int] = mapped_column(
        ForeignKey("photos.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    """The photo."""
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)
    """The picture."""


class HouseRulesRecord(Base):
    """Rules of a house's own, offered when a table is opened."""

    __tablename__ = "house_rules"

    name: Mapped[str] = mapped_column(primary_key=True)
    """What the house calls them."""
    rules: Mapped[dict[str, Any]]
    """`Rules.to_dict()`."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When they were kept."""


class DeliveryRecord(Base):
    """Something that a phone sent and that was taken in; its key counts once at a table."""

    __tablename__ = "deliveries"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    """Made on the phone."""
    device: Mapped[str]
    """Who sent it."""
    made_at: Mapped[datetime] = mapped_column(default=now)


class UploadRecord(Base):
    """A file as a phone sent it, until a reader has read it."""

    __tablename__ = "uploads"
    __table_args__ = (
        UniqueConstraint("table_id", "key"),
        Index(None, "state", "id"),
        Index(None, "match_id", "hand_no"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its place in the queue."""
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    hand_no: Mapped[int]
    side: Mapped[int]
    is_mending: Mapped[bool]
    """Whether the hand was confirmed before, and is being mended."""
    key: Mapped[str]
    """Made on the phone: the same file sent again is kept once."""
    name: Mapped[str]
    """The file's name."""
    size: Mapped[int]
    """Its bytes when it came."""
    state: Mapped[str] = mapped_column(default="waiting")
    """A `rows.UploadState`."""
    refusal: Mapped[dict[str, Any] | None]
    """Why it was refused: the error's name and its data."""
    device: Mapped[str]
    """Who sent it."""
    made_at: Mapped[datetime] = mapped_column(default=now)


class UploadFileRecord(Base):
    """The bytes of a file that waits for a reader."""

    __tablename__ = "upload_files"

    upload_id: Mapped[int] = mapped_column(
        ForeignKey("uploads.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    """The file."""
    data: Mapped[bytes] = mapped_column(LargeBinary)
    """Its bytes."""


class DeckRecord(Base):
    """A deck that a table teaches or has taught."""

    __tablename__ = "decks"
    __table_args__ = (UniqueConstraint("table_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    """The table that teaches it."""
    key: Mapped[str]
    """Made by the client: begun twice, it is one deck."""
    name: Mapped[str] = mapped_column(default="")
    """What it is called; empty until somebody has named it."""
    revision: Mapped[int] = mapped_column(default=1)
    """Bumped by every change to its cards."""
    is_forgotten: Mapped[bool] = mapped_column(default=False)
    """Whether it is offered no more."""
    device: Mapped[str]
    """Who began it."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When."""


class DeckPhotoRecord(Base):
    """A photo of a deck laid out."""

    __tablename__ = "deck_photos"
    __table_args__ = (UniqueConstraint("deck_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    deck_id: Mapped[int] = mapped_column(ForeignKey("decks.id"))
    """The deck."""
    key: Mapped[str]
    """The same file sent again is kept once."""
    name: Mapped[str]
    """The file's name."""
    state: Mapped[str] = mapped_column(default="waiting")
    """A `rows.UploadState`."""
    refusal: Mapped[dict[str, Any] | None]
    """Why it was refused: the error's name and its data."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    """When it came."""


class DeckPhotoFileRecord(Base):
    """The bytes of a photo of a deck, until it is read."""

    __tablename__ = "deck_photo_files"

    photo_id: Mapped[int] = mapped_column(
        ForeignKey("deck_photos.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    """The photo."""
    data: Mapped[bytes] = mapped_column(LargeBinary)
    """Its bytes."""


class DeckViewRecord(Base):
    """A card of a deck as it was seen once."""

    __tablename__ = "deck_views"
    __table_args__ = (UniqueConstraint("deck_id", "key"), Index(None, "photo_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    """Its key inside the database."""
    deck_id: Mapped[int] = mapped_column(ForeignKey("decks.id"))
    """The deck."""
    key: Mapped[str]
    """Where it comes from: the same is kept once."""
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("deck_photos.id"))
    """The photo of the deck that shows it; None where it comes from a file or a pile."""
    place: Mapped[int]
    """Its place among the cards of the photo, row by row."""
    code: Mapped[str]
    """The card it is taken for, or `x`."""
    is_sure: Mapped[bool]
    """Whether that was read without a doubt, or somebody said it."""
    is_covered: Mapped[bool]
    """Whether another card may lie over a part of it: then it teaches nothing."""
    is_out: Mapped[bool] = mapped_column(default=False)
    """Whether somebody took it out."""
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)
    """The picture (`vision.decks.references.View.jpeg`)."""


class SeatRecord(Base):
    """The deck that a table plays with, if it said so."""

    __tablename__ = "table_decks"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    """The table."""
    deck_id: Mapped[int] = mapped_column(ForeignKey("decks.id"))
    """The deck."""
    learns: Mapped[bool] = mapped_column(default=False)
    """Whether cards that somebody corrects at the table are added to the deck."""
