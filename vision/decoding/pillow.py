"""Pictures through Pillow: the headers of all formats, and the pixels of all but JPEG.

Each format is opened by its own class instead of `Image.open`, which would ask for the formats
by their major brand alone and refuse large pictures by limits of the whole process.
"""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import (
    AvifImagePlugin,
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from vision.decoding.formats import Format

MATTE = 118
"""Gray laid under transparent pixels: neither card white nor black."""
_STRIP_PX = 4_000_000
"""Pixels converted at a time: a large picture needs little memory beside itself."""


def _heif(file: io.BytesIO) -> Image.Image:
    from pillow_heif import HeifImageFile  # here, since only phones by Apple need it

    picture: Image.Image = HeifImageFile(file)  # type: ignore[no-untyped-call]  # has none
    return picture


_OPENERS: dict[Format, Callable[[io.BytesIO], Image.Image]] = {
    Format.JPEG: JpegImagePlugin.JpegImageFile,
    Format.PNG: PngImagePlugin.PngImageFile,
    Format.WEBP: WebPImagePlugin.WebPImageFile,
    Format.AVIF: AvifImagePlugin.AvifImageFile,
    Format.HEIF: _heif,
    Format.TIFF: TiffImagePlugin.TiffImageFile,
    Format.BMP: BmpImagePlugin.BmpImageFile,
    Format.GIF: GifImagePlugin.GifImageFile,
}


def header_of(data: bytes, form: Format) -> Image.Image:
    """A picture of which only the header is read; of an animation, the first picture.

    Raises:
        Exception: Any, where the header is broken: the decoders have no common error.
    """
    return _OPENERS[form](io.BytesIO(data))


def bgr(picture: Image.Image) -> npt.NDArray[np.uint8]:
    """The pixels of any colour mode as they are stored: height x width x 3, BGR, 0 to 255.

    >>> bgr(Image.new("RGB", (1, 1), (1, 2, 3))).tolist()
    [[[3, 2, 1]]]
    """
    width, height = picture.size
    white = _white(picture)
    pixels = np.empty((height, width, 3), np.uint8)
    rows = max(1, _STRIP_PX // max(1, width))
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(height, top + rows)))
        pixels[top : top + rows] = _rgb(strip, white=white)[..., ::-1]
    return pixels


def _white(picture: Image.Image) -> float:
    """The number that is white in a picture of one deep channel."""
    if picture.mode != "F":
        return 65535.0
    brightest = np.asarray(picture.getextrema(), float).max()
    return float(brightest) if 1.0 < brightest < np.inf else 1.0


def _rgb(image: Image.Image, *, white: float) -> npt.NDArray[Any]:
    """Any colour mode as 8-bit RGB."""
    if image.mode.startswith("I;16") or image.mode in {"I", "F"}:
        deep = np.nan_to_num(np.asarray(image).astype(np.float32) * (255.0 / white))
        return np.repeat(np.clip(deep, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
    if image.has_transparency_data:
        under = Image.new("RGBA", image.size, (MATTE, MATTE, MATTE, 255))
        return np.asarray(Image.alpha_composite(under, image.convert("RGBA")).convert("RGB"))
    return np.asarray(image.convert("RGB"))
