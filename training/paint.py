"""What everything that draws by chance has in common: colours, noise, shapes, letters, print."""

from functools import cache
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

Image = npt.NDArray[np.uint8]
"""A picture: H x W x 3, BGR, 0 to 255."""

Rng = np.random.Generator
"""The source of chance. It comes first wherever something is drawn at random."""


def random_colour(rng: Rng, *, low: int = 10, high: int = 245) -> tuple[int, int, int]:
    """A BGR colour, often muted as tables are."""
    colour = rng.integers(low, high, 3).astype(float)
    grey = colour.mean()
    mixed = grey + (colour - grey) * rng.uniform(0.0, 1.0)
    return int(mixed[0]), int(mixed[1]), int(mixed[2])


def smooth_noise(rng: Rng, size_wh: tuple[int, int], cells: int) -> np.ndarray:
    """Values about -1..1 that change slowly, H x W float32: `cells` bumps across."""
    small = rng.normal(0, 0.5, (max(2, cells), max(2, cells))).astype(np.float32)
    return np.asarray(cv2.resize(small, size_wh, interpolation=cv2.INTER_CUBIC))


def draw_shape(rng: Rng, picture: Image, colour: tuple[int, int, int]) -> None:
    """One shape drawn onto `picture`, which the caller made for this."""
    side = min(picture.shape[:2])
    centre = tuple(int(v) for v in rng.integers(0, side, 2))
    kind = rng.integers(5)
    thick = int(rng.choice([-1, 1, 2, 4, 8]))
    if kind == 0:
        axes = tuple(int(v) for v in rng.integers(2, max(4, side // 3), 2))
        cv2.ellipse(picture, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, thick)
    elif kind == 1:
        points = rng.integers(0, side, (int(rng.integers(3, 8)), 2)).astype(np.int32)
        cv2.polylines(picture, [points], isClosed=True, color=colour, thickness=max(1, thick))
    elif kind == 2:
        points = rng.integers(0, side, (int(rng.integers(3, 6)), 2)).astype(np.int32)
        cv2.fillPoly(picture, [points], colour, cv2.LINE_AA)
    elif kind == 3:
        letter = "".join(rng.choice(list("AaJQK7643258Se%&"), int(rng.integers(1, 6))))
        scale = float(rng.uniform(0.4, 3))
        cv2.putText(picture, letter, centre, cv2.FONT_HERSHEY_TRIPLEX, scale, colour, 2)
    else:
        for angle in np.linspace(0, 2 * np.pi, int(rng.integers(4, 12)), endpoint=False):
            end = (np.array(centre) + side * 0.4 * np.array([np.cos(angle), np.sin(angle)])).astype(
                int
            )
            cv2.line(
                picture, centre, tuple(int(v) for v in end), colour, max(1, thick), cv2.LINE_AA
            )


PLAIN = ("font_roboto", "font_manrope", "font_fjallaone")
"""Packages of fonts whose 1 has no foot, as on many cards: those that come with matplotlib have."""
UNFIT = ("Display", "Thin", "ExtraLight", "Variable")
"""What stands in the names of fonts that nobody prints cards in."""
PAPER = 252
"""Grey level of the unprinted card."""


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
