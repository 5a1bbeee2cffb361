"""Write a shard of real photos: `python -m training.photos data/scenes FOLDER...`.

The last stages of training use it. The folders hold labelled photos with boxes. The networks give
the corners, which are kept only if they fit the labelled box. They also give the suit if a label
has only the rank; if they are unsure, the card has no name. Every third photo is left out, to
choose thresholds on. A folder that was trained on no longer measures the networks.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.calibrate import matched, truths
from training.data import UNKNOWN, Sample, encode, write_shard
from vision.evaluate import read_labels
from vision.networks import MODELS
from vision.nms import Detection, nms
from vision.photo import Photo, open_photo
from vision.reader import Reader

LEFT_OUT = 3
"""One photo in this many is not trained on."""
SURE_OF_SUIT = 0.8
"""Least share of the known rank's probability at which a suit is accepted."""


def learnt_from(folder: Path) -> list[Path]:
    """Return the photos of a folder that are trained on."""
    return [photo.path for k, photo in enumerate(read_labels(folder)) if k % LEFT_OUT]


def label_of(detection: Detection, card: str) -> int | None:
    """Return the class of a labelled card, with the networks' suit; None if they are unsure."""
    allowed = truths(card)
    shares = detection.probabilities[allowed] / max(
        float(detection.probabilities[allowed].sum()), 1e-9
    )
    best = int(shares.argmax())
    return allowed[best] if shares[best] >= SURE_OF_SUIT else None


def sample_of(photo: Photo, seen: Sequence[tuple[Detection, str]]) -> Sample:
    """Return a photo as a training sample."""
    corners = np.array([detection.quad for detection, _ in seen], np.float32)
    corners /= np.array(photo.size_wh, np.float32)
    shares = np.ones((len(seen), 3), np.float32)
    found = [label_of(detection, card) for detection, card in seen]
    labels = np.array([UNKNOWN if one is None else one for one in found], np.int16)
    picture = encode(photo.working_bgr, quality=90)
    return Sample(picture, corners, shares[:, 0], shares[:, 1:], labels)


def write(path: Path, folders: Sequence[Path]) -> str:
    """Write the shard and say what is in it.

    Raises:
        SystemExit: No photo had all its labelled cards found.
    """
    reader = Reader(MODELS)
    samples: list[Sample] = []
    for folder in folders:
        boxes = {photo.path: photo.boxes for photo in read_labels(folder)}
        for at in learnt_from(folder):
            photo = open_photo(at)
            seen = matched(nms(reader.detections(photo)), boxes[at])
            if seen and len(seen) == len(boxes[at]):
                samples.append(sample_of(photo, seen))
    if not samples:
        raise SystemExit("no photo whose labelled cards were all found: nothing to learn from")
    write_shard(path, samples)
    named = np.concatenate([sample.labels for sample in samples])
    return f"{path.name}: {len(samples)} photos, {(named >= 0).sum()} cards named"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="training.photos", description=__doc__)
    parser.add_argument("out", type=Path, help="folder of shards")
    parser.add_argument("folders", type=Path, nargs="+", help="with labels.json")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    print(write(args.out / "shard-photos.npz", args.folders))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
