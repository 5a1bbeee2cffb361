"""French-suited printings that no press ever made: other indices, pips, letters and margins.

Real packs of French cards differ most in what a covered card shows of itself: the corner index.
Number cards are composed anew; court cards keep the figure of a known deck between new indices.
Aces are at times large and decorated, as printers sign their packs there: hollow, lined, or with
another drawing in them.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from training.distractors import arms
from training.paint import Image, Rng
from training.printings import PAPER, Deck, Index, any_font, pyramid, stamp, written
from vision.reading import CLASSES

HEIGHT_PX = 420
"""Height of a printed face."""
SUITS = "dcsb"
"""Diamonds, hearts, spades, clubs, by the letters of our codes."""
LETTERS = ("A JQK", "1 JQK", "A VDR", "1 VDR", "A BDK", "1 BDH", "A FDR")
"""Ace, then jack, queen and king, as they are lettered in one country or another."""
INKS_BGR = ((40, 30, 215), (40, 30, 215), (25, 20, 20), (25, 20, 20))
"""Usual colours of the suits."""
FOUR_INKS_BGR = ((205, 90, 30), (40, 30, 215), (25, 20, 20), (60, 130, 20))
"""Those of four-coloured packs: blue diamonds, green clubs."""
DECORATED = (0.1, 0.1, 0.5, 0.1)
"""Share of the printings whose ace of a suit is large and decorated, by suit."""
TOP, MIDDLE, BOTTOM = -1.0, 0.0, 1.0
"""Where pips stand in their columns."""
_CENTRE_PIPS = {1: (MIDDLE,), 2: (TOP, BOTTOM), 3: (TOP, MIDDLE, BOTTOM), 5: (MIDDLE,),
                7: (-0.5,), 8: (-0.5, 0.5), 9: (MIDDLE,), 10: (-0.67, 0.67)}  # fmt: skip
_SIDE_PIPS = {4: (TOP, BOTTOM), 5: (TOP, BOTTOM), 6: (TOP, MIDDLE, BOTTOM),
              7: (TOP, MIDDLE, BOTTOM), 8: (TOP, MIDDLE, BOTTOM),
              9: (TOP, -1 / 3, 1 / 3, BOTTOM), 10: (TOP, -1 / 3, 1 / 3, BOTTOM)}  # fmt: skip


@dataclass(frozen=True)
class FrenchDesign:
    """What the cards of one printing share; lengths are shares of a card's height."""

    width: float
    """Of the card."""
    inks: tuple[tuple[int, ...], ...]
    """A BGR colour for each suit."""
    pips: tuple[np.ndarray, ...]
    """The shape of each suit, 0..1."""
    letters: str
    """One of `LETTERS`."""
    index: Index
    """What stands in the corners."""
    pip: float
    """Width of a number card's pips."""
    aces: tuple[np.ndarray, ...]
    """The shape of each ace's pip, 0..1."""
    ace: tuple[float, ...]
    """Width of each ace's pip."""
    spread_xy: tuple[float, float]
    """From the middle to the outer columns and rows."""
    court: tuple[float, float]
    """Half width and half height of a court card's figure."""
    framed: bool
    """Whether court cards have a line around the figure."""
    figures: tuple[Deck, ...]
    """Where the figures of court cards come from."""
    telling: bool
    """Whether a figure tells a card's rank; else the index alone does."""


def printing(rng: Rng, decks: list[Deck]) -> Deck:
    """A French printing in which the courts' figures and the pips come from known decks."""
    design = _design(rng, [deck for deck in decks if deck.name.startswith("french")])
    faces = {code: pyramid(_card(rng, design, code)) for code in CLASSES[:40]}
    strangers = tuple(pyramid(_number(design, rank, at)) for rank in (8, 9, 10) for at in range(4))
    return Deck("french-printed", faces, strangers)


def _design(rng: Rng, known: list[Deck]) -> FrenchDesign:
    """A printing by chance."""
    jumbo = rng.random() < 0.25
    height = rng.uniform(0.16, 0.26) if jumbo else rng.uniform(0.08, 0.16)
    inks = FOUR_INKS_BGR if rng.random() < 0.1 else INKS_BGR
    shapes = known[int(rng.integers(len(known)))]
    width = rng.uniform(0.62, 0.73)
    telling = bool(rng.random() < 0.8)
    pips = tuple(_pip(shapes, suit) for suit in SUITS)
    plain = rng.uniform(0.12, 0.4)
    grand = tuple(bool(rng.random() < share) for share in DECORATED)
    return FrenchDesign(
        width=width,
        inks=tuple(tuple(int(v) for v in np.clip(rng.normal(ink, 18), 0, 235)) for ink in inks),
        pips=pips,
        letters=str(rng.choice(LETTERS)),
        index=Index(
            font=any_font(rng),
            height=0.0 if telling and rng.random() < 0.1 else height,
            stretch=rng.uniform(0.6, 1.1),
            pip=height * rng.uniform(0.45, 0.95),
            inset_xy=(rng.uniform(0.015, 0.05), rng.uniform(0.015, 0.06)),
            alone=bool(rng.random() < 0.8),
            has_four=bool(rng.random() < 0.3),
        ),
        pip=rng.uniform(0.09, 0.16),
        aces=tuple(
            decorated(rng, p) if is_grand else p for p, is_grand in zip(pips, grand, strict=True)
        ),
        ace=tuple(rng.uniform(0.25, 0.5) if is_grand else plain for is_grand in grand),
        spread_xy=(width * rng.uniform(0.16, 0.23), rng.uniform(0.26, 0.36)),
        court=(width * rng.uniform(0.3, 0.4), rng.uniform(0.38, 0.47)),
        framed=bool(rng.random() < 0.6),
        figures=(known[int(rng.integers(len(known)))],) if telling else tuple(known),
        telling=telling,
    )


def _pip(deck: Deck, suit: str) -> np.ndarray:
    """The shape of a suit, cut from the middle of its three: H x W float32 0..1."""
    face = deck.faces[f"3{suit}"][0]
    h, w = face.shape[:2]
    middle = face[int(h * 0.4) : int(h * 0.6), int(w * 0.3) : int(w * 0.7)]
    inked = 1 - middle.min(2).astype(np.float32) / max(1, int(middle.min(2).max()))
    rows, columns = np.flatnonzero(inked.max(1) > 0.5), np.flatnonzero(inked.max(0) > 0.5)
    return np.asarray(inked[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _card(rng: Rng, design: FrenchDesign, code: str) -> Image:
    """One face of the forty."""
    rank, suit = int(code[:-1]), SUITS.index(code[-1])
    if rank <= 7:
        return _number(design, rank, suit)
    face = _blank(design)
    h, w = face.shape[:2]
    half_w, half_h = (round(share * HEIGHT_PX) for share in design.court)
    drawn = code if design.telling else f"{rng.integers(8, 11)}{code[-1]}"
    known = design.figures[int(rng.integers(len(design.figures)))].faces[drawn][0]
    top, left = round(known.shape[0] * 0.06), round(known.shape[1] * 0.16)
    figure = cv2.resize(
        known[top:-top, left:-left], (2 * half_w, 2 * half_h), interpolation=cv2.INTER_AREA
    )
    y, x = h // 2 - half_h, w // 2 - half_w
    face[y : y + 2 * half_h, x : x + 2 * half_w] = figure
    if design.framed:
        cv2.rectangle(face, (x, y), (x + 2 * half_w, y + 2 * half_h), (90, 40, 30), 2)
    _indexed(design, face, sign=design.letters[rank - 6], suit=suit)
    return face


def _number(design: FrenchDesign, rank: int, suit: int) -> Image:
    """A card of one to ten pips."""
    face = _blank(design)
    across, down = design.spread_xy
    places = [(0.0, y) for y in _CENTRE_PIPS.get(rank, ())]
    places += [(side, y) for y in _SIDE_PIPS.get(rank, ()) for side in (-1.0, 1.0)]
    for x, y in places:
        stamp(
            face,
            design.aces[suit] if rank == 1 else design.pips[suit],
            centre=(design.width / 2 + x * across, 0.5 + y * down),
            width=design.ace[suit] if rank == 1 else design.pip,
            colour=design.inks[suit],
            upside_down=y > 0,
        )
    _indexed(design, face, sign=design.letters[0] if rank == 1 else str(rank), suit=suit)
    return face


def _blank(design: FrenchDesign) -> Image:
    return np.full((HEIGHT_PX, round(design.width * HEIGHT_PX), 3), PAPER, np.uint8)


def _indexed(design: FrenchDesign, face: Image, *, sign: str, suit: int) -> None:
    """Prints the indices onto `face`, which the caller made."""
    design.index.put(face, sign, colour=design.inks[suit], pip=design.pips[suit])


SIDE_PX = 200
"""Width of a decorated pip as it is drawn."""
RING = (3, 12)
"""Pixels that the outline of a hollow pip is thick, least and most."""


def decorated(rng: Rng, pip: np.ndarray) -> np.ndarray:
    """A pip (0..1) with a drawing in it and perhaps a name on it: H x `SIDE_PX` float32 0..1."""
    high = round(SIDE_PX * pip.shape[0] / pip.shape[1])
    shape = np.asarray(cv2.resize(pip, (SIDE_PX, high), interpolation=cv2.INTER_CUBIC), np.float32)
    inner = _shrunk(shape, int(rng.integers(*RING)))
    drawing = (_lined, _hollow, _armed)[int(rng.integers(3))](rng, shape)
    shape = np.asarray(np.where(inner > 0.5, drawing, shape), np.float32)
    if rng.random() < 0.4:
        _named(rng, shape)
    return np.asarray(np.clip(shape, 0, 1), np.float32)


def _shrunk(shape: np.ndarray, pixels: int) -> np.ndarray:
    """The shape without so many pixels of its edge."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * pixels + 1, 2 * pixels + 1))
    return np.asarray(cv2.erode(shape, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0.0))


def _lined(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Fine lines, straight, round or crossed, over all of it."""
    y, x = np.mgrid[: shape.shape[0], : shape.shape[1]] - np.array(shape.shape)[:, None, None] / 2
    turn = rng.uniform(0, np.pi)
    along = x * np.cos(turn) + y * np.sin(turn) if rng.random() < 0.5 else np.hypot(x, y)
    waves = np.sin(along * 2 * np.pi / rng.uniform(6, 24))
    if rng.random() < 0.4:
        waves = waves * np.sin(np.arctan2(y, x) * int(rng.integers(4, 24)))
    return np.asarray((waves > rng.uniform(-0.7, 0.7)).astype(np.float32))


def _hollow(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Nothing, with a smaller pip in it."""
    drawing = np.zeros_like(shape)
    if rng.random() < 0.7:
        share = rng.uniform(0.25, 0.75)
        small = cv2.resize(shape, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        y, x = ((a - b) // 2 for a, b in zip(shape.shape, small.shape, strict=True))
        drawing[y : y + small.shape[0], x : x + small.shape[1]] = small
    return drawing


def _armed(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Arms on paper or cut out of the ink."""
    high, wide = (round(side * rng.uniform(0.35, 0.7)) for side in shape.shape)
    patch = cv2.resize(1 - arms(rng).mean(2), (wide, high), interpolation=cv2.INTER_AREA)
    dark = bool(rng.random() < 0.5)
    drawing = np.full_like(shape, float(dark))
    y, x = (shape.shape[0] - high) // 2, (shape.shape[1] - wide) // 2
    drawing[y : y + high, x : x + wide] = 1 - patch if dark else patch
    return drawing


def _named(rng: Rng, shape: np.ndarray) -> None:
    """Writes a maker's name across `shape`, which the caller made, in a gap left for it."""
    letters = rng.choice(list("ABCDEFGHIKLMNOPRSTUVZ"), int(rng.integers(4, 12)))
    name = written("".join(letters), any_font(rng), round(SIDE_PX * rng.uniform(0.06, 0.14)))
    wide = min(name.shape[1], round(SIDE_PX * 0.9))
    name = cv2.resize(name, (wide, len(name)), interpolation=cv2.INTER_AREA)
    y = round(rng.uniform(0.3, 0.7) * (len(shape) - len(name)))
    x = (SIDE_PX - wide) // 2
    shape[y : y + len(name), x : x + wide] = name
