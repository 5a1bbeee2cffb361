"""Coppe: red chalices with golden rims, and the great covered cup of the ace."""

from assets.drawing.palette import (
    BLUE,
    GOLD,
    GOLD_LIGHT,
    GREEN,
    GREEN_LIGHT,
    INK,
    RED,
    RED_DARK,
)
from assets.drawing.svg import circle, ellipse, group, leaf, moved, path


def cup() -> str:
    """Gives a chalice about the origin, 88 wide and 108 tall.

    >>> cup().startswith("<g ")
    True
    """
    return group(
        path("M-34,53C-34,42-12,42-8,32V20H8V32C12,42 34,42 34,53Z", GOLD),
        path("M-41,-42C-42,2-20,16 0,16C20,16 42,2 41,-42Z", RED),
        path("M-36,-8C-28,6-14,16 0,16C14,16 28,6 36,-8L24,-2 12,-12 0,0-12,-12-24,-2Z", GOLD),
        path("M-30,-26V-14M30,-26V-14", stroke=RED_DARK, stroke_width=4),
        ellipse((0, 22), (14, 7), fill=BLUE),
        ellipse((0, -42), (42, 11), fill=GOLD_LIGHT),
        ellipse((0, -41), (33, 6), fill=RED_DARK, stroke_width=2),
        circle((0, -17), 6, fill=GOLD_LIGHT, stroke_width=2),
        path("M-24,49H24", stroke=GOLD_LIGHT, stroke_width=3),
        stroke=INK,
        stroke_width=3.5,
    )


def great_cup() -> str:
    """Gives the ace: a covered cup with two handles and flowers, about the origin.

    >>> great_cup().count("<g ")
    2
    """
    side = _handle() + _spray()
    return group(
        side,
        group(side, transform=moved((0, 0), mirror=True)),
        _foot(),
        _bowl(),
        _lid(),
        stroke=INK,
        stroke_width=3.5,
    )


def _handle() -> str:
    curl = "M-62,-34C-98,-60-112,-12-84,8C-74,16-62,16-52,10"
    return path(curl, stroke_width=14) + path(curl, stroke=GOLD, stroke_width=8)


def _spray() -> str:
    stem = path("M-18,150C-60,150-92,120-88,72", stroke=GREEN, stroke_width=5)
    leaves = "".join(
        leaf(root, tip, fill=GREEN_LIGHT, width=17)
        for root, tip in (
            ((-50, 144), (-52, 112)),
            ((-66, 134), (-94, 146)),
            ((-82, 112), (-62, 88)),
            ((-86, 100), (-110, 104)),
        )
    )
    petals = "".join(
        circle((-88 + x, 58 + y), 10, fill=RED)
        for x, y in ((0, -13), (13, -2), (8, 12), (-8, 12), (-13, -2))
    )
    return stem + leaves + petals + circle((-88, 59), 7, fill=GOLD_LIGHT)


def _foot() -> str:
    return group(
        path("M-64,160C-62,132-22,132-16,104V70H16V104C22,132 62,132 64,160Z", GOLD),
        path("M-70,160H70V176H-70Z", RED),
        ellipse((0, 92), (26, 13), fill=BLUE),
        path("M-40,148C-20,140 20,140 40,148", stroke=GOLD_LIGHT, stroke_width=4),
    )


def _bowl() -> str:
    scallops = "M-66,10C-54,48-28,72 0,72C28,72 54,48 66,10L44,24 22,2 0,26-22,2-44,24Z"
    return group(
        path("M-70,-44C-74,30-36,72 0,72C36,72 74,30 70,-44Z", RED),
        path(scallops, GOLD),
        path("M-71,-44C-40,-28 40,-28 71,-44L70,-22C40,-8-40,-8-70,-22Z", BLUE),
        "".join(
            circle((x, y), 5.5, fill=GOLD_LIGHT, stroke_width=2)
            for x, y in ((-50, -23), (-25, -18), (0, -17), (25, -18), (50, -23))
        ),
        path("M-22,34-16,58M22,34 16,58M0,42V64", stroke=RED_DARK, stroke_width=4),
    )


def _lid() -> str:
    return group(
        ellipse((0, -46), (74, 14), fill=GOLD_LIGHT),
        path("M-62,-50C-60,-92-24,-92-14,-116H14C24,-92 60,-92 62,-50C30,-40-30,-40-62,-50Z", RED),
        path("M-62,-50C-30,-40 30,-40 62,-50L60,-62C30,-54-30,-54-60,-62Z", GOLD),
        path(
            "M-30,-68Q-26,-86-12,-94M30,-68Q26,-86 12,-94M0,-62V-96",
            stroke=RED_DARK,
            stroke_width=4,
        ),
        ellipse((0, -118), (22, 8), fill=GOLD),
        path("M-13,-124C-22,-146-8,-152 0,-174C8,-152 22,-146 13,-124Z", GOLD_LIGHT),
        path("M0,-128C-8,-140 0,-146 0,-156C2,-146 8,-140 0,-128Z", RED, stroke_width=2),
    )
