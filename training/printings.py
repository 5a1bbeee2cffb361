"""Card faces: the project's own drawn decks, and scans from ../shared if it exists."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow

from training.paint import Image
from vision.reading import CLASSES

ROOT = Path(__file__).resolve().parents[1]
"""The repository."""
SHARED = ROOT.parent / "shared" / "data"
"""Training material of others: never copied into the repository."""
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
"""Printings kept out of training, which has another printing of each of their patterns."""
GROUNDS_KEPT_OUT = 10
"""One ground in this many is not trained on."""
WITHOUT_INDEX = frozenset({"french-guyenne", "french-paris-antique"})
"""French patterns in which some cards have no index."""
_FACE_HEIGHTS = (512, 256, 128)


@dataclass(frozen=True)
class Deck:
    """One printing: its faces by class name, each as a pyramid of BGR pictures."""

    name: str
    """Folder name, pattern first."""
    faces: dict[str, tuple[Image, ...]] = field(repr=False)
    """Pictures of each class name at several heights, largest first."""
    strangers: tuple[tuple[Image, ...], ...] = field(default=(), repr=False)
    """Its eights, nines and tens, if it has them; Scopa is played without them."""
    index: tuple[np.ndarray, ...] = field(default=(), repr=False)
    """Corners (4, 2) of the sign and of the pip of its upper left index, as shares of the card."""

    @property
    def is_french(self) -> bool:
        """Whether the suits are French: such decks are also laid as tight ladders."""
        return self.name.split("__")[0] in {"genovesi", "milanesi", "piemontesi", "toscane"} or (
            self.name.startswith("french")
        )

    @property
    def is_indexed(self) -> bool:
        """Whether every card has an index, which tells the card even in a tight ladder."""
        return self.name.startswith("french") and self.name.split("__")[0] not in WITHOUT_INDEX

    def face(self, code: str, height_px: float) -> Image:
        """Return a card, as `at_height` does."""
        return at_height(self.faces[code], height_px)


def at_height(levels: Sequence[Image], height_px: float) -> Image:
    """Return a pyramid's smallest picture of at least `height_px`, or the largest."""
    return next((p for p in reversed(levels) if p.shape[0] >= height_px), levels[0])


def pyramid(picture: Image) -> tuple[Image, ...]:
    """Return a picture at up to three heights, largest first; wide ones are turned upright."""
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
    """Return a picture with white in place of transparency, at most 512 px high."""
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
    """Return a deck from a folder of `<code>.<ending>` files; None if a card is missing."""
    files = {path.stem: path for path in sorted(folder.iterdir()) if path.stem in CLASSES}
    if any(code not in files for code in CLASSES[:40]):
        return None
    return Deck(folder.name, {code: pyramid(_read(path)) for code, path in files.items()})


@cache
def own_decks() -> list[Deck]:
    """Return the project's own two decks as pixels."""
    from assets.raster import deck_images  # needs the renderer of the train extra

    return [
        Deck(f"{name}-own", {code: pyramid(picture) for code, picture in faces.items()})
        for name, faces in deck_images().items()
    ]


def deck_names(*, held_out: bool = False) -> list[str]:
    """Return the folders of the shared decks for training, or of the held-out ones."""
    folder = SHARED / "decks"
    names = sorted(p.name for p in folder.iterdir() if p.is_dir()) if folder.exists() else []
    return [name for name in names if (name in HELD_OUT) == held_out]


def load_decks(names: Sequence[str]) -> list[Deck]:
    """Return the shared decks of these folders that have every card."""
    loaded = (_load_folder(SHARED / "decks" / name) for name in names)
    return [deck for deck in loaded if deck is not None]


def not_scopa_faces() -> list[tuple[Image, ...]]:
    """Return eights, nines and tens of French decks; none if ../shared is missing."""
    folder = SHARED / "not-scopa"
    return [pyramid(_read(p)) for p in sorted(folder.glob("*.*"))] if folder.exists() else []


def backgrounds() -> list[Image]:
    """Return photographed tables and grounds, BGR; none if ../shared is missing."""
    paths = sorted((SHARED / "backgrounds").glob("*.*"))
    grounds = sorted((SHARED / "grounds").glob("*.[ja]*"))
    paths += [path for k, path in enumerate(grounds) if k % GROUNDS_KEPT_OUT]
    return [_read(path) for path in paths]
