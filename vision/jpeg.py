"""JPEG decoded by simplejpeg, which reports missing data that Pillow ignores.

libjpeg continues after damage with a warning. It also warns of harmless oddities in headers, and
simplejpeg stops at the first warning. So libjpeg gets only the segments that the pixels need.
"""

import io
import re
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import simplejpeg
from PIL import Image, JpegImagePlugin

_MARKER = re.compile(rb"\xff([^\0\xff])")
_SCAN, _END, _ADOBE = 0xDA, b"\xff\xd9", 0xEE
_NO_PIXELS = frozenset({*range(0xE0, 0xF0), 0xFE}) - {_ADOBE}
"""Comments and application data, except Adobe's segment, which names the colours."""
_TRANSFORMS = {3: (0, 1), 4: (0, 2)}
"""Colour transforms that Adobe's segment may end with, by the number of channels."""
_WHOLE_SCAN = bytes([0, 63, 0])
"""End of a scan's header in a JPEG that is not progressive (ITU-T T.81, B.2.3)."""
_MOST_SEGMENTS = 5000
"""Real headers have fewer."""
_SURPLUS = re.compile(r"(\d+) extraneous bytes before marker 0x(\w\w)")
_MOST_SURPLUS = 7
"""Some encoders leave a few bytes after a scan."""


@dataclass(frozen=True)
class Jpeg:
    """A JPEG with its header parsed."""

    header: Image.Image
    """Size and orientation; its pixels cannot be loaded."""
    scans: int
    _plain: bytes
    """The same JPEG without segments that the pixels do not need."""

    def pixels(self, *, factor: int = 1) -> npt.NDArray[np.uint8]:
        """Return the pixels as stored, BGR, shrunk by a factor of 1, 2, 4 or 8.

        Raises:
            ValueError: Data are missing or wrong.
        """
        width, height = (-(-side // factor) for side in self.header.size)
        is_printed = self.header.mode == "CMYK"
        colorspace = "CMYK" if is_printed else "BGR"
        size = {"min_width": width, "min_height": height}
        try:
            pixels = simplejpeg.decode_jpeg(self._plain, colorspace=colorspace, **size)
        except ValueError as error:
            if _is_damage(str(error), self._plain):
                raise
            pixels = simplejpeg.decode_jpeg(
                self._plain, colorspace=colorspace, strict=False, **size
            )
        if is_printed:  # Adobe stores inverted ink
            pixels = cv2.multiply(
                pixels[..., 2::-1], cv2.merge([pixels[..., 3]] * 3), scale=1 / 255
            )
        return np.asarray(pixels, np.uint8)


def read_jpeg(data: bytes) -> Jpeg:
    """Parse the header of a JPEG and skip anything between its segments.

    Raises:
        ValueError: The header has no end.
        SyntaxError: Pillow cannot read it.
    """
    segments: list[tuple[int, bytes]] = []
    at = 2
    while len(segments) < _MOST_SEGMENTS and (marker := _MARKER.search(data, at)):
        length = int.from_bytes(data[marker.end() : marker.end() + 2], "big")
        at = marker.end() + length
        segments.append((marker[1][0], data[marker.start() : at]))
        if marker[1][0] == _SCAN:
            break
    else:
        raise ValueError("expected a scan, got none")
    whole = data[:2] + b"".join(segment for _, segment in segments)
    header = JpegImagePlugin.JpegImageFile(io.BytesIO(whole))
    is_progressive = "progressive" in header.info
    channels = len(header.getbands())
    needed = [
        segment
        for kind, segment in segments[:-1]
        if kind not in _NO_PIXELS
        and (kind != _ADOBE or segment[-1] in _TRANSFORMS.get(channels, ()))
    ]
    scan, rest = segments[-1][1], data[at:]
    if not is_progressive:
        scan = scan[: -len(_WHOLE_SCAN)] + _WHOLE_SCAN
        rest += _END  # often the only thing missing; a progressive file could lack whole scans
    plain = b"".join([data[:2], *needed, scan, rest])
    return Jpeg(header, 1 + rest.count(bytes([0xFF, _SCAN, 0])), plain)


def _is_damage(warning: str, data: bytes) -> bool:
    """Return whether a warning of libjpeg is about missing or wrong data."""
    if surplus := _SURPLUS.search(warning):
        end = data.find(b"\xff" + bytes.fromhex(surplus[2]), data.find(bytes([0xFF, _SCAN])))
        padding = data[max(0, end - int(surplus[1])) : end]
        return int(surplus[1]) > _MOST_SURPLUS and bool(padding.strip(b"\0\xff"))
    return "Inconsistent progression sequence" not in warning
