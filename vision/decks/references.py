"""The pictures kept of a deck's cards, and the file of a deck.

A view is a card cut out upright, and its two corners. Pixels are kept and not what the networks
made of them, so a deck outlives the networks.
"""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import CardImageError, DeckFileError
from vision.geometry import CROP_PX, INDEX_PX, corner_views, straighten
from vision.photo import Photo, Pixels
from vision.reading import CLASSES, DECK_SIZE

VIEW_WH = (CROP_PX, CROP_PX + INDEX_PX)
"""Width and height of a view as a picture: the card, and below it its two corners."""
VIEW_QUALITY = 95
"""JPEG quality, 0 to 100."""
FORM = "settebello deck 1"
"""What `deck.json` calls itself."""
MOST_VIEWS = 400
"""A deck has no more views than this: ten for each card."""
MOST_BYTES = 40_000_000
"""No file of a deck is longer, packed or not."""
MOST_NAME = 60
"""The most characters of a deck's name."""
_CONTENT = "deck.json"


@dataclass(frozen=True, eq=False)
class CardImage:
    """A card cut out of a photo, stretched to a square, and its two corners."""

    card: Pixels
    """128 x 128 x 3, BGR."""
    corners: tuple[Pixels, Pixels]
    """64 x 64 x 3, BGR: the corner at the upper left, and the one across, turned by half a turn."""

    @property
    def turned(self) -> "CardImage":
        """The same card upside down."""
        upside_down = np.ascontiguousarray(self.card[::-1, ::-1])
        return CardImage(upside_down, (self.corners[1], self.corners[0]))

    @property
    def digest(self) -> str:
        """Another for every other view."""
        return sha256(
            self.card.tobytes() + b"".join(end.tobytes() for end in self.corners)
        ).hexdigest()

    def jpeg(self) -> bytes:
        """The view as one picture, to be kept."""
        whole = np.vstack([self.card, np.hstack(self.corners)])
        _, coded = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, VIEW_QUALITY])
        return coded.tobytes()


Reference = tuple[str, CardImage]
"""The code of a card, and a view of it."""


def card_image(photo: Photo, corners_xy: npt.ArrayLike) -> CardImage:
    """The reference image of a card that lies in a photo.

    Args:
        photo: The photo.
        corners_xy: 4 x 2 corners in its pixels, clockwise, 0-1 and 2-3 the short sides.
    """
    corners = np.asarray(corners_xy, np.float32)
    first, second = corner_views(photo.whole, corners)
    return CardImage(straighten(photo.whole, corners), (first, second))


def read_card_image(jpeg: bytes) -> CardImage:
    """A view as it was kept.

    Raises:
        CardImageError: The picture is damaged, or is none of a view.

    >>> read_card_image(b"")
    Traceback (most recent call last):
    vision.errors.CardImageError: expected a picture of 128 x 192 pixels, got none; ...
    """
    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if pixels is None:
        raise CardImageError("none")
    height, width = pixels.shape[:2]
    if (width, height) != VIEW_WH:
        raise CardImageError(f"one of {width} x {height}")
    whole = np.asarray(pixels, np.uint8)
    below = whole[CROP_PX:]
    return CardImage(whole[:CROP_PX], (below[:, :INDEX_PX], below[:, INDEX_PX:]))


@dataclass(frozen=True)
class DeckFile:
    """What the file of a taught deck holds."""

    name: str
    """What the deck is called."""
    views: tuple[Reference, ...]
    """Its views, each with its card."""


def packed(name: str, views: Sequence[tuple[str, bytes]]) -> bytes:
    """The file of a deck.

    Args:
        name: What it is called.
        views: The code of each card, and its view as it is kept (`CardImage.jpeg`).
    """
    kept = io.BytesIO()
    listed = [{"card": code, "picture": f"{at:03}.jpg"} for at, (code, _) in enumerate(views)]
    with zipfile.ZipFile(kept, "w") as archive:
        content = {"form": FORM, "name": name, "views": listed}
        archive.writestr(_CONTENT, json.dumps(content, indent=1))
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
    vision.errors.DeckFileError: deck.zip: expected the file of a taught deck, got an empty...
    """
    if not data:
        raise DeckFileError(path, "an empty file")
    if len(data) > MOST_BYTES:
        raise DeckFileError(path, f"more than {MOST_BYTES // 1_000_000} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_BYTES:
                raise DeckFileError(path, f"more than {MOST_BYTES // 1_000_000} MB")
            content = json.loads(_read_entry(archive, _CONTENT))
            return _checked(content, archive, path=path)
    except DeckFileError:
        raise
    except CardImageError as error:
        raise DeckFileError(path, f"a damaged picture ({error.got})") from error
    except Exception as error:  # zipfile raises a dozen kinds at what was made to break it
        raise DeckFileError(path, "something else, or a part of it") from error


def read_deck_file(path: Path) -> DeckFile:
    """The deck in a file; raises as `unpacked`."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DeckFileError(path, "no such file") from error
    return unpacked(data, path=path)


def _read_entry(archive: zipfile.ZipFile, name: str) -> bytes:
    """An entry's bytes: no more are unpacked than it says, whatever its data would give."""
    entry = archive.getinfo(name)
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise ValueError("expected a kind of compression that can be unpacked in parts")
    with archive.open(entry) as file:
        return file.read(entry.file_size)


def _checked(content: Any, archive: zipfile.ZipFile, *, path: Path) -> DeckFile:
    """The deck that the content of a file tells of; any error says that it is none."""
    if content["form"] != FORM:
        raise DeckFileError(path, "one of another version")
    name, views = " ".join(str(content["name"]).split())[:MOST_NAME], content["views"]
    if not name or not 0 < len(views) <= MOST_VIEWS:
        raise DeckFileError(path, f"a deck of {len(views)} views")
    if any(one["card"] not in CLASSES[:DECK_SIZE] for one in views):
        raise DeckFileError(path, "one with a card that no deck holds")
    return DeckFile(
        name,
        tuple(
            (one["card"], read_card_image(_read_entry(archive, one["picture"]))) for one in views
        ),
    )
