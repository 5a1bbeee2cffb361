"""Hidden corners, from the fact that all cards of a table are equal rectangles on one plane.

The plane is fitted to the boxes, each corner weighted by how surely it was seen. Then a card-sized
rectangle is fitted to each box. If at least two corners of the box agree with it, the others move
there, each the farther the less firmly it was seen.
"""

import numpy as np
import numpy.typing as npt

from vision.geometry.plane import card_width, fit_cards, fit_plane, to_picture, to_plane
from vision.geometry.quads import Quad, is_cardlike, short_sides

FEWEST = 4
"""With fewer boxes of `LEAST_SCORE` the plane is not fitted and every box stays as it is."""
LEAST_SCORE = 0.6
"""Boxes of lower scores are left out when the plane is fitted."""
HALF_WEIGHT_SPREAD = 0.015
"""Short sides. A corner whose spread is as large counts half when the plane is fitted; the weight
falls with the cube of the spread."""
LEAST_ERROR = 0.01
"""Short sides. The standard deviation of a corner whose spread is zero."""
ERROR_PER_SPREAD = 2.0
"""Standard deviation of a corner, as a multiple of its spread."""
HALF_WEIGHT_OFFSET = 0.2
"""Card widths. A corner as far from the fitted rectangle counts half when it is fitted again."""
FITS = 3
"""How often a rectangle is fitted to a box; after each time corners that do not fit count less."""
HALF_WAY_SPREAD = 0.03
"""Short sides. A corner of this spread comes to lie half-way between where it was seen and the
rectangle's. One that was seen firmly stays where it was seen: no table is quite flat, and no lens
quite true."""
AGREEMENT = 0.25
"""Short sides. Two corners of a box must be no farther from the rectangle's. Otherwise the box is
no card of this table, or a bad box, and stays as it is."""


def on_one_plane(
    quads: Quad,
    scores: npt.NDArray[np.float32],
    *,
    spread: npt.NDArray[np.float32],
    size_wh: tuple[int, int],
) -> Quad:
    """Boxes as equal rectangles on one plane: N x 4 x 2 corners.

    Args:
        quads: N x 4 x 2 corners in pixels.
        scores: N scores, 0 to 1.
        spread: N x 4: standard deviation of each corner over the refine network's shifted crops,
            in short sides of the box (`Refiner.jitter`).
        size_wh: Width and height of the picture.

    >>> none = np.zeros((0, 4), np.float32)
    >>> on_one_plane(none.reshape(0, 4, 2), none[:, 0], spread=none, size_wh=(640, 480)).shape
    (0, 4, 2)
    """
    firm = scores >= LEAST_SCORE
    if firm.sum() < FEWEST:
        return quads
    middle, unit = np.array(size_wh) / 2, max(size_wh)
    corners = (quads.astype(np.float64) - middle) / unit
    weights = 1 / ((ERROR_PER_SPREAD * spread.astype(np.float64)) ** 2 + LEAST_ERROR**2)
    plane_weights = weights * scores[:, None] / (1 + (spread / HALF_WEIGHT_SPREAD) ** 3)
    plane = fit_plane(corners[firm], plane_weights[firm])
    there = to_plane(plane, corners)
    cards, card_weights = there, weights
    for _ in range(FITS):
        cards = fit_cards(plane, there, weights=card_weights)
        far = np.linalg.norm(there - cards, axis=-1) / card_width(plane)
        card_weights = weights / (1 + (far / HALF_WEIGHT_OFFSET) ** 2)
    moves = np.asarray(to_picture(plane, cards) * unit + middle, np.float32) - quads
    far = np.linalg.norm(moves, axis=-1) / short_sides(quads)[:, None]
    fits = (np.sort(far, axis=1)[:, 1] <= AGREEMENT) & is_cardlike(quads + moves)
    pull = fits[:, None] * spread**4 / (spread**4 + HALF_WAY_SPREAD**4)
    return np.asarray(quads + moves * pull[..., None], np.float32)
