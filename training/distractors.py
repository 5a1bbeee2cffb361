"""Printed things that are no Scopa cards: jokers, adverts, newspapers, covers, boxes.

Their content is random: letters, blots, arms or a piece of a photo. It has no figure of a known
pack, so that the networks do not take figures of unknown packs for jokers.
"""

import string
from collections.abc import Callable

import cv2
import numpy as np

from training.paint import (
    PAPER,
    Image,
    Rng,
    any_font,
    draw_shape,
    ink,
    random_colour,
    smooth_noise,
    written,
)

HEIGHT_PX = 420
"""Longer side of a card of no pack."""
KNOWN_WORDS = ("JOKER", "JOLLY", "MATTA", "POKER", "BRIDGE", "CASINO")
"""Words on such cards; others are made up."""


def oddment(rng: Rng, tables: tuple[Image, ...]) -> Image:
    """Return a card of no pack, upright or lying, sometimes with a piece of one of `tables`."""
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
    """Return a colour that is visible on the card, BGR."""
    if rng.random() < 0.5:
        return (20, 20, 20) if dark else (250, 250, 250)
    b, g, r = rng.integers(0, 160, 3) + (0 if dark else 90)
    return int(b), int(g), int(r)


def _word(rng: Rng) -> str:
    """Return a word or a number for such a card."""
    if rng.random() < 0.3:
        return str(rng.choice(KNOWN_WORDS))
    letters = string.ascii_uppercase if rng.random() < 0.4 else string.ascii_lowercase
    signs = string.digits if rng.random() < 0.2 else letters
    return "".join(rng.choice(list(signs), int(rng.integers(3, 14))))


def _lettered(rng: Rng, card: Image, colour: tuple[int, int, int]) -> None:
    """Print a line onto `card`, which the caller made."""
    h, w = card.shape[:2]
    shape = written(_word(rng), any_font(rng), round(HEIGHT_PX * rng.uniform(0.02, 0.11)))
    most = round(w * rng.uniform(0.3, 0.95))
    if shape.shape[1] > most:
        high = max(3, round(len(shape) * most / shape.shape[1]))
        shape = cv2.resize(shape, (most, high), interpolation=cv2.INTER_AREA)
    at_xy = (rng.uniform(0.35, 0.65) * w / h, rng.uniform(0.08, 0.92))
    ink(card, shape, centre=at_xy, colour=colour)


def _cornered(rng: Rng, card: Image, colour: tuple[int, int, int]) -> None:
    """Print a word downwards in two corners of `card`, as on jokers."""
    shape = written(_word(rng)[:6], any_font(rng), round(HEIGHT_PX * rng.uniform(0.03, 0.06)))
    down = np.ascontiguousarray(np.rot90(shape, -1))
    at_xy = (down.shape[1] / len(card), 0.04 + down.shape[0] / len(card) / 2)
    for turned in (card, card[::-1, ::-1]):
        ink(turned, down, centre=at_xy, colour=colour)


def _pictured(rng: Rng, card: Image, tables: tuple[Image, ...]) -> None:
    """Put a blot, arms or a piece of a picture onto `card`, which the caller made."""
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
    """Return a shape unlike any pip, such as a bird or a splash: (high, wide) float32, 0 to 1."""
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


LONG_PX = 560
"""Longer side of a page as it is drawn."""
MOST_LINES = 60
"""No more lines of small print than this stand in a column."""


def page(rng: Rng, tables: tuple[Image, ...] = ()) -> Image:
    """Return a page or cover; at times with a piece of one of `tables` as its photo."""
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
        _column(rng, sheet, _page_ink(rng, dark=dark))
    for _ in range(int(rng.integers(1, 5))):
        _headline(rng, sheet, _page_ink(rng, dark=dark))
    return sheet


def _page_ink(rng: Rng, *, dark: bool) -> tuple[int, int, int]:
    """Return a colour that can be read on a bright ground or, if not `dark`, on a dark one."""
    if rng.random() < 0.6:
        return (25, 25, 25) if dark else (245, 245, 245)
    return random_colour(rng, high=140) if dark else random_colour(rng, low=130)


def _part(rng: Rng, sheet: Image, *, least: float, most: float) -> Image:
    """Return a rectangle of the sheet by chance, its sides within these shares of the sheet's."""
    (h, w), sides = sheet.shape[:2], rng.uniform(least, most, 2)
    high, wide = max(8, int(h * sides[0])), max(8, int(w * sides[1]))
    y, x = int(rng.integers(0, h - high + 1)), int(rng.integers(0, w - wide + 1))
    return sheet[y : y + high, x : x + wide]


def _headline(rng: Rng, sheet: Image, colour: tuple[int, int, int]) -> None:
    """Print a line of large letters onto `sheet`, cut off at its edge where it is too long."""
    letters = string.ascii_uppercase if rng.random() < 0.5 else string.ascii_lowercase
    signs = letters + string.digits if rng.random() < 0.3 else letters
    word = "".join(rng.choice(list(signs), int(rng.integers(1, 12))))
    shape = written(word, any_font(rng), round(LONG_PX * rng.uniform(0.03, 0.25)))
    h, w = sheet.shape[:2]
    ink(sheet, shape, centre=(rng.uniform(0, w / h), rng.uniform(0, 1)), colour=colour)


def _column(rng: Rng, sheet: Image, colour: tuple[int, int, int]) -> None:
    """Print a column of small print onto `sheet`."""
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
    """Put a photo, a bar of colour or shapes onto `sheet`, at times in a frame."""
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
    """Paint a photo of nothing: colours that run into one another, and shapes in front of them."""
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


FIGURES = tuple(f"{rank}{suit}" for rank in (8, 9, 10) for suit in "csb")
"""Cards with a figure and no coin."""
_TALL, _WIDE = 96, 64
"""Pixels of arms as they are drawn."""


def marked(rng: Rng, face: Image, figure: Image) -> Image:
    """A four of coins with a maker's mark in its middle: arms, or part of another card's figure.

    In some packs the mark is as large as a coin, and a four that looks like no known one is read
    as a five.
    """
    high, wide = face.shape[:2]
    height, width = round(high * rng.uniform(0.16, 0.44)), round(wide * rng.uniform(0.3, 0.7))
    y, x = (high - height) // 2, (wide - width) // 2
    inked = arms(rng) if rng.random() < 0.5 else _figure(rng, figure)
    mark = cv2.resize(inked, (width, height), interpolation=cv2.INTER_AREA)
    result = face.copy()
    there = result[y : y + height, x : x + width]
    outline = _outline(rng, height, width)[..., None]
    paper = np.percentile(there.reshape(-1, 3), 80, axis=0)
    ground = paper if rng.random() < 0.5 else there
    there[:] = there * (1 - outline) + ground * mark * outline
    return result


def _figure(rng: Rng, face: Image) -> np.ndarray:
    """Return a part of a figure as ink on paper: 0 to 1 of the paper's colour is left."""
    side = face.shape[1]
    taken = round(side * rng.uniform(0.3, 0.6))
    top = int(rng.integers(side // 8, len(face) - side // 8 - taken))
    left = int(rng.integers(side // 8, side - side // 8 - taken))
    patch = face[top : top + taken, left : left + taken].astype(np.float32)
    paper = np.percentile(patch.reshape(-1, 3), 80, axis=0).clip(60)
    return np.asarray(np.minimum(1, patch / paper), np.float32)


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
    """Return the mask of a mark: an oval, a shield or the whole patch; (height, width) 0 to 1."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    power = rng.choice([2.0, 4.0, 20.0])
    inside = (np.abs(y) ** power + np.abs(x) ** power < 1).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(inside, (0, 0), 1.0), np.float32)
