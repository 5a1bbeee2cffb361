"""Denari: gold and red roundels, and the eagle of the ace."""

from assets.drawing.palette import BLUE, BLUE_DARK, GOLD, GOLD_LIGHT, INK, RED, RED_DARK
from assets.drawing.svg import Point, around, circle, group, leaf, moved, number, path


def rosette(outer: float, inner: float, *, petals: int, fill: str) -> str:
    """Gives a flower of round petals about the origin.

    >>> rosette(30, 12, petals=8, fill="gold").count("Q")
    16
    """
    tips = around(outer, petals)
    valleys = around(inner, petals, start_deg=-90 + 180 / petals)
    shoulders = around(outer * 1.02, petals * 4)
    d = f"M{_at(valleys[-1])}"
    for i, (tip, valley) in enumerate(zip(tips, valleys, strict=True)):
        d += f"Q{_at(shoulders[4 * i - 1])} {_at(tip)}"
        d += f"Q{_at(shoulders[4 * i + 1])} {_at(valley)}"
    return path(d + "Z", fill)


def _at(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"


def coin() -> str:
    """Gives a coin about the origin: rim, ring of beads, red field, gold rosette.

    >>> coin().count("<circle")
    5
    """
    return group(
        circle((0, 0), 48, fill=GOLD, stroke=INK, stroke_width=4),
        circle(
            (0, 0), 39.5, fill="none", stroke=GOLD_LIGHT, stroke_width=6, stroke_dasharray="0 8.27"
        ),
        circle((0, 0), 32, fill=RED, stroke=INK, stroke_width=3),
        group(rosette(28, 11, petals=8, fill=GOLD_LIGHT), stroke=RED_DARK, stroke_width=1.5),
        circle((0, 0), 9, fill=GOLD, stroke=INK, stroke_width=2.5),
        circle((0, 0), 3, fill=RED_DARK),
    )


def eagle() -> str:
    """Gives the ace: a crowned eagle about the origin that carries one great coin.

    >>> "scale(-1 1)" in eagle()
    True
    """
    wing = _wing()
    return group(
        group(
            _tail(),
            wing,
            group(wing, transform=moved((0, 0), mirror=True)),
            _head(),
            stroke=INK,
            stroke_width=3,
        ),
        group(coin(), transform=moved((0, 14), 1.5)),
    )


def _wing() -> str:
    """One spread wing on the left of the origin: long feathers under two rows of coverts."""
    tips = (
        (-52, -150),
        (-84, -128),
        (-102, -92),
        (-108, -50),
        (-108, -6),
        (-103, 36),
        (-94, 74),
        (-80, 106),
    )
    quills = "".join(
        leaf((-30, -62 + 9 * i), tip, fill=BLUE if i % 2 else BLUE_DARK, width=24)
        for i, tip in reversed(list(enumerate(tips)))
    )
    inner = ((-52, -112), (-72, -88), (-82, -56), (-86, -22), (-84, 12), (-78, 44))
    coverts = "".join(
        leaf((-22, -62 + 9 * i), tip, fill=RED, width=24)
        for i, tip in reversed(list(enumerate(inner)))
    )
    return quills + coverts


def _tail() -> str:
    feathers = "".join(
        leaf((x * 0.3, 70), (x, 176 - abs(x) * 0.45), fill=BLUE if i % 2 else BLUE_DARK, width=26)
        for i, x in enumerate((-58, 58, -32, 32, 0))
    )
    claws = path("M-40,78-50,112M-40,98-64,112M-42,98-40,118", stroke=GOLD, stroke_width=8)
    dark = path("M-40,78-50,112M-40,98-64,112M-42,98-40,118", stroke_width=13)
    one = dark + claws
    return feathers + one + group(one, transform=moved((0, 0), mirror=True))


def _head() -> str:
    return group(
        path(
            "M-34,-40C-26,-66-26,-84-22,-104C-18,-124 8,-130 20,-116C26,-108 24,-98 20,-92"
            "C18,-72 26,-58 34,-40Z",
            GOLD,
        ),
        path("M18,-118C34,-120 44,-110 42,-94C36,-102 28,-100 18,-99Z", RED),
        path(
            "M-14,-84Q-8,-78-2,-84M2,-74Q8,-68 14,-74M-16,-62Q-10,-56-4,-62M6,-56Q12,-50 18,-56",
            stroke_width=2,
        ),
        circle((8, -110), 3.6, fill=INK, stroke="none"),
        path(
            "M-20,-121-24,-148-10,-138 0,-156 10,-138 24,-148 20,-121Q0,-128-20,-121Z", GOLD_LIGHT
        ),
        circle((0, -133), 3.5, fill=RED, stroke="none"),
    )
