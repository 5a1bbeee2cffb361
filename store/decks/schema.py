"""The tables of the database that hold decks."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from store.schema import Base, now


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
    """The picture (`vision.decks.view.View.jpeg`)."""


class SeatRecord(Base):
    """The deck that a table plays with, if it said so."""

    __tablename__ = "table_decks"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    """The table."""
    deck_id: Mapped[int] = mapped_column(ForeignKey("decks.id"))
    """The deck."""
    learns: Mapped[bool] = mapped_column(default=False)
    """Whether cards that somebody corrects at the table are added to the deck."""
