"""A file as a phone sends it -> an upright photo.

A JPEG is decoded at the scale the networks need (half the time of a full decode at 12 megapixels);
the full picture is decoded when somebody asks for it. Nothing is decoded before its size is known.
"""

import io
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import (
    AvifImagePlugin,
    BmpImagePlugin,
    ExifTags,
    GifImagePlugin,
    Image,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from vision.errors import (
    UNSUPPORTED,
    DamagedPhotoError,
    EmptyPhotoError,
    FileKind,
    FileTooLargeError,
    MissingPhotoError,
    NotAPhotoError,
    PhotoTooLargeError,
    TruncatedPhotoError,
    UnsupportedPhotoError,
    VisionError,
)
from vision.formats import (
    Format,
    JpegDamageError,
    breaks_off,
    decode,
    format_of,
    frame_of,
    is_complete,
    is_raw,
    stated_size,
)

LIMIT_PX = 60_000_000
"""The most pixels that are read: a larger header is refused before decoding."""
LIMIT_BYTES = 100_000_000
"""The most bytes of a file that are read."""
WORKING_PX = 1600
"""The working picture's long side is never shrunk below this."""

_FACTORS = (1, 2, 4, 8)
"""How far a JPEG can be shrunk while it is decoded."""
_CUT = re.compile("truncat|premature|unexpected end|end of", re.IGNORECASE)
"""What decoders say of a picture whose end is missing."""

Pixels = npt.NDArray[np.uint8]
"""A BGR picture: height x width x 3, 0 to 255."""


@dataclass(frozen=True, eq=False)
class Pyramid:
    """A picture at falling sizes, each made from the one before when it is first asked for."""

    bgr: Pixels
    """The picture at this size."""

    @cached_property
    def half(self) -> "Pyramid":
        """The picture at half this size."""
        return Pyramid(_halved(self.bgr))


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

    @cached_property
    def working(self) -> Pyramid:
        """The working picture and its smaller sizes."""
        return Pyramid(self.working_bgr)

    @cached_property
    def whole(self) -> Pyramid:
        """The whole photo at full resolution and its smaller sizes."""
        return Pyramid(self.image_bgr)


def open_photo(data: bytes | Path | str, name: str = "photo") -> Photo:
    """The photo in some bytes or at a path.

    Args:
        data: The file's bytes, or where it is.
        name: What to call it in messages; a path names itself.

    Raises:
        MissingPhotoError: The path cannot be read.
        EmptyPhotoError: There are no bytes.
        FileTooLargeError: There are more than `LIMIT_BYTES` of them.
        NotAPhotoError: It is not a picture.
        UnsupportedPhotoError: It is a picture of a format that is not read, such as a raw photo.
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
    if len(data) > LIMIT_BYTES:
        raise FileTooLargeError(name, size_bytes=len(data), limit_bytes=LIMIT_BYTES)
    form = _format(data, name)
    with _refusing(data, name, form=form):
        if form is Format.JPEG:
            return _open_jpeg(data, name)
        return _open_other(data, name, form=form)


def shrink_factor(long_side_px: int) -> int:
    """The factor by which a photo is shrunk to the working picture: 1, 2, 4 or 8.

    >>> [shrink_factor(side) for side in (640, 1600, 4032, 8000)]
    [1, 1, 2, 4]
    """
    return max(factor for factor in _FACTORS if factor == 1 or long_side_px >= factor * WORKING_PX)


def shrunk(picture: Pixels | Pyramid, size_wh: tuple[int, int]) -> Pixels:
    """A picture resized; where it gets smaller, every pixel counts in the average.

    It is halved first as often as possible, since halving is many times faster than other ratios.

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
    """A picture with its smaller sizes: those it has already, if it has any."""
    return picture if isinstance(picture, Pyramid) else Pyramid(picture)


def _halved(image: Pixels) -> Pixels:
    half = (max(1, image.shape[1] // 2), max(1, image.shape[0] // 2))
    return np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)


def _bytes_at(path: Path) -> bytes:
    """The file's bytes, one more than `LIMIT_BYTES` at most."""
    try:
        with path.open("rb") as file:
            return file.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise MissingPhotoError(path.name, (error.strerror or str(error)).lower()) from error


def _format(data: bytes, name: str) -> Format:
    found = format_of(data)
    if found is Format.TIFF and is_raw(data):
        found = FileKind.RAW
    if isinstance(found, Format):
        return found
    if found in UNSUPPORTED:
        raise UnsupportedPhotoError(name, found)
    raise NotAPhotoError(name, found)


@contextmanager
def _refusing(data: bytes, name: str, *, form: Format) -> Iterator[None]:
    """Turns whatever a decoder raises into our errors."""
    try:
        yield
    except VisionError:
        raise
    except Exception as error:  # decoders have no common error
        if breaks_off(data, form) or _CUT.search(str(error)):
            raise TruncatedPhotoError(name, len(data)) from error
        raise DamagedPhotoError(name, form) from error


def _check_size(size_wh: tuple[int, int], name: str) -> None:
    if size_wh[0] * size_wh[1] > LIMIT_PX:
        raise PhotoTooLargeError(name, size_wh=size_wh, limit_px=LIMIT_PX)


def _open_jpeg(data: bytes, name: str) -> Photo:
    frame = frame_of(data)
    if frame is not None:
        _check_size(frame.size_wh, name)
    if frame is None or not is_complete(data):
        raise TruncatedPhotoError(name, len(data))
    if not frame.is_usual:
        raise UnsupportedPhotoError(name, FileKind.RARE_JPEG)
    with header_of(data, Format.JPEG) as header:
        if header.mode not in {"RGB", "L"}:
            return _loaded(header, name)
        orientation = orientation_of(header)

    def pixels(factor: int) -> Pixels:
        return turned(decode(data, frame.size_wh, factor=factor), orientation=orientation)

    try:
        working = pixels(shrink_factor(max(frame.size_wh)))
    except JpegDamageError as damage:
        if damage.is_cut:
            raise TruncatedPhotoError(name, len(data)) from damage
        raise DamagedPhotoError(name, Format.JPEG) from damage
    size_wh = upright_size(frame.size_wh, orientation=orientation)
    return Photo(name, size_wh, working, lambda: pixels(1))


def _open_other(data: bytes, name: str, *, form: Format) -> Photo:
    _check_size(stated_size(data, form), name)
    with header_of(data, form) as header:
        _check_size(header.size, name)
        return _loaded(header, name)


def _loaded(header: Image.Image, name: str) -> Photo:
    """The photo of a picture that Pillow decodes."""
    header.load()
    image = turned(bgr(header), orientation=orientation_of(header))
    height, width = image.shape[:2]
    factor = shrink_factor(max(width, height))
    size = (-(-width // factor), -(-height // factor))
    working = shrunk(image, size) if factor > 1 else image
    return Photo(name, (width, height), working, lambda: image)


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


STORED_PX = 1600
"""Pixels. The kept picture's long side is not longer."""
STORED_QUALITY = 82
"""JPEG quality, 0 to 100."""


def stored_photo(image_bgr: Pixels) -> bytes:
    """A picture (H x W x 3, BGR), shrunk to `STORED_PX` if it is larger, as a JPEG.

    >>> stored_photo(np.zeros((8, 8, 3), np.uint8))[:2].hex()
    'ffd8'
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, STORED_PX / max(height, width))
    small = image_bgr
    if scale < 1.0:
        size_wh = (math.ceil(width * scale), math.ceil(height * scale))
        small = np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    _, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, STORED_QUALITY])
    return coded.tobytes()
