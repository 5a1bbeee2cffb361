"""`python -m benchmarks.shrinking FOLDER...`: how well photos shrunk by a phone are read.

A folder has labels, as for `python -m vision.evaluate`. Each photo is shrunk as
`screens/static/shrink.js` does it, to several long sides. Photos that are small enough are
only compressed again. For photos as large as phones take them:

    python -m training.heldout data/large --width 4032 --count 28 --crowded 8 --seed 90011
"""

import argparse
import io
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from PIL import Image

from scoring.command_line import Parser, run_command
from vision.errors import VisionError
from vision.evaluate import Labelled, mark_reading, read_labels, summary
from vision.networks import MODELS
from vision.photo import open_photo
from vision.reader import Reader

LONG_SIDES_PX = (1200, 1600, 2000, 2600, 4000)
"""Long sides to compare."""
QUALITY = 85
"""JPEG quality in `shrink.js`, 0 to 100."""


def shrunk(path: Path, long_side_px: int) -> tuple[bytes, float]:
    """Return a photo as a JPEG of at most this long side, and its scale, at most 1."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    factor = min(1.0, long_side_px / max(picture.size))
    if factor < 1.0:
        width, height = (round(side * factor) for side in picture.size)
        picture = picture.resize((width, height), Image.Resampling.LANCZOS)
    kept = io.BytesIO()
    picture.save(kept, "JPEG", quality=QUALITY)
    return kept.getvalue(), factor


def row(photos: Sequence[Labelled], reader: Reader, long_side_px: int) -> str:
    """Return the figures of photos of one long side as a line of the table."""
    marks, sizes, began = [], [], time.perf_counter()
    for photo in photos:
        data, factor = shrunk(photo.path, long_side_px)
        boxes = [
            ((x0 * factor, y0 * factor, x1 * factor, y1 * factor), card)
            for (x0, y0, x1, y1), card in photo.boxes
        ]
        reading = reader.read(open_photo(data, name=photo.path.name))
        marks.append(mark_reading(reading, photo.cards, boxes=boxes))
        sizes.append(len(data) / 1000)
    seconds = (time.perf_counter() - began) / len(photos)
    said = summary(marks)
    return (
        f"{long_side_px:9} {said['photos']:6} {said['cards']:6} {said['right']:7.2%} "
        f"{said['right_unasked']:7.2%} {said['wrong_unasked']:7.2%} {said['exact']:7.2%} "
        f"{said['asked_per_40']:8.2f} {mean(sizes):7.0f} {max(sizes):7.0f} {seconds:6.2f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for the folders on the command line; return 0, or 2 for bad input."""
    parser = Parser(prog="python -m benchmarks.shrinking", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth photo")
    return run_command(parser, _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> str:
    reader = Reader(options.models)
    every = max(1, options.every)
    photos = [one for folder in options.folders for one in read_labels(folder)[::every]]
    head = "long side photos  cards   right unasked slipped   exact asked/40 mean kB most kB s each"
    return "\n".join([head, *(row(photos, reader, side) for side in LONG_SIDES_PX)])


if __name__ == "__main__":
    sys.exit(main())
