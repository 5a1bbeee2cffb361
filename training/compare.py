"""Read photos in other ways: `python -m training.compare PHOTO...`.

Two readers to stand beside ours: the same weights through ultralytics' own `predict`, and one
that matches ORB features of each card found against reference scans of its deck, as hobby
projects for Italian cards do. Times are medians over whole photos, warm; how often each is right
is counted on the labelled folders given.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from ultralytics import YOLO

from training.packs.decks import own_decks
from training.paint import Image
from training.stages.card_pose import CARD
from training.stages.checkpoints import earlier_names
from vision.geometry.straighten import straighten
from vision.measuring.labels import Labelled, read_labels
from vision.measuring.marking import mark_reading
from vision.photo import Photo, Pixels, open_photo
from vision.reader import MODELS, Reader
from vision.reading import FoundCard, Reading, Status

WEIGHTS = MODELS / "checkpoints"
"""The shipped networks as ultralytics keeps them."""
REFERENCE_PX = (192, 300)
"""Width and height that scans and cards found are brought to before matching."""
FEATURES = 500
"""ORB features a card."""
RATIO = 0.75
"""A match counts when it is this much nearer than the next best one."""
INLIERS = 8
"""A card is named when so many matches agree on one way of laying it."""
ROUNDS = 7
"""Each way is timed so often; the median counts."""
MIN_SCORE = 0.25
"""Ultralytics' own threshold."""


class UltralyticsReader:
    """The two networks as ultralytics runs them: its letterbox, its suppression, its transforms."""

    def __init__(self, locate: Path, identify: Path) -> None:
        with earlier_names():
            self._locate = YOLO(str(locate), task="pose")
            self._identify = YOLO(str(identify), task="classify")

    def __call__(self, path: Path) -> Reading:
        """The cards on a photo, each with its likeliest name."""
        (found,) = self._locate.predict(
            str(path), imgsz=640, conf=MIN_SCORE, classes=[CARD], verbose=False
        )
        quads = found.keypoints.xy.cpu().numpy() if len(found) else np.zeros((0, 4, 2), np.float32)
        crops = [straighten(found.orig_img, quad) for quad in quads]
        named = self._identify.predict(crops, imgsz=128, verbose=False) if crops else []
        cards = [
            _found(one.names[int(one.probs.top1)], float(one.probs.top1conf), quad=quad)
            for one, quad in zip(named, quads, strict=True)
        ]
        return Reading(path.name, found.orig_shape[::-1], tuple(cards), ())


def scans_of(folder: Path | None) -> list[tuple[str, Image]]:
    """The code and the picture of each card of a folder of scans, or of our own drawn decks."""
    if folder is None:
        return [(code, faces[0]) for deck in own_decks() for code, faces in deck.faces.items()]
    read = ((path.stem, cv2.imread(str(path))) for path in sorted(folder.glob("*.jpg")))
    return [(code, np.asarray(picture, np.uint8)) for code, picture in read]


class OrbReader:
    """Our finding of cards, then ORB features matched against scans of the cards."""

    def __init__(self, reader: Reader, scans: Sequence[tuple[str, Image]]) -> None:
        self._reader = reader
        self._orb = cv2.ORB_create(FEATURES)  # type: ignore[attr-defined]
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._scans = [(code, self._features(picture)) for code, picture in scans]

    def __call__(self, path: Path) -> Reading:
        """The cards on a photo whose features agree with a scan's."""
        photo = open_photo(path)
        quads = self._reader.locate(photo).quads
        named = [(self._name(_upright(photo, quad)), quad) for quad in quads]
        cards = [_found(name, 1.0, quad=quad) for name, quad in named if name]
        return Reading(path.name, photo.size_wh, tuple(cards), ())

    def _features(self, image: Any) -> tuple[Any, Any]:
        gray = cv2.cvtColor(cv2.resize(image, REFERENCE_PX), cv2.COLOR_BGR2GRAY)
        points, descriptors = self._orb.detectAndCompute(gray, None)
        return np.array([point.pt for point in points], np.float32), descriptors

    def _name(self, card: Pixels) -> str:
        """The scan that most features agree with; empty when none does enough."""
        features = self._features(card)
        scores = [(self._agreeing(features, scan), code) for code, scan in self._scans]
        most, best = max(scores)
        return best if most >= INLIERS else ""

    def _agreeing(self, card: tuple[Any, Any], scan: tuple[Any, Any]) -> int:
        if card[1] is None or scan[1] is None:
            return 0
        pairs = [pair for pair in self._matcher.knnMatch(card[1], scan[1], k=2) if len(pair) == 2]
        good = [one for one, other in pairs if one.distance < RATIO * other.distance]
        if len(good) < INLIERS:
            return 0
        here = card[0][[match.queryIdx for match in good]]
        there = scan[0][[match.trainIdx for match in good]]
        _, agreeing = cv2.findHomography(here, there, cv2.RANSAC, 5.0)
        return 0 if agreeing is None else int(agreeing.sum())


def _upright(photo: Photo, quad: Any) -> Pixels:
    target = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * REFERENCE_PX
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target.astype(np.float32))
    return np.asarray(cv2.warpPerspective(photo.image_bgr, matrix, REFERENCE_PX), np.uint8)


def _found(card: str, confidence: float, *, quad: Any) -> FoundCard:
    return FoundCard(card, Status.SURE, confidence, tuple((float(x), float(y)) for x, y in quad))


def score(read: Callable[[Path], Reading], photos: Sequence[Labelled]) -> str:
    """How many cards of labelled photos one way of reading gets right and wrong."""
    judged = [mark_reading(read(photo.path), photo.cards) for photo in photos]
    cards = sum(one.truth for one in judged)
    right, wrong = sum(one.right for one in judged), sum(len(one.wrong) for one in judged)
    return f"{right} of {cards} cards right, {wrong} wrong"


def median_ms(read: Callable[[Path], Reading], path: Path) -> float:
    """Milliseconds to read one photo, decoding included; the first time does not count."""
    read(path)
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        read(path)
        taken.append(1000 * (time.perf_counter() - start))
    return float(np.median(taken))


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="training.compare", description=__doc__)
    parser.add_argument("timed", type=Path, nargs="+", help="photos to time, best of 12 megapixels")
    parser.add_argument("--locate", type=Path, default=WEIGHTS / "locate.pt")
    parser.add_argument("--identify", type=Path, default=WEIGHTS / "identify.pt")
    parser.add_argument("--deck", type=Path, help="scans for the ORB reader, else our own cards")
    parser.add_argument("--folders", type=Path, nargs="*", default=[], help="labelled photos")
    parser.add_argument("--models", type=Path, default=MODELS)
    args = parser.parse_args(argv)
    cv2.setNumThreads(cv2.getNumberOfCPUs())  # ultralytics leaves OpenCV a single one
    ours = Reader(args.models, remembers=0)  # each photo is timed several times
    ways: dict[str, Callable[[Path], Reading]] = {
        "settebello": lambda path: ours.read(open_photo(path)),
        "ultralytics": UltralyticsReader(args.locate, args.identify),
        "orb": OrbReader(ours, scans_of(args.deck)),
    }
    photos = [photo for folder in args.folders for photo in read_labels(folder)]
    for name, read in ways.items():
        said = f"; {score(read, photos)}" if photos else ""
        taken = [f"{path.stem} {median_ms(read, path):.1f} ms" for path in args.timed]
        print(f"{name:12} {', '.join(taken)}{said}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
