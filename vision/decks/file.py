"""A taught deck as one file: a ZIP archive of its views, to be taken to another house.

It holds `deck.json` with the deck's name and for each view its card and its picture, and the
pictures. Files from elsewhere are looked at with limits on everything.
"""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.classes import CLASSES, DECK_SIZE
from vision.decks.errors import DeckFileError, ViewError
from vision.decks.faces import LooksAt, Taught, TaughtDeck, taught
from vision.decks.view import read_view

FORM = "settebello deck 1"
"""What `deck.json` calls itself."""
MOST_VIEWS = 400
"""A deck has no more views than this: ten for each card."""
MOST_BYTES = 40_000_000
"""No file of a deck is longer, packed or not."""
MOST_NAME = 60
"""The most characters of a deck's name."""
_CONTENT = "deck.json"


@dataclass(frozen=True)
class DeckFile:
    """What the file of a taught deck holds."""

    name: str
    """What the deck is called."""
    views: tuple[Taught, ...]
    """Its views, each with its card."""


def packed(name: str, views: Sequence[tuple[str, bytes]]) -> bytes:
    """The file of a deck.

    Args:
        name: What it is called.
        views: The code of each card, and its view as it is kept (`View.jpeg`).
    """
    kept = io.BytesIO()
    listed = [{"card": code, "picture": f"{at:03}.jpg"} for at, (code, _) in enumerate(views)]
    with zipfile.ZipFile(kept, "w") as archive:
        told = {"form": FORM, "name": name, "views": listed}
        archive.writestr(_CONTENT, json.dumps(told, indent=1))
        for one, (_, jpeg) in zip(listed, views, strict=True):
            archive.writestr(one["picture"], jpeg)
    return kept.getvalue()


def unpacked(data: bytes, *, path: Path) -> DeckFile:
    """The deck in the bytes of a file.

    Args:
        data: The bytes.
        path: What the file is called, for the message when it is damaged.

    Raises:
        DeckFileError: It is something else, is damaged, or is larger than any deck.

    >>> unpacked(b"", path=Path("deck.zip"))
    Traceback (most recent call last):
    vision.decks.errors.DeckFileError: deck.zip: expected the file of a taught deck, got an empty...
    """
    if not data:
        raise DeckFileError(path, "an empty file")
    if len(data) > MOST_BYTES:
        raise DeckFileError(path, f"more than {MOST_BYTES // 1_000_000} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_BYTES:
                raise DeckFileError(path, f"more than {MOST_BYTES // 1_000_000} MB")
            told = json.loads(archive.read(_CONTENT))
            return _checked(told, archive, path=path)
    except DeckFileError:
        raise
    except ViewError as error:
        raise DeckFileError(path, f"a damaged picture ({error.got})") from error
    except Exception as error:  # zipfile raises a dozen kinds at what was made to break it
        raise DeckFileError(path, "something else, or a part of it") from error


def deck_of(path: Path | None, looks: LooksAt) -> TaughtDeck | None:
    """The faces of the deck in a file; None without a file. Raises as `unpacked`."""
    return None if path is None else taught(read_deck_file(path).views, looks)


def read_deck_file(path: Path) -> DeckFile:
    """The deck in a file; raises as `unpacked`."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DeckFileError(path, "no such file") from error
    return unpacked(data, path=path)


def _checked(told: Any, archive: zipfile.ZipFile, *, path: Path) -> DeckFile:
    """The deck that the content of a file tells of; any error says that it is none."""
    if told["form"] != FORM:
        raise DeckFileError(path, "one of another version")
    name, views = " ".join(str(told["name"]).split())[:MOST_NAME], told["views"]
    if not name or not 0 < len(views) <= MOST_VIEWS:
        raise DeckFileError(path, f"a deck of {len(views)} views")
    if any(one["card"] not in CLASSES[:DECK_SIZE] for one in views):
        raise DeckFileError(path, "one with a card that no deck holds")
    return DeckFile(
        name, tuple((one["card"], read_view(archive.read(one["picture"]))) for one in views)
    )
