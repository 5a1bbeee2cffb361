"""Corners set right: the way into the network and back, and what it does to rough boxes."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.data import FAR, NEAR, rough_box
from vision.corners import REFINE_PX, CornerNetwork, from_crop, refine_crop, to_crop
from vision.detect import Boxes
from vision.errors import ModelError
from vision.geometry import corner_distances
from vision.photo import Pyramid, open_photo

CARD = np.array([[100, 80], [190, 90], [180, 240], [92, 228]], np.float32)
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
offsets = st.lists(st.floats(-12, 12), min_size=8, max_size=8)


@given(offsets, offsets)
def test_what_goes_into_the_crop_comes_back(rough: list[float], true: list[float]) -> None:
    box = CARD + np.array(rough, np.float32).reshape(4, 2)
    corners = CARD + np.array(true, np.float32).reshape(4, 2)
    assert from_crop(box, to_crop(box, corners)) == pytest.approx(corners, abs=0.05)


def test_a_crop_shows_the_box_in_its_middle_and_what_lies_around_it() -> None:
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
def test_rough_boxes_on_the_samples_come_nearer_to_their_cards(models_dir: Path) -> None:
    corner_network = CornerNetwork(models_dir / "refine.onnx")
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    rng = np.random.default_rng(7)
    before, after = [], []
    for name, label in expected.items():
        image = open_photo(SAMPLES / name).whole
        for corners in label["corners"]:
            true = np.array(corners, np.float32)
            size = float(np.linalg.norm(true[1] - true[0]))
            rough = np.asarray(true + rng.normal(0, 0.12 * size, (4, 2)), np.float32)
            set_right = corner_network(image, Boxes(rough[None], np.ones(1, np.float32)))
            before.append(corner_distances(true, rough[None])[0])
            after.append(corner_distances(true, set_right.quads)[0])
    assert np.median(after) < 0.5 * np.median(before)


def test_a_rough_box_is_told_by_its_nearest_card_and_in_its_order() -> None:
    rng = np.random.default_rng(3)
    cards = np.stack([CARD, CARD + np.array([300, 0], np.float32)])
    boxes = [rough_box(rng, cards, np.array([1.0, 1.0]), (1200, 800)) for _ in range(400)]
    found = [box for box in boxes if box is not None]
    near = [box for box in found if box.is_card]
    assert 0 < len(near) < len(found)
    for box in near:
        assert corner_distances(box.rough, box.card[None])[0] <= NEAR
        straight = np.linalg.norm(box.rough - box.card, axis=1).sum()
        turned = np.linalg.norm(box.rough - np.roll(box.card, 2, axis=0), axis=1).sum()
        assert straight <= turned
    for box in found:
        assert box.is_card or corner_distances(box.rough, cards).min() > FAR


def test_a_hidden_card_is_no_card_and_a_half_hidden_one_is_not_asked_for() -> None:
    rng = np.random.default_rng(3)

    def card_probabilities(visible: float) -> set[bool]:
        boxes = [rough_box(rng, CARD[None], np.array([visible]), (1200, 800)) for _ in range(300)]
        return {
            box.is_card
            for box in boxes
            if box is not None and corner_distances(box.rough, CARD[None])[0] < NEAR
        }

    assert card_probabilities(0.05) == {False}
    assert card_probabilities(0.09) == set()
    assert card_probabilities(0.9) == {True}
