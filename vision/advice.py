"""What is wrong with a photo and what to do about it, said only when it matters.

A fault of the picture is worth a word when cards are in doubt because of it or when no card was
found; a dark photo in which every card is sure is a good photo.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.quads import Quad, bounds, covered_share, short_sides
from vision.photo import Pixels, shrunk
from vision.reading import Area, Problem

DARK = 60
"""A card whose bright parts (its paper) are darker than this, of 255, is too dark."""
SMALL_PX = 45
"""A card whose short side has fewer photo pixels than this is too small."""
SOFT = 0.022
"""A card whose sharpness is below this is blurred."""
WASHED = 0.08
"""A card is washed out when this share of it is pure white without any drawing: well-lit paper is
never quite white, and where it is the edges between cards are gone."""
CUT = 0.06
"""A card is cut off when it reaches this far over the photo's edge, in short sides."""
COVERED = 0.6
"""A card lies too far under others when this share of it is covered."""

_LOOK_PX = 1280
_CARD_PX = 96


@dataclass(frozen=True, eq=False)
class Look:
    """A photo with its cards, as far as advice needs them; all in photo pixels."""

    image_bgr: Pixels
    """The photo, at any scale."""
    size_wh: tuple[int, int]
    """The photo's width and height."""
    quads: Quad
    """N x 4 x 2 corners of all cards."""
    doubtful: npt.NDArray[np.bool_]
    """Which of them are in doubt."""


def advise(look: Look) -> tuple[Problem, ...]:
    """All that should be done better, each with its place.

    >>> nothing = np.zeros((0, 4, 2), np.float32), np.zeros(0, np.bool_)
    >>> look = Look(np.full((60, 80, 3), 90, np.uint8), (80, 60), *nothing)
    >>> [problem.kind for problem in advise(look)]
    ['nothing-found']
    """
    if not len(look.quads):
        return _nothing_found(look)
    if not look.doubtful.any():
        return ()
    gray = _small_gray(look)
    scale = gray.shape[1] / look.size_wh[0]
    causes = [_cause(gray, quad, look=look, scale=scale) for quad in look.quads]
    cards = list(zip(look.quads, causes, look.doubtful.tolist(), strict=True))
    problems = []
    for kind, sentence in FAULTS.items():
        if any(doubt and cause == kind for _, cause, doubt in cards):
            at_fault = [
                quad
                for quad, cause, doubt in cards
                if cause == kind and (doubt or kind in _OF_THE_PICTURE)
            ]
            area = bounds(np.stack(at_fault))
            place = place_of(area, look.size_wh)
            problems.append(Problem(kind, sentence.format(place=place), area))
    return tuple(problems)


def place_of(area: Area, size_wh: tuple[int, int]) -> str:
    """Where a box lies in a photo, in words.

    >>> place_of((70, 5, 90, 20), (100, 100)), place_of((40, 40, 60, 60), (100, 100))
    ('at the top right', 'in the middle')
    """
    x, y = (area[0] + area[2]) / 2 / size_wh[0], (area[1] + area[3]) / 2 / size_wh[1]
    words = [_third(y, names=("top", "bottom")), _third(x, names=("left", "right"))]
    said = " ".join(word for word in words if word)
    return f"at the {said}" if said else "in the middle"


def sharpness(gray: npt.NDArray[np.uint8]) -> float:
    """How quickly brightness changes within a picture, against how much it changes at all.

    Blind to exposure and contrast: 0 for a flat picture.

    >>> sharpness(np.full((8, 8), 90, np.uint8))
    0.0
    """
    spread = float(gray.std())
    if spread < 2.0:
        return 0.0
    return float(np.abs(cv2.Laplacian(gray, cv2.CV_32F)).mean()) / spread / 10.0


def _nothing_found(look: Look) -> tuple[Problem, ...]:
    gray = _small_gray(look)
    if float(np.percentile(gray, 95)) < DARK:
        return (Problem("dark", "No card can be seen, it is too dark: take it in more light."),)
    return (
        Problem(
            "nothing-found",
            "No card was found: hold the phone above the pile so that the cards fill the picture.",
        ),
    )


FAULTS = {
    "cut-off": "A card {place} is cut off by the edge: step back until all cards are in view.",
    "dark": "It is too dark {place}: take it in more light.",
    "washed-out": "It is washed out {place}: tilt the phone or shade the cards from the glare.",
    "small": "The cards {place} are too small to read: go closer.",
    "blurred": "It is blurred {place}: hold the phone still, let it focus, and take it again.",
    "covered": "Cards {place} lie too far under each other: push them apart.",
}
"""What to do about each kind of fault, in the order in which causes are looked for."""
_OF_THE_PICTURE = frozenset({"dark", "washed-out", "blurred"})
"""Faults that hide cards nobody found, too: all cards that show one are marked, doubtful or not."""


def _cause(gray: npt.NDArray[np.uint8], quad: Quad, *, look: Look, scale: float) -> str | None:
    """The first fault that explains why one card is in doubt."""
    card = _card_gray(gray, quad * scale)
    checks: dict[str, Callable[[], bool]] = {
        "cut-off": lambda: _over_edge(quad, look.size_wh) > CUT,
        "dark": lambda: float(np.percentile(card, 90)) < DARK,
        "washed-out": lambda: _washed(card) > WASHED,
        "small": lambda: float(short_sides(quad)) < SMALL_PX,
        "blurred": lambda: sharpness(card) < SOFT,
        "covered": lambda: covered_share(quad, _others(look.quads, quad)) > COVERED,
    }
    return next((kind for kind in FAULTS if checks[kind]()), None)


def _small_gray(look: Look) -> npt.NDArray[np.uint8]:
    height, width = look.image_bgr.shape[:2]
    shrink = min(1.0, _LOOK_PX / max(height, width))
    gray = np.asarray(cv2.cvtColor(look.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    return shrunk(gray, size) if shrink < 1 else gray


def _card_gray(gray: npt.NDArray[np.uint8], quad: Quad) -> npt.NDArray[np.uint8]:
    """A card upright, a little within its edges, so that the table does not count."""
    size = _CARD_PX
    target = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    inner = quad + (quad.mean(axis=0) - quad) * 0.06
    matrix = cv2.getPerspectiveTransform(inner.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(gray, matrix, (size, size)), np.uint8)


def _washed(card: npt.NDArray[np.uint8]) -> float:
    """Share of a card that is as white as can be, around which nothing is drawn."""
    white = (card >= 252).astype(np.uint8)
    return float(cv2.erode(white, np.ones((5, 5), np.uint8)).mean())


def _over_edge(quad: Quad, size_wh: tuple[int, int]) -> float:
    """How far a card reaches over the photo's edge, in its short sides."""
    over = np.maximum(-quad, quad - np.array(size_wh, np.float32)).max()
    return float(over / max(float(short_sides(quad)), 1e-6))


def _others(quads: Quad, quad: Quad) -> Quad:
    return quads[[not np.array_equal(other, quad) for other in quads]]


def _third(share: float, *, names: Sequence[str]) -> str:
    if share < 0.36:
        return names[0]
    return names[1] if share > 0.64 else ""
