"""Which way up a picture is, for all formats."""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image

_UPRIGHT = 1
_TURNS: dict[int, Callable[[npt.NDArray[np.uint8]], cv2.typing.MatLike]] = {
    2: lambda pixels: cv2.flip(pixels, 1),
    3: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_180),
    4: lambda pixels: cv2.flip(pixels, 0),
    5: cv2.transpose,
    6: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
    7: lambda pixels: cv2.flip(cv2.transpose(pixels), -1),
    8: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""For each orientation of EXIF but the upright one: what turns the pixels upright."""


def orientation_of(picture: Image.Image) -> int:
    """The orientation, 1 to 8 as in EXIF, from the EXIF or XMP data as Pillow reads them.

    A picture whose data cannot be read is taken to be upright.

    >>> orientation_of(Image.new("RGB", (1, 1)))
    1
    """
    try:
        found = picture.getexif().get(ExifTags.Base.Orientation, _UPRIGHT)
    except Exception:  # noqa: BLE001  Pillow has no common error for broken EXIF data
        return _UPRIGHT
    return found if found in _TURNS else _UPRIGHT


def upright_size(size_wh: tuple[int, int], *, orientation: int) -> tuple[int, int]:
    """Width and height after turning.

    >>> upright_size((40, 30), orientation=6)
    (30, 40)
    """
    return size_wh[::-1] if orientation >= 5 else size_wh


def turned(pixels: npt.NDArray[np.uint8], *, orientation: int) -> npt.NDArray[np.uint8]:
    """The pixels turned upright: height x width x 3.

    >>> turned(np.zeros((3, 4, 3), np.uint8), orientation=6).shape
    (4, 3, 3)
    """
    turn = _TURNS.get(orientation)
    return pixels if turn is None else np.asarray(turn(pixels), np.uint8)
