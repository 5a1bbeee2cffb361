"""Cards as quadrilaterals of four corners, and upright crops of them by homography.

A quad is a 4 x 2 float array of corners in pixels, clockwise in the picture; several are N x 4 x 2.
The sides between corners 0 and 1 and between corners 2 and 3 are the card's short sides, in either
order: a quad and its half turn (corners 2, 3, 0, 1) are the same card.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.photo import Pixels, Pyramid, as_pyramid

Quad = npt.NDArray[np.float32]
"""One quadrilateral, 4 x 2, or several, N x 4 x 2: (x, y) corners."""
FloatArray = npt.NDArray[np.float64]
"""An array of double precision numbers, of any shape."""

LEAST_SIDE_SHARE = 0.12
"""A quad whose shortest side is a smaller share of its longest is not a card."""
_MASK_PX = 64
"""Side of the grid on which shared areas of several quads are counted."""
CROP_PX = 128
"""Width and height of the crop of a whole card, which is stretched to a square."""
CROP_MARGIN = 0.08
"""Margin around the card, as a share of its width and height, so that its edges are visible."""
MOST_TIMES = 2 * 2**0.5
"""A card that is more than this many times as large as its crop is cut out of a halved picture, in
which its size is closest to twice that of the crop."""
INDEX_PX = 64
"""Width and height of the crop of a corner, in which the card is almost 1.5 times as high as
in the crop of the whole card."""
INDEX_AREA = ((-0.08, -0.06), (0.46, 0.34))
"""Upper left and lower right of the crop of a corner, as shares of the card's width and height: an
index and a margin for inexact corners, without the middle of the card."""


def half_turn(quads: Quad) -> Quad:
    """Return the same quads, starting with the opposite corner.

    >>> half_turn(np.array([[0, 0], [2, 0], [2, 3], [0, 3]], np.float32)).tolist()
    [[2.0, 3.0], [0.0, 3.0], [0.0, 0.0], [2.0, 0.0]]
    """
    turned: Quad = quads[..., [2, 3, 0, 1], :]
    return turned


def short_sides(quads: Quad) -> npt.NDArray[np.float32]:
    """Mean length of the two short sides of each quad.

    >>> short_sides(np.array([[[0, 0], [2, 0], [2, 3], [0, 3]]], np.float32)).tolist()
    [2.0]
    """
    first = np.linalg.norm(quads[..., 1, :] - quads[..., 0, :], axis=-1)
    second = np.linalg.norm(quads[..., 3, :] - quads[..., 2, :], axis=-1)
    return np.asarray((first + second) / 2, np.float32)


def areas(quads: Quad) -> npt.NDArray[np.float32]:
    """Signed area of each quad: positive when its corners go clockwise in the picture.

    >>> areas(np.array([[[0, 0], [2, 0], [2, 3], [0, 3]]], np.float32)).tolist()
    [6.0]
    """
    after = np.roll(quads, -1, axis=-2)
    cross = quads[..., 0] * after[..., 1] - after[..., 0] * quads[..., 1]
    return np.asarray(cross.sum(axis=-1) / 2, np.float32)


def is_cardlike(quads: Quad) -> npt.NDArray[np.bool_]:
    """Return whether each quad could be a card: convex, clockwise, and no side far too short.

    >>> good, folded = [[0, 0], [2, 0], [2, 3], [0, 3]], [[0, 0], [2, 3], [2, 0], [0, 3]]
    >>> is_cardlike(np.array([good, folded], np.float32)).tolist()
    [True, False]
    """
    edges = np.roll(quads, -1, axis=-2) - quads
    after = np.roll(edges, -1, axis=-2)
    turns = edges[..., 0] * after[..., 1] - edges[..., 1] * after[..., 0]
    lengths = np.linalg.norm(edges, axis=-1)
    even = lengths.min(axis=-1) > LEAST_SIDE_SHARE * lengths.max(axis=-1)
    return np.asarray((turns > 0).all(axis=-1) & even & (lengths.min(axis=-1) > 1e-3))


def corner_distances(quad: Quad, others: Quad) -> npt.NDArray[np.float32]:
    """Mean distance of each other quad's corners from this one's, in short sides.

    The corners are paired as they are or after a half turn, whichever is nearer. Two cards of a fan
    are 0.15 to 0.2 apart if a fifth of the lower card is visible.

    >>> card = np.array([[0, 0], [2, 0], [2, 3], [0, 3]], np.float32)
    >>> corner_distances(card, np.stack([half_turn(card), card + [0.5, 0]])).tolist()
    [0.0, 0.25]
    """
    straight = np.linalg.norm(others - quad, axis=-1).mean(axis=-1)
    turned = np.linalg.norm(half_turn(others) - quad, axis=-1).mean(axis=-1)
    size = (short_sides(quad) + short_sides(others)) / 2
    return np.asarray(np.minimum(straight, turned) / np.maximum(size, 1e-6), np.float32)


def shared_areas(quad: Quad, others: Quad) -> npt.NDArray[np.float32]:
    """Return the area that each other convex quad has in common with this one, in square pixels.

    >>> card = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
    >>> shared_areas(card, np.stack([card, card + [10, 0], card + 99])).tolist()
    [600.0, 300.0, 0.0]
    """
    own = np.asarray(quad, np.float32)
    both = [cv2.intersectConvexConvex(own, np.asarray(other, np.float32))[0] for other in others]
    return np.array(both, np.float32)


def covered_share(quad: Quad, others: Quad) -> float:
    """Share of a quad's area that it has in common with any other quad, whichever is on top.

    >>> card = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
    >>> round(covered_share(card, np.stack([card + [10, 0]])), 1)
    0.5
    """
    low = quad.min(axis=0)
    scale = _MASK_PX / max(float((quad.max(axis=0) - low).max()), 1e-6)
    inside = _mask((quad - low) * scale)
    over = np.zeros_like(inside)
    for other in others:
        over |= _mask((other - low) * scale)
    return float((inside & over).sum() / max(int(inside.sum()), 1))


def bounds(quads: Quad) -> tuple[float, float, float, float]:
    """Return the box x0, y0, x1, y1 around some quads.

    >>> bounds(np.array([[[0, 0], [2, 0], [2, 3], [0, 3]]], np.float32))
    (0.0, 0.0, 2.0, 3.0)
    """
    points = quads.reshape(-1, 2)
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _mask(quad: Quad) -> npt.NDArray[np.uint8]:
    mask = np.zeros((_MASK_PX, _MASK_PX), np.uint8)
    return np.asarray(cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), (1,)), np.uint8)


def straighten(
    picture: Pixels | Pyramid,
    corners_xy: npt.ArrayLike,
    *,
    side_px: int = CROP_PX,
    margin: float = CROP_MARGIN,
) -> Pixels:
    """Return a card as an upright `side_px` x `side_px` BGR picture with a margin around it.

    Args:
        picture: The photo, H x W x 3. A `Pyramid` is halved once for all cards.
        corners_xy: Four (x, y) corners in photo pixels, clockwise, 0-1 and 2-3 the short sides.
        side_px: Width and height of the result.
        margin: Share of the card's width and height shown around it.

    Pixels outside the photo repeat its edge. If a card is much larger than the crop, a halved photo
    (`MOST_TIMES`) averages fine print and skips no pixels.

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
    """Return the two corners that may show an index, upright: `INDEX_PX` x `INDEX_PX` BGR pictures.

    Args:
        picture: The photo, H x W x 3, or its `Pyramid`.
        corners_xy: Four (x, y) corners in photo pixels, clockwise, 0-1 and 2-3 the short sides.

    Returns:
        The crop at corner 0, and the one at corner 2, turned by 180 degrees.

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
