"""Naming a crop: what is not sure is looked at from both ends."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.classify import CERTAIN, CORNERS, MOST_AGAIN, UNSEEN, CardClassifier, combined
from vision.geometry import corner_views, straighten
from vision.networks import MODELS
from vision.onnx import Tensor
from vision.photo import Pixels, open_photo
from vision.reading import CLASSES

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(scope="module")
def classifier() -> CardClassifier:
    return CardClassifier(MODELS / "identify.onnx", MODELS / "index.onnx")


def cards(*, blur: float) -> tuple[list[Pixels], list[Pixels]]:
    """Return the cards of one sample out of focus, straightened, and their corners."""
    name = "bruno-2.jpg"
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"][name]
    image = open_photo(SAMPLES / name).image_bgr
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
    views = [view for quad in expected["corners"] for view in corner_views(blurred, quad)]
    return [straighten(blurred, quad) for quad in expected["corners"]], views


def turned(crops: list[Pixels], corners: list[Pixels]) -> tuple[list[Pixels], list[Pixels]]:
    """Return the same cards upside down."""
    swapped = [corners[at ^ 1] for at in range(len(corners))]
    return [np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops], swapped


def look(
    classifier: CardClassifier, crops: list[Pixels], corners: list[Pixels], *, worth: float = 0.9
) -> Tensor:
    """Return the probabilities of cards that are all equally worth a second look."""
    return classifier(crops, corners, worth=lambda read: np.full(len(read), worth, np.float32))


@pytest.mark.models
def test_an_unsure_answer_does_not_hang_on_which_end_is_up(classifier: CardClassifier) -> None:
    blurred = cards(blur=12.0)
    one, other = look(classifier, *blurred), look(classifier, *turned(*blurred))
    unsure = (one.max(axis=1) < CERTAIN) & (other.max(axis=1) < CERTAIN)
    assert unsure.any()
    assert one[unsure] == pytest.approx(other[unsure], abs=1e-3)


@pytest.mark.models
def test_every_row_is_a_distribution_over_the_classes(classifier: CardClassifier) -> None:
    crops, corners = cards(blur=2.0)
    seen = look(classifier, crops * 3, corners * 3)  # more than one batch
    assert seen.shape == (30, len(CLASSES))
    assert seen.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert look(classifier, [], []).shape == (0, len(CLASSES))


@pytest.mark.models
def test_a_box_worth_nothing_is_looked_at_once(classifier: CardClassifier) -> None:
    blurred = cards(blur=12.0)
    faint = look(classifier, *blurred, worth=0.0)
    again = look(classifier, *blurred)
    assert not np.allclose(faint, again, atol=1e-3)
    assert faint == pytest.approx(
        combined(classifier.whole(blurred[0]), classifier.corner(blurred[1])), abs=1e-6
    )


@pytest.mark.models
def test_covered_corners_get_no_second_look(classifier: CardClassifier) -> None:
    crops, corners = cards(blur=12.0)
    covered = [np.full_like(corner, 128) for corner in corners]
    ends = classifier.corner(covered)
    assert set(ends.argmax(axis=1)) == {CORNERS.index(UNSEEN)}
    whole = classifier.whole.averaged(crops, classifier.whole(crops))
    seen, looked_at = look(classifier, crops, covered), combined(whole, ends)
    again = np.abs(seen - combined(classifier.whole(crops), ends)).max(axis=1) > 1e-3
    assert again.any()
    assert seen[again] == pytest.approx(looked_at[again], abs=1e-6)


@pytest.mark.models
@pytest.mark.slow
def test_second_look_takes_the_best_boxes_first(
    classifier: CardClassifier,
) -> None:
    crops, corners = cards(blur=12.0)
    times = 2 * MOST_AGAIN // len(crops)
    worth = np.linspace(0.9, 0.6, times * len(crops), dtype=np.float32)
    seen = classifier(crops * times, corners * times, worth=lambda _read: worth)
    first, last = seen[: len(crops)], seen[-len(crops) :]
    assert first == pytest.approx(look(classifier, crops, corners), abs=1e-4)
    assert last == pytest.approx(look(classifier, crops, corners, worth=0.0), abs=1e-4)
