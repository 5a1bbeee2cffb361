"""Straightened crops -> a probability for each class, calibrated."""

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.classes import CLASSES
from vision.errors import ModelError
from vision.network import Network, Tensor
from vision.photo import Pixels

CALIBRATION = "calibration.json"
"""The file beside the networks that says how much their confidence is softened."""
AT_ONCE = 12
"""Crops in one batch: more are no faster and take ten megabytes each."""
SECOND_LOOK = 0.99
"""A crop less sure than this is looked at upside down too: one error in ten fewer."""
FLOOR = 1e-6
"""No class is ever less likely than this: a network's zero is not certainty."""


class Identifier:
    """The identify network with its temperature."""

    def __init__(self, path: Path) -> None:
        """Load the network and the calibration beside it; see `Network` for the errors."""
        self._network = Network(path, expected=f"a YOLO classifier of {len(CLASSES)} classes")
        self.temperature = read_temperature(path.with_name(CALIBRATION))
        """Above 1 softens the network's probabilities, below 1 sharpens them."""

    def __call__(self, crops: Sequence[Pixels]) -> Tensor:
        """Probabilities of some crops (each 128 x 128 x 3, BGR): N x 42, rows sum to 1.

        Raises:
            ModelError: The network does not answer with 42 classes.
        """
        if not crops:
            return np.zeros((0, len(CLASSES)), np.float32)
        raw = self._raw(crops)
        if raw.shape != (len(crops), len(CLASSES)):
            raise self._network.mismatch(f"output of shape {raw.shape}")
        unsure = np.flatnonzero(raw.max(axis=1) < SECOND_LOOK)
        if len(unsure):
            turned = [np.ascontiguousarray(crops[at][::-1, ::-1]) for at in unsure.tolist()]
            raw[unsure] = np.sqrt(raw[unsure] * self._raw(turned))
        return calibrate(raw, self.temperature)

    def _raw(self, crops: Sequence[Pixels]) -> Tensor:
        """The network's own output."""
        parts = [crops[at : at + AT_ONCE] for at in range(0, len(crops), AT_ONCE)]
        return np.concatenate([self._forward(part) for part in parts])

    def _forward(self, crops: Sequence[Pixels]) -> Tensor:
        """Its output for a few crops."""
        blob = cv2.dnn.blobFromImages(list(crops), 1 / 255, swapRB=True)
        return self._network(np.asarray(blob, np.float32))


def calibrate(probabilities: Tensor, temperature: float) -> Tensor:
    """Probabilities as they are at another temperature; each row sums to 1.

    >>> calibrate(np.array([[0.9, 0.1]], np.float32), 2.0).round(2).tolist()
    [[0.75, 0.25]]
    """
    logs = np.log(np.maximum(probabilities, FLOOR)) / temperature
    powers = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)


def read_temperature(path: Path) -> float:
    """The identify network's temperature in a calibration file; 1 where there is none.

    Raises:
        ModelError: The file is there and holds no positive temperature.
    """
    if not path.is_file():
        return 1.0
    expected = 'JSON such as {"identify_temperature": 1.2}'
    try:
        temperature = float(json.loads(path.read_text(encoding="utf-8"))["identify_temperature"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(path, expected=expected, got="something else") from error
    if not temperature > 0:
        raise ModelError(path, expected=expected, got=str(temperature))
    return temperature
