"""Where generated pictures are taken from, how bright they come out, what inks they are in."""

import cv2
import numpy as np
import pytest

from training.data.crops import crops_of
from training.data.recolour import repainted
from training.data.shards import decode, encode
from training.packs.decks import own_decks
from training.scenes.camera import NEAREST, aim, corners_of
from training.scenes.layouts import LAYOUTS, lay
from training.scenes.light import BURNT_PERCENT, EXPOSED, GAIN, WHITE, illuminate
from training.scenes.scene import Material, Recipe, Scene, SceneCard, make_scene
from vision.geometry import half_turn, straighten
from vision.reading import CLASSES, NOT_SCOPA


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


def test_other_inks_leave_black_and_white_and_move_colours() -> None:
    crop = np.zeros((128, 128, 3), np.uint8)
    crop[:64], crop[64:, :64], crop[64:, 64:] = 255, (30, 30, 200), 0
    painted = [repainted(np.random.default_rng(seed), crop) for seed in range(60)]
    assert {picture.shape for picture in painted} == {(128, 128, 3)}
    for picture in painted:
        assert picture[20:40, 20:100].min() > 225
        assert picture[90:110, 90:110].max() < 60
    hues = [cv2.cvtColor(p, cv2.COLOR_BGR2HSV)[90:110, 20:40, 0].mean() for p in painted]
    assert len({round(hue / 20) for hue in hues}) > 4
    assert sum(np.array_equal(picture, crop) for picture in painted) > 5


@pytest.fixture(scope="module")
def scene() -> Scene:
    recipe = Recipe(layout="grid", cards=("7d", "6c", "1s"), size_wh=(640, 480), tidy=True)
    return make_scene(np.random.default_rng(8), Material(tuple(own_decks())), recipe)


def test_crops_are_cut_where_a_box_was_found_around_the_card(scene: Scene) -> None:
    shifted = np.stack([card.corners for card in scene.cards]) + np.array([3, 2], np.float32)
    far = shifted + np.array([999, 999], np.float32)
    rng = np.random.default_rng
    at_boxes = [crops_of(rng(seed), scene, shifted)[:3] for seed in range(12)]
    without = [crops_of(rng(seed), scene, far)[:3] for seed in range(12)]
    pictures = {crop.jpeg for crops in at_boxes for crop in crops}
    # Twelve times three crops: at a box a card looks one way or upside down, else ever anew.
    assert len(pictures) < 25
    assert len({crop.jpeg for crops in without for crop in crops}) == 36
    assert all(decode(picture).shape == (128, 128, 3) for picture in pictures)


def test_a_box_drawn_around_no_card_is_cut_out_as_none(scene: Scene) -> None:
    card = scene.cards[0].corners
    astray = card + (card[1] - card[0]) * 0.8
    boxes = np.stack([card, np.roll(card, 1, axis=0), astray])
    crops = crops_of(np.random.default_rng(2), scene, boxes)
    strange = {crop.jpeg for crop in crops if CLASSES[crop.label] == NOT_SCOPA}
    cut = [encode(straighten(scene.image, box), quality=92) in strange for box in boxes]
    assert cut == [False, False, True]


def test_a_box_is_of_the_card_it_is_nearest_to_though_another_lies_close() -> None:
    image = np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8)
    below = np.array([[90, 60], [190, 60], [190, 240], [90, 240]], np.float32)
    above = below + np.array([20, 0], np.float32)
    cards = (SceneCard("7d", below, 0.2), SceneCard("6c", above, 1.0))
    close = Scene(image, cards, "rows", "ours", 0.0, "even")
    straight = straighten(image, above)
    cut = {
        encode(picture, quality=92) for picture in (straight, straighten(image, half_turn(above)))
    }
    shown = [
        CLASSES[crop.label]
        for seed in range(40)
        for crop in crops_of(np.random.default_rng(seed), close, above[None])
        if crop.jpeg in cut
    ]
    assert len(shown) > 20
    assert set(shown) == {"6c"}
