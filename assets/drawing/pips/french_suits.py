"""The four French suit signs, each 56 wide about the origin: diamond, heart, spade, club."""

from assets.drawing.palette import INK, RED
from assets.drawing.svg import path

COLORS = {"d": RED, "c": RED, "s": INK, "b": INK}
"""The colour of each French suit: diamonds stand for denari, hearts coppe, clubs bastoni."""

OUTLINES = {
    "d": "M0,-33C7,-19 15,-9 25,0C15,9 7,19 0,33C-7,19-15,9-25,0C-15,-9-7,-19 0,-33Z",
    "c": "M0,31C-9,14-29,5-29,-12C-29,-32-5,-33 0,-15C5,-33 29,-32 29,-12C29,5 9,14 0,31Z",
    "s": "M0,-32C7,-16 29,-5 29,11C29,27 10,28 3,15C4,23 7,29 12,32H-12C-7,29-4,23-3,15"
    "C-10,28-29,27-29,11C-29,-5-7,-16 0,-32Z",
    "b": "M0,-32C12,-32 18,-20 11,-8C10,-6 11,-5 13,-5C26,-7 33,4 28,14C23,24 8,22 4,10"
    "C4,21 7,28 12,32H-12C-7,28-4,21-4,10C-8,22-23,24-28,14C-33,4-26,-7-13,-5C-11,-5-10,-6-11,-8"
    "C-18,-20-12,-32 0,-32Z",
}
"""The outline of each sign."""


def sign(suit: str) -> str:
    """Gives a suit sign about the origin.

    >>> sign("d").startswith('<path d="M0,-33')
    True
    """
    return path(OUTLINES[suit], COLORS[suit])
