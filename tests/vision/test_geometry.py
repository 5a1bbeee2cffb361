"""Cards cut out upright: from photos in which they are small, large and very large."""

import cv2
import numpy as np
import pytest

from vision.geometry import CROP_PX, straighten
from vision.photo import Pixels, Pyramid

CARD = np.array([[60, 40], [160, 60], [130, 220], [30, 200]], np.float32)


def photo(*, times: int) -> tuple[Pixels, np.ndarray]:
    """Return a card of four colours, and its corners, so many times as large."""
    picture = np.full((260 * times, 200 * times, 3), 90, np.uint8)
    quarters = np.array([[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]], np.float32)
    whole = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(whole, CARD * times)
    for at, colour in enumerate([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]):
        part = quarters + np.array([0.5 * (at % 2), 0.5 * (at // 2)], np.float32)
        shown = cv2.perspectiveTransform(part[None], matrix)[0]
        cv2.fillConvexPoly(picture, np.round(shown).astype(np.int32), colour)
    return picture, CARD * times


@pytest.mark.parametrize("times", [1, 3, 4, 7, 16])
def test_a_card_looks_the_same_however_large_it_is_in_the_photo(times: int) -> None:
    one, other = straighten(*photo(times=2)), straighten(*photo(times=times))
    assert one.shape == (CROP_PX, CROP_PX, 3)
    assert np.abs(one.astype(int) - other).mean() < 6


def test_fine_print_on_a_large_card_is_averaged() -> None:
    picture = np.zeros((2600, 2000, 3), np.uint8)
    picture[::2] = 255
    seen = straighten(picture, [[100, 100], [1900, 100], [1900, 2500], [100, 2500]])
    assert np.abs(seen.astype(int) - 127).max() <= 2


def test_the_corners_given_stay_as_they_are() -> None:
    picture, corners = photo(times=16)
    before = corners.copy()
    straighten(picture, corners)
    assert np.array_equal(corners, before)


def test_sizes_that_a_picture_has_already_are_used() -> None:
    picture, corners = photo(times=8)
    pyramid = Pyramid(picture)
    assert np.array_equal(straighten(pyramid, corners), straighten(picture, corners))
    vars(pyramid.half)["half"] = Pyramid(np.zeros_like(pyramid.half.half.bgr))
    assert straighten(pyramid, corners).max() == 0
