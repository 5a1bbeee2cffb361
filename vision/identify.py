"""Straightened crops -> a probability for each class."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.calibration import FLOOR
from vision.classes import CLASSES
from vision.network import Network, Tensor
from vision.photo import Pixels

AT_ONCE = 12
"""Crops in one batch: more are no faster and take ten megabytes each."""
CLEAR = 0.99
"""A crop less sure than this is looked at again, in all the ways of `AGAIN`."""
SHIFT_PX = 5
"""A twenty-fifth of the card, by which its corners may well be off."""
AGAIN = (
    (0, 0, True),
    (SHIFT_PX, SHIFT_PX, False),
    (-SHIFT_PX, -SHIFT_PX, True),
    (SHIFT_PX, -SHIFT_PX, False),
    (-SHIFT_PX, SHIFT_PX, True),
)
"""Other looks at a crop: moved by x and y pixels, and whether upside down.

Seen upside down it is looked at in the same six ways: neither end counts as the upper one.
"""


class Identifier:
    """The identify network."""

    def __init__(self, path: Path) -> None:
        """Load the network; see `Network` for the errors."""
        self._network = Network(path, expected=f"a YOLO classifier of {len(CLASSES)} classes")

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
        unsure = np.flatnonzero(raw.max(axis=1) < CLEAR)
        if len(unsure):
            again = [
                self._raw([moved(crops[at], x=x, y=y, turned=turned) for at in unsure.tolist()])
                for x, y, turned in AGAIN
            ]
            logs = np.log(np.maximum([raw[unsure], *again], FLOOR))
            raw[unsure] = np.exp(logs.mean(axis=0))
        return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float32)

    def _raw(self, crops: Sequence[Pixels]) -> Tensor:
        """The network's own output."""
        parts = [crops[at : at + AT_ONCE] for at in range(0, len(crops), AT_ONCE)]
        return np.concatenate([self._forward(part) for part in parts])

    def _forward(self, crops: Sequence[Pixels]) -> Tensor:
        """Its output for a few crops."""
        blob = cv2.dnn.blobFromImages(list(crops), 1 / 255, swapRB=True)
        return self._network(np.asarray(blob, np.float32))


def moved(crop: Pixels, *, x: int, y: int, turned: bool) -> Pixels:
    """A crop (H x W x 3) as it would be cut out a little beside, or upside down.

    >>> crop = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    >>> moved(crop, x=1, y=0, turned=True)[..., 0].tolist()
    [[9, 9], [3, 3]]
    """
    height, width = crop.shape[:2]
    rows = np.clip(np.arange(height) + y, 0, height - 1)
    columns = np.clip(np.arange(width) + x, 0, width - 1)
    if turned:
        rows, columns = rows[::-1], columns[::-1]
    return np.ascontiguousarray(crop[np.ix_(rows, columns)])
