"""The back of both decks: a terracotta lattice with seven coins, the same both ways up."""

from assets.drawing.palette import EDGE, GOLD, GOLD_LIGHT, INK, PAPER, TERRACOTTA
from assets.drawing.pips.coins import coin
from assets.drawing.svg import (
    Point,
    around,
    circle,
    document,
    element,
    group,
    moved,
    path,
    rect,
    use,
)


def card_back(size_wh: Point, *, corner: float) -> str:
    """Gives the whole SVG file of a back for one card size.

    >>> card_back((250, 470), corner=18).count("<use")
    7
    """
    width, height = size_wh
    identity = f"b{int(width)}"
    field = ((14.0, 14.0), (width - 28, height - 28))
    return document(
        size_wh,
        element("defs", _lattice(f"{identity}l"), group(coin(), id=f"{identity}c")),
        rect((1, 1), (width - 2, height - 2), rx=corner, fill=PAPER, stroke=EDGE, stroke_width=2),
        rect(*field, rx=8, fill=TERRACOTTA),
        rect(*field, rx=8, fill=f"url(#{identity}l)", stroke=INK, stroke_width=2),
        rect(
            (22, 22),
            (width - 44, height - 44),
            rx=5,
            fill="none",
            stroke=GOLD_LIGHT,
            stroke_width=2.5,
        ),
        group(_medallion(f"{identity}c"), transform=moved((width / 2, height / 2))),
        title="back",
    )


def _lattice(identity: str) -> str:
    return element(
        "pattern",
        path("M0,12 12,0 24,12 12,24Z", stroke="#d98a6a", stroke_width=1.6),
        circle((12, 12), 2.6, fill="#e9b892"),
        circle((0, 0), 1.8, fill=GOLD),
        circle((24, 0), 1.8, fill=GOLD),
        circle((0, 24), 1.8, fill=GOLD),
        circle((24, 24), 1.8, fill=GOLD),
        id=identity,
        width=24,
        height=24,
        x=5,
        y=7,
        patternUnits="userSpaceOnUse",
    )


def _medallion(identity: str) -> str:
    seats = ((0.0, 0.0), *around(48, 6))
    return (
        circle((0, 0), 84, fill=TERRACOTTA, stroke=INK, stroke_width=3)
        + circle((0, 0), 77, fill="#8f3a28", stroke=GOLD_LIGHT, stroke_width=2.5)
        + "".join(use(identity, seat, scale=0.44) for seat in seats)
    )
