"""What a file is, told by its bytes: its format, whether it is whole, how large its picture is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum, unique
from itertools import islice
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import simplejpeg

from vision.errors import FileKind


@unique
class Format(StrEnum):
    """A format of pictures that is read."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    AVIF = "AVIF"
    HEIF = "HEIF"
    TIFF = "TIFF"
    BMP = "BMP"
    GIF = "GIF"


_FIRST_BYTES: tuple[tuple[bytes, Format | FileKind], ...] = (
    (rb"\xff\xd8\xff", Format.JPEG),
    (rb"\x89PNG\r\n", Format.PNG),
    (rb"RIFF....WEBP", Format.WEBP),
    (rb"II[*+]\0|MM\0[*+]", Format.TIFF),
    (rb"BM....\0\0\0\0", Format.BMP),
    (rb"GIF8", Format.GIF),
    (rb"FUJIFILMCCD-RAW|IIU\0|IIR[OS]|MMOR|FOVb|\0MRM|II\x1a\0\0\0HEAP", FileKind.RAW),
    (rb"\xff\x0a|....JXL ", FileKind.JPEG_XL),
    (rb"\xff\x4f\xff\x51|....jP  ", FileKind.JPEG_2000),
    (rb"RIFF....AVI |\x1aE\xdf\xa3|\0\0\x01\xba|....(moov|mdat|wide|free|skip)", FileKind.VIDEO),
    (rb"%PDF", FileKind.PDF),
    (rb"PK\x03\x04", FileKind.ARCHIVE),
    (rb"\s*(<\?xml[^>]*>\s*)?(<!--.{,200}?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg", FileKind.DRAWING),
)
"""Regular expressions of the first bytes. Formats in boxes that begin with `ftyp` are told by
their brands instead."""
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_HEIF_BRANDS = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}
    | {b"mif1", b"mif2", b"mif3", b"msf1", b"miaf", b"tmap"}
)
_RAW_BRANDS = frozenset({b"crx "})
_MOST_BRANDS = 64
_MOST_BOXES = 1000
"""No real file has more; a made-up one costs no more time."""
_LOOKED_AT = 512
"""First bytes of a file that say whether it is text."""


def format_of(data: bytes) -> Format | FileKind:
    """The format of a picture, or what else a file is.

    The boxes of HEIF, AVIF, CR3 and videos look alike: the brands in the first box tell them
    apart, the major and the compatible ones together (ISO/IEC 14496-12, section 4.3).

    >>> format_of(bytes.fromhex("ffd8ffe0")), format_of(b"a few words")
    (<Format.JPEG: 'JPEG'>, <FileKind.TEXT: 'a text file'>)
    >>> format_of(bytes.fromhex("00000014") + b"ftypmif1" + bytes(4) + b"avif")
    <Format.AVIF: 'AVIF'>
    """
    if data[4:8] == b"ftyp":
        return _format_by_brands(data)
    start = data[:_LOOKED_AT]
    for first_bytes, found in _FIRST_BYTES:
        if re.match(first_bytes, start, re.DOTALL):
            return found
    printable = all(byte >= 32 or byte in b"\t\n\r" for byte in start)
    return FileKind.TEXT if printable else FileKind.UNKNOWN


def breaks_off(data: bytes, form: Format) -> bool:
    """Whether a picture's own structure says that its end is missing.

    It is False for TIFF, whose parts may lie in any order, and for JPEG, see `jpeg.is_complete`.

    >>> breaks_off(b"RIFF" + bytes([99, 0, 0, 0]) + b"WEBP", Format.WEBP)
    True
    """
    if form in {Format.HEIF, Format.AVIF}:
        return any(end > len(data) for _, end in _boxes(data))
    if form is Format.PNG:
        return b"IEND" not in data
    if form is Format.GIF:
        return not data.endswith(b";")
    if form is Format.WEBP:
        return len(data) < 8 + int.from_bytes(data[4:8], "little")
    return form is Format.BMP and len(data) < int.from_bytes(data[2:6], "little")


def stated_size(data: bytes, form: Format) -> tuple[int, int]:
    r"""Width and height in the first bytes of a PNG, WebP or GIF, even where nothing follows.

    Zeros for other formats. The decoder of WebP reserves memory for the whole picture before it
    names the size.

    >>> stated_size(b"\x89PNG" + bytes(14) + bytes([1, 0, 0, 0, 2, 1]), Format.PNG)
    (256, 513)
    """
    if form is Format.PNG:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if form is Format.WEBP and data[12:16] == b"VP8X":
        width, height = data[24:27], data[27:30]
        return 1 + int.from_bytes(width, "little"), 1 + int.from_bytes(height, "little")
    if form is Format.GIF:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    return 0, 0


def _format_by_brands(data: bytes) -> Format | FileKind:
    end = min(int.from_bytes(data[:4], "big"), 16 + 4 * _MOST_BRANDS, len(data))
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, end, 4))}
    if brands & _RAW_BRANDS:
        return FileKind.RAW
    if brands & _AVIF_BRANDS:
        return Format.AVIF
    if brands & _HEIF_BRANDS:
        boxes = {kind for kind, _ in _boxes(data)}
        return FileKind.SEQUENCE if b"moov" in boxes and b"meta" not in boxes else Format.HEIF
    return FileKind.JPEG_XL if b"jxl " in brands else FileKind.VIDEO


def _boxes(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The type of each outermost box (ISO/IEC 14496-12) and the place at which it should end."""
    return islice(_all_boxes(data), _MOST_BOXES)


def _all_boxes(data: bytes) -> Iterator[tuple[bytes, int]]:
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:  # the size follows in eight bytes
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        elif size == 0:  # the last box, to the end of the file
            size = len(data) - at
        yield data[at + 4 : at + 8], at + size
        at += max(size, 8)


FILLED = 128
"""The gray that libjpeg puts where the data end before the picture does."""

_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")
"""A marker other than those within a scan: restarts and stuffed bytes."""
_END, _SCAN = 0xD9, 0xDA
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BASELINE, _EXTENDED, _PROGRESSIVE = 0xC0, 0xC1, 0xC2
_NO_PIXELS = frozenset({*range(0xE0, 0xF0), 0xFE}) - {0xEE}
"""Segments that the pixels do not need: comments and what applications add, except Adobe's
(0xEE), which names the colour space."""
_WHOLE_SCAN = bytes([0, 63, 0])
"""The last bytes of a scan's header, in a JPEG that is not progressive (ITU-T T.81, B.2.3)."""
_MOST_SEGMENTS = 5000
"""No real JPEG has more; a made-up one costs no more time."""

_HARMLESS = re.compile("Unknown Adobe color transform|Inconsistent progression sequence")
"""Warnings that a whole picture may give even so."""
_SURPLUS = re.compile(r"(\d+) extraneous bytes before marker 0x(\w\w)")
_MOST_SURPLUS = 7
"""Some encoders leave a few bytes behind a scan."""
_DATA_END = "premature end"
"""What libjpeg says when a scan has fewer data than pixels."""


@dataclass(frozen=True)
class Frame:
    """The header of a JPEG's picture."""

    marker: int
    """0xC0 to 0xCF: how it is coded."""
    precision_bits: int
    size_wh: tuple[int, int]

    @property
    def is_usual(self) -> bool:
        """Whether it is coded as cameras do: 8 bits, baseline, extended or progressive."""
        return self.precision_bits == 8 and self.marker in {_BASELINE, _EXTENDED, _PROGRESSIVE}


class JpegDamageError(ValueError):
    """The pixels of a JPEG cannot be trusted."""

    def __init__(self, warning: str, *, is_cut: bool) -> None:
        super().__init__(warning)
        self.is_cut = is_cut
        """Whether everything from some row on is missing."""


def frame_of(data: bytes) -> Frame | None:
    """The first frame of a JPEG, even where nothing follows it.

    >>> frame_of(bytes.fromhex("ffd8 ffc0 0011 08 0050 0078")).size_wh
    (120, 80)
    """
    for marker, at in _segments(data):
        if marker in _FRAMES:
            height, width = data[at + 3 : at + 5], data[at + 5 : at + 7]
            size_wh = int.from_bytes(width, "big"), int.from_bytes(height, "big")
            return Frame(marker, int.from_bytes(data[at + 2 : at + 3], "big"), size_wh)
    return None


def is_complete(data: bytes) -> bool:
    """Whether a JPEG's scans are followed by its end marker.

    Thumbnails inside the header have end markers of their own: segments are skipped by length.

    >>> start = bytes.fromhex("ffd8 ffda 0002")
    >>> is_complete(start + b"scan" + bytes.fromhex("ffd9")), is_complete(start + b"sc")
    (True, False)
    """
    return any(marker == _END for marker, _ in _segments(data))


def decode(data: bytes, size_wh: tuple[int, int], *, factor: int) -> npt.NDArray[np.uint8]:
    """The pixels as they are stored: height x width x 3, BGR, 0 to 255.

    Args:
        data: The file.
        size_wh: The size of its frame.
        factor: 1, 2, 4 or 8: how far the picture is shrunk while it is decoded.

    Raises:
        JpegDamageError: Data are missing or wrong.
    """
    width, height = (-(-side // factor) for side in size_wh)
    options = {"colorspace": "BGR", "min_width": width, "min_height": height}
    try:
        return _pixels(data, options)
    except ValueError:
        pass  # damage, or an oddity
    try:
        return _pixels(_without_oddities(data), options)
    except ValueError as error:
        warning = str(error)
    try:
        pixels = _pixels(data, options | {"strict": False})
    except ValueError as error:
        raise JpegDamageError(str(error), is_cut=False) from error
    if _is_damage(warning, data):
        is_cut = _DATA_END in warning.lower() and bool((pixels[-1] == FILLED).all())
        raise JpegDamageError(warning, is_cut=is_cut)
    return pixels


def _pixels(data: bytes, options: dict[str, Any]) -> npt.NDArray[np.uint8]:
    return np.asarray(simplejpeg.decode_jpeg(data, **options), np.uint8)


def _is_damage(warning: str, data: bytes) -> bool:
    """Whether a warning of libjpeg about a picture without oddities means damage."""
    if surplus := _SURPLUS.search(warning):
        end = data.find(b"\xff" + bytes.fromhex(surplus[2]), data.find(b"\xff\xda"))
        padding = data[max(0, end - int(surplus[1])) : end]
        return int(surplus[1]) > _MOST_SURPLUS and bool(padding.strip(b"\0\xff"))
    return not _HARMLESS.search(warning)


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Every marker of a JPEG and where its segment begins, from the first to the end marker."""
    return islice(_all_segments(data), _MOST_SEGMENTS)


def _all_segments(data: bytes) -> Iterator[tuple[int, int]]:
    at = 2
    while found := _MARKER.search(data, at):
        yield found[1][0], found.end()
        if found[1][0] == _END:
            return
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")


def _without_oddities(data: bytes) -> bytes:
    """The same picture without what its pixels do not need.

    What lies between the segments of the header is left out, as are comments. In a JPEG that is
    not progressive the numbers at the start of a scan, which have no meaning there, are put right.
    """
    frame = frame_of(data)
    places = list(_segments(data))
    parts = [data[:2]]
    for (marker, at), (_, after) in zip(places, [*places[1:], (_END, len(data) + 2)], strict=True):
        end = at + int.from_bytes(data[at : at + 2], "big")
        if marker == _END:
            parts.append(data[at - 2 : at])
        elif marker == _SCAN:
            progressive = frame is not None and frame.marker == _PROGRESSIVE
            header = data[at - 2 : end] if progressive else data[at - 2 : end - 3] + _WHOLE_SCAN
            parts += [header, data[end : after - 2]]
        elif marker not in _NO_PIXELS:
            parts.append(data[at - 2 : end])
    return b"".join(parts)


_PHOTOMETRIC, _SUB_DIRECTORIES, _DNG_VERSION = 262, 330, 50706
"""Tags of TIFF, of its supplement 1 and of DNG."""
_SENSOR_DATA = frozenset({32803, 34892})
"""Photometric interpretations of DNG: a colour filter array, linear raw."""
_MOST_DIRECTORIES = 32
_MOST_SUB_DIRECTORIES = 16


def is_raw(data: bytes) -> bool:
    """Whether any directory of a TIFF file describes sensor data. BigTIFF is never raw.

    The first picture of such a file is a small preview, so its size says nothing.

    >>> is_raw(b"II*" + bytes(5))
    False
    """
    if data[8:10] == b"CR":  # CR2, the raw files of Canon
        return True
    return any(
        _DNG_VERSION in tags or _SENSOR_DATA.intersection(tags.get(_PHOTOMETRIC, ()))
        for tags in islice(_directories(data), _MOST_DIRECTORIES)
    )


def _directories(data: bytes) -> Iterator[dict[int, tuple[int, ...]]]:
    """The numbers of each tag of interest, directory by directory."""
    order: Literal["little", "big"] = "little" if data[:2] == b"II" else "big"
    if int.from_bytes(data[2:4], order) != 42:
        return
    left = [int.from_bytes(data[4:8], order)]
    seen = set()
    while left:
        at = left.pop(0)
        if at in seen or not 8 <= at < len(data):
            continue
        seen.add(at)
        count = int.from_bytes(data[at : at + 2], order)
        tags = dict(_entry(data, at + 2 + 12 * n, order=order) for n in range(count))
        yield tags
        after = at + 2 + 12 * count
        left += [int.from_bytes(data[after : after + 4], order)]
        left += tags.get(_SUB_DIRECTORIES, ())


def _entry(data: bytes, at: int, *, order: Literal["little", "big"]) -> tuple[int, tuple[int, ...]]:
    """A tag and its numbers; those of types other than SHORT, LONG and IFD do not matter."""
    tag, kind, count = (
        int.from_bytes(data[at + start : at + end], order)
        for start, end in ((0, 2), (2, 4), (4, 8))
    )
    size = {3: 2, 4: 4, 13: 4}.get(kind)
    if size is None or tag not in {_PHOTOMETRIC, _SUB_DIRECTORIES}:
        return tag, ()
    count = min(count, _MOST_SUB_DIRECTORIES)
    start = at + 8
    if size * count > 4:
        start = int.from_bytes(data[start : start + 4], order)
    places = range(start, start + size * count, size)
    return tag, tuple(int.from_bytes(data[place : place + size], order) for place in places)
