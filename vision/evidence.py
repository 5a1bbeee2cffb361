"""The small JPEG that is kept of a photo: enough to look at each card again, small for the disk."""

import math

import cv2

from vision.photo import Pixels

EVIDENCE_PX = 1600
"""Its long side at most."""

EVIDENCE_QUALITY = 82
"""Its JPEG quality, 0 to 100."""


def evidence(image_bgr: Pixels) -> bytes:
    r"""A picture (H x W x 3, BGR) as the small JPEG that is kept and shown.

    >>> import numpy as np
    >>> evidence(np.zeros((8, 8, 3), np.uint8))[:2]
    b'\\xff\\xd8'
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, EVIDENCE_PX / max(height, width))
    if scale < 1.0:
        size_wh = (math.ceil(width * scale), math.ceil(height * scale))
        image_bgr = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    _, coded = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
    return coded.tobytes()
