"""Naming a crop: what is not sure is looked at from both ends."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.classes import CLASSES
from vision.geometry.straighten import corner_views, straighten
from vision.networks.identify import CERTAIN, Identifier
from vision.photo import Pixels, open_photo

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture
def identifier(models_dir: Path) -> Identifier:
    return Identifier(models_dir / "identify.onnx", models_dir / "index.onnx")


def cards(*, blur: float) -> tuple[list[Pixels], list[Pixels]]:
    """The cards of one sample out of focus, straightened, and their corners."""
    name = "bruno-2.jpg"
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"][name]
    image = open_photo(SAMPLES / name).image_bgr
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
    views = [view for quad in expected["corners"] for view in corner_views(blurred, quad)]
    return [straighten(blurred, quad) for quad in expected["corners"]], views


def turned(crops: list[Pixels], corners: list[Pixels]) -> tuple[list[Pixels], list[Pixels]]:
    """The same cards upside down."""
    swapped = [corners[at ^ 1] for at in range(len(corners))]
    return [np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops], swapped


@pytest.mark.models
def test_an_unsure_answer_does_not_hang_on_which_end_is_up(identifier: Identifier) -> None:
    blurred = cards(blur=12.0)
    one, other = identifier(*blurred), identifier(*turned(*blurred))
    unsure = (one.max(axis=1) < CERTAIN) & (other.max(axis=1) < CERTAIN)
    assert unsure.any()
    assert one[unsure] == pytest.approx(other[unsure], abs=1e-3)


@pytest.mark.models
def test_every_row_is_a_distribution_over_the_classes(identifier: Identifier) -> None:
    crops, corners = cards(blur=2.0)
    seen = identifier(crops * 3, corners * 3)  # more than one batch
    assert seen.shape == (30, len(CLASSES))
    assert seen.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert identifier([], []).shape == (0, len(CLASSES))
