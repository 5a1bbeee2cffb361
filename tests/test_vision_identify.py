"""Naming a crop: what is not sure is looked at from both ends."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.classes import CLASSES
from vision.identify import CLEAR, Identifier
from vision.photo import Pixels, open_photo
from vision.straighten import straighten

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


@pytest.fixture
def identifier(models_dir: Path) -> Identifier:
    return Identifier(models_dir / "identify.onnx")


def crops(*, blur: float) -> list[Pixels]:
    """The cards of one sample, straightened, out of focus."""
    name = "bruno-2.jpg"
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"][name]
    image = open_photo(SAMPLES / name).image_bgr
    cut = [straighten(image, corners) for corners in expected["corners"]]
    return [np.asarray(cv2.GaussianBlur(crop, (0, 0), blur), np.uint8) for crop in cut]


def turned(crop: Pixels) -> Pixels:
    return np.ascontiguousarray(crop[::-1, ::-1])


@pytest.mark.models
def test_an_unsure_answer_does_not_hang_on_which_end_is_up(identifier: Identifier) -> None:
    blurred = crops(blur=8.0)
    one, other = identifier(blurred), identifier([turned(crop) for crop in blurred])
    unsure = (one.max(axis=1) < CLEAR) & (other.max(axis=1) < CLEAR)
    assert unsure.any()
    assert one[unsure] == pytest.approx(other[unsure], abs=1e-3)


@pytest.mark.models
def test_every_row_is_a_distribution_over_the_classes(identifier: Identifier) -> None:
    seen = identifier(crops(blur=2.0) * 3)  # more than one batch
    assert seen.shape == (30, len(CLASSES))
    assert seen.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert identifier([]).shape == (0, len(CLASSES))
