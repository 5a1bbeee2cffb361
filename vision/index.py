"""The corners of a card -> what the indices there say of it.

In a tight fan or a ladder a French card shows nothing but the index in its corner, a few pixels of
the picture that identify sees. This network sees the corner by itself, larger, and says nothing
where another card covers it.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.calibration import FLOOR, shares
from vision.classes import CLASSES, NOT_SCOPA
from vision.classify import Classifier
from vision.network import Tensor
from vision.photo import Pixels

WEIGHT = 0.5
"""How much a corner counts beside the whole card, which shows the same corner."""
_NOTHING = CLASSES.index(NOT_SCOPA)


class IndexReader:
    """The index network."""

    def __init__(self, path: Path) -> None:
        """Load the network; see `Network` for the errors."""
        self._classifier = Classifier(path)

    def __call__(self, corners: Sequence[Pixels]) -> Tensor:
        """How likely each class is by some corners (each 64 x 64 x 3, BGR): N x 42, sums to 1.

        Raises:
            ModelError: The network does not answer with 42 classes.
        """
        return told(self._classifier(corners))


def told(raw: Tensor) -> Tensor:
    """What the network's answers (N x 42) say: where it sees no index, every class is as likely.

    >>> blind = np.zeros((1, 42), np.float32)
    >>> blind[0, _NOTHING] = 1
    >>> bool(np.allclose(told(blind), 1 / 42))
    True
    """
    shared = raw[:, _NOTHING, None] / len(CLASSES)
    named = raw.copy()
    named[:, _NOTHING] = 0
    return np.asarray(named + shared, np.float32)


def joined(whole: Tensor, *corners: Tensor) -> Tensor:
    """What a card (N x 42) and its corners (N x 42 each) say together; each row sums to 1.

    >>> halves, clear = np.full((1, 2), 0.5, np.float32), np.float32([[0.9, 0.1]])
    >>> joined(halves, clear, halves).round(2).tolist()
    [[0.75, 0.25]]
    """
    logs = np.log(np.maximum(whole, FLOOR))
    for corner in corners:
        logs = logs + WEIGHT * np.log(np.maximum(corner, FLOOR))
    return shares(np.asarray(logs))
