"""Straightened cards and their corners -> a probability for each class."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from vision.classes import CLASSES
from vision.networks.classify import Augmentation, Classifier
from vision.networks.engine import Tensor
from vision.networks.index import CORNER_AUGMENTATIONS, CORNERS, combined
from vision.photo import Pixels

CERTAIN = 0.999
"""Below this probability a card is classified again with augmentations, by both networks. So is a
card that its corners make another of."""
WORTH = 0.4
"""A box of a lower score is not looked at again: it rarely holds a card, and never a clear one."""
MOST_AGAIN = 32
"""Of a photo no more cards than this are looked at again, those of the best boxes."""
SHIFT_PX = 5
"""Pixels of the 128 x 128 crop: about how far the corners of a card are off."""
CARD_AUGMENTATIONS = (
    Augmentation(0, 0, upside_down=True),
    Augmentation(SHIFT_PX, SHIFT_PX),
    Augmentation(-SHIFT_PX, -SHIFT_PX, upside_down=True),
    Augmentation(SHIFT_PX, -SHIFT_PX),
    Augmentation(-SHIFT_PX, SHIFT_PX, upside_down=True),
)
"""With the plain crop these are six versions of a card. A crop that is upside down has the same
six, so the answer does not depend on which end of the card is up."""


@dataclass(frozen=True, eq=False)
class Features:
    """What the networks have seen of some cards, before they made classes of it."""

    whole: Tensor
    """N x 1280, of the crops of the whole cards."""
    corners: Tensor
    """2N x 1280, of the crops of their corners, two in a row for each card."""
    uncovered: Tensor
    """2N: the probability that no other card covers the corner."""
    crops: Sequence[Pixels]
    """N: the crops of the whole cards themselves."""
    scores: Tensor
    """N: how sure it is of each that a card lies there, 0 to 1."""


class KnowsDeck(Protocol):
    """What knows the faces of one deck: `vision.decks.faces.TaughtDeck`."""

    @property
    def key(self) -> str:
        """Another for every other deck, also for the same one after it was taught more."""
        ...

    def weighed(self, probabilities: Tensor, features: Features) -> Tensor:
        """The class probabilities (N x 42) of some cards, given how they look in this deck."""
        ...


class Identifier:
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
        self, crops: Sequence[Pixels], corners: Sequence[Pixels], *, scores: Tensor
    ) -> tuple[Tensor, Features]:
        """Class probabilities of some cards (N x 42, rows sum to 1), and their features.

        Args:
            crops: N whole cards (each 128 x 128 x 3, BGR).
            corners: 2N corners (each 64 x 64 x 3, BGR), two in a row for each card.
            scores: N: how sure it is of each that a card lies there, 0 to 1.

        Raises:
            ModelError: A network has another number of classes.
        """
        (whole, seen), (ends, ends_seen) = self.whole.seen(crops), self.corner.seen(corners)
        read, uncovered = combined(whole, ends), 1 - ends[:, -1]
        overruled = read.argmax(axis=1) != whole.argmax(axis=1)
        unclear = (read.max(axis=1, initial=0.0) < CERTAIN) | overruled
        unsure = np.flatnonzero(unclear & (scores >= WORTH))
        unsure = np.sort(unsure[np.argsort(-scores[unsure], kind="stable")][:MOST_AGAIN])
        if len(unsure):
            both = np.stack([2 * unsure, 2 * unsure + 1], axis=1).ravel()
            whole = self.whole.averaged([crops[at] for at in unsure.tolist()], whole[unsure])
            ends = self.corner.averaged([corners[at] for at in both.tolist()], ends[both])
            read[unsure] = combined(whole, ends)
        return read, Features(seen, ends_seen, uncovered, crops, scores)

    def features(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Features:
        """The features of some cards and their corners, as calling it gives them."""
        ends, seen = self.corner.seen(corners)
        sure = np.ones(len(crops), np.float32)
        return Features(self.whole.seen(crops)[1], seen, 1 - ends[:, -1], crops, sure)
