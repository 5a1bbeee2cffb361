"""Digits and index letters as strokes, so that no card depends on a font."""

from assets.drawing.svg import Point, group, moved, path

HEIGHT = 36.0
"""How tall every glyph is before scaling."""

STROKES = {
    "0": "M11,0C-2,0-2,36 11,36C24,36 24,0 11,0Z",
    "1": "M4,8 13,0V36M5,36H21",
    "2": "M2,10C2,-4 21,-4 21,10C21,19 8,25 2,36H21",
    "3": "M3,0H19L10,13C18,13 21,18 21,24.5C21,39 4,40 2,28",
    "4": "M16,36V0L0,25H22",
    "5": "M19,0H5L3,16C9,11 21,12 21,24C21,39 4,40 1,29",
    "6": "M18,0C8,3 1,13 1,25C1,40 21,40 21,25C21,11 4,11 1,25",
    "7": "M1,0H21C14,12 9,24 8,36",
    "8": "M11,16.5C1,15 1,0 11,0C21,0 21,15 11,16.5C-3,18-3,36 11,36C25,36 25,18 11,16.5Z",
    "9": "M4,36C14,33 21,23 21,11C21,-4 1,-4 1,11C1,25 18,25 21,11",
    "A": "M0,36 11,0 22,36M4,24H18",
    "J": "M8,0H19M15,0V26C15,39 1,39 1,27",
    "Q": "M11,0C-2,0-2,36 11,36C24,36 24,0 11,0ZM12,25 22,38",
    "K": "M3,0V36M21,0 3,22M9,15 22,36",
}
"""The strokes of each glyph in a box 22 wide and 36 tall."""

ADVANCE = {"1": 24.0}
"""How far the next glyph starts, where it is not 29."""


def width(text: str) -> float:
    """Gives the width of a text before scaling.

    >>> width("7"), width("10")
    (22.0, 46.0)
    """
    return sum(ADVANCE.get(letter, 29.0) for letter in text[:-1]) + 22.0


def glyphs(text: str, at: Point, *, height: float, color: str, weight: float = 6) -> str:
    """Gives a text drawn as strokes, its top middle at a point.

    >>> glyphs("7", (0, 0), height=36, color="red").count("<path")
    1
    """
    scale = height / HEIGHT
    letters = "".join(
        path(STROKES[letter], transform=None if not start else moved((start, 0)))
        for letter, start in zip(text, _starts(text), strict=True)
    )
    corner = (at[0] - width(text) * scale / 2, at[1])
    return group(letters, transform=moved(corner, scale), stroke=color, stroke_width=weight)


def _starts(text: str) -> list[float]:
    return [sum(ADVANCE.get(letter, 29.0) for letter in text[:i]) for i in range(len(text))]
