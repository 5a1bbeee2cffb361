"""Photo -> rough boxes of its cards: four corners each, also those hidden under other cards.

Every box here is a quadrilateral of four corners; `score` says how sure the network is of it. A box
comes from a card that is seen or from its index corner, which is seen of cards in a ladder too.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Quad, corner_distances, half_turn, is_cardlike, short_sides
from vision.onnx import Network, Tensor
from vision.photo import Pixels, Pyramid, as_pyramid, shrunk
from vision.reading import Area

WHOLE_PX = (448, 640, 320)
"""Long sides, in pixels, at which the network sees the whole photo. The first scale tells how large
the cards are and where they lie."""
CARD_PX = (80, 48)
"""Short sides of a card in the scales at the part where the cards lie. On large cards corners are
found best, in ladders too; on small ones the network sees more of what covers a card."""
MOST_PX = 1024
"""Longest side of any scale."""
CLEAR_SCORE = 0.5
"""Boxes of at least this score tell how large the cards are and where they lie."""
AROUND = 0.6
"""Short sides shown around the pile in the scales at a part."""
STRIDE = 32
"""Height and width of the network's input are multiples of this many pixels."""
LEAST_ROUGH_SCORE = 0.05
"""Boxes of lower scores are dropped. A card half under others may score as little as 0.1."""
SAME_CARD = 0.1
"""Short sides. Two boxes whose corners are closer on average are one card."""
SAME_ACROSS_SCALES = 0.16
"""The same for boxes of different scales: each scale gives cards that lie closer a box each."""
MAX_CARDS = 120
"""No more boxes than this are kept in a photo: three decks."""
PAD = 114
"""Gray level that fills the input around the photo, as in training."""

SCORES, _CORNERS = slice(4, 6), slice(6, 14)
"""The rows of the network's output with the scores of both classes, and with the four corners."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes of cards found in a picture, best first."""

    quads: Quad
    """N x 4 x 2 corners in the picture's pixels, clockwise, 0-1 and 2-3 the short sides."""
    scores: Tensor
    """N scores, 0 to 1."""

    def take(self, keep: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> "Boxes":
        """The boxes of a mask or of a list of indices."""
        return Boxes(self.quads[keep], self.scores[keep])


class Detector:
    """The detector: the network `locate.onnx`."""

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        """Load the network; see `Network` for the errors."""
        self._network = Network(
            path, expected="a YOLO pose network of two classes and 4 corners", threads=threads
        )

    def __call__(self, picture: Pyramid) -> Boxes:
        """The boxes of the cards in a picture, doubles merged.

        The whole picture is seen, then the part where the first scale found cards, at the sizes
        at which they are found best.

        Raises:
            ModelError: The network's output is not that of a four-corner pose network.
        """
        scales = [self._at_scale(picture, side) for side in WHOLE_PX]
        if (scales[0].scores >= CLEAR_SCORE).any():
            card_px, part = _card_size_and_area(picture, scales[0])
            long_px = max(picture.bgr.shape[:2])
            most = MOST_PX / max(part[2] - part[0], part[3] - part[1])
            sides = (round(long_px * min(px / card_px, most)) for px in CARD_PX)
            scales += [self._at_scale(picture, max(STRIDE, side), part=part) for side in sides]
        quads, scores = zip(*((one.quads, one.scores) for one in scales), strict=True)
        found = Boxes(np.concatenate(quads), np.concatenate(scores))
        scale_of = np.repeat(np.arange(len(scales)), [len(one) for one in scores])
        best = np.argsort(-found.scores, kind="stable")
        return suppress(found.take(best), scale_of=scale_of[best])

    def _at_scale(self, picture: Pyramid, side_px: int, *, part: Area | None = None) -> Boxes:
        """The boxes found at one size of the picture, or of a part of it, in its pixels."""
        batch, scale, shift_xy = letterbox(picture, side_px, part=part)
        raw = self._network(batch)
        if raw.ndim != 3 or raw.shape[1] != 14:
            raise self._network.mismatch(f"output of shape {raw.shape}")
        found = decode_boxes(raw[0])
        return Boxes((found.quads - shift_xy) / scale, found.scores)


def _card_size_and_area(picture: Pyramid, first: Boxes) -> tuple[float, Area]:
    """The short side of the cards, in the picture's pixels, and the part of it they lie in."""
    height, width = picture.bgr.shape[:2]
    clear = first.quads[first.scores >= CLEAR_SCORE]
    card_px = float(np.median(short_sides(clear)))
    low = np.maximum(clear.min(axis=(0, 1)) - AROUND * card_px, 0)
    high = np.minimum(clear.max(axis=(0, 1)) + AROUND * card_px, [width, height])
    return card_px, (*low.tolist(), *high.tolist())


def letterbox(
    picture: Pixels | Pyramid, side_px: int, *, part: Area | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """A picture scaled and padded to the size of the network's input, and the transform used.

    Args:
        picture: The picture.
        side_px: The long side of the whole picture, scaled.
        part: Shows no more of it than this area, in its pixels.

    Returns:
        The 1 x 3 x H x W batch, then scale and shift (x, y): input = picture * scale + shift.

    >>> batch, scale, shift = letterbox(np.zeros((470, 960, 3), np.uint8), 480)
    >>> batch.shape, shift.tolist(), scale.tolist()
    ((1, 3, 256, 480), [0.0, 10.0], [0.5, 0.5])
    """
    height, width = as_pyramid(picture).bgr.shape[:2]
    enlarged = side_px / max(height, width)
    size_wh = (max(1, round(width * enlarged)), max(1, round(height * enlarged)))
    scale = np.divide(size_wh, (width, height)).astype(np.float32)
    low_x, low_y, high_x, high_y = part or (0, 0, width, height)
    x0, y0 = (int(side) for side in np.array([low_x, low_y]) * scale)
    x1, y1 = (int(side) for side in np.ceil(np.array([high_x, high_y]) * scale))
    shown = shrunk(picture, size_wh)[y0:y1, x0:x1]
    inner_h, inner_w = shown.shape[:2]
    outer_h, outer_w = (-(-side // STRIDE) * STRIDE for side in (inner_h, inner_w))
    left, top = (outer_w - inner_w) // 2, (outer_h - inner_h) // 2
    canvas = np.full((outer_h, outer_w, 3), PAD, np.uint8)
    canvas[top : top + inner_h, left : left + inner_w] = shown
    batch = cv2.dnn.blobFromImage(canvas, 1 / 255, swapRB=True)
    return np.asarray(batch, np.float32), scale, np.array([left - x0, top - y0], np.float32)


def decode_boxes(raw: Tensor) -> Boxes:
    """The boxes in the raw output of a pose network.

    Args:
        raw: 14 rows x anchors: box (4), the scores of a card and of an index corner, then (x, y) of
            the card's four corners.

    >>> decode_boxes(np.zeros((14, 4), np.float32)).quads.shape
    (0, 4, 2)
    """
    scores = raw[SCORES].max(axis=0)
    seen = np.flatnonzero(scores >= LEAST_ROUGH_SCORE)
    best = seen[np.argsort(-scores[seen], kind="stable")][: MAX_CARDS * 20]
    quads = np.ascontiguousarray(raw[_CORNERS, best].T.reshape(-1, 4, 2))
    found = Boxes(quads, scores[best])
    return found.take(is_cardlike(found.quads))


def suppress(found: Boxes, *, scale_of: npt.NDArray[np.intp] | None = None) -> Boxes:
    """Non-maximum suppression: of the boxes of one card only the best stays.

    Its corners become the average over the boxes of that card. Boxes of one card are those whose
    corners are near each other, of another scale only the nearest. Overlap would not do: in a fan a
    card that is four fifths covered overlaps its neighbour as much as a second box of the same card
    would, but its corners lie elsewhere.

    Args:
        found: Boxes, best first.
        scale_of: For each the scale that gave it; without it all are of one scale.

    >>> card = np.array([[0, 0], [20, 0], [20, 30], [0, 30]], np.float32)
    >>> twice = Boxes(np.stack([card, card + 1, card + 9]), np.float32([1, 0.75, 0.5]))
    >>> suppress(twice).scores.tolist()
    [1.0, 0.5]
    """
    scale_of = np.zeros(len(found.scores), np.intp) if scale_of is None else scale_of
    x, y = found.quads.mean(axis=1).T
    reach = SAME_ACROSS_SCALES * short_sides(found.quads) / 2
    left = np.ones(len(found.scores), np.bool_)
    quads: list[Quad] = []
    firsts: list[int] = []
    for first in range(len(left)):
        if left[first] and len(firsts) < MAX_CARDS:
            # Middles are no farther apart than corners are on average: most boxes are ruled out.
            within = reach + reach[first]
            near = np.flatnonzero(
                left & (abs(x - x[first]) < within) & (abs(y - y[first]) < within)
            )
            far = corner_distances(found.quads[first], found.quads[near])
            same = near[_are_one_card(far, scale_of[near])]
            left[same] = left[first] = False
            quads.append(_average(found.quads[first], found.take(same)))
            firsts.append(first)
    shape = np.zeros((0, 4, 2), np.float32)
    return Boxes(np.stack(quads) if quads else shape, found.scores[firsts])


def _are_one_card(
    far: npt.NDArray[np.float32], scale_of: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    """Which boxes are of a card, by how far their corners are from its best box's, in short sides.

    >>> _are_one_card(np.float32([0, 0.12, 0.15, 0.12]), np.array([0, 0, 1, 1])).tolist()
    [True, False, False, True]
    """
    same = far < SAME_CARD
    for scale in set(scale_of.tolist()) - set(scale_of[same].tolist()):
        nearest = int(np.where(scale_of == scale, far, np.inf).argmin())
        same[nearest] = far[nearest] < SAME_ACROSS_SCALES
    return same


def _average(quad: Quad, doubles: Boxes) -> Quad:
    """Mean corners of some boxes, weighted by squared score, each turned the way `quad` is."""
    if len(doubles.scores) < 2:
        return quad
    turned = half_turn(doubles.quads)
    straight_away = np.linalg.norm(doubles.quads - quad, axis=-1).sum(axis=-1)
    turned_away = np.linalg.norm(turned - quad, axis=-1).sum(axis=-1)
    aligned = np.where((turned_away < straight_away)[:, None, None], turned, doubles.quads)
    weights = doubles.scores**2
    return np.asarray(np.average(aligned, axis=0, weights=weights), np.float32)
