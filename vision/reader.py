"""The reader: photos in, readings out. Loads each network once and may be shared by threads."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import RLock

import numpy as np

from vision.advice import advise
from vision.geometry.coplanar import laid
from vision.geometry.quads import Quad, short_sides
from vision.geometry.straighten import corner_views, straighten
from vision.networks.calibration import CALIBRATION, Calibration, read_calibration
from vision.networks.identify import Identifier
from vision.networks.locate import Glimpse, Located, Locator
from vision.networks.refine import Refiner
from vision.photo import Photo, Pixels
from vision.reading import FoundCard, HandReading, Problem, Reading, Status
from vision.verdicts.contradict import contradictions, missing_problem
from vision.verdicts.doubles import choose
from vision.verdicts.recall import Boxes, settled
from vision.verdicts.reconcile import Verdict, missing_cards
from vision.verdicts.sighting import Sighting

MODELS = Path(__file__).resolve().parent.parent / "models"
"""Where the networks lie that came with this version."""
LOCATE = "locate.onnx"
"""The network that finds cards."""
REFINE = "refine.onnx"
"""The network that sets their corners right."""
IDENTIFY = "identify.onnx"
"""The network that names them."""
INDEX = "index.onnx"
"""The network that reads the indices in their corners."""
LEAST_SCORE = 0.2
"""A fainter box is hardly ever a card: it is not looked at."""
COARSE_PX = 80
"""A card of fewer working pixels across is cut from the full photo instead."""

Seen = Sequence[tuple[Sighting, Verdict]]
"""The cards of one photo, each with its verdict."""


class Reader:
    """Reads photos of piles."""

    def __init__(self, models_dir: Path | str = MODELS) -> None:
        """Prepare to read; the networks are loaded when first needed."""
        self.models_dir = Path(models_dir)
        self._lock = RLock()

    def load(self) -> None:
        """Load the networks now.

        Raises:
            ModelError: A network is missing or is not what this version reads.
        """
        with self._lock:
            self._locator, self._refiner, self._identifier, self.calibration  # noqa: B018 - properties that load

    def read(self, photo: Photo) -> Reading:
        """One photo, by itself."""
        return self.read_together([photo])[0]

    def read_together(
        self, photos: Sequence[Photo], piles: Sequence[int] | None = None
    ) -> list[Reading]:
        """The photos of one hand's piles, each card at most once among them.

        Args:
            photos: Any number of photos.
            piles: The pile each photo shows; without it every photo is a pile of its own.
        """
        return list(self.read_hand(photos, piles).readings)

    def read_hand(self, photos: Sequence[Photo], piles: Sequence[int] | None = None) -> HandReading:
        """As `read_together`, with the cards that no photo shows."""
        numbers = list(range(len(photos))) if piles is None else list(piles)
        sightings, verdicts = settled([self._boxes(photo) for photo in photos], piles=numbers)
        seen = [list(zip(*pair, strict=True)) for pair in zip(sightings, verdicts, strict=True)]
        names = [photo.name for photo in photos]
        contrary = list(contradictions(seen, names=names, piles=numbers))
        missing = missing_cards(verdicts)
        if contrary:
            contrary[-1] += missing_problem(missing, piles=len(set(numbers)))
        readings = tuple(
            _reading(photo, pairs, contrary=problems)
            for photo, pairs, problems in zip(photos, seen, contrary, strict=True)
        )
        return HandReading(readings, missing)

    def see(self, photo: Photo) -> tuple[Sighting, ...]:
        """The cards of one photo with their probabilities, before anything is decided.

        Raises:
            ModelError: A network is missing or is not what this version reads.
        """
        return choose(*self._boxes(photo))

    def locate(self, photo: Photo) -> Located:
        """Where the cards of a photo lie, in photo pixels, and how they were seen at first."""
        picture = photo.working_bgr
        with self._lock:
            rough = self._locator(picture)
            found = self._refiner(picture, rough)
            found = found.take(found.scores >= LEAST_SCORE)
            quads, spread, clear = self._refiner.beside(picture, found)
        height, width = picture.shape[:2]
        cards = laid(quads, found.scores, spread=spread, size_wh=(width, height))
        scale = np.array(photo.working_scale_xy, np.float32)
        ends = np.sort(spread.reshape(-1, 2, 2).mean(axis=2), axis=1)
        told = zip(found.quads * scale, *ends.T.tolist(), clear.tolist(), strict=True)
        return Located(cards * scale, found.scores, tuple(Glimpse(*one) for one in told))

    def identify(self, photo: Photo, located: Located) -> tuple[Sighting, ...]:
        """What lies at some places of a photo: boxes of cards, and those drawn twice or amiss."""
        cut = [_cut(photo, quad) for quad in located.quads]
        with self._lock:
            raw = self._identifier(
                [straighten(picture, quad) for picture, quad in cut],
                [view for one in cut for view in corner_views(*one)],
            )
        probabilities = self.calibration(raw, located.scores)
        seen = located.glimpses or (None,) * len(probabilities)
        parts = zip(located.quads, located.scores.tolist(), probabilities, seen, strict=True)
        return tuple(Sighting(*part) for part in parts)

    def _boxes(self, photo: Photo) -> Boxes:
        """All the boxes of a photo, and how likely each of them is a whole card."""
        boxes = self.identify(photo, self.locate(photo))
        return boxes, self.calibration.belief(boxes)

    @cached_property
    def calibration(self) -> Calibration:
        """How far the identify network is believed."""
        return read_calibration(self.models_dir / CALIBRATION)

    @cached_property
    def _locator(self) -> Locator:
        return Locator(self.models_dir / LOCATE)

    @cached_property
    def _refiner(self) -> Refiner:
        return Refiner(self.models_dir / REFINE)

    @cached_property
    def _identifier(self) -> Identifier:
        return Identifier(self.models_dir / IDENTIFY, self.models_dir / INDEX)


def _cut(photo: Photo, quad: Quad) -> tuple[Pixels, Quad]:
    """What a card is cut out of: the full photo only where the working one is too coarse."""
    scale = np.array(photo.working_scale_xy, np.float32)
    coarse = float(short_sides(quad / scale)) < COARSE_PX and scale.max() > 1.0
    return (photo.image_bgr, quad) if coarse else (photo.working_bgr, quad / scale)


def _reading(photo: Photo, seen: Seen, *, contrary: tuple[Problem, ...]) -> Reading:
    """The reading of a photo from its verdicts."""
    doubtful = [verdict.status is Status.DOUBTFUL for _, verdict in seen]
    quads = [sighting.quad for sighting, _ in seen]
    problems = contrary + advise(
        photo.working_bgr,
        photo.size_wh,
        quads=np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32),
        doubtful=np.array(doubtful, np.bool_),
    )
    cards = sorted((_found(*pair) for pair in seen), key=lambda found: _row(found, photo))
    return Reading(photo.name, photo.size_wh, tuple(cards), problems)


def _found(sighting: Sighting, verdict: Verdict) -> FoundCard:
    corners = tuple((float(x), float(y)) for x, y in sighting.quad)
    return FoundCard(
        verdict.card, verdict.status, verdict.confidence, corners, dict(verdict.alternatives)
    )


def _row(found: FoundCard, photo: Photo) -> tuple[int, float]:
    """Where a card comes in reading order: eight bands from top to bottom, then left to right."""
    x, y = np.mean(found.corners, axis=0)
    return int(8 * y / photo.size_wh[1]), float(x)
