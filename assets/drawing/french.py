"""The French-suited drawing of the same forty cards: ace to seven, jack, queen, king."""

from assets.drawing.figures.courts import COURT_DRESS, jack, king_bust, queen
from assets.drawing.glyphs import glyphs
from assets.drawing.layout import FRENCH
from assets.drawing.palette import EDGE, GOLD, INK, PAPER
from assets.drawing.pips.french_suits import COLORS, sign
from assets.drawing.svg import Point, document, element, group, moved, path, rect, use
from scoring.cards import Card

SIZE_WH: Point = (252, 352)
"""A card in drawing units: four to the millimetre, 63 x 88 mm."""
COURTS = {8: jack, 9: queen, 10: king_bust}
"""The three courts, by the value they have in Scopa."""
INDEX = {1: "A", 8: "J", 9: "Q", 10: "K"}
"""What the corners say where it is not the number."""
SUIT_WORDS = {"d": "diamonds", "c": "hearts", "s": "spades", "b": "clubs"}
"""How titles call the suits."""
RANK_WORDS = ("ace", "two", "three", "four", "five", "six", "seven", "jack", "queen", "king")
"""How titles call the ranks, one to ten."""


def french_card(code: str) -> str:
    """Gives the whole SVG file of one card, by the code of its Italian twin.

    >>> "seven of diamonds" in french_card("7d")
    True
    """
    card = Card.from_code(code)
    identity = f"f{code}"
    return document(
        SIZE_WH,
        rect((1, 1), (250, 350), rx=16, fill=PAPER, stroke=EDGE, stroke_width=2),
        element("defs", group(sign(card.suit), id=identity)),
        _court(card, identity) if card.rank in COURTS else _pips(card, identity),
        _corners(card, identity),
        title=f"{RANK_WORDS[card.rank - 1]} of {SUIT_WORDS[card.suit]}",
    )


def _pips(card: Card, identity: str) -> str:
    if card.rank == 1:
        halo = ring(card.suit)
        return halo + use(identity, (126, 176), scale=2.1)
    return "".join(
        use(identity, place, scale=1.04, turn_deg=180 if place[1] > 176 else 0)
        for place in FRENCH[card.rank]
    )


def ring(suit: str) -> str:
    """Gives the ornament round the big pip of an ace.

    >>> ring("d").count("<circle")
    2
    """
    line = {"fill": "none", "stroke": COLORS[suit]}
    return element("circle", cx=126, cy=176, r=90, stroke_width=2, **line) + element(
        "circle", cx=126, cy=176, r=96, stroke_width=5, stroke_dasharray="0 15.08", **line
    )


def _corners(card: Card, identity: str) -> str:
    one = glyphs(
        INDEX.get(card.rank, str(card.rank.value)),
        (27, 20),
        height=36,
        color=COLORS[card.suit],
        weight=6.5,
    )
    name = f"{identity}c"
    return group(one, use(identity, (27, 82), scale=0.6), id=name) + use(
        name, SIZE_WH, turn_deg=180
    )


def _court(card: Card, identity: str) -> str:
    half, clip = f"{identity}h", f"{identity}k"
    window = element("clipPath", rect((47, 17), (158, 159)), id=clip)
    bust = group(
        group(COURTS[card.rank](COURT_DRESS[card.suit]), transform=moved((126, 92), 0.92)),
        id=half,
        clip_path=f"url(#{clip})",
    )
    frame = rect((47, 17), (158, 318), fill="none", stroke=INK, stroke_width=2.5)
    sash = path("M47,169H205V183H47Z", GOLD, stroke=INK, stroke_width=2.5)
    beads = path("M58,176H200", stroke=PAPER, stroke_width=5, stroke_dasharray="0 17")
    pip = use(identity, (71, 46), scale=0.66)
    return (
        element("defs", window)
        + bust
        + use(half, SIZE_WH, turn_deg=180)
        + sash
        + beads
        + frame
        + pip
        + use(identity, (181, 306), scale=0.66, turn_deg=180)
    )
