"""Photo -> rough boxes of its cards: four corners each, including hidden ones.

A box is a quadrilateral of four corners with a score, the network's confidence. It comes from a
visible card or from an index corner, which is visible even for cards in a ladder.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import (
    Quad,
    areas,
    corner_distances,
    half_turn,
    is_cardlike,
    shared_areas,
    short_sides,
)
from vision.onnx import Network, Tensor
from vision.photo import Pixels, Pyramid, as_pyramid, shrunk
from vision.reading import Area

WHOLE_PX = 448
"""Long side, in pixels, at which the network sees the whole photo."""
SMOOTHED_PX = 160
"""The same for the smoothed photo. There a card near the camera has the size that the network
learnt, and the grain of cloth and wood is gone."""
SMOOTHING = 1 / 200
"""Standard deviation of the Gaussian that smooths it, as a share of the photo's long side."""
SMOOTHED_FROM_PX = 640
"""Long side of the copy that is smoothed."""
NEAR_PX = 24
"""Minimum short side of a near card in the smoothed photo."""
FARTHER_PX, COARSER_PX = 640, 320
"""Two more such scales, if the smoothed photo shows no near card. Then the cards are far away and
mostly covered, and each scale finds some that the others miss."""
LARGE_PX = 800
"""Another such scale for small cards, if no scale shows a card clearly, or if only near cards are
found and most of the photo is free."""
SPARSE = 0.15
"""If near cards cover a smaller share of the photo, most of it is free."""
CARD_PX = 64
"""Short side to which cards of one size are scaled when their part of the photo is searched."""
MOST_PX = 1024
"""Longest side of any scale."""
CLEAR_SCORE = 0.5
"""Boxes of at least this score determine the size of the cards and the part to search."""
FAINT_SCORE = 0.25
"""Boxes of at least this score and about the size of the clear ones also count: few cards of a pile
are clear."""
SAME_SIZE = 2.0
"""A box whose short side differs by more than this factor from that of the clear boxes holds no
card: it is a pip, the grain of the table, or several cards."""
INSIDE = 0.8
"""A box of another size is inside a clear card if more than this share of it is."""
AROUND = 0.6
"""Margin around the cards when a part is searched, in short sides."""
STRIDE = 32
"""Height and width of the network's input are multiples of this many pixels."""
LEAST_ROUGH_SCORE = 0.05
"""Boxes of lower scores are dropped. A card half under others may score as little as 0.1."""
SAME_CARD = 0.1
"""Short sides. Two boxes whose corners are closer on average are one card."""
SAME_ACROSS_SCALES = 0.16
"""The same for boxes of different scales: every scale may find the same card."""
MAX_BOXES = 200
"""Maximum number of boxes in a photo. In a pile, most cards have several, and covered ones come
last."""
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
        """Return the boxes of a mask or of a list of indices."""
        return Boxes(self.quads[keep], self.scores[keep])


class Detector:
    """The detector: the network `locate.onnx`."""

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        """Load the network; see `Network` for the errors."""
        self._network = Network(
            path, expected="a YOLO pose network of two classes and 4 corners", threads=threads
        )

    def __call__(self, picture: Pyramid) -> Boxes:
        """Return the boxes of the cards in a picture, doubles merged.

        Run the network on the whole picture, and on a small smoothed copy that shows cards near the
        camera. Then run it on the part that has cards of about one size, scaled to the size at
        which cards are found best. If some cards are near and others far, there are two such parts.

        Raises:
            ModelError: The network's output is not that of a four-corner pose network.
        """
        smooth, shrink = _smoothed(picture)
        small = self._at_scale(smooth, SMOOTHED_PX)
        small = Boxes(small.quads / shrink, small.scores)
        scales = [self._at_scale(picture, WHOLE_PX), small]
        clear = [_clear(one) for one in scales]
        height, width = picture.bgr.shape[:2]
        if not _are_near(clear[1].quads * (SMOOTHED_PX / max(height, width))):
            scales += [self._at_scale(picture, px) for px in (FARTHER_PX, COARSER_PX)]
            clear.append(_clear(scales[2]))
        groups = _groups(*clear)
        near_share = float(areas(clear[1].quads).sum()) / (width * height)
        if not groups or (len(groups) == 1 and 0 < near_share < SPARSE):
            scales.append(self._at_scale(picture, LARGE_PX))
            groups = _groups(*clear, _clear(scales[-1]))
        faint = np.concatenate([one.quads[one.scores >= FAINT_SCORE] for one in scales])
        groups = [np.concatenate([one, faint[_are_as_large(faint, [one])]]) for one in groups]
        for group in groups:
            seen = self._at_scale(picture, *_scale_and_part(picture, group))
            scales.append(seen.take(_are_as_large(seen.quads, [group])))
        found = Boxes(
            np.concatenate([one.quads for one in scales]),
            np.concatenate([one.scores for one in scales]),
        )
        scale_of = np.repeat(np.arange(len(scales)), [len(one.scores) for one in scales])
        keep = np.argsort(-found.scores, kind="stable")
        if groups:
            keep = keep[_are_as_large(found.quads[keep], groups)]
        return suppress(found.take(keep), scale_of=scale_of[keep])

    def _at_scale(self, picture: Pixels | Pyramid, side_px: int, part: Area | None = None) -> Boxes:
        """Return the boxes found at one size of the picture, or of a part of it, in its pixels."""
        batch, scale, shift_xy = letterbox(picture, side_px, part=part)
        raw = self._network(batch)
        if raw.ndim != 3 or raw.shape[1] != 14:
            raise self._network.mismatch(f"output of shape {raw.shape}")
        found = decode_boxes(raw[0])
        return Boxes((found.quads - shift_xy) / scale, found.scores)


def _smoothed(picture: Pyramid) -> tuple[Pixels, float]:
    """Return a small smoothed copy of a picture, and its pixels in one of the picture's."""
    height, width = picture.bgr.shape[:2]
    long_px = max(height, width)
    shrink = min(1.0, SMOOTHED_FROM_PX / long_px)
    small = shrunk(picture, (max(1, round(width * shrink)), max(1, round(height * shrink))))
    blurred = cv2.GaussianBlur(small, (0, 0), SMOOTHING * max(small.shape[:2]))
    return np.asarray(blurred, np.uint8), max(small.shape[:2]) / long_px


def _clear(found: Boxes) -> Boxes:
    """Return the boxes that tell how large the cards are and where they lie."""
    return suppress(found.take(found.scores >= CLEAR_SCORE))


def _are_near(smoothed: Quad) -> bool:
    """Return whether the cards of the smoothed photo, in its pixels, are near the camera.

    >>> card = np.array([[[0, 0], [20, 0], [20, 30], [0, 30]]], np.float32)
    >>> _are_near(card[:0]), _are_near(card), _are_near(card * 2)
    (False, False, True)
    """
    return bool(len(smoothed)) and float(np.median(short_sides(smoothed))) >= NEAR_PX


def _groups(whole: Boxes, smoothed: Boxes, *larger: Boxes) -> list[Quad]:
    """Return the clear boxes of all scales in up to two groups: near cards, and other sizes.

    A box of the smoothed scale is a card. A smaller box inside it is a part of that card.
    """
    clear = np.concatenate([one.quads for one in (smoothed, whole, *larger)])
    if not len(clear):
        return []
    if not len(smoothed.scores):
        return [clear]
    near = _are_as_large(clear, [smoothed.quads])
    others = [
        quad
        for quad in clear[~near]
        if (shared_areas(quad, smoothed.quads) < INSIDE * areas(quad)).all()
    ]
    return [clear[near], *([np.stack(others)] if others else [])]


def _are_as_large(quads: Quad, groups: Sequence[Quad]) -> npt.NDArray[np.bool_]:
    """Return which boxes are about as large as the usual one of some group."""
    sides = short_sides(quads)[:, None] / [float(np.median(short_sides(one))) for one in groups]
    return np.asarray(((sides <= SAME_SIZE) & (sides >= 1 / SAME_SIZE)).any(axis=1))


def _scale_and_part(picture: Pyramid, cards: Quad) -> tuple[int, Area]:
    """The scale at which some cards are found best, as the picture's long side, and their part."""
    height, width = picture.bgr.shape[:2]
    card_px = float(np.median(short_sides(cards)))
    low = np.maximum(cards.min(axis=(0, 1)) - AROUND * card_px, 0)
    high = np.minimum(cards.max(axis=(0, 1)) + AROUND * card_px, [width, height])
    scale = min(CARD_PX / card_px, MOST_PX / float((high - low).max()))
    part = (*low.tolist(), *high.tolist())
    return max(STRIDE, round(scale * max(height, width))), part


def letterbox(
    picture: Pixels | Pyramid, side_px: int, *, part: Area | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """A picture scaled and padded to the size of the network's input, and the transform used.

    Args:
        picture: The picture.
        side_px: The long side of the whole picture, scaled.
        part: The area of the picture to show, in its pixels; by default all of it.

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
    """Return the boxes in the raw output of a pose network.

    Args:
        raw: 14 rows x anchors: box (4), the scores of a card and of an index corner, then (x, y) of
            the card's four corners.

    >>> decode_boxes(np.zeros((14, 4), np.float32)).quads.shape
    (0, 4, 2)
    """
    scores = raw[SCORES].max(axis=0)
    seen = np.flatnonzero(scores >= LEAST_ROUGH_SCORE)
    best = seen[np.argsort(-scores[seen], kind="stable")][: MAX_BOXES * 20]
    quads = np.ascontiguousarray(raw[_CORNERS, best].T.reshape(-1, 4, 2))
    found = Boxes(quads, scores[best])
    return found.take(is_cardlike(found.quads))


def suppress(found: Boxes, *, scale_of: npt.NDArray[np.intp] | None = None) -> Boxes:
    """Non-maximum suppression: of the boxes of one card only the best stays.

    Its corners become the average over the boxes of that card. Boxes whose corners are close
    belong to one card; a scale that has none so close may add its nearest box. Overlap is no
    criterion: in a fan, a card that is four fifths covered overlaps its neighbour as much as a
    second box of the same card would, but its corners are elsewhere.

    Args:
        found: Boxes, best first.
        scale_of: The scale at which each box was found; by default all have the same.

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
        if left[first] and len(firsts) < MAX_BOXES:
            # Middles are no farther apart than corners are on average: most boxes are ruled out.
            within = reach + reach[first]
            near = np.flatnonzero(
                left & (abs(x - x[first]) < within) & (abs(y - y[first]) < within)
            )
            firsts.append(first)
            if len(near) == 1:  # itself
                quads.append(found.quads[first])
                continue
            far = corner_distances(found.quads[first], found.quads[near])
            same = near[_are_one_card(far, scale_of[near])]
            left[same] = left[first] = False
            quads.append(_average(found.quads[first], found.take(same)))
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
