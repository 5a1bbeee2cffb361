"""Cards of no pack: jokers, visiting cards, adverts and rules that lie among the playing cards.

What is on them is left to chance: letters, a blot, arms or a piece of a picture. No figure of a
known pack is among it, lest the figures of unknown packs be taken for jokers.
"""

import string

import cv2
import numpy as np

from training.packs.indices import PAPER, any_font, ink, written
from training.packs.makers_marks import arms
from training.paint import Image, Rng

HEIGHT_PX = 420
"""Longer side of an oddment."""
KNOWN_WORDS = ("JOKER", "JOLLY", "MATTA", "POKER", "BRIDGE", "CASINO")
"""Words that stand on such cards; others are made up."""


def oddment(rng: Rng, tables: tuple[Image, ...]) -> Image:
    """A card that is in no pack, upright or lying; at times with a piece of one of `tables`."""
    width = round(HEIGHT_PX * rng.uniform(0.56, 0.73))
    lies = rng.random() < 0.3
    size = (width, HEIGHT_PX) if lies else (HEIGHT_PX, width)
    pale = rng.random() < 0.7
    ground = np.full(3, PAPER) if pale else rng.uniform(20, 250, 3)
    card = np.full((*size, 3), ground, np.uint8)
    colour = _ink(rng, dark=pale)
    for _ in range(int(rng.integers(0, 3))):
        _pictured(rng, card, tables)
    for _ in range(int(rng.integers(1, 7))):
        _lettered(rng, card, colour)
    if rng.random() < 0.3:
        _cornered(rng, card, colour)
    if rng.random() < 0.3:
        inset = round(HEIGHT_PX * rng.uniform(0.02, 0.06))
        far = (size[1] - inset, size[0] - inset)
        cv2.rectangle(card, (inset, inset), far, colour, int(rng.integers(1, 6)))
    return card


def _ink(rng: Rng, *, dark: bool) -> tuple[int, int, int]:
    """A colour that can be seen on the card, BGR."""
    if rng.random() < 0.5:
        return (20, 20, 20) if dark else (250, 250, 250)
    b, g, r = rng.integers(0, 160, 3) + (0 if dark else 90)
    return int(b), int(g), int(r)


def _word(rng: Rng) -> str:
    """A word as it stands on such a card, or a number."""
    if rng.random() < 0.3:
        return str(rng.choice(KNOWN_WORDS))
    letters = string.ascii_uppercase if rng.random() < 0.4 else string.ascii_lowercase
    signs = string.digits if rng.random() < 0.2 else letters
    return "".join(rng.choice(list(signs), int(rng.integers(3, 14))))


def _lettered(rng: Rng, card: Image, colour: tuple[int, int, int]) -> None:
    """Prints a line onto `card`, which the caller made."""
    h, w = card.shape[:2]
    shape = written(_word(rng), any_font(rng), round(HEIGHT_PX * rng.uniform(0.02, 0.11)))
    most = round(w * rng.uniform(0.3, 0.95))
    if shape.shape[1] > most:
        high = max(3, round(len(shape) * most / shape.shape[1]))
        shape = cv2.resize(shape, (most, high), interpolation=cv2.INTER_AREA)
    at_xy = (rng.uniform(0.35, 0.65) * w / h, rng.uniform(0.08, 0.92))
    ink(card, shape, centre=at_xy, colour=colour)


def _cornered(rng: Rng, card: Image, colour: tuple[int, int, int]) -> None:
    """Prints a word downwards in two corners of `card`, as jokers have it."""
    shape = written(_word(rng)[:6], any_font(rng), round(HEIGHT_PX * rng.uniform(0.03, 0.06)))
    down = np.ascontiguousarray(np.rot90(shape, -1))
    at_xy = (down.shape[1] / len(card), 0.04 + down.shape[0] / len(card) / 2)
    for turned in (card, card[::-1, ::-1]):
        ink(turned, down, centre=at_xy, colour=colour)


def _pictured(rng: Rng, card: Image, tables: tuple[Image, ...]) -> None:
    """Puts a blot, arms or a piece of a picture onto `card`, which the caller made."""
    h, w = card.shape[:2]
    high, wide = (int(side * rng.uniform(0.15, 0.75)) for side in (h, w))
    y, x = int(rng.integers(0, h - high)), int(rng.integers(0, w - wide))
    there = card[y : y + high, x : x + wide]
    roll = rng.random()
    if roll < 0.3 and tables:
        piece = tables[int(rng.integers(len(tables)))]
        there[:] = cv2.resize(piece, (wide, high), interpolation=cv2.INTER_AREA)
    elif roll < 0.55:
        there[:] = there * cv2.resize(arms(rng), (wide, high), interpolation=cv2.INTER_AREA)
    else:
        blot = _blot(rng, high, wide)[..., None]
        there[:] = there * (1 - blot) + np.array(_ink(rng, dark=True)) * blot


def _blot(rng: Rng, high: int, wide: int) -> np.ndarray:
    """A shape like no pip: a bird, a logo, a splash; (high, wide) float32 0..1."""
    turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(5, 16))))
    reach = rng.uniform(0.25, 1.0, len(turns))
    across = np.stack([np.cos(turns), np.sin(turns)], 1) * reach[:, None]
    outline = ((across + 1) / 2 * [wide - 1, high - 1]).astype(np.int32)
    shape = np.zeros((high, wide), np.float32)
    cv2.fillPoly(shape, [outline], (1.0,), cv2.LINE_AA)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(shape, (0, 0), 0.04 * max(high, wide))
        shape = np.clip((soft - 0.5) * 8 + 0.5, 0, 1)
    return np.asarray(shape, np.float32)
