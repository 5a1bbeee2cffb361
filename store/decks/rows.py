"""What the store gives back of decks: frozen copies, free of any session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.rows import UploadState


@dataclass(frozen=True, kw_only=True)
class DeckRow:
    """A deck, without its cards."""

    id: int
    """Its number."""
    name: str
    """What it is called; empty while it is being taught."""
    code: str
    """Code of the table that taught it, and may change it."""
    revision: int
    """Grows with every change to its cards."""
    cards: int
    """How many of the forty cards it knows."""


@dataclass(frozen=True, kw_only=True)
class DeckPhotoRow:
    """A photo of a deck laid out, without its bytes."""

    id: int
    """Its number."""
    name: str
    """The file's name."""
    state: UploadState
    refusal: Mapping[str, Any] | None
    """Why it was refused: "error", the error's name, and its data."""


@dataclass(frozen=True, kw_only=True)
class ViewRow:
    """A card of a deck as it was seen once."""

    id: int
    """Its number."""
    key: str
    """Where it comes from."""
    photo: int | None
    """The photo of the deck that shows it; None where it comes from a file or a pile."""
    code: str
    """The card it is taken for, or `x`."""
    is_sure: bool
    """Whether that was read without a doubt, or somebody said it."""
    is_covered: bool
    """Whether another card may lie over a part of it: then it teaches nothing."""
    is_out: bool
    """Whether somebody took it out."""
    jpeg: bytes = field(repr=False)
    """The picture of it."""


@dataclass(frozen=True, kw_only=True)
class TaughtCard:
    """A card to be kept: what a photo, a file or a pile shows of it."""

    key: str
    """Where it comes from: the same is kept once."""
    code: str
    """The card it is taken for, or `x`."""
    jpeg: bytes = field(repr=False)
    """The picture of it."""
    is_sure: bool = True
    """Whether that was read without a doubt, or somebody said it."""
    is_covered: bool = False
    """Whether another card may lie over a part of it."""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """The deck that a table plays with."""

    deck: DeckRow
    learns: bool
    """Whether cards that somebody corrects at the table are added to the deck."""
