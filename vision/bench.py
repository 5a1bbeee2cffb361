"""`python -m vision.bench [--json] [PHOTO]`: how long reading a 12-megapixel photo takes.

Without a photo, one is put together from two samples: 20 cards at 4000 x 3000 pixels. Each stage
is timed warm, then the whole in a fresh process for the cold start and the memory it needs.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.evaluate import as_text, read_labels, report
from vision.photo import Pixels, open_photo
from vision.reader import MODELS, Reader
from vision.verdicts.reconcile import reconcile

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
PHOTOS = ROOT.parent / "shared" / "data" / "photos"
"""Real photos with labels, where there are some beside the checkout."""
PILES = ROOT / "data" / "heldout"
"""Generated piles of printings kept out of training, where `make bench` could make some."""
SAMPLES = ROOT / "samples"
"""Photos of our own decks."""
SIZE_WH = (4000, 3000)
"""Twelve megapixels, as phones take them."""
ROUNDS = 7
"""Each stage is timed so often; the median counts."""

_COLD = """
import pathlib, re, sys, time
start = time.perf_counter()
from vision.photo import open_photo
from vision.reader import Reader
Reader(sys.argv[2]).read(open_photo(sys.argv[1]))
seconds = time.perf_counter() - start
status = pathlib.Path("/proc/self/status")  # getrusage would count what the parent needed
peak = re.search("VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
print(seconds, int(peak[1]) / 1024 if peak else float("nan"))
"""


def compose(picture: Pixels) -> bytes:
    """A 12-megapixel JPEG of a picture, with the fine noise that a sensor adds.

    >>> len(compose(np.zeros((30, 40, 3), np.uint8))) > 100_000
    True
    """
    large = cv2.resize(picture, SIZE_WH, interpolation=cv2.INTER_CUBIC)
    noise = np.random.default_rng(7).normal(0, 4, (SIZE_WH[1] // 2, SIZE_WH[0] // 2, 1))
    grain = cv2.resize(noise, SIZE_WH, interpolation=cv2.INTER_CUBIC)[..., None]
    noisy = np.clip(large + grain, 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


def stages(data: bytes, reader: Reader) -> dict[str, float]:
    """Milliseconds of each warm stage, and of the whole."""
    photo = open_photo(data)
    located = reader.locate(photo)
    sightings = reader.see(photo)
    return {
        "decode": _median_ms(lambda: open_photo(data)),
        "locate": _median_ms(lambda: reader.locate(photo)),
        "identify": _median_ms(lambda: reader.identify(photo, located)),
        "reconcile": _median_ms(lambda: reconcile([sightings], piles=[0])),
        "total": _median_ms(lambda: reader.read(open_photo(data))),
        "cards": float(len(sightings)),
    }


def cold_start(path: Path, models_dir: Path) -> dict[str, float]:
    """Seconds from an empty process to the first answer, and the memory it needed in MB."""
    command = [sys.executable, "-c", _COLD, str(path), str(models_dir)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    seconds, peak_mb = map(float, done.stdout.split())
    return {"cold_start_s": seconds, "peak_mb": peak_mb}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the times, and how well photos and kept-out piles are read where there are any."""
    parser = argparse.ArgumentParser(prog="python -m vision.bench", description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, default=None, metavar="PHOTO")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--out", type=Path, default=None, help="where to keep the photo it made")
    options = parser.parse_args(arguments)
    try:
        times = _times(options.photo, options.models, out=options.out)
        if not options.json:
            print("\n".join(_lines(times)), flush=True)
        found = [*PHOTOS.glob("*/labels.json"), *PILES.glob("labels.json")]
        folders = sorted(path.parent for path in found)
        figures = report(folders, Reader(options.models)) if folders else {}
    except VisionError as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"times": times, "photos": figures}, indent=1))
    else:
        print(as_text(figures) if figures else "no labelled photos: not evaluated")
    return 0


def _times(photo: Path | None, models_dir: Path, *, out: Path | None) -> dict[str, float]:
    """The times of a photo, or of one made from the samples and kept for the cold start."""
    reader = Reader(models_dir)
    if photo is not None:
        return {**stages(photo.read_bytes(), reader), **cold_start(photo, models_dir)}
    data = compose(_twenty_cards())
    with tempfile.TemporaryDirectory() as folder:
        made = out or Path(folder) / "twelve-megapixels.jpg"
        made.write_bytes(data)
        return {**stages(data, reader), **cold_start(made, models_dir)}


def _twenty_cards() -> Pixels:
    """The two samples that show nearest to twenty cards between them, side by side."""
    pairs = combinations(read_labels(SAMPLES), 2)
    pair = min(pairs, key=lambda two: abs(20 - sum(len(one.cards) for one in two)))
    half = SIZE_WH[0] // 2, SIZE_WH[1]
    upright = [_upright(open_photo(one.path).image_bgr) for one in pair]
    return np.hstack([np.asarray(cv2.resize(image, half), np.uint8) for image in upright])


def _upright(image: Pixels) -> Pixels:
    """A picture turned to be higher than wide."""
    wide = image.shape[1] > image.shape[0]
    return np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE) if wide else image, np.uint8)


def _median_ms(work: Callable[[], object]) -> float:
    work()
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - start))
    return float(np.median(taken))


def _lines(times: Mapping[str, float]) -> list[str]:
    """The times as text."""
    warm = ("decode", "locate", "identify", "reconcile", "total")
    return [
        f"12-megapixel photo, {times['cards']:.0f} cards, {cv2.getNumThreads()} threads, warm:",
        *(f"  {stage:10} {times[stage]:7.1f} ms" for stage in warm),
        f"cold start   {times['cold_start_s']:7.2f} s   peak memory {times['peak_mb']:.0f} MB",
    ]


if __name__ == "__main__":
    sys.exit(main())
