"""What is drawn on a card, by local features: a visible part of a drawing tells the whole card.

Keypoints are found by SIFT (Lowe 2004) and described by the square root of its descriptors, which
compares better (Arandjelovic and Zisserman 2012). Both cards were straightened, so the homography
between them is known but for two things: which end is up, and how far the corners of the one in the
photo are off. Matches count that agree on one shift, with either end up.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks.engine import Tensor
from vision.photo import Pixels

ENLARGED_PX = 192
"""A straightened card is enlarged to this before keypoints are looked for: more are found."""
MOST_KEYPOINTS = 200
"""Of a card."""
LEAST_CONTRAST = 0.02
"""SIFT's own threshold; half of its usual value, since worn cards in the shade are pale."""
RATIO = 0.85
"""A match is unambiguous if it is this much nearer than the next best on the same card."""
FARTHEST = 0.6
"""Distance of two descriptors of length 1 that may still be of one detail."""
FEWEST_MATCHES = 3
"""Fewer matches than this agree by chance."""
MOST_SHIFT = 0.16
"""Share of the card's sides by which its corners may be off."""
SAME_SHIFT = 0.06
"""Matches agree whose shifts are as near to the usual one."""


@dataclass(frozen=True, eq=False)
class Keypoints:
    """Details of a card."""

    places: Tensor
    """N x 2: x and y as shares of the card's width and height."""
    descriptors: Tensor
    """N x 128, of length 1."""


def keypoints_of(card: Pixels) -> Keypoints:
    """The keypoints of a straightened card (BGR).

    >>> len(keypoints_of(np.zeros((128, 128, 3), np.uint8)).places)
    0
    """
    enlarged = cv2.resize(card, (ENLARGED_PX, ENLARGED_PX), interpolation=cv2.INTER_CUBIC)
    sift = cv2.SIFT.create(nfeatures=MOST_KEYPOINTS, contrastThreshold=LEAST_CONTRAST)
    found, raw = sift.detectAndCompute(cv2.cvtColor(enlarged, cv2.COLOR_BGR2GRAY), None)
    if raw is None:
        return Keypoints(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    shares = raw / np.maximum(raw.sum(axis=1, keepdims=True), 1e-6)
    places = np.array([one.pt for one in found]) / ENLARGED_PX
    return Keypoints(np.asarray(places, np.float32), np.asarray(np.sqrt(shares), np.float32))


def agreeing(seen: Keypoints, taught: Keypoints) -> int:
    """How many details of a card in a photo lie where a taught card has them.

    Args:
        seen: Of the card in the photo.
        taught: Of the card that was taught.
    """
    if len(seen.places) < FEWEST_MATCHES or len(taught.places) < FEWEST_MATCHES:
        return 0
    alike = seen.descriptors @ taught.descriptors.T
    best = alike.argmax(axis=1)
    rows = np.arange(len(best))
    first = _distances(alike[rows, best])
    alike[rows, best] = -1.0
    clear = (first < RATIO * _distances(alike.max(axis=1))) & (first < FARTHEST)
    here, there = seen.places[clear], taught.places[best[clear]]
    return max(_of_one_shift(here - there), _of_one_shift(here - (1 - there)))


def _of_one_shift(shifts: Tensor) -> int:
    """How many of some shifts (N x 2) are about the usual one among those that are possible."""
    possible = shifts[np.abs(shifts).max(axis=1, initial=0.0) < MOST_SHIFT]
    if len(possible) < FEWEST_MATCHES:
        return 0
    away = np.linalg.norm(possible - np.median(possible, axis=0), axis=1)
    return int((away < SAME_SHIFT).sum())


def _distances(cosines: Tensor) -> npt.NDArray[np.float32]:
    return np.asarray(np.sqrt(np.maximum(2 - 2 * cosines, 0)), np.float32)
