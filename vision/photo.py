"""A file as a phone sends it -> an upright photo. The only module that decodes pictures.

A JPEG is decoded by OpenCV at the scale that the networks need: at 12 megapixels this takes half
the time of a full decode. The full picture is decoded only when it is asked for. Pillow decodes the
other formats. It also reads the header of every file first, so that nothing is decoded before its
size is known.
"""

import io
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from vision.errors import (
    DamagedPhotoError,
    EmptyPhotoError,
    MissingPhotoError,
    NotAPhotoError,
    PhotoTooLargeError,
    TruncatedPhotoError,
)

LIMIT_PX = 60_000_000
"""The most pixels that a photo may have; one whose header names more is refused undecoded."""
WORKING_PX = 1600
"""Pixels. The working picture's long side is never shrunk below this."""
FILLED = 128
"""Gray level of the pixels for which a truncated JPEG holds no data, as OpenCV decodes it."""
MATTE = 118
"""Gray level put under transparent pixels: neither white, as cards are, nor black."""

_FORMATS: tuple[tuple[bytes, str], ...] = (
    (rb"\xff\xd8\xff", "JPEG"),
    (rb"\x89PNG\r\n", "PNG"),
    (rb"RIFF....WEBP", "WEBP"),
    (rb"....ftyp(avif|avis)", "AVIF"),
    (rb"....ftyp(hei[cxms]|hevc|mif1|msf1)", "HEIF"),
    (rb"II\*\0|MM\0\*", "TIFF"),
    (rb"BM....\0\0\0\0", "BMP"),
    (rb"GIF8", "GIF"),
)
_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or document"),
    (b"\x1aE\xdf\xa3", "a video"),
    (b"<svg", "a drawing"),
)
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_JPEG_MARKER = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])")
_END_MARKER = 0xD9
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}

Pixels = npt.NDArray[np.uint8]
"""A BGR picture: height x width x 3, 0 to 255."""


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photo. Corners and boxes are given in its pixels, x to the right, y down."""

    name: str
    """The file's name, as given."""
    size_wh: tuple[int, int]
    """Width and height of the whole photo, upright."""
    working_bgr: Pixels
    """The photo at the scale at which the networks see it, often smaller than `size_wh`."""
    _decode: Callable[[], Pixels] = field(repr=False)

    @property
    def working_scale_xy(self) -> tuple[float, float]:
        """Photo pixels in one working pixel, across and down."""
        height, width = self.working_bgr.shape[:2]
        return self.size_wh[0] / width, self.size_wh[1] / height

    @cached_property
    def image_bgr(self) -> Pixels:
        """The whole photo at full resolution, decoded the first time it is asked for."""
        return self._decode()


def open_photo(data: bytes | Path | str, name: str = "photo") -> Photo:
    """The photo in some bytes or at a path.

    Args:
        data: The file's bytes, or where it is.
        name: What to call it in messages; a path names itself.

    Raises:
        MissingPhotoError: The path cannot be read.
        EmptyPhotoError: There are no bytes.
        NotAPhotoError: It is not a picture.
        PhotoTooLargeError: Its header names more than `LIMIT_PX` pixels.
        TruncatedPhotoError: Its end is missing.
        DamagedPhotoError: It cannot be decoded.

    >>> open_photo(b"", name="pile.jpg")
    Traceback (most recent call last):
    vision.errors.EmptyPhotoError: pile.jpg: expected a photo, got an empty file; send it again.
    """
    if isinstance(data, str | Path):
        path = Path(data)
        data, name = _bytes_at(path), path.name
    if not data:
        raise EmptyPhotoError(name)
    _check_size(_stated_size(data), name)
    with _header(data, name) as header:
        _check_size(header.size, name)
        if data.startswith(b"\xff\xd8") and header.mode in ("RGB", "L"):
            return _open_jpeg(data, name, header=header)
        return _open_other(data, name, header=header)


def shrink_factor(long_side_px: int) -> int:
    """The factor by which a photo is shrunk to the working picture: 1, 2, 4 or 8.

    >>> [shrink_factor(side) for side in (640, 1600, 4032, 8000)]
    [1, 1, 2, 4]
    """
    return max(factor for factor in _REDUCED if factor == 1 or long_side_px >= factor * WORKING_PX)


def shrunk(image: Pixels, size_wh: tuple[int, int]) -> Pixels:
    """A picture resized; where it gets smaller, every pixel counts in the average.

    It is halved first as often as possible, since halving is many times faster than other ratios.

    >>> shrunk(np.full((100, 80, 3), 7, np.uint8), (20, 25)).shape
    (25, 20, 3)
    """
    while image.shape[1] >= 2 * size_wh[0] and image.shape[0] >= 2 * size_wh[1]:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    smaller = image.shape[1] > size_wh[0]
    way = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size_wh, interpolation=way), np.uint8)


def is_complete_jpeg(data: bytes) -> bool:
    """Whether a JPEG's scans are followed by its end marker.

    A thumbnail in the header has an end marker of its own. It is not taken for the photo's, since
    the segments of the header are skipped by their length.

    >>> start = bytes.fromhex("ffd8 ffda 0002")
    >>> is_complete_jpeg(start + b"scan" + bytes.fromhex("ffd9")), is_complete_jpeg(start + b"sc")
    (True, False)
    """
    return any(marker == _END_MARKER for marker, _ in _jpeg_segments(data))


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Every marker of a JPEG and the offset of its segment; the scans' data are skipped."""
    at = 2
    while found := _JPEG_MARKER.search(data, at):
        yield found[1][0], found.end()
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")


def _stated_size(data: bytes) -> tuple[int, int]:
    """Width and height in the header of a PNG or JPEG, also of one that ends there; else zeros."""
    if data.startswith(b"\x89PNG"):
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(b"\xff\xd8"):
        for marker, at in _jpeg_segments(data):
            if marker in _FRAME_MARKERS:
                height, width = data[at + 3 : at + 5], data[at + 5 : at + 7]
                return int.from_bytes(width, "big"), int.from_bytes(height, "big")
    return 0, 0


def _bytes_at(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MissingPhotoError(path.name, (error.strerror or str(error)).lower()) from error


def _check_size(size_wh: tuple[int, int], name: str) -> None:
    if size_wh[0] * size_wh[1] > LIMIT_PX:
        raise PhotoTooLargeError(name, size_wh=size_wh, limit_px=LIMIT_PX)


def _header(data: bytes, name: str) -> Image.Image:
    """The picture with only its header read."""
    kinds = [kind for start, kind in _FORMATS if re.match(start, data, re.DOTALL)]
    if not kinds:
        raise NotAPhotoError(name, _kind_of(data))
    if kinds == ["HEIF"]:
        import pillow_heif  # loaded only for HEIF files

        pillow_heif.register_heif_opener()
    try:
        return Image.open(io.BytesIO(data), formats=kinds)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PhotoTooLargeError(
            name, size_wh=_bomb_size(data, kinds), limit_px=LIMIT_PX
        ) from error
    except (OSError, SyntaxError, ValueError, TypeError, EOFError, RuntimeError) as error:
        raise TruncatedPhotoError(name, len(data)) from error


def _bomb_size(data: bytes, kinds: list[str]) -> tuple[int, int]:
    """The size in the header of a picture that Pillow refuses to open."""
    limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(io.BytesIO(data), formats=kinds) as header:
            return header.size
    finally:
        Image.MAX_IMAGE_PIXELS = limit


def _kind_of(data: bytes) -> str:
    for start, kind in _KINDS:
        if data.lstrip()[:8].startswith(start):
            return kind
    if data[4:8] == b"ftyp":
        return "a video"
    text = data[:512]
    printable = sum(byte >= 32 or byte in b"\t\n\r" for byte in text)
    return "a text file" if b"\x00" not in text and printable == len(text) else "an unknown file"


def _open_jpeg(data: bytes, name: str, *, header: Image.Image) -> Photo:
    if not is_complete_jpeg(data):
        raise TruncatedPhotoError(name, len(data))
    working = _decode_jpeg(data, name, factor=shrink_factor(max(header.size)))
    # The last row of the file may be any edge of the picture, as it is turned by its EXIF mark.
    edges = working[-1], working[0], working[:, 0], working[:, -1]
    if any((edge == FILLED).all() for edge in edges):
        raise TruncatedPhotoError(name, len(data))
    short, long = sorted(header.size)
    # Whether it is upright is told by what OpenCV decoded: Pillow obeys further marks.
    is_wide = working.shape[1] > working.shape[0]
    size_wh = (long, short) if is_wide else (short, long)
    return Photo(name, size_wh, working, partial(_decode_jpeg, data, name, factor=1))


def _decode_jpeg(data: bytes, name: str, *, factor: int) -> Pixels:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[factor])
    if image is None:
        raise DamagedPhotoError(name, "JPEG")
    return np.asarray(image, np.uint8)


def _open_other(data: bytes, name: str, *, header: Image.Image) -> Photo:
    _load(header, name, size_bytes=len(data))
    _turn(header)
    image = np.ascontiguousarray(_rgb(header)[..., ::-1])
    height, width = image.shape[:2]
    factor = shrink_factor(max(width, height))
    size = (-(-width // factor), -(-height // factor))
    working = shrunk(image, size) if factor > 1 else image
    return Photo(name, (width, height), working, lambda: image)


def _turn(picture: Image.Image) -> None:
    """Turns a picture upright in place; one whose EXIF data cannot be read stays as it is."""
    with suppress(SyntaxError, struct.error, ValueError, KeyError, TypeError, OSError):
        ImageOps.exif_transpose(picture, in_place=True)


def _load(header: Image.Image, name: str, *, size_bytes: int) -> None:
    """Decodes a picture with Pillow, whose error tells a truncated file from a damaged one."""
    try:
        header.load()
    except (OSError, SyntaxError, ValueError, EOFError, RuntimeError) as error:
        cut = re.search("truncat|premature|unexpected end|end of", str(error), re.IGNORECASE)
        if cut or header.format in ("JPEG", "PNG", "WEBP", "GIF"):
            raise TruncatedPhotoError(name, size_bytes) from error
        raise DamagedPhotoError(name, str(header.format)) from error


def _rgb(image: Image.Image) -> npt.NDArray[Any]:
    """A picture of any colour mode as 8-bit RGB."""
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        deep = np.asarray(image).astype(np.float32)
        bits = 65535.0 if image.mode != "F" else max(float(deep.max()), 1.0)
        gray = np.clip(deep * (255.0 / bits), 0, 255).astype(np.uint8)
        return np.repeat(gray[..., None], 3, axis=2)
    if image.has_transparency_data:
        under = Image.new("RGBA", image.size, (MATTE, MATTE, MATTE, 255))
        return np.asarray(Image.alpha_composite(under, image.convert("RGBA")).convert("RGB"))
    return np.asarray(image.convert("RGB"))
