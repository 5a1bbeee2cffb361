"""The committed drawings, handed out: as SVG text, as a data URI."""

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import quote

from scoring.cards import CODES, Card

ASSETS = Path(__file__).resolve().parent
"""Where the drawings lie."""
DeckName = Literal["italian", "french"]
"""How a deck is called in code and in assets/."""
DECKS: tuple[DeckName, ...] = ("italian", "french")
"""The two drawings of the same forty cards; the screens show the first."""
BACK = "back"
"""The code of the card's other side."""
DRAWINGS = (*CODES, BACK)
"""Every drawing of a deck: the forty cards in their order, then the back."""
SIZE_MM = MappingProxyType({"italian": (50, 94), "french": (63, 88)})
"""Width and height of a card of each deck."""


@cache
def card_svg(code: str, *, deck: DeckName = "italian") -> str:
    """Gives the SVG text of one card, or of the back.

    Raises:
        CardError: the code is neither a card's nor `back`.

    >>> card_svg("7d")[:4], "seven of diamonds" in card_svg("7d", deck="french")
    ('<svg', True)
    >>> card_svg("11d")
    Traceback (most recent call last):
    scoring.errors.CardError: expected a card code such as 7d or 10s, got '11d'
    """
    name = BACK if code == BACK else Card.from_code(code).code
    return (ASSETS / deck / f"{name}.svg").read_text(encoding="utf-8").rstrip()


@cache
def card_uri(code: str, *, deck: DeckName = "italian") -> str:
    """Gives one card as a data URI: safe between double quotes in `src`, a quarter under base64.

    Use it in `<img src>` rather than pasting SVG into a page that shows many cards.

    >>> card_uri("7d")[:31]
    'data:image/svg+xml,%3Csvg xmlns'
    """
    text = card_svg(code, deck=deck).replace('"', "'")
    return "data:image/svg+xml," + quote(text, safe=" '=:/(),;-.!*+@$?")
