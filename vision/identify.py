"""Straightened crops -> a probability for each class."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.calibration import FLOOR
from vision.classify import Classifier
from vision.network import Tensor
from vision.photo import Pixels

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
        self._classifier = Classifier(path)

    def __call__(self, crops: Sequence[Pixels]) -> Tensor:
        """Probabilities of some crops (each 128 x 128 x 3, BGR): N x 42, rows sum to 1.

        Raises:
            ModelError: The network does not answer with 42 classes.
        """
        raw = self._classifier(crops)
        unsure = np.flatnonzero(raw.max(axis=1, initial=0.0) < CLEAR)
        if len(unsure):
            again = [
                self._classifier(
                    [moved(crops[at], x=x, y=y, turned=turned) for at in unsure.tolist()]
                )
                for x, y, turned in AGAIN
            ]
            logs = np.log(np.maximum([raw[unsure], *again], FLOOR))
            raw[unsure] = np.exp(logs.mean(axis=0))
        return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float32)


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
