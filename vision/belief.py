"""How likely each box of a photo holds a whole card, by the box itself and by those around it.

All cards of a table are equally large, so a box that is larger or smaller than its neighbours holds
a part of a card, or two; and one that lies mostly where a better one does is a bad box of its card.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry import areas, corner_distances, shared_areas
from vision.sighting import Sighting

BESIDE = 0.3
"""A box whose corners are closer than this to a better one's, in short sides, stands beside it."""
SIZE_NOISE = 0.1
"""How far the logarithms of two cards' areas may differ before one of them is doubted."""
FIRMNESS = 4
"""How much more the better boxes say of the usual size: the power of their weight."""
STIFFNESS = 0.3
"""How reluctantly the usual size changes across the picture."""
ROUNDS = 6
"""Times the usual size is estimated, with less heed each time to the boxes that do not fit."""

Numbers = npt.NDArray[np.float64]
"""One for each box, or a row."""


@dataclass(frozen=True)
class Belief:
    """Weights of a logistic regression; `vision.calibrate` finds them."""

    score: float = 0.9
    """Of the log-odds of the networks' score."""
    name: float = 0.4
    """Of the log-odds of its likeliest class."""
    size: float = -4.9
    """Of the difference of its area's logarithm from the usual one, 0 to 1."""
    over: float = -1.1
    """Of the share of the joint area that it has in common with a better box."""
    beside: float = -0.5
    """Of its standing beside a better box."""
    base: float = 0.3
    """Of nothing."""

    def __call__(self, sightings: Sequence[Sighting]) -> Numbers:
        """The chance that each of a photo's sightings is a whole card, as it lies."""
        return np.asarray(1 / (1 + np.exp(-evidence(sightings) @ np.array(astuple(self)))))


def evidence(sightings: Sequence[Sighting]) -> Numbers:
    """What speaks for and against each of a photo's sightings: N x 6, as the fields of `Belief`.

    >>> evidence([]).shape
    (0, 6)
    """
    if not sightings:
        return np.zeros((0, 6))
    quads = np.stack([one.box for one in sightings])
    scores = np.array([one.score for one in sightings], np.float64)
    names = np.array([one.top_share for one in sightings], np.float64)
    ranks = scores * names
    sizes = np.minimum(np.abs(_misfits(quads, ranks**FIRMNESS)), 1.0)
    over, beside = np.zeros(len(quads)), np.zeros(len(quads))
    own = areas(quads)
    for at, quad in enumerate(quads):
        better = ranks > ranks[at]
        if better.any():
            shared = shared_areas(quad, quads[better])
            over[at] = (shared / (own[at] + own[better] - shared)).max()
            beside[at] = corner_distances(quad, quads[better]).min() < BESIDE
    columns = (_log_odds(scores), _log_odds(names), sizes, over, beside, np.ones(len(quads)))
    return np.stack(columns, axis=1)


def _log_odds(shares: Numbers) -> Numbers:
    inside = np.clip(shares, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(inside / (1 - inside)))


def _misfits(quads: npt.NDArray[np.float32], weights: Numbers) -> Numbers:
    """How far each box's logarithmic area is from the usual one where it lies.

    The usual one changes evenly across the picture, as it does for cards of one size that are
    seen at a tilt: a plane, fitted by weights that heed less what fits less.
    """
    sizes = np.log(np.maximum(areas(quads), 1.0)).astype(np.float64)
    middles = quads.mean(axis=1).astype(np.float64)
    away = middles - np.average(middles, axis=0, weights=weights)
    spread = np.sqrt(np.average((away**2).sum(axis=1), weights=weights)) + 1e-6
    ground = np.column_stack([np.ones(len(quads)), away / spread])
    stiff = np.diag([1e-6, STIFFNESS, STIFFNESS]) * weights.mean()
    misfits = sizes - np.average(sizes, weights=weights)
    for _ in range(ROUNDS):
        heed = weights / (1 + (misfits / SIZE_NOISE) ** 2)
        normal = (ground * heed[:, None]).T
        misfits = sizes - ground @ np.linalg.solve(normal @ ground + stiff, normal @ sizes)
    return np.asarray(misfits)
