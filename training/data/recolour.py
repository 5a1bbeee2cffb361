"""Crops as another press would have inked them: what a card is does not hang on its colours.

Packs of one pattern share their drawing and differ in colours and in how strong its lines are. A
network that has seen a pattern in one printing only might learn that printing's colours.
"""

import cv2
import numpy as np

from training.packs.inking import moved
from training.paint import Image, Rng

HUES = 180
"""Hues in OpenCV's 8-bit HSV."""
WAVES = 3
"""How fast new hue, strength and brightness may change from one hue to the next."""


def repainted(rng: Rng, crop: Image) -> Image:
    """A crop in other inks, with stronger or weaker lines, or drawn a little otherwise."""
    if rng.random() < 0.5:
        crop = _inked(rng, crop)
    elif rng.random() < 0.2:
        crop = _faded(rng, crop)
    if rng.random() < 0.25:
        crop = _lined(rng, crop)
    if rng.random() < 0.3:
        crop = _redrawn(rng, crop)
    return crop


def _inked(rng: Rng, crop: Image) -> Image:
    """Every hue turned into another, stronger or weaker, lighter or darker one; greys stay."""
    hue, strength, value = cv2.split(cv2.cvtColor(crop, cv2.COLOR_BGR2HSV))
    everywhere = rng.uniform(0, HUES) if rng.random() < 0.4 else rng.normal(0, 8)
    turned = np.arange(HUES) + everywhere + 12 * _wave(rng)
    stronger = 256 * np.exp(0.5 * _wave(rng) + rng.normal(0, 0.25))
    lighter = 256 * np.exp(0.25 * _wave(rng))
    colourful = strength.astype(np.float32) / 255
    gain = 1 + colourful * (lighter[hue] / 256 - 1)
    painted = cv2.merge(
        (
            (turned[hue] % HUES).astype(np.uint8),
            np.clip(strength * stronger[hue] / 256, 0, 255).astype(np.uint8),
            np.clip(value * gain, 0, 255).astype(np.uint8),
        )
    )
    return np.asarray(cv2.cvtColor(painted, cv2.COLOR_HSV2BGR), np.uint8)


def _wave(rng: Rng) -> np.ndarray:
    """A smooth random value for every hue, of spread about 1, alike at both ends."""
    at = np.arange(HUES) * 2 * np.pi / HUES
    sizes, phases = rng.normal(0, 1, WAVES), rng.uniform(0, 2 * np.pi, WAVES)
    times = np.arange(1, WAVES + 1)[:, None]
    waves = sizes[:, None] * np.sin(times * at + phases[:, None])
    return np.asarray(waves.sum(axis=0) * np.sqrt(2 / WAVES))


def _faded(rng: Rng, crop: Image) -> Image:
    """Nearly without colour."""
    grey = cv2.cvtColor(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    left = float(rng.uniform(0, 0.3))
    return np.asarray(cv2.addWeighted(crop, left, grey, 1 - left, 0), np.uint8)


def _lined(rng: Rng, crop: Image) -> Image:
    """Lines stronger, weaker, thicker or thinner than they were."""
    roll = rng.random()
    if roll < 0.3:
        change = cv2.erode if roll < 0.15 else cv2.dilate
        thick = np.asarray(change(crop, np.ones((2, 2), np.uint8)), np.uint8)
        return np.asarray(cv2.addWeighted(crop, 0.4, thick, 0.6, 0), np.uint8)
    if roll < 0.5:
        return np.asarray(cv2.bilateralFilter(crop, 5, 60, 3), np.uint8)
    amount = float(rng.uniform(-0.5, 1.5))
    soft = cv2.GaussianBlur(crop, (0, 0), float(rng.uniform(1.5, 5)))
    return np.asarray(cv2.addWeighted(crop, 1 + amount, soft, -amount, 0), np.uint8)


def _redrawn(rng: Rng, crop: Image) -> Image:
    """The drawing pushed a little here and there."""
    cells = int(rng.integers(3, 8))
    reach = rng.uniform(0.3, 1.0) / 40
    return moved(crop, rng.normal(0, reach, (2, cells, cells)).astype(np.float32))
