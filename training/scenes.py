"""One picture of a pile on a table, with the four corners of every card, hidden ones too.

Cards are laid as people spread a pile (`LAYOUTS`), a camera is aimed at them (`aim`), and
`make_scene` draws the picture. The unit of length on the table is the height of a card.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from scipy.spatial.transform import Rotation

from training.clutter import hold_card, put_over, put_under, raised
from training.paint import Image, Rng
from training.printings import Deck, at_height
from training.rendering import Style, drawn_back, illuminate, lay_card, photograph, stock
from training.surfaces import TEXTURE_PX, fine_table, table
from vision.reading import BACK, CLASSES, NOT_SCOPA

OFFSET = (0.08, 0.5)
"""Range of the offset of the top card of a squared-up trick, in card heights."""


@dataclass(frozen=True)
class LaidCard:
    """The place of one card; the unit of length is the height of a card."""

    x: float
    """Centre, to the right."""
    y: float
    """Centre, away from the upper edge of the table."""
    angle_deg: float
    """Clockwise turn; 0 is upright, 180 upside down."""


def _upright(rng: Rng, *, wobble_deg: float) -> float:
    """Return a little disorder and, half the time, the card upside down."""
    return rng.normal(0, wobble_deg) + (180.0 if rng.random() < 0.5 else 0.0)


def _turned(x: float, y: float, angle_deg: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return x * c - y * s, x * s + y * c


def _lines(
    rng: Rng, count: int, *, per_line: int, step: float, line_step: float, down: bool
) -> list[LaidCard]:
    """Return cards along lines: `step` between neighbours, `line_step` between lines."""
    wobble = float(rng.choice([0.5, 2.0, 5.0]))
    loose = float(rng.choice([0.004, 0.015, 0.04]))
    skew = rng.normal(0, 0.05)
    places = []
    for k in range(count):
        line, i = divmod(k, per_line)
        along = i * step + rng.normal(0, loose)
        across = line * line_step + i * skew * step + rng.normal(0, loose)
        x, y = (across, along) if down else (along, across)
        places.append(LaidCard(x, y, _upright(rng, wobble_deg=wobble)))
    return places


def grid(rng: Rng, count: int) -> list[LaidCard]:
    """Rows and columns that do not touch, or just."""
    columns = max(1, round(math.sqrt(count * rng.uniform(1.0, 3.0))))
    gap = rng.uniform(0.0, 0.25)
    return _lines(rng, count, per_line=columns, step=0.6 + gap, line_step=1.02 + gap, down=False)


def rows(rng: Rng, count: int) -> list[LaidCard]:
    """Rows in which each card covers part of the one before it."""
    per_line = int(rng.integers(3, 14))
    step = rng.uniform(0.16, 0.5)
    line_step = rng.choice([rng.uniform(0.55, 0.9), rng.uniform(1.02, 1.25)])
    return _lines(rng, count, per_line=per_line, step=step, line_step=line_step, down=False)


def columns(rng: Rng, count: int) -> list[LaidCard]:
    """Ladders: columns in which each card covers all but the top of the one above it."""
    per_line = int(rng.integers(3, 11))
    step = rng.uniform(0.18, 0.6)
    line_step = rng.choice([rng.uniform(0.4, 0.6), rng.uniform(0.64, 0.9)])
    return _lines(rng, count, per_line=per_line, step=step, line_step=line_step, down=True)


def fan(rng: Rng, count: int) -> list[LaidCard]:
    """Return one or more fans around a pivot below the cards."""
    places: list[LaidCard] = []
    per_fan = int(rng.integers(4, 15))
    for start in range(0, count, per_fan):
        n = min(per_fan, count - start)
        radius, step = rng.uniform(0.6, 2.2), rng.uniform(6.0, 22.0)
        shift = (start // per_fan) * rng.uniform(1.4, 2.0)
        lean = rng.normal(0, 25)
        flip = 180.0 if rng.random() < 0.3 else 0.0
        for i in range(n):
            angle = lean + (i - (n - 1) / 2) * step + rng.normal(0, 1.5)
            x, y = _turned(0.0, -radius, angle)
            places.append(LaidCard(x + shift * 1.3, y + shift * rng.normal(0, 0.1), angle + flip))
    return places


def heap(rng: Rng, count: int) -> list[LaidCard]:
    """Return a heap pushed apart: any angle, centres kept from lying on one another."""
    apart, spread = rng.uniform(0.25, 0.6), 0.35 * math.sqrt(count) * rng.uniform(0.9, 1.5)
    places: list[LaidCard] = []
    for _ in range(count):
        for attempt in range(30):
            x, y = rng.normal(0, spread, 2) * (1 + attempt * 0.06)
            if all((p.x - x) ** 2 + (p.y - y) ** 2 > apart**2 for p in places):
                break
        places.append(LaidCard(x, y, rng.uniform(0, 360)))
    return places


def scattered(rng: Rng, count: int) -> list[LaidCard]:
    """Return cards far apart at any angle."""
    side = math.ceil(math.sqrt(count))
    step = rng.uniform(1.15, 1.9)
    cells = rng.permutation(side * side)[:count]
    return [
        LaidCard(
            cell % side * step + rng.normal(0, 0.08),
            cell // side * step + rng.normal(0, 0.08),
            rng.uniform(0, 360),
        )
        for cell in cells
    ]


def crosswise(rng: Rng, count: int) -> list[LaidCard]:
    """Overlapping rows in which the sweeps lie sideways."""
    return [
        LaidCard(p.x, p.y, p.angle_deg + 90 if rng.random() < 0.25 else p.angle_deg)
        for p in rows(rng, count)
    ]


def ladders(rng: Rng, count: int) -> list[LaidCard]:
    """Tight rows or columns: a fifth of each card shows, as wide or high as a printed index."""
    per_line, down = int(rng.integers(6, 13)), rng.random() < 0.5
    step = rng.uniform(0.18, 0.27) if down else rng.uniform(0.11, 0.17)
    line_step = rng.uniform(0.66, 0.95) if down else rng.uniform(1.02, 1.3)
    return _lines(rng, count, per_line=per_line, step=step, line_step=line_step, down=down)


def pairs(rng: Rng, count: int) -> list[LaidCard]:
    """Tricks squared up: of two or three cards each, those below stand out by a tenth to a half."""
    together = 2 if rng.random() < 0.7 else 3
    spots = (grid if rng.random() < 0.6 else scattered)(rng, -(-count // together))
    away, places = rng.uniform(1.0, 1.5), []
    toward = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 30)
    for k in range(count):
        spot, below = spots[k // together], k % together
        off = rng.uniform(*OFFSET) * below / (together - 1)
        x, y = _turned(0.0, off, spot.angle_deg + toward + rng.normal(0, 10))
        angle = spot.angle_deg + rng.normal(0, 2) + 180 * float(rng.random() < 0.5)
        places.append(LaidCard(spot.x * away + x, spot.y * away + y, angle))
    return places


Layout = Callable[[Rng, int], list[LaidCard]]
"""A function that places a number of cards, the lowest in the pile first."""
SPREAD: dict[str, Layout] = {
    layout.__name__: layout for layout in (grid, rows, columns, fan, heap, scattered, crosswise)
}
"""Layouts in which most cards show enough of themselves, whatever is printed on them."""
CROWDED: dict[str, Layout] = {"ladders": ladders, "pairs": pairs}
"""Layouts in which little but its index tells most cards."""
LAYOUTS = SPREAD | CROWDED


def lay(rng: Rng, name: str, count: int) -> list[LaidCard]:
    """`count` cards laid in the named way, the whole turned a little or by a right angle."""
    turn = float(rng.choice([0, 0, 0, 90, 180, 270])) + rng.normal(0, 8)
    squeeze = rng.uniform(0.92, 1.08)
    places = []
    for p in LAYOUTS[name](rng, count):
        x, y = _turned(p.x * squeeze, p.y, turn)
        places.append(LaidCard(x, y, p.angle_deg + turn))
    return places if rng.random() < 0.75 else places[::-1]


_SIZES_WH = ((1280, 960), (960, 1280), (1280, 720), (720, 1280), (1024, 1024))
_SIZE_SHARES = (0.35, 0.35, 0.1, 0.1, 0.1)
FOCAL = (0.7, 1.5)
"""Focal lengths in long sides of the picture: a phone's wide camera and its double one."""
HEIGHTS, NEAR_HEIGHTS = (0.13, 0.85), (0.4, 1.15)
"""Range of the largest card height, in long sides of the picture: usually, and for near cards."""
NEAREST = 0.45
"""The nearest card is no nearer than this share of the distance to the pile's middle."""


@dataclass(frozen=True)
class Camera:
    """Where a picture was taken from."""

    matrix: np.ndarray
    """Homography from the table (card heights) to picture pixels, 3 x 3."""
    size_wh: tuple[int, int]
    tilt_deg: float
    """How far it leans from straight above."""

    def project(self, points: np.ndarray) -> np.ndarray:
        """Table points (n, 2) as picture points (n, 2)."""
        return _project(self.matrix, points)


def aim(
    rng: Rng,
    corners: list[np.ndarray],
    *,
    size_wh: tuple[int, int] | None = None,
    tilt_deg: float | None = None,
    tidy: bool = False,
    near: bool = False,
) -> Camera:
    """Return a camera whose frame has cards with these table corners; if `tidy`, all of them.

    `near`: a card may be as high as the picture is long, and reach out of it.
    """
    size = size_wh or _SIZES_WH[int(rng.choice(5, p=_SIZE_SHARES))]
    tilt = tilt_deg if tilt_deg is not None else _tilt(rng)
    turns = [rng.normal(0, 0.25), math.radians(tilt), rng.normal(0, 0.3)]
    lens = Rotation.from_euler("ZXZ", turns).as_matrix() * [1, 1, 0]
    lens[:2] *= max(size) * math.exp(rng.uniform(*np.log(FOCAL)))
    points = np.concatenate(corners)
    lens = lens @ _shift(-(points.min(0) + points.max(0)) / 2)
    share = rng.uniform(0.7, 0.96) if tidy else rng.uniform(0.6, 1.5 if near else 1.2)
    high = NEAR_HEIGHTS if near else HEIGHTS
    largest = max(size) * math.exp(rng.uniform(*np.log(high)))
    matrix = _held_off(lens, points, room=share * np.array(size), largest=largest)
    seen = _project(matrix, points)
    slack = np.array(size) - np.ptp(seen, axis=0)  # the pile is anywhere, or fills the frame
    offset = np.where(slack > 0, slack * rng.uniform(0, 1, 2), slack / 2)
    return Camera(_shift(offset - seen.min(0)) @ matrix, size, tilt)


def _tilt(rng: Rng) -> float:
    """Draw a tilt: mostly from above, often as seen from a chair."""
    return float(rng.uniform(20, 58)) if rng.random() < 0.35 else min(58.0, abs(rng.normal(0, 22)))


def corners_of(place: LaidCard, aspect: float) -> np.ndarray:
    """Table coordinates of a card's corners, clockwise from its upper left."""
    a = math.radians(place.angle_deg)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    half = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2
    return np.asarray(half @ turn.T + [place.x, place.y])


def _held_off(
    lens: np.ndarray, points: np.ndarray, *, room: np.ndarray, largest: float
) -> np.ndarray:
    """Return the homography of a camera moved back until all fits and no card is too large.

    `room` and `largest` are in pixels; `lens` is the homography of a camera amid the pile.
    """
    depths = np.c_[points, np.ones(len(points))] @ lens[2]
    near, far = max(-depths.min() / (1 - NEAREST), 0.5), 400.0
    for _ in range(40):
        middle = math.sqrt(near * far)
        seen = _project(lens + np.diag([0, 0, middle]), points)
        card = np.median(np.linalg.norm(seen[1::4] - seen[2::4], axis=1))
        if (np.ptp(seen, axis=0) > room).any() or card > largest:
            near = middle
        else:
            far = middle
    return np.asarray(lens + np.diag([0, 0, far]))


def _shift(by_xy: np.ndarray) -> np.ndarray:
    return np.array([[1, 0, by_xy[0]], [0, 1, by_xy[1]], [0, 0, 1]])


def _project(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.perspectiveTransform(points[None].astype(float), matrix)[0])


_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
NEAR, BARE, HELD, EDGES = 0.4, 0.07, 0.12, 0.2
"""Shares of the pictures of one to three cards that fill much of it; without a card, as what lies
there is none; in which a hand holds the last card; with the edge of the table or of a mat."""
PACK_STRANGERS, ODD_SHARE = 0.17, 0.12
"""Share of the cards that are none of Scopa's, where the pack has eights, nines and tens; share of
those that are of no pack at all."""
ODDMENTS = 0.02
"""Share of the cards that are of no pack, where it has no eights, nines and tens."""
FINE, FINE_SCALES = 0.55, (0.35, 1.6)
"""Share of the grounds whose texture is seen pixel by pixel, however near the cards are; the width
of one pixel of such a texture in pixels of the picture."""
_INDEX = _UNIT * np.array([0.2, 0.26], np.float32)
"""The upper left corner of a card, as wide and high as a French index with its suit: the assumed
place of the index on printings for which it is not known."""


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
    """Visible share of the two corners with an index: corner 0, corner 2."""


@dataclass(frozen=True)
class Scene:
    """A picture with the truth about it."""

    image: Image
    cards: tuple[SceneCard, ...]
    """Lowest card first; totally hidden ones are included."""
    layout: str
    deck: str
    tilt_deg: float
    """How far the camera leans from straight above."""
    light: str
    """What is most to be said of the light: even, shadows, glare, lamp or sun."""


@dataclass(frozen=True)
class Material:
    """What scenes are made of."""

    decks: tuple[Deck, ...]
    strangers: tuple[tuple[Image, ...], ...] = ()
    """Faces that no Scopa deck holds, as pyramids."""
    tables: tuple[Image, ...] = ()
    oddments: tuple[tuple[Image, ...], ...] = ()
    """Cards of no pack, as pyramids: jokers, visiting cards."""
    prints: tuple[Image, ...] = ()
    """Printed paper on the table."""

    def strangers_of(self, deck: Deck) -> tuple[tuple[Image, ...], ...]:
        """Return the eights, nines and tens that a French pack has and Scopa leaves out."""
        return (deck.strangers or self.strangers) if deck.is_french else ()


@dataclass(frozen=True)
class Recipe:
    """What a scene is asked to show; None leaves it to chance."""

    layout: str | None = None
    cards: tuple[str, ...] | None = None
    """Exactly these cards, in the order laid."""
    tilt_deg: float | None = None
    size_wh: tuple[int, int] | None = None
    tidy: bool = False
    """Leave out strangers, backs, clutter on the cards and cards cut off."""


def _count(rng: Rng, *, near: bool) -> int:
    if near:
        return int(rng.choice([1, 1, 1, 2, 3]))
    return int(rng.choice([rng.integers(1, 6), rng.integers(4, 16), rng.integers(12, 41)]))


def _hand(rng: Rng, material: Material, deck: Deck, recipe: Recipe, *, near: bool) -> list[str]:
    """Return the cards of the picture, lowest first: codes, `back` and `x`."""
    if recipe.cards is not None:
        return list(recipe.cards)
    codes = list(rng.permutation(np.array(CLASSES[:40]))[: _count(rng, near=near)])
    if recipe.tidy:
        return codes
    share = ODDMENTS if material.oddments else 0.0
    if material.strangers_of(deck):
        share = PACK_STRANGERS
    for i in range(len(codes)):
        roll = rng.random()
        if roll < 0.03:
            codes[i] = BACK
        elif roll < 0.03 + share:
            codes[i] = NOT_SCOPA
    return codes


def _closed_stack(rng: Rng, places: list[LaidCard]) -> list[LaidCard]:
    """Return a face-down stack, squared up by hand, next to the pile or across half of a card."""
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


def _face(rng: Rng, material: Material, deck: Deck, code: str, height_px: float) -> Image:
    """Return the picture printed on a card."""
    if code == NOT_SCOPA:
        strangers = material.strangers_of(deck)
        if not strangers or rng.random() < ODD_SHARE:
            strangers = material.oddments or strangers
        return at_height(strangers[int(rng.integers(len(strangers)))], height_px)
    if code in deck.faces:
        return deck.face(code, height_px)
    backs = [d for d in material.decks if BACK in d.faces]
    if backs and rng.random() < 0.6:
        return backs[int(rng.integers(len(backs)))].face(BACK, height_px)
    return drawn_back(rng)


def _tabletop(rng: Rng, material: Material, camera: Camera, unit: float) -> Image:
    """The empty table as the camera sees it, at times to its edge with the floor behind it."""
    seen = surface(rng, material, camera, unit)
    if rng.random() >= EDGES:
        return seen
    wide, high = camera.size_wh
    floor = surface(rng, material, camera, unit) * np.float32(rng.uniform(0.3, 1.0))
    turn, off = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.5) * min(wide, high)
    y, x = np.ogrid[:high, :wide]
    beyond = (x - wide / 2) * np.cos(turn) + (y - high / 2) * np.sin(turn) > off
    return np.where(beyond[..., None], floor, seen).astype(np.uint8)


def surface(rng: Rng, material: Material, camera: Camera, unit: float) -> Image:
    """Return one table or floor, all over the picture, in which a card is `unit` pixels high."""
    if rng.random() < FINE:
        top = fine_table(rng, list(material.tables))
        span = TEXTURE_PX * float(np.exp(rng.uniform(*np.log(FINE_SCALES)))) / unit
    else:
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
    """Return a picture of a pile: chance decides what the recipe leaves open."""
    deck = material.decks[int(rng.integers(len(material.decks)))]
    free = not recipe.tidy and recipe.cards is None
    near = free and rng.random() < NEAR
    bare = free and rng.random() < BARE
    codes = _hand(rng, material, deck, recipe, near=near)
    layout = recipe.layout or str(rng.choice(list(LAYOUTS)))
    style = Style(rng)
    face = deck.faces[CLASSES[0]][0]
    aspect = face.shape[1] / face.shape[0] * style.stretch
    places = lay(rng, layout, len(codes))
    if not recipe.tidy and rng.random() < 0.12:
        stack = _closed_stack(rng, places)
        places, codes = places + stack, codes + [BACK] * len(stack)
    on_table = [corners_of(place, aspect) for place in places]
    camera = aim(
        rng, on_table, size_wh=recipe.size_wh, tilt_deg=recipe.tilt_deg, tidy=recipe.tidy, near=near
    )
    corners = [camera.project(c).astype(np.float32) for c in on_table]
    held = not recipe.tidy and not bare and rng.random() < HELD
    corners[-1] = raised(rng, corners[-1]) if held else corners[-1]
    heights = [float(np.linalg.norm(c[1] - c[2])) for c in corners]
    unit = float(np.median(heights))
    empty = _tabletop(rng, material, camera, unit)
    canvas = put_under(rng, empty, unit, prints=material.prints).astype(np.float32)
    owner = np.full(canvas.shape[:2], -1, np.int16)
    codes = [] if bare else codes
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
        SceneCard(code, c, _visible(owner == i, c), _indices_seen(owner == i, c, deck.index))
        for i, (code, c) in enumerate(zip(codes, corners, strict=bool(codes)))
    )
    return Scene(image, cards, layout, deck.name, camera.tilt_deg, light)


def _visible(mine: np.ndarray, corners: np.ndarray) -> float:
    area = float(cv2.contourArea(corners.astype(np.float32)))
    return min(1.0, float(mine.sum()) / area) if area > 1 else 0.0


def _indices_seen(
    mine: np.ndarray, corners: np.ndarray, index: tuple[np.ndarray, ...]
) -> tuple[float, float]:
    """Return the shares seen of either index: of its sign or its pip, whichever is covered more."""
    to_picture = cv2.getPerspectiveTransform(_UNIT, corners.astype(np.float32))
    parts = index or (_INDEX,)
    first = min(_share_seen(mine, part, to_picture) for part in parts)
    second = min(_share_seen(mine, 1 - part, to_picture) for part in parts)
    return first, second


def _share_seen(mine: np.ndarray, part: np.ndarray, to_picture: np.ndarray) -> float:
    inside = np.zeros(mine.shape, np.uint8)
    placed = cv2.perspectiveTransform(part[None], to_picture)
    cv2.fillConvexPoly(inside, np.round(placed).astype(np.int32), (1,))
    area = max(float(inside.sum()), float(cv2.contourArea(placed)))  # what is cut off counts
    return float(mine[inside > 0].sum()) / max(area, 1.0)
