"""One picture of a pile on a table, with the corners of every card, hidden ones too."""

import math
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from training.packs.decks import Deck
from training.paint import Image, Rng
from training.scenes.camera import Camera, aim, corners_of
from training.scenes.cardstock import Style, drawn_back, lay_card, stock
from training.scenes.clutter import put_over, put_under
from training.scenes.human_hands import hold_card, raised
from training.scenes.layouts import LAYOUTS, LaidCard, lay
from training.scenes.light import illuminate, photograph
from training.scenes.surfaces import TEXTURE_PX, table
from vision.reading import BACK, CLASSES, NOT_SCOPA

_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
PACK_STRANGERS = 0.17
"""Share of the cards that are none of Scopa's, where the pack has eights, nines and tens."""
EDGES = 0.2
"""Share of the pictures with the edge of the table in them, or that of a mat."""
HELD = 0.12
"""Share of the pictures in which a hand holds the last card."""
ODD_SHARE = 0.12
"""Share of those that are of no pack at all."""
ODDMENTS = 0.02
"""Share of the cards that are of no pack, where it has none."""
_INDEX = _UNIT * np.array([0.2, 0.26], np.float32)
"""The upper left corner of a card, as wide and high as a French index with its suit."""


@dataclass(frozen=True)
class SceneCard:
    """One card of a scene."""

    card: str
    """A code, `back` or `x`."""
    corners: np.ndarray
    """(4, 2) float32 x, y in picture pixels, clockwise, 0-1 the upper short side of the face."""
    visible: float
    """Share of the card inside the picture that nothing covers, 0..1."""
    indices_seen: tuple[float, float] = (0.0, 0.0)
    """Share that nothing covers of either corner where an index stands: that of 0, that of 2."""


@dataclass(frozen=True)
class Scene:
    """A picture with the truth about it."""

    image: Image
    """H x W x 3 BGR."""
    cards: tuple[SceneCard, ...]
    """Lowest card first; totally hidden ones are included."""
    layout: str
    """Name of the layout, see `layouts.LAYOUTS`."""
    deck: str
    """Name of the deck."""
    tilt_deg: float
    """How far the camera leans from straight above."""
    light: str
    """What is most to be said of the light: even, shadows, glare, lamp or sun."""


@dataclass(frozen=True)
class Material:
    """What scenes are made of."""

    decks: tuple[Deck, ...]
    """Decks to choose from."""
    strangers: tuple[tuple[Image, ...], ...] = ()
    """Faces that no Scopa deck holds, as pyramids."""
    tables: tuple[Image, ...] = ()
    """Photographed tables."""
    oddments: tuple[tuple[Image, ...], ...] = ()
    """Cards of no pack, as pyramids: jokers, visiting cards."""
    prints: tuple[Image, ...] = ()
    """Printed matter that lies about, see `prints`."""


@dataclass(frozen=True)
class Recipe:
    """What a scene is asked to show; None leaves it to chance."""

    layout: str | None = None
    """Name of a layout."""
    cards: tuple[str, ...] | None = None
    """Exactly these cards, in the order laid."""
    tilt_deg: float | None = None
    """Camera tilt."""
    size_wh: tuple[int, int] | None = None
    """Picture size in pixels."""
    tidy: bool = False
    """Leave out strangers, backs, clutter on the cards and cards cut off."""


def _count(rng: Rng) -> int:
    return int(rng.choice([rng.integers(1, 6), rng.integers(4, 16), rng.integers(12, 41)]))


def _hand(rng: Rng, material: Material, deck: Deck, recipe: Recipe) -> list[str]:
    """Which cards lie there."""
    if recipe.cards is not None:
        return list(recipe.cards)
    codes = list(rng.permutation(np.array(CLASSES[:40]))[: _count(rng)])
    if recipe.tidy:
        return codes
    share = ODDMENTS if material.oddments else 0.0
    if _pack_strangers(material, deck):
        share = PACK_STRANGERS
    for i in range(len(codes)):
        roll = rng.random()
        if roll < 0.03:
            codes[i] = BACK
        elif roll < 0.03 + share:
            codes[i] = NOT_SCOPA
    return codes


def _closed_stack(rng: Rng, places: list[LaidCard]) -> list[LaidCard]:
    """A face-down stack, squared up by hand, beside the pile or across half of a card."""
    right = max(p.x for p in places) + rng.uniform(0.9, 1.8)
    middle = float(np.mean([p.y for p in places])) + rng.normal(0, 0.7)
    loose, angle = rng.uniform(0.005, 0.05), rng.uniform(0, 360)
    if rng.random() < 0.5:
        under = places[int(rng.integers(len(places)))]
        along, end = math.radians(under.angle_deg), rng.uniform(0.3, 0.7) * rng.choice([-1, 1])
        right, middle = under.x - math.sin(along) * end, under.y + math.cos(along) * end
        angle = under.angle_deg + 90 + rng.normal(0, 4)
    return [
        LaidCard(
            right + rng.normal(0, loose),
            middle + rng.normal(0, loose),
            angle + rng.normal(0, loose * 90),
        )
        for _ in range(int(rng.integers(1, 9)))
    ]


def _pack_strangers(material: Material, deck: Deck) -> tuple[tuple[Image, ...], ...]:
    """The eights, nines and tens that a French pack has and Scopa leaves out."""
    return (deck.strangers or material.strangers) if deck.is_french else ()


def _face(rng: Rng, material: Material, deck: Deck, code: str, height_px: float) -> Image:
    """The picture printed on a card."""
    if code == NOT_SCOPA:
        strangers = _pack_strangers(material, deck)
        if not strangers or rng.random() < ODD_SHARE:
            strangers = material.oddments or strangers
        stranger = strangers[int(rng.integers(len(strangers)))]
        return next((p for p in reversed(stranger) if p.shape[0] >= height_px), stranger[0])
    if code in deck.faces:
        return deck.face(code, height_px)
    backs = [d for d in material.decks if BACK in d.faces]
    if backs and rng.random() < 0.6:
        return backs[int(rng.integers(len(backs)))].face(BACK, height_px)
    return drawn_back(rng)


def _tabletop(rng: Rng, material: Material, camera: Camera) -> Image:
    """The empty table as the camera sees it, at times to its edge with the floor behind it."""
    seen = _surface(rng, material, camera)
    if rng.random() >= EDGES:
        return seen
    wide, high = camera.size_wh
    floor = _surface(rng, material, camera) * np.float32(rng.uniform(0.3, 1.0))
    turn, off = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.5) * min(wide, high)
    y, x = np.ogrid[:high, :wide]
    beyond = (x - wide / 2) * np.cos(turn) + (y - high / 2) * np.sin(turn) > off
    return np.where(beyond[..., None], floor, seen).astype(np.uint8)


def _surface(rng: Rng, material: Material, camera: Camera) -> Image:
    """One table or floor, all over the picture."""
    top = table(rng, list(material.tables))
    if rng.random() < 0.35:
        side = int(min(TEXTURE_PX, rng.uniform(300, TEXTURE_PX)))
        return np.asarray(cv2.resize(top[:side, :side], camera.size_wh), np.uint8)
    span = rng.uniform(4, 14)
    to_table = np.array(
        [[span / TEXTURE_PX, 0, -span / 2], [0, span / TEXTURE_PX, -span / 2], [0, 0, 1]]
    )
    seen = cv2.warpPerspective(
        top, camera.matrix @ to_table, camera.size_wh, borderMode=cv2.BORDER_WRAP
    )
    return np.asarray(seen, np.uint8)


def make_scene(rng: Rng, material: Material, recipe: Recipe = Recipe()) -> Scene:
    """A picture of a pile: chance decides what the recipe leaves open."""
    deck = material.decks[int(rng.integers(len(material.decks)))]
    codes = _hand(rng, material, deck, recipe)
    layout = recipe.layout or str(rng.choice(list(LAYOUTS)))
    style = Style(rng)
    face = deck.faces[CLASSES[0]][0]
    aspect = face.shape[1] / face.shape[0] * style.stretch
    places = lay(rng, layout, len(codes))
    if not recipe.tidy and rng.random() < 0.12:
        stack = _closed_stack(rng, places)
        places, codes = places + stack, codes + [BACK] * len(stack)
    on_table = [corners_of(place, aspect) for place in places]
    camera = aim(rng, on_table, size_wh=recipe.size_wh, tilt_deg=recipe.tilt_deg, tidy=recipe.tidy)
    corners = [camera.project(c).astype(np.float32) for c in on_table]
    held = not recipe.tidy and rng.random() < HELD
    corners[-1] = raised(rng, corners[-1]) if held else corners[-1]
    heights = [float(np.linalg.norm(c[1] - c[2])) for c in corners]
    unit = float(np.median(heights))
    empty = _tabletop(rng, material, camera)
    canvas = put_under(rng, empty, unit, prints=material.prints).astype(np.float32)
    owner = np.full(canvas.shape[:2], -1, np.int16)
    for i, code in enumerate(codes):
        cut = stock(rng, style, _face(rng, material, deck, code, heights[i] * 1.2))
        draw = partial(hold_card, rng) if held and i == len(codes) - 1 else lay_card
        draw(canvas, owner, i, cut=cut, corners=corners[i], style=style)
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    if not recipe.tidy and rng.random() < 0.12:
        at_xy = corners[int(rng.integers(len(corners)))].mean(0) + rng.normal(0, unit * 0.4, 2)
        picture, covered = put_over(rng, picture, unit, at_xy=at_xy)
        owner[covered > 0] = -1
    lit, light = illuminate(rng, picture)
    image = photograph(rng, lit, unit)
    cards = tuple(
        SceneCard(code, c, _visible(owner == i, c), _indices_seen(owner == i, c))
        for i, (code, c) in enumerate(zip(codes, corners, strict=True))
    )
    return Scene(image, cards, layout, deck.name, camera.tilt_deg, light)


def _visible(mine: np.ndarray, corners: np.ndarray) -> float:
    area = float(cv2.contourArea(corners.astype(np.float32)))
    return min(1.0, float(mine.sum()) / area) if area > 1 else 0.0


def _indices_seen(mine: np.ndarray, corners: np.ndarray) -> tuple[float, float]:
    to_picture = cv2.getPerspectiveTransform(_UNIT, corners.astype(np.float32))
    first, second = (_share_seen(mine, c, to_picture) for c in (_INDEX, 1 - _INDEX))
    return first, second


def _share_seen(mine: np.ndarray, part: np.ndarray, to_picture: np.ndarray) -> float:
    inside = np.zeros(mine.shape, np.uint8)
    placed = cv2.perspectiveTransform(part[None], to_picture)
    cv2.fillConvexPoly(inside, np.round(placed).astype(np.int32), (1,))
    area = max(float(inside.sum()), float(cv2.contourArea(placed)))  # what is cut off counts
    return float(mine[inside > 0].sum()) / max(area, 1.0)
