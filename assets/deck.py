"""The committed drawings as SVG text and as data URIs."""

from enum import StrEnum, unique
from functools import cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from scoring.cards import CODES, Card

ASSETS = Path(__file__).resolve().parent
"""The folder of the drawings."""


@unique
class CardStyle(StrEnum):
    """The drawings of the forty cards. A value is the name of a folder, and is stored by tables."""

    ITALIAN = "italian"
    """Coins, cups, swords and batons."""
    FRENCH = "french"
    """Diamonds, hearts, spades and clubs, with a queen for the cavallo."""


BACK = "back"
"""The code of a card's other side."""
DRAWINGS = (*CODES, BACK)
"""Every drawing of a style: the forty cards in order, then the back."""
SIZE_MM = MappingProxyType({CardStyle.ITALIAN: (50, 94), CardStyle.FRENCH: (63, 88)})
"""Width and height of a card of each style."""


@cache
def card_svg(code: str, *, style: CardStyle = CardStyle.ITALIAN) -> str:
    """Return the SVG text of a card, or of the back.

    Raises:
        CardError: The code is neither a card's nor `back`.

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
    """Return a card as a data URI that is safe between double quotes in `src`.

    Use it in `<img src>`, not SVG text, on a page with many cards. Base64 would be a third longer.

    >>> card_uri("7d")[:31]
    'data:image/svg+xml,%3Csvg xmlns'
    """
    text = card_svg(code, style=style).replace('"', "'")
    return "data:image/svg+xml," + quote(text, safe=" '=:/(),;-.!*+@$?")
