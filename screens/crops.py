"""Pieces of a kept photo: its size, and one card cut out to be looked at."""

import io
from collections.abc import Sequence

import cv2
import numpy as np
from PIL import Image

Corners = tuple[tuple[float, float], ...]
"""Where a card lies: x and y as parts (0 to 1) of the photo's width and height."""

MARGIN = 0.12
"""How much of the card's extent is shown around it on each side."""

AMBER_BGR = (40, 170, 250)
"""Colour of the line around the card meant."""

LINE = 0.015
"""Its thickness as a share of the height shown."""


def size_wh(jpeg: bytes) -> tuple[int, int]:
    """Gives width and height of a JPEG from its header alone."""
    with Image.open(io.BytesIO(jpeg)) as picture:
        return picture.size


def crop(jpeg: bytes, corners: Corners) -> bytes:
    """Gives a JPEG of the part around a card, the card outlined among those beside it.

    `corners` are parts (0 to 1) of width and height.
    """
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
