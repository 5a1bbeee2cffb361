"""Card faces: scans from ../shared where they are, the project's own drawn decks always.

`Inking` is how one printing of a deck differs from another: inks, fading, sharpness. `Index` is the
sign in the corners of a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from training.paint import Image, Rng
from vision.reading import CLASSES

ROOT = Path(__file__).resolve().parents[1]
"""The repository."""
SHARED = ROOT.parent / "shared" / "data"
"""Training material that is not ours: read, never copied into the repository."""
HELD_OUT: frozenset[str] = frozenset(
    {
        "bergamasche__aaaasmile__CuperativaSoloRuby",
        "napoletane__norciaand__BRISCOLATA",
        "napoletane__sterdomi__scopa-quindici",
        "triestine__dm002314473__tressette-game",
        "spanish-vector__urzino__Briscola-AndroidAPP",
        "french-anglopoker__GNOME__aisleriot",
        "french-mistra__Mistra__briscola",
        "napoletane-photo-purple-weave__MirkoPrevenzano__NeapolitanCardsRecognition",
        "napoletane-photo-red-cloth-worn__MirkoPrevenzano__NeapolitanCardsRecognition",
        "bresciane__NizarNadif__Briscolone",
        "french-bassi__bassiriccardo97__Scopone3.0",
        "french-xp__Alftakeaway__giochi-di-carte",
        "napoletane-index__dearcoding__briscola_game",
        "napoletane-vector__FCBTruong__tressette",
        "piacentine__Ari-501__Italian-Cards-Memory-Game",
        "piacentine__SamuLeo__JBriscola",
        "romagnole__enricogobbi__Progetto-Maraffa",
        "romagnole__Marafone__FrontendReact",
        "siciliane__ck9fas5__Progetto_Scopa_Briscola",
        "spanish-photo__OriolMoreno__YOLO-Spanish-Cards-Detector",
        "trevisane__AleVanz01__Briscola-Game",
        "trevisane__Matteo2700__briscola-online",
        "triestine__mabat__AndroidBriskulaCardGame",
        "triestine__mihapetr__Treseta",
    }
)
"""Printings kept out of training: another printing of each pattern is in it, from other plates."""
GROUNDS_KEPT_OUT = 10
"""Every so manieth ground is not trained on."""
WITHOUT_INDEX = frozenset({"french-guyenne", "french-paris-antique"})
"""French patterns of which some cards bear no index."""
_FACE_HEIGHTS = (512, 256, 128)


@dataclass(frozen=True)
class Deck:
    """One printing: its faces by class name, each as a pyramid of BGR pictures."""

    name: str
    """Folder name, pattern first."""
    faces: dict[str, tuple[Image, ...]] = field(repr=False)
    """Class name -> the same picture at falling heights, largest first."""
    strangers: tuple[tuple[Image, ...], ...] = field(default=(), repr=False)
    """Its eights, nines and tens, where it has them: a Scopa deck leaves them out."""

    @property
    def is_french(self) -> bool:
        """Whether the suits are French: such decks are also laid as tight ladders."""
        return self.name.split("__")[0] in {"genovesi", "milanesi", "piemontesi", "toscane"} or (
            self.name.startswith("french")
        )

    @property
    def is_indexed(self) -> bool:
        """Whether every card bears an index: alone it tells the card, also in a tight ladder."""
        return self.name.startswith("french") and self.name.split("__")[0] not in WITHOUT_INDEX

    def face(self, code: str, height_px: float) -> Image:
        """The smallest stored picture of a card that is at least `height_px` high."""
        pyramid = self.faces[code]
        return next((p for p in reversed(pyramid) if p.shape[0] >= height_px), pyramid[0])


def pyramid(picture: Image) -> tuple[Image, ...]:
    """The picture at up to three heights, largest first; wide pictures are turned upright."""
    if picture.shape[1] > picture.shape[0]:
        picture = np.ascontiguousarray(np.rot90(picture))
    levels = [picture]
    for height in _FACE_HEIGHTS[1:]:
        if picture.shape[0] > height:
            size = (max(8, round(picture.shape[1] * height / picture.shape[0])), height)
            resized = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
            levels.append(np.asarray(resized, np.uint8))
    return tuple(levels)


def _read(path: Path) -> Image:
    """A picture on white where it is transparent, at most 512 px high."""
    with Pillow.open(path) as opened:
        raw = opened.convert("RGBA")
    whole = Pillow.alpha_composite(Pillow.new("RGBA", raw.size, (255, 255, 255, 255)), raw)
    picture = np.ascontiguousarray(np.asarray(whole, np.uint8)[..., 2::-1])
    if picture.shape[0] > _FACE_HEIGHTS[0]:
        scale = _FACE_HEIGHTS[0] / picture.shape[0]
        resized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = np.asarray(resized, np.uint8)
    return picture


def _load_folder(folder: Path) -> Deck | None:
    """A deck from a folder of `<code>.<ending>` files; None where a card is missing."""
    files = {path.stem: path for path in sorted(folder.iterdir()) if path.stem in CLASSES}
    if any(code not in files for code in CLASSES[:40]):
        return None
    return Deck(folder.name, {code: pyramid(_read(path)) for code, path in files.items()})


def own_decks() -> list[Deck]:
    """The two decks this project draws itself, rasterised."""
    from assets.raster import deck_images  # needs the renderer of the train extra

    return [
        Deck(f"{name}-own", {code: pyramid(picture) for code, picture in faces.items()})
        for name, faces in deck_images().items()
    ]


def load_decks(*, held_out: bool = False) -> list[Deck]:
    """The decks to train with, or with `held_out` those kept for judging.

    Where ../shared is missing only our own decks are there: good for a smoke test, no more.
    """
    folder = SHARED / "decks"
    names = sorted(p.name for p in folder.iterdir() if p.is_dir()) if folder.exists() else []
    wanted = [name for name in names if (name in HELD_OUT) == held_out]
    decks = [deck for name in wanted if (deck := _load_folder(folder / name)) is not None]
    return decks if held_out else decks + own_decks()


def load_named(names: Sequence[str]) -> list[Deck]:
    """The decks of these folders of the shared material.

    Raises:
        FileNotFoundError: There is no such folder, or a card is missing in it.
    """
    found = []
    for name in names:
        folder = SHARED / "decks" / name
        deck = _load_folder(folder) if folder.is_dir() else None
        if deck is None:
            raise FileNotFoundError(f"expected the forty cards of a deck in {folder}")
        found.append(deck)
    return found


def not_scopa_faces() -> list[tuple[Image, ...]]:
    """Eights, nines and tens of French decks; empty where ../shared is missing."""
    folder = SHARED / "not-scopa"
    return [pyramid(_read(p)) for p in sorted(folder.glob("*.*"))] if folder.exists() else []


def backgrounds() -> list[Image]:
    """Photographed tables and grounds, BGR; empty where ../shared is missing."""
    paths = sorted((SHARED / "backgrounds").glob("*.*"))
    grounds = sorted((SHARED / "grounds").glob("*.[ja]*"))
    paths += [path for k, path in enumerate(grounds) if k % GROUNDS_KEPT_OUT]
    return [_read(path) for path in paths]


class Inking:
    """One printing of a deck: the same change for every card of a scene."""

    def __init__(self, rng: Rng) -> None:
        ink = np.eye(3) + rng.normal(0, 0.06, (3, 3)) if rng.random() < 0.5 else np.eye(3)
        strength = rng.uniform(0.4, 1.5) if rng.random() < 0.5 else 1.0
        fade = np.eye(3) * strength + (1 - strength) / 3
        self.inks = (ink / ink.sum(1, keepdims=True)) @ fade
        """3 x 3, BGR to BGR; white and black stay as they are."""
        self.gamma = float(np.exp(rng.normal(0, 0.25))) if rng.random() < 0.5 else 1.0
        """Above 1: darker inks."""
        self.spread = int(rng.choice([0, 0, 0, -1, 1]))
        """1: ink that ran, -1: thin lines."""
        self.softness = float(rng.choice([0.0, 0.0, rng.uniform(0.4, 1.4)]))
        """Blur of the print in pixels of the scan."""
        drawn = rng.normal(0, 1, (2, 5, 4)).astype(np.float32)
        self.redrawn = drawn * float(rng.choice([0.0, 0.0, rng.uniform(0.004, 0.02)]))
        """How far the drawing is moved, in card widths: x and y on a grid of 5 x 4."""

        pale = 255 - np.abs(rng.normal(0, [60, 25, 15])) if rng.random() < 0.2 else [255] * 3
        self.ground = np.asarray(np.clip(pale, 140, 255), np.float32) / 255
        """Colour the face is printed on, BGR 0..1."""
        self.rim = float(rng.choice([0.0, rng.uniform(0.01, 0.07)]))
        """Share of the width around that colour that stays white."""

    def __call__(self, face: Image) -> Image:
        """A face as this press prints it."""
        levels = np.arange(256) / 255
        curve = (255 * levels**self.gamma).astype(np.uint8)
        printed = cv2.transform(cv2.LUT(face, curve), self.inks.astype(np.float32))
        if self.redrawn.any():
            printed = moved(np.asarray(printed, np.uint8), self.redrawn)
        if self.ground.min() < 1:
            rim = int(self.rim * printed.shape[1])
            inside = np.s_[rim : len(printed) - rim, rim : printed.shape[1] - rim]
            printed[inside] = (printed[inside] * self.ground).astype(np.uint8)
        if self.spread:
            change = cv2.erode if self.spread > 0 else cv2.dilate
            printed = change(printed, np.ones((2, 2), np.uint8))
        if self.softness:
            printed = cv2.GaussianBlur(printed, (0, 0), self.softness)
        return np.asarray(printed, np.uint8)


def moved(face: Image, moves: np.ndarray) -> Image:
    """A face whose drawing is pushed here and there, as another engraver would set it."""
    h, w = face.shape[:2]
    dx, dy = (cv2.resize(move * w, (w, h), interpolation=cv2.INTER_CUBIC) for move in moves)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    moved = cv2.remap(face, x + dx, y + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


PLAIN = ("font_roboto", "font_manrope", "font_fjallaone")
"""Packages of fonts whose 1 has no foot, as on many cards: those that come with matplotlib have."""
UNFIT = ("Display", "Thin", "ExtraLight", "Variable")
"""What stands in the names of fonts that nobody prints cards in."""
PAPER = 252
"""Grey level of the unprinted card."""


@dataclass(frozen=True)
class Index:
    """How the corners of one printing look; lengths are shares of a card's height."""

    font: Path
    """What the sign is set in."""
    height: float
    """Of the sign; 0 for a printing without."""
    stretch: float
    """Its width against what the font gives."""
    pip: float
    """Width of the pip under it; 0 for none."""
    inset_xy: tuple[float, float]
    """From the card's edge to the sign."""
    alone: bool
    """Whether pips and figures leave room for it."""
    has_four: bool
    """Whether all four corners bear one."""

    def put(
        self, face: Image, sign: str, *, colour: tuple[int, ...], pip: np.ndarray | None = None
    ) -> None:
        """Prints the sign into the corners of `face`, which the caller made."""
        if not self.height:
            return
        high, wide = len(face), face.shape[1] / len(face)
        shape = written(sign, self.font, round(self.height * high), self.stretch)
        half_w = max(shape.shape[1] / high, self.pip) / 2
        x, y = self.inset_xy[0] + half_w, self.inset_xy[1] + self.height / 2
        below = self.inset_xy[1] + self.height + self.pip * 0.65
        clear_x = round((self.inset_xy[0] + 2 * half_w) * high)
        clear_y = round((self.inset_xy[1] + self.height + self.pip * 1.2) * high)
        for mirrored in (False, True) if self.has_four else (False,):
            at = wide - x if mirrored else x
            for turned in (face, face[::-1, ::-1]):
                if self.alone:
                    bare = slice(-clear_x, None) if mirrored else slice(clear_x)
                    turned[:clear_y, bare] = PAPER
                ink(turned, shape, centre=(at, y), colour=colour)
                if pip is not None and self.pip:
                    stamp(turned, pip, centre=(at, below), width=self.pip, colour=colour)


@cache
def fonts() -> list[Path]:
    """Fonts with capitals and figures: those that come with matplotlib, and plain ones."""
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
    found = [path for name in named for path in sorted(folder.glob(name))]
    plain = [path for name in PLAIN for path in sorted(Path(str(files(name))).rglob("*.ttf"))]
    return [path for path in found + plain if not any(word in path.name for word in UNFIT)]


def any_font(rng: Rng) -> Path:
    """One of the fonts by chance."""
    known = fonts()
    return known[int(rng.integers(len(known)))]


def written(sign: str, font: Path, height_px: int, stretch: float = 1.0) -> np.ndarray:
    """A sign or word as a shape: H x W float32 0..1; a `stretch` above 1 is wider than the font."""
    drawn = ImageFont.truetype(str(font), 120)
    left, top, right, bottom = (round(v) for v in drawn.getbbox(sign))
    page = Pillow.new("L", (right - left, bottom - top))
    ImageDraw.Draw(page).text((-left, -top), sign, fill=255, font=drawn)
    width = max(4, round(height_px * page.width / page.height * stretch))
    small = cv2.resize(np.asarray(page), (width, height_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / 255


def stamp(
    face: Image, shape: np.ndarray, *,
    centre: tuple[float, float], width: float, colour: tuple[int, ...], upside_down: bool = False,
) -> None:  # fmt: skip
    """Prints a pip (0..1) that wide onto `face`, which the caller made."""
    across = max(4, round(width * len(face)))
    size = (across, max(4, round(across * shape.shape[0] / shape.shape[1])))
    small = cv2.resize(shape, size, interpolation=cv2.INTER_AREA)
    ink(face, small[:: -1 if upside_down else 1], centre=centre, colour=colour)


def ink(
    face: Image, shape: np.ndarray, *, centre: tuple[float, float], colour: tuple[int, ...]
) -> None:
    """Prints a shape (0..1) in one colour onto `face`, as far as it lies on the card."""
    h, w = shape.shape
    x, y = round(centre[0] * len(face)) - w // 2, round(centre[1] * len(face)) - h // 2
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + w, face.shape[1]), min(y + h, face.shape[0])
    cover = shape[y0 - y : y1 - y, x0 - x : x1 - x, None]
    part = face[y0:y1, x0:x1]
    part[:] = (part * (1 - cover) + np.array(colour) * cover).astype(np.uint8)
