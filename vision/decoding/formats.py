"""What a file is, told by its bytes and never by its name."""

import re
from collections.abc import Iterator
from enum import StrEnum, unique
from itertools import islice

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
