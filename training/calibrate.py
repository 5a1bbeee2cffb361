"""`python -m training.calibrate [--write] FOLDER...`: fit the calibration of the networks.

The folders hold photos that no network was trained on, with boxes in their labels
(`vision.evaluate`). It fits the temperature of the class probabilities, its rise for boxes of low
score, and the weights that tell boxes of whole cards from others. It prints how often answers of
each confidence are right, with the calibration in use and with the fitted one.
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
from scipy.special import log_expit

from scoring.command_line import Parser, run_command
from vision.answers import ANSWERS_HELP, answers_kept
from vision.errors import LabelError, VisionError
from vision.evaluate import read_labels
from vision.geometry import FloatArray, bounds
from vision.networks import MODELS
from vision.nms import Detection, nms
from vision.onnx import Tensor
from vision.photo import open_photo
from vision.probability import (
    CALIBRATION,
    Calibration,
    WholeCardWeights,
    as_json,
    features,
)
from vision.reader import Reader
from vision.reading import CLASSES, Area

OVERLAP = 0.6
"""Least intersection over union of a detection's box and a label's to be the same card."""
TEMPERATURES, FAINTS = (0.3, 4.0), (0.0, 1.0)
"""Range of temperatures tried, and of the rise at score 0 (`Calibration.low_score`)."""
START = (1.2, 0.3)
"""Temperature and rise at which the search starts."""
RIDGE_PENALTY = 1e-4
"""Penalty on the squared weights of the logistic regression."""
LEAST_RIGHT = 1e-9
"""Lower limit of a right answer's probability, before the logarithm."""
BAND_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Edges of the bands of confidence in the printed table."""


def truths(card: str) -> list[int]:
    """Return the classes that a label allows: one, or four if it gives only the rank (`8?`)."""
    return [at for at, code in enumerate(CLASSES) if card in (code, f"{code[:-1]}?")]


def _intersection_over_union(one: Area, other: Area) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0.0) * max(height, 0.0)
    joint = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - shared
    return shared / joint if joint > 0 else 0.0


def matched(
    detections: Sequence[Detection], boxes: Sequence[tuple[Area, str]]
) -> list[tuple[Detection, str]]:
    """Return the detections on labelled cards, each with its label, by linear assignment."""
    if not detections or not boxes:
        return []
    overlap = np.array(
        [[_intersection_over_union(bounds(one.box), box) for box, _ in boxes] for one in detections]
    )
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return [
        (detections[row], boxes[column][1])
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if overlap[row, column] >= OVERLAP
    ]


@dataclass(frozen=True)
class ClassTruth:
    """Class probabilities of labelled cards, and the classes that the labels allow."""

    raw: Tensor
    """N x 42 probabilities before calibration."""
    scores: Tensor
    """N scores of their boxes."""
    allowed: Sequence[Sequence[int]]


@dataclass(frozen=True)
class BoxTruth:
    """Boxes of labelled photos, and whether each holds a whole card."""

    features: FloatArray
    """N x 11, see `vision.probability.features`."""
    whole: npt.NDArray[np.bool_]


def best_calibration(truth: ClassTruth) -> Calibration:
    """Return the temperature and rise with the highest likelihood of the right answers."""

    def loss(values: FloatArray) -> float:
        calibrated = Calibration(*values.tolist())(truth.raw, truth.scores)
        pairs = zip(calibrated, truth.allowed, strict=True)
        right = [row[list(allowed)].sum() for row, allowed in pairs]
        return -float(np.log(np.maximum(right, LEAST_RIGHT)).mean())

    found = minimize(loss, START, bounds=[TEMPERATURES, FAINTS], method="Nelder-Mead")
    temperature, low_score = found.x.tolist()
    return Calibration(round(temperature, 3), round(low_score, 3))


def best_weights(truth: BoxTruth) -> WholeCardWeights:
    """Fit the ridge logistic regression that tells boxes of whole cards from others."""
    signs = np.where(truth.whole, 1.0, -1.0)

    def loss(weights: FloatArray) -> float:
        wrong = -log_expit(signs * (truth.features @ weights)).mean()
        return float(wrong + RIDGE_PENALTY * (weights[:-1] ** 2).sum())

    found = minimize(loss, np.zeros(truth.features.shape[1]), method="L-BFGS-B")
    return WholeCardWeights(*(round(weight, 3) for weight in found.x.tolist()))


def collect(reader: Reader, folders: Sequence[Path]) -> tuple[ClassTruth, BoxTruth]:
    """Return the networks' answers for the labelled cards of some folders.

    The reader's calibration chooses among several boxes of a card.
    """
    named: list[tuple[Detection, str]] = []
    rows, whole = [features([])], [np.zeros(0, np.bool_)]
    for photo in (photo for folder in folders for photo in read_labels(folder) if photo.boxes):
        opened = open_photo(photo.path)
        boxes = reader.classify(opened, reader.find(opened))
        named += matched(nms(boxes), photo.boxes)
        right = {id(one) for one, _ in matched(boxes, photo.boxes)}
        rows.append(features(boxes))
        whole.append(np.array([id(one) in right for one in boxes], np.bool_))
    calibrated = np.array([one.probabilities for one, _ in named], np.float32)
    scores = np.array([one.score for one, _ in named], np.float32)
    raw = reader.calibration.undone(calibrated.reshape(-1, len(CLASSES)), scores)
    truth = ClassTruth(raw, scores, [truths(card) for _, card in named])
    return truth, BoxTruth(np.concatenate(rows), np.concatenate(whole))


def reliability(probabilities: Tensor, allowed: Sequence[Sequence[int]]) -> list[str]:
    """Return a table by bands of confidence: number of answers, mean confidence, share right."""
    confidence, answer = probabilities.max(axis=1), probabilities.argmax(axis=1)
    right = np.array([at in one for at, one in zip(answer.tolist(), allowed, strict=True)])
    lines = ["confidence   answers  mean sure  right"]
    for low, high in pairwise(BAND_EDGES):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            sure, share = confidence[inside].mean(), right[inside].mean()
            lines.append(f"{low:.2f}-{high:.2f} {inside.sum():11} {sure:10.2%} {share:6.2%}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 2 on bad input."""
    parser = Parser(prog="python -m training.calibrate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument(
        "--write", action="store_true", help=f"write the fitted one to {CALIBRATION}"
    )
    parser.add_argument("--answers", type=Path, metavar="FILE", help=ANSWERS_HELP)
    return run_command(parser, _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> str:
    reader = Reader(options.models)
    with answers_kept(options.answers):
        classes, boxes = collect(reader, options.folders)
    if not classes.allowed:
        raise LabelError(options.folders[0], "labels without boxes on cards that are found")
    best = replace(best_calibration(classes), whole_card=best_weights(boxes))
    if options.write:
        content = json.dumps(as_json(best), indent=1)
        (options.models / CALIBRATION).write_text(f"{content}\n", encoding="utf-8")
    lines = [f"{len(classes.allowed)} cards, {len(boxes.whole)} boxes"]
    for name, one in (("in use", reader.calibration), ("best", best)):
        lines.append(
            f"{name}: temperature {one.temperature}, faint {one.low_score}, {one.whole_card}"
        )
        lines += reliability(one(classes.raw, classes.scores), classes.allowed)
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
