"""Cards laid on one table: corners that nobody saw come from those of the other cards."""

import numpy as np
import pytest

from vision.geometry import Quad, corner_distances, short_sides
from vision.nms import nms
from vision.onnx import Tensor
from vision.photo import Photo
from vision.plane import (
    AGREEMENT,
    FEWEST,
    HALF_WAY_SPREAD,
    on_one_plane,
)
from vision.reader import Reader

SIZE_WH = (1600, 1200)


def cards_seen(count: int, *, tilt_deg: float, aspect: float = 0.6) -> Quad:
    """Cards on a table as a camera tilted towards it sees them: count x 4 x 2 corners in pixels."""
    rng = np.random.default_rng(count)
    card = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2
    places = np.stack([np.arange(count) % 5 - 2, np.arange(count) // 5 - 1], axis=1) * [0.9, 1.2]
    angles = rng.uniform(0, np.pi, count)
    turns = np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], axis=1)
    flat = np.einsum("nij,kj->nki", turns.reshape(-1, 2, 2), card) + places[:, None]
    tilt = np.radians(tilt_deg)
    depth = 6 - flat[..., 1] * np.sin(tilt)
    shown = np.stack([flat[..., 0], flat[..., 1] * np.cos(tilt)], axis=-1) / depth[..., None]
    return np.asarray(shown * 1500 + np.array(SIZE_WH) / 2, np.float32)


def sure(count: int) -> tuple[Tensor, Tensor]:
    """Scores and spreads of cards whose corners are all visible."""
    return np.full(count, 0.95, np.float32), np.full((count, 4), 0.004, np.float32)


@pytest.mark.parametrize("tilt_deg", [0, 25, 50])
def test_cards_seen_as_they_lie_stay_where_they_are(tilt_deg: float) -> None:
    quads = cards_seen(12, tilt_deg=tilt_deg)
    scores, spread = sure(12)
    found = on_one_plane(quads, scores, spread=spread, size_wh=SIZE_WH)
    assert np.linalg.norm(found - quads, axis=-1).max() < 0.01 * short_sides(quads).min()


@pytest.mark.parametrize("tilt_deg", [0, 25, 50])
def test_an_end_that_nobody_saw_is_put_where_the_other_cards_say(tilt_deg: float) -> None:
    quads = cards_seen(12, tilt_deg=tilt_deg)
    scores, spread = sure(12)
    guessed = quads.copy()
    covered = range(0, 12, 3)
    for at in covered:
        guessed[at, 2:] += 0.3 * (quads[at, 1:3] - quads[at, [0, 3]])[::-1]
        guessed[at, 2:] += 0.25 * (quads[at, 2:] - quads[at, [1, 0]])
        spread[at, 2:] = 0.12
    found = on_one_plane(guessed, scores, spread=spread, size_wh=SIZE_WH)
    for at in covered:
        before = corner_distances(quads[at], guessed[at][None])[0]
        after = corner_distances(quads[at], found[at][None])[0]
        assert before > 0.1
        assert after < 0.02


@pytest.mark.parametrize("tilt_deg", [0, 10, 20, 25, 30, 40])
def test_whole_cards_outweigh_many_half_hidden_ones(tilt_deg: float) -> None:
    quads = cards_seen(12, tilt_deg=tilt_deg)
    scores, spread = sure(12)
    shown = quads.copy()
    for at, share in [(0, 0.3), *((at, 0.45) for at in range(5, 12))]:
        shown[at, 2:] += share * (quads[at, [1, 0]] - quads[at, 2:])
    spread[0, 2:] = 0.12
    found = on_one_plane(shown, scores, spread=spread, size_wh=SIZE_WH)
    assert np.linalg.norm(found[:5] - quads[:5], axis=-1).max() < 0.05 * short_sides(quads).min()


@pytest.mark.parametrize("tilt_deg", [0, 10, 20, 30])
def test_boxes_round_two_cards_do_not_outvote_the_cards(tilt_deg: float) -> None:
    quads = cards_seen(12, tilt_deg=tilt_deg)
    scores, spread = sure(12)
    shown = quads.copy()
    for at in range(5, 12):  # nobody saw where they end: guessed too long, as of narrower cards
        shown[at, 2:] += 0.25 * (quads[at, 2:] - quads[at, [1, 0]])
        spread[at, 2:] = 0.12
    spread[10:] = 0.004  # two boxes end firmly where the next card does
    found = on_one_plane(shown, scores, spread=spread, size_wh=SIZE_WH)
    assert np.linalg.norm(found[:10] - quads[:10], axis=-1).max() < 0.05 * short_sides(quads).min()


def test_near_cards_do_not_turn_far_ones_into_parts() -> None:
    quads = cards_seen(14, tilt_deg=20)
    scores, spread = sure(14)
    for at in (3, 9):
        middle = quads[at].mean(axis=0)
        quads[at] = middle + 1.4 * (quads[at] - middle)
    found = on_one_plane(quads, scores, spread=spread, size_wh=SIZE_WH)
    others = np.delete(np.arange(14), (3, 9))
    apart = np.linalg.norm(found[others] - quads[others], axis=-1).max()
    assert apart < 0.05 * short_sides(quads[others]).min()


def test_a_few_cards_do_not_tell_the_table() -> None:
    quads = cards_seen(FEWEST - 1, tilt_deg=30) + np.float32(3)
    scores, spread = sure(FEWEST - 1)
    assert on_one_plane(quads, scores, spread=spread, size_wh=SIZE_WH) is quads


def test_cards_of_which_none_is_sure_do_not_tell_the_table() -> None:
    quads = cards_seen(8, tilt_deg=30)
    _, spread = sure(8)
    assert on_one_plane(quads, np.full(8, 0.3, np.float32), spread=spread, size_wh=SIZE_WH) is quads


def test_what_is_no_card_of_this_table_stays_as_it_was_seen() -> None:
    quads = cards_seen(12, tilt_deg=20)
    scores, spread = sure(12)
    middle = quads[7].mean(axis=0)
    quads[7] = middle + 1.8 * (quads[7] - middle)  # a larger card, or one held nearer
    found = on_one_plane(quads, scores, spread=spread, size_wh=SIZE_WH)
    assert np.array_equal(found[7], quads[7])
    others = np.delete(np.arange(12), 7)
    apart = np.linalg.norm(found[others] - quads[others], axis=-1).max()
    assert apart < AGREEMENT * short_sides(quads[others]).min()


def test_a_box_beyond_the_horizon_stays_as_it_was_seen() -> None:
    quads = cards_seen(12, tilt_deg=60)
    scores, spread = sure(12)
    quads[11, :, 1] -= 4000
    scores[11] = 0.3
    found = on_one_plane(quads, scores, spread=spread, size_wh=SIZE_WH)
    assert np.isfinite(found).all()
    assert np.array_equal(found[11], quads[11])


@pytest.mark.models
@pytest.mark.slow
def test_shifted_crops_tell_covered_corners_from_visible_ones(
    reader: Reader, sample_photos: dict[str, Photo]
) -> None:
    def unseen_share(name: str) -> float:
        """Return the share of a sample's cards of which one end moves with the shifted crops."""
        seen = nms(reader.detections(sample_photos[name]))
        return float(np.mean([max(one.spreads) > HALF_WAY_SPREAD for one in seen]))

    assert unseen_share("anna-1.jpg") < 0.1  # a grid: nothing lies on anything
    assert unseen_share("bruno-1.jpg") > 0.3  # rows that overlap by half
