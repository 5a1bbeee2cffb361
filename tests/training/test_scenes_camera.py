"""Where generated pictures are taken from, how bright they come out."""

import numpy as np
import pytest

from training.rendering import BURNT_PERCENT, EXPOSED, GAIN, WHITE, illuminate
from training.scenes import (
    LAYOUTS,
    NEAREST,
    aim,
    corners_of,
    lay,
)


def depths(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How far points of the table lie before the camera."""
    return np.asarray(np.c_[points, np.ones(len(points))] @ matrix[2])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 55.0])
def test_a_camera_has_the_whole_pile_before_it_and_in_its_frame(
    layout: str, tilt_deg: float
) -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        corners = [corners_of(place, 0.55) for place in lay(rng, layout, 25)]
        camera = aim(rng, corners, size_wh=(1600, 1200), tilt_deg=tilt_deg, tidy=True)
        points = np.concatenate(corners)
        away = depths(camera.matrix, points)
        middle = depths(camera.matrix, (points.min(0) + points.max(0))[None] / 2)[0]
        assert away.min() >= 0.99 * NEAREST * middle
        seen = camera.project(points)
        assert (seen >= -0.5).all()
        assert (seen <= [1600.5, 1200.5]).all()


def test_from_straight_above_all_cards_are_equally_large() -> None:
    rng = np.random.default_rng(2)
    corners = [corners_of(place, 0.55) for place in lay(rng, "scattered", 12)]
    camera = aim(rng, corners, tilt_deg=0.0)
    seen = np.stack([camera.project(corner) for corner in corners])
    heights = np.linalg.norm(seen[:, 1] - seen[:, 2], axis=1)
    assert np.ptp(heights) < 1e-6 * heights.max()


def test_most_pictures_come_out_as_bright_as_a_phone_makes_them() -> None:
    grey = np.full((240, 320, 3), 60, np.uint8)
    means = [float(illuminate(np.random.default_rng(seed), grey)[0].mean()) for seed in range(60)]
    near = [EXPOSED / 2 < mean < EXPOSED * 2 for mean in means]
    assert 40 < sum(near) < 60
    assert max(means) < 60 * GAIN[1] * 3


def test_bright_paper_on_a_dark_table_seldom_burns_out() -> None:
    table = np.full((240, 320, 3), 25, np.uint8)
    table[80:160, 100:220] = 245  # an eighth of the picture
    lit = [illuminate(np.random.default_rng(seed), table)[0] for seed in range(60)]
    burnt = [(picture.max(2) > WHITE + 1).mean() * 100 > BURNT_PERCENT + 1 for picture in lit]
    assert 0 < sum(burnt) < 20


def test_the_light_of_a_picture_is_named() -> None:
    grey = np.full((240, 320, 3), 120, np.uint8)
    named = [illuminate(np.random.default_rng(seed), grey)[1] for seed in range(80)]
    assert set(named) == {"even", "shadows", "glare", "lamp", "sun"}
    assert named.count("even") > named.count("sun") > 2


def test_near_cards_fill_the_picture_and_reach_out_of_it() -> None:
    shares, outside = [], 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        [corners] = [corners_of(place, 0.55) for place in lay(rng, "grid", 1)]
        seen = aim(rng, [corners], size_wh=(1280, 960), near=True).project(corners)
        shares.append(np.linalg.norm(seen[1] - seen[2]) / 1280)
        outside += int((seen < 0).any() or (seen > [1280, 960]).any())
    assert np.median(shares) > 0.4
    assert 2 < outside < 38
