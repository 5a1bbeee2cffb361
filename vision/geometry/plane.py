"""The plane on which the cards of a photo lie, and the size of a card on it.

Coordinates: the long side of the picture is the unit of length, the middle of the picture is the
origin. A plane is an array of five numbers:

- 0, 1: the horizon h, as the line of the points p with h . p = -1; (0, 0) is a camera that looks
  straight down;
- 2: logarithm of the focal length;
- 3: logarithm of a card's height on the plane;
- 4: logarithm of a card's width over its height.

The homography from the picture to the plane is a division by the depth (`_depth`), then a stretch
along the direction in which the camera tilts (`_stretch`).
"""

from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from vision.geometry.quads import FloatArray

LOSS_SCALES = (4.0, 2.0, 1.0)
"""Scales of the Cauchy loss, in standard deviations of a corner. The plane is fitted once for each,
so that boxes which do not fit count less and less."""
LENGTH_QUANTILES = (0.5, 0.65, 0.8, 0.9, 0.97)
"""Quantiles of the boxes' lengths at which the length of a true card is looked for."""
SAME_LENGTH = 0.12
"""Boxes count as equally long if the logarithms of their lengths differ by less than this."""
MOST_COST = 6.0
"""The most that one box adds to the cost of a plane, where a corner off by one standard deviation
adds log 2. A box may be a part of a card or lie around two; it must not outvote the cards."""
LEAST_DEPTH = 0.05
"""A corner of smaller depth (1 in the middle of the picture, 0 on the horizon) counts as beyond the
horizon: no card can lie there."""
BEYOND_RESIDUAL = 30.0
"""The residual of every corner, in standard deviations, if some corner is beyond the horizon."""
DIFFERENCE = 1e-7
"""Step of the numerical derivatives by the five numbers of a plane."""

_LOW = np.array([-3.0, -3.0, -0.5, -6.0, -0.75])
_HIGH = np.array([3.0, 3.0, 0.7, 2.0, -0.28])
_STEPS = np.array([0.3, 0.3, 0.3, 0.3, 0.2])
_PRIOR_MEAN = np.array([0.0, 0.0, 0.0, 0.0, np.log(0.62)])
_PRIOR_DEVIATION = np.array([0.7, 0.7, 0.3, np.inf, 0.08])
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def fit_plane(corners: FloatArray, weights: FloatArray) -> FloatArray:
    """The plane and the card size that explain some boxes best: five numbers.

    In a column each card covers half of the next. The visible half looks like a short card, and
    the box around two cards like a long one. Where most boxes are of that kind, the plane that
    fits all of them has no true card on it. So a plane is also fitted to the boxes of about one
    length, for several lengths, and the plane that explains all boxes best is taken.

    Args:
        corners: N x 4 x 2 corners of boxes, in the coordinates of a plane.
        weights: N x 4: the weight of each corner, 1 / its variance in card widths.
    """
    plane = _fitted(corners, weights)
    lengths = _lengths(plane, corners)
    tried = [plane]
    for length in np.quantile(lengths, LENGTH_QUANTILES):
        alike = np.abs(np.log(lengths / length)) < SAME_LENGTH
        tried += _from_some(corners, weights, chosen=alike)
    return min(tried, key=partial(_cost, corners=corners, weights=weights))


def to_plane(plane: FloatArray, corners: FloatArray) -> FloatArray:
    """Corners in the picture -> on the plane as seen from straight above.

    Args:
        plane: ... x 5: one plane, or several at once.
        corners: N x 4 x 2.

    Returns:
        ... x N x 4 x 2 corners.
    """
    depth = _depth(plane, corners)
    return np.asarray(
        (corners / depth[..., None]) @ _stretch(plane).swapaxes(-1, -2)[..., None, :, :]
    )


def to_picture(plane: FloatArray, corners: FloatArray) -> FloatArray:
    """Corners on the plane -> in the picture: the inverse of `to_plane`."""
    straight = corners @ np.linalg.inv(_stretch(plane)).T
    return np.asarray(straight / (1 - straight @ plane[:2])[..., None])


def fit_cards(plane: FloatArray, corners: FloatArray, *, weights: FloatArray) -> FloatArray:
    """For each box, the card-sized rectangle that fits it best: moved and turned, never stretched.

    This is the weighted Procrustes problem in two dimensions. With corners as complex numbers, the
    best rotation has the direction of the weighted sum of conj(source) * target.

    Args:
        plane: ... x 5.
        corners: ... x N x 4 x 2, on the plane.
        weights: N x 4.
    """
    height = np.exp(plane[..., 3])
    sides = np.stack([height * np.exp(plane[..., 4]), height], axis=-1)
    card = _CORNERS * sides[..., None, None, :]
    shares = (weights / weights.sum(axis=-1, keepdims=True))[..., None]
    centre = (corners * shares).sum(axis=-2, keepdims=True)
    own = (card * shares).sum(axis=-2, keepdims=True)
    there, here = corners - centre, card - own
    target, source = there[..., 0] + 1j * there[..., 1], here[..., 0] + 1j * here[..., 1]
    turn = (np.conj(source) * target * weights).sum(axis=-1, keepdims=True)
    turned = source * turn / np.maximum(np.abs(turn), 1e-12)
    return np.asarray(np.stack([turned.real, turned.imag], axis=-1) + centre)


def card_width(plane: FloatArray) -> FloatArray:
    """Width of a card on the plane, or on each of several planes."""
    return np.asarray(np.exp(plane[..., 3:].sum(axis=-1)))


def _fitted(corners: FloatArray, weights: FloatArray) -> FloatArray:
    """The plane on which the boxes come nearest to being equal rectangles, by least squares."""
    roots = np.sqrt(weights)[..., None]

    def residuals(planes: FloatArray) -> FloatArray:
        prior = (planes - _PRIOR_MEAN) / _PRIOR_DEVIATION
        off = (_offsets(planes, corners, weights=weights) * roots).reshape(*planes.shape[:-1], -1)
        beyond = _depth(planes, corners).min(axis=(-2, -1)) < LEAST_DEPTH
        return np.concatenate([np.where(beyond[..., None], BEYOND_RESIDUAL, off), prior], axis=-1)

    def jacobian(plane: FloatArray) -> FloatArray:
        rows = residuals(plane + DIFFERENCE * np.vstack([np.zeros(len(plane)), np.eye(len(plane))]))
        return np.asarray((rows[1:] - rows[0]).T / DIFFERENCE)

    long_sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1)[:, [1, 3]]
    plane = _PRIOR_MEAN.copy()
    plane[3] = np.log(np.median(long_sides))
    for scale in LOSS_SCALES:
        inside = np.clip(plane, _LOW + 1e-6, _HIGH - 1e-6)
        found = least_squares(
            residuals, inside, jac=jacobian, bounds=(_LOW, _HIGH), x_scale=_STEPS, loss="cauchy",
            f_scale=scale, max_nfev=60,
        )  # fmt: skip
        plane = np.asarray(found.x)
    return plane


def _from_some(
    corners: FloatArray, weights: FloatArray, *, chosen: npt.NDArray[np.bool_]
) -> list[FloatArray]:
    """The plane of the chosen boxes, in a list: empty if they are all the boxes, or fewer than two.

    The plane of all the boxes is known already, and one box fits any plane.
    """
    return [_fitted(corners[chosen], weights[chosen])] if 1 < chosen.sum() < len(chosen) else []


def _offsets(plane: FloatArray, corners: FloatArray, *, weights: FloatArray) -> FloatArray:
    """From the corners of the best-fitting card to those of each box, in card widths."""
    there = to_plane(plane, corners)
    off = there - fit_cards(plane, there, weights=weights)
    return np.asarray(off / card_width(plane)[..., None, None, None])


def _lengths(plane: FloatArray, corners: FloatArray) -> FloatArray:
    """Mean length of each box's two long sides on the plane, in card heights."""
    there = to_plane(plane, corners)
    sides = np.linalg.norm(there - np.roll(there, -1, axis=1), axis=-1)
    return np.asarray(sides[:, [1, 3]].mean(axis=1) / np.exp(plane[3]))


def _cost(plane: FloatArray, *, corners: FloatArray, weights: FloatArray) -> float:
    """What speaks against a plane: boxes that are no card on it, and its distance from the prior.

    Each box costs at most `MOST_COST`.
    """
    off = np.linalg.norm(_offsets(plane, corners, weights=weights), axis=-1)
    costs = np.log1p(weights * off**2).sum(axis=1)
    prior = ((plane - _PRIOR_MEAN) / _PRIOR_DEVIATION) ** 2
    return float(np.minimum(costs, MOST_COST).sum() + prior.sum() / 2)


def _depth(plane: FloatArray, corners: FloatArray) -> FloatArray:
    """The homography's denominator: 1 in the middle of the picture, 0 on the horizon."""
    depth = 1 + (corners * plane[..., None, None, :2]).sum(axis=-1)
    return np.asarray(np.maximum(depth, LEAST_DEPTH / 2))


def _stretch(plane: FloatArray) -> FloatArray:
    """2 x 2: undoes the foreshortening of a tilted plane, along the direction of the tilt."""
    horizon = plane[..., :2]
    far = np.linalg.norm(horizon, axis=-1)[..., None]
    down = np.where(far > 1e-9, horizon / np.maximum(far, 1e-9), [1.0, 0.0])
    more = np.hypot(1.0, np.exp(plane[..., 2:3]) * far) - 1  # 1 / cos of the tilt, less 1
    return np.asarray(np.eye(2) + (more * down)[..., None] * down[..., None, :])
