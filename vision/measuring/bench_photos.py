"""The photos that `vision.bench` times: made from the samples, each twelve megapixels large.

They show what people photograph, and what costs most: twenty small cards, twenty large ones in
rows that overlap, a whole deck, and a table full of papers without a card.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.geometry.quads import Quad, covered_share
from vision.geometry.straighten import straighten
from vision.photo import Pixels, open_photo

SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"
"""Photos of our own decks, with the corners of their cards."""
SIZE_WH = (4000, 3000)
"""Twelve megapixels, as phones take them."""
CARD_WH = (0.63, 1.0)
"""Width and height of a card, in card heights."""
LEAST_COVERED = 0.02
"""A card is laid only if less of it lies under or over its neighbours in the sample."""
PAPERS = 150
"""Papers on the table without a card."""
TABLE_BGR = (58, 92, 66)
"""The colour of the table: green cloth."""


@cache
def photos() -> Mapping[str, bytes]:
    """The JPEG files by name."""
    cards = _cards()
    pictures = {
        "20-small": _laid(cards[:20], per_row=7, height_px=520, step=(0.72, 1.1)),
        "20-large": _laid(cards[:20], per_row=5, height_px=1050, step=(0.72, 0.55)),
        "40": _laid(cards[:40], per_row=8, height_px=640, step=(0.72, 0.9)),
        "no-card": _papers(),
    }
    return {name: _as_photo(picture) for name, picture in pictures.items()}


def _cards() -> list[Pixels]:
    """The cards of the samples that nothing covers, cut out square: each once, then again."""
    labels = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    cards: list[Pixels] = []
    for name, label in labels.items():
        image, quads = open_photo(SAMPLES / name).image_bgr, np.array(label["corners"], np.float32)
        for at, quad in enumerate(quads):
            if covered_share(quad, np.delete(quads, at, axis=0)) < LEAST_COVERED:
                cards.append(straighten(image, quad, side_px=512, margin=0.0))
    return cards + cards


def _laid(
    cards: list[Pixels], *, per_row: int, height_px: int, step: tuple[float, float]
) -> Pixels:
    """Cards in rows on a table; the steps between them are in card heights, across and down."""
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), TABLE_BGR, np.uint8)
    rng = np.random.default_rng(len(cards) + height_px)
    size = np.array(CARD_WH) * height_px
    rows = -(-len(cards) // per_row)
    whole = (np.array([per_row - 1, rows - 1]) * step + CARD_WH) * height_px
    start = (np.array(SIZE_WH) - whole + size) / 2
    for at, card in enumerate(cards):
        place = start + np.array([at % per_row, at // per_row]) * step * height_px
        turn = float(rng.normal(0, 2)) + 180 * int(rng.integers(2))
        box = cv2.boxPoints((tuple(place.tolist()), tuple(size.tolist()), turn))
        _put(picture, card, corners=np.roll(box, -1, axis=0))
    return picture


def _put(picture: Pixels, card: Pixels, *, corners: Quad) -> None:
    """Lays a card on a picture, with a thin shadow around it."""
    side = len(card)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    low = np.maximum(corners.min(axis=0).astype(int) - 8, 0)
    high = np.minimum(corners.max(axis=0).astype(int) + 8, SIZE_WH)
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shown = cv2.warpPerspective(card, moved, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full((side, side), 1.0, np.float32), moved, size)[..., None]
    shadow = 1 - 0.4 * cv2.GaussianBlur(mask, (0, 0), 5)[..., None]
    part = picture[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * shadow * (1 - mask) + shown * mask).astype(np.uint8)


def _papers() -> Pixels:
    """A table of papers with lines of print: nothing on it is a card."""
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), TABLE_BGR, np.uint8)
    rng = np.random.default_rng(PAPERS)
    for _ in range(PAPERS):
        size = (int(rng.integers(220, 420)), int(rng.integers(260, 520)))
        paper = np.full((size[1], size[0], 3), rng.integers(200, 255), np.uint8)
        for y in range(30, size[1] - 30, 24):
            end = size[0] - int(rng.integers(24, 90))
            cv2.line(paper, (24, y), (end, y), (90, 70, 60), int(rng.integers(2, 8)))
        square = np.asarray(cv2.resize(paper, (512, 512)), np.uint8)
        place = tuple(map(float, rng.uniform((250, 300), np.array(SIZE_WH) - (250, 300))))
        box = cv2.boxPoints((place, tuple(map(float, size)), float(rng.uniform(0, 360))))
        _put(picture, square, corners=np.roll(box, -1, axis=0))
    return picture


def _as_photo(picture: Pixels) -> bytes:
    """A JPEG of a picture with fine noise as from a camera's sensor.

    >>> len(_as_photo(np.zeros((3000, 4000, 3), np.uint8))) > 100_000
    True
    """
    half = np.random.default_rng(7).normal(0, 4, (SIZE_WH[1] // 2, SIZE_WH[0] // 2, 1))
    grain = cv2.resize(half, SIZE_WH, interpolation=cv2.INTER_CUBIC)[..., None]
    noisy = np.clip(picture + grain, 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
