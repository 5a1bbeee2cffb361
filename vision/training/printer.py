"""French-suited printings that no press ever made: other indices, pips, letters and margins.

Real packs of French cards differ most in what a covered card shows of itself: the corner index.
Number cards are composed anew; court cards keep the figure of a known deck between new indices.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from vision.classes import CLASSES
from vision.training.decks import Deck, Image, pyramid
from vision.training.layouts import Rng

HEIGHT_PX = 420
"""Height of a printed face."""
PAPER = 252
"""Grey level of the unprinted card."""
SUITS = "dcsb"
"""Diamonds, hearts, spades, clubs, by the letters of our codes."""
LETTERS = ("A JQK", "1 JQK", "A VDR", "1 VDR", "A BDK", "1 BDH", "A FDR")
"""Ace, then jack, queen and king, as they are lettered in one country or another."""
INKS_BGR = ((40, 30, 215), (40, 30, 215), (25, 20, 20), (25, 20, 20))
"""Usual colours of the suits."""
FOUR_INKS_BGR = ((205, 90, 30), (40, 30, 215), (25, 20, 20), (60, 130, 20))
"""Those of four-coloured packs: blue diamonds, green clubs."""
TOP, MIDDLE, BOTTOM = -1.0, 0.0, 1.0
"""Where pips stand in their columns."""
_CENTRE_PIPS = {1: (MIDDLE,), 2: (TOP, BOTTOM), 3: (TOP, MIDDLE, BOTTOM), 5: (MIDDLE,),
                7: (-0.5,), 8: (-0.5, 0.5), 9: (MIDDLE,), 10: (-0.67, 0.67)}  # fmt: skip
_SIDE_PIPS = {4: (TOP, BOTTOM), 5: (TOP, BOTTOM), 6: (TOP, MIDDLE, BOTTOM),
              7: (TOP, MIDDLE, BOTTOM), 8: (TOP, MIDDLE, BOTTOM),
              9: (TOP, -1 / 3, 1 / 3, BOTTOM), 10: (TOP, -1 / 3, 1 / 3, BOTTOM)}  # fmt: skip


@dataclass(frozen=True)
class Look:
    """What the cards of one printing share; lengths are shares of a card's height."""

    width: float
    """Of the card."""
    inks: tuple[tuple[int, ...], ...]
    """A BGR colour for each suit."""
    pips: tuple[np.ndarray, ...]
    """The shape of each suit, 0..1."""
    font: Path
    """Of the indices."""
    letters: str
    """One of `LETTERS`."""
    index: float
    """Height of an index; 0 for none."""
    index_stretch: float
    """Its width against what the font gives."""
    corner_pip: float
    """Size of the pip under an index."""
    inset_xy: tuple[float, float]
    """From the card's edge to the index."""
    index_alone: bool
    """Whether pips and figures leave room for the index."""
    has_four: bool
    """Whether all four corners bear an index."""
    pip: float
    """Width of a number card's pips."""
    ace: float
    """Width of an ace's pip."""
    spread_xy: tuple[float, float]
    """From the middle to the outer columns and rows."""
    court: tuple[float, float]
    """Half width and half height of a court card's figure."""
    framed: bool
    """Whether court cards have a line around the figure."""


def printing(rng: Rng, decks: list[Deck]) -> Deck:
    """A French printing in which the courts' figures and the pips come from known decks."""
    known = [deck for deck in decks if deck.name.startswith("french")]
    look = _look(rng, known)
    courts = known[int(rng.integers(len(known)))]
    faces = {code: pyramid(_card(look, code, courts)) for code in CLASSES[:40]}
    strangers = tuple(pyramid(_number(look, rank, at)) for rank in (8, 9, 10) for at in range(4))
    return Deck("french-printed", faces, strangers)


def _look(rng: Rng, known: list[Deck]) -> Look:
    """A printing by chance."""
    jumbo = rng.random() < 0.25
    index = rng.uniform(0.16, 0.26) if jumbo else rng.uniform(0.08, 0.16)
    inks = FOUR_INKS_BGR if rng.random() < 0.1 else INKS_BGR
    shapes = known[int(rng.integers(len(known)))]
    width = rng.uniform(0.62, 0.73)
    fonts = _fonts()
    return Look(
        width=width,
        inks=tuple(tuple(int(v) for v in np.clip(rng.normal(ink, 18), 0, 235)) for ink in inks),
        pips=tuple(_pip(shapes, suit) for suit in SUITS),
        font=fonts[int(rng.integers(len(fonts)))],
        letters=str(rng.choice(LETTERS)),
        index=0.0 if rng.random() < 0.04 else index,
        index_stretch=rng.uniform(0.6, 1.1),
        corner_pip=index * rng.uniform(0.45, 0.95),
        inset_xy=(rng.uniform(0.015, 0.05), rng.uniform(0.015, 0.06)),
        index_alone=bool(rng.random() < 0.8),
        has_four=bool(rng.random() < 0.3),
        pip=rng.uniform(0.09, 0.16),
        ace=rng.uniform(0.12, 0.4),
        spread_xy=(width * rng.uniform(0.16, 0.23), rng.uniform(0.26, 0.36)),
        court=(width * rng.uniform(0.3, 0.4), rng.uniform(0.38, 0.47)),
        framed=bool(rng.random() < 0.6),
    )


@cache
def _fonts() -> list[Path]:
    """Fonts with capitals and figures: those that come with matplotlib."""
    from matplotlib import get_data_path

    folder = Path(get_data_path()) / "fonts" / "ttf"
    named = (
        "DejaVuS*.ttf",
        "STIXGeneral*.ttf",
        "cmr10.ttf",
        "cmb10.ttf",
        "cmss10.ttf",
        "cmtt10.ttf",
    )
    found = sorted(path for name in named for path in folder.glob(name))
    return [path for path in found if "Display" not in path.name]


def _pip(deck: Deck, suit: str) -> np.ndarray:
    """The shape of a suit, cut from the middle of its three: H x W float32 0..1."""
    face = deck.faces[f"3{suit}"][0]
    h, w = face.shape[:2]
    middle = face[int(h * 0.4) : int(h * 0.6), int(w * 0.3) : int(w * 0.7)]
    inked = 1 - middle.min(2).astype(np.float32) / max(1, int(middle.min(2).max()))
    rows, columns = np.flatnonzero(inked.max(1) > 0.5), np.flatnonzero(inked.max(0) > 0.5)
    return np.asarray(inked[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _card(look: Look, code: str, courts: Deck) -> Image:
    """One face of the forty."""
    rank, suit = int(code[:-1]), SUITS.index(code[-1])
    if rank <= 7:
        return _number(look, rank, suit)
    face = _blank(look)
    h, w = face.shape[:2]
    half_w, half_h = (round(share * HEIGHT_PX) for share in look.court)
    known = courts.faces[code][0]
    top, left = round(known.shape[0] * 0.06), round(known.shape[1] * 0.16)
    figure = cv2.resize(
        known[top:-top, left:-left], (2 * half_w, 2 * half_h), interpolation=cv2.INTER_AREA
    )
    y, x = h // 2 - half_h, w // 2 - half_w
    face[y : y + 2 * half_h, x : x + 2 * half_w] = figure
    if look.framed:
        cv2.rectangle(face, (x, y), (x + 2 * half_w, y + 2 * half_h), (90, 40, 30), 2)
    return _indexed(look, face, sign=look.letters[rank - 6], suit=suit)


def _number(look: Look, rank: int, suit: int) -> Image:
    """A card of one to ten pips."""
    face = _blank(look)
    across, down = look.spread_xy
    places = [(0.0, y) for y in _CENTRE_PIPS.get(rank, ())]
    places += [(side, y) for y in _SIDE_PIPS.get(rank, ()) for side in (-1.0, 1.0)]
    for x, y in places:
        size = look.ace if rank == 1 else look.pip
        centre = (look.width / 2 + x * across, 0.5 + y * down)
        _stamp(look, face, suit, centre=centre, width=size, upside_down=y > 0)
    return _indexed(look, face, sign=look.letters[0] if rank == 1 else str(rank), suit=suit)


def _blank(look: Look) -> Image:
    return np.full((HEIGHT_PX, round(look.width * HEIGHT_PX), 3), PAPER, np.uint8)


def _stamp(
    look: Look, face: Image, suit: int, *,
    centre: tuple[float, float], width: float, upside_down: bool,
) -> None:  # fmt: skip
    """Prints a pip onto `face`, which the caller made."""
    shape = look.pips[suit]
    across = max(4, round(width * HEIGHT_PX))
    size = (across, max(4, round(across * shape.shape[0] / shape.shape[1])))
    _ink(face, cv2.resize(shape, size, interpolation=cv2.INTER_AREA)[:: -1 if upside_down else 1],
         centre=centre, colour=look.inks[suit])  # fmt: skip


def _ink(
    face: Image, shape: np.ndarray, *, centre: tuple[float, float], colour: tuple[int, ...]
) -> None:
    """Prints a shape (0..1) in one colour onto `face`, as far as it lies on the card."""
    h, w = shape.shape
    x, y = round(centre[0] * HEIGHT_PX) - w // 2, round(centre[1] * HEIGHT_PX) - h // 2
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + w, face.shape[1]), min(y + h, face.shape[0])
    cover = shape[y0 - y : y1 - y, x0 - x : x1 - x, None]
    part = face[y0:y1, x0:x1]
    part[:] = (part * (1 - cover) + np.array(colour) * cover).astype(np.uint8)


def _indexed(look: Look, face: Image, *, sign: str, suit: int) -> Image:
    """The face with its indices."""
    if not look.index:
        return face
    written = _written(look, sign)
    half_w = max(written.shape[1] / HEIGHT_PX, look.corner_pip) / 2
    clear_x, clear_y = (
        round(HEIGHT_PX * (inset + size))
        for inset, size in zip(
            look.inset_xy, (2 * half_w, look.index + look.corner_pip * 1.2), strict=True
        )
    )
    x, y = look.inset_xy[0] + half_w, look.inset_xy[1] + look.index / 2
    below = look.inset_xy[1] + look.index + look.corner_pip * 0.65
    for mirrored in (False, True) if look.has_four else (False,):
        at = look.width - x if mirrored else x
        for turned in (face, face[::-1, ::-1]):
            if look.index_alone:
                bare = slice(-clear_x, None) if mirrored else slice(clear_x)
                turned[:clear_y, bare] = PAPER
            _ink(turned, written, centre=(at, y), colour=look.inks[suit])
            _stamp(look, turned, suit, centre=(at, below), width=look.corner_pip, upside_down=False)
    return face


def _written(look: Look, sign: str) -> np.ndarray:
    """An index as a shape, as high as the look wants it: H x W float32 0..1."""
    font = ImageFont.truetype(str(look.font), 120)
    left, top, right, bottom = (round(v) for v in font.getbbox(sign))
    page = Pillow.new("L", (right - left, bottom - top))
    ImageDraw.Draw(page).text((-left, -top), sign, fill=255, font=font)
    height = round(look.index * HEIGHT_PX)
    width = max(4, round(height * page.width / page.height * look.index_stretch))
    small = cv2.resize(np.asarray(page), (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / 255
