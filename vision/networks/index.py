"""The corners of a card -> what the indices there say of it.

In a tight fan or a ladder a French card shows nothing but the index in its corner, a few pixels of
the picture that identify sees. A network of its own sees the corner by itself, larger, and says
nothing where another card covers it.
"""

import numpy as np

from vision.classes import CLASSES
from vision.networks.calibration import FLOOR, shares
from vision.networks.network import Tensor

WEIGHT = 0.7
"""How much a corner counts beside the whole card, which shows the same corner."""
BESIDE = ((3, 3, False), (-3, -3, False))
"""Other looks at a corner: a twentieth of it beside."""
UNSEEN = "unseen"
"""What the network answers besides the classes: nothing of a corner can be seen."""
CORNERS: tuple[str, ...] = (*CLASSES, UNSEEN)
"""Its classes, in the order of its outputs."""


def told(raw: Tensor) -> Tensor:
    """What answers (N x 43) say of cards (N x 42): where nothing is seen, every class is as likely.

    >>> blind = np.zeros((1, 43), np.float32)
    >>> blind[0, CORNERS.index(UNSEEN)] = 1
    >>> bool(np.allclose(told(blind), 1 / 42))
    True
    """
    return np.asarray(raw[:, :-1] + raw[:, -1:] / len(CLASSES), np.float32)


def joined(whole: Tensor, corners: Tensor) -> Tensor:
    """What cards (N x 42) and their corners (2N x 43, two a card) say together; rows sum to 1.

    >>> cards = np.full((1, 42), 1 / 42, np.float32)
    >>> corners = np.eye(43, dtype=np.float32)[[3, CORNERS.index(UNSEEN)]]
    >>> int(joined(cards, corners).argmax())
    3
    """
    seen = np.log(np.maximum(told(corners), FLOOR))
    return shares(np.log(np.maximum(whole, FLOOR)) + WEIGHT * (seen[::2] + seen[1::2]))
