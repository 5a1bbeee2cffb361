"""The small JPEG of a photo that is kept: enough to look at each card again."""

import math

import cv2
import numpy as np

from vision.photo import Pixels

EVIDENCE_PX = 1600
"""Pixels. The kept picture's long side is not longer."""
EVIDENCE_QUALITY = 82
"""JPEG quality, 0 to 100."""


def evidence(image_bgr: Pixels) -> bytes:
    """A picture (H x W x 3, BGR), shrunk to `EVIDENCE_PX` if it is larger, as a JPEG.

    >>> evidence(np.zeros((8, 8, 3), np.uint8))[:2].hex()
    'ffd8'
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, EVIDENCE_PX / max(height, width))
    small = image_bgr
    if scale < 1.0:
        size_wh = (math.ceil(width * scale), math.ceil(height * scale))
        small = np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    _, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
    return coded.tobytes()
