"""Write a shard of real photos: `python -m training.data.photos data/scenes FOLDER...`.

For the last stages of training. The folders hold labelled photos with boxes; where only the rank
of a card is known the suit is what the networks see, and where they are unsure the card is left
out. Corners are theirs as well, and kept only where they fit the labelled box. Every third photo
is left for choosing thresholds; a folder named here is no measure of the networks any more.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.calibrate import matched, truths
from training.data.crops import jittered
from training.data.shards import Crop, Sample, encode, write_shard
from vision.evaluate import read_labels
from vision.geometry import corner_views, straighten
from vision.nms import Detection, nms
from vision.photo import Photo, open_photo
from vision.reader import MODELS, Reader
from vision.reading import CLASSES

LEFT_OUT = 3
"""Every so manieth photo is not trained on."""
SURE_OF_SUIT = 0.8
"""From this share of the known rank's probability on a suit is believed."""
VIEWS = 8
"""Crops of one card, each with other corners a little off."""
SEED = 11
"""Of those corners."""


def learnt_from(folder: Path) -> list[Path]:
    """The photos of a folder that are trained on."""
    return [photo.path for k, photo in enumerate(read_labels(folder)) if k % LEFT_OUT]


def label_of(detection: Detection, card: str) -> int | None:
    """The class of a labelled card, its suit as the networks see it; None where they are unsure."""
    allowed = truths(card)
    shares = detection.probabilities[allowed] / max(
        float(detection.probabilities[allowed].sum()), 1e-9
    )
    best = int(shares.argmax())
    return allowed[best] if shares[best] >= SURE_OF_SUIT else None


def crops_of(
    rng: np.random.Generator, photo: Photo, seen: Sequence[tuple[Detection, str]]
) -> tuple[list[Crop], list[Crop]]:
    """Several straightened views of each card whose class is known, and of its corners."""
    crops, indices = [], []
    for detection, card in seen:
        label = label_of(detection, card)
        if label is None:
            continue
        for _ in range(VIEWS):
            quad = jittered(rng, detection.quad)
            crops.append(Crop(encode(straighten(photo.image_bgr, quad), quality=92), label))
            corners = corner_views(photo.image_bgr, quad)
            indices += [Crop(encode(corner, quality=92), label) for corner in corners]
    return crops, indices


def sample_of(photo: Photo, seen: Sequence[tuple[Detection, str]]) -> Sample:
    """A photo as locate and refine learn from it."""
    corners = np.array([detection.quad for detection, _ in seen], np.float32)
    corners /= np.array(photo.size_wh, np.float32)
    shares = np.ones((len(seen), 3), np.float32)
    return Sample(encode(photo.working_bgr, quality=90), corners, shares[:, 0], shares[:, 1:])


def write(path: Path, folders: Sequence[Path]) -> str:
    """Writes the shard and says what is in it."""
    reader, rng = Reader(MODELS), np.random.default_rng(SEED)
    samples: list[Sample] = []
    crops: list[Crop] = []
    indices: list[Crop] = []
    for folder in folders:
        boxes = {photo.path: photo.boxes for photo in read_labels(folder)}
        for at in learnt_from(folder):
            photo = open_photo(at)
            seen = matched(nms(reader.detections(photo)), boxes[at])
            whole, corners = crops_of(rng, photo, seen)
            crops += whole
            indices += corners
            if seen and len(seen) == len(boxes[at]):
                samples.append(sample_of(photo, seen))
    if not crops or not samples:
        raise SystemExit("no card with a box in labels.json was recognised: nothing to learn from")
    write_shard(path, samples, crops, indices)
    classes = len({CLASSES[crop.label] for crop in crops})
    return f"{path.name}: {len(samples)} photos, {len(crops)} crops of {classes} classes"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="training.data.photos", description=__doc__)
    parser.add_argument("out", type=Path, help="folder of shards")
    parser.add_argument("folders", type=Path, nargs="+", help="with labels.json")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    print(write(args.out / "shard-photos.npz", args.folders))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
