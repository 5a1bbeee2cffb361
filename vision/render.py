"""Draw a reading: the photo with its cards outlined and named, or one card cut out upright."""

import cv2
import numpy as np

from vision.geometry import straighten
from vision.photo import Photo, Pixels, shrunk
from vision.reading import CardReading, Reading, Status

LONG_SIDE_PX = 1280
"""Maximum long side of an outlined photo in pixels: enough for a screen, and small to send."""
COLOURS_BGR = {
    Status.SURE: (90, 200, 60),
    Status.SETTLED: (220, 170, 40),
    Status.DOUBTFUL: (30, 120, 255),
}
"""Green, blue and orange."""
CARD_ASPECT = 1.6
"""Height of a cut-out card, in widths."""

_INK = (20, 20, 20)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def outlined(photo: Photo, reading: Reading) -> Pixels:
    """Return the photo, shrunk to `LONG_SIDE_PX`, with its cards outlined and named.

    Doubtful cards have thick lines and a question mark.
    """
    shrink = min(1.0, LONG_SIDE_PX / max(photo.size_wh))
    size = (round(photo.size_wh[0] * shrink), round(photo.size_wh[1] * shrink))
    canvas = shrunk(photo.working_bgr, size)
    unit = max(size) / LONG_SIDE_PX
    for found in sorted(reading.cards, key=lambda card: card.status is Status.DOUBTFUL):
        _draw(canvas, found, shrink=shrink, unit=unit)
    return canvas


def cut_out(photo: Photo, found: CardReading, *, width_px: int = 200) -> Pixels:
    """Return one card of a photo, straightened and in a card's proportions."""
    square = straighten(photo.image_bgr, found.corners)
    size = (width_px, round(width_px * CARD_ASPECT))
    return np.asarray(cv2.resize(square, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def caption(found: CardReading) -> str:
    """Return the caption of a card: its code, with a question mark if it is doubtful.

    >>> caption(CardReading("7d", Status.DOUBTFUL, 0.6, ()))
    '7d?'
    """
    return found.card + ("?" if found.status is Status.DOUBTFUL else "")


def _draw(canvas: Pixels, found: CardReading, *, shrink: float, unit: float) -> None:
    corners = np.round(np.array(found.corners) * shrink).astype(np.int32)
    colour = COLOURS_BGR[found.status]
    thick = max(1, round((6 if found.status is Status.DOUBTFUL else 2) * unit))
    cv2.polylines(canvas, [corners], isClosed=True, color=colour, thickness=thick)
    _write(canvas, found, centre_xy=corners.mean(axis=0), unit=unit)


def _write(canvas: Pixels, found: CardReading, *, centre_xy: np.ndarray, unit: float) -> None:
    """Write a card's caption on a coloured plate."""
    label, size = caption(found), max(0.45, 0.9 * unit)
    weight = max(1, round(2 * unit))
    (width, height), _ = cv2.getTextSize(label, _FONT, size, weight)
    left, bottom = int(centre_xy[0] - width / 2), int(centre_xy[1] + height / 2)
    pad = round(6 * unit) + 1
    plate = (left - pad, bottom - height - pad), (left + width + pad, bottom + pad)
    cv2.rectangle(canvas, *plate, COLOURS_BGR[found.status], cv2.FILLED)
    cv2.putText(canvas, label, (left, bottom), _FONT, size, _INK, weight, cv2.LINE_AA)
