"""`python -m vision.bench [--json] [PHOTO...]`: how long reading 12-megapixel photos takes.

Without a photo, four are made from the samples (`bench_photos`). Each stage is timed with the
networks loaded. Then a fresh process reads the first photo, for the time from its start to the
answer and for the memory it needs. At last the labelled photos beside the checkout are evaluated,
if there are any.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from scoring.command_line import Parser, run_command
from vision.errors import VisionError
from vision.evaluate import as_text, report
from vision.measuring import bench_photos
from vision.networks.engine import chosen
from vision.photo import open_photo
from vision.reader import MODELS, Reader
from vision.verdicts.reconcile import reconcile

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
PHOTOS = ROOT.parent / "shared" / "data" / "photos"
"""Real photos with labels, if there are any beside the checkout."""
PILES = ROOT / "data" / "heldout"
"""Generated piles of decks kept out of training; `make bench` makes them."""
TIMINGS = 7
"""Each stage is timed so often; the median counts."""
WARM_STAGES = ("decode", "locate", "identify", "reconcile", "total")
"""The stages timed with the networks loaded, and their sum."""

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


def stages(data: bytes, reader: Reader) -> dict[str, float]:
    """Milliseconds of each stage with the networks loaded, and their sum; the number of cards."""
    photo = open_photo(data)
    located = reader.locate(photo)
    sightings = reader.see(photo)
    times = {
        "decode": _median_ms(lambda: open_photo(data)),
        "locate": _median_ms(lambda: reader.locate(photo)),
        "identify": _median_ms(lambda: reader.identify(photo, located)),
        "reconcile": _median_ms(lambda: reconcile([sightings], piles=[0])),
    }
    return times | {"total": sum(times.values()), "cards": float(len(sightings))}


def cold_start(path: Path, models_dir: Path) -> dict[str, float]:
    """Seconds from an empty process to the first answer, and the memory it needed in MB."""
    command = [sys.executable, "-c", _COLD, str(path), str(models_dir)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    seconds, peak_mb = map(float, done.stdout.split())
    return {"cold_start_s": seconds, "peak_mb": peak_mb}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the times, and how well labelled photos are read; 0 when it worked, 2 on bad input."""
    parser = Parser(prog="python -m vision.bench", description=__doc__)
    parser.add_argument("photos", nargs="*", type=Path, metavar="PHOTO")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--out", type=Path, default=None, help="folder to keep the photos made in")
    return run_command(parser, _answers, arguments=arguments, refused=(VisionError, OSError))


def _answers(options: argparse.Namespace) -> Iterator[str]:
    """The times, then the figures of the labelled photos; as JSON both at once."""
    with tempfile.TemporaryDirectory() as folder:
        photos = options.photos or _made(options.out or Path(folder))
        reader = Reader(options.models)
        times = {path.stem: stages(path.read_bytes(), reader) for path in photos}
        cold = cold_start(photos[0], options.models)
    if not options.json:
        yield _as_text(times, cold)
    folders = _labelled_folders()
    figures = report(folders, Reader(options.models)) if folders else {}
    if options.json:
        yield json.dumps({"times": times, "cold": cold, "photos": figures}, indent=1)
    else:
        yield as_text(figures) if figures else "no labelled photos: not evaluated"


def _made(folder: Path) -> list[Path]:
    """The paths of the photos made, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, data in bench_photos.photos().items():
        paths.append(folder / f"{name}.jpg")
        paths[-1].write_bytes(data)
    return paths


def _labelled_folders() -> list[Path]:
    """The folders with labels of whole photos; a few have labels of single cards, for training."""
    found = sorted([*PHOTOS.glob("*/labels.json"), *PILES.glob("labels.json")])
    return [path.parent for path in found if "photos" in json.loads(path.read_text("utf-8"))]


def _median_ms(work: Callable[[], object]) -> float:
    """Median milliseconds of some work, after one run that is not timed."""
    work()
    taken = []
    for _ in range(TIMINGS):
        start = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - start))
    return float(np.median(taken))


def _as_text(times: Mapping[str, Mapping[str, float]], cold: Mapping[str, float]) -> str:
    head = f"{'photo':16}" + "".join(f"{stage:>11}" for stage in WARM_STAGES) + "   cards"
    rows = [
        f"{name[:16]:16}"
        + "".join(f"{row[stage]:8.1f} ms" for stage in WARM_STAGES)
        + f"{row['cards']:8.0f}"
        for name, row in times.items()
    ]
    return "\n".join([
        f"warm, {chosen().name}, {cv2.getNumThreads()} threads:",
        head,
        *rows,
        f"cold start {cold['cold_start_s']:.2f} s   peak memory {cold['peak_mb']:.0f} MB",
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
