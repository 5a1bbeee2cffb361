"""JPEG files: their frame, their end, their pixels, and what damage is.

libjpeg reads on after damage and warns. It warns of harmless oddities, too: a wrong length in
the header, an odd number at the start of a scan. So a picture that it warns of is decoded once
more without anything that the pixels do not need. If it still warns, the picture is damaged.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import simplejpeg

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
