"""Photos of the piles as screens show them: their size, and single cards cut out of them."""

import io
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image

from screens import state
from store import Store, piles

Corners = tuple[tuple[float, float], ...]
"""Corners of a card: x and y as fractions (0 to 1) of the photo's width and height."""

MARGIN = 0.12
"""Margin around a card on each side, as a fraction of the card's width or height."""

AMBER_BGR = (40, 170, 250)
"""Colour of the outline of the card in question."""

LINE = 0.015
"""Thickness of that outline as a fraction of the crop's height."""


def size_wh(jpeg: bytes) -> tuple[int, int]:
    """Return width and height of a JPEG in pixels, from its header alone."""
    with Image.open(io.BytesIO(jpeg)) as picture:
        return picture.size


def crop(jpeg: bytes, corners: Corners) -> bytes:
    """Return a JPEG of the part of a photo around one card, with the card outlined."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return jpeg
    height, width = image.shape[:2]
    x0, x1 = _span([x for x, _ in corners], width)
    y0, y1 = _span([y for _, y in corners], height)
    outline = np.rint(np.array(corners) * (width, height)).astype(np.int32)
    thick = max(2, round(LINE * (y1 - y0)))
    cv2.polylines(image, [outline], isClosed=True, color=AMBER_BGR, thickness=thick)
    _, coded = cv2.imencode(".jpg", image[y0:y1, x0:x1], [cv2.IMWRITE_JPEG_QUALITY, 85])
    return coded.tobytes()


def _span(parts: Sequence[float], length: int) -> tuple[int, int]:
    margin = MARGIN * (max(parts) - min(parts))
    low = round((min(parts) - margin) * length)
    high = round((max(parts) + margin) * length)
    low = min(max(low, 0), length - 1)
    return low, min(max(high, low + 1), length)


@lru_cache(maxsize=24)
def _photo(store: Store, number: int) -> bytes:
    with store.reading() as session:
        return piles.photo(session, number)


def photo(number: int) -> bytes | None:
    """Return a photo as stored; None if it was deleted."""
    with state.store().reading() as session:
        is_kept = piles.is_kept(session, number)
    if not is_kept:
        _photo.cache_clear()
        _cropped_card.cache_clear()  # no crop of it stays in memory either
        return None
    return _photo(state.store(), number)


@lru_cache(maxsize=512)
def _cropped_card(store: Store, number: int, corners: Corners) -> bytes:
    return crop(_photo(store, number), corners)


def cropped_card(number: int, corners: Corners) -> bytes | None:
    """Return one card cut out of a stored photo; None if the photo was deleted."""
    return None if photo(number) is None else _cropped_card(state.store(), number, corners)
