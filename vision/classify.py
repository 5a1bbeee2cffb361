"""Straightened cards and their corners -> a probability for each class.

The identify network sees the whole card. In a tight fan or a ladder, a French card shows only its
corner index, which is a few pixels of that crop. So the index network sees both corners enlarged.
Its 43rd class means that another card covers the corner.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.onnx import LEAST_PROBABILITY, Network, Tensor
from vision.photo import Pixels
from vision.reading import CLASSES

CROPS_PER_BATCH = 12
"""Larger batches are no faster, and each crop needs ten megabytes."""
UNSEEN = "unseen"
"""The index network's last class: another card covers the corner."""
CORNERS: tuple[str, ...] = (*CLASSES, UNSEEN)
"""The index network's classes, in the order of its outputs."""
CORNER_WEIGHT = 0.7
"""Exponent of a corner's probabilities in the product with those of the whole card. It is below 1
because the crop of the whole card shows the same corner."""
CERTAIN = 0.999
"""A card whose probability is lower is classified again with augmentations, by both networks. So is
a card whose corners change its class."""
MOST_AGAIN = 32
"""Maximum number of cards of a photo to classify again, best boxes first."""
SHIFT_PX = 5
"""Pixels of the 128 x 128 crop: the usual error of a card's corners."""


@dataclass(frozen=True)
class Augmentation:
    """A small change to a crop under which its class stays the same."""

    right_px: int
    """Pixels by which the crop moves to the right."""
    down_px: int
    """Pixels by which the crop moves down."""
    upside_down: bool = False
    """Whether the crop is then turned by 180 degrees."""


CARD_AUGMENTATIONS = (
    Augmentation(0, 0, upside_down=True),
    Augmentation(SHIFT_PX, SHIFT_PX),
    Augmentation(-SHIFT_PX, -SHIFT_PX, upside_down=True),
    Augmentation(SHIFT_PX, -SHIFT_PX),
    Augmentation(-SHIFT_PX, SHIFT_PX, upside_down=True),
)
"""With the plain crop, six versions of a card. An upside-down crop has the same six, so the
answer does not depend on which end of the card is up."""
CORNER_AUGMENTATIONS = (Augmentation(3, 3), Augmentation(-3, -3))
"""The crop of a corner moved by a twentieth of its side."""


class Classifier:
    """A network that returns class probabilities for crops of one size."""

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
            augmentations: The changes that `averaged` makes to each crop.
            threads: Number of threads; all processors by default.
        """
        expected = f"a YOLO classifier of {classes} classes"
        self._network = Network(path, expected=expected, threads=threads)
        self._classes = classes
        self._augmentations = augmentations

    def __call__(self, crops: Sequence[Pixels]) -> Tensor:
        """Class probabilities of some crops (each H x W x 3, BGR): N rows that sum to 1.

        Raises:
            ModelError: The network has another number of classes.
        """
        if not crops:
            return np.zeros((0, self._classes), np.float32)
        batches = []
        for start in range(0, len(crops), CROPS_PER_BATCH):
            batch = crops[start : start + CROPS_PER_BATCH]
            blob = cv2.dnn.blobFromImages(list(batch), 1 / 255, swapRB=True)
            batches.append(self._network(np.asarray(blob, np.float32)))
        raw = np.concatenate(batches)
        if raw.shape != (len(crops), self._classes):
            raise self._network.mismatch(f"output of shape {raw.shape}")
        return np.asarray(raw / raw.sum(axis=1, keepdims=True), np.float32)

    def averaged(self, crops: Sequence[Pixels], plain: Tensor) -> Tensor:
        """Geometric mean of the probabilities over the crops and their augmentations: N rows.

        If the augmentations disagree, every class gets a low probability.

        Args:
            crops: N crops.
            plain: N rows, the probabilities of the unchanged crops.
        """
        from scipy.special import softmax

        changed = [self([augmented(crop, one) for crop in crops]) for one in self._augmentations]
        logs = np.log(np.maximum([plain, *changed], LEAST_PROBABILITY))
        return np.asarray(softmax(logs.mean(axis=0), axis=-1), np.float32)


class CardClassifier:
    """The identify network, which sees the whole card, and the index network, for its corners."""

    def __init__(self, identify: Path, index: Path, *, threads: int | None = None) -> None:
        """Load the networks; see `Network` for the errors."""
        self.whole = Classifier(
            identify, classes=len(CLASSES), augmentations=CARD_AUGMENTATIONS, threads=threads
        )
        self.corner = Classifier(
            index, classes=len(CORNERS), augmentations=CORNER_AUGMENTATIONS, threads=threads
        )

    def __call__(
        self,
        crops: Sequence[Pixels],
        corners: Sequence[Pixels],
        *,
        worth: Callable[[Tensor], Tensor],
    ) -> Tensor:
        """Class probabilities of some cards: N x 42, rows sum to 1.

        Args:
            crops: N whole cards (each 128 x 128 x 3, BGR).
            corners: 2N corners (each 64 x 64 x 3, BGR), two for each card.
            worth: Takes the probabilities of a first look (N x 42). Returns how much each card is
                worth a second look (N), 0 for not at all.

        Raises:
            ModelError: A network has another number of classes.
        """
        whole, ends = self.whole(crops), self.corner(corners)
        read = combined(whole, ends)
        overruled = read.argmax(axis=1) != whole.argmax(axis=1)
        unclear = (read.max(axis=1, initial=0.0) < CERTAIN) | overruled
        gain = np.where(unclear, worth(read), 0.0)
        again = np.sort(np.argsort(-gain, kind="stable")[: min(MOST_AGAIN, np.count_nonzero(gain))])
        if len(again):
            averaged = self.whole.averaged([crops[at] for at in again.tolist()], whole[again])
            both = np.stack([2 * again, 2 * again + 1], axis=1).ravel()
            seen = both[ends[both].argmax(axis=1) != CORNERS.index(UNSEEN)]
            ends[seen] = self.corner.averaged([corners[at] for at in seen.tolist()], ends[seen])
            read[again] = combined(averaged, ends[both])
        return read


def augmented(crop: Pixels, change: Augmentation) -> Pixels:
    """Return a crop (H x W x 3) after an augmentation; pixels outside repeat its edge.

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


def card_probabilities(corners: Tensor) -> Tensor:
    """Probabilities of the card's class (N x 42) from those of its corner (N x 43).

    The probability of `UNSEEN` is spread evenly over all classes.

    >>> covered = np.zeros((1, 43), np.float32)
    >>> covered[0, CORNERS.index(UNSEEN)] = 1
    >>> bool(np.allclose(card_probabilities(covered), 1 / 42))
    True
    """
    return np.asarray(corners[:, :-1] + corners[:, -1:] / len(CLASSES), np.float32)


def combined(whole: Tensor, corners: Tensor) -> Tensor:
    """Weighted product of the probabilities of cards and of their corners; rows sum to 1.

    Args:
        whole: N x 42, from the crops of the whole cards.
        corners: 2N x 43, from the crops of their corners, two for each card.

    >>> cards = np.full((1, 42), 1 / 42, np.float32)
    >>> corners = np.eye(43, dtype=np.float32)[[3, CORNERS.index(UNSEEN)]]
    >>> int(combined(cards, corners).argmax())
    3
    """
    from scipy.special import softmax

    seen = np.log(np.maximum(card_probabilities(corners), LEAST_PROBABILITY))
    logs = np.log(np.maximum(whole, LEAST_PROBABILITY)) + CORNER_WEIGHT * (seen[::2] + seen[1::2])
    return np.asarray(softmax(logs, axis=-1), np.float32)
