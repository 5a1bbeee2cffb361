"""The reader: photos -> readings.

It runs the stages in order: detector, corner network, plane of the table, classifiers, probability
of a whole card, decisions on a whole hand, faults of the photos. It is safe for several threads.
"""

import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Generic, TypeVar

import cv2
import numpy as np

from vision.advice import advise, card_sharpness
from vision.classify import CardClassifier
from vision.corners import CornerNetwork
from vision.decide import LOW_WHOLE, SURE, decide, problems
from vision.detect import Detector
from vision.geometry import Quad, corner_views, short_sides, straighten
from vision.light import is_striped, small_picture
from vision.networks import IDENTIFY_FILE, INDEX_FILE, LOCATE_FILE, MODELS, REFINE_FILE
from vision.nms import Detection, nms, with_parts_doubted
from vision.onnx import LEAST_PROBABILITY, Tensor
from vision.photo import Photo, Pyramid, open_photo, parts
from vision.plane import on_one_plane
from vision.probability import CALIBRATION, Calibration, read_calibration
from vision.reading import (
    DECK_SIZE,
    CardReading,
    PhotoProblemKind,
    Problem,
    Reading,
    Stage,
    Status,
    report_stage,
)

MIRRORED = [1, 0, 3, 2]
"""Order of the corners that straightens a card as in a mirror."""
LEAST_BOX_SCORE = 0.2
"""Boxes with lower scores after the corner network are dropped: they are hardly ever cards."""
WORTH = 0.4
"""A box with a lower score gets no second look: it rarely holds a card, and never a clear one. Nor
does a box whose probability of a whole card is below `LOW_WHOLE`."""
COARSE_PX = 80
"""A card with a shorter short side in the working picture is cut out of the full photo."""
MARGIN = 0.02
"""A box nearer than this to the cut of a panorama's part is dropped, because its card is whole in
the next part. As a share of the short side."""
MOST_REMEMBERED = 128
"""Number of photos whose boxes are cached: each new photo of a hand needs those of the others."""
TWO = 2
"""Photos of a hand read in parallel: one is searched while the other is classified."""
MANY_UNSURE = 0.25
"""Minimum share of unsure cards in a mirrored photo: most drawings look much the same in a mirror,
but numbers do not."""
MIRRORED_GAIN = 1.5
"""A photo is mirrored if a mirror leaves at most half of its unsure cards, and gains at least this
much: the sum, over its cards, of the gain in log-probability of the likeliest card."""
LEAST_SURE_SHARPNESS = 0.006
"""A card with a lower `sharpness` is never sure: blurred pips of two suits look alike."""
MOST_UNSURE = 0.9
"""Maximum probability of a card that is never sure by itself."""
ROWS = 8
"""Number of rows into which a photo is divided to sort its cards."""


class Reader:
    """Reads photos of piles. Safe for several threads."""

    def __init__(
        self,
        models_dir: Path | str = MODELS,
        *,
        at_once: int = 1,
        remembers: int = MOST_REMEMBERED,
    ) -> None:
        """Use the networks in a folder; they are loaded on demand.

        Args:
            models_dir: The folder.
            at_once: How many photos are read in parallel, each by a thread of the caller; other
                threads wait. The processors are divided among them, and each has its own networks.
                Above 1, OpenCV's number of threads is set for the process.
            remembers: Number of photos whose boxes are cached.
        """
        self.models_dir = Path(models_dir)
        self.at_once = at_once
        self.remembers = remembers
        # Functions, not methods: a pool that refers to its reader would keep its networks alive.
        self._finders = Pool(at_once, partial(_load_finder, self.models_dir, at_once))
        self._classifiers = Pool(at_once, partial(_load_classifier, self.models_dir, at_once))
        self._cache: OrderedDict[bytes, list[Detection]] = OrderedDict()
        self._lock = Lock()

    def load(self) -> None:
        """Load the networks now.

        Raises:
            ModelError: A network is missing or is not what this version reads.
        """
        with self._finders.one(), self._classifiers.one():
            self.calibration  # noqa: B018 - it loads

    def open_photo(self, data: bytes | Path | str, name: str = "photo") -> Photo:
        """Open a photo, as `vision.photo.open_photo` does."""
        return open_photo(data, name)

    def read(self, photo: Photo) -> Reading:
        """Read one photo by itself."""
        return self.read_together([photo])[0]

    def read_together(
        self, photos: Iterable[Photo], piles: Sequence[int] | None = None
    ) -> list[Reading]:
        """Read the photos of a hand, given that the deck holds each card once.

        One photo is searched while another is classified. If `photos` is an iterator, the
        next photos are opened meanwhile.

        Args:
            photos: Any number of photos.
            piles: The pile of each photo; by default every photo is a separate pile.
        """
        opened: list[Photo] = []
        with ThreadPoolExecutor(TWO) as pool:
            found = []
            for photo in photos:
                opened.append(photo)
                context = copy_context()  # with the stage listener
                found.append(pool.submit(context.run, self.detections, photo))
            detections = [one.result() for one in found]
        numbers = list(range(len(opened))) if piles is None else list(piles)
        hand = decide(detections, piles=numbers)
        found_wrong = problems(hand, names=[photo.name for photo in opened], piles=numbers)
        faults = map(_whole_faults, detections)
        all_wrong = [one + other for one, other in zip(faults, found_wrong, strict=True)]
        return list(map(_reading, opened, hand, all_wrong))

    def detections(self, photo: Photo) -> list[Detection]:
        """Return all boxes of a photo, classified. Several boxes may be of one card.

        Recent results are cached, because the photos of a hand are read again together.

        Raises:
            ModelError: A network is missing or is not what this version reads.
        """
        key = sha256(photo.working_bgr.tobytes()).digest()
        with self._lock:
            known = self._cache.pop(key, None)
        if known is None:
            known = _doubted(photo, self.classify(photo, self.find(photo)))
        with self._lock:
            self._cache[key] = known
            while len(self._cache) > self.remembers:
                self._cache.popitem(last=False)
        return known

    def find(self, photo: Photo) -> list[Detection]:
        """Return the boxes of cards in a photo, on one plane, best first, not classified."""
        report_stage(Stage.FINDING)
        height, width = photo.working_bgr.shape[:2]
        along = int(height > width)  # the axis of the long side
        found: list[Detection] = []
        for start, end in parts((width, height)):
            if end - start == max(width, height):
                found += self._find(photo.working, photo.working_scale_xy)
                continue
            rows, columns = ((start, end), (0, width)) if along else ((0, height), (start, end))
            picture = Pyramid(
                np.ascontiguousarray(photo.working_bgr[slice(*rows), slice(*columns)])
            )
            at = np.array((columns[0], rows[0]), np.float32) * photo.working_scale_xy
            margin = MARGIN * min(width, height)
            cuts = (
                start + margin if start else -np.inf,
                end - margin if end < max(width, height) else np.inf,
            )
            scale = photo.working_scale_xy[along]
            for one in self._find(picture, photo.working_scale_xy):
                moved = replace(one, quad=one.quad + at, seen_quad=one.box + at)
                sides = moved.box[:, along] / scale
                if cuts[0] < sides.min() and sides.max() < cuts[1]:
                    found.append(moved)
        return found

    def _find(self, picture: Pyramid, scale_xy: tuple[float, float]) -> list[Detection]:
        """Return the boxes of cards in a picture, with its pixels multiplied by a scale."""
        with self._finders.one() as (detector, corners):
            boxes = corners(picture, detector(picture))
            boxes = boxes.take(boxes.scores >= LEAST_BOX_SCORE)
            quads, spread, card = corners.tta_spread(picture, boxes)
        height, width = picture.bgr.shape[:2]
        placed = on_one_plane(quads, boxes.scores, spread=spread, size_wh=(width, height))
        scale = np.array(scale_xy, np.float32)
        ends = np.sort(spread.reshape(-1, 2, 2).mean(axis=2), axis=1)
        return [
            Detection(
                placed[at] * scale,
                score,
                seen_quad=boxes.quads[at] * scale,
                card_probability=float(card[at]),
                spreads=(float(ends[at, 0]), float(ends[at, 1])),
            )
            for at, score in enumerate(boxes.scores.tolist())
        ]

    def classify(self, photo: Photo, found: Sequence[Detection]) -> list[Detection]:
        """Classify the boxes of a photo, and estimate which ones hold a whole card.

        No card is its own mirror image. If many cards are unsure, they are classified in a mirror
        too. If the photo is mirrored, as by a front camera, the results from the mirror are
        returned.
        """
        report_stage(Stage.NAMING)
        plain = self._classified(photo, found)
        likely = nms(plain)
        unsure = _unsure(likely)
        if unsure <= MANY_UNSURE * len(likely):
            return plain
        mirrored = [replace(one, is_mirrored=True) for one in likely]
        mirrored = self._classified(photo, mirrored)
        gain = _clearness(mirrored) - _clearness(likely)
        if gain < MIRRORED_GAIN or _unsure(mirrored) > unsure / 2:
            return plain
        return self._classified(photo, [replace(one, is_mirrored=True) for one in found])

    def _classified(self, photo: Photo, found: Sequence[Detection]) -> list[Detection]:
        scores = np.array([one.score for one in found], np.float32)

        def worth(first_look: Tensor) -> Tensor:
            whole = [one.whole_card_probability for one in self._named(found, first_look, scores)]
            return np.where((scores >= WORTH) & (np.array(whole) >= LOW_WHOLE), scores, 0.0)

        cut = [_cut(photo, one.quad[MIRRORED] if one.is_mirrored else one.quad) for one in found]
        with self._classifiers.one() as classifier:
            raw = classifier(
                [straighten(picture, quad) for picture, quad in cut],
                [view for one in cut for view in corner_views(*one)],
                worth=worth,
            )
        return with_parts_doubted(self._named(found, raw, scores))

    def _named(self, found: Sequence[Detection], raw: Tensor, scores: Tensor) -> list[Detection]:
        """Return boxes with calibrated probabilities, from N x 42 raw ones and N scores."""
        pairs = zip(found, self.calibration(raw, scores), strict=True)
        named = [replace(one, probabilities=row) for one, row in pairs]
        whole = self.calibration.whole_card(named).tolist()
        return [
            replace(one, whole_card_probability=share)
            for one, share in zip(named, whole, strict=True)
        ]

    @cached_property
    def calibration(self) -> Calibration:
        """The calibration of these networks."""
        return read_calibration(self.models_dir / CALIBRATION)


def _load_finder(models_dir: Path, at_once: int) -> tuple[Detector, CornerNetwork]:
    threads = _threads(at_once)
    return (
        Detector(models_dir / LOCATE_FILE, threads=threads),
        CornerNetwork(models_dir / REFINE_FILE, threads=threads),
    )


def _load_classifier(models_dir: Path, at_once: int) -> CardClassifier:
    threads = _threads(at_once)
    return CardClassifier(models_dir / IDENTIFY_FILE, models_dir / INDEX_FILE, threads=threads)


def _threads(at_once: int) -> int | None:
    """The number of threads for each of this many parallel photos; None for all processors."""
    if at_once == 1:
        return None
    threads = max(1, (os.cpu_count() or 1) // at_once)
    cv2.setNumThreads(threads)
    return threads


Loaded = TypeVar("Loaded")


class Pool(Generic[Loaded]):
    """Networks of one kind, loaded on demand and used by one thread at a time."""

    def __init__(self, size: int, load: Callable[[], Loaded]) -> None:
        self._load = load
        self._free: LifoQueue[Loaded | None] = LifoQueue()
        for _ in range(size):
            self._free.put(None)  # not loaded yet

    @contextmanager
    def one(self) -> Iterator[Loaded]:
        """One of the networks, for this thread alone."""
        own = self._free.get()
        try:
            own = own or self._load()
            yield own
        finally:
            self._free.put(own)


def _cut(photo: Photo, quad: Quad) -> tuple[Pyramid, Quad]:
    """Return the picture from which a card is cut, and its corners there.

    It is the working picture, or the full photo if the card is too small there (`COARSE_PX`).
    """
    scale = np.array(photo.working_scale_xy, np.float32)
    coarse = float(short_sides(quad / scale)) < COARSE_PX and scale.max() > 1.0
    return (photo.whole, quad) if coarse else (photo.working, quad / scale)


def _doubted(photo: Photo, found: Sequence[Detection]) -> list[Detection]:
    """Return a photo's boxes; those with stripes of light or a blurred card become `never_sure`."""
    if not found:
        return []
    picture, quads = photo.working_bgr, np.stack([one.quad for one in found])
    small = small_picture(picture)
    likely = np.array([one.quad for one in nms(found)], np.float32).reshape(-1, 4, 2)
    striped = is_striped(small, likely * (small.shape[1] / photo.size_wh[0]))
    sharp = np.array(card_sharpness(picture, photo.size_wh, quads))
    return [
        replace(one, is_striped=striped, probabilities=never_sure(one.probabilities))
        if is_doubted
        else one
        for one, is_doubted in zip(found, striped | (sharp < LEAST_SURE_SHARPNESS), strict=True)
    ]


def never_sure(probabilities: Tensor) -> Tensor:
    """Class probabilities of which none is above `MOST_UNSURE`: the others rise in proportion.

    >>> [f"{share:.2f}" for share in never_sure(np.array([0.99, 0.008, 0.002], np.float32))]
    ['0.90', '0.08', '0.02']
    """
    top = int(probabilities.argmax())
    if probabilities[top] <= MOST_UNSURE:
        return probabilities
    softer = probabilities.copy()
    softer[top] = 0.0
    softer *= (1 - MOST_UNSURE) / softer.sum()
    softer[top] = MOST_UNSURE
    return softer


def _whole_faults(found: Sequence[Detection]) -> tuple[Problem, ...]:
    """Return the problems of a whole photo that are recorded in its boxes."""
    noted = {
        PhotoProblemKind.MIRRORED: any(one.is_mirrored for one in found),
        PhotoProblemKind.STRIPED: any(one.is_striped for one in found),
    }
    return tuple(Problem(kind) for kind, is_so in noted.items() if is_so)


def _unsure(detections: Sequence[Detection]) -> int:
    return sum(one.top_probability < SURE for one in detections)


def _clearness(detections: Sequence[Detection]) -> float:
    """Return how clearly boxes show cards of the deck: the sum of their log-probabilities."""
    likeliest = [float(one.probabilities[:DECK_SIZE].max()) for one in detections]
    return float(np.log(np.maximum(likeliest, LEAST_PROBABILITY)).sum())


def _reading(photo: Photo, cards: Sequence[CardReading], found: tuple[Problem, ...]) -> Reading:
    """Return the reading of a photo, with its cards row by row."""
    faults = advise(
        photo.working_bgr,
        photo.size_wh,
        quads=np.array([one.corners for one in cards], np.float32).reshape(-1, 4, 2),
        doubtful=np.array([one.status is Status.DOUBTFUL for one in cards], np.bool_),
    )

    def row(one: CardReading) -> tuple[int, float]:
        x, y = np.mean(one.corners, axis=0)
        return int(ROWS * y / photo.size_wh[1]), float(x)

    return Reading(photo.name, photo.size_wh, tuple(sorted(cards, key=row)), found + faults)
