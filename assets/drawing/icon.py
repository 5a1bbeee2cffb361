"""The app's icon: the seven coins of the settebello on table green, safe for round masks."""

from assets.drawing.palette import GOLD, GOLD_LIGHT, GREEN_DARK, INK, RED
from assets.drawing.pips.coins import rosette
from assets.drawing.svg import around, circle, document, element, group, rect, use


def icon() -> str:
    """Gives the whole SVG file of the icon, 512 square.

    >>> icon().count("<use")
    7
    """
    seats = ((256.0, 256.0), *((256 + x, 256 + y) for x, y in around(134, 6)))
    return document(
        (512, 512),
        element("defs", _coin()),
        rect((0, 0), (512, 512), rx=112, fill=GREEN_DARK),
        *(use("coin", seat) for seat in seats),
        title="Settebello",
    )


def _coin() -> str:
    """A coin with less in it than the cards' one: it is seen at 32 pixels."""
    return group(
        circle((0, 0), 60, fill=GOLD, stroke=INK, stroke_width=7),
        circle((0, 0), 48, fill="none", stroke=GOLD_LIGHT, stroke_width=6),
        circle((0, 0), 36, fill=RED, stroke=INK, stroke_width=4),
        rosette(29, 12, petals=6, fill=GOLD_LIGHT),
        circle((0, 0), 9, fill=GOLD, stroke=INK, stroke_width=3),
        id="coin",
    )
