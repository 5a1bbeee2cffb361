"""`python -m vision.calibrate [--write] FOLDER...`: how far the networks may be believed.

Finds the temperature at which the names' probabilities fit best what labelled photos show (folders
with boxes in their labels, not trained on), how much it rises for faint boxes, and what tells boxes
that hold a whole card from others; prints how often answers of each confidence are right, by the
calibration in use and by the best.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment, minimize

from vision.classes import CLASSES
from vision.errors import VisionError
from vision.evaluate import read_labels
from vision.geometry.quads import bounds
from vision.networks.calibration import CALIBRATION, Calibration, as_json
from vision.networks.network import Tensor
from vision.photo import open_photo
from vision.reader import MODELS, Reader
from vision.verdicts.belief import Belief, Numbers, evidence
from vision.verdicts.doubles import choose
from vision.verdicts.sighting import Sighting

OVERLAP = 0.6
"""A sighting shows a labelled card when their boxes overlap by this share of their joint area."""
RANGE, FAINT_RANGE = (0.3, 4.0), (0.0, 1.0)
"""Temperatures that are tried, and their rise for faint boxes."""
START = (1.2, 0.3)
"""Where the search begins."""
SHRINK = 1e-4
"""What large weights cost where boxes are told apart."""
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Confidences between which answers are counted together."""

Box = Sequence[float]
"""x0, y0, x1, y1."""


def truths(card: str) -> list[int]:
    """The classes that a label allows: one, or four where only the rank is known.

    >>> [CLASSES[at] for at in truths("8?")], truths("x")
    (['8d', '8c', '8s', '8b'], [41])
    """
    return [at for at, code in enumerate(CLASSES) if card in (code, f"{code[:-1]}?")]


def matched(
    sightings: Sequence[Sighting], boxes: Sequence[tuple[Box, str]]
) -> list[tuple[Sighting, str]]:
    """The sightings that lie on labelled cards, each with its label.

    >>> matched([], [([0, 0, 2, 3], "7d")])
    []
    """
    if not sightings or not boxes:
        return []
    overlap = np.array([[_overlap(bounds(one.box), box) for box, _ in boxes] for one in sightings])
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return [
        (sightings[row], boxes[column][1])
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if overlap[row, column] >= OVERLAP
    ]


@dataclass(frozen=True)
class Names:
    """What the networks made of labelled cards."""

    raw: Tensor
    """N x 42, as identify and index together give them."""
    scores: Tensor
    """N scores of their boxes."""
    allowed: Sequence[Sequence[int]]
    """The classes each label allows."""


@dataclass(frozen=True)
class Boxes:
    """What speaks for the boxes of labelled photos, and what they hold."""

    evidence: Numbers
    """N x 11, see `vision.verdicts.belief.evidence`."""
    whole: npt.NDArray[np.bool_]
    """Whether each is a whole card, as it lies."""


def best_calibration(names: Names) -> Calibration:
    """The calibration at which the right answers are likeliest, in all.

    >>> sure_and_half_wrong = np.array([[0.99, 0.01], [0.99, 0.01]], np.float32)
    >>> found = best_calibration(Names(sure_and_half_wrong, np.ones(2, np.float32), [[0], [1]]))
    >>> found.temperature > 2
    True
    """

    def surprise(values: npt.NDArray[np.float64]) -> float:
        fitted = Calibration(*values.tolist())(names.raw, names.scores)
        pairs = zip(fitted, names.allowed, strict=True)
        right = [row[list(one)].sum() for row, one in pairs]
        return -float(np.log(np.maximum(right, 1e-9)).mean())

    found = minimize(surprise, START, bounds=[RANGE, FAINT_RANGE], method="Nelder-Mead")
    temperature, faint = found.x.tolist()
    return Calibration(round(temperature, 3), round(faint, 3))


def best_belief(boxes: Boxes) -> Belief:
    """The belief at which what the boxes hold is likeliest.

    >>> told, whole = np.eye(11)[[0, 0, 10, 10]] * 2, np.array([True, True, False, False])
    >>> high = best_belief(Boxes(told, whole))
    >>> high.score > 0 > high.base
    True
    """
    signs = np.where(boxes.whole, 1.0, -1.0)

    def surprise(weights: Numbers) -> float:
        wrong = np.logaddexp(0, -signs * (boxes.evidence @ weights)).mean()
        return float(wrong + SHRINK * (weights[:-1] ** 2).sum())

    found = minimize(surprise, np.zeros(boxes.evidence.shape[1]), method="L-BFGS-B")
    return Belief(*(round(weight, 3) for weight in found.x.tolist()))


def collect(reader: Reader, folders: Sequence[Path]) -> tuple[Names, Boxes]:
    """What the networks made of the labelled cards of some folders, by the calibration in use."""
    named: list[tuple[Sighting, str]] = []
    rows, whole = [evidence([])], [np.zeros(0, np.bool_)]
    for photo in (photo for folder in folders for photo in read_labels(folder) if photo.boxes):
        opened = open_photo(photo.path)
        boxes = reader.identify(opened, reader.locate(opened))
        named += matched(choose(boxes, reader.calibration.belief(boxes)), photo.boxes)
        right = {id(one) for one, _ in matched(boxes, photo.boxes)}
        rows.append(evidence(boxes))
        whole.append(np.array([id(one) in right for one in boxes], np.bool_))
    softened = np.array([one.probabilities for one, _ in named], np.float32)
    scores = np.array([one.score for one, _ in named], np.float32)
    raw = reader.calibration.undone(softened.reshape(-1, len(CLASSES)), scores)
    names = Names(raw, scores, [truths(card) for _, card in named])
    return names, Boxes(np.concatenate(rows), np.concatenate(whole))


def reliability(probabilities: Tensor, allowed: Sequence[Sequence[int]]) -> list[str]:
    """A line for each band of confidence: how many answers, how sure, how many right."""
    confidence, answer = probabilities.max(axis=1), probabilities.argmax(axis=1)
    right = np.array([at in one for at, one in zip(answer.tolist(), allowed, strict=True)])
    lines = ["confidence   answers  mean sure  right"]
    for low, high in pairwise(BINS):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            sure, share = confidence[inside].mean(), right[inside].mean()
            lines.append(f"{low:.2f}-{high:.2f} {inside.sum():11} {sure:10.2%} {share:6.2%}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the best temperature, and keep it beside the networks when asked to."""
    parser = argparse.ArgumentParser(prog="python -m vision.calibrate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--write", action="store_true", help=f"keep it in {CALIBRATION}")
    options = parser.parse_args(arguments)
    try:
        reader = Reader(options.models)
        names, boxes = collect(reader, options.folders)
    except VisionError as error:
        print(error, file=sys.stderr)
        return 2
    if not names.allowed:
        print("expected labels with boxes on cards that are found, got none", file=sys.stderr)
        return 2
    best = replace(best_calibration(names), belief=best_belief(boxes))
    print(f"{len(names.allowed)} cards, {len(boxes.whole)} boxes")
    for name, one in (("in use", reader.calibration), ("best", best)):
        print(f"{name}: temperature {one.temperature}, faint {one.faint}, {one.belief}")
        print("\n".join(reliability(one(names.raw, names.scores), names.allowed)))
    if options.write:
        kept = json.dumps(as_json(best), indent=1)
        (options.models / CALIBRATION).write_text(f"{kept}\n", encoding="utf-8")
    return 0


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0.0) * max(height, 0.0)
    joint = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - shared
    return shared / joint if joint > 0 else 0.0


if __name__ == "__main__":
    sys.exit(main())
