"""A card seen at any angle -> upright square crops by homography: the whole card, and its corners.

A pile may show nothing of a card but the corner with its index, so the two corners where an index
may stand are cropped by themselves, at a larger scale.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.quads import half_turn
from vision.photo import Pixels

CROP_PX = 128
"""Width and height of the crop of a whole card, which is stretched to a square."""
CROP_MARGIN = 0.08
"""Share of the card's width and height shown around it, so that its edges can be seen."""
INDEX_PX = 64
"""Width and height of the crop of a corner: at this size the card appears nearly half as high again
as in the crop of the whole card."""
INDEX_AREA = ((-0.08, -0.06), (0.46, 0.34))
"""Upper left and lower right of the crop of a corner, as shares of the card's width and height: an
index and a margin for badly placed corners, without the middle of the card."""


def straighten(
    image_bgr: Pixels,
    corners_xy: npt.ArrayLike,
    *,
    side_px: int = CROP_PX,
    margin: float = CROP_MARGIN,
) -> Pixels:
    """A card as an upright `side_px` x `side_px` BGR picture with a margin around it.

    Args:
        image_bgr: The photo, H x W x 3.
        corners_xy: Four (x, y) corners in photo pixels, clockwise, 0-1 and 2-3 the short sides.
        side_px: Width and height of the result.
        margin: Share of the card's width and height shown around it.

    Pixels outside the photo repeat its edge. Where the card is more than twice as large as the
    crop, the photo is shrunk first, so that fine print is averaged and no pixels are skipped.

    >>> straighten(np.zeros((90, 60, 3), np.uint8), [[0, 0], [60, 0], [60, 90], [0, 90]]).shape
    (128, 128, 3)
    """
    corners = np.asarray(corners_xy, np.float32).reshape(4, 2)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    shrink = min(1.0, 2.0 * side_px / max(float(sides.min()), 1.0))
    if shrink < 1.0:
        image_bgr, corners = _shrunk(image_bgr, corners, shrink=shrink, margin=margin)
    low = side_px * margin / (1 + 2 * margin)
    high = side_px - low
    target = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, target)
    warped = cv2.warpPerspective(
        image_bgr, matrix, (side_px, side_px), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def corner_views(image_bgr: Pixels, corners_xy: npt.ArrayLike) -> list[Pixels]:
    """The two corners where an index may stand, upright: `INDEX_PX` x `INDEX_PX` BGR pictures.

    Args:
        image_bgr: The photo, H x W x 3.
        corners_xy: Four (x, y) corners in photo pixels, clockwise, 0-1 and 2-3 the short sides.

    Returns:
        The crop at corner 0, and the one at corner 2, which is turned by half a turn.

    >>> views = corner_views(np.zeros((90, 60, 3), np.uint8), [[0, 0], [60, 0], [60, 90], [0, 90]])
    >>> [view.shape for view in views]
    [(64, 64, 3), (64, 64, 3)]
    """
    corners = np.asarray(corners_xy, np.float32).reshape(4, 2)
    (left, top), (right, bottom) = INDEX_AREA
    part = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float32)
    card = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    views = []
    for end in (corners, half_turn(corners)):
        shown = cv2.perspectiveTransform(part, cv2.getPerspectiveTransform(card, end))[0]
        views.append(straighten(image_bgr, shown, side_px=INDEX_PX, margin=0.0))
    return views


def _shrunk(
    image_bgr: Pixels,
    corners: npt.NDArray[np.float32],
    *,
    shrink: float,
    margin: float,
) -> tuple[Pixels, npt.NDArray[np.float32]]:
    """The neighbourhood of the corners at a smaller scale, and the corners in it."""
    height, width = image_bgr.shape[:2]
    low, high = corners.min(0), corners.max(0)
    pad = (high - low) * margin * 2
    x0, y0 = np.clip((low - pad).astype(int), 0, [width - 2, height - 2])
    x1, y1 = np.clip((high + pad).astype(int) + 1, [x0 + 2, y0 + 2], [width, height])
    size = (max(1, round((x1 - x0) * shrink)), max(1, round((y1 - y0) * shrink)))
    part = cv2.resize(image_bgr[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
    scale = np.array([part.shape[1] / (x1 - x0), part.shape[0] / (y1 - y0)], np.float32)
    return np.asarray(part, np.uint8), ((corners - [x0, y0]) * scale).astype(np.float32)
