"""TIFF files that hold what a camera's sensor saw: DNG, CR2, NEF, ARW and their kind."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

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
