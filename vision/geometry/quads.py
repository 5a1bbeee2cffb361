"""Quadrilaterals in pixels: a card as four corners, clockwise in the picture.

A quad is a 4 x 2 float array; several are N x 4 x 2. The sides between corners 0 and 1 and between
corners 2 and 3 are the card's short sides. Which of the two comes first is arbitrary: a quad and
its half turn (corners 2, 3, 0, 1) are the same card.
"""

import cv2
import numpy as np
import numpy.typing as npt

Quad = npt.NDArray[np.float32]
"""One quadrilateral, 4 x 2, or several, N x 4 x 2: (x, y) corners."""
FloatArray = npt.NDArray[np.float64]
"""An array of double precision numbers, of any shape."""

LEAST_SIDE_SHARE = 0.12
"""A quadrilateral whose shortest side is less than this share of its longest is no card."""
_MASK_PX = 64
"""Shared areas of several quadrilaterals are counted on a grid of so many pixels a side."""


def half_turn(quads: Quad) -> Quad:
    """The same quads, starting with the opposite corner.

    >>> half_turn(np.array([[0, 0], [2, 0], [2, 3], [0, 3]], np.float32)).tolist()
    [[2.0, 3.0], [0.0, 3.0], [0.0, 0.0], [2.0, 0.0]]
    """
    return np.roll(quads, 2, axis=-2)


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
    """Whether each quad could be a card: convex, clockwise, and no side far too short.

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

    Of the two ways to pair the corners (as they are, or after a half turn) the nearer one counts.
    Two cards of a fan, of which the lower shows only a fifth, are 0.15 to 0.2 apart.

    >>> card = np.array([[0, 0], [2, 0], [2, 3], [0, 3]], np.float32)
    >>> corner_distances(card, np.stack([half_turn(card), card + [0.5, 0]])).tolist()
    [0.0, 0.25]
    """
    straight = np.linalg.norm(others - quad, axis=-1).mean(axis=-1)
    turned = np.linalg.norm(half_turn(others) - quad, axis=-1).mean(axis=-1)
    size = (short_sides(quad) + short_sides(others)) / 2
    return np.asarray(np.minimum(straight, turned) / np.maximum(size, 1e-6), np.float32)


def shared_areas(quad: Quad, others: Quad) -> npt.NDArray[np.float32]:
    """The area that each other convex quad has in common with this one, in square pixels.

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
    """The box x0, y0, x1, y1 around some quads.

    >>> bounds(np.array([[[0, 0], [2, 0], [2, 3], [0, 3]]], np.float32))
    (0.0, 0.0, 2.0, 3.0)
    """
    points = quads.reshape(-1, 2)
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _mask(quad: Quad) -> npt.NDArray[np.uint8]:
    mask = np.zeros((_MASK_PX, _MASK_PX), np.uint8)
    return np.asarray(cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), (1,)), np.uint8)
