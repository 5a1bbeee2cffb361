"""Crops for the networks that name cards, cut from scenes once and held in memory.

Cutting a crop takes longer than training on it. So before a training all scenes are decoded, and
the reader's own `straighten` cuts some eighty crops from each, moved and turned at random. Half of
identify's are the boxes that the shipped reader finds in the scene: their errors, and what is boxed
but no card. Each crop is used several times, in different light and inks.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import monotonic

import cv2
import numpy as np
import torch

from training.batches import PHOTO_SHARE, Batch, is_of_photos
from training.data import (
    CORNERS_ONLY,
    FAR,
    NEAR,
    Sample,
    decode,
    read_samples,
    shard_paths,
    strayed,
)
from training.light import disturbed, recoloured, relit
from training.paint import Rng
from vision.classify import CORNERS, UNSEEN
from vision.geometry import (
    CROP_MARGIN,
    CROP_PX,
    INDEX_AREA,
    INDEX_PX,
    corner_distances,
    half_turn,
    straighten,
)
from vision.photo import Pyramid
from vision.reader import Reader
from vision.reading import CLASSES, NOT_SCOPA

MOST_CROPS = 250_000
"""The most crops that are held: 3 GB of index's and 12 GB of identify's."""
OF_ONE = 80
"""The most crops of one scene or photo."""
ROUNDS, PHOTO_ROUNDS = 6, 24
"""How often the cards of a scene or of a photo are cut out at most, each time moved differently."""
CARDS = 14
"""Cards of a scene that are cut out each time."""
ELSEWHERE = 0.3
"""Corners of no card for each corner of a card: pips, figures, pieces of the table."""
SHOWN, COVERED = 0.6, 0.2
"""If at least SHOWN of an index is seen, its crop has the card's class; if at most COVERED is seen,
the class `UNSEEN`; in between there is no crop."""
LEAST_SEEN, READABLE = 0.1, 0.3
"""Shares of a card: with less than LEAST_SEEN visible there is no crop; with less than READABLE and
no index, it weighs less."""
UNSEEN_WEIGHT = 0.3
"""Weight of an unseen corner: there are many."""

BLANK, EDGE = 0.045, 0.2
"""A corner is blank if its gray levels vary by less than BLANK of their mean. The outer EDGE of the
corner is left out of this, since it may show the table."""

Named = tuple[np.ndarray, int, float]
"""Corners (4, 2) of a crop in picture pixels, its class and its weight."""


@dataclass(frozen=True)
class Cut:
    """How crops for one of the networks are cut."""

    pick: Callable[[Rng, Sample, np.ndarray], Iterator[Named]]
    """Chooses, at random, what to cut from a scene of a given size."""
    side_px: int
    margin: float
    blank: int | None = None
    """The class of blank crops, or None if there is none."""
    find: Callable[[bytes], np.ndarray] | None = None
    """Finds the boxes (n, 4, 2) of a scene, in pixels, which are cut out too."""

    def __call__(
        self, sample: Sample, *, seed: list[int], most: int, rounds: int
    ) -> tuple[np.ndarray, list[int], list[float]]:
        """Return crops (n, side_px, side_px, 3) uint8 BGR of a scene, their classes and weights."""
        rng, picture = np.random.default_rng(seed), Pyramid(decode(sample.jpeg))
        size_wh = np.array(picture.bgr.shape[1::-1])
        named = list[Named]()
        boxes = self.find(sample.jpeg) if self.find else np.empty((0, 4, 2), np.float32)
        for _ in range(rounds):
            named += self.pick(rng, sample, size_wh)
            named += named_boxes(rng, boxes, sample, size_wh)
            if len(named) >= most:
                break
        named = [named[k] for k in rng.permutation(len(named))[:most]]
        crops = np.empty((len(named), self.side_px, self.side_px, 3), np.uint8)
        for crop, (quad, _, _) in zip(crops, named, strict=True):
            crop[:] = straighten(picture, quad, side_px=self.side_px, margin=self.margin)
        classes = [one for _, one, _ in named]
        if self.blank is not None:
            pairs = zip(crops, classes, strict=True)
            classes = [self.blank if is_blank(crop) else one for crop, one in pairs]
        return crops, classes, [weight for _, _, weight in named]


def is_blank(corner: np.ndarray) -> bool:
    """Return whether nothing is printed in a corner, as on most cards without an index."""
    edge = round(EDGE * len(corner))
    inner = corner[edge:-edge, edge:-edge].astype(np.float32)
    return bool(inner.std((0, 1)).max() < BLANK * max(float(inner.mean()), 1.0))


class CropPool:
    """The crops of all scenes of a folder."""

    def __init__(
        self, folder: Path, *, cut: Cut, device: torch.device, most: int = MOST_CROPS
    ) -> None:
        """Cut the crops with all processors.

        Raises:
            FileNotFoundError: There are no scenes.
            ValueError: No scene shows a card.
        """
        self.device, start = device, monotonic()
        paths = shard_paths(folder)
        counts = [_scenes_in(path) for path in paths]
        if not sum(counts):
            raise FileNotFoundError(f"expected shards with scenes in {folder}; write some first")
        of_one = max(1, min(OF_ONE, most // sum(counts)))
        shape = (most, cut.side_px, cut.side_px, 3)  # no memory is touched before it is used
        self._pixels = np.empty(shape, np.uint8)
        classes, weights, photos = list[int](), list[float](), list[bool]()
        with ThreadPoolExecutor(os.cpu_count()) as cutters:
            for path in paths:
                samples = read_samples(path)
                rounds = PHOTO_ROUNDS if is_of_photos(path) else ROUNDS
                jobs = [
                    cutters.submit(cut, one, seed=[len(classes), k], most=of_one, rounds=rounds)
                    for k, one in enumerate(samples)
                ]
                for crops, named, counted in (job.result() for job in jobs):
                    at = len(classes)
                    room = min(len(crops), most - at)
                    self._pixels[at : at + room] = crops[:room]
                    classes += named[:room]
                    weights += counted[:room]
                    photos += [is_of_photos(path)] * room
        if not classes:
            raise ValueError(f"{folder}: expected cards that can be seen; write more scenes")
        self._classes, self._weights = torch.tensor(classes), torch.tensor(weights)
        is_photo = np.array(photos)
        self._photos, self._scenes = np.flatnonzero(is_photo), np.flatnonzero(~is_photo)
        took = max(monotonic() - start, 1e-3)
        print(
            f"{len(classes)} crops of {sum(counts)} scenes, {len(self._photos)} of photos:"
            f" {took:.0f} s, {len(classes) / took:.0f} a second",
            flush=True,
        )

    def draw(self, rng: Rng, count: int) -> Batch:
        """Draw crops, 0 to 1; a share of `PHOTO_SHARE` from photos if there are both kinds."""
        kinds = [one for one in (self._photos, self._scenes) if len(one)]
        of_photos = rng.binomial(count, PHOTO_SHARE) if len(kinds) == 2 else count
        at = np.concatenate(
            [
                rng.choice(one, n)
                for one, n in zip(kinds, (of_photos, count - of_photos), strict=False)
            ]
        )
        rgb = torch.from_numpy(self._pixels[at]).to(self.device).permute(0, 3, 1, 2).flip(1)
        return {"img": rgb / 255, "cls": self._classes[at], "weight": self._weights[at]}


def _scenes_in(shard: Path) -> int:
    with np.load(shard) as arrays:
        return len(arrays["counts"])


def naming_batch(rng: Rng, pool: CropPool, batch: int) -> Batch:
    """Return crops in the light, inks and sharpness of different cameras, with their classes."""
    drawn = pool.draw(rng, batch)
    return {**drawn, "img": relit(disturbed(recoloured(drawn["img"])))}


def moved_corners(rng: Rng, corners: np.ndarray, visible: float) -> np.ndarray:
    """Return corners (4, 2) a little off, as the other networks give them; more so if covered."""
    size = np.linalg.norm(corners[1] - corners[2])
    off = float(rng.choice((0.005, 0.01, 0.025) if visible > 0.8 else (0.01, 0.02, 0.045)))
    middle = corners.mean(0)
    grown = middle + (corners - middle) * np.exp(rng.normal(0, off))
    moved = grown + rng.normal(0, off, 2) * size + rng.normal(0, off * 0.6, (4, 2)) * size
    return np.asarray(moved, np.float32)


@cache
def _reader() -> Reader:
    return Reader(at_once=os.cpu_count() or 1, remembers=0)


def found_boxes(jpeg: bytes) -> np.ndarray:
    """Return the boxes (n, 4, 2) that the shipped networks find in a picture."""
    reader = _reader()
    found = reader.find(reader.open_photo(jpeg))
    return np.array([one.quad for one in found], np.float32).reshape(-1, 4, 2)


def named_boxes(
    rng: Rng, boxes: np.ndarray, sample: Sample, size_wh: np.ndarray
) -> Iterator[Named]:
    """Yield boxes as they were found: of the card that each is nearest to, or of no card."""
    cards = np.asarray(sample.corners * size_wh, np.float32)
    for at in rng.permutation(len(boxes))[:CARDS]:
        box = half_turn(boxes[at]) if rng.random() < 0.5 else boxes[at]
        apart = corner_distances(box, cards)
        nearest = int(apart.argmin()) if len(apart) else -1
        if nearest < 0 or apart[nearest] > FAR:
            yield box, CLASSES.index(NOT_SCOPA), 1.0
        elif apart[nearest] < NEAR and (named := _named(sample, nearest)):
            yield box, *named


def _named(sample: Sample, at: int) -> tuple[int, float] | None:
    """Return the class and weight of a card's crop, or None if too little of it is seen."""
    visible, label = float(sample.visible[at]), int(sample.labels[at])
    if visible < LEAST_SEEN or not 0 <= label < CORNERS_ONLY:
        return None
    is_readable = visible >= READABLE or sample.indices_seen[at].max() >= SHOWN
    return label, 1.0 if is_readable else 0.3


def whole_cards(rng: Rng, sample: Sample, size_wh: np.ndarray) -> Iterator[Named]:
    """Yield cards, among them strips of covered ones, and one box around no card."""
    cards = sample.corners * size_wh
    names = {at: named for at in range(len(cards)) if (named := _named(sample, at))}
    for at in rng.permutation(list(names))[:CARDS]:
        quad = moved_corners(rng, cards[at], float(sample.visible[at]))
        yield (half_turn(quad) if rng.random() < 0.5 else quad), *names[at]
    if len(cards):
        box = strayed(rng, cards[int(rng.integers(len(cards)))])
        if corner_distances(box, cards.astype(np.float32)).min() > FAR:
            yield box, CLASSES.index(NOT_SCOPA), 1.0


_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_PART = np.array([_UNIT * np.subtract(*INDEX_AREA[::-1]) + INDEX_AREA[0]], np.float32)
_INDICES = np.array([[[0.12, 0.13], [0.88, 0.13], [0.88, 0.87], [0.12, 0.87]]], np.float32)
"""Where a card may have an index, as shares of the card."""


def index_corners(rng: Rng, sample: Sample, size_wh: np.ndarray) -> Iterator[Named]:
    """Yield corners of cards that may have an index, covered ones too, and places without one."""
    cards = np.asarray(sample.corners * size_wh, np.float32)
    known = np.flatnonzero((sample.visible > 0) & (sample.labels >= 0))
    for at in rng.permutation(known)[:CARDS]:
        quad = moved_corners(rng, cards[at], float(sample.visible[at]))
        for end, shown in zip((quad, half_turn(quad)), sample.indices_seen[at], strict=True):
            if shown >= SHOWN:
                label = CLASSES[int(sample.labels[at]) % CORNERS_ONLY]
                yield _corner_of(end), CORNERS.index(label), 1.0
            elif shown <= COVERED:
                yield _corner_of(end), CORNERS.index(UNSEEN), UNSEEN_WEIGHT
    shown = cards[sample.visible > 0]
    indices = [
        cv2.perspectiveTransform(_INDICES, cv2.getPerspectiveTransform(_UNIT, card))[0]
        for card in shown
    ]
    for _ in range(rng.binomial(min(len(known), CARDS) + 1, ELSEWHERE)):
        corner = _corner_of(_elsewhere(rng, shown, size_wh))
        to_corner = cv2.getPerspectiveTransform(corner, _UNIT)
        inside = [cv2.perspectiveTransform(one[None], to_corner)[0] for one in indices]
        if not any(((one > -0.25) & (one < 1.25)).all(1).any() for one in inside):
            yield corner, CORNERS.index(UNSEEN), UNSEEN_WEIGHT


def _corner_of(quad: np.ndarray) -> np.ndarray:
    """Return the upper left corner (4, 2) of a card, as large as the reader cuts it."""
    to_card = cv2.getPerspectiveTransform(_UNIT, np.asarray(quad, np.float32))
    return np.asarray(cv2.perspectiveTransform(_PART, to_card)[0], np.float32)


def _elsewhere(rng: Rng, cards: np.ndarray, size_wh: np.ndarray) -> np.ndarray:
    """Return a box (4, 2) next to cards, around a part of one, or anywhere."""
    if not len(cards):
        long = float(size_wh.max()) * rng.uniform(0.04, 0.4)
        place = rng.uniform(0.1, 0.9, 2) * size_wh
        cards = (place + (_UNIT - 0.5) * [0.62 * long, long]).astype(np.float32)[None]
    card = cards[int(rng.integers(len(cards)))]
    if rng.random() < 0.5:
        return strayed(rng, card)
    middle = card.mean(0)
    within = middle + (card - middle) * rng.uniform(-0.5, 0.5)
    place = within[int(rng.integers(4))]
    return strayed(rng, np.asarray(place + (card - middle) * rng.uniform(0.2, 0.7), np.float32))


IDENTIFY = Cut(whole_cards, CROP_PX, CROP_MARGIN, find=found_boxes)
"""Straightened cards, with a margin."""
INDEX = Cut(index_corners, INDEX_PX, 0.0, blank=CORNERS.index(UNSEEN))
"""Corners of cards."""
identify_pool, index_pool = partial(CropPool, cut=IDENTIFY), partial(CropPool, cut=INDEX)
