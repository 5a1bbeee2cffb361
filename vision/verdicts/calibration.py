"""Calibration of the networks: a file beside them, written by `vision.calibrate`."""

import json
from dataclasses import asdict, dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from vision.errors import ModelError
from vision.networks.engine import Tensor
from vision.networks.network import LEAST_PROBABILITY
from vision.verdicts.belief import Belief

CALIBRATION = "calibration.json"
"""The file beside the networks."""


@dataclass(frozen=True)
class Calibration:
    """The temperature of the class probabilities, and the weights of the belief in boxes."""

    temperature: float = 1.0
    """Temperature for a box of score 1: above 1 it makes the probabilities more even."""
    faint: float = 0.0
    """Share by which the temperature is higher for a box of score 0, whose corners may be off."""
    belief: Belief = field(default_factory=Belief)
    """How likely a box holds a whole card."""

    def __call__(self, raw: Tensor, scores: Tensor) -> Tensor:
        """The class probabilities (N x 42) of N boxes of these scores, calibrated.

        >>> soft = Calibration(faint=1.0)(np.float32([[0.9, 0.1]] * 2), np.float32([1, 0]))
        >>> [f"{share:.2f}" for share in soft[:, 0]]
        ['0.90', '0.75']
        """
        return at_temperature(raw, self._temperatures(scores))

    def undone(self, calibrated: Tensor, scores: Tensor) -> Tensor:
        """The raw class probabilities: the inverse of calling it."""
        return at_temperature(calibrated, np.reciprocal(self._temperatures(scores)))

    def _temperatures(self, scores: Tensor) -> Tensor:
        """The temperature for each box, N x 1."""
        return np.asarray(self.temperature * (1 + self.faint * (1 - scores[:, None])), np.float32)


def at_temperature(probabilities: Tensor, temperature: float | Tensor) -> Tensor:
    """The softmax of log-probabilities over a temperature (one, or N x 1); each row sums to 1.

    >>> at_temperature(np.array([[0.9, 0.1]], np.float32), 2.0).round(2).tolist()
    [[0.75, 0.25]]
    """
    from scipy.special import softmax

    logits = np.log(np.maximum(probabilities, LEAST_PROBABILITY)) / temperature
    return np.asarray(softmax(logits, axis=-1), np.float32)


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file; the default one where the file is missing.

    Raises:
        ModelError: The file holds something else: no positive temperature, a negative `faint`, or
            a number that is not finite.
    """
    if not path.is_file():
        return Calibration()
    expected = f"JSON such as {json.dumps(as_json(Calibration(1.2, 0.5)))}"
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        belief = Belief(**{name: float(weight) for name, weight in stored["whole_card"].items()})
        found = Calibration(float(stored["identify_temperature"]), float(stored["faint"]), belief)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(path, expected=expected, got="something else") from error
    numbers = (found.temperature, found.faint, *asdict(belief).values())
    if not all(map(isfinite, numbers)) or not found.temperature > 0 or not found.faint >= 0:
        raise ModelError(path, expected=expected, got=str(found))
    return found


def as_json(calibration: Calibration) -> dict[str, Any]:
    """The content of a calibration file.

    >>> as_json(Calibration(1.2, 0.5))["faint"]
    0.5
    """
    return {
        "identify_temperature": calibration.temperature,
        "faint": calibration.faint,
        "whole_card": asdict(calibration.belief),
    }
