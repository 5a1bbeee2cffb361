"""`python -m training.compare PHOTO...`: the reader's time compared with ultralytics' `predict`.

Both run the same locate.onnx and identify.onnx by ONNX Runtime, in turn, on the same processors.
`predict` runs locate once on the whole photo and identify once on each card. It names cards without
saying which answers can be trusted. The reader does all that it does for the app.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

os.environ |= {"YOLO_OFFLINE": "true", "YOLO_AUTOINSTALL": "false"}  # before it is imported
from ultralytics import YOLO

from scoring.command_line import Parser, run_command
from vision.errors import VisionError
from vision.geometry import CROP_PX, straighten
from vision.networks import IDENTIFY_FILE, LOCATE_FILE, MODELS
from vision.photo import open_photo
from vision.reader import Reader

WHOLE_PX = 640
"""Long side at which ultralytics by default shows a photo to a network."""
ROUNDS = 5
"""Readings of each photo by each of the two; the median counts."""


class Predict:
    """Locate and identify as ultralytics runs them, with its own letterbox and suppression."""

    def __init__(self, models_dir: Path) -> None:
        """Prepare to run the networks of a folder."""
        self._locate = YOLO(str(models_dir / LOCATE_FILE), task="pose")
        self._identify = YOLO(str(models_dir / IDENTIFY_FILE), task="classify")

    def __call__(self, path: Path) -> int:
        """Return the number of cards named in a photo."""
        (found,) = self._locate.predict(str(path), imgsz=WHOLE_PX, verbose=False, device="cpu")
        quads = found.keypoints.xy.cpu().numpy() if len(found) else np.zeros((0, 4, 2))
        crops = [straighten(found.orig_img, quad) for quad in quads]
        if crops:
            self._identify.predict(crops, imgsz=CROP_PX, verbose=False, device="cpu")
        return len(crops)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 2 on bad input."""
    parser = Parser(prog="python -m training.compare", description=__doc__)
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="readings of each")
    return run_command(parser, _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> Iterator[str]:
    reader = Reader(options.models, remembers=0)
    predict = Predict(options.models)
    yield f"{'photo':20} {'reader':>10} cards {'predict':>10} cards ratio"
    for path in options.photos:
        ways: tuple[Callable[[Path], int], ...] = (
            lambda one: len(reader.read(open_photo(one)).cards),
            predict,
        )
        cards = [way(path) for way in ways]  # the first time is slower
        taken = np.array([[_ms(way, path) for way in ways] for _ in range(options.rounds)])
        ours, theirs = np.median(taken, axis=0)
        yield (
            f"{path.stem[:20]:20} {ours:7.0f} ms {cards[0]:5} {theirs:7.0f} ms {cards[1]:5}"
            f" {ours / theirs:5.2f}"
        )


def _ms(way: Callable[[Path], int], path: Path) -> float:
    start = time.perf_counter()
    way(path)
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    sys.exit(main())
