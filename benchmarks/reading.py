"""`python -m benchmarks.reading [--json] [PHOTO...]`: how long reading 12-megapixel photos takes.

Without photos, it makes four from the samples (`photos`). Each stage is timed with the networks
loaded. Then a new process reads the first photo, which gives the time from its start to the answer
and its memory. Labelled photos next to the checkout, if any, are evaluated at the end.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from scoring.command_line import Parser, run_command
from vision.decide import decide
from vision.errors import VisionError
from vision.evaluate import as_text, report
from vision.geometry import Quad, covered_share, straighten
from vision.networks import MODELS
from vision.nms import nms
from vision.onnx import engine
from vision.photo import Pixels, open_photo
from vision.reader import Reader

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
PHOTOS = ROOT.parent / "shared" / "data" / "photos"
"""Real photos with labels, if the folder exists next to the checkout."""
PILES = ROOT / "data" / "heldout"
"""Generated piles of decks kept out of training; `make bench` makes them."""
TIMINGS = 7
"""Runs of each stage; the median counts."""
WARM_STAGES = ("decode", "find", "classify", "decide", "total")
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
SAMPLES = ROOT / "samples"
"""Photos of our own decks, with the corners of the cards."""
SIZE_WH = (4000, 3000)
"""Twelve megapixels, as phones take them."""
CARD_WH = (0.63, 1.0)
"""Width and height of a card, in card heights."""
LEAST_COVERED = 0.02
"""Cards of the samples are used only if they overlap their neighbours by less than this share."""
PAPERS = 150
"""Sheets of paper on the table that are no cards."""
TABLE_BGR = (58, 92, 66)
"""The colour of the table: green cloth."""


def stages(data: bytes, reader: Reader) -> dict[str, float]:
    """Return the milliseconds of each stage with loaded networks, and the number of cards."""
    photo = open_photo(data)
    found = reader.find(photo)
    detections = reader.detections(photo)
    times = {
        "decode": _median_ms(lambda: open_photo(data)),
        "find": _median_ms(lambda: reader.find(photo)),
        "classify": _median_ms(lambda: reader.classify(photo, found)),
        "decide": _median_ms(lambda: decide([detections], piles=[0])),
    }
    return times | {"total": sum(times.values()), "cards": float(len(nms(detections)))}


def cold_start(path: Path, models_dir: Path) -> dict[str, float]:
    """Return seconds from an empty process to the first answer, and its memory in MB."""
    command = [sys.executable, "-c", _COLD, str(path), str(models_dir)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    seconds, peak_mb = map(float, done.stdout.split())
    return {"cold_start_s": seconds, "peak_mb": peak_mb}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the times, and how well labelled photos are read; return 0, or 2 on bad input."""
    parser = Parser(prog="python -m benchmarks.reading", description=__doc__)
    parser.add_argument("photos", nargs="*", type=Path, metavar="PHOTO")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--out", type=Path, default=None, help="folder to keep the photos made in")
    return run_command(parser, _answers, arguments=arguments, refused=(VisionError, OSError))


def _answers(options: argparse.Namespace) -> Iterator[str]:
    """Yield the times, then the figures of the labelled photos; as JSON, both at once."""
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
    """Write the made photos into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, data in photos().items():
        paths.append(folder / f"{name}.jpg")
        paths[-1].write_bytes(data)
    return paths


def _labelled_folders() -> list[Path]:
    """Return the folders with labels of whole photos, not of single cards."""
    found = sorted([*PHOTOS.glob("*/labels.json"), *PILES.glob("labels.json")])
    return [path.parent for path in found if "photos" in json.loads(path.read_text("utf-8"))]


def _median_ms(work: Callable[[], object]) -> float:
    """Return the median milliseconds of some work, after one run that is not timed."""
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
        f"warm, {engine()}, {cv2.getNumThreads()} threads:",
        head,
        *rows,
        f"cold start {cold['cold_start_s']:.2f} s   peak memory {cold['peak_mb']:.0f} MB",
    ])  # fmt: skip


@cache
def photos() -> Mapping[str, bytes]:
    """Return the JPEG files by name."""
    cards = _cards()
    pictures = {
        "20-small": _laid(cards[:20], per_row=7, height_px=520, step=(0.72, 1.1)),
        "20-large": _laid(cards[:20], per_row=5, height_px=1050, step=(0.72, 0.55)),
        "40": _laid(cards[:40], per_row=8, height_px=640, step=(0.72, 0.9)),
        "no-card": _papers(),
    }
    return {name: _as_photo(picture) for name, picture in pictures.items()}


def _cards() -> list[Pixels]:
    """Return the uncovered cards of the samples, cut out upright: each once, then again."""
    labels = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    cards: list[Pixels] = []
    for name, label in labels.items():
        image, quads = open_photo(SAMPLES / name).image_bgr, np.array(label["corners"], np.float32)
        for at, quad in enumerate(quads):
            if covered_share(quad, np.delete(quads, at, axis=0)) < LEAST_COVERED:
                cards.append(straighten(image, quad, side_px=512, margin=0.0))
    return cards + cards


def _laid(
    cards: list[Pixels], *, per_row: int, height_px: int, step: tuple[float, float]
) -> Pixels:
    """Lay cards in rows on a table; steps are in card heights, across and down."""
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), TABLE_BGR, np.uint8)
    rng = np.random.default_rng(len(cards) + height_px)
    size = np.array(CARD_WH) * height_px
    rows = -(-len(cards) // per_row)
    whole = (np.array([per_row - 1, rows - 1]) * step + CARD_WH) * height_px
    start = (np.array(SIZE_WH) - whole + size) / 2
    for at, card in enumerate(cards):
        place = start + np.array([at % per_row, at // per_row]) * step * height_px
        turn = float(rng.normal(0, 2)) + 180 * int(rng.integers(2))
        box = cv2.boxPoints((tuple(place.tolist()), tuple(size.tolist()), turn))
        _put(picture, card, corners=np.roll(box, -1, axis=0))
    return picture


def _put(picture: Pixels, card: Pixels, *, corners: Quad) -> None:
    """Draw a card on a picture, with a thin shadow around it."""
    side = len(card)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    low = np.maximum(corners.min(axis=0).astype(int) - 8, 0)
    high = np.minimum(corners.max(axis=0).astype(int) + 8, SIZE_WH)
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shown = cv2.warpPerspective(card, moved, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full((side, side), 1.0, np.float32), moved, size)[..., None]
    shadow = 1 - 0.4 * cv2.GaussianBlur(mask, (0, 0), 5)[..., None]
    part = picture[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * shadow * (1 - mask) + shown * mask).astype(np.uint8)


def _papers() -> Pixels:
    """Return a table of papers with lines of print, none of which is a card."""
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), TABLE_BGR, np.uint8)
    rng = np.random.default_rng(PAPERS)
    for _ in range(PAPERS):
        size = (int(rng.integers(220, 420)), int(rng.integers(260, 520)))
        paper = np.full((size[1], size[0], 3), rng.integers(200, 255), np.uint8)
        for y in range(30, size[1] - 30, 24):
            end = size[0] - int(rng.integers(24, 90))
            cv2.line(paper, (24, y), (end, y), (90, 70, 60), int(rng.integers(2, 8)))
        square = np.asarray(cv2.resize(paper, (512, 512)), np.uint8)
        place = tuple(map(float, rng.uniform((250, 300), np.array(SIZE_WH) - (250, 300))))
        box = cv2.boxPoints((place, tuple(map(float, size)), float(rng.uniform(0, 360))))
        _put(picture, square, corners=np.roll(box, -1, axis=0))
    return picture


def _as_photo(picture: Pixels) -> bytes:
    """Return a JPEG of a picture with fine noise, as a camera's sensor adds.

    >>> len(_as_photo(np.zeros((3000, 4000, 3), np.uint8))) > 100_000
    True
    """
    half = np.random.default_rng(7).normal(0, 4, (SIZE_WH[1] // 2, SIZE_WH[0] // 2, 1))
    grain = cv2.resize(half, SIZE_WH, interpolation=cv2.INTER_CUBIC)[..., None]
    noisy = np.clip(picture + grain, 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


if __name__ == "__main__":
    sys.exit(main())
