"""The format of a file, from its bytes and never from its name, and whether it is whole."""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
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
"""Regular expressions of the first bytes. Formats in boxes that begin with `ftyp` are known by
their brands instead."""
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_HEIF_BRANDS = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}
    | {b"mif1", b"mif2", b"mif3", b"msf1", b"miaf", b"tmap"}
)
_PICTURE_BOXES = frozenset({b"ftyp", b"meta", b"mdat", b"moov"})
"""Boxes that a picture needs; what phones put behind them may be no box at all."""
_MOST_BRANDS, _MOST_BOXES = 64, 1000
"""No real file has more; a made-up one costs no more time."""
_LOOKED_AT = 512
"""First bytes of a file that say whether it is text."""

# Tags of TIFF, of its supplement 1 and of DNG; types of numbers: SHORT, LONG and IFD.
_PHOTOMETRIC, _SUB_DIRECTORIES, _DNG_VERSION = 262, 330, 50706
_SENSOR_DATA = frozenset({32803, 34892})
"""Photometric interpretations of DNG: a colour filter array, linear raw."""
_NUMBER_TYPES = {3: "H", 4: "I", 13: "I"}
_MOST_DIRECTORIES, _MOST_SUB_DIRECTORIES = 32, 16

JPEG_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")
"""A marker other than those within a scan: restarts and stuffed bytes."""
JPEG_END, JPEG_SCAN = 0xD9, 0xDA
JPEG_BASELINE, JPEG_EXTENDED, JPEG_PROGRESSIVE = 0xC0, 0xC1, 0xC2
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PNG_XMP = b"iTXtXML:com.adobe.xmp\0\0"
"""How an XMP chunk begins that is not compressed."""
_LONGEST_TURN = 1_000_000
"""Bytes of EXIF or XMP data that are looked at."""
_MOST_CHUNKS = 100_000
_MOST_SEGMENTS = 5000
"""No real JPEG has more; a made-up one costs no more time."""


@dataclass(frozen=True)
class JpegFrame:
    """The header of a JPEG's picture."""

    marker: int
    """0xC0 to 0xCF: how it is coded."""
    precision_bits: int
    size_wh: tuple[int, int]
    channels: int
    """1 for gray, 3 for colours, 4 for the inks of a printer."""

    @property
    def is_usual(self) -> bool:
        """Whether it is coded as cameras do: 8 bits, baseline, extended or progressive."""
        usual = {JPEG_BASELINE, JPEG_EXTENDED, JPEG_PROGRESSIVE}
        return self.precision_bits == 8 and self.marker in usual


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
            return FileKind.RAW if found is Format.TIFF and _is_raw(data) else found
    printable = all(byte >= 32 or byte in b"\t\n\r" for byte in start)
    return FileKind.TEXT if printable else FileKind.UNKNOWN


def breaks_off(data: bytes, form: Format) -> bool:
    """Whether a picture's own structure says that its end is missing.

    It is False for TIFF, whose parts may lie in any order.

    >>> breaks_off(b"RIFF" + bytes([99, 0, 0, 0]) + b"WEBP", Format.WEBP)
    True
    """
    match form:
        case Format.JPEG:
            return all(marker != JPEG_END for marker, _ in jpeg_segments(data))
        case Format.HEIF | Format.AVIF:
            return any(end > len(data) for kind, end in _boxes(data) if kind in _PICTURE_BOXES)
        case Format.PNG:
            return b"IEND" not in data
        case Format.GIF:
            return not data.endswith(b";")
        case Format.WEBP:
            return len(data) < 8 + int.from_bytes(data[4:8], "little")
        case Format.BMP:
            return len(data) < int.from_bytes(data[2:6], "little")
    return False


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


def jpeg_frame(data: bytes) -> JpegFrame | None:
    """The first frame of a JPEG, even where nothing follows it.

    >>> jpeg_frame(bytes.fromhex("ffd8 ffc0 0011 08 0050 0078")).size_wh
    (120, 80)
    """
    for marker, at in jpeg_segments(data):
        if marker in _JPEG_FRAMES:
            height, width = data[at + 3 : at + 5], data[at + 5 : at + 7]
            size_wh = int.from_bytes(width, "big"), int.from_bytes(height, "big")
            precision, channels = data[at + 2 : at + 3], data[at + 7 : at + 8]
            bits, count = int.from_bytes(precision, "big"), int.from_bytes(channels, "big")
            return JpegFrame(marker, bits, size_wh, count)
    return None


def jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Every marker of a JPEG and where its segment begins, from the first to the end marker.

    Thumbnails inside the header have end markers of their own: segments are skipped by length.
    """
    at = 2
    for _ in range(_MOST_SEGMENTS):
        found = JPEG_MARKER.search(data, at)
        if found is None:
            return
        yield found[1][0], found.end()
        if found[1][0] == JPEG_END:
            return
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")


def plain_png(data: bytes) -> bytes:
    r"""A PNG without what neither its pixels nor its turn need, such as long texts.

    Decoders refuse a whole picture for a chunk beside it that is too long or has a wrong checksum.

    >>> plain_png(b"\x89PNG\r\n\x1a\n" + bytes([0, 0, 0, 1]) + b"tEXtx" + bytes(4))
    b'\x89PNG\r\n\x1a\n'
    """
    parts, at = [data[:8]], 8
    for _ in range(_MOST_CHUNKS):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if kind[:1].isupper() or kind == b"tRNS" or _tells_turn(data[at:end]):
            parts.append(data[at:end])
        if kind == b"IEND" or end >= len(data):
            break
        at = end
    return b"".join(parts)


def _tells_turn(chunk: bytes) -> bool:
    """Whether a chunk of a PNG may say which way up it is, and is short and whole."""
    may = chunk[4:8] == b"eXIf" or chunk[4:].startswith(_PNG_XMP)
    whole = zlib.crc32(chunk[4:-4]).to_bytes(4, "big") == chunk[-4:]
    return may and whole and len(chunk) <= _LONGEST_TURN


def _format_by_brands(data: bytes) -> Format | FileKind:
    end = min(int.from_bytes(data[:4], "big"), 16 + 4 * _MOST_BRANDS, len(data))
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, end, 4))}
    if b"crx " in brands:
        return FileKind.RAW
    if brands & _AVIF_BRANDS:
        return Format.AVIF
    if brands & _HEIF_BRANDS:
        boxes = {kind for kind, _ in _boxes(data)}
        return FileKind.SEQUENCE if b"moov" in boxes and b"meta" not in boxes else Format.HEIF
    return FileKind.JPEG_XL if b"jxl " in brands else FileKind.VIDEO


def _boxes(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The type of each outermost box (ISO/IEC 14496-12) and the place at which it should end."""
    at = 0
    for _ in range(_MOST_BOXES):
        if at + 8 > len(data):
            return
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:  # the size follows in eight bytes
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        elif size == 0:  # the last box, to the end of the file
            size = len(data) - at
        yield data[at + 4 : at + 8], at + size
        at += max(size, 8)


def _is_raw(data: bytes) -> bool:
    """Whether any directory of a TIFF file describes sensor data, as those of DNG, NEF and ARW do.

    The first picture of such a file is a small preview, so its size says nothing. BigTIFF is never
    raw.
    """
    if data[8:10] == b"CR":  # CR2, the raw files of Canon
        return True
    return any(
        _DNG_VERSION in tags or _SENSOR_DATA.intersection(tags.get(_PHOTOMETRIC, ()))
        for tags in islice(_directories(data), _MOST_DIRECTORIES)
    )


def _directories(data: bytes) -> Iterator[dict[int, tuple[int, ...]]]:
    """The tags of each directory of a TIFF file, with the numbers of those that matter here."""
    order = "<" if data[:2] == b"II" else ">"
    if len(data) < 8 or data[2:4] not in (b"*\0", b"\0*"):
        return
    left = list(struct.unpack_from(order + "I", data, 4))
    seen: set[int] = set()
    while left:
        at = left.pop(0)
        if at in seen or not 8 <= at <= len(data) - 2:
            continue
        seen.add(at)
        (count,) = struct.unpack_from(order + "H", data, at)
        entries = data[at + 2 : at + 2 + 12 * count]
        whole = entries[: len(entries) // 12 * 12]
        tags = {
            tag: _numbers(data, order, kind=kind, count=number, value=value)
            if tag in {_PHOTOMETRIC, _SUB_DIRECTORIES}
            else ()
            for tag, kind, number, value in struct.iter_unpack(order + "HHI4s", whole)
        }
        yield tags
        after = data[at + 2 + 12 * count :][:4]
        left += struct.unpack(order + "I", after) if len(after) == 4 else ()
        left += tags.get(_SUB_DIRECTORIES, ())


def _numbers(data: bytes, order: str, *, kind: int, count: int, value: bytes) -> tuple[int, ...]:
    """The numbers of a tag: in its entry, or where that points; none of another type."""
    if kind not in _NUMBER_TYPES:
        return ()
    form = f"{order}{min(count, _MOST_SUB_DIRECTORIES)}{_NUMBER_TYPES[kind]}"
    if (size := struct.calcsize(form)) > 4:
        (start,) = struct.unpack(order + "I", value)
        value = data[start : start + size]
    return struct.unpack(form, value[:size]) if len(value) >= size else ()
