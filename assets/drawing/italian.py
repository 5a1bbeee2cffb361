"""The Italian-suited deck of forty, and its back: southern layouts, 50 x 94 mm."""

from assets.drawing.figures.dress import DRESS
from assets.drawing.figures.horse import cavalier
from assets.drawing.figures.king import king
from assets.drawing.figures.page import page
from assets.drawing.glyphs import glyphs, width
from assets.drawing.layout import LONG, ROUND
from assets.drawing.palette import BLUE_DARK, EDGE, GREEN_DARK, INK, PAPER, RED_DARK
from assets.drawing.pips.batons import baton, great_baton
from assets.drawing.pips.coins import coin, eagle
from assets.drawing.pips.cups import cup, great_cup
from assets.drawing.pips.swords import great_sword, sword
from assets.drawing.svg import Point, document, element, group, moved, rect, use
from scoring.cards import Card

SIZE_WH: Point = (250, 470)
"""A card in drawing units: five to the millimetre."""
CORNER = 18.0
"""The radius of the card's corners."""
PIPS = {"d": coin, "c": cup, "s": sword, "b": baton}
"""The suit signs."""
ACES = {"d": eagle, "c": great_cup, "s": great_sword, "b": great_baton}
"""The drawings of the aces, about the middle of the card."""
NUMERAL_COLORS = {"d": "#8a5c00", "c": RED_DARK, "s": BLUE_DARK, "b": GREEN_DARK}
"""The numerals in the corners, dark enough to be read on paper."""
SUIT_WORDS = {"d": "denari", "c": "coppe", "s": "spade", "b": "bastoni"}
"""How titles call the suits."""
RANK_WORDS = ("asso", "due", "tre", "quattro", "cinque", "sei", "sette", "fante", "cavallo", "re")
"""How titles call the ranks, one to ten."""


def italian_card(code: str) -> str:
    """Gives the whole SVG file of one card.

    >>> "sette di denari" in italian_card("7d")
    True
    """
    card = Card.from_code(code)
    rank, suit = card.rank.value, card.suit.value
    return document(
        SIZE_WH,
        _paper(),
        _middle(rank, suit),
        _numerals(rank, suit),
        title=f"{RANK_WORDS[rank - 1]} di {SUIT_WORDS[suit]}",
    )


def _paper() -> str:
    width_, height = SIZE_WH
    sheet = rect(
        (1, 1), (width_ - 2, height - 2), rx=CORNER, fill=PAPER, stroke=EDGE, stroke_width=2
    )
    frame = rect(
        (11, 11), (width_ - 22, height - 22), rx=9, fill="none", stroke=INK, stroke_width=1.5
    )
    return sheet + frame


def _middle(rank: int, suit: str) -> str:
    if rank == 1:
        return group(ACES[suit](), transform=moved((125, 235)))
    if rank <= 7:
        return _pips(rank, suit)
    long = suit in "sb"
    scale, rise = _held(rank, suit)
    held = group(PIPS[suit](), transform=moved((0, -rise), scale))
    if rank == 8:
        return page(DRESS[suit], held, lifted=not long)
    if rank == 9:
        return cavalier(DRESS[suit], held)
    return king(DRESS[suit], held, lifted=not long)


def _held(rank: int, suit: str) -> Point:
    """How large a figure's suit sign is, and how far above the hand its middle."""
    if suit in "dc":
        return 0.86, 0
    return (0.9, 0) if rank == 9 else (1.22, 68)


def _pips(rank: int, suit: str) -> str:
    identity = f"i{rank}{suit}"
    places = (LONG if suit in "sb" else ROUND)[rank]
    return element("defs", group(PIPS[suit](), id=identity)) + "".join(
        use(identity, place.at, scale=place.scale, turn_deg=place.turn_deg) for place in places
    )


def _numerals(rank: int, suit: str) -> str:
    text, height = str(rank), 36.0
    at = (21 + width(text) * height / 72, 22.0)
    halo = glyphs(text, at, height=height, color=PAPER, weight=13)
    one = halo + glyphs(text, at, height=height, color=NUMERAL_COLORS[suit], weight=6.5)
    identity = f"n{rank}{suit}"
    return group(one, id=identity) + use(identity, SIZE_WH, turn_deg=180)
