"""Small pictures -> a probability for each class: what identify and index have in common."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.networks.calibration import FLOOR, shares
from vision.networks.network import Network, Tensor
from vision.photo import Pixels

AT_ONCE = 12
"""Pictures in one batch: more are no faster and take ten megabytes each."""

Way = tuple[int, int, bool]
"""A way to look at a picture once more: moved by x and y pixels, and whether upside down."""


class Classifier:
    """A network that names pictures of one size."""

    def __init__(self, path: Path, *, classes: int, ways: Sequence[Way] = ()) -> None:
        """Load the network; see `Network` for the errors.

        Args:
            path: The file.
            classes: How many it tells apart.
            ways: How it looks again at what is not clear.
        """
        self._network = Network(path, expected=f"a YOLO classifier of {classes} classes")
        self._classes = classes
        self._ways = ways

    def __call__(self, pictures: Sequence[Pixels]) -> Tensor:
        """Its probabilities for some pictures (each H x W x 3, BGR): N rows that sum to 1.

        Raises:
            ModelError: The network does not answer with so many classes.
        """
        if not pictures:
            return np.zeros((0, self._classes), np.float32)
        parts = [pictures[at : at + AT_ONCE] for at in range(0, len(pictures), AT_ONCE)]
        raw = np.concatenate([self._forward(part) for part in parts])
        if raw.shape != (len(pictures), self._classes):
            raise self._network.mismatch(f"output of shape {raw.shape}")
        return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float32)

    def again(self, pictures: Sequence[Pixels], first: Tensor) -> Tensor:
        """What it says of some pictures after further looks: where looks differ, none is believed.

        Args:
            pictures: N pictures.
            first: What it said of them at first, N x classes.
        """
        looks = [self([moved(one, way) for one in pictures]) for way in self._ways]
        logs = np.log(np.maximum([first, *looks], FLOOR))
        return shares(logs.mean(axis=0))

    def _forward(self, pictures: Sequence[Pixels]) -> Tensor:
        blob = cv2.dnn.blobFromImages(list(pictures), 1 / 255, swapRB=True)
        return self._network(np.asarray(blob, np.float32))


def moved(picture: Pixels, way: Way) -> Pixels:
    """A picture (H x W x 3) as it would be cut out a little beside, or upside down.

    >>> picture = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    >>> moved(picture, (1, 0, True))[..., 0].tolist()
    [[9, 9], [3, 3]]
    """
    x, y, turned = way
    height, width = picture.shape[:2]
    rows = np.clip(np.arange(height) + y, 0, height - 1)
    columns = np.clip(np.arange(width) + x, 0, width - 1)
    if turned:
        rows, columns = rows[::-1], columns[::-1]
    return np.ascontiguousarray(picture[np.ix_(rows, columns)])
