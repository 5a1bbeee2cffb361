"""Probabilities: calibrated class probabilities, and how likely a box holds a whole card.

The second is a logistic regression over eleven features. A box may hold a part of a card or contain
two cards. All cards of a table have the same size, so a box that is larger or smaller than its
neighbours is suspect. So is a box mostly inside a better box, one whose corners move when its crop
is shifted, one of uncertain class, and one whose class a better box has too. A better box has a
higher rank, which is its score times the probability of its likeliest class.

The weights and the temperature are in a file next to the networks, written by `training.calibrate`.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.errors import ModelError
from vision.geometry import FloatArray, areas, corner_distances, shared_areas
from vision.nms import Detection
from vision.onnx import LEAST_PROBABILITY, Tensor

NEXT_TO = 0.3
"""Short sides. A box is next to a better box if their corners are closer."""
MUCH_BETTER = 1.2
"""A box has a twin if a box of the same class has a rank this many times as high."""
LEAST_SPREAD = 0.005
"""Short sides. Added to a spread before its logarithm is taken, since smaller ones do not
differ."""
LEAST_ODDS = 1e-3
"""Minimum distance of probabilities from 0 and 1 before their logit is taken."""
SIZE_DEVIATION = 0.1
"""A box whose log area differs this much from the usual one has half the weight in its estimate."""
RANK_POWER = 4
"""Exponent of a box's rank in its weight when the usual area is estimated."""
SLOPE_PENALTY = 0.3
"""Ridge penalty on the slope of the usual area across the picture."""
SIZE_ROUNDS = 6
"""Rounds of iteratively reweighted least squares for the usual area."""
CALIBRATION = "calibration.json"
"""Name of the file next to the networks."""


@dataclass(frozen=True)
class WholeCardWeights:
    """Weights of the logistic regression, one for each feature; `training.calibrate` finds them."""

    score: float = 0.9
    """Weight of the logit of the box's score."""
    name: float = 0.4
    """Weight of the logit of the probability of its likeliest class."""
    entropy: float = 0.0
    """Weight of the entropy of its class probabilities, in nats."""
    twin: float = 0.0
    """Weight of having a twin: a much better box of the same class, anywhere in the photo."""
    card: float = 0.0
    """Weight of the logit of the probability of a card, over the shifted crops."""
    best_end: float = 0.0
    """Weight of the logarithm of the spread of the better seen end."""
    worst_end: float = 0.0
    """Weight of the logarithm of the spread of the other end."""
    size: float = -4.9
    """Weight of the difference of its log area from the usual one, 0 to 1."""
    overlap: float = -1.1
    """Weight of the intersection over union with the better box that overlaps most."""
    next_to: float = -0.5
    """Weight of being next to a better box."""
    intercept: float = 0.3
    """Weight of the constant feature 1."""

    def __call__(self, detections: Sequence[Detection]) -> FloatArray:
        """For each of a photo's detections, the probability that its box holds a whole card."""
        from scipy.special import expit

        return np.asarray(expit(features(detections) @ np.array(astuple(self))))


def features(detections: Sequence[Detection]) -> FloatArray:
    """Return the features of a photo's detections: N x 11, in the order of `WholeCardWeights`.

    >>> features([]).shape
    (0, 11)
    """
    if not detections:
        return np.zeros((0, len(fields(WholeCardWeights))))
    scores = np.array([one.score for one in detections], np.float64)
    ranks = scores * [one.top_probability for one in detections]
    columns = (
        _bounded_logit(scores),
        *_class_features(detections, ranks),
        *_shift_features(detections),
        *_neighbour_features(detections, ranks),
        np.ones(len(detections)),
    )
    return np.stack(columns, axis=1)


def _class_features(detections: Sequence[Detection], ranks: FloatArray) -> tuple[FloatArray, ...]:
    """Columns `name`, `entropy` and `twin`."""
    from scipy.special import entr

    probabilities = np.stack([one.probabilities for one in detections]).astype(np.float64)
    same_class = probabilities.argmax(axis=1)[:, None] == probabilities.argmax(axis=1)
    twins = (same_class & (ranks > MUCH_BETTER * ranks[:, None])).any(axis=1)
    return (
        _bounded_logit(probabilities.max(axis=1)),
        np.asarray(entr(probabilities).sum(axis=1)),
        twins.astype(np.float64),
    )


def _shift_features(detections: Sequence[Detection]) -> tuple[FloatArray, ...]:
    """Columns `card`, `best_end` and `worst_end`."""
    firm, loose = np.log(np.array([one.spreads for one in detections]) + LEAST_SPREAD).T
    return _bounded_logit(np.array([one.card_probability for one in detections])), firm, loose


def _neighbour_features(
    detections: Sequence[Detection], ranks: FloatArray
) -> tuple[FloatArray, ...]:
    """Columns `size`, `overlap` and `next_to`."""
    quads = np.stack([one.box for one in detections])
    sizes = np.minimum(np.abs(_size_residuals(quads, ranks**RANK_POWER)), 1.0)
    overlap, next_to = np.zeros(len(quads)), np.zeros(len(quads))
    own = areas(quads)
    for at, quad in enumerate(quads):
        better = ranks > ranks[at]
        if better.any():
            shared = shared_areas(quad, quads[better])
            overlap[at] = (shared / (own[at] + own[better] - shared)).max()
            next_to[at] = corner_distances(quad, quads[better]).min() < NEXT_TO
    return sizes, overlap, next_to


def _bounded_logit(probabilities: FloatArray) -> FloatArray:
    from scipy.special import logit

    return np.asarray(logit(np.clip(probabilities, LEAST_ODDS, 1 - LEAST_ODDS)))


def _size_residuals(quads: npt.NDArray[np.float32], weights: FloatArray) -> FloatArray:
    """Differences of the boxes' log areas from the usual one at their positions.

    The usual log area is a linear function of the position, a good approximation for cards of one
    size on a tilted plane. It is fitted by iteratively reweighted least squares with a ridge
    penalty, so boxes that do not fit lose weight each round.
    """
    sizes = np.log(np.maximum(areas(quads), 1.0)).astype(np.float64)
    middles = quads.mean(axis=1).astype(np.float64)
    away = middles - np.average(middles, axis=0, weights=weights)
    spread = np.sqrt(np.average((away**2).sum(axis=1), weights=weights)) + 1e-6
    design = np.column_stack([np.ones(len(quads)), away / spread])
    ridge = np.diag([1e-6, SLOPE_PENALTY, SLOPE_PENALTY]) * weights.mean()
    residuals = sizes - np.average(sizes, weights=weights)
    for _ in range(SIZE_ROUNDS):
        robust = weights / (1 + (residuals / SIZE_DEVIATION) ** 2)
        normal = (design * robust[:, None]).T
        residuals = sizes - design @ np.linalg.solve(normal @ design + ridge, normal @ sizes)
    return np.asarray(residuals)


@dataclass(frozen=True)
class Calibration:
    """Temperature of the class probabilities, and weights of the boxes."""

    temperature: float = 1.0
    """Temperature for a box of score 1: above 1 it makes the probabilities more even."""
    low_score: float = 0.0
    """Relative increase of the temperature for a box of score 0, whose corners may be off."""
    whole_card: WholeCardWeights = field(default_factory=WholeCardWeights)
    """Model of the probability that a box holds a whole card."""

    def __call__(self, raw: Tensor, scores: Tensor) -> Tensor:
        """Return the class probabilities (N x 42) of N boxes of these scores, calibrated.

        >>> soft = Calibration(low_score=1.0)(np.float32([[0.9, 0.1]] * 2), np.float32([1, 0]))
        >>> [f"{share:.2f}" for share in soft[:, 0]]
        ['0.90', '0.75']
        """
        return at_temperature(raw, self._temperatures(scores))

    def undone(self, calibrated: Tensor, scores: Tensor) -> Tensor:
        """Return the raw class probabilities: the inverse of calibrating them."""
        return at_temperature(calibrated, np.reciprocal(self._temperatures(scores)))

    def _temperatures(self, scores: Tensor) -> Tensor:
        """Return the temperature for each box, N x 1."""
        return np.asarray(
            self.temperature * (1 + self.low_score * (1 - scores[:, None])), np.float32
        )


def at_temperature(probabilities: Tensor, temperature: float | Tensor) -> Tensor:
    """The softmax of log-probabilities over a temperature (one, or N x 1); each row sums to 1.

    >>> at_temperature(np.array([[0.9, 0.1]], np.float32), 2.0).round(2).tolist()
    [[0.75, 0.25]]
    """
    from scipy.special import softmax

    logits = np.log(np.maximum(probabilities, LEAST_PROBABILITY)) / temperature
    return np.asarray(softmax(logits, axis=-1), np.float32)


def read_calibration(path: Path) -> Calibration:
    """Read a calibration file; the default calibration if it is missing.

    Raises:
        ModelError: The file has another content: no positive temperature, a negative `low_score`,
            or a number that is not finite.
    """
    if not path.is_file():
        return Calibration()
    expected = f"JSON such as {json.dumps(as_json(Calibration(1.2, 0.5)))}"
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        numbers = {name: float(weight) for name, weight in stored["whole_card"].items()}
        weights = WholeCardWeights(**numbers)
        found = Calibration(float(stored["identify_temperature"]), float(stored["faint"]), weights)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(path, expected=expected, got="something else") from error
    is_finite = all(map(isfinite, (found.temperature, found.low_score, *numbers.values())))
    if not (is_finite and found.temperature > 0 and found.low_score >= 0):
        raise ModelError(path, expected=expected, got=str(found))
    return found


def as_json(calibration: Calibration) -> dict[str, Any]:
    """Return the content of a calibration file.

    >>> as_json(Calibration(1.2, 0.5))["faint"]
    0.5
    """
    return {
        "identify_temperature": calibration.temperature,
        "faint": calibration.low_score,
        "whole_card": asdict(calibration.whole_card),
    }
