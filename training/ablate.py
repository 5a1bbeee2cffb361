"""`python -m training.ablate [--every N] [--answers FILE] FOLDER...`: what each stage is worth.

It reads labelled photos (`labels`) with all stages, then with each stage left out or replaced by
the simplest substitute. It prints how well they are read, and the networks' processor time as a
multiple of that with all stages. Remove a stage if nothing is read worse without it. Measuring
without a stage after the networks is quick, since their answers are kept (`vision.answers`).
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from scoring.command_line import Parser, run_command
from vision import classify, corners, decide, detect, plane
from vision import reader as stages
from vision.answers import ANSWERS_HELP, Answers, answers_kept
from vision.errors import VisionError
from vision.evaluate import Labelled, mark_reading, read_labels, summary
from vision.geometry import FloatArray
from vision.networks import MODELS
from vision.nms import Detection
from vision.photo import open_photo
from vision.probability import Calibration, WholeCardWeights
from vision.reader import Reader

Replaced = tuple[Any, str, Any]
"""A module or class, the name of an attribute, and its substitute."""


def _given(at: int) -> Callable[..., Any]:
    """Return a substitute that does nothing: it returns its argument at this place."""
    return lambda *given, **_: given[at]


def _scores(_self: WholeCardWeights, detections: Sequence[Detection]) -> FloatArray:
    return np.array([one.score for one in detections], np.float64)


def _likely_whole(detections: Sequence[Detection], **_: float) -> tuple[Detection, ...]:
    return tuple(one for one in detections if one.whole_card_probability >= decide.WHOLE)


def _unshifted(_self: object, _picture: object, boxes: detect.Boxes) -> tuple[Any, Any, Any]:
    """Say that all corners are equally firm, and that a card is as likely as the box's score."""
    spread = np.full((len(boxes.scores), 4), plane.HALF_WEIGHT_SPREAD, np.float32)
    return boxes.quads, spread, boxes.scores


WITHOUT: Mapping[str, Sequence[Replaced]] = {
    "small smoothed scale": [(detect, "SMOOTHED_PX", detect.STRIDE)],
    "scales of the cards": [(detect, "CLEAR_SCORE", 2.0)],
    "scales of 640 and 320 pixels": [(detect, "_are_near", lambda *_: True)],
    "other sizes dropped": [(detect, "SAME_SIZE", np.inf)],
    "index corners": [(detect, "SCORES", slice(4, 5))],
    "refine": [(corners.CornerNetwork, "__call__", _given(2))],
    "refine's later rounds": [(corners, "REFINE_ROUNDS", 1)],
    "shifted crops": [(corners.CornerNetwork, "tta_spread", _unshifted)],
    "plane": [(stages, "on_one_plane", _given(0))],
    "index": [(classify, "combined", _given(0))],
    "augmentation": [(classify, "CERTAIN", 0.0)],
    "temperature": [(Calibration, "__call__", _given(1))],
    "whole-card probability": [(WholeCardWeights, "__call__", _scores)],
    "nms": [(decide, "nms", _likely_whole)],
    "deck holds each once": [(decide, "_joint", _given(0))],
}
"""Each stage, and what is replaced to leave it out."""


@contextmanager
def without(stage: str | None) -> Iterator[None]:
    """Leave one stage of `WITHOUT` out inside the `with` block; None leaves out none."""
    with ExitStack() as stack:
        for owner, name, stand_in in WITHOUT[stage] if stage else ():
            stack.enter_context(patch.object(owner, name, stand_in))
        yield


def measure(
    photos: Sequence[Labelled], models: Path, *, stage: str | None, answers: Answers
) -> tuple[dict[str, Any], float]:
    """Return the figures of some photos read without a stage, and the networks' time in seconds."""
    before = answers.seconds
    with without(stage):
        reader = Reader(models)
        read = [reader.read(open_photo(photo.path)) for photo in photos]
    pairs = zip(read, photos, strict=True)
    figures = summary([mark_reading(one, it.cards, boxes=it.boxes) for one, it in pairs])
    return figures, answers.seconds - before


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or 2 on bad input."""
    parser = Parser(prog="python -m training.ablate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth photo")
    parser.add_argument("--answers", type=Path, metavar="FILE", help=ANSWERS_HELP)
    return run_command(parser, _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> Iterator[str]:
    step = max(1, options.every)
    photos = [photo for folder in options.folders for photo in read_labels(folder)[::step]]
    yield f"{'without':28} cards   right   wrong slipped   exact silent/1000 asked/40 networks"
    usual = 0.0
    with answers_kept(options.answers) as answers:
        for stage in (None, *WITHOUT):
            row, seconds = measure(photos, options.models, stage=stage, answers=answers)
            usual = usual or seconds
            yield (
                f"{stage or '(all stages)':28} {row['cards']:5} {row['right']:7.2%}"
                f" {row['wrong']:7.2%} {row['wrong_unasked']:7.2%} {row['exact']:7.2%}"
                f" {row['silent_per_1000']:11.2f} {row['asked_per_40']:8.2f} {seconds / usual:8.2f}"
            )


if __name__ == "__main__":
    sys.exit(main())
