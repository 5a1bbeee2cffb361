"""The signs in the corners of a card, as many printings as there are printers."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from training.paint import Image, Rng

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
