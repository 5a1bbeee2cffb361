"""What all random drawing shares: colours, noise, shapes, letters, print."""

import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from shutil import which

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

Image = npt.NDArray[np.uint8]
"""A picture: H x W x 3, BGR, 0 to 255."""

Rng = np.random.Generator
"""The source of random numbers, the first argument of every function that needs one."""


def random_colour(rng: Rng, *, low: int = 10, high: int = 245) -> tuple[int, int, int]:
    """Return a BGR colour, often muted as tables are."""
    colour = rng.integers(low, high, 3).astype(float)
    grey = colour.mean()
    mixed = grey + (colour - grey) * rng.uniform(0.0, 1.0)
    return int(mixed[0]), int(mixed[1]), int(mixed[2])


def smooth_noise(rng: Rng, size_wh: tuple[int, int], cells: int) -> np.ndarray:
    """Return values of about -1 to 1 that change slowly, H x W, float32: `cells` bumps across."""
    small = rng.normal(0, 0.5, (max(2, cells), max(2, cells))).astype(np.float32)
    return np.asarray(cv2.resize(small, size_wh, interpolation=cv2.INTER_CUBIC))


def draw_shape(rng: Rng, picture: Image, colour: tuple[int, int, int]) -> None:
    """Draw one shape onto `picture`, in place."""
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
"""Packages of fonts with a 1 without a foot, as on many cards; matplotlib's fonts have one."""
UNFIT = ("Display", "Thin", "ExtraLight", "Variable")
"""Parts of the names of fonts that no card is printed in."""
PAPER = 252
"""Grey level of the unprinted card."""
LATIN, SUITED = ":lang=it", ":charset=2660 2663 2665 2666"
"""Patterns for fontconfig: fonts with Italian letters, and fonts with the four suits."""
WEIGHTS = (80, 200)
"""Regular and bold in fontconfig's scale; the two nearest fonts of each family are used."""
SIGNS, PIPS = "A12345678JQK", "♦♥♠♣"
"""The signs by which a font is judged; the suits in the order of `made_up.SUITS`."""
LEGIBLE = 0.6
"""Least mean correlation of a font's signs with the mean of the packaged fonts' signs."""


@cache
def fonts() -> list[Path]:
    """Return fonts with legible capitals and figures: installed ones and those of Python packages.

    Installed ones are found by fontconfig: in Debian some 150 of the packages called fonts-... give
    400. Without fontconfig only the fonts of Python packages are used.
    """
    packaged = _packaged()
    usual = [np.mean([_seen(sign, font) for font in packaged], axis=0) for sign in SIGNS]
    alike = {font: np.diag(_likeness(font, SIGNS, usual)) for font in _installed(LATIN)}
    return packaged + [font for font, each in alike.items() if each.mean() > LEGIBLE]


def any_installed() -> bool:
    """Return whether the system has fonts with Italian letters."""
    return bool(_installed(LATIN))


@cache
def suited_fonts() -> list[Path]:
    """Return the fonts with the four suits at their codes; one font exchanges spades and clubs."""
    sure = next(font for font in _packaged() if font.stem == "DejaVuSans")
    usual = [_seen(pip, sure) for pip in PIPS]
    alike = {font: _likeness(font, PIPS, usual) for font in [sure, *_installed(SUITED)]}
    own = np.arange(len(PIPS))
    return [font for font, each in alike.items() if (each.argmax(1) == own).all()]


def _packaged() -> list[Path]:
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


@cache
def _installed(pattern: str) -> list[Path]:
    """Return the system's upright fonts that fit a pattern: a regular and a bold one a family."""
    if which("fc-list") is None:
        return []
    asked = ["fc-list", f"{pattern}:scalable=true:slant=0", "--format"]
    form = "%{family[0]}\t%{weight}\t%{width}\t%{file}\n"
    told = subprocess.run([*asked, form], capture_output=True, text=True, check=True).stdout
    families = dict[str, list[tuple[float, float, Path]]]()
    for line in told.splitlines():
        family, weight, width, file = line.split("\t")
        fit = file.endswith((".ttf", ".otf")) and not any(word in file for word in UNFIT)
        if fit and weight.isdigit() and width.isdigit():
            families.setdefault(family, []).append((float(weight), float(width), Path(file)))
    chosen = set[Path]()
    for known in families.values():
        for wanted in WEIGHTS:
            near = min(known, key=lambda one: (abs(one[0] - wanted), abs(one[1] - 100), one[2]))
            chosen.add(near[2])
    return sorted(chosen)


def _seen(sign: str, font: Path) -> np.ndarray:
    small = cv2.resize(written(sign, font, 32), (24, 32), interpolation=cv2.INTER_AREA)
    return np.asarray(small)


def _likeness(font: Path, signs: str, usual: list[np.ndarray]) -> np.ndarray:
    """Return correlations of a font's signs (rows) with pictures; all -1 if it lacks a sign."""
    try:
        seen = [_seen(sign, font) for sign in signs]
    except (OSError, ValueError, ZeroDivisionError, cv2.error):
        seen = []
    if not all(one.std() > 0 for one in seen) or not seen:
        return np.full((len(signs), len(usual)), -1.0)
    both = np.corrcoef([one.ravel() for one in (*seen, *usual)])
    return np.asarray(both[: len(seen), len(seen) :])


def any_font(rng: Rng) -> Path:
    """Draw one of the fonts."""
    known = fonts()
    return known[int(rng.integers(len(known)))]


def written(sign: str, font: Path, height_px: int, stretch: float = 1.0) -> np.ndarray:
    """Return a sign or word as a shape: H x W, float32, 0 to 1; `stretch` above 1 widens it."""
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
    """Print a pip (0 to 1) of this width onto `face`, in place."""
    across = max(4, round(width * len(face)))
    size = (across, max(4, round(across * shape.shape[0] / shape.shape[1])))
    small = cv2.resize(shape, size, interpolation=cv2.INTER_AREA)
    ink(face, small[:: -1 if upside_down else 1], centre=centre, colour=colour)


def ink(
    face: Image, shape: np.ndarray, *, centre: tuple[float, float], colour: tuple[int, ...]
) -> None:
    """Print the part of a shape (0 to 1) that is on the card onto `face`, in one colour."""
    h, w = shape.shape
    x, y = round(centre[0] * len(face)) - w // 2, round(centre[1] * len(face)) - h // 2
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + w, face.shape[1]), min(y + h, face.shape[0])
    cover = shape[y0 - y : y1 - y, x0 - x : x1 - x, None]
    part = face[y0:y1, x0:x1]
    part[:] = (part * (1 - cover) + np.array(colour) * cover).astype(np.uint8)
