"""Italian and Spanish printings that no press ever made: a known pack drawn and coloured anew.

Packs of one pattern differ in colours, in how the drawing sits on the card, in which way it
faces, in lines around it and in the numbers some of them bear; the figures stay alike. A crossed
printing is one whose drawings tell the suit only: what card it is stands in the corners.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.distractors import FIGURES, marked
from training.paint import Image, Rng
from training.printings import PAPER, Deck, Index, any_font, pyramid
from vision.reading import CLASSES

HEIGHT_PX = 420
"""Height of a printed face."""
NUMBERED = 0.7
"""Share of the printings that bear numbers in their corners."""
SPAIN = (10, 11, 12)
"""What knave, knight and king are numbered where the line around the card is interrupted."""
NUMBERS = ((8, 9, 10), SPAIN, (11, 12, 13))
"""What they are numbered in one region or another."""
WITH_NUMBERS = frozenset(
    {"italian-own", "spanish", "spanish-vector", "trentine", "trevisane", "triestine"}
)
"""Patterns whose known packs bear numbers, which mirrored are none: those keep their way."""
LEGIBLE = 0.045
"""Least height of the numbers of a crossed printing, as a share of the card's."""
COLOURED = 0.15
"""Share of the printings whose numbers are not black."""
INWARD = 0.2
"""Share of those whose numbers stand far from the card's edge."""
GAPS = {"d": 0, "c": 1, "s": 2, "b": 3}
"""Interruptions of the line around a Spanish card, by suit."""
MARKED = 0.5
"""Share of the printings whose four of coins bears a mark of its own."""
SPLIT = 0.5
"""Where a two-headed figure is cut, as a share of the card's height."""


@dataclass(frozen=True)
class RedrawnDesign:
    """What the cards of one printing share; lengths are shares of a card's height."""

    width: float
    """Of the card."""
    art: tuple[float, float, float, float]
    """Left, top, right and bottom of the drawing."""
    trim: float
    """Share of the known card's width and height left out on every side."""
    mirrored: bool
    """Whether the drawing faces the other way."""
    colours: np.ndarray
    """3 x 3, BGR to BGR: white and black stay as they are."""
    curve: float
    """Above 1: darker colours."""
    ground: np.ndarray
    """Colour of the paper inside the line, BGR 0..1."""
    two_headed: bool
    """Whether knaves, knights and kings end in their own head below."""
    line: float
    """Thickness of the line around the drawing; 0 for none."""
    gaps: bool
    """Whether that line is interrupted by suit, as Spain does."""
    numbers: tuple[int, ...]
    """One of `NUMBERS`."""
    index: Index
    """What stands in the corners."""
    ink: tuple[int, ...]
    """Its colour, BGR."""


def reprint(rng: Rng, decks: list[Deck]) -> Deck:
    """A printing drawn after one of the known packs without French suits."""
    known = [deck for deck in decks if not deck.is_french]
    chosen = known[int(rng.integers(len(known)))]
    pattern = chosen.name.split("__")[0]
    design = _design(rng, turns=pattern not in WITH_NUMBERS)
    faces = {code: _card(design, code, chosen.faces[code][0]) for code in CLASSES[:40]}
    if rng.random() < MARKED:
        faces["4d"] = marked(rng, faces["4d"], faces[str(rng.choice(FIGURES))])
    return Deck(f"{pattern}-reprinted", {code: pyramid(face) for code, face in faces.items()})


def crossed(rng: Rng, decks: list[Deck]) -> Deck:
    """A numbered printing whose drawings are those of other cards of their suit.

    Known drawings tell a card by themselves, so a network need not read the numbers on them; that
    it must on a pack it has never seen. Here nothing but the number tells the rank.
    """
    known = [deck for deck in decks if not deck.is_french]
    bare = [deck for deck in known if deck.name.split("__")[0] not in WITH_NUMBERS] or known
    chosen = bare[int(rng.integers(len(bare)))]
    design = _design(rng, turns=True)
    height = max(design.index.height, float(rng.uniform(LEGIBLE, 2 * LEGIBLE)))
    design = replace(design, index=replace(design.index, height=height))
    others = rng.permuted(np.array(CLASSES[:40]).reshape(len(GAPS), -1), axis=1)
    drawn = zip(CLASSES[:40], others.ravel().tolist(), strict=True)
    faces = {code: pyramid(_card(design, code, chosen.faces[other][0])) for code, other in drawn}
    return Deck(f"{chosen.name.split('__')[0]}-crossed", faces)


def _design(rng: Rng, *, turns: bool) -> RedrawnDesign:
    """A printing by chance, which may face the other way if it `turns`."""
    width = rng.uniform(0.5, 0.66)
    margin = rng.uniform(0.0, 0.06, 4) if rng.random() < 0.7 else np.zeros(4)
    plain = rng.random() < 0.6
    line = rng.uniform(0.002, 0.012) if rng.random() < 0.5 else 0.0
    gaps = bool(rng.random() < 0.4)
    return RedrawnDesign(
        width=width,
        art=(margin[0], margin[1], width - margin[2], 1 - margin[3]),
        trim=rng.uniform(0.0, 0.05),
        mirrored=turns and bool(rng.random() < 0.5),
        colours=_colours(rng),
        curve=float(np.exp(rng.normal(0, 0.35))),
        ground=np.ones(3) if plain else np.clip(1 - rng.gamma(1, [0.2, 0.08, 0.05]), 0.5, 1),
        two_headed=bool(rng.random() < 0.15),
        line=line,
        gaps=gaps,
        numbers=SPAIN if line and gaps else NUMBERS[int(rng.integers(len(NUMBERS)))],
        ink=_ink(rng),
        index=Index(
            font=any_font(rng),
            height=rng.uniform(0.03, 0.1) if rng.random() < NUMBERED else 0.0,
            stretch=rng.uniform(0.6, 1.1),
            pip=0.0,
            inset_xy=(_inset(rng), rng.uniform(0.015, 0.06)),
            alone=bool(rng.random() < 0.6),
            has_four=bool(rng.random() < 0.2),
        ),
    )


def _inset(rng: Rng) -> float:
    """How far from the card's edge numbers stand: in Trento and Trieste nearly in its middle."""
    return rng.uniform(0.07, 0.22) if rng.random() < INWARD else rng.uniform(0.015, 0.07)


def _ink(rng: Rng) -> tuple[int, ...]:
    """What numbers are printed in: mostly black."""
    if rng.random() >= COLOURED:
        return (30, 25, 25)
    return tuple(int(level) for level in rng.integers(0, 140, 3))


def _colours(rng: Rng) -> np.ndarray:
    """Other inks: hues turned, weaker or stronger, at times in another order."""
    turned = np.eye(3)[rng.permutation(3)] if rng.random() < 0.2 else np.eye(3)
    mixed = turned + rng.normal(0, 0.15, (3, 3))
    strength = rng.uniform(0.0, 1.6)
    mixed /= mixed.sum(1, keepdims=True)
    return np.asarray(mixed @ (np.eye(3) * strength + (1 - strength) / 3))


def _card(design: RedrawnDesign, code: str, known: Image) -> Image:
    """One face of the forty, drawn after a known one."""
    rank, suit = int(code[:-1]), code[-1]
    face = np.full((HEIGHT_PX, round(design.width * HEIGHT_PX), 3), PAPER, np.uint8)
    left, top, right, bottom = (round(share * HEIGHT_PX) for share in design.art)
    art = cv2.resize(
        _trimmed(design, known), (right - left, bottom - top), interpolation=cv2.INTER_AREA
    )
    if design.two_headed and rank > 7:
        half = int(len(art) * SPLIT)
        art[-half:] = art[:half][::-1, ::-1]
    face[top:bottom, left:right] = _coloured(design, np.asarray(art, np.uint8))
    if design.line:
        _framed(design, face, gaps=GAPS[suit] if design.gaps else 0)
    number = rank if rank <= 7 else design.numbers[rank - 8]
    design.index.put(face, str(number), colour=design.ink)
    return face


def _trimmed(design: RedrawnDesign, known: Image) -> Image:
    """The known drawing without its edge, facing the way this printing does."""
    y, x = (round(design.trim * side) for side in known.shape[:2])
    inner = known[y : len(known) - y, x : known.shape[1] - x]
    return np.ascontiguousarray(inner[:, ::-1] if design.mirrored else inner)


def _coloured(design: RedrawnDesign, art: Image) -> Image:
    """The drawing in the inks and on the ground of this printing."""
    curve = (255 * (np.arange(256) / 255) ** design.curve).astype(np.uint8)
    printed = cv2.transform(cv2.LUT(art, curve), design.colours.astype(np.float32))
    return np.asarray(printed * design.ground, np.uint8)


def _framed(design: RedrawnDesign, face: Image, *, gaps: int) -> None:
    """Draws the line around the drawing onto `face`, which the caller made."""
    left, top, right, bottom = (round(share * HEIGHT_PX) for share in design.art)
    inset = round(0.02 * HEIGHT_PX)
    thick = max(1, round(design.line * HEIGHT_PX))
    low, high = (left + inset, top + inset), (right - inset, bottom - inset)
    for y in (low[1], high[1]):
        edges = np.linspace(low[0], high[0], 2 * gaps + 2).astype(int)
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            cv2.line(face, (int(start), y), (int(end), y), (40, 30, 30), thick)
    for x in (low[0], high[0]):
        cv2.line(face, (x, low[1]), (x, high[1]), (40, 30, 30), thick)
