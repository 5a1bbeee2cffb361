"""Crops with another maker's mark: the four of coins bears arms, a ship or a name in its middle.

In some packs the mark is as large as a coin, and a four that looks like no known one is read as
a five. What stands for the mark is part of another card's figure, or arms drawn here.
"""

import cv2
import numpy as np

from training.paint import Image, Rng

MARKED = "4d"
"""The card with the maker's mark."""
FIGURES = tuple(f"{rank}{suit}" for rank in (8, 9, 10) for suit in "csb")
"""Cards with a figure and no coin."""
ARMS = 0.5
"""Share of marks that are arms."""
_TALL, _WIDE = 96, 64
"""Pixels of arms as they are drawn."""
MIDDLE = 0.5
"""Where the mark sits, as a share of the card's height and width."""


def marked(rng: Rng, crop: Image, figure: Image) -> Image:
    """A four of coins with arms or part of another card's figure in its middle, in any size."""
    side = len(crop)
    height, width = round(side * rng.uniform(0.16, 0.44)), round(side * rng.uniform(0.3, 0.7))
    y, x = round(MIDDLE * side - height / 2), round(MIDDLE * side - width / 2)
    inked = arms(rng) if rng.random() < ARMS else _figure(rng, figure)
    mark = cv2.resize(inked, (width, height), interpolation=cv2.INTER_AREA)
    result = crop.copy()
    there = result[y : y + height, x : x + width]
    outline = _outline(rng, height, width)[..., None]
    paper = np.percentile(there.reshape(-1, 3), 80, axis=0)
    ground = paper if rng.random() < 0.5 else there
    there[:] = there * (1 - outline) + ground * mark * outline
    return result


def _figure(rng: Rng, crop: Image) -> np.ndarray:
    """A part of a figure as ink on paper: 0 to 1 of the paper's colour is left."""
    side = len(crop)
    taken = round(side * rng.uniform(0.3, 0.6))
    top, left = (int(rng.integers(round(0.12 * side), round(0.88 * side) - taken)) for _ in "yx")
    patch = crop[top : top + taken, left : left + taken].astype(np.float32)
    return np.asarray(
        np.minimum(1, patch / np.percentile(patch.reshape(-1, 3), 80, axis=0).clip(60))
    )


def arms(rng: Rng) -> np.ndarray:
    """A shield with a charge, mostly below a crown and above a scroll, as ink on paper: 0 to 1."""
    picture = np.ones((_TALL, _WIDE, 3), np.float32)
    field, charge, metal, scroll = (tuple(rng.uniform(0, 1, 3).tolist()) for _ in range(4))
    if rng.random() < 0.7:
        points = [(14, 26), (8, 8), (22, 18), (32, 4), (42, 18), (56, 8), (50, 26)]
        cv2.fillPoly(picture, [np.array(points, np.int32)], metal)
    if rng.random() < 0.7:
        cv2.ellipse(picture, (32, 66), (28, 22), 0, 20, 160, scroll, int(rng.integers(4, 11)))
    shield = np.array([(14, 30), (50, 30), (50, 56), (32, 76), (14, 56)], np.int32)
    inside = np.zeros((_TALL, _WIDE), np.uint8)
    cv2.fillPoly(inside, [shield], (1,))
    painted = np.full_like(picture, field)
    broad = int(rng.integers(5, 13))
    kind = str(rng.choice(["cross", "bend", "chevron", "roundel"]))
    lines = {
        "cross": [(32, 28, 32, 78), (12, 46, 52, 46)],
        "bend": [(12, 30, 52, 70)],
        "chevron": [(12, 66, 32, 44), (32, 44, 52, 66)],
        "roundel": [(32, 48, 32, 50)],
    }[kind]
    for x, y, to_x, to_y in lines:
        cv2.line(painted, (x, y), (to_x, to_y), charge, broad)
    picture[inside > 0] = painted[inside > 0]
    cv2.polylines(picture, [shield], isClosed=True, color=metal, thickness=2)
    return picture


def _outline(rng: Rng, height: int, width: int) -> np.ndarray:
    """How much of a mark shows: an oval, a shield or all of the patch; (height, width) 0 to 1."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    power = rng.choice([2.0, 4.0, 20.0])
    inside = (np.abs(y) ** power + np.abs(x) ** power < 1).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(inside, (0, 0), 1.0), np.float32)
