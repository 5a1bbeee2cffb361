"""Rough boxes -> exact corners, and the probability that there is a card.

The locate network sees the whole photo, and its corners are off by a tenth of a card. The refine
network sees an enlarged crop of one box.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.detect import Boxes, suppress
from vision.geometry import Quad, is_cardlike, short_sides, straighten
from vision.onnx import Network, Tensor
from vision.photo import Pixels, Pyramid

REFINE_PX = 128
"""Width and height of the network's input, in pixels."""
REFINE_MARGIN = 0.25
"""Share of the box's width and height shown around it, so that corners outside can be found."""
OUTPUTS = 9
"""Numbers in the output: offsets of four corners (x, y), as shares of the crop's side, and the
logit of the probability that there is a card."""
LEAST_WORTH = 0.25
"""A box with a lower probability is dropped after the first round."""
REFINE_ROUNDS = 3
"""Number of times each box is refined: corners of covered cards improve with every round."""
LOCATE_POWER = 0.3
"""Exponent of locate's score in the product with this network's probability. It is small because
locate gives covered cards low scores."""
SHIFT = 0.08
"""Share of a box's width or height by which its crop is shifted to measure `tta_spread`."""
BOXES_PER_BATCH = 24
"""Crops in one batch."""

_UNIT = 1 / (1 + 2 * REFINE_MARGIN)
_LOW = (1 - _UNIT) / 2
_NOMINAL = np.array(
    [[_LOW, _LOW], [1 - _LOW, _LOW], [1 - _LOW, 1 - _LOW], [_LOW, 1 - _LOW]], np.float32
)
"""Positions of the rough box's corners in its crop, as shares of the side."""


class CornerNetwork:
    """The network `refine.onnx`."""

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        """Load the network; see `Network` for the errors."""
        self._network = Network(
            path, expected="a network of four corner moves and a score", threads=threads
        )

    def __call__(self, picture: Pyramid, rough: Boxes) -> Boxes:
        """Return the refined boxes, best first, one for each card.

        Every box is refined once. Likely cards are refined again from their new corners, and boxes
        of the same card are merged.

        Raises:
            ModelError: The network's output is not `OUTPUTS` numbers for each box.
        """
        quads, card = self._refined(picture, rough.quads)
        found = Boxes(quads, rough.scores**LOCATE_POWER)
        for _ in range(REFINE_ROUNDS - 1):
            worth = np.flatnonzero(card >= LEAST_WORTH)
            found = suppress(found.take(worth[np.argsort(-(found.scores * card)[worth])]))
            quads, card = self._refined(picture, found.quads)
            found = Boxes(quads, found.scores)
        scored = Boxes(found.quads, found.scores * card)
        return suppress(scored.take(np.argsort(-scored.scores, kind="stable")))

    def tta_spread(self, picture: Pyramid, boxes: Boxes) -> tuple[Quad, Tensor, Tensor]:
        """Refine shifted crops of some boxes, to measure how well their corners are seen.

        A visible corner stays in place. A corner under another card is guessed, and the guess moves
        with the crop. The spread of a corner is the standard deviation of its position.

        Returns:
            The mean corners over the shifted crops, N x 4 x 2; each corner's spread in short sides,
            N x 4; and the mean probability of a card, N.
        """
        quads = boxes.quads
        if not len(quads):
            return quads, np.zeros((0, 4), np.float32), boxes.scores
        across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3])[:, None] / 2
        along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1])[:, None] / 2
        moves = (across, -across, along, -along)
        shifted = [np.asarray(quads + SHIFT * move, np.float32) for move in moves]
        refined = [self._refined(picture, one) for one in shifted]
        corners, card = (np.stack(part) for part in zip(*refined, strict=True))
        spread = np.linalg.norm(corners.std(axis=0), axis=-1) / short_sides(quads)[:, None]
        return corners.mean(axis=0), np.asarray(spread, np.float32), card.mean(axis=0)

    def _refined(self, picture: Pyramid, rough: Quad) -> tuple[Quad, Tensor]:
        """Refined corners of some boxes, N x 4 x 2, and the probability that each holds a card."""
        from scipy.special import expit

        if not len(rough):
            return rough, np.zeros(0, np.float32)
        crops = [refine_crop(picture, quad) for quad in rough]
        starts = range(0, len(crops), BOXES_PER_BATCH)
        raw = np.concatenate([self._forward(crops[at : at + BOXES_PER_BATCH]) for at in starts])
        if raw.shape != (len(crops), OUTPUTS):
            raise self._network.mismatch(f"output of shape {raw.shape}")
        pairs = zip(rough, raw[:, :-1].reshape(-1, 4, 2), strict=True)
        moved = np.stack([from_crop(quad, moves) for quad, moves in pairs])
        quads = np.where(is_cardlike(moved)[:, None, None], moved, rough)
        return np.asarray(quads, np.float32), np.asarray(expit(raw[:, -1]), np.float32)

    def _forward(self, crops: Sequence[Pixels]) -> Tensor:
        blob = cv2.dnn.blobFromImages(list(crops), 1 / 255, swapRB=True)
        return self._network(np.asarray(blob, np.float32))


def refine_crop(picture: Pixels | Pyramid, rough: Quad) -> Pixels:
    """The network's input for a box: a crop `REFINE_PX` square with the box in the middle."""
    return straighten(picture, rough, side_px=REFINE_PX, margin=REFINE_MARGIN)


def to_crop(rough: Quad, corners: Quad) -> Quad:
    """Offsets of corners from those of the rough box, in its crop, as shares of the crop's side.

    >>> box = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
    >>> [f"{share:.2f}" for share in to_crop(box, box + [3, 6])[0]]
    ['0.10', '0.13']
    """
    seen = cv2.perspectiveTransform(np.asarray(corners, np.float32)[None], crop_matrix(rough))[0]
    return np.asarray(seen - _NOMINAL, np.float32)


def from_crop(rough: Quad, moves: Quad) -> Quad:
    """Corners in the picture from their offsets in the crop: the inverse of `to_crop`.

    >>> box = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
    >>> [f"{pixel:.2f}" for pixel in from_crop(box, to_crop(box, box + [3, 6]))[0]]
    ['3.00', '6.00']
    """
    back = np.linalg.inv(crop_matrix(rough)).astype(np.float32)
    return np.asarray(cv2.perspectiveTransform((moves + _NOMINAL)[None], back)[0], np.float32)


def crop_matrix(rough: Quad) -> npt.NDArray[np.float64]:
    """Return the 3 x 3 homography from picture pixels to the crop, in shares of its side."""
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(rough, np.float32), _NOMINAL))
