"""`python -m vision.bench [--json] [PHOTO]`: how long reading a 12-megapixel photo takes.

Without a photo, one is put together from two samples: 20 cards at 4000 x 3000 pixels. Each stage is
timed with the networks loaded. Then a fresh process reads the photo, for the time from its start to
the answer and for the memory it needs. At last the labelled photos beside the checkout are
evaluated, if there are any.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np

from scoring.command_line import Parser, run_command
from vision.errors import VisionError
from vision.evaluate import as_text, report
from vision.labels import read_labels
from vision.photo import Pixels, open_photo
from vision.reader import MODELS, Reader
from vision.verdicts.reconcile import reconcile

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
PHOTOS = ROOT.parent / "shared" / "data" / "photos"
"""Real photos with labels, if there are any beside the checkout."""
PILES = ROOT / "data" / "heldout"
"""Generated piles of decks kept out of training; `make bench` makes them."""
SAMPLES = ROOT / "samples"
"""Photos of our own decks."""
PHOTO_SIZE_WH = (4000, 3000)
"""Twelve megapixels, as phones take them."""
TIMINGS = 7
"""Each stage is timed so often; the median counts."""
WARM_STAGES = ("decode", "locate", "identify", "reconcile", "total")
"""The stages timed with the networks loaded, and the whole."""

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
    """A 12-megapixel JPEG of a picture, with fine noise as from a camera's sensor.

    >>> len(compose(np.zeros((30, 40, 3), np.uint8))) > 100_000
    True
    """
    large = cv2.resize(picture, PHOTO_SIZE_WH, interpolation=cv2.INTER_CUBIC)
    noise = np.random.default_rng(7).normal(0, 4, (PHOTO_SIZE_WH[1] // 2, PHOTO_SIZE_WH[0] // 2, 1))
    grain = cv2.resize(noise, PHOTO_SIZE_WH, interpolation=cv2.INTER_CUBIC)[..., None]
    noisy = np.clip(large + grain, 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


def stages(data: bytes, reader: Reader) -> dict[str, float]:
    """Milliseconds of each stage and of the whole with the networks loaded; the number of cards."""
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
    """Print the times, and how well labelled photos are read; 0 when it worked, 2 on bad input."""
    parser = Parser(prog="python -m vision.bench", description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, default=None, metavar="PHOTO")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--out", type=Path, default=None, help="where to keep the photo it made")
    return run_command(parser, _answers, arguments=arguments, refused=(VisionError, OSError))


def _answers(options: argparse.Namespace) -> Iterator[str]:
    """The times, then the figures of the labelled photos; as JSON both at once."""
    times = _times(options.photo, options.models, out=options.out)
    if not options.json:
        yield _as_text(times)
    folders = _labelled_folders()
    figures = report(folders, Reader(options.models)) if folders else {}
    if options.json:
        yield json.dumps({"times": times, "photos": figures}, indent=1)
    else:
        yield as_text(figures) if figures else "no labelled photos: not evaluated"


def _labelled_folders() -> list[Path]:
    """The folders with labels of whole photos; a few have labels of single cards, for training."""
    found = sorted([*PHOTOS.glob("*/labels.json"), *PILES.glob("labels.json")])
    return [path.parent for path in found if "photos" in json.loads(path.read_text("utf-8"))]


def _times(photo: Path | None, models_dir: Path, *, out: Path | None) -> dict[str, float]:
    """The times of a photo, or of one made from the samples (and kept at `out`)."""
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
    half = PHOTO_SIZE_WH[0] // 2, PHOTO_SIZE_WH[1]
    upright = [_upright(open_photo(one.path).image_bgr) for one in pair]
    return np.hstack([np.asarray(cv2.resize(image, half), np.uint8) for image in upright])


def _upright(image: Pixels) -> Pixels:
    """A picture turned to be higher than wide."""
    wide = image.shape[1] > image.shape[0]
    return np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE) if wide else image, np.uint8)


def _median_ms(work: Callable[[], object]) -> float:
    """Median milliseconds of some work, after one run that is not timed."""
    work()
    taken = []
    for _ in range(TIMINGS):
        start = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - start))
    return float(np.median(taken))


def _as_text(times: Mapping[str, float]) -> str:
    return "\n".join([
        f"12-megapixel photo, {times['cards']:.0f} cards, {cv2.getNumThreads()} threads, warm:",
        *(f"  {stage:10} {times[stage]:7.1f} ms" for stage in WARM_STAGES),
        f"cold start   {times['cold_start_s']:7.2f} s   peak memory {times['peak_mb']:.0f} MB",
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
