"""The plane on which the cards of a photo lie, and the size of the cards on it.

A plane is five numbers: the horizon x and y, and the logarithms of focal length, card height and
width to height; the long side of the picture is the unit, its middle is 0, 0.
"""

from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

Numbers = npt.NDArray[np.float64]
"""Any array of numbers."""

SCALES = (4.0, 2.0, 1.0)
"""How far off corners may be to count fully, in their own noise: less each time."""
LENGTHS = (0.5, 0.65, 0.8, 0.9, 0.97)
"""Cards may be as long as so large a share of the boxes are or shorter."""
ALIKE = 0.12
"""Boxes are as long as one another when the logarithms of their lengths differ less."""
ODD = 6.0
"""What a box costs at most that is no card on the plane, where a corner off by its own noise costs
`log 2`: it may be a part of a card, or lie round two, and must not outvote the cards."""

NEAREST, BEYOND = 0.05, 30.0
"""A corner nearer to the horizon counts as beyond it: then all are so far off, in their noise."""
STEP = 1e-7
"""By which the numbers of a plane are changed to see what that does."""

_LOW = np.array([-3.0, -3.0, -0.5, -6.0, -0.75])
_HIGH = np.array([3.0, 3.0, 0.7, 2.0, -0.28])
_STEPS = np.array([0.3, 0.3, 0.3, 0.3, 0.2])
_USUAL = np.array([0.0, 0.0, 0.0, 0.0, np.log(0.62)])
_TRUST = np.array([0.7, 0.7, 0.3, np.inf, 0.08])
"""What is usual, and how far from it is unlikely."""
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def find(corners: Numbers, weights: Numbers) -> Numbers:
    """The plane and the card that explain some boxes best: five numbers.

    In a column each card hides half of the next: what is left of it looks like a short card, and
    two of them like a long one. Where most boxes are such, the plane that suits them best has no
    true card on it. So the plane of those alike in length is tried too, for several lengths.

    Args:
        corners: N x 4 x 2 corners of boxes, in the units of a plane.
        weights: N x 4: how much each corner counts, 1 / its noise squared in card widths.
    """
    plane = _fitted(corners, weights)
    lengths = _lengths(plane, corners)
    tried = [plane]
    for length in np.quantile(lengths, LENGTHS):
        alike = np.abs(np.log(lengths / length)) < ALIKE
        tried += _from_some(corners, weights, chosen=alike)
    return min(tried, key=partial(_unexplained, corners=corners, weights=weights))


def flat(plane: Numbers, corners: Numbers) -> Numbers:
    """Corners in the picture -> on the plane, seen from straight above; on each of several planes.

    Args:
        plane: ... x 5.
        corners: N x 4 x 2.
    """
    near = _near(plane, corners)
    return np.asarray(
        (corners / near[..., None]) @ _stretch(plane).swapaxes(-1, -2)[..., None, :, :]
    )


def seen(plane: Numbers, corners: Numbers) -> Numbers:
    """Corners on the plane -> in the picture: the way back from `flat`."""
    straight = corners @ np.linalg.inv(_stretch(plane)).T
    return np.asarray(straight / (1 - straight @ plane[:2])[..., None])


def rectangles(plane: Numbers, corners: Numbers, *, weights: Numbers) -> Numbers:
    """The card laid on each box of the plane as it fits best: moved and turned, never stretched.

    As complex numbers, the best turn is the direction of the weighted sum of products.

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


def card_width(plane: Numbers) -> Numbers:
    """Of a card on the plane, or on each of several."""
    return np.asarray(np.exp(plane[..., 3:].sum(axis=-1)))


def _fitted(corners: Numbers, weights: Numbers) -> Numbers:
    """The plane on which the boxes come nearest to being equal rectangles."""
    roots = np.sqrt(weights)[..., None]

    def misfit(planes: Numbers) -> Numbers:
        usual = (planes - _USUAL) / _TRUST
        off = (_away(planes, corners, weights=weights) * roots).reshape(*planes.shape[:-1], -1)
        beyond = _near(planes, corners).min(axis=(-2, -1)) < NEAREST
        return np.concatenate([np.where(beyond[..., None], BEYOND, off), usual], axis=-1)

    def slopes(plane: Numbers) -> Numbers:
        rows = misfit(plane + STEP * np.vstack([np.zeros(len(plane)), np.eye(len(plane))]))
        return np.asarray((rows[1:] - rows[0]).T / STEP)

    long_sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1)[:, [1, 3]]
    plane = _USUAL.copy()
    plane[3] = np.log(np.median(long_sides))
    for scale in SCALES:
        inside = np.clip(plane, _LOW + 1e-6, _HIGH - 1e-6)
        found = least_squares(
            misfit, inside, jac=slopes, bounds=(_LOW, _HIGH), x_scale=_STEPS, loss="cauchy",
            f_scale=scale, max_nfev=60,
        )  # fmt: skip
        plane = np.asarray(found.x)
    return plane


def _from_some(
    corners: Numbers, weights: Numbers, *, chosen: npt.NDArray[np.bool_]
) -> list[Numbers]:
    """The plane of some of the boxes; none where they are all of them, or one."""
    return [_fitted(corners[chosen], weights[chosen])] if 1 < chosen.sum() < len(chosen) else []


def _away(plane: Numbers, corners: Numbers, *, weights: Numbers) -> Numbers:
    """How far the corners lie from those of a card laid on their box, in card widths."""
    there = flat(plane, corners)
    off = there - rectangles(plane, there, weights=weights)
    return np.asarray(off / card_width(plane)[..., None, None, None])


def _lengths(plane: Numbers, corners: Numbers) -> Numbers:
    """How long the boxes are, 1 for a card."""
    there = flat(plane, corners)
    sides = np.linalg.norm(there - np.roll(there, -1, axis=1), axis=-1)
    return np.asarray(sides[:, [1, 3]].mean(axis=1) / np.exp(plane[3]))


def _unexplained(plane: Numbers, *, corners: Numbers, weights: Numbers) -> float:
    """What speaks against a plane: boxes that are no card on it, and how unusual it is."""
    off = np.linalg.norm(_away(plane, corners, weights=weights), axis=-1)
    costs = np.log1p(weights * off**2).sum(axis=1)
    usual = ((plane - _USUAL) / _TRUST) ** 2
    return float(np.minimum(costs, ODD).sum() + usual.sum() / 2)


def _near(plane: Numbers, corners: Numbers) -> Numbers:
    """How near corners of the picture lie to the camera: 1 for its middle, 0 on the horizon."""
    near = 1 + (corners * plane[..., None, None, :2]).sum(axis=-1)
    return np.asarray(np.maximum(near, NEAREST / 2))


def _stretch(plane: Numbers) -> Numbers:
    """2 x 2: the plane seen from straight above, from how it is seen once its horizon is far."""
    horizon = plane[..., :2]
    far = np.linalg.norm(horizon, axis=-1)[..., None]
    down = np.where(far > 1e-9, horizon / np.maximum(far, 1e-9), [1.0, 0.0])
    more = np.hypot(1.0, np.exp(plane[..., 2:3]) * far) - 1  # 1 / cos of the tilt, less 1
    return np.asarray(np.eye(2) + (more * down)[..., None] * down[..., None, :])
