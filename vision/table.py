"""Cards of one table are one rectangle on one plane: where corners are not seen, that tells them.

The plane is that on which the boxes found come nearest to being equal rectangles, each corner
counted by how surely it was seen. Then every box becomes such a rectangle, where two corners agree.
"""

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from vision.geometry import Quad, is_cardlike, short_sides
from vision.network import Tensor

Numbers = npt.NDArray[np.float64]
"""Any array of numbers."""

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
SCALES = (4.0, 2.0, 1.0)
"""How far off corners may be to count fully, in their own noise: less each time."""

_LOW = np.array([-3.0, -3.0, -0.5, -6.0, -0.75])
_HIGH = np.array([3.0, 3.0, 0.7, 2.0, -0.28])
"""Of the horizon x and y, and the logarithms of focal length, card height and width to height."""
_STEPS = np.array([0.3, 0.3, 0.3, 0.3, 0.2])
_USUAL = np.array([0.0, 0.0, 0.0, 0.0, np.log(0.62)])
_TRUST = np.array([0.7, 0.7, 0.3, np.inf, 0.08])
"""What is usual, and how far from it is unlikely; long sides of the picture are the unit."""
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


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
    heed = weights * scores[:, None] ** 2 / (1 + (spread / SEEN) ** 3)
    plane = _plane(corners[firm], heed[firm])
    flat, side = _flat(plane, corners), np.exp(plane[3:].sum())
    cards, counted = flat, weights
    for _ in range(ROUNDS):
        cards = _rectangles(plane, flat, weights=counted)
        far = np.linalg.norm(flat - cards, axis=-1) / side
        counted = weights / (1 + (far / LOOSE) ** 2)
    found = np.asarray(_seen(plane, cards) * unit + middle, np.float32)
    moved = np.linalg.norm(found - quads, axis=-1) / short_sides(quads)[:, None]
    fits = (np.sort(moved, axis=1)[:, 1] <= AGREE) & is_cardlike(found)
    return np.where(fits[:, None, None], found, quads)


def _plane(corners: Numbers, weights: Numbers) -> Numbers:
    """The plane and the card that fit best, as five numbers (see `_LOW`)."""
    roots = np.sqrt(weights)[..., None]

    def misfit(plane: Numbers) -> Numbers:
        usual = (plane - _USUAL) / _TRUST
        if (1 + corners @ plane[:2]).min() < 0.05:  # a card would lie beyond the horizon
            return np.concatenate([np.full(corners.size, 30.0), usual])
        flat = _flat(plane, corners)
        away = (flat - _rectangles(plane, flat, weights=weights)) / np.exp(plane[3:].sum())
        return np.concatenate([(away * roots).ravel(), usual])

    long_sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1)[:, [1, 3]]
    plane = _USUAL.copy()
    plane[3] = np.log(np.median(long_sides))
    for scale in SCALES:
        inside = np.clip(plane, _LOW + 1e-6, _HIGH - 1e-6)
        found = least_squares(
            misfit, inside, bounds=(_LOW, _HIGH), x_scale=_STEPS, loss="cauchy", f_scale=scale,
            max_nfev=60,
        )  # fmt: skip
        plane = np.asarray(found.x)
    return plane


def _stretch(plane: Numbers) -> Numbers:
    """2 x 2: the plane seen from straight above, from how it is seen once its horizon is far."""
    horizon = plane[:2]
    far = float(np.hypot(*horizon))
    down = horizon / far if far > 1e-9 else np.array([1.0, 0.0])
    tilt = np.arctan(np.exp(plane[2]) * far)
    return np.asarray(np.eye(2) + (1 / np.cos(tilt) - 1) * np.outer(down, down))


def _flat(plane: Numbers, corners: Numbers) -> Numbers:
    """Corners in the picture -> on the plane, seen from straight above."""
    near = 1 + corners @ plane[:2]
    return np.asarray((corners / near[..., None]) @ _stretch(plane).T)


def _seen(plane: Numbers, flat: Numbers) -> Numbers:
    """Corners on the plane -> in the picture: the way back from `_flat`."""
    straight = flat @ np.linalg.inv(_stretch(plane)).T
    return np.asarray(straight / (1 - straight @ plane[:2])[..., None])


def _rectangles(plane: Numbers, flat: Numbers, *, weights: Numbers) -> Numbers:
    """The card laid on each box as it fits best: moved and turned, never stretched.

    As complex numbers, the best turn is the direction of the weighted sum of products.
    """
    height = np.exp(plane[3])
    card = _CORNERS * [height * np.exp(plane[4]), height]
    total = weights.sum(axis=1, keepdims=True)
    centre = (flat * weights[..., None]).sum(axis=1, keepdims=True) / total[..., None]
    own = (card * weights[..., None]).sum(axis=1, keepdims=True) / total[..., None]
    there, here = flat - centre, card - own
    target, source = there[..., 0] + 1j * there[..., 1], here[..., 0] + 1j * here[..., 1]
    turn = (np.conj(source) * target * weights).sum(axis=1, keepdims=True)
    turned = source * turn / np.maximum(np.abs(turn), 1e-12)
    return np.asarray(np.stack([turned.real, turned.imag], axis=-1) + centre)
