"""The committed drawings, handed out: as SVG text, as a data URI."""

from enum import StrEnum, unique
from functools import cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from scoring.cards import CODES, Card

ASSETS = Path(__file__).resolve().parent
"""Where the drawings lie."""


@unique
class CardStyle(StrEnum):
    """The drawings of the forty cards; a value is the name of their folder and is stored."""

    ITALIAN = "italian"
    """Coins, cups, swords and batons."""
    FRENCH = "french"
    """Diamonds, hearts, spades and clubs, with a queen for the cavallo."""


BACK = "back"
"""The code of the card's other side."""
DRAWINGS = (*CODES, BACK)
"""Every drawing of a style: the forty cards in their order, then the back."""
SIZE_MM = MappingProxyType({CardStyle.ITALIAN: (50, 94), CardStyle.FRENCH: (63, 88)})
"""Width and height of a card of each style."""


@cache
def card_svg(code: str, *, style: CardStyle = CardStyle.ITALIAN) -> str:
    """Gives the SVG text of one card, or of the back.

    Raises:
        CardError: the code is neither a card's nor `back`.

    >>> card_svg("7d")[:4], "seven of diamonds" in card_svg("7d", style=CardStyle.FRENCH)
    ('<svg', True)
    >>> card_svg("11d")
    Traceback (most recent call last):
    scoring.errors.CardError: expected a card code such as 7d or 10s, got '11d'
    """
    name = BACK if code == BACK else Card.from_code(code).code
    return (ASSETS / style / f"{name}.svg").read_text(encoding="utf-8").rstrip()


@cache
def card_uri(code: str, *, style: CardStyle = CardStyle.ITALIAN) -> str:
    """Gives one card as a data URI: safe between double quotes in `src`, a quarter under base64.

    Use it in `<img src>` rather than pasting SVG into a page that shows many cards.

    >>> card_uri("7d")[:31]
    'data:image/svg+xml,%3Csvg xmlns'
    """
    text = card_svg(code, style=style).replace('"', "'")
    return "data:image/svg+xml," + quote(text, safe=" '=:/(),;-.!*+@$?")
