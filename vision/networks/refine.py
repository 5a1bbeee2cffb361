"""Rough boxes -> where the cards' corners truly lie, and whether there is a card at all.

The locate network sees the whole photo and is off by a tenth of a card; this one looks at each
card found from close by.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.quads import Quad, is_cardlike, short_sides
from vision.geometry.straighten import straighten
from vision.networks.locate import Located, suppress
from vision.networks.network import Network, Tensor
from vision.photo import Pixels

REFINE_PX = 128
"""Width and height of what the network sees."""
MARGIN = 0.25
"""Share of the box's width and height seen around it, so that corners outside can be found."""
OUTPUTS = 9
"""Four corner moves (x, y), as shares of the crop's side, and a logit: is there a card?"""
CLEAR = 0.5
"""From this probability on a box holds a card as it lies."""
UNSEEN = 0.25
"""Below this probability a box is not looked at again."""
LOOKS = 3
"""How often: the corners of covered cards come nearer with every look."""
FAINT_POWER = 0.3
"""How little locate's score counts beside this network's: it is faint for cards under others."""
BESIDE = 0.08
"""How far beside a box it is looked at to find out which corners are seen, in its sides."""
AT_ONCE = 24
"""Crops in one batch."""

_UNIT = 1 / (1 + 2 * MARGIN)
_LOW = (1 - _UNIT) / 2
_NOMINAL = np.array(
    [[_LOW, _LOW], [1 - _LOW, _LOW], [1 - _LOW, 1 - _LOW], [_LOW, 1 - _LOW]], np.float32
)
"""Where a box's own corners lie in its crop, as shares of the side."""


class Refiner:
    """The refine network."""

    def __init__(self, path: Path) -> None:
        """Load the network; see `Network` for the errors."""
        self._network = Network(path, expected="a network of four corner moves and a score")

    def __call__(self, image_bgr: Pixels, rough: Located) -> Located:
        """The cards set right, best first, each once; rough boxes of one card become one.

        Every box is looked at, once more with its long side first where no card was seen in it,
        as locate draws cards seen very aslant; what is left is looked at again where its corners
        were moved to.

        Raises:
            ModelError: The network does not answer with nine numbers a box.
        """
        quads, seen = self._look(image_bgr, rough.quads)
        unclear = np.flatnonzero(seen < CLEAR)
        aslant = np.roll(rough.quads[unclear], 1, axis=1)
        quads[unclear], seen[unclear] = self._look(image_bgr, aslant)
        found = Located(quads, rough.scores**FAINT_POWER)
        for _ in range(LOOKS - 1):
            worth = np.flatnonzero(seen >= UNSEEN)
            found = suppress(found.take(worth[np.argsort(-(found.scores * seen)[worth])]))
            quads, seen = self._look(image_bgr, found.quads)
            found = Located(quads, found.scores)
        scored = Located(found.quads, found.scores * seen)
        return suppress(scored.take(np.argsort(-scored.scores, kind="stable")))

    def beside(self, image_bgr: Pixels, located: Located) -> tuple[Quad, Tensor, Tensor]:
        """Where looks from a little beside put the corners of some boxes, and how far apart.

        A corner that is seen stays where it is; one under another card is guessed from what is
        looked at, and moves with it.

        Returns:
            The mean of the looks, N x 4 x 2; each corner's spread in short sides, N x 4; and how
            likely the looks think that there is a card, N.
        """
        quads = located.quads
        if not len(quads):
            return quads, np.zeros((0, 4), np.float32), located.scores
        across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3])[:, None] / 2
        along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1])[:, None] / 2
        moves = (across, -across, along, -along)
        rough = [np.asarray(quads + BESIDE * move, np.float32) for move in moves]
        looks = [self._look(image_bgr, one) for one in rough]
        corners, clear = (np.stack(part) for part in zip(*looks, strict=True))
        apart = np.linalg.norm(corners.std(axis=0), axis=-1) / short_sides(quads)[:, None]
        return corners.mean(axis=0), np.asarray(apart, np.float32), clear.mean(axis=0)

    def _look(self, image_bgr: Pixels, rough: Quad) -> tuple[Quad, Tensor]:
        """Where the corners of some boxes lie, N x 4 x 2, and how likely each holds a card."""
        if not len(rough):
            return rough, np.zeros(0, np.float32)
        crops = [cut_out(image_bgr, quad) for quad in rough]
        parts = [crops[at : at + AT_ONCE] for at in range(0, len(crops), AT_ONCE)]
        raw = np.concatenate([self._forward(part) for part in parts])
        if raw.shape != (len(crops), OUTPUTS):
            raise self._network.mismatch(f"output of shape {raw.shape}")
        pairs = zip(rough, raw[:, :-1].reshape(-1, 4, 2), strict=True)
        moved = np.stack([from_crop(quad, moves) for quad, moves in pairs])
        quads = np.where(is_cardlike(moved)[:, None, None], moved, rough)
        return np.asarray(quads, np.float32), np.asarray(1 / (1 + np.exp(-raw[:, -1])), np.float32)

    def _forward(self, crops: Sequence[Pixels]) -> Tensor:
        blob = cv2.dnn.blobFromImages(list(crops), 1 / 255, swapRB=True)
        return self._network(np.asarray(blob, np.float32))


def cut_out(image_bgr: Pixels, rough: Quad) -> Pixels:
    """What the network sees of a box: `REFINE_PX` square, the box in its middle."""
    return straighten(image_bgr, rough, side_px=REFINE_PX, margin=MARGIN)


def to_crop(rough: Quad, corners: Quad) -> Quad:
    """How far corners lie from those of the rough box, in its crop, in sides of the crop.

    >>> box = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
    >>> [f"{share:.2f}" for share in to_crop(box, box + [3, 6])[0]]
    ['0.10', '0.13']
    """
    seen = cv2.perspectiveTransform(np.asarray(corners, np.float32)[None], _matrix(rough))[0]
    return np.asarray(seen - _NOMINAL, np.float32)


def from_crop(rough: Quad, moves: Quad) -> Quad:
    """The corners that lie so far from those of the rough box: the way back from `to_crop`.

    >>> box = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
    >>> [f"{pixel:.2f}" for pixel in from_crop(box, to_crop(box, box + [3, 6]))[0]]
    ['3.00', '6.00']
    """
    back = np.linalg.inv(_matrix(rough)).astype(np.float32)
    return np.asarray(cv2.perspectiveTransform((moves + _NOMINAL)[None], back)[0], np.float32)


def _matrix(rough: Quad) -> npt.NDArray[np.float64]:
    """Picture pixels -> the crop, as shares of its side."""
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(rough, np.float32), _NOMINAL))
