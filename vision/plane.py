"""The plane of the table: hidden corners, from all cards being equal rectangles on one plane.

The plane is fitted to the boxes; each corner has a weight that says how well it was seen. Then a
card-sized rectangle is fitted to each box. If at least two corners of the box agree with it, the
other corners move towards it, more if they were seen less well.

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

from vision.geometry import FloatArray, Quad, is_cardlike, short_sides

LOSS_SCALES = (4.0, 2.0, 1.0)
"""Scales of the Cauchy loss, in standard deviations of a corner. The plane is fitted once with
each, so boxes that do not fit lose weight step by step."""
LENGTH_QUANTILES = (0.5, 0.65, 0.8, 0.9, 0.97)
"""Quantiles of the boxes' lengths that may be the length of a true card."""
SAME_LENGTH = 0.12
"""Boxes count as equally long if the logarithms of their lengths differ by less than this."""
MOST_COST = 6.0
"""Maximum cost of one box. A corner off by one standard deviation costs log 2. A box may be a part
of a card or contain two; it must not outvote the cards."""
LEAST_DEPTH = 0.05
"""A corner of smaller depth (1 in the middle of the picture, 0 on the horizon) is beyond the
horizon, where no card can be."""
BEYOND_RESIDUAL = 30.0
"""The residual of every corner, in standard deviations, if some corner is beyond the horizon."""
DIFFERENCE = 1e-6
"""Step of the numerical derivatives by the five numbers of a plane, as a share of `_STEPS`."""
FIRST_DAMPING, MOST_DAMPING = 1.0, 1e6
"""Levenberg-Marquardt damping. If no step helps at the maximum, the best plane is found."""
UP, DOWN = 5.0, 0.2
"""Factors for the damping after a step that did not help, and after one that did."""
LEAST_GAIN = 1e-5
"""A step with a smaller relative gain is the last."""
MOST_STEPS = 40
"""Maximum steps for each scale of the loss."""

_LOW = np.array([-3.0, -3.0, -0.5, -6.0, -0.75])
_HIGH = np.array([3.0, 3.0, 0.7, 2.0, -0.28])
_STEPS = np.array([0.3, 0.3, 0.3, 0.3, 0.2])
_PRIOR_MEAN = np.array([0.0, 0.0, 0.0, 0.0, np.log(0.62)])
_PRIOR_DEVIATION = np.array([0.7, 0.7, 0.3, np.inf, 0.08])
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
FEWEST = 4
"""With fewer boxes of `LEAST_SCORE`, no plane is fitted and all boxes stay unchanged."""
LEAST_SCORE = 0.6
"""Boxes with lower scores are ignored when the plane is fitted."""
HALF_WEIGHT_SPREAD = 0.015
"""Short sides. A corner with this spread has half the weight when the plane is fitted; the weight
falls with the cube of the spread."""
LEAST_ERROR = 0.01
"""Short sides. The standard deviation of a corner whose spread is zero."""
ERROR_PER_SPREAD = 2.0
"""Standard deviation of a corner, as a multiple of its spread."""
HALF_WEIGHT_OFFSET = 0.2
"""Card widths. A corner this far from the fitted rectangle has half the weight in the next fit."""
FITS = 3
"""Number of fits of a rectangle to a box; corners that do not fit lose weight after each."""
HALF_WAY_SPREAD = 0.03
"""Short sides. A corner with this spread moves half-way to the rectangle's corner. A corner seen
well stays in place, because no table is quite flat and no lens is perfect."""
AGREEMENT = 0.25
"""Short sides. At least two corners of a box must be nearer to the rectangle's. Otherwise it
holds no card of this table or is inexact, and stays unchanged."""


def fit_plane(corners: FloatArray, weights: FloatArray) -> FloatArray:
    """Fit the plane and the card size to some boxes: five numbers.

    In a column each card covers half of the next. The visible half looks like a short card, and the
    box around two cards like a long one. If most boxes are like that, the plane that fits all of
    them has no true card. So a plane is also fitted to the boxes of about one length, for several
    lengths, measured on that plane and in the picture. The plane with the lowest cost over all
    boxes is returned.

    Args:
        corners: N x 4 x 2 corners of boxes, in the coordinates of a plane.
        weights: N x 4: the weight of each corner, 1 / its variance in card widths.
    """
    (plane,) = _fitted(corners, weights, chosen=np.ones((1, len(corners)), np.bool_))
    alike = np.concatenate([_alike(_lengths(one, corners)) for one in (plane, _PRIOR_MEAN)])
    some = np.unique(alike[(alike.sum(axis=1) > 1) & ~alike.all(axis=1)], axis=0)
    tried = [plane, *(_fitted(corners, weights, chosen=some) if len(some) else ())]
    return min(tried, key=partial(_cost, corners=corners, weights=weights))


def _alike(lengths: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which of N boxes are about as long as the box at each of M quantiles: M x N."""
    usual = np.quantile(lengths, LENGTH_QUANTILES)
    return np.asarray(np.abs(np.log(lengths / usual[:, None])) < SAME_LENGTH)


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
    """For each box, the card-sized rectangle that fits best: moved and turned, never stretched.

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


def _fitted(
    corners: FloatArray, weights: FloatArray, *, chosen: npt.NDArray[np.bool_]
) -> FloatArray:
    """Return the planes on which some boxes come nearest to being equal rectangles: M x 5.

    Least squares by the method of Levenberg and Marquardt, for all M selections at once.

    Args:
        corners: N x 4 x 2.
        weights: N x 4.
        chosen: M x N: for each plane, the boxes that it is fitted to.
    """
    long_sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1)[:, [1, 3]]
    planes = np.tile(_PRIOR_MEAN, (len(chosen), 1))
    planes[:, 3] = [np.log(np.median(long_sides[own])) for own in chosen]
    planes = np.asarray(np.clip(planes, _LOW, _HIGH))
    for scale in LOSS_SCALES:
        damping = np.full(len(planes), FIRST_DAMPING)
        left = np.arange(len(planes))
        for _ in range(MOST_STEPS):
            step, gained = _step(
                planes[left], damping[left], corners=corners, weights=weights, chosen=chosen[left],
                scale=scale,
            )  # fmt: skip
            better = gained > 0
            planes[left[better]] = step[better]
            damping[left] *= np.where(better, DOWN, UP)
            done = better & (gained < LEAST_GAIN) | (damping[left] > MOST_DAMPING)
            left = left[~done]
            if not len(left):
                break
    return planes


def _step(
    planes: FloatArray,
    damping: FloatArray,
    *,
    corners: FloatArray,
    weights: FloatArray,
    chosen: npt.NDArray[np.bool_],
    scale: float,
) -> tuple[FloatArray, FloatArray]:
    """Return M planes after a step, and the share by which each step lowers the Cauchy loss."""
    residuals = partial(_residuals, corners=corners, weights=weights, chosen=chosen)
    nearby = planes[:, None] + DIFFERENCE * np.vstack([np.zeros(5), np.diag(_STEPS)])
    rows = residuals(nearby)
    here, slopes = rows[:, 0], (rows[:, 1:] - rows[:, :1]) / DIFFERENCE
    robust = 1 / (1 + (here / scale) ** 2)
    downhill = -(slopes * robust[:, None]) @ here[..., None]
    at_bound = np.where(downhill[..., 0] < 0, planes <= _LOW, planes >= _HIGH)
    slopes, downhill = (np.where(at_bound[..., None], 0.0, one) for one in (slopes, downhill))
    normal = (slopes * robust[:, None]) @ slopes.swapaxes(1, 2)
    normal[:, range(5), range(5)] *= 1 + damping[:, None]
    normal[:, range(5), range(5)] += 1e-9
    there = np.clip(planes + np.linalg.solve(normal, downhill)[..., 0] * _STEPS, _LOW, _HIGH)
    after = residuals(there[:, None])[:, 0]
    losses = [np.log1p((one / scale) ** 2).sum(axis=-1) for one in (here, after)]
    return there, np.asarray(1 - losses[1] / np.maximum(losses[0], 1e-12))


def _residuals(
    planes: FloatArray,
    *,
    corners: FloatArray,
    weights: FloatArray,
    chosen: npt.NDArray[np.bool_],
) -> FloatArray:
    """Residuals on each of M x K planes: M x K x (8 N + 5), in standard deviations.

    Residuals of boxes that are not chosen are 0.
    """
    prior = (planes - _PRIOR_MEAN) / _PRIOR_DEVIATION
    own = chosen[:, None, :, None]
    off = _offsets(planes, corners, weights=weights) * (np.sqrt(weights) * own)[..., None]
    beyond = np.asarray(((_depth(planes, corners) < LEAST_DEPTH) & own).any(axis=(-2, -1)))
    far = np.where(own[..., None], BEYOND_RESIDUAL, 0.0)
    off = np.where(beyond[..., None, None, None], far, off)
    return np.concatenate([off.reshape(*planes.shape[:-1], -1), prior], axis=-1)


def _offsets(plane: FloatArray, corners: FloatArray, *, weights: FloatArray) -> FloatArray:
    """Offsets from the corners of the best-fitting card to those of each box, in card widths."""
    there = to_plane(plane, corners)
    off = there - fit_cards(plane, there, weights=weights)
    return np.asarray(off / card_width(plane)[..., None, None, None])


def _lengths(plane: FloatArray, corners: FloatArray) -> FloatArray:
    """Mean length of each box's two long sides on the plane, in card heights."""
    there = to_plane(plane, corners)
    sides = np.linalg.norm(there - np.roll(there, -1, axis=1), axis=-1)
    return np.asarray(sides[:, [1, 3]].mean(axis=1) / np.exp(plane[3]))


def _cost(plane: FloatArray, *, corners: FloatArray, weights: FloatArray) -> float:
    """Cost of a plane: residuals of the boxes, and its distance from the prior.

    Each box costs at most `MOST_COST`.
    """
    off = np.linalg.norm(_offsets(plane, corners, weights=weights), axis=-1)
    costs = np.log1p(weights * off**2).sum(axis=1)
    prior = ((plane - _PRIOR_MEAN) / _PRIOR_DEVIATION) ** 2
    return float(np.minimum(costs, MOST_COST).sum() + prior.sum() / 2)


def _depth(plane: FloatArray, corners: FloatArray) -> FloatArray:
    """Return the homography's denominator: 1 in the middle of the picture, 0 on the horizon."""
    depth = 1 + (corners * plane[..., None, None, :2]).sum(axis=-1)
    return np.asarray(np.maximum(depth, LEAST_DEPTH / 2))


def _stretch(plane: FloatArray) -> FloatArray:
    """2 x 2: undoes the foreshortening of a tilted plane, along the direction of the tilt."""
    horizon = plane[..., :2]
    far = np.linalg.norm(horizon, axis=-1)[..., None]
    down = np.where(far > 1e-9, horizon / np.maximum(far, 1e-9), [1.0, 0.0])
    more = np.hypot(1.0, np.exp(plane[..., 2:3]) * far) - 1  # 1 / cos of the tilt, less 1
    return np.asarray(np.eye(2) + (more * down)[..., None] * down[..., None, :])


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
        spread: N x 4: standard deviation of each corner over the refine network's shifted crops, in
            short sides of the box (`CornerNetwork.tta_spread`).
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
