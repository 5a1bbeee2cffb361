"""Straightened cards and their corners -> a probability for each class."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.classes import CLASSES
from vision.networks.classify import Classifier
from vision.networks.index import BESIDE, CORNERS, joined
from vision.networks.network import Tensor
from vision.photo import Pixels

CLEAR = 0.999
"""A card less sure than this is looked at again by both networks, in all their ways; so is one that
its corners make another of."""
SHIFT_PX = 5
"""A twenty-fifth of the card, by which its corners may well be off."""
AGAIN = (
    (0, 0, True),
    (SHIFT_PX, SHIFT_PX, False),
    (-SHIFT_PX, -SHIFT_PX, True),
    (SHIFT_PX, -SHIFT_PX, False),
    (-SHIFT_PX, SHIFT_PX, True),
)
"""Other looks at a whole card.

Seen upside down it is looked at in the same six ways: neither end counts as the upper one.
"""


class Identifier:
    """The identify and the index network: one sees the whole card, the other its corners."""

    def __init__(self, identify: Path, index: Path) -> None:
        """Load the networks; see `Network` for the errors."""
        self._whole = Classifier(identify, classes=len(CLASSES), ways=AGAIN)
        self._corner = Classifier(index, classes=len(CORNERS), ways=BESIDE)

    def __call__(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Tensor:
        """Probabilities of some cards: N x 42, rows sum to 1.

        Args:
            crops: N whole cards (each 128 x 128 x 3, BGR).
            corners: Their corners, two a card (each 64 x 64 x 3, BGR).

        Raises:
            ModelError: A network does not answer with its classes.
        """
        whole, ends = self._whole(crops), self._corner(corners)
        read = joined(whole, ends)
        other = read.argmax(axis=1) != whole.argmax(axis=1)
        unsure = np.flatnonzero((read.max(axis=1, initial=0.0) < CLEAR) | other)
        if len(unsure):
            both = np.stack([2 * unsure, 2 * unsure + 1], axis=1).ravel()
            whole = self._whole.again([crops[at] for at in unsure.tolist()], whole[unsure])
            ends = self._corner.again([corners[at] for at in both.tolist()], ends[both])
            read[unsure] = joined(whole, ends)
        return read
