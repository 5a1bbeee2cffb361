"""Crops with another maker's mark: the four of coins bears arms, a ship or a name in its middle.

In some packs the mark is as large as a coin, and a four that looks like no known one is read as
a five. What stands for the mark is part of another card's figure.
"""

import cv2
import numpy as np

from vision.training.decks import Image
from vision.training.layouts import Rng

MARKED = "4d"
"""The card with the maker's mark."""
FIGURES = tuple(f"{rank}{suit}" for rank in (8, 9, 10) for suit in "csb")
"""Cards with a figure and no coin."""
MIDDLE = 0.5
"""Where the mark sits, as a share of the card's height and width."""


def marked(rng: Rng, crop: Image, figure: Image) -> Image:
    """A four of coins with part of another card's figure in its middle, in any size."""
    side = len(crop)
    height, width = round(side * rng.uniform(0.16, 0.44)), round(side * rng.uniform(0.3, 0.7))
    y, x = round(MIDDLE * side - height / 2), round(MIDDLE * side - width / 2)
    taken = round(side * rng.uniform(0.3, 0.6))
    top, left = (int(rng.integers(round(0.12 * side), round(0.88 * side) - taken)) for _ in "yx")
    patch = figure[top : top + taken, left : left + taken].astype(np.float32)
    inked = np.minimum(1, patch / np.percentile(patch.reshape(-1, 3), 80, axis=0).clip(60))
    mark = cv2.resize(inked, (width, height), interpolation=cv2.INTER_AREA)
    result = crop.copy()
    there = result[y : y + height, x : x + width]
    outline = _outline(rng, height, width)[..., None]
    paper = np.percentile(there.reshape(-1, 3), 80, axis=0)
    ground = paper if rng.random() < 0.5 else there
    there[:] = there * (1 - outline) + ground * mark * outline
    return result


def _outline(rng: Rng, height: int, width: int) -> np.ndarray:
    """How much of a mark shows: an oval, a shield or all of the patch; (height, width) 0 to 1."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    power = rng.choice([2.0, 4.0, 20.0])
    inside = (np.abs(y) ** power + np.abs(x) ** power < 1).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(inside, (0, 0), 1.0), np.float32)
