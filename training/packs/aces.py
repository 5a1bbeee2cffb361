"""Large aces as printers of French cards decorate them, spades above all.

The duty on cards was once stamped on the ace of spades, and makers still sign their packs there:
a pip as broad as half the card, hollow, lined or with another drawing in it.
"""

import cv2
import numpy as np

from training.packs.indices import any_font, written
from training.packs.makers_marks import arms
from training.paint import Rng

SIDE_PX = 200
"""Width of a decorated pip as it is drawn."""
RING = (3, 12)
"""Pixels that the outline of a hollow pip is thick, least and most."""


def decorated(rng: Rng, pip: np.ndarray) -> np.ndarray:
    """A pip (0..1) with a drawing in it and perhaps a name on it: H x `SIDE_PX` float32 0..1."""
    high = round(SIDE_PX * pip.shape[0] / pip.shape[1])
    shape = np.asarray(cv2.resize(pip, (SIDE_PX, high), interpolation=cv2.INTER_CUBIC), np.float32)
    inner = _shrunk(shape, int(rng.integers(*RING)))
    drawing = (_lined, _hollow, _armed)[int(rng.integers(3))](rng, shape)
    shape = np.asarray(np.where(inner > 0.5, drawing, shape), np.float32)
    if rng.random() < 0.4:
        _named(rng, shape)
    return np.asarray(np.clip(shape, 0, 1), np.float32)


def _shrunk(shape: np.ndarray, pixels: int) -> np.ndarray:
    """The shape without so many pixels of its edge."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * pixels + 1, 2 * pixels + 1))
    return np.asarray(cv2.erode(shape, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0.0))


def _lined(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Fine lines, straight, round or crossed, over all of it."""
    y, x = np.mgrid[: shape.shape[0], : shape.shape[1]] - np.array(shape.shape)[:, None, None] / 2
    turn = rng.uniform(0, np.pi)
    along = x * np.cos(turn) + y * np.sin(turn) if rng.random() < 0.5 else np.hypot(x, y)
    waves = np.sin(along * 2 * np.pi / rng.uniform(6, 24))
    if rng.random() < 0.4:
        waves = waves * np.sin(np.arctan2(y, x) * int(rng.integers(4, 24)))
    return np.asarray((waves > rng.uniform(-0.7, 0.7)).astype(np.float32))


def _hollow(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Nothing, with a smaller pip in it."""
    drawing = np.zeros_like(shape)
    if rng.random() < 0.7:
        share = rng.uniform(0.25, 0.75)
        small = cv2.resize(shape, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        y, x = ((a - b) // 2 for a, b in zip(shape.shape, small.shape, strict=True))
        drawing[y : y + small.shape[0], x : x + small.shape[1]] = small
    return drawing


def _armed(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Arms on paper or cut out of the ink."""
    high, wide = (round(side * rng.uniform(0.35, 0.7)) for side in shape.shape)
    patch = cv2.resize(1 - arms(rng).mean(2), (wide, high), interpolation=cv2.INTER_AREA)
    dark = bool(rng.random() < 0.5)
    drawing = np.full_like(shape, float(dark))
    y, x = (shape.shape[0] - high) // 2, (shape.shape[1] - wide) // 2
    drawing[y : y + high, x : x + wide] = 1 - patch if dark else patch
    return drawing


def _named(rng: Rng, shape: np.ndarray) -> None:
    """Writes a maker's name across `shape`, which the caller made, in a gap left for it."""
    letters = rng.choice(list("ABCDEFGHIKLMNOPRSTUVZ"), int(rng.integers(4, 12)))
    name = written("".join(letters), any_font(rng), round(SIDE_PX * rng.uniform(0.06, 0.14)))
    wide = min(name.shape[1], round(SIDE_PX * 0.9))
    name = cv2.resize(name, (wide, len(name)), interpolation=cv2.INTER_AREA)
    y = round(rng.uniform(0.3, 0.7) * (len(shape) - len(name)))
    x = (SIDE_PX - wide) // 2
    shape[y : y + len(name), x : x + wide] = name
