"""Boxes as the locate network draws them: a little off, badly off, sideways, or around no card."""

from dataclasses import dataclass

import numpy as np

from training.paint import Rng
from vision.geometry import corner_distances, is_cardlike, short_sides

NEAR = 0.5
"""A box whose corners are this near a card's, in short sides, is of that card."""
FAR = 0.65
"""One that is this far from every card is of none; what lies between teaches nothing."""
SEEN = 0.12
"""A card is asked for when at least this share of it can be seen, as in a ladder..."""
HIDDEN = 0.06
"""... and is no card when less than this can."""

SIDEWAYS = 0.12
"""Share of boxes whose long side comes first, as locate draws those of cards seen very aslant."""
STRAYED = 0.35
"""Share of boxes beside a card or around a part of one..."""
ELSEWHERE = 0.1
"""... and of those anywhere in the picture, as print and cloth that are taken for cards."""


@dataclass(frozen=True)
class Box:
    """A rough box and the card it is of."""

    rough: np.ndarray
    """(4, 2) float32 corners in picture pixels."""
    card: np.ndarray
    """(4, 2) corners of its card, in the same order; of no use where there is none."""
    is_card: bool
    """Whether there is one."""


def rough_box(
    rng: Rng, cards: np.ndarray, visible: np.ndarray, size_wh: tuple[int, int]
) -> Box | None:
    """A box in a picture with these cards, or None where chance made one that teaches nothing.

    Args:
        rng: Where chance comes from.
        cards: (n, 4, 2) corners in picture pixels, n at least 1.
        visible: (n,) share of each card that can be seen.
        size_wh: Of the picture, in pixels.
    """
    start = cards[int(rng.integers(len(cards)))]
    kind = rng.random()
    if kind < ELSEWHERE:
        start = start - start.mean(0) + rng.uniform(0, size_wh).astype(np.float32)
    rough = strayed(rng, start) if kind < ELSEWHERE + STRAYED else jittered(rng, start)
    if rng.random() < SIDEWAYS:
        rough = np.roll(rough, 1, axis=0)
    if not is_cardlike(rough):
        return None
    apart = corner_distances(rough, cards)
    nearest = int(apart.argmin())
    if apart[nearest] > FAR or visible[nearest] < HIDDEN:
        return Box(rough, rough, is_card=False)
    if apart[nearest] > NEAR or visible[nearest] < SEEN:
        return None
    both = np.stack([cards[nearest], np.roll(cards[nearest], 2, axis=0)])
    return Box(rough, both[np.linalg.norm(both - rough, axis=-1).sum(-1).argmin()], is_card=True)


def jittered(rng: Rng, quad: np.ndarray) -> np.ndarray:
    """A box meant for this card: shifted, grown, stretched, sheared, turned, each corner off."""
    amount = float(rng.choice([0.25, 0.6, 1.0, 1.6, 2.5]))
    middle, size = quad.mean(0), float(short_sides(quad))
    turn = np.radians(rng.normal(0, 4) * amount)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    along, across = (
        (quad[1] + quad[2] - quad[0] - quad[3]) / 4,
        (quad[2] + quad[3] - quad[0] - quad[1]) / 4,
    )
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    slant = quad - middle - signs @ np.stack([along, across])
    stretch = np.exp(rng.normal(0, 0.08 * amount, 2) + rng.normal(0, 0.06 * amount))
    shear = rng.normal(0, 0.06 * amount, 2)
    sides = np.stack([along + shear[0] * across, across + shear[1] * along])
    shape = (signs * stretch) @ sides + slant
    shift = rng.normal(0, 0.07 * amount, 2) * size
    corners = rng.normal(0, 0.04 * amount, (4, 2)) * size
    return np.asarray(middle + shape @ spin + shift + corners, np.float32)


def strayed(rng: Rng, quad: np.ndarray) -> np.ndarray:
    """A box beside a card, across it, around a part of it or around it and its neighbour."""
    middle, size = quad.mean(0), float(short_sides(quad))
    turn = np.radians(rng.choice([0, 90, rng.uniform(0, 180)]))
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    grown = (quad - middle) * np.exp(rng.normal(0, 0.35))
    shift = rng.normal(0, rng.choice([0.3, 0.6, 1.0, 3.0]), 2) * size
    return np.asarray(middle + grown @ spin + shift, np.float32)
