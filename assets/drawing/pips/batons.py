"""Bastoni: thick green clubs with knobs and cut ends, and the great club of the ace."""

from assets.drawing.palette import (
    BROWN,
    GOLD,
    GOLD_LIGHT,
    GREEN,
    GREEN_DARK,
    GREEN_LIGHT,
    INK,
    RED,
    RED_DARK,
    TAN,
)
from assets.drawing.svg import Point, circle, ellipse, group, leaf, moved, path


def _knob(at: Point, size: float, *, turn_deg: float) -> str:
    """A cut branch that stands out from the wood."""
    return group(
        path("M-9,4-7,-10H7L9,4Z", GREEN),
        ellipse((0, -10), (7, 4), fill=TAN),
        transform=moved(at, size, turn_deg=turn_deg),
    )


def baton() -> str:
    """Gives an upright club about the origin, 172 tall, its thick end up.

    >>> baton().count("<ellipse")
    6
    """
    return group(
        _knob((-15, -48), 1, turn_deg=-62),
        _knob((17, -22), 1, turn_deg=62),
        _knob((-12, 10), 0.9, turn_deg=-62),
        _knob((12, 38), 0.8, turn_deg=62),
        path(
            "M-19,-78C-24,-50-15,-34-16,-18C-18,0-9,30-9,78C-9,86 9,86 9,78C9,36 18,4 17,-18"
            "C16,-36 24,-52 19,-78Z",
            GREEN,
        ),
        path("M-10,-66C-13,-48-7,-34-8,-18C-9,0-3,30-3,66", stroke=GREEN_LIGHT, stroke_width=5),
        path("M9,-58C10,-48 6,-40 7,-30M4,2C4,14 2,22 2,32", stroke=GREEN_DARK, stroke_width=3.5),
        ellipse((0, -78), (19, 8.5), fill=TAN),
        ellipse((0, -78), (9, 3.5), fill="none", stroke=BROWN, stroke_width=2),
        path("M-10,58C-4,62 4,62 10,58L9,70C4,74-4,74-9,70Z", RED, stroke_width=2.5),
        stroke=INK,
        stroke_width=3.5,
    )


def great_baton() -> str:
    """Gives the ace: one huge club with leaves and a red ribbon, about the origin.

    >>> great_baton().count("<path") > 15
    True
    """
    return group(
        _ribbon_behind(),
        _sprouts(),
        _knob((-40, -112), 2.1, turn_deg=-58),
        _knob((42, -62), 2.1, turn_deg=58),
        _knob((-32, 6), 1.9, turn_deg=-58),
        _knob((28, 66), 1.7, turn_deg=58),
        _trunk(),
        _ribbon_before(),
        stroke=INK,
        stroke_width=4,
    )


def _trunk() -> str:
    return group(
        path(
            "M-50,-166C-64,-112-38,-84-40,-44C-44,0-22,70-22,170C-22,186 22,186 22,170"
            "C22,80 46,6 42,-44C40,-86 64,-116 50,-166Z",
            GREEN,
        ),
        path(
            "M-30,-140C-38,-104-20,-80-22,-42C-24,2-10,70-10,150",
            stroke=GREEN_LIGHT,
            stroke_width=11,
        ),
        path(
            "M28,-128C32,-104 18,-84 20,-60M14,-20C14,10 8,24 8,50M-2,-120C-6,-100 2,-92 0,-72",
            stroke=GREEN_DARK,
            stroke_width=7,
        ),
        ellipse((0, -166), (50, 20), fill=TAN),
        ellipse((0, -166), (34, 12), fill="none", stroke=BROWN, stroke_width=3),
        ellipse((0, -166), (17, 5.5), fill="none", stroke=BROWN, stroke_width=3),
    )


def _sprouts() -> str:
    leaves = (
        ((46, -104), (96, -134), GREEN_LIGHT),
        ((46, -104), (104, -96), GREEN_LIGHT),
        ((-42, -50), (-94, -78), GREEN_LIGHT),
        ((-42, -50), (-102, -40), GREEN_LIGHT),
        ((36, 16), (88, -4), GREEN_LIGHT),
        ((36, 16), (92, 34), GREEN_LIGHT),
        ((-26, 66), (-76, 44), GREEN_LIGHT),
        ((-26, 66), (-80, 84), GREEN_LIGHT),
    )
    return "".join(leaf(root, tip, fill=fill, width=24) for root, tip, fill in leaves)


def _ribbon_behind() -> str:
    return path(
        "M-20,118C-60,100-96,112-100,146L-84,136-78,156C-72,136-50,128-20,140Z"
        "M20,118C60,100 96,112 100,146L84,136 78,156C72,136 50,128 20,140Z",
        RED_DARK,
    )


def _ribbon_before() -> str:
    return group(
        path("M-29,112C-10,122 10,122 29,112L28,140C10,150-10,150-28,140Z", RED),
        path("M-28,126C-10,136 10,136 28,126", stroke=GOLD_LIGHT, stroke_width=4),
        circle((0, 131), 8, fill=GOLD),
    )
