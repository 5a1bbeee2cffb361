"""How likely each box of a photo holds a whole card, by the box itself and by those around it.

All cards of a table are equally large, so a box that is larger or smaller than its neighbours holds
a part of a card, or two; and one that lies mostly where a better one does is a bad box of its card.
So is one that moves with the look, or may be read as many cards, or as a card that lies elsewhere.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np
import numpy.typing as npt

from vision.geometry.quads import areas, corner_distances, shared_areas
from vision.verdicts.sighting import Sighting

BESIDE = 0.3
"""A box whose corners are closer than this to a better one's, in short sides, stands beside it."""
BETTER = 1.2
"""A box read alike is a better one when its score and share are so many times as high."""
STEADY = 0.005
"""Looks from beside that move an end less than this, in short sides, say the same."""
UNSEEN = (0.5, 1 - STEADY, 1 - STEADY)
"""What is put for such looks where there are none: it says nothing."""
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
    open: float = 0.0
    """Of the entropy of what it may be, in nats."""
    twin: float = 0.0
    """Of a better box being read alike, wherever it lies: a deck holds each card once."""
    clear: float = 0.0
    """Of the log-odds of there being a card for looks from beside."""
    firm: float = 0.0
    """Of the logarithm of how far such looks move the end that is seen best."""
    loose: float = 0.0
    """The same of its other end."""
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
    """What speaks for and against each of a photo's sightings: N x 11, as the fields of `Belief`.

    >>> evidence([]).shape
    (0, 11)
    """
    if not sightings:
        return np.zeros((0, len(fields(Belief))))
    scores = np.array([one.score for one in sightings], np.float64)
    ranks = scores * [one.top_share for one in sightings]
    columns = (
        _log_odds(scores),
        *_as_named(sightings, ranks),
        *_as_seen(sightings),
        *_as_placed(sightings, ranks),
        np.ones(len(sightings)),
    )
    return np.stack(columns, axis=1)


def _as_named(sightings: Sequence[Sighting], ranks: Numbers) -> tuple[Numbers, ...]:
    """What names say: the log-odds of the likeliest, the entropy, whether a better box has it."""
    shares = np.stack([one.probabilities for one in sightings]).astype(np.float64)
    entropy = -(shares * np.log(np.maximum(shares, 1e-6))).sum(axis=1)
    alike = shares.argmax(axis=1)[:, None] == shares.argmax(axis=1)
    twins = (alike & (ranks > BETTER * ranks[:, None])).any(axis=1)
    return _log_odds(shares.max(axis=1)), entropy, twins.astype(np.float64)


def _as_seen(sightings: Sequence[Sighting]) -> tuple[Numbers, ...]:
    """What looks from beside say: log-odds of a card, how far they move the ends; 0 without any."""
    looks = [one.glimpse for one in sightings]
    told = np.array([(one.clear, one.firm, one.loose) if one else UNSEEN for one in looks])
    return _log_odds(told[:, 0]), np.log(told[:, 1] + STEADY), np.log(told[:, 2] + STEADY)


def _as_placed(sightings: Sequence[Sighting], ranks: Numbers) -> tuple[Numbers, ...]:
    """What boxes around say: how odd the size is, the share over a better box, standing beside."""
    quads = np.stack([one.box for one in sightings])
    sizes = np.minimum(np.abs(_misfits(quads, ranks**FIRMNESS)), 1.0)
    over, beside = np.zeros(len(quads)), np.zeros(len(quads))
    own = areas(quads)
    for at, quad in enumerate(quads):
        better = ranks > ranks[at]
        if better.any():
            shared = shared_areas(quad, quads[better])
            over[at] = (shared / (own[at] + own[better] - shared)).max()
            beside[at] = corner_distances(quad, quads[better]).min() < BESIDE
    return sizes, over, beside


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
