"""One look at a card of a deck, as it is kept: the card cut out upright, and its two corners.

Pixels are kept and not what the networks made of them, so a deck outlives the networks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import cv2
import numpy as np

from vision.decks.errors import ViewError
from vision.geometry.quads import Quad
from vision.geometry.straighten import CROP_PX, INDEX_PX, corner_views, straighten
from vision.photo import Photo, Pixels

VIEW_WH = (CROP_PX, CROP_PX + INDEX_PX)
"""Width and height of a view as a picture: the card, and below it its two corners."""
VIEW_QUALITY = 95
"""JPEG quality, 0 to 100."""


@dataclass(frozen=True, eq=False)
class View:
    """A card cut out of a photo, stretched to a square, and its two corners."""

    card: Pixels
    """128 x 128 x 3, BGR."""
    corners: tuple[Pixels, Pixels]
    """64 x 64 x 3, BGR: the corner at the upper left, and the one across, turned by half a turn."""

    @property
    def turned(self) -> "View":
        """The same card upside down."""
        upside_down = np.ascontiguousarray(self.card[::-1, ::-1])
        return View(upside_down, (self.corners[1], self.corners[0]))

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


def view_of(photo: Photo, quad: Quad) -> View:
    """The view of a card that lies in a photo.

    Args:
        photo: The photo.
        quad: 4 x 2 corners in its pixels, clockwise, 0-1 and 2-3 the short sides.
    """
    first, second = corner_views(photo.whole, quad)
    return View(straighten(photo.whole, quad), (first, second))


def view_at(photo: Photo, corners: Sequence[tuple[float, float]]) -> View:
    """As `view_of`, of corners that are pairs of numbers."""
    return view_of(photo, np.array(corners, np.float32))


def read_view(jpeg: bytes) -> View:
    """A view as it was kept.

    Raises:
        ViewError: The picture is damaged, or is none of a view.

    >>> read_view(b"")
    Traceback (most recent call last):
    vision.decks.errors.ViewError: expected a picture of 128 x 192 pixels, got none; teach the ...
    """
    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if pixels is None:
        raise ViewError("none")
    height, width = pixels.shape[:2]
    if (width, height) != VIEW_WH:
        raise ViewError(f"one of {width} x {height}")
    whole = np.asarray(pixels, np.uint8)
    below = whole[CROP_PX:]
    return View(whole[:CROP_PX], (below[:, :INDEX_PX], below[:, INDEX_PX:]))
