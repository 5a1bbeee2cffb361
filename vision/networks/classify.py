"""Image classification with test-time augmentation: what identify and index share."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.networks.engine import Tensor
from vision.networks.network import LEAST_PROBABILITY, Network
from vision.photo import Pixels

FEATURES = "/model.10/Flatten_output_0"
"""The tensor before the last layer of a YOLO classifier: what it has seen, `FEATURE_COUNT` numbers
a crop, of which the last layer makes classes."""
FEATURE_COUNT = 1280
CROPS_PER_BATCH = 12
"""Larger batches are no faster, and each crop needs ten megabytes."""


@dataclass(frozen=True)
class Augmentation:
    """A small change to a crop under which its class stays the same."""

    right_px: int
    """Pixels by which the crop is taken farther to the right."""
    down_px: int
    """Pixels by which it is taken farther down."""
    upside_down: bool = False
    """Whether it is then turned by 180 degrees."""


class Classifier:
    """A network that gives class probabilities for crops of one size."""

    def __init__(
        self,
        path: Path,
        *,
        classes: int,
        augmentations: Sequence[Augmentation] = (),
        threads: int | None = None,
    ) -> None:
        """Load the network; see `Network` for the errors.

        Args:
            path: The ONNX file.
            classes: Number of classes.
            augmentations: What `averaged` does to each crop.
            threads: How many threads may run it; all processors by default.
        """
        self._network = Network(
            path,
            expected=f"a YOLO classifier of {classes} classes",
            threads=threads,
            also=FEATURES,
        )
        self._classes = classes
        self._augmentations = augmentations

    def __call__(self, crops: Sequence[Pixels]) -> Tensor:
        """Class probabilities of some crops (each H x W x 3, BGR): N rows that sum to 1.

        Raises:
            ModelError: The network has another number of classes.
        """
        return self.seen(crops)[0]

    def seen(self, crops: Sequence[Pixels]) -> tuple[Tensor, Tensor]:
        """As calling it, with the features of the crops (N x `FEATURE_COUNT`) beside."""
        if not crops:
            shapes = (0, self._classes), (0, FEATURE_COUNT)
            return np.zeros(shapes[0], np.float32), np.zeros(shapes[1], np.float32)
        starts = range(0, len(crops), CROPS_PER_BATCH)
        batches = [self._forward(crops[at : at + CROPS_PER_BATCH]) for at in starts]
        raw, features = (np.concatenate(parts) for parts in zip(*batches, strict=True))
        if raw.shape != (len(crops), self._classes):
            raise self._network.mismatch(f"output of shape {raw.shape}")
        return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float32), features

    def averaged(self, crops: Sequence[Pixels], plain: Tensor) -> Tensor:
        """Geometric mean of the probabilities over the crops and their augmentations: N rows.

        Where the augmentations disagree, every class ends with a low probability.

        Args:
            crops: N crops.
            plain: N rows, the probabilities of the crops as they are.
        """
        from scipy.special import softmax

        changed = [self([augmented(crop, one) for crop in crops]) for one in self._augmentations]
        logs = np.log(np.maximum([plain, *changed], LEAST_PROBABILITY))
        return np.asarray(softmax(logs.mean(axis=0), axis=-1), np.float32)

    def _forward(self, crops: Sequence[Pixels]) -> tuple[Tensor, ...]:
        blob = cv2.dnn.blobFromImages(list(crops), 1 / 255, swapRB=True)
        return self._network.outputs(np.asarray(blob, np.float32))


def augmented(crop: Pixels, change: Augmentation) -> Pixels:
    """A crop (H x W x 3) after an augmentation; pixels beyond it repeat its edge.

    >>> crop = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    >>> augmented(crop, Augmentation(1, 0, upside_down=True))[..., 0].tolist()
    [[9, 9], [3, 3]]
    """
    height, width = crop.shape[:2]
    rows = np.clip(np.arange(height) + change.down_px, 0, height - 1)
    columns = np.clip(np.arange(width) + change.right_px, 0, width - 1)
    if change.upside_down:
        rows, columns = rows[::-1], columns[::-1]
    return np.ascontiguousarray(crop[np.ix_(rows, columns)])
