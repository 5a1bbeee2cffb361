"""Reading the corners of cards: what an index says, and that a covered one says nothing."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.classify import CORNERS, UNSEEN, Classifier, card_probabilities, combined
from vision.geometry import INDEX_PX, corner_views
from vision.photo import Pixels, open_photo
from vision.reading import CLASSES, NOT_SCOPA

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
CARD = np.array([[40, 60], [160, 60], [160, 260], [40, 260]], np.float32)


def answer(code: str, share: float) -> np.ndarray:
    """Corner probabilities: `code` with some probability, the rest for a covered corner."""
    row = np.zeros((1, len(CORNERS)), np.float32)
    row[0, CORNERS.index(code)] += share
    row[0, CORNERS.index(UNSEEN)] += 1 - share
    return row


def test_both_corners_are_seen_upright() -> None:
    image = np.zeros((320, 220, 3), np.uint8)
    cv2.rectangle(image, (40, 60), (159, 259), (255, 255, 255), -1)
    cv2.rectangle(image, (46, 66), (58, 90), (0, 0, 255), -1)  # the index of corner 0
    cv2.rectangle(image, (141, 229), (153, 253), (0, 255, 0), -1)  # and that of corner 2
    first, second = (view.astype(int) for view in corner_views(image, CARD))
    assert first.shape == second.shape == (INDEX_PX, INDEX_PX, 3)
    red, green = (np.argwhere(first[..., 1] < 60), np.argwhere(second[..., 2] < 60))
    red, green = (at[(at > 12).all(axis=1) & (at < 30).all(axis=1)] for at in (red, green))
    assert len(red) > 80
    assert np.abs(red.mean(0) - green.mean(0)).max() < 2


def test_turning_the_card_swaps_the_views() -> None:
    image = np.random.default_rng(0).integers(0, 255, (320, 220, 3)).astype(np.uint8)
    one, other = corner_views(image, CARD), corner_views(image, np.roll(CARD, 2, axis=0))
    assert np.array_equal(one[0], other[1])
    assert np.array_equal(one[1], other[0])


def test_a_covered_corner_leaves_the_card_as_it_was_read() -> None:
    whole = np.full((1, len(CLASSES)), 0.2 / (len(CLASSES) - 1), np.float32)
    whole[0, 5] = 0.8
    assert combined(whole, np.repeat(answer("7d", 0.0), 2, axis=0)) == pytest.approx(
        whole, abs=1e-5
    )


def test_a_clear_index_decides_between_two_readings() -> None:
    whole = np.full((1, len(CLASSES)), 0.001, np.float32)
    whole[0, CLASSES.index("6d")], whole[0, CLASSES.index("7d")] = 0.6, 0.36
    seen = combined(whole, np.concatenate([answer("7d", 0.99), answer("7d", 0.0)]))
    assert CLASSES[int(seen.argmax())] == "7d"
    assert seen.sum() == pytest.approx(1.0)


def test_the_index_of_no_scopa_card_says_so() -> None:
    whole = np.full((1, len(CLASSES)), 0.001, np.float32)
    whole[0, CLASSES.index("7c")], whole[0, CLASSES.index(NOT_SCOPA)] = 0.7, 0.26
    seen = combined(whole, np.concatenate([answer(NOT_SCOPA, 0.99), answer("7d", 0.0)]))
    assert CLASSES[int(seen.argmax())] == NOT_SCOPA


def french_corners() -> list[tuple[str, Pixels]]:
    """The first corner of every card of the French samples that lie in a grid, and its code."""
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    return [
        (card, corner_views(open_photo(SAMPLES / name).image_bgr, quad)[0])
        for name, told_of in expected.items()
        if told_of["deck"] == "french" and told_of["layout"] == "grid"
        for card, quad in zip(told_of["cards"], told_of["corners"], strict=True)
    ]


@pytest.mark.models
def test_indices_are_read_and_none_where_there_is_none(models_dir: Path) -> None:
    reader = Classifier(models_dir / "index.onnx", classes=len(CORNERS))
    corners = french_corners()
    read = card_probabilities(reader([view for _, view in corners]))
    right = [
        CLASSES[int(row.argmax())] == card for row, (card, _) in zip(read, corners, strict=True)
    ]
    assert np.mean(right) >= 0.9
    bare = np.full((INDEX_PX, INDEX_PX, 3), 90, np.uint8)
    assert card_probabilities(reader([bare])).max() < 0.1
    assert reader([]).shape == (0, len(CORNERS))
