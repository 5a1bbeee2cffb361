"""The French jack, queen and king: a bust about the origin, cut at the waist by the deck."""

from assets.drawing.figures.dress import Dress
from assets.drawing.figures.face import crown, face, king_head, page_head
from assets.drawing.palette import (
    BLUE,
    BLUE_DARK,
    BROWN,
    GOLD,
    GOLD_LIGHT,
    GREEN,
    GREEN_DARK,
    INK,
    RED,
    RED_DARK,
    SKIN,
    STEEL,
    WHITE,
)
from assets.drawing.svg import circle, group, leaf, moved, path

COURT_DRESS = {
    "d": Dress(
        cloth=RED,
        fold=RED_DARK,
        cloak=GOLD,
        lining="#b57a16",
        trim=GOLD_LIGHT,
        hair="#c98a3a",
        horse=WHITE,
        far=WHITE,
        mane=WHITE,
    ),
    "c": Dress(
        cloth=BLUE,
        fold=BLUE_DARK,
        cloak=RED,
        lining=RED_DARK,
        trim=GOLD_LIGHT,
        hair="#a4502a",
        horse=WHITE,
        far=WHITE,
        mane=WHITE,
    ),
    "s": Dress(
        cloth=GOLD,
        fold="#b57a16",
        cloak=BLUE,
        lining=BLUE_DARK,
        trim=STEEL,
        hair=INK,
        horse=WHITE,
        far=WHITE,
        mane=WHITE,
    ),
    "b": Dress(
        cloth=RED,
        fold=RED_DARK,
        cloak=GREEN,
        lining=GREEN_DARK,
        trim=GOLD_LIGHT,
        hair=BROWN,
        horse=WHITE,
        far=WHITE,
        mane=WHITE,
    ),
}
"""What the courts of each French suit wear."""


def jack(dress: Dress) -> str:
    """Gives the jack: a beret, a young face, a halberd at his side.

    >>> jack(COURT_DRESS["d"]).startswith("<g ")
    True
    """
    halberd = (
        path("M60,-84V130", stroke_width=10)
        + path("M60,-84V130", stroke=BROWN, stroke_width=5)
        + path("M60,-102 68,-76 60,-66 52,-76Z", STEEL)
        + path("M62,-68C72,-76 78,-70 82,-60C78,-48 70,-42 62,-46Z", STEEL)
    )
    return _bust(
        halberd,
        _shoulders(dress.cloth, dress.fold),
        path("M-20,32-8,120H8L20,32Z", dress.trim),
        "".join(circle((0, y), 4.5, fill=dress.cloak, stroke_width=2) for y in (56, 76, 96)),
        path("M-84,120C-84,64-66,40-32,34L-46,120Z M84,120C84,64 66,40 32,34L46,120Z", dress.cloak),
        path("M-66,74-60,120M66,74 60,120", stroke=dress.lining, stroke_width=4),
        path("M-34,30C-20,48 20,48 34,30L24,24H-24Z", WHITE),
        path("M-18,34-14,42M0,36V45M18,34 14,42", stroke_width=2),
        _fist((56, 78)),
        page_head(dress.hair, dress.cloak),
    )


def queen(dress: Dress) -> str:
    """Gives the queen: long hair under a small crown, a necklace, a flower in her hand.

    >>> queen(COURT_DRESS["d"]).startswith("<g ")
    True
    """
    return _bust(
        path(
            "M-26,-26C-54,-6-40,30-54,58C-34,72-20,60-14,48L14,48C20,60 34,72 54,58"
            "C40,30 54,-6 26,-26Z",
            dress.hair,
        ),
        _shoulders(dress.cloth, dress.fold),
        path("M-30,34C-24,66 24,66 30,34L12,20H-12Z", SKIN),
        path("M-30,36C-24,70 24,70 30,36L44,38C40,84 20,92 0,92C-20,92-40,84-44,38Z", WHITE),
        path("M-20,40C-10,54 10,54 20,40", stroke=GOLD, stroke_width=4),
        circle((0, 54), 5, fill=RED, stroke_width=2),
        path(
            "M-84,120C-82,70-66,44-44,38C-48,80-30,96-22,120Z M84,120C82,70 66,44 44,38"
            "C48,80 30,96 22,120Z",
            dress.cloak,
        ),
        path("M-64,70-54,120M64,70 54,120", stroke=dress.lining, stroke_width=4),
        _flower(),
        face(brow=dress.hair),
        path("M-25,-2C-30,-34 30,-34 25,-2C22,-18 10,-22 0,-24C-10,-22-22,-18-25,-2Z", dress.hair),
        group(crown(dress.cloak), transform=moved((0, -6), 0.86)),
    )


def king_bust(dress: Dress) -> str:
    """Gives the king: beard, crown, ermine, a sword upright at his side.

    >>> king_bust(COURT_DRESS["d"]).startswith("<g ")
    True
    """
    blade = (
        path("M54,-112 61,-98V66H47V-98Z", STEEL)
        + path("M54,-104V62", stroke=BLUE, stroke_width=3)
        + path("M34,62H74V71H34Z", GOLD)
    )
    edge = path("M-40,36C-34,70-30,96-30,120H-10C-12,92-18,60-22,36Z", WHITE)
    return _bust(
        _shoulders(dress.cloak, dress.lining),
        path("M-24,34-20,120H20L24,34Z", dress.cloth),
        path("M0,60V120", stroke=dress.fold, stroke_width=3),
        edge,
        group(edge, transform=moved((0, 0), mirror=True)),
        path("M-28,66-27,72M-22,94-22,100M28,66 27,72M22,94 22,100", stroke_width=4),
        path("M-62,56-56,120M66,90 62,120", stroke=dress.lining, stroke_width=4),
        path("M-52,38C-40,20 40,20 52,38C54,56 30,70 0,72C-30,70-54,56-52,38Z", WHITE),
        path("M-40,40V46M-26,52V58M26,52V58M40,40V46M0,64V68", stroke_width=4),
        blade,
        _fist((54, 84)),
        king_head(dress.hair, dress.cloth),
    )


def _bust(*parts: str) -> str:
    return group(*parts, stroke=INK, stroke_width=3)


def _shoulders(fill: str, fold: str) -> str:
    return path("M-86,124C-86,66-66,40-34,32C-16,26 16,26 34,32C66,40 86,66 86,124Z", fill) + path(
        "M-40,60V120M40,60V120", stroke=fold, stroke_width=3
    )


def _fist(at: tuple[float, float]) -> str:
    return group(
        path("M-16,26-12,12H12L16,26Z", WHITE),
        path("M-12,-6C-10,-14 10,-14 12,-6C14,6 12,14 0,14C-12,14-14,6-12,-6Z", SKIN),
        path("M-10,-3H8M-10,3H8", stroke_width=1.5),
        transform=moved(at),
    )


def _flower() -> str:
    petals = "".join(
        circle((-56 + x, 20 + y), 8.5, fill=RED, stroke_width=2.5)
        for x, y in ((0, -11), (11, -3), (7, 10), (-7, 10), (-11, -3))
    )
    return (
        path("M-56,26C-56,60-50,80-44,100", stroke=GREEN, stroke_width=5)
        + leaf((-55, 58), (-76, 44), fill=GREEN, width=15, stroke_width=2)
        + petals
        + circle((-56, 21), 6, fill=GOLD_LIGHT, stroke_width=2)
        + group(_fist((0, 0)), transform=moved((-48, 90), 0.9))
    )
