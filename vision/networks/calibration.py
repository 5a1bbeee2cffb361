"""How far the networks are believed: kept in a file beside them, found by `vision.calibrate`."""

import json
from dataclasses import asdict, dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.errors import ModelError
from vision.networks.network import Tensor
from vision.verdicts.belief import Belief

CALIBRATION = "calibration.json"
"""The file beside the networks."""
FLOOR = 1e-6
"""No class is ever less likely than this: a network's zero is not certainty."""


@dataclass(frozen=True)
class Calibration:
    """How much the confidence of identify and index is softened, and how far boxes are believed."""

    temperature: float = 1.0
    """Above 1 softens its probabilities, below 1 sharpens them."""
    faint: float = 0.0
    """Share by which it is higher for a box of score 0, whose corners may be off."""
    belief: Belief = field(default_factory=Belief)
    """How likely a box holds a whole card."""

    def __call__(self, raw: Tensor, scores: Tensor) -> Tensor:
        """The networks' probabilities (N x 42) for boxes of these N scores, softened.

        >>> soft = Calibration(faint=1.0)(np.float32([[0.9, 0.1]] * 2), np.float32([1, 0]))
        >>> [f"{share:.2f}" for share in soft[:, 0]]
        ['0.90', '0.75']
        """
        return soften(raw, self._of(scores))

    def undone(self, softened: Tensor, scores: Tensor) -> Tensor:
        """The networks' probabilities, from softened ones."""
        return soften(softened, np.reciprocal(self._of(scores)))

    def _of(self, scores: Tensor) -> Tensor:
        """The temperature for each box, N x 1."""
        return np.asarray(self.temperature * (1 + self.faint * (1 - scores[:, None])), np.float32)


def soften(probabilities: Tensor, temperature: float | Tensor) -> Tensor:
    """Probabilities as they are at another temperature (one, or N x 1); each row sums to 1.

    >>> soften(np.array([[0.9, 0.1]], np.float32), 2.0).round(2).tolist()
    [[0.75, 0.25]]
    """
    return shares(np.log(np.maximum(probabilities, FLOOR)) / temperature)


def shares(logs: npt.NDArray[np.floating[Any]]) -> Tensor:
    """Probabilities whose logarithms differ as these do; each row sums to 1.

    >>> shares(np.log(np.array([[2, 6]], np.float32))).round(2).tolist()
    [[0.25, 0.75]]
    """
    powers = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file; none where the file is missing.

    Raises:
        ModelError: The file is there and holds no positive temperature, a negative `faint`, or a
            number without end.
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
    """What a calibration file holds.

    >>> as_json(Calibration(1.2, 0.5))["faint"]
    0.5
    """
    return {
        "identify_temperature": calibration.temperature,
        "faint": calibration.faint,
        "whole_card": asdict(calibration.belief),
    }
