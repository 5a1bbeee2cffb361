"""Bytes of a file -> an upright photo.

A JPEG is decoded at the scale that the networks need (`vision.jpeg`), and at full resolution on
demand. Pillow decodes the other formats. The size in the header is checked before decoding.
"""

import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import AvifImagePlugin, ExifTags, Image, PngImagePlugin, WebPImagePlugin

from vision.errors import (
    DamagedPhotoError,
    EmptyPhotoError,
    FileTooLargeError,
    MissingPhotoError,
    NotAPhotoError,
    PhotoTooLargeError,
    SlowPhotoError,
    UnreadablePhotoError,
    VisionError,
)
from vision.jpeg import read_jpeg

LIMIT_PX = 60_000_000
"""Maximum pixels of a picture. A header with more is refused before decoding."""
LIMIT_WEBP_PX = 24_000_000
"""Maximum pixels of a WebP. Its decoder needs 16 bytes for each, even for a file of a hundred
bytes. Other decoders need at most 11."""
LIMIT_SCANNED_PX = 600_000_000
"""Maximum pixels of a JPEG times its scans (a usual progressive JPEG has ten). The decoder passes
over the whole picture for each scan, so a small file of many scans takes a minute."""
LIMIT_BYTES = 100_000_000
"""Maximum bytes of a file."""
LIMIT_SECONDS = 60.0
"""Time limit for each step: opening a photo, finding its cards, classifying them."""
WORKING_PX = 1600
"""Minimum long side of a working picture that was shrunk."""
STORED_PX = 1600
"""Maximum long side in pixels of a stored picture, or of a part of a stored panorama."""
PANORAMA = 4
"""Minimum ratio of the sides of a panorama, which is read in parts."""
STORED_QUALITY = 82
"""JPEG quality of the stored picture, 0 to 100."""
MATTE = 118
"""Gray level behind transparent pixels: neither card white nor black."""

_FACTORS = (1, 2, 4, 8)
"""Factors by which a JPEG can be shrunk during decoding."""
_STRIP_PX = 4_000_000
"""Pixels converted at once, to save memory."""

Pixels = npt.NDArray[np.uint8]
"""A BGR picture: height x width x 3, 0 to 255."""

_TURNS: dict[int, Callable[[Pixels], cv2.typing.MatLike]] = {
    2: lambda pixels: cv2.flip(pixels, 1),
    3: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_180),
    4: lambda pixels: cv2.flip(pixels, 0),
    5: cv2.transpose,
    6: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
    7: lambda pixels: cv2.flip(cv2.transpose(pixels), -1),
    8: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""Function that turns the pixels upright, by EXIF orientation."""


def _heif(file: io.BytesIO) -> Image.Image:
    from pillow_heif import HeifImageFile  # only Apple's phones need it

    if _is_cut(file.getvalue()):  # libheif would skip tiles
        raise ValueError("expected a whole HEIF file, got a part")
    picture: Image.Image = HeifImageFile(file)  # type: ignore[no-untyped-call]  # has none
    return picture


_OPENERS: tuple[tuple[re.Pattern[bytes], Callable[[io.BytesIO], Image.Image]], ...] = (
    (re.compile(rb"\x89PNG\r\n"), PngImagePlugin.PngImageFile),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), WebPImagePlugin.WebPImageFile),
    (re.compile(rb"....ftyp.*avi[fs]", re.DOTALL), AvifImagePlugin.AvifImageFile),
    (re.compile(rb"....ftyp.*(hei[cxms]|hev[cxms]|mif[123]|msf1|miaf|tmap)", re.DOTALL), _heif),
)
"""Pattern of the first bytes of a file, and the function that opens it. HEIF and AVIF are
recognised by any brand in their first box (ISO/IEC 14496-12, section 4.3); `Image.open` checks the
first only. An animation is read as its first picture."""
_JPEG = b"\xff\xd8\xff"
_MOST_BRANDS = 264
"""Number of bytes of the first box to check."""


@dataclass(frozen=True, eq=False)
class Pyramid:
    """A picture at halving sizes, each made on demand from the previous one."""

    bgr: Pixels
    """The picture at this size."""

    @cached_property
    def half(self) -> "Pyramid":
        """The picture at half this size."""
        half = (max(1, self.bgr.shape[1] // 2), max(1, self.bgr.shape[0] // 2))
        smaller = cv2.resize(self.bgr, half, interpolation=cv2.INTER_AREA)
        return Pyramid(np.asarray(smaller, np.uint8))


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

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields, not the cached pictures."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @property
    def working_scale_xy(self) -> tuple[float, float]:
        """Photo pixels in one working pixel, across and down."""
        height, width = self.working_bgr.shape[:2]
        return self.size_wh[0] / width, self.size_wh[1] / height

    @cached_property
    def image_bgr(self) -> Pixels:
        """The whole photo at full resolution, decoded on demand."""
        return self._decode()

    @cached_property
    def working(self) -> Pyramid:
        """The working picture and its smaller sizes."""
        return Pyramid(self.working_bgr)

    @cached_property
    def whole(self) -> Pyramid:
        """The whole photo at full resolution and its smaller sizes."""
        return Pyramid(self.image_bgr)


def open_photo(data: bytes | Path | str, name: str = "photo") -> Photo:
    """Open the photo in some bytes or at a path.

    Args:
        data: The file's bytes, or its path.
        name: Name for messages; a path has its own.

    Raises:
        MissingPhotoError: The path cannot be read.
        EmptyPhotoError: There are no bytes.
        FileTooLargeError: There are more than `LIMIT_BYTES` bytes.
        NotAPhotoError: It is not a JPEG, PNG, HEIF, AVIF or WebP.
        PhotoTooLargeError: Its header names more than `LIMIT_PX` pixels, or `LIMIT_WEBP_PX` of a
            WebP.
        SlowPhotoError: It is a JPEG with too many scans.
        DamagedPhotoError: It cannot be decoded, or data are missing.
        UnreadablePhotoError: There is too little memory to decode it.

    >>> open_photo(b"", name="pile.jpg")
    Traceback (most recent call last):
    vision.errors.EmptyPhotoError: pile.jpg: expected a photo, got an empty file; send it again.
    """
    if isinstance(data, str | Path):
        path = Path(data)
        name = path.name
        try:
            with path.open("rb") as file:
                data = file.read(LIMIT_BYTES + 1)
        except OSError as error:
            raise MissingPhotoError(name, (error.strerror or str(error)).lower()) from error
    if not data:
        raise EmptyPhotoError(name)
    if len(data) > LIMIT_BYTES:
        raise FileTooLargeError(name, LIMIT_BYTES // 1_000_000)
    try:
        if data.startswith(_JPEG):
            return _open_jpeg(data, name)
        if (opener := _opener(data)) is None:
            raise NotAPhotoError(name)
        return _open_other(data, name, opener)
    except VisionError:
        raise
    except MemoryError as error:
        raise UnreadablePhotoError(name) from error
    except Exception as error:  # decoders have no common error
        raise DamagedPhotoError(name) from error


def shrink_factor(long_side_px: int) -> int:
    """Return the factor by which a photo is shrunk to its working picture: 1, 2, 4 or 8.

    >>> [shrink_factor(side) for side in (640, 1600, 4032, 8000)]
    [1, 1, 2, 4]
    """
    return max(factor for factor in _FACTORS if factor == 1 or long_side_px >= factor * WORKING_PX)


def parts(size_wh: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Start and end of each part in which a photo is read, along its long side.

    Parts of a panorama are three times as long as its short side and overlap by a third: a card cut
    off by one part is whole in the next.

    >>> parts((1600, 1200)), parts((900, 4000))
    (((0, 1600),), ((0, 2700), (1300, 4000)))
    """
    long, short = max(size_wh), min(size_wh)
    if long < PANORAMA * short:
        return ((0, long),)
    ends = [*range(3 * short, long, 2 * short), long]
    return tuple((end - 3 * short, end) for end in ends)


def shrunk(picture: Pixels | Pyramid, size_wh: tuple[int, int]) -> Pixels:
    """Resize a picture. A smaller one averages all pixels.

    Halve it first while possible, because that is many times faster than other ratios.

    >>> shrunk(np.full((100, 80, 3), 7, np.uint8), (20, 25)).shape
    (25, 20, 3)
    """
    level = as_pyramid(picture)
    while level.bgr.shape[1] >= 2 * size_wh[0] and level.bgr.shape[0] >= 2 * size_wh[1]:
        level = level.half
    image = level.bgr
    smaller = image.shape[1] > size_wh[0]
    way = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size_wh, interpolation=way), np.uint8)


def as_pyramid(picture: Pixels | Pyramid) -> Pyramid:
    """Return a picture as a `Pyramid`; a pyramid is returned unchanged."""
    return picture if isinstance(picture, Pyramid) else Pyramid(picture)


def stored_photo(image_bgr: Pixels) -> bytes:
    """Return the JPEG to store for a photo, good enough to look at each card.

    A picture (H x W x 3, BGR) larger than `STORED_PX` is shrunk to it.

    >>> stored_photo(np.zeros((8, 8, 3), np.uint8))[:2].hex()
    'ffd8'
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, STORED_PX / parts((width, height))[0][1])
    small = image_bgr
    if scale < 1.0:
        size_wh = (math.ceil(width * scale), math.ceil(height * scale))
        small = np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    _, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, STORED_QUALITY])
    return coded.tobytes()


def _check_size(size_wh: tuple[int, int], name: str, *, limit_px: int = LIMIT_PX) -> None:
    if size_wh[0] * size_wh[1] > limit_px:
        raise PhotoTooLargeError(name, size_wh=size_wh, limit_px=limit_px)


def _opener(data: bytes) -> Callable[[io.BytesIO], Image.Image] | None:
    """Return the function that opens a file with these first bytes; None for other formats."""
    is_box = data[4:8] == b"ftyp"
    start = data[: min(int.from_bytes(data[:4], "big"), _MOST_BRANDS) if is_box else 16]
    return next((opener for pattern, opener in _OPENERS if pattern.match(start)), None)


def _is_cut(data: bytes) -> bool:
    """Return whether a box that the picture of a HEIF file needs ends after the file.

    Data that phones append may be no box at all.
    """
    at = 0
    while at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if size == 1:  # the size follows in eight bytes
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        if kind in {b"ftyp", b"meta", b"mdat", b"moov"} and at + size > len(data):
            return True
        at = at + max(size, 8) if size else len(data)  # 0: up to the end of the file
    return False


def _open_jpeg(data: bytes, name: str) -> Photo:
    jpeg = read_jpeg(data)
    size_wh = jpeg.header.size
    _check_size(size_wh, name)
    if jpeg.scans * size_wh[0] * size_wh[1] > LIMIT_SCANNED_PX:
        raise SlowPhotoError(name, int(LIMIT_SECONDS))
    orientation = _orientation(jpeg.header)
    size_wh = size_wh[::-1] if orientation >= 5 else size_wh
    factor = shrink_factor(parts(size_wh)[0][1])
    working = _turned(jpeg.pixels(factor=factor), orientation)
    return Photo(name, size_wh, working, partial(_whole_jpeg, data))


def _whole_jpeg(data: bytes) -> Pixels:
    jpeg = read_jpeg(data)
    return _turned(jpeg.pixels(), _orientation(jpeg.header))


def _open_other(data: bytes, name: str, opener: Callable[[io.BytesIO], Image.Image]) -> Photo:
    """Return the photo of a picture that Pillow decodes."""
    with opener(io.BytesIO(data)) as header:
        is_webp = isinstance(header, WebPImagePlugin.WebPImageFile)
        _check_size(header.size, name, limit_px=LIMIT_WEBP_PX if is_webp else LIMIT_PX)
        image = _upright(header)
    height, width = image.shape[:2]
    factor = shrink_factor(parts((width, height))[0][1])
    size = (-(-width // factor), -(-height // factor))
    working = shrunk(image, size) if factor > 1 else image
    photo = Photo(name, (width, height), working, partial(_whole_other, data, opener))
    vars(photo)["image_bgr"] = image  # this process need not decode it again
    return photo


def _whole_other(data: bytes, opener: Callable[[io.BytesIO], Image.Image]) -> Pixels:
    with opener(io.BytesIO(data)) as header:
        return _upright(header)


def _upright(header: Image.Image) -> Pixels:
    header.load()
    return _turned(_bgr(header), _orientation(header))


def _orientation(picture: Image.Image) -> int:
    """EXIF orientation, 1 to 8, from the EXIF or XMP data that Pillow reads; 1 if broken."""
    try:
        found = picture.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # noqa: BLE001  Pillow has no common error for broken EXIF data
        return 1
    return found if found in _TURNS else 1


def _turned(pixels: Pixels, orientation: int) -> Pixels:
    turn = _TURNS.get(orientation)
    return pixels if turn is None else np.asarray(turn(pixels), np.uint8)


def _bgr(picture: Image.Image) -> Pixels:
    """The pixels of any colour mode as they are stored: height x width x 3, BGR, 0 to 255."""
    width, height = picture.size
    pixels = np.empty((height, width, 3), np.uint8)
    rows = max(1, _STRIP_PX // max(1, width))
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(height, top + rows)))
        pixels[top : top + rows] = _rgb(strip)[..., ::-1]
    return pixels


def _rgb(image: Image.Image) -> npt.NDArray[Any]:
    """Return any colour mode as 8-bit RGB."""
    if image.mode.startswith("I"):  # one channel of 16 bits
        return np.repeat((np.asarray(image) >> 8).astype(np.uint8)[..., None], 3, axis=2)
    if image.has_transparency_data:
        under = Image.new("RGBA", image.size, (MATTE, MATTE, MATTE, 255))
        return np.asarray(Image.alpha_composite(under, image.convert("RGBA")).convert("RGB"))
    return np.asarray(image.convert("RGB"))
