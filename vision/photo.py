"""A file as a phone sends it -> an upright photo.

Pillow reads the headers of all formats and decodes all but JPEG. JPEG is decoded by simplejpeg:
Pillow says nothing of data that are missing in the middle, which libjpeg warns of, and takes four
times as long for a whole photo. A JPEG is decoded at the scale the networks need; the full picture
is decoded when somebody asks for it. Nothing is decoded before its size is known.
"""

import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import simplejpeg
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
    JPEG_END,
    JPEG_PROGRESSIVE,
    JPEG_SCAN,
    Format,
    JpegFrame,
    breaks_off,
    format_of,
    jpeg_frame,
    jpeg_segments,
    plain_png,
    stated_size,
)

LIMIT_PX = 60_000_000
"""The most pixels that are read: a larger header is refused before decoding."""
LIMIT_SCANNED_PX = 600_000_000
"""The most pixels of a JPEG times its scans, ten in a usual progressive one: each scan passes over
the whole picture, so a small file of many scans takes a minute."""
LIMIT_BYTES = 100_000_000
"""The most bytes of a file that are read."""
WORKING_PX = 1600
"""The working picture's long side is never shrunk below this."""
STORED_PX = 1600
"""Pixels. The long side of the picture that is stored, or of a panorama's part, is not longer."""
PANORAMA = 4
"""From this ratio of its sides on a photo is a panorama, which is read in parts."""
STORED_QUALITY = 82
"""Its JPEG quality, 0 to 100."""
MATTE = 118
"""Gray laid under transparent pixels: neither card white nor black."""

_FACTORS = (1, 2, 4, 8)
"""How far a JPEG can be shrunk while it is decoded."""
_STRIP_PX = 4_000_000
"""Pixels converted at a time: a large picture needs little memory beside itself."""
_CUT = re.compile("truncat|premature|unexpected end|end of", re.IGNORECASE)
"""What decoders say of a picture whose end is missing."""

_FILLED = 128
"""The gray that libjpeg puts where the data end before the picture does."""
_NO_PIXELS = frozenset({*range(0xE0, 0xF0), 0xFE}) - {0xEE}
"""Segments of a JPEG that the pixels do not need: comments and what applications add, except
Adobe's (0xEE), which names the colour space."""
_WHOLE_SCAN = bytes([0, 63, 0])
"""The last bytes of a scan's header, in a JPEG that is not progressive (ITU-T T.81, B.2.3)."""
_ADOBE = b"\0\x0eAdobe"
"""How the segment of Adobe begins; its last byte is the transform."""
_TRANSFORMS = {3: (0, 1), 4: (0, 2)}
"""For each number of channels the transforms that there are, the usual one last."""
_HARMLESS = re.compile("Inconsistent progression sequence")
"""Warnings of libjpeg that a whole picture may give even so."""
_SURPLUS = re.compile(r"(\d+) extraneous bytes before marker 0x(\w\w)")
_MOST_SURPLUS = 7
"""Some encoders leave a few bytes behind a scan."""

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
"""For each orientation of EXIF but the upright one: what turns the pixels upright."""


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
"""Each format's own class instead of `Image.open`, which asks for the formats by their major brand
alone and refuses large pictures by limits of the whole process. Of an animation it opens the first
picture."""


@dataclass(frozen=True, eq=False)
class Pyramid:
    """A picture at falling sizes, each made from the one before when it is first asked for."""

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
        """To another process goes what was given, not what was made of it."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

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
    form = format_of(data)
    if form in UNSUPPORTED:
        raise UnsupportedPhotoError(name, FileKind(form))
    if not isinstance(form, Format):
        raise NotAPhotoError(name, form)
    try:
        return _open_jpeg(data, name) if form is Format.JPEG else _open_other(data, name, form)
    except VisionError:
        raise
    except Exception as error:  # decoders have no common error
        if breaks_off(data, form) or _CUT.search(str(error)):
            raise TruncatedPhotoError(name, len(data)) from error
        raise DamagedPhotoError(name, form) from error


def shrink_factor(long_side_px: int) -> int:
    """The factor by which a photo is shrunk to the working picture: 1, 2, 4 or 8.

    >>> [shrink_factor(side) for side in (640, 1600, 4032, 8000)]
    [1, 1, 2, 4]
    """
    return max(factor for factor in _FACTORS if factor == 1 or long_side_px >= factor * WORKING_PX)


def parts(size_wh: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Where the parts begin and end in which a photo is read, along its long side.

    A panorama's are three times as long as its short side, and each shares a third with the next:
    what one cuts off lies whole in another.

    >>> parts((1600, 1200)), parts((900, 4000))
    (((0, 1600),), ((0, 2700), (1300, 4000)))
    """
    long, short = max(size_wh), min(size_wh)
    if long < PANORAMA * short:
        return ((0, long),)
    ends = [*range(3 * short, long, 2 * short), long]
    return tuple((end - 3 * short, end) for end in ends)


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


def stored_photo(image_bgr: Pixels) -> bytes:
    """The JPEG of a photo that is stored, enough to look at each card again.

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


def _check_size(size_wh: tuple[int, int], name: str) -> None:
    if size_wh[0] * size_wh[1] > LIMIT_PX:
        raise PhotoTooLargeError(name, size_wh=size_wh, limit_px=LIMIT_PX)


def _open_jpeg(data: bytes, name: str) -> Photo:
    frame = jpeg_frame(data)
    if frame is None:
        raise TruncatedPhotoError(name, len(data))
    _check_size(frame.size_wh, name)
    if breaks_off(data, Format.JPEG):
        if frame.marker == JPEG_PROGRESSIVE:  # it could lack whole scans
            raise TruncatedPhotoError(name, len(data))
        data += bytes([0xFF, JPEG_END])  # perhaps this alone is missing
    scans = sum(marker == JPEG_SCAN for marker, _ in jpeg_segments(data))
    if not frame.is_usual or scans * frame.size_wh[0] * frame.size_wh[1] > LIMIT_SCANNED_PX:
        raise UnsupportedPhotoError(name, FileKind.RARE_JPEG)
    with _OPENERS[Format.JPEG](io.BytesIO(data)) as header:
        orientation = _orientation(header)

    size_wh = frame.size_wh[::-1] if orientation >= 5 else frame.size_wh
    decode = partial(_upright_jpeg, data, frame, orientation)
    return Photo(name, size_wh, decode(factor=shrink_factor(parts(size_wh)[0][1])), decode)


def _open_other(data: bytes, name: str, form: Format) -> Photo:
    """The photo of a picture that Pillow decodes."""
    _check_size(stated_size(data, form), name)
    if form in {Format.HEIF, Format.AVIF} and breaks_off(data, form):
        raise TruncatedPhotoError(name, len(data))  # libheif would leave its tiles out
    if form is Format.PNG:
        data = plain_png(data)
    with _OPENERS[form](io.BytesIO(data)) as header:
        _check_size(header.size, name)
        image = _upright(header)
    height, width = image.shape[:2]
    factor = shrink_factor(parts((width, height))[0][1])
    size = (-(-width // factor), -(-height // factor))
    working = shrunk(image, size) if factor > 1 else image
    photo = Photo(name, (width, height), working, partial(_decoded, data, form))
    vars(photo)["image_bgr"] = image  # in this process it need not be decoded again
    return photo


def _decoded(data: bytes, form: Format) -> Pixels:
    with _OPENERS[form](io.BytesIO(data)) as header:
        return _upright(header)


def _upright(header: Image.Image) -> Pixels:
    header.load()
    return _turned(_bgr(header), _orientation(header))


def _orientation(picture: Image.Image) -> int:
    """1 to 8 as in EXIF, from the EXIF or XMP data that Pillow reads; 1 where they are broken."""
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
    white = 65535.0  # in a picture of one deep channel
    if picture.mode == "F":
        brightest = float(np.asarray(picture.getextrema(), float).max())
        white = brightest if 1.0 < brightest < np.inf else 1.0
    pixels = np.empty((height, width, 3), np.uint8)
    rows = max(1, _STRIP_PX // max(1, width))
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(height, top + rows)))
        pixels[top : top + rows] = _rgb(strip, white=white)[..., ::-1]
    return pixels


def _rgb(image: Image.Image, *, white: float) -> npt.NDArray[Any]:
    """Any colour mode as 8-bit RGB."""
    if image.mode.startswith("I;16") or image.mode in {"I", "F"}:
        deep = np.nan_to_num(np.asarray(image).astype(np.float32) * (255.0 / white))
        return np.repeat(np.clip(deep, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
    if image.has_transparency_data:
        under = Image.new("RGBA", image.size, (MATTE, MATTE, MATTE, 255))
        return np.asarray(Image.alpha_composite(under, image.convert("RGBA")).convert("RGB"))
    return np.asarray(image.convert("RGB"))


def _upright_jpeg(data: bytes, frame: JpegFrame, orientation: int, *, factor: int = 1) -> Pixels:
    width, height = (-(-side // factor) for side in frame.size_wh)
    pixels = _jpeg_pixels(data, width, height, colorspace="CMYK" if frame.channels == 4 else "BGR")
    if frame.channels == 4:  # Adobe stores how much of each colour is left
        black = cv2.merge([pixels[..., 3]] * 3)
        pixels = np.asarray(cv2.multiply(pixels[..., 2::-1], black, scale=1 / 255), np.uint8)
    return _turned(pixels, orientation)


def _jpeg_pixels(data: bytes, width: int, height: int, *, colorspace: str) -> Pixels:
    """The pixels of a JPEG as they are stored, at least so large, in a colour space.

    libjpeg reads on after damage and warns. It warns of harmless oddities, too: a wrong length in
    the header, an odd number at the start of a scan. So a picture that it warns of is decoded once
    more without anything that the pixels do not need. If it still warns, the picture is damaged.

    Raises:
        ValueError: Data are missing or wrong; the message speaks of an end if all after some row
            are missing.
    """

    def decoded(jpeg: bytes, *, strict: bool = True) -> Pixels:
        return np.asarray(
            simplejpeg.decode_jpeg(
                jpeg, colorspace=colorspace, min_width=width, min_height=height, strict=strict
            ),
            np.uint8,
        )

    try:
        return decoded(data)
    except ValueError:
        pass  # damage, or an oddity
    plain = _without_oddities(data)
    try:
        return decoded(plain)
    except ValueError as error:
        warning = str(error)
    pixels = decoded(plain, strict=False)
    if not _is_damage(warning, data):
        return pixels
    is_cut = "premature end" in warning.lower() and bool((pixels[-1] == _FILLED).all())
    raise ValueError("premature end" if is_cut else "damaged data")


def _is_damage(warning: str, data: bytes) -> bool:
    """Whether a warning of libjpeg about a picture without oddities means damage."""
    if surplus := _SURPLUS.search(warning):
        end = data.find(b"\xff" + bytes.fromhex(surplus[2]), data.find(b"\xff\xda"))
        padding = data[max(0, end - int(surplus[1])) : end]
        return int(surplus[1]) > _MOST_SURPLUS and bool(padding.strip(b"\0\xff"))
    return not _HARMLESS.search(warning)


def _without_oddities(data: bytes) -> bytes:
    """The same JPEG without what its pixels do not need.

    What lies between the segments of the header is left out, as are comments. In a JPEG that is
    not progressive the numbers at the start of a scan, which have no meaning there, are put right,
    as is a transform of Adobe's that does not exist.
    """
    frame = jpeg_frame(data)
    progressive = frame is not None and frame.marker == JPEG_PROGRESSIVE
    parts = [data[:2]]
    for (marker, at), (_, after) in pairwise([*jpeg_segments(data), (JPEG_END, len(data) + 2)]):
        end = at + int.from_bytes(data[at : at + 2], "big")
        if marker == JPEG_END:
            parts.append(data[at - 2 : at])
        elif marker == JPEG_SCAN:
            header = data[at - 2 : end] if progressive else data[at - 2 : end - 3] + _WHOLE_SCAN
            parts += [header, data[end : after - 2]]
        elif data[at : at + 7] == _ADOBE and frame is not None:
            known = _TRANSFORMS.get(frame.channels, ())
            segment = data[at - 2 : end]
            parts.append(segment if segment[-1] in known else segment[:-1] + bytes(known[-1:]))
        elif marker not in _NO_PIXELS:
            parts.append(data[at - 2 : end])
    return b"".join(parts)
