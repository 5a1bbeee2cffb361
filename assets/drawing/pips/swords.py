"""Spade: straight swords of blue steel with golden hilts, and the crowned sword of the ace."""

from assets.drawing.palette import (
    BLUE,
    GOLD,
    GOLD_LIGHT,
    GREEN,
    GREEN_LIGHT,
    INK,
    RED,
    RED_DARK,
    STEEL,
)
from assets.drawing.svg import circle, group, leaf, moved, path, rect


def sword() -> str:
    """Gives an upright sword about the origin, 176 tall, its blade up.

    >>> sword().count("<circle")
    3
    """
    return group(
        path("M0,-88C6,-78 8.5,-70 8.5,-60V38H-8.5V-60C-8.5,-70-6,-78 0,-88Z", STEEL),
        path("M0,-84C5,-76 7.5,-70 7.5,-60V38H0Z", BLUE, stroke="none"),
        path("M-6,44H6V70H-6Z", RED, stroke_width=2.5),
        path("M-6,53H6M-6,61H6", stroke=GOLD_LIGHT, stroke_width=2),
        path("M-17,36H17V46H-17Z", GOLD),
        circle((-19, 41), 6.5, fill=GOLD),
        circle((19, 41), 6.5, fill=GOLD),
        circle((0, 78), 9.5, fill=GOLD),
        stroke=INK,
        stroke_width=3,
    )


def great_sword() -> str:
    """Gives the ace: a broad sword through a crown, between laurels, about the origin.

    >>> great_sword().count("#") > 9
    True
    """
    laurel = _laurel()
    return group(
        laurel,
        group(laurel, transform=moved((0, 0), mirror=True)),
        _blade(),
        _crown(),
        _hilt(),
        stroke=INK,
        stroke_width=3.5,
    )


def _laurel() -> str:
    points = ((-34, 88), (-56, 62), (-68, 30), (-72, -4), (-68, -36))
    stem = path("M-14,104C-70,80-86,10-62,-62", stroke=GREEN, stroke_width=5)
    outer = "".join(leaf(p, (p[0] - 34, p[1] - 14), fill=GREEN_LIGHT, width=18) for p in points)
    inner = "".join(leaf(p, (p[0] + 20, p[1] - 32), fill=GREEN, width=18) for p in points[1:])
    berries = "".join(circle((x - 12, y + 12), 5, fill=RED, stroke_width=2) for x, y in points[1:])
    return stem + outer + inner + berries + leaf((-62, -60), (-52, -98), fill=GREEN_LIGHT, width=18)


def _blade() -> str:
    return group(
        path("M0,-192C14,-172 20,-156 20,-138V96H-20V-138C-20,-156-14,-172 0,-192Z", STEEL),
        path("M0,-188C12,-170 18,-156 18,-138V96H0Z", BLUE, stroke="none"),
        path("M0,-150V90", stroke_width=2.5),
    )


def _crown() -> str:
    return group(
        path("M-62,-22-74,-84-40,-58-26,-98 0,-62 26,-98 40,-58 74,-84 62,-22Q0,-2-62,-22Z", GOLD),
        path("M-63,-30Q0,-10 63,-30L60,-14Q0,6-60,-14Z", RED),
        "".join(
            circle(p, 6, fill=GOLD_LIGHT, stroke_width=2.5)
            for p in ((-74, -86), (-26, -100), (26, -100), (74, -86))
        ),
        "".join(
            circle(p, 4.5, fill=GOLD_LIGHT, stroke="none")
            for p in ((-40, -19), (-14, -13), (14, -13), (40, -19))
        ),
        circle((0, -38), 8, fill=RED_DARK, stroke_width=2.5),
    )


def _hilt() -> str:
    return group(
        rect((-13, 108), (26, 56), fill=RED),
        path("M-13,120 13,128M-13,134 13,142M-13,148 13,156", stroke=GOLD_LIGHT, stroke_width=4),
        path("M-64,92C-30,104 30,104 64,92L68,108C30,120-30,120-68,108Z", GOLD),
        circle((-70, 98), 13, fill=GOLD),
        circle((70, 98), 13, fill=GOLD),
        circle((0, 106), 12, fill=RED),
        circle((0, 176), 19, fill=GOLD),
        circle((0, 176), 8, fill=RED),
    )
