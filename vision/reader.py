"""The reader: photos in, readings out.

It runs the stages in order: locate, refine, the plane of the table, straighten, identify with
index, belief, doubles, reconcile, recall, contradictions, advice. Several threads may share it.
"""

import os
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from queue import LifoQueue
from threading import Lock

import cv2
import numpy as np

from vision.advice import advise
from vision.classify import Candidate, Features, Identifier, KnowsDeck
from vision.corners import Refiner
from vision.decide import (
    Decision,
    WeighedBoxes,
    contradictions,
    missing_cards,
    missing_problem,
    read_hand,
)
from vision.detect import Jitter, Located, Locator
from vision.geometry import Quad, corner_views, short_sides, straighten
from vision.nms import choose_boxes
from vision.photo import Photo, Pixels, Pyramid
from vision.plane import on_one_plane
from vision.probability import CALIBRATION, Calibration, read_calibration
from vision.reading import CardReading, HandReading, Problem, Reading, Stage, Status, report_stage

MODELS = Path(__file__).resolve().parent.parent / "models"
"""The folder of the networks that came with this version."""
LOCATE_FILE, REFINE_FILE = "locate.onnx", "refine.onnx"
IDENTIFY_FILE, INDEX_FILE = "identify.onnx", "index.onnx"
LEAST_BOX_SCORE = 0.2
"""Boxes of lower scores after refine are dropped: they are hardly ever cards."""
COARSE_PX = 80
"""A card whose short side has fewer pixels in the working picture is cut from the full photo."""
MOST_REMEMBERED = 128
"""Photos whose boxes are remembered: with each new photo of a hand the others are asked about."""
ROWS = 8
"""In a reading the cards come row by row; the photo's height is divided into so many rows."""


@dataclass(frozen=True)
class _Networks:
    """The networks that one photo at a time is read with."""

    locator: Locator
    refiner: Refiner
    identifier: Identifier


class Reader:
    """Reads photos of piles, from any number of threads."""

    def __init__(
        self,
        models_dir: Path | str = MODELS,
        *,
        at_once: int = 1,
        remembers: int = MOST_REMEMBERED,
    ) -> None:
        """Prepare to read with the networks of a folder, which are loaded when first needed.

        Args:
            models_dir: The folder.
            at_once: How many photos are read at the same time, each by a thread that calls this
                reader; others wait. The processors are shared out among them, and each has networks
                of its own. With more than one, OpenCV's number of threads is set for the process.
            remembers: The boxes of how many photos are kept, so that none is searched twice.
        """
        self.models_dir = Path(models_dir)
        self.at_once = at_once
        self.remembers = remembers
        self._free: LifoQueue[_Networks | None] = LifoQueue()
        for _ in range(at_once):
            self._free.put(None)  # not loaded yet
        self._read_before: OrderedDict[tuple[bytes, str], WeighedBoxes] = OrderedDict()
        self._lock = Lock()

    def load(self) -> None:
        """Load the networks now.

        Raises:
            ModelError: A network is missing or is not what this version reads.
        """
        with self._networks():
            self.calibration  # noqa: B018 - it loads

    def read(self, photo: Photo, *, deck: KnowsDeck | None = None) -> Reading:
        """The reading of one photo by itself."""
        return self.read_together([photo], deck=deck)[0]

    def read_together(
        self,
        photos: Sequence[Photo],
        piles: Sequence[int] | None = None,
        *,
        deck: KnowsDeck | None = None,
    ) -> list[Reading]:
        """The readings of the photos of a hand, given that the deck holds each card once.

        Args:
            photos: Any number of photos.
            piles: The pile each photo shows; without it every photo is a pile of its own.
            deck: The deck they show, if it was taught.
        """
        return list(self.read_hand(photos, piles, deck=deck).readings)

    def read_hand(
        self,
        photos: Sequence[Photo],
        piles: Sequence[int] | None = None,
        *,
        deck: KnowsDeck | None = None,
    ) -> HandReading:
        """As `read_together`, with the cards that no photo shows."""
        numbers = list(range(len(photos))) if piles is None else list(piles)
        boxes = [self._boxes(photo, deck) for photo in photos]
        candidates, decisions = read_hand(boxes, piles=numbers)
        seen = [list(zip(*pair, strict=True)) for pair in zip(candidates, decisions, strict=True)]
        names = [photo.name for photo in photos]
        contrary = list(contradictions(seen, names=names, piles=numbers))
        missing = missing_cards(decisions)
        if contrary:
            contrary[-1] += missing_problem(missing, piles=len(set(numbers)))
        readings = tuple(
            _reading(photo, pairs, contrary=problems)
            for photo, pairs, problems in zip(photos, seen, contrary, strict=True)
        )
        return HandReading(readings, missing)

    def see(self, photo: Photo) -> tuple[Candidate, ...]:
        """The candidates of one photo, one for each card, before anything is decided.

        Raises:
            ModelError: A network is missing or is not what this version reads.
        """
        return choose_boxes(*self._boxes(photo, None))

    def look_at(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Features:
        """What identify and index see of some cards, each with its two corners."""
        with self._networks() as networks:
            return networks.identifier.features(crops, corners)

    def locate(self, photo: Photo) -> Located:
        """The boxes of cards in a photo, in its pixels, on one plane, each with its `Jitter`."""
        report_stage(Stage.FINDING)
        picture = photo.working
        with self._networks() as networks:
            rough = networks.locator(picture)
            found = networks.refiner(picture, rough)
            found = found.take(found.scores >= LEAST_BOX_SCORE)
            quads, spread, card = networks.refiner.jitter(picture, found)
        height, width = photo.working_bgr.shape[:2]
        cards = on_one_plane(quads, found.scores, spread=spread, size_wh=(width, height))
        scale = np.array(photo.working_scale_xy, np.float32)
        ends = np.sort(spread.reshape(-1, 2, 2).mean(axis=2), axis=1)
        told = zip(found.quads * scale, *ends.T.tolist(), card.tolist(), strict=True)
        return Located(cards * scale, found.scores, tuple(Jitter(*one) for one in told))

    def identify(
        self, photo: Photo, located: Located, *, deck: KnowsDeck | None = None
    ) -> tuple[Candidate, ...]:
        """The candidates of some boxes of a photo; several of them may be of one card."""
        report_stage(Stage.NAMING)
        cut = [_cut(photo, quad) for quad in located.quads]
        with self._networks() as networks:
            raw, features = networks.identifier(
                [straighten(picture, quad) for picture, quad in cut],
                [view for one in cut for view in corner_views(*one)],
                scores=located.scores,
            )
        probabilities = self.calibration(raw, located.scores)
        if deck is not None:
            probabilities = deck.weighed(probabilities, features)
        jitters = located.jitters or (None,) * len(probabilities)
        parts = zip(located.quads, located.scores.tolist(), probabilities, jitters, strict=True)
        return tuple(Candidate(*part) for part in parts)

    def _boxes(self, photo: Photo, deck: KnowsDeck | None) -> WeighedBoxes:
        """The boxes of a photo; one that was read lately is not read again for the others."""
        key = sha256(photo.working_bgr.tobytes()).digest(), "" if deck is None else deck.key
        with self._lock:
            known = self._read_before.pop(key, None)
        if known is None:
            boxes = self.identify(photo, self.locate(photo), deck=deck)
            known = boxes, self.calibration.belief(boxes)
        with self._lock:
            self._read_before[key] = known
            while len(self._read_before) > self.remembers:
                self._read_before.popitem(last=False)
        return known

    @cached_property
    def calibration(self) -> Calibration:
        """The calibration that came with the networks."""
        return read_calibration(self.models_dir / CALIBRATION)

    @contextmanager
    def _networks(self) -> Iterator[_Networks]:
        """Networks that no other thread uses meanwhile."""
        own = self._free.get()
        try:
            own = own or self._loaded()
            yield own
        finally:
            self._free.put(own)

    def _loaded(self) -> _Networks:
        threads = None
        if self.at_once > 1:
            threads = max(1, (os.cpu_count() or 1) // self.at_once)
            cv2.setNumThreads(threads)
        folder = self.models_dir
        return _Networks(
            Locator(folder / LOCATE_FILE, threads=threads),
            Refiner(folder / REFINE_FILE, threads=threads),
            Identifier(folder / IDENTIFY_FILE, folder / INDEX_FILE, threads=threads),
        )


def _cut(photo: Photo, quad: Quad) -> tuple[Pyramid, Quad]:
    """The picture that a card is cut out of, and its corners there.

    It is the working picture, unless the card is too coarse in it (`COARSE_PX`).
    """
    scale = np.array(photo.working_scale_xy, np.float32)
    coarse = float(short_sides(quad / scale)) < COARSE_PX and scale.max() > 1.0
    return (photo.whole, quad) if coarse else (photo.working, quad / scale)


def _reading(
    photo: Photo, seen: Sequence[tuple[Candidate, Decision]], *, contrary: tuple[Problem, ...]
) -> Reading:
    """The reading of a photo from its candidates and decisions."""
    doubtful = [decision.status is Status.DOUBTFUL for _, decision in seen]
    quads = [candidate.quad for candidate, _ in seen]
    problems = contrary + advise(
        photo.working_bgr,
        photo.size_wh,
        quads=np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32),
        doubtful=np.array(doubtful, np.bool_),
    )
    cards = sorted((_found(*pair) for pair in seen), key=lambda found: _row(found, photo))
    return Reading(photo.name, photo.size_wh, tuple(cards), problems)


def _found(candidate: Candidate, decision: Decision) -> CardReading:
    corners = tuple((float(x), float(y)) for x, y in candidate.quad)
    return CardReading(
        decision.card, decision.status, decision.confidence, corners, dict(decision.alternatives)
    )


def _row(found: CardReading, photo: Photo) -> tuple[int, float]:
    """Sort key of a card: its row from top to bottom, then how far to the right it lies."""
    x, y = np.mean(found.corners, axis=0)
    return int(ROWS * y / photo.size_wh[1]), float(x)
