"""Cards of one table are one rectangle on one plane: where corners are not seen, that tells them.

The plane is that on which the boxes found come nearest to being equal rectangles, each corner
counted by how surely it was seen. Then every box becomes such a rectangle, where two corners agree.
"""

import numpy as np

from vision.geometry.plane import card_width, find, flat, rectangles, seen
from vision.geometry.quads import Quad, is_cardlike, short_sides
from vision.networks.network import Tensor

FEWEST = 4
"""Fewer boxes do not tell the plane."""
LEAST_SCORE = 0.6
"""Boxes of lower scores say nothing of the plane."""
SEEN = 0.015
"""A corner that looks from beside move by as much, in short sides, says half as much of the plane;
one that moves farther is hardly seen and says ever less."""
NOISE = 0.01
"""How far off a corner is, in short sides, that every look puts in one place."""
OFF = 2.0
"""How much farther off corners are than looks from beside move them."""
LOOSE = 0.2
"""A corner this far from the rectangle of the others, in short sides, counts half as much."""
ROUNDS = 3
"""Times a rectangle is laid on a box, with less heed each time to corners that do not fit."""
AGREE = 0.25
"""Two corners of a box must be no farther than this from the rectangle's, in short sides: else it
is no card on this table, or a bad box, and stays as it was seen."""


def laid(quads: Quad, scores: Tensor, *, spread: Tensor, size_wh: tuple[int, int]) -> Quad:
    """Boxes as equal rectangles on one plane: N x 4 x 2 corners; unchanged where there are few.

    Args:
        quads: N x 4 x 2 corners in pixels.
        scores: N scores, 0 to 1.
        spread: N x 4: how far looks from beside move each corner, in short sides of the box.
        size_wh: Width and height of the picture.

    >>> none = np.zeros((0, 4), np.float32)
    >>> laid(none.reshape(0, 4, 2), none[:, 0], spread=none, size_wh=(640, 480)).shape
    (0, 4, 2)
    """
    firm = scores >= LEAST_SCORE
    if firm.sum() < FEWEST:
        return quads
    middle, unit = np.array(size_wh) / 2, max(size_wh)
    corners = (quads.astype(np.float64) - middle) / unit
    weights = 1 / ((OFF * spread.astype(np.float64)) ** 2 + NOISE**2)
    heed = weights * scores[:, None] / (1 + (spread / SEEN) ** 3)
    plane = find(corners[firm], heed[firm])
    there = flat(plane, corners)
    cards, counted = there, weights
    for _ in range(ROUNDS):
        cards = rectangles(plane, there, weights=counted)
        far = np.linalg.norm(there - cards, axis=-1) / card_width(plane)
        counted = weights / (1 + (far / LOOSE) ** 2)
    found = np.asarray(seen(plane, cards) * unit + middle, np.float32)
    moved = np.linalg.norm(found - quads, axis=-1) / short_sides(quads)[:, None]
    fits = (np.sort(moved, axis=1)[:, 1] <= AGREE) & is_cardlike(found)
    return np.where(fits[:, None, None], found, quads)
