"""Printed matter that lies about: newspapers, magazines, book covers, boxes. None of it is a card.

Larger than a card, with letters and pictures of any size: the networks must not take a headline
for an index or a photo in a magazine for a card's back.
"""

import string
from collections.abc import Callable

import cv2
import numpy as np

from training.packs.indices import any_font, ink, written
from training.paint import Image, Rng, draw_shape, random_colour, smooth_noise

LONG_PX = 560
"""Longer side of a page as it is drawn."""
MOST_LINES = 60
"""No more lines of small print than this stand in a column."""


def page(rng: Rng, tables: tuple[Image, ...] = ()) -> Image:
    """A page or cover; at times with a piece of one of `tables` as its photo."""
    size = (round(LONG_PX * rng.uniform(0.55, 1.0)), LONG_PX)
    if rng.random() < 0.5:
        size = size[::-1]
    is_paper = rng.random() < 0.6
    ground = random_colour(rng, low=190, high=256) if is_paper else random_colour(rng)
    sheet = np.full((*size, 3), ground, np.uint8)
    dark = sum(ground) > 3 * 120
    for _ in range(int(rng.integers(0, 4))):
        _picture(rng, sheet, tables)
    for _ in range(int(rng.integers(0, 4)) if is_paper else 0):
        _column(rng, sheet, _ink(rng, dark=dark))
    for _ in range(int(rng.integers(1, 5))):
        _headline(rng, sheet, _ink(rng, dark=dark))
    return sheet


def _ink(rng: Rng, *, dark: bool) -> tuple[int, int, int]:
    """A colour that can be read on a bright ground or, if not `dark`, on a dark one."""
    if rng.random() < 0.6:
        return (25, 25, 25) if dark else (245, 245, 245)
    return random_colour(rng, high=140) if dark else random_colour(rng, low=130)


def _part(rng: Rng, sheet: Image, *, least: float, most: float) -> Image:
    """A rectangle of the sheet by chance, its sides within these shares of the sheet's."""
    (h, w), sides = sheet.shape[:2], rng.uniform(least, most, 2)
    high, wide = max(8, int(h * sides[0])), max(8, int(w * sides[1]))
    y, x = int(rng.integers(0, h - high + 1)), int(rng.integers(0, w - wide + 1))
    return sheet[y : y + high, x : x + wide]


def _headline(rng: Rng, sheet: Image, colour: tuple[int, int, int]) -> None:
    """Prints a line of large letters onto `sheet`, cut off at its edge where it is too long."""
    letters = string.ascii_uppercase if rng.random() < 0.5 else string.ascii_lowercase
    signs = letters + string.digits if rng.random() < 0.3 else letters
    word = "".join(rng.choice(list(signs), int(rng.integers(1, 12))))
    shape = written(word, any_font(rng), round(LONG_PX * rng.uniform(0.03, 0.25)))
    h, w = sheet.shape[:2]
    ink(sheet, shape, centre=(rng.uniform(0, w / h), rng.uniform(0, 1)), colour=colour)


def _column(rng: Rng, sheet: Image, colour: tuple[int, int, int]) -> None:
    """Prints a column of small print onto `sheet`."""
    part = _part(rng, sheet, least=0.2, most=0.9)
    words = ["".join(rng.choice(list(string.ascii_lowercase), 5)) for _ in range(9)]
    step = max(len(part) // MOST_LINES, int(rng.integers(7, 20)))
    shape = written(" ".join(words), any_font(rng), max(4, round(step * rng.uniform(0.5, 0.8))))
    for y in range(step, len(part) - step, step):
        start = int(rng.integers(0, max(1, shape.shape[1] - part.shape[1])))
        line = shape[:, start : start + part.shape[1]]
        centre = (line.shape[1] / 2 / len(part), y / len(part))
        ink(part, line, centre=centre, colour=colour)


def _picture(rng: Rng, sheet: Image, tables: tuple[Image, ...]) -> None:
    """Puts a photo, a bar of colour or shapes onto `sheet`, at times in a frame."""
    part = _part(rng, sheet, least=0.1, most=0.95)
    drawn: Callable[[Rng, Image], None] = (_photo, _shapes, _bar)[int(rng.integers(3))]
    if drawn is _photo and tables and rng.random() < 0.4:
        piece = tables[int(rng.integers(len(tables)))]
        size_wh = (part.shape[1], part.shape[0])
        part[:] = cv2.resize(piece, size_wh, interpolation=cv2.INTER_AREA)
    else:
        drawn(rng, part)
    if rng.random() < 0.25:
        far = (part.shape[1] - 1, part.shape[0] - 1)
        cv2.rectangle(part, (0, 0), far, random_colour(rng), int(rng.integers(1, 8)))


def _photo(rng: Rng, part: Image) -> None:
    """Colours that run into one another, as a picture of anything does, then shapes before them."""
    size_wh = (part.shape[1], part.shape[0])
    for k in range(3):
        bumps = smooth_noise(rng, size_wh, int(rng.integers(2, 9)))
        part[..., k] = np.clip(rng.uniform(30, 220) + 70 * bumps, 0, 255)
    _shapes(rng, part)


def _shapes(rng: Rng, part: Image) -> None:
    """Blots, outlines and letters, as logos and drawings have them."""
    for _ in range(int(rng.integers(1, 7))):
        draw_shape(rng, part, random_colour(rng))


def _bar(rng: Rng, part: Image) -> None:
    """A ground of another colour, plain or barred."""
    part[:] = random_colour(rng)
    if rng.random() < 0.4:
        part[:, np.arange(part.shape[1]) // int(rng.integers(4, 30)) % 2 == 0] = random_colour(rng)
