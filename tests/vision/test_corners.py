"""Corners set right: the way into the network and back, and what it does to rough boxes."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.corners import REFINE_PX, CornerNetwork, from_crop, refine_crop, to_crop
from vision.detect import Boxes
from vision.errors import ModelError
from vision.geometry import corner_distances
from vision.photo import Photo, Pyramid

CARD = np.array([[100, 80], [190, 90], [180, 240], [92, 228]], np.float32)
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
offsets = st.lists(st.floats(-12, 12), min_size=8, max_size=8)


@given(offsets, offsets)
def test_what_goes_into_the_crop_comes_back(rough: list[float], true: list[float]) -> None:
    box = CARD + np.array(rough, np.float32).reshape(4, 2)
    corners = CARD + np.array(true, np.float32).reshape(4, 2)
    assert from_crop(box, to_crop(box, corners)) == pytest.approx(corners, abs=0.05)


def test_crop_has_the_box_in_the_middle_and_a_margin() -> None:
    picture = np.full((400, 400, 3), 30, np.uint8)
    picture[100:200, 100:160] = 220
    box = np.array([[100, 100], [160, 100], [160, 200], [100, 200]], np.float32)
    crop = refine_crop(picture, box)
    assert crop.shape == (REFINE_PX, REFINE_PX, 3)
    assert crop[REFINE_PX // 2, REFINE_PX // 2].tolist() == [220, 220, 220]
    assert crop[6, 6].tolist() == [30, 30, 30]


def test_no_boxes_are_no_cards(models_dir: Path) -> None:
    nothing = Boxes(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    corner_network = CornerNetwork(models_dir / "refine.onnx")
    assert len(corner_network(Pyramid(np.zeros((50, 50, 3), np.uint8)), nothing).scores) == 0


def test_a_network_with_another_output_is_refused(models_dir: Path) -> None:
    corner_network = CornerNetwork(models_dir / "identify.onnx")
    box = Boxes(CARD[None], np.ones(1, np.float32))
    with pytest.raises(ModelError, match="four corner moves"):
        corner_network(Pyramid(np.zeros((300, 300, 3), np.uint8)), box)


@pytest.mark.models
@pytest.mark.xdist_group("readings")
def test_rough_boxes_on_the_samples_come_nearer_to_their_cards(
    models_dir: Path, sample_photos: dict[str, Photo]
) -> None:
    corner_network = CornerNetwork(models_dir / "refine.onnx")
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    rng = np.random.default_rng(7)
    before, after = [], []
    for name in ("anna-1.jpg", "bruno-1.jpg", "carla.jpg"):
        image, label = sample_photos[name].whole, expected[name]
        for corners in label["corners"]:
            true = np.array(corners, np.float32)
            size = float(np.linalg.norm(true[1] - true[0]))
            rough = np.asarray(true + rng.normal(0, 0.12 * size, (4, 2)), np.float32)
            set_right = corner_network(image, Boxes(rough[None], np.ones(1, np.float32)))
            before.append(corner_distances(true, rough[None])[0])
            after.append(corner_distances(true, set_right.quads)[0])
    assert np.median(after) < 0.5 * np.median(before)
