"""The corners of a card -> what the indices printed there say of it.

In a tight fan or a ladder a French card shows only the index in its corner: a few pixels of the
crop that identify sees. The index network sees the corner by itself and larger. Its 43rd class says
that another card covers the corner.
"""

import numpy as np

from vision.classes import CLASSES
from vision.networks.classify import Augmentation
from vision.networks.engine import Tensor
from vision.networks.network import LEAST_PROBABILITY

CORNER_WEIGHT = 0.7
"""Exponent of a corner's probabilities in the product with those of the whole card. It is below 1
because the crop of the whole card shows the same corner."""
CORNER_AUGMENTATIONS = (Augmentation(3, 3), Augmentation(-3, -3))
"""The crop of a corner moved by a twentieth of its side."""
UNSEEN = "unseen"
"""The network's further class: nothing of the corner can be seen."""
CORNERS: tuple[str, ...] = (*CLASSES, UNSEEN)
"""The network's classes, in the order of its outputs."""


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
        corners: 2N x 43, from the crops of their corners, two in a row for each card.

    >>> cards = np.full((1, 42), 1 / 42, np.float32)
    >>> corners = np.eye(43, dtype=np.float32)[[3, CORNERS.index(UNSEEN)]]
    >>> int(combined(cards, corners).argmax())
    3
    """
    from scipy.special import softmax

    seen = np.log(np.maximum(card_probabilities(corners), LEAST_PROBABILITY))
    logs = np.log(np.maximum(whole, LEAST_PROBABILITY)) + CORNER_WEIGHT * (seen[::2] + seen[1::2])
    return np.asarray(softmax(logs, axis=-1), np.float32)
