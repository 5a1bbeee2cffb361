"""Find out why cards of a photo are in doubt or may be hidden.

A fault of the photo is reported only if a card is in doubt because of it, if no card was found at
all, or if glare, blur or coloured light may hide one. A dark photo in which every card is sure is a
good photo.
"""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Quad, areas, bounds, covered_share, short_sides
from vision.light import MOST_CAST, blurred_part, colour_cast, sharpness, small_picture
from vision.photo import Pixels
from vision.reading import Area, PhotoProblemKind, Problem, Region

FAULTS = (
    PhotoProblemKind.CUT_OFF,
    PhotoProblemKind.DARK,
    PhotoProblemKind.WASHED_OUT,
    PhotoProblemKind.SMALL,
    PhotoProblemKind.BLURRED,
    PhotoProblemKind.COVERED,
)
"""Faults that can cause doubt. The first that applies to a card counts as the cause of its
doubt."""
_ALSO_ON_SURE_CARDS = frozenset(
    {PhotoProblemKind.DARK, PhotoProblemKind.WASHED_OUT, PhotoProblemKind.BLURRED}
)
"""Faults that may also hide cards. If a doubtful card has one, the reported area includes the sure
cards that have it."""

DARK_LEVEL = 60
"""Brightness, 0 to 255. A card (or a photo without cards) is too dark if its bright parts are
darker. The bright parts of a card are its paper."""
SMALL_PX = 45
"""Photo pixels. A card with a shorter short side is too small to read."""
LEAST_SHARPNESS = 0.022
"""A card whose `sharpness` is below this is blurred."""
LEAST_PHOTO_SHARPNESS = 0.015
"""A photo in which no card was found is blurred if its `sharpness` is below this."""
LEAST_CONTRAST = 10.0
"""Brightness, 0 to 255. A photo with a smaller standard deviation is an empty table."""
WHITE_LEVEL = 252
"""Minimum brightness of pure white, 0 to 255."""
MOST_WHITE = 0.08
"""A card is washed out if a larger share of it is pure white without any drawing. Paper in good
light is not quite white; in glare the edges between cards vanish."""
LEAST_GLARE, MOST_GLARE = 0.3, 4.0
"""Card areas. A spot of pure white between the cards may hide a card if its area is between these.
A larger spot, or one at the photo's edge, is a window or a white table."""
BESIDE = 0.5
"""Card heights. A spot farther away from the pile hides no card."""
MOST_OVER_EDGE = 0.06
"""Short sides of the card. A card that extends farther over the photo's edge is cut off."""
MOST_COVERED = 0.6
"""A card that shares more of its area with others is covered too far."""
MIDDLE_THIRD = (0.36, 0.64)
"""Middle of the photo, as shares of its width and height."""

_PICTURE_PX = 1280
"""Long side of the picture on which brightness and sharpness of cards are measured."""
_BLUR_PX = 320
"""Long side of the picture on which the sharpness of a whole photo is measured. In a picture this
small, the camera's noise is averaged out."""
_CARD_PX = 96
"""Side of a card straightened for these measurements, in pixels."""
_INSET = 0.06
"""Margin cut off each side of such a card, as a share, so that the table does not count."""


def advise(
    image_bgr: Pixels,
    size_wh: tuple[int, int],
    *,
    quads: Quad,
    doubtful: npt.NDArray[np.bool_],
) -> tuple[Problem, ...]:
    """Find the faults of a photo, each with the area of its cards.

    Args:
        image_bgr: The photo at any scale.
        size_wh: Width and height of the photo.
        quads: N x 4 x 2 corners of its cards in photo pixels.
        doubtful: N: whether each card is doubtful.

    >>> none = np.zeros((0, 4, 2), np.float32)
    >>> gray = np.full((60, 80, 3), 90, np.uint8)
    >>> advise(gray, (80, 60), quads=none, doubtful=np.zeros(0, np.bool_))[0].kind
    <PhotoProblemKind.NOTHING_FOUND: 'nothing-found'>
    """
    if not len(quads):
        return (Problem(_why_nothing_found(image_bgr)),)
    gray = _gray(image_bgr, _PICTURE_PX)
    scale = gray.shape[1] / size_wh[0]
    causes = [
        _cause(gray, quad, size_wh=size_wh, quads=quads) if doubtful.any() else None
        for quad in quads
    ]
    small = small_picture(image_bgr)
    small_scale = small.shape[1] / size_wh[0]
    is_tinted = colour_cast(small, quads * small_scale) >= MOST_CAST
    problems = [Problem(PhotoProblemKind.TINTED)] if is_tinted else []
    for kind in FAULTS:
        has_it = np.array([cause is kind for cause in causes])
        shown = has_it if kind in _ALSO_ON_SURE_CARDS else has_it & doubtful
        places = quads[shown & (has_it & doubtful).any()]
        if kind is PhotoProblemKind.WASHED_OUT:
            places = np.concatenate([places, _glare(gray, quads * scale) / scale])
        if kind is PhotoProblemKind.BLURRED:
            hidden = blurred_part(small, quads * small_scale) / small_scale
            places = np.concatenate([places, hidden])
        if len(places):
            area = bounds(places)
            problems.append(Problem(kind, area, region_of(area, size_wh)))
    return tuple(problems)


def region_of(area: Area, size_wh: tuple[int, int]) -> Region:
    """Return the region of a photo that contains the centre of a box.

    >>> region_of((70, 5, 90, 20), (100, 100)), region_of((40, 40, 60, 60), (100, 100))
    (<Region.TOP_RIGHT: 'top-right'>, <Region.MIDDLE: 'middle'>)
    """
    column = _third((area[0] + area[2]) / 2 / size_wh[0])
    row = _third((area[1] + area[3]) / 2 / size_wh[1])
    return tuple(Region)[3 * row + column]


def card_sharpness(image_bgr: Pixels, size_wh: tuple[int, int], quads: Quad) -> list[float]:
    """Return the `sharpness` of each card of a photo, with the arguments of `advise`.

    >>> card_sharpness(np.zeros((6, 8, 3), np.uint8), (8, 6), np.zeros((0, 4, 2), np.float32))
    []
    """
    gray = _gray(image_bgr, _PICTURE_PX)
    scale = gray.shape[1] / size_wh[0]
    return [sharpness(_card_gray(gray, quad * scale)) for quad in quads]


def _gray(image_bgr: Pixels, most_px: int) -> npt.NDArray[np.uint8]:
    gray = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    return small_picture(gray, most_px)


def _third(share: float) -> int:
    """0, 1 or 2 for the first, middle or last part of a side."""
    low, high = MIDDLE_THIRD
    return (share >= low) + (share > high)


def _why_nothing_found(image_bgr: Pixels) -> PhotoProblemKind:
    gray = _gray(image_bgr, _BLUR_PX)
    if float(np.percentile(gray, 95)) < DARK_LEVEL:
        return PhotoProblemKind.DARK
    has_contrast = float(gray.std()) >= LEAST_CONTRAST
    is_blurred = has_contrast and sharpness(gray) < LEAST_PHOTO_SHARPNESS
    return PhotoProblemKind.BLURRED if is_blurred else PhotoProblemKind.NOTHING_FOUND


def _cause(
    gray: npt.NDArray[np.uint8], quad: Quad, *, size_wh: tuple[int, int], quads: Quad
) -> PhotoProblemKind | None:
    """Return the first fault that explains a doubtful card."""
    card = _card_gray(gray, quad * (gray.shape[1] / size_wh[0]))
    others = quads[(quads != quad).any(axis=(1, 2))]
    checks: dict[PhotoProblemKind, Callable[[], bool]] = {
        PhotoProblemKind.CUT_OFF: lambda: _over_edge(quad, size_wh) > MOST_OVER_EDGE,
        PhotoProblemKind.DARK: lambda: float(np.percentile(card, 90)) < DARK_LEVEL,
        PhotoProblemKind.WASHED_OUT: lambda: _white_share(card) > MOST_WHITE,
        PhotoProblemKind.SMALL: lambda: float(short_sides(quad)) < SMALL_PX,
        PhotoProblemKind.BLURRED: lambda: sharpness(card) < LEAST_SHARPNESS,
        PhotoProblemKind.COVERED: lambda: covered_share(quad, others) > MOST_COVERED,
    }
    return next((kind for kind in FAULTS if checks[kind]()), None)


def _glare(gray: npt.NDArray[np.uint8], quads: Quad) -> Quad:
    """Boxes, N x 4 x 2, of white spots between cards that may hide another card."""
    white = cv2.erode((gray >= WHITE_LEVEL).astype(np.uint8), np.ones((5, 5), np.uint8))
    for quad in quads:
        cv2.fillConvexPoly(white, np.round(quad).astype(np.int32), (0,))
    card_px = float(np.median(areas(quads)))
    beside = BESIDE * card_px / float(np.median(short_sides(quads)))
    left, top, right, bottom = bounds(quads)
    _, _, boxes, middles = cv2.connectedComponentsWithStats(white)
    spots = [
        [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]]
        for (x, y, wide, high, size), (at_x, at_y) in zip(boxes[1:], middles[1:], strict=True)
        if LEAST_GLARE < size / card_px < MOST_GLARE
        and 0 < x < gray.shape[1] - wide
        and 0 < y < gray.shape[0] - high
        and left - beside < at_x < right + beside
        and top - beside < at_y < bottom + beside
    ]
    return np.array(spots, np.float32).reshape(-1, 4, 2)


def _card_gray(gray: npt.NDArray[np.uint8], quad: Quad) -> npt.NDArray[np.uint8]:
    """Return a card straightened to a square, without its margin."""
    size = _CARD_PX
    target = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    inner = quad + (quad.mean(axis=0) - quad) * _INSET
    matrix = cv2.getPerspectiveTransform(inner.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(gray, matrix, (size, size)), np.uint8)


def _white_share(card: npt.NDArray[np.uint8]) -> float:
    """Share of a card's pixels that are pure white with only pure white within two pixels."""
    white = (card >= WHITE_LEVEL).astype(np.uint8)
    return float(cv2.erode(white, np.ones((5, 5), np.uint8)).mean())


def _over_edge(quad: Quad, size_wh: tuple[int, int]) -> float:
    """Return how far a card extends over the photo's edge, in its short sides."""
    over = np.maximum(-quad, quad - np.array(size_wh, np.float32)).max()
    return float(over / max(float(short_sides(quad)), 1e-6))
