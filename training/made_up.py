"""Made-up printings, for a network that must read packs it has never seen.

French ones are composed of new indices, pips, letters and margins, since a covered card shows only
its index. Court cards keep the figure of a known deck; some aces are large and decorated. Italian
and Spanish ones are a known pack with different colours, margins, lines, numbers and facing, as
packs of one pattern differ. A crossed one has the drawings of other cards of the suit: only the
corners tell the card.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from training.distractors import FIGURES, arms, marked
from training.paint import (
    PAPER,
    PIPS,
    Image,
    Rng,
    any_font,
    ink,
    stamp,
    suited_fonts,
    written,
)
from training.printings import Deck, pyramid
from vision.reading import CLASSES

HEIGHT_PX = 420
"""Height of a printed face; all other lengths are shares of it."""


@dataclass(frozen=True)
class Index:
    """The look of a printing's corners; lengths are shares of a card's height."""

    font: Path
    height: float
    """Height of the sign; 0 if there is none."""
    stretch: float
    """Its width as a multiple of the font's."""
    pip: float
    """Width of the pip next to it; 0 for none."""
    inset_xy: tuple[float, float]
    """From the card's edge to the sign."""
    alone: bool
    """Whether pips and figures leave space for it."""
    has_four: bool
    """Whether all four corners have one."""
    beside: bool = False
    """Whether the pip is beside the sign; otherwise it is below."""
    line: float = 0.0
    """Thickness of a sign that is only an outline; 0 for a filled sign."""

    def shape(self, sign: str, high: int) -> np.ndarray:
        """Return the sign on a card of this height in pixels: H x W, float32, 0 to 1."""
        filled = written(sign, self.font, round(self.height * high), self.stretch)
        if not self.line:
            return filled
        inner = _shrunk(np.pad(filled, 1), max(1, round(self.line * high)))[1:-1, 1:-1]
        return np.asarray(filled - inner)

    def places(self, sign_width: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the centres of a sign of this width and of its pip, in the upper left corner."""
        x, y = self.inset_xy
        middle = y + self.height / 2
        if self.beside:
            return (x + sign_width / 2, middle), (x + sign_width + 0.6 * self.pip, middle)
        across = x + max(sign_width, self.pip) / 2
        return (across, middle), (across, y + self.height + 0.65 * self.pip)

    def parts(self, signs: str, width: float) -> tuple[np.ndarray, ...]:
        """Return the corners (4, 2) of the widest sign and of its pip, as shares of the card."""
        if not self.height:
            return ()
        widest = max(self.shape(sign, HEIGHT_PX).shape[1] for sign in signs) / HEIGHT_PX
        sign, pip = self.places(widest)
        sizes = ((widest, self.height), (self.pip, self.pip))
        return tuple(
            np.asarray((centre + _AROUND * size) / [width, 1.0], np.float32)
            for centre, size in zip((sign, pip), sizes, strict=True)
        )

    def put(
        self, face: Image, sign: str, *, colour: tuple[int, ...], pip: np.ndarray | None = None
    ) -> None:
        """Print the sign into the corners of `face`, in place."""
        if not self.height:
            return
        high, wide = len(face), face.shape[1] / len(face)
        shape = self.shape(sign, high)
        at_sign, at_pip = self.places(shape.shape[1] / high)
        clear_x = round(
            (max(at_sign[0] + shape.shape[1] / high / 2, at_pip[0]) + self.pip / 2) * high
        )
        clear_y = round((max(at_sign[1] + self.height / 2, at_pip[1]) + self.pip * 0.55) * high)
        for mirrored in (False, True) if self.has_four else (False,):
            for turned in (face, face[::-1, ::-1]):
                if self.alone:
                    bare = slice(-clear_x, None) if mirrored else slice(clear_x)
                    turned[:clear_y, bare] = PAPER
                x, y = at_sign
                ink(turned, shape, centre=(wide - x if mirrored else x, y), colour=colour)
                if pip is not None and self.pip:
                    x, y = at_pip
                    at = (wide - x if mirrored else x, y)
                    stamp(turned, pip, centre=at, width=self.pip, colour=colour)


_AROUND = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)
SUITS = "dcsb"
"""Diamonds, hearts, spades, clubs, by the letters of our codes."""
LETTERS = ("A JQK", "1 JQK", "A VDR", "1 VDR", "A BDK", "1 BDH", "A FDR")
LETTER_SHARES = (0.5, 0.08, 0.1, 0.08, 0.1, 0.07, 0.07)
"""Letters of ace, jack, queen and king in several countries."""
INKS_BGR = ((40, 30, 215), (40, 30, 215), (25, 20, 20), (25, 20, 20))
"""Usual colours of the suits."""
FOUR_INKS_BGR = (
    ((205, 90, 30), (40, 30, 215), (25, 20, 20), (60, 130, 20)),
    ((0, 130, 240), (40, 30, 215), (25, 20, 20), (60, 130, 20)),
)
"""Colours of four-coloured packs: blue or orange diamonds, green clubs."""
HEIGHTS, HEIGHT_SHARES = ((0.045, 0.08), (0.08, 0.16), (0.16, 0.28)), (0.2, 0.45, 0.35)
"""Least and greatest height of small, usual and jumbo indices, and their shares of printings."""
FOUR_INKED, BESIDE, OUTLINED = 0.2, 0.2, 0.15
"""Shares of the printings with inks for each suit; with the pip beside the sign; with outlines."""
OWN_PIPS = 0.5
"""Share of the printings whose pips come from a font; others have those of a known deck."""
DECORATED = (0.1, 0.1, 0.5, 0.1)
"""Share of the printings whose ace of a suit is large and decorated, by suit."""
TOP, MIDDLE, BOTTOM = -1.0, 0.0, 1.0
"""Heights of pips in their columns."""
_CENTRE_PIPS = {1: (MIDDLE,), 2: (TOP, BOTTOM), 3: (TOP, MIDDLE, BOTTOM), 5: (MIDDLE,),
                7: (-0.5,), 8: (-0.5, 0.5), 9: (MIDDLE,), 10: (-0.67, 0.67)}  # fmt: skip
_SIDE_PIPS = {4: (TOP, BOTTOM), 5: (TOP, BOTTOM), 6: (TOP, MIDDLE, BOTTOM),
              7: (TOP, MIDDLE, BOTTOM), 8: (TOP, MIDDLE, BOTTOM),
              9: (TOP, -1 / 3, 1 / 3, BOTTOM), 10: (TOP, -1 / 3, 1 / 3, BOTTOM)}  # fmt: skip


class FrenchPrinting:
    """What the cards of one random French printing share."""

    def __init__(self, rng: Rng, known: list[Deck]) -> None:
        height = rng.uniform(*HEIGHTS[int(rng.choice(len(HEIGHTS), p=HEIGHT_SHARES))])
        inks = INKS_BGR
        if rng.random() < FOUR_INKED:
            inks = FOUR_INKS_BGR[int(rng.integers(len(FOUR_INKS_BGR)))]
        shapes = known[int(rng.integers(len(known)))]
        self.width = rng.uniform(0.62, 0.73)
        self.telling = bool(rng.random() < 0.8)
        """Whether a court card's figure tells its rank; otherwise only the index does."""
        self.pips = tuple(_pip(shapes, suit) for suit in SUITS)
        if rng.random() < OWN_PIPS:
            font = suited_fonts()[int(rng.integers(len(suited_fonts())))]
            self.pips = tuple(written(pip, font, SIDE_PX) for pip in PIPS)
        plain = rng.uniform(0.12, 0.4)
        grand = [rng.random() < share for share in DECORATED]
        self.inks = tuple(
            tuple(int(v) for v in np.clip(rng.normal(colour, 18), 0, 235)) for colour in inks
        )
        self.letters = str(rng.choice(LETTERS, p=LETTER_SHARES))
        self.index = Index(
            font=any_font(rng),
            height=0.0 if self.telling and rng.random() < 0.1 else height,
            stretch=rng.uniform(0.5, 1.1),
            pip=height * rng.uniform(0.45, 0.95),
            beside=bool(rng.random() < BESIDE),
            line=height * rng.uniform(0.02, 0.06) if rng.random() < OUTLINED else 0.0,
            inset_xy=(rng.uniform(0.015, 0.05), rng.uniform(0.015, 0.06)),
            alone=bool(rng.random() < 0.8),
            has_four=bool(rng.random() < 0.3),
        )
        self.pip_width = rng.uniform(0.09, 0.16)
        self.aces = [
            decorated(rng, pip) if is_grand else pip
            for pip, is_grand in zip(self.pips, grand, strict=True)
        ]
        self.ace_widths = [rng.uniform(0.25, 0.5) if is_grand else plain for is_grand in grand]
        self.spread_xy = self.width * rng.uniform(0.16, 0.23), rng.uniform(0.26, 0.36)
        """From the middle to the outer columns and rows of pips."""
        self.court = self.width * rng.uniform(0.3, 0.4), rng.uniform(0.38, 0.47)
        """Half width and half height of a court card's figure."""
        self.framed = bool(rng.random() < 0.6)
        self.figures = [known[int(rng.integers(len(known)))]] if self.telling else known

    def card(self, rng: Rng, code: str) -> Image:
        """Return one of the forty faces."""
        rank, suit = int(code[:-1]), SUITS.index(code[-1])
        if rank <= 7:
            return self.number(rank, suit)
        face = _blank(self.width)
        h, w = face.shape[:2]
        half_w, half_h = (round(share * HEIGHT_PX) for share in self.court)
        drawn = code if self.telling else f"{rng.integers(8, 11)}{code[-1]}"
        known = self.figures[int(rng.integers(len(self.figures)))].faces[drawn][0]
        top, left = round(known.shape[0] * 0.06), round(known.shape[1] * 0.16)
        figure = cv2.resize(
            known[top:-top, left:-left], (2 * half_w, 2 * half_h), interpolation=cv2.INTER_AREA
        )
        y, x = h // 2 - half_h, w // 2 - half_w
        face[y : y + 2 * half_h, x : x + 2 * half_w] = figure
        if self.framed:
            cv2.rectangle(face, (x, y), (x + 2 * half_w, y + 2 * half_h), (90, 40, 30), 2)
        sign = self.letters[rank - 6]
        self.index.put(face, sign, colour=self.inks[suit], pip=self.pips[suit])
        return face

    def number(self, rank: int, suit: int) -> Image:
        """Return a card of one to ten pips."""
        face = _blank(self.width)
        across, down = self.spread_xy
        places = [(0.0, y) for y in _CENTRE_PIPS.get(rank, ())]
        places += [(side, y) for y in _SIDE_PIPS.get(rank, ()) for side in (-1.0, 1.0)]
        for x, y in places:
            stamp(
                face,
                self.aces[suit] if rank == 1 else self.pips[suit],
                centre=(self.width / 2 + x * across, 0.5 + y * down),
                width=self.ace_widths[suit] if rank == 1 else self.pip_width,
                colour=self.inks[suit],
                upside_down=y > 0,
            )
        sign = self.letters[0] if rank == 1 else str(rank)
        self.index.put(face, sign, colour=self.inks[suit], pip=self.pips[suit])
        return face


def french(rng: Rng, decks: list[Deck]) -> Deck:
    """Return a French printing with the figures and pips of known decks."""
    printed = FrenchPrinting(rng, [deck for deck in decks if deck.name.startswith("french")])
    faces = {code: pyramid(printed.card(rng, code)) for code in CLASSES[:40]}
    strangers = tuple(pyramid(printed.number(rank, at)) for rank in (8, 9, 10) for at in range(4))
    signs = "A234567JQK" if printed.letters[0] == "A" else "1234567JQK"
    return Deck("french-printed", faces, strangers, printed.index.parts(signs, printed.width))


def _blank(width: float) -> Image:
    return np.full((HEIGHT_PX, round(width * HEIGHT_PX), 3), PAPER, np.uint8)


def _pip(deck: Deck, suit: str) -> np.ndarray:
    """Return the shape of a suit, cut from the middle of its three: H x W, float32, 0 to 1."""
    face = deck.faces[f"3{suit}"][0]
    h, w = face.shape[:2]
    middle = face[int(h * 0.4) : int(h * 0.6), int(w * 0.3) : int(w * 0.7)]
    inked = 1 - middle.min(2).astype(np.float32) / max(1, int(middle.min(2).max()))
    rows, columns = np.flatnonzero(inked.max(1) > 0.5), np.flatnonzero(inked.max(0) > 0.5)
    return np.asarray(inked[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


SIDE_PX = 200
"""Width at which a decorated pip is drawn, in pixels."""
RING = (3, 12)
"""Least and greatest thickness of a hollow pip's outline, in pixels."""


def decorated(rng: Rng, pip: np.ndarray) -> np.ndarray:
    """Return a pip with a drawing and perhaps a name: H x `SIDE_PX`, float32, 0 to 1."""
    high = round(SIDE_PX * pip.shape[0] / pip.shape[1])
    shape = np.asarray(cv2.resize(pip, (SIDE_PX, high), interpolation=cv2.INTER_CUBIC), np.float32)
    inner = _shrunk(shape, int(rng.integers(*RING)))
    drawing = (_lined, _hollow, _armed)[int(rng.integers(3))](rng, shape)
    shape = np.asarray(np.where(inner > 0.5, drawing, shape), np.float32)
    if rng.random() < 0.4:
        _named(rng, shape)
    return np.asarray(np.clip(shape, 0, 1), np.float32)


def _shrunk(shape: np.ndarray, pixels: int) -> np.ndarray:
    """Return the shape without this many pixels of its edge."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * pixels + 1, 2 * pixels + 1))
    return np.asarray(cv2.erode(shape, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0.0))


def _lined(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Cover a shape with fine lines: straight, round or crossed."""
    y, x = np.mgrid[: shape.shape[0], : shape.shape[1]] - np.array(shape.shape)[:, None, None] / 2
    turn = rng.uniform(0, np.pi)
    along = x * np.cos(turn) + y * np.sin(turn) if rng.random() < 0.5 else np.hypot(x, y)
    waves = np.sin(along * 2 * np.pi / rng.uniform(6, 24))
    if rng.random() < 0.4:
        waves = waves * np.sin(np.arctan2(y, x) * int(rng.integers(4, 24)))
    return np.asarray((waves > rng.uniform(-0.7, 0.7)).astype(np.float32))


def _hollow(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Hollow a shape out, with a smaller pip in it."""
    drawing = np.zeros_like(shape)
    if rng.random() < 0.7:
        share = rng.uniform(0.25, 0.75)
        small = cv2.resize(shape, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        y, x = ((a - b) // 2 for a, b in zip(shape.shape, small.shape, strict=True))
        drawing[y : y + small.shape[0], x : x + small.shape[1]] = small
    return drawing


def _armed(rng: Rng, shape: np.ndarray) -> np.ndarray:
    """Put arms into a shape, on paper or cut out of the ink."""
    high, wide = (round(side * rng.uniform(0.35, 0.7)) for side in shape.shape)
    patch = cv2.resize(1 - arms(rng).mean(2), (wide, high), interpolation=cv2.INTER_AREA)
    dark = bool(rng.random() < 0.5)
    drawing = np.full_like(shape, float(dark))
    y, x = (shape.shape[0] - high) // 2, (shape.shape[1] - wide) // 2
    drawing[y : y + high, x : x + wide] = 1 - patch if dark else patch
    return drawing


def _named(rng: Rng, shape: np.ndarray) -> None:
    """Write a maker's name across `shape`, in place, in a gap."""
    letters = rng.choice(list("ABCDEFGHIKLMNOPRSTUVZ"), int(rng.integers(4, 12)))
    name = written("".join(letters), any_font(rng), round(SIDE_PX * rng.uniform(0.06, 0.14)))
    wide = min(name.shape[1], round(SIDE_PX * 0.9))
    name = cv2.resize(name, (wide, len(name)), interpolation=cv2.INTER_AREA)
    y = round(rng.uniform(0.3, 0.7) * (len(shape) - len(name)))
    x = (SIDE_PX - wide) // 2
    shape[y : y + len(name), x : x + wide] = name


NUMBERED = 0.7
"""Share of the printings with numbers in their corners."""
SPAIN = (10, 11, 12)
"""Numbers of knave, knight and king on cards whose border line is interrupted."""
NUMBERS = ((8, 9, 10), SPAIN, (11, 12, 13))
"""Their numbers in other regions."""
WITH_NUMBERS = frozenset(
    {"italian-own", "spanish", "spanish-vector", "trentine", "trevisane", "triestine"}
)
"""Patterns whose known packs have numbers, which cannot be mirrored."""
LEGIBLE = 0.045
"""Least height of the numbers of a crossed printing, as a share of the card's."""
COLOURED = 0.15
"""Share of the printings whose numbers are not black."""
INWARD = 0.2
"""Share of those with numbers far from the card's edge."""
GAPS = {"d": 0, "c": 1, "s": 2, "b": 3}
"""Interruptions of the line around a Spanish card, by suit."""
MARKED = 0.5
"""Share of the printings whose four of coins has a mark."""


class RedrawnPrinting:
    """What the cards of one random printing, drawn after a known one, share."""

    def __init__(self, rng: Rng, *, turns: bool) -> None:
        """Draw the values; the printing may face the other way if it `turns`."""
        self.width = rng.uniform(0.5, 0.66)
        margin = rng.uniform(0.0, 0.06, 4) if rng.random() < 0.7 else np.zeros(4)
        plain = rng.random() < 0.6
        self.line = rng.uniform(0.002, 0.012) if rng.random() < 0.5 else 0.0
        """Thickness of the line around the drawing; 0 for none."""
        self.gaps = bool(rng.random() < 0.4)
        """Whether that line is interrupted by suit, as Spain does."""
        self.art = margin[0], margin[1], self.width - margin[2], 1 - margin[3]
        """Left, top, right and bottom of the drawing."""
        self.trim = rng.uniform(0.0, 0.05)
        """Share of the known card's width and height left out on every side."""
        self.mirrored = turns and bool(rng.random() < 0.5)
        self.colours = _colours(rng)
        self.curve = float(np.exp(rng.normal(0, 0.35)))
        """Above 1: darker colours."""
        self.ground = np.ones(3) if plain else np.clip(1 - rng.gamma(1, [0.2, 0.08, 0.05]), 0.5, 1)
        """Colour of the paper inside the line, BGR 0..1."""
        self.two_headed = bool(rng.random() < 0.15)
        """Whether knaves, knights and kings end in their own head below."""
        any_numbers = not (self.line and self.gaps)
        self.numbers = NUMBERS[int(rng.integers(len(NUMBERS)))] if any_numbers else SPAIN
        self.ink = _ink(rng)
        self.index = Index(
            font=any_font(rng),
            height=rng.uniform(0.03, 0.1) if rng.random() < NUMBERED else 0.0,
            stretch=rng.uniform(0.6, 1.1),
            pip=0.0,
            inset_xy=(_inset(rng), rng.uniform(0.015, 0.06)),
            alone=bool(rng.random() < 0.6),
            has_four=bool(rng.random() < 0.2),
        )

    def card(self, code: str, known: Image) -> Image:
        """Return one of the forty faces, drawn after a known one."""
        rank, suit = int(code[:-1]), code[-1]
        face = _blank(self.width)
        left, top, right, bottom = (round(share * HEIGHT_PX) for share in self.art)
        y, x = (round(self.trim * side) for side in known.shape[:2])
        inner = known[y : len(known) - y, x : known.shape[1] - x]
        inner = np.ascontiguousarray(inner[:, ::-1] if self.mirrored else inner)
        art = cv2.resize(inner, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        if self.two_headed and rank > 7:
            half = len(art) // 2
            art[-half:] = art[:half][::-1, ::-1]
        curve = (255 * (np.arange(256) / 255) ** self.curve).astype(np.uint8)
        printed = cv2.transform(cv2.LUT(art, curve), self.colours.astype(np.float32))
        face[top:bottom, left:right] = (printed * self.ground).astype(np.uint8)
        if self.line:
            self._frame(face, gaps=GAPS[suit] if self.gaps else 0)
        number = rank if rank <= 7 else self.numbers[rank - 8]
        self.index.put(face, str(number), colour=self.ink)
        return face

    def _frame(self, face: Image, *, gaps: int) -> None:
        """Draw the line around the drawing onto `face`, in place."""
        left, top, right, bottom = (round(share * HEIGHT_PX) for share in self.art)
        inset = round(0.02 * HEIGHT_PX)
        thick = max(1, round(self.line * HEIGHT_PX))
        low, high = (left + inset, top + inset), (right - inset, bottom - inset)
        for y in (low[1], high[1]):
            edges = np.linspace(low[0], high[0], 2 * gaps + 2).astype(int)
            for start, end in zip(edges[::2], edges[1::2], strict=True):
                cv2.line(face, (int(start), y), (int(end), y), (40, 30, 30), thick)
        for x in (low[0], high[0]):
            cv2.line(face, (x, low[1]), (x, high[1]), (40, 30, 30), thick)


def reprint(rng: Rng, decks: list[Deck]) -> Deck:
    """Return a printing drawn after a known pack without French suits."""
    known = [deck for deck in decks if not deck.is_french]
    chosen = known[int(rng.integers(len(known)))]
    pattern = chosen.name.split("__")[0]
    printed = RedrawnPrinting(rng, turns=pattern not in WITH_NUMBERS)
    faces = {code: printed.card(code, chosen.faces[code][0]) for code in CLASSES[:40]}
    if rng.random() < MARKED:
        faces["4d"] = marked(rng, faces["4d"], faces[str(rng.choice(FIGURES))])
    return Deck(f"{pattern}-reprinted", {code: pyramid(face) for code, face in faces.items()})


def crossed(rng: Rng, decks: list[Deck]) -> Deck:
    """Return a numbered printing with the drawings of other cards of the suit.

    A network can tell a known card by its drawing alone, but must read the number of a pack it has
    never seen. Here only the number tells the rank.
    """
    known = [deck for deck in decks if not deck.is_french]
    bare = [deck for deck in known if deck.name.split("__")[0] not in WITH_NUMBERS] or known
    chosen = bare[int(rng.integers(len(bare)))]
    printed = RedrawnPrinting(rng, turns=True)
    height = max(printed.index.height, float(rng.uniform(LEGIBLE, 2 * LEGIBLE)))
    printed.index = replace(printed.index, height=height)
    others = rng.permuted(np.array(CLASSES[:40]).reshape(len(GAPS), -1), axis=1)
    drawn = zip(CLASSES[:40], others.ravel().tolist(), strict=True)
    faces = {code: pyramid(printed.card(code, chosen.faces[other][0])) for code, other in drawn}
    return Deck(f"{chosen.name.split('__')[0]}-crossed", faces)


def _inset(rng: Rng) -> float:
    """Draw the distance of numbers from the edge: in Trento and Trieste nearly half the width."""
    return rng.uniform(0.07, 0.22) if rng.random() < INWARD else rng.uniform(0.015, 0.07)


def _ink(rng: Rng) -> tuple[int, ...]:
    """Draw the colour of the numbers, mostly black."""
    if rng.random() >= COLOURED:
        return (30, 25, 25)
    return tuple(int(level) for level in rng.integers(0, 140, 3))


def _colours(rng: Rng) -> np.ndarray:
    """Draw different inks: hues turned, weaker or stronger, sometimes in a different order."""
    turned = np.eye(3)[rng.permutation(3)] if rng.random() < 0.2 else np.eye(3)
    mixed = turned + rng.normal(0, 0.15, (3, 3))
    strength = rng.uniform(0.0, 1.6)
    mixed /= mixed.sum(1, keepdims=True)
    return np.asarray(mixed @ (np.eye(3) * strength + (1 - strength) / 3))
