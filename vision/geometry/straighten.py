"""A card seen at any angle -> upright square crops by homography: the whole card, and its corners.

A pile may show nothing of a card but the corner with its index, so the two corners where an index
may stand are cropped by themselves, at a larger scale.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.quads import half_turn
from vision.photo import Pixels, Pyramid, as_pyramid

CROP_PX = 128
"""Width and height of the crop of a whole card, which is stretched to a square."""
CROP_MARGIN = 0.08
"""Share of the card's width and height shown around it, so that its edges can be seen."""
MOST_TIMES = 2 * 2**0.5
"""A card may be so many times as large as its crop in the picture that it is cut out of. Halved
until it is not, a large card comes nearest to twice its crop."""
INDEX_PX = 64
"""Width and height of the crop of a corner: at this size the card appears nearly half as high again
as in the crop of the whole card."""
INDEX_AREA = ((-0.08, -0.06), (0.46, 0.34))
"""Upper left and lower right of the crop of a corner, as shares of the card's width and height: an
index and a margin for badly placed corners, without the middle of the card."""


def straighten(
    picture: Pixels | Pyramid,
    corners_xy: npt.ArrayLike,
    *,
    side_px: int = CROP_PX,
    margin: float = CROP_MARGIN,
) -> Pixels:
    """A card as an upright `side_px` x `side_px` BGR picture with a margin around it.

    Args:
        picture: The photo, H x W x 3. A `Pyramid` is halved once for all cards cut out of it.
        corners_xy: Four (x, y) corners in photo pixels, clockwise, 0-1 and 2-3 the short sides.
        side_px: Width and height of the result.
        margin: Share of the card's width and height shown around it.

    Pixels outside the photo repeat its edge. A card much larger than the crop is cut out of a
    halved photo (`MOST_TIMES`), so that fine print is averaged and no pixels are skipped.

    >>> straighten(np.zeros((90, 60, 3), np.uint8), [[0, 0], [60, 0], [60, 90], [0, 90]]).shape
    (128, 128, 3)
    """
    corners = np.asarray(corners_xy, np.float32).reshape(4, 2)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    whole = level = as_pyramid(picture)
    times = float(sides.min()) / side_px
    while times > MOST_TIMES and min(level.bgr.shape[:2]) > 1:
        level, times = level.half, times / 2
    shrink = np.array(level.bgr.shape[1::-1]) / whole.bgr.shape[1::-1]
    corners = np.asarray(corners * shrink, np.float32)
    low = side_px * margin / (1 + 2 * margin)
    high = side_px - low
    target = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, target)
    warped = cv2.warpPerspective(
        level.bgr, matrix, (side_px, side_px), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def corner_views(picture: Pixels | Pyramid, corners_xy: npt.ArrayLike) -> list[Pixels]:
    """The two corners where an index may stand, upright: `INDEX_PX` x `INDEX_PX` BGR pictures.

    Args:
        picture: The photo, H x W x 3, or its `Pyramid`.
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
        views.append(straighten(picture, shown, side_px=INDEX_PX, margin=0.0))
    return views
