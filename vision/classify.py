"""Small pictures -> a probability for each class: what identify and index have in common."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.classes import CLASSES
from vision.network import Network, Tensor
from vision.photo import Pixels

AT_ONCE = 12
"""Pictures in one batch: more are no faster and take ten megabytes each."""


class Classifier:
    """A network that names pictures of one size."""

    def __init__(self, path: Path) -> None:
        """Load the network; see `Network` for the errors."""
        self._network = Network(path, expected=f"a YOLO classifier of {len(CLASSES)} classes")

    def __call__(self, pictures: Sequence[Pixels]) -> Tensor:
        """Its probabilities for some pictures (each H x W x 3, BGR): N x 42, rows sum to 1.

        Raises:
            ModelError: The network does not answer with 42 classes.
        """
        if not pictures:
            return np.zeros((0, len(CLASSES)), np.float32)
        parts = [pictures[at : at + AT_ONCE] for at in range(0, len(pictures), AT_ONCE)]
        raw = np.concatenate([self._forward(part) for part in parts])
        if raw.shape != (len(pictures), len(CLASSES)):
            raise self._network.mismatch(f"output of shape {raw.shape}")
        return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float32)

    def _forward(self, pictures: Sequence[Pixels]) -> Tensor:
        blob = cv2.dnn.blobFromImages(list(pictures), 1 / 255, swapRB=True)
        return self._network(np.asarray(blob, np.float32))
