"""How a photo is lit and focused: stripes, a colour cast, blur.

In bad light, and out of focus, cards are not found at all, so no doubtful card tells of it. These
faults are measured on the whole photo instead. Pictures are `small_picture`s here, and the corners
of cards are given in their pixels.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import FloatArray, Quad, areas, bounds, short_sides
from vision.photo import Pixels, shrunk

PICTURE_PX = 640
"""Long side of the picture on which light is measured."""
STRIPE_STEP = 0.02
"""Root mean square step of the logarithm of brightness from one row to the next. Stripes of a
flickering lamp, of which the dark ones have 0.7 of the light, reach 0.03."""
STRIPE_AGREEMENT = 0.7
"""Correlation of these steps between both halves of a photo, and between its cards and the table:
light falls on all of them, the pattern of a tablecloth on the table alone."""
STRIPE_PERIOD = 0.6
"""Autocorrelation of these steps after one period: stripes repeat, a shadow's edge does not."""
MOST_CAST = 1.3
"""Logarithm of the ratio of the strongest to the weakest colour of card paper. A warm lamp reaches
0.8; cards are lost from 1.6."""
BLURRED_EDGE = 0.1
"""A place is blurred if brightness nowhere changes from one pixel to the next by more than this
share of its range there."""
EDGE_RANGE, EDGE_COLOURS = 50.0, 0.25
"""Blur is measured only where brightness (0 to 255) and the logarithm of a ratio of colours have at
least these ranges, since the light of a lamp on a table of one colour has no sharp edges."""
EDGE_PAPER = (0.08, 0.95)
"""Blur is measured only where the share of the colour of the cards' paper is between these."""
SAME_PAPER = 0.15
"""Two colours are the same paper if the logarithms of their ratios differ by at most this."""
DARKEST_PAPER = 0.5
"""Paper has at least this share of the brightness of the paper of the cards found."""
BLURRED_AREA = 0.6
"""Card areas. Smaller blurred places hide no card."""

_LEAST_ROWS, _LEAST_PIXELS = 40, 24
"""Profiles are compared over at least so many rows, each with at least so many pixels."""
_LEAST_HEIGHT = 200
"""With fewer rows, no stripes are looked for: the picture may be one card, whose signs repeat."""
_DARK = 10.0
"""Added to brightness before its logarithm is taken, so that the noise of dark places is small."""


def small_picture(image_bgr: Pixels, most_px: int = PICTURE_PX) -> Pixels:
    """Return a picture with its long side shrunk to at most `most_px`.

    >>> small_picture(np.zeros((1200, 1600, 3), np.uint8)).shape
    (480, 640, 3)
    """
    height, width = image_bgr.shape[:2]
    shrink = min(1.0, most_px / max(height, width))
    size_wh = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    return shrunk(image_bgr, size_wh) if shrink < 1 else image_bgr


def sharpness(gray: npt.NDArray[np.uint8]) -> float:
    """Mean absolute Laplacian of a picture over ten times its standard deviation.

    It falls with blur and stays the same with exposure and contrast: 0 for a flat picture.

    >>> sharpness(np.full((8, 8), 90, np.uint8))
    0.0
    """
    spread = float(gray.std())
    if spread < 2.0:
        return 0.0
    return float(np.abs(cv2.Laplacian(gray, cv2.CV_32F)).mean()) / spread / 10.0


def is_striped(picture: Pixels, quads: Quad) -> bool:
    """Return whether dark stripes cross a photo along its rows or columns, as of a flickering lamp.

    A camera reads one row of its sensor after the other, while the lamp flickers.

    >>> is_striped(np.full((90, 60, 3), 99, np.uint8), np.zeros((0, 4, 2), np.float32))
    False
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    logarithm = np.log(gray.astype(np.float32) + _DARK)
    cards = _mask(quads, gray.shape)
    size = max(3, PICTURE_PX // 100)
    inside = cv2.erode(cards, np.ones((size, size), np.uint8)) > 0
    outside = cv2.dilate(cards, np.ones((size, size), np.uint8)) == 0
    return _has_stripes(logarithm, inside, outside) or _has_stripes(
        logarithm.T, inside.T, outside.T
    )


def _has_stripes(
    logarithm: npt.NDArray[np.float32], cards: npt.NDArray[np.bool_], table: npt.NDArray[np.bool_]
) -> bool:
    """Whether the logarithm of brightness rises and falls in all parts of a picture, by rows."""
    if len(logarithm) < _LEAST_HEIGHT:
        return False
    steps = np.diff(cv2.blur(logarithm, (1, 3)), axis=0)
    everywhere = np.ones_like(steps, np.bool_)
    left = everywhere.copy()
    left[:, left.shape[1] // 2 :] = False
    whole = _profile(steps, everywhere)
    if np.sqrt(np.mean(whole**2)) < STRIPE_STEP or _period(whole) < STRIPE_PERIOD:
        return False
    pairs = ((left, ~left), (cards[1:] & cards[:-1], table[1:] & table[:-1]))
    return all(_agreement(*(_profile(steps, part) for part in pair)) for pair in pairs)


def _profile(steps: npt.NDArray[np.float32], part: npt.NDArray[np.bool_]) -> FloatArray:
    """The median of each row over a part of a picture; NaN where too little of it is in the row."""
    profile = np.full(len(steps), np.nan)
    enough = part.sum(axis=1) >= _LEAST_PIXELS
    if enough.any():
        profile[enough] = np.nanmedian(np.where(part, steps, np.nan)[enough], axis=1)
    return profile


def _agreement(one: FloatArray, other: FloatArray) -> bool:
    """Return whether two profiles agree, or have too few rows in common to tell."""
    both = ~np.isnan(one) & ~np.isnan(other)
    a, b = one[both], other[both]
    return len(a) < _LEAST_ROWS or float(a @ b) >= STRIPE_AGREEMENT * float(
        np.linalg.norm(a) * np.linalg.norm(b)
    )


def _period(profile: FloatArray) -> float:
    """Highest autocorrelation of a profile after the first negative; 1 if it repeats exactly."""
    centred = profile - profile.mean()
    correlation = np.correlate(centred, centred, "full")[len(centred) - 1 :]
    negative = np.flatnonzero(correlation < 0)
    later = correlation[negative[0] : len(centred) // 3] if len(negative) else negative
    return float(later.max() / correlation[0]) if len(later) else 0.0


def colour_cast(picture: Pixels, quads: Quad) -> float:
    """Logarithm of the ratio of the strongest to the weakest colour of the cards' paper; 0 is gray.

    >>> card = np.array([[[9, 9], [29, 9], [29, 39], [9, 39]]], np.float32)
    >>> colour_cast(np.full((50, 40, 3), 200, np.uint8), card)
    0.0
    """
    if not len(quads):
        return 0.0
    paper = _paper(picture, quads)
    return float(np.log(paper.max() / paper.min()))


def blurred_part(picture: Pixels, quads: Quad) -> Quad:
    """Return the box (1 x 4 x 2) around blurred places that may hide cards, or none (0 x 4 x 2).

    >>> blurred_part(np.zeros((9, 9, 3), np.uint8), np.zeros((0, 4, 2), np.float32)).shape
    (0, 4, 2)
    """
    none = np.zeros((0, 4, 2), np.float32)
    if not len(quads):
        return none
    side, card = float(np.median(short_sides(quads))), float(np.median(areas(quads)))
    size = max(15, int(side)) | 1
    near = np.ones((size, size), np.uint8)

    def spread(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return np.asarray(cv2.dilate(values, near) - cv2.erode(values, near), np.float32)

    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    across, down = (cv2.Sobel(gray, cv2.CV_32F, *axis) / 8 for axis in ((1, 0), (0, 1)))
    smooth = cv2.GaussianBlur(picture, (0, 0), 2).astype(np.float32) + _DARK
    bright = smooth.mean(axis=2)
    ratios = [np.log(smooth[..., at] / smooth[..., 1]) for at in (0, 2)]
    paper = _paper(picture, quads)
    is_paper = bright - _DARK > DARKEST_PAPER * (paper.mean() - _DARK)
    for ratio, at in zip(ratios, (0, 2), strict=True):
        is_paper &= np.abs(ratio - np.log(paper[at] / paper[1])) < SAME_PAPER
    share = cv2.blur(is_paper.astype(np.float32), (size, size))
    brightness = spread(bright)
    blurred = cv2.dilate(np.hypot(across, down), near) < BLURRED_EDGE * brightness
    blurred &= brightness >= EDGE_RANGE
    blurred &= np.maximum(*map(spread, ratios)) >= EDGE_COLOURS
    blurred &= (share >= EDGE_PAPER[0]) & (share < EDGE_PAPER[1])
    blurred &= cv2.dilate(_mask(quads, gray.shape), near[::2, ::2]) == 0
    beside = card / side  # a card's height
    left, top = (max(0, int(low - beside)) for low in bounds(quads)[:2])
    right, bottom = (int(high + beside) + 1 for high in bounds(quads)[2:])
    rows, columns = np.nonzero(blurred[top:bottom, left:right])
    if len(rows) < BLURRED_AREA * card:
        return none
    x0, y0 = left + columns.min(), top + rows.min()
    x1, y1 = left + columns.max() + 1, top + rows.max() + 1
    return np.array([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]], np.float32)


def _paper(picture: Pixels, quads: Quad) -> FloatArray:
    """Blue, green and red of the paper of cards, each plus `_DARK`: the median of their medians."""
    found = []
    for quad in quads:
        pixels = picture[_mask(quad[None], picture.shape[:2]) > 0].astype(np.float64)
        if len(pixels):
            bright = pixels.max(axis=1)
            found.append(np.median(pixels[bright >= np.percentile(bright, 60)], axis=0))
    return np.median(found, axis=0) + _DARK if found else np.full(3, _DARK)


def _mask(quads: Quad, size_hw: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """1 inside of any of the quads, 0 elsewhere."""
    mask = np.zeros(size_hw, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), (1,))
    return mask
