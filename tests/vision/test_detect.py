"""Where cards lie: quads, the way in and out of the network, and one finding a card."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect import (
    LEAST_ROUGH_SCORE,
    MOST_PX,
    SAME_CARD,
    Boxes,
    Detector,
    _are_as_large,
    _groups,
    decode_boxes,
    letterbox,
    suppress,
)
from vision.errors import ModelError
from vision.geometry import (
    Quad,
    areas,
    bounds,
    corner_distances,
    covered_share,
    half_turn,
    is_cardlike,
    short_sides,
)
from vision.onnx import ENGINE_VARIABLE

CARD = np.array([[0, 0], [60, 0], [60, 96], [0, 96]], np.float32)


def placed(x: float, y: float, *, angle_deg: float = 0.0, size: float = 1.0) -> Quad:
    """Return a card turned about its middle and moved."""
    angle = np.deg2rad(angle_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(((CARD - [30, 48]) * size) @ turn + [x, y], np.float32)


def fanned(angle_deg: float) -> Quad:
    """Return a card turned about a point below its lower edge, as in a hand-held fan."""
    angle = np.deg2rad(angle_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray((CARD - [30, 130]) @ turn + [300, 300], np.float32)


def located(*quads: Quad, scores: list[float] | None = None) -> Boxes:
    shape = np.zeros((0, 4, 2), np.float32)
    given_scores = scores or [0.9 - 0.01 * at for at in range(len(quads))]
    return Boxes(np.stack(quads) if quads else shape, np.array(given_scores, np.float32))


angles = st.floats(-180, 180)
places = st.floats(-3000, 3000)
sizes = st.floats(0.2, 20)


@given(places, places, angles, sizes)
def test_a_turned_and_moved_card_keeps_its_shape(
    x: float, y: float, angle: float, size: float
) -> None:
    quad = placed(x, y, angle_deg=angle, size=size)
    assert is_cardlike(quad)
    assert areas(quad) == pytest.approx(60 * 96 * size**2, rel=0.02)
    assert short_sides(quad) == pytest.approx(60 * size, rel=0.02)


@given(places, places, angles, sizes)
def test_a_card_and_its_half_turn_are_no_distance_apart(
    x: float, y: float, angle: float, size: float
) -> None:
    quad = placed(x, y, angle_deg=angle, size=size)
    assert corner_distances(quad, half_turn(quad)[None])[0] == pytest.approx(0, abs=1e-3)
    assert np.array_equal(half_turn(half_turn(quad)), quad)


NO_CARDS = {
    "a point": np.zeros((4, 2)),
    "a line": [[0, 0], [10, 0], [20, 0], [30, 0]],
    "a sliver": [[0, 0], [4, 0], [4, 96], [0, 96]],
    "crossed": [[0, 0], [60, 96], [60, 0], [0, 96]],
    "anticlockwise": CARD[::-1],
    "dented": [[0, 0], [60, 0], [10, 10], [0, 96]],
}


@pytest.mark.parametrize("quad", NO_CARDS.values(), ids=NO_CARDS.keys())
def test_a_box_of_a_shape_that_no_card_has_is_dropped(quad: Quad) -> None:
    assert not is_cardlike(np.asarray(quad, np.float32))


@pytest.mark.parametrize(
    ("others", "share"),
    [([], 0.0), ([(500, 500)], 0.0), ([(30, 48)], 1.0), ([(60, 48)], 0.5), ([(60, 48)] * 2, 0.5)],
    ids=["none", "far", "the same", "half", "the same half twice"],
)
def test_covered_share_counts_what_lies_across(
    others: list[tuple[float, float]], share: float
) -> None:
    quads = np.array([placed(x, y) for x, y in others], np.float32).reshape(-1, 4, 2)
    assert covered_share(CARD, quads) == pytest.approx(share, abs=0.04)


def test_bounds_hold_all_quads() -> None:
    assert bounds(np.stack([CARD, CARD + 10])) == (0, 0, 70, 106)


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(32, MOST_PX))
def test_a_letterboxed_picture_fits_and_is_centred(width: int, height: int, side: int) -> None:
    picture = np.zeros((height, width, 3), np.uint8)
    batch, scale, shift = letterbox(picture, side)
    inside = np.array([width, height]) * scale
    sides = np.array(batch.shape[:1:-1])
    assert batch.shape[:2] == (1, 3)
    assert (sides % 32 == 0).all()
    assert inside.max() == pytest.approx(side)
    assert (np.abs(sides - inside - 2 * shift) <= 1.5).all()


@given(st.integers(32, MOST_PX), st.floats(0, 0.7), st.floats(0, 0.7), st.floats(0.1, 0.3))
def test_a_part_is_seen_as_in_the_whole_picture(
    side: int, left: float, top: float, size: float
) -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    part = (left * 400, top * 300, (left + size) * 400, (top + size) * 300)
    batch, scale, shift = letterbox(picture, side, part=part)
    whole = letterbox(picture, side)[1]
    corners = np.array(part).reshape(2, 2) * scale + shift
    assert np.array_equal(scale, whole)
    assert (corners > -1.01).all()
    assert (corners < np.array(batch.shape[:1:-1]) + 1.01).all()
    assert batch.size <= letterbox(picture, side)[0].size


def test_a_letterboxed_picture_keeps_its_colours_in_rgb_order() -> None:
    picture = np.full((64, 64, 3), (255, 51, 0), np.uint8)
    batch, _, _ = letterbox(picture, 448)
    assert batch[0, :, 300, 300].tolist() == pytest.approx([0, 0.2, 1])


def test_cards_and_index_corners_both_give_the_corners_of_a_card() -> None:
    raw = np.zeros((14, 5), np.float32)
    raw[6:] = placed(100, 200).reshape(8, 1)
    raw[4] = [LEAST_ROUGH_SCORE / 2, 0.9, 0.3, 0.0, 0.2]
    raw[5] = [LEAST_ROUGH_SCORE / 2, 0.1, 0.0, 0.0, 0.6]
    found = decode_boxes(raw)
    assert found.scores.tolist() == pytest.approx([0.9, 0.6, 0.3])
    assert np.allclose(found.quads, placed(100, 200))


KEPT = {
    "nothing": ([], 0),
    "one": ([placed(99, 99)], 1),
    "far apart": ([placed(99, 99), placed(300, 99)], 2),
    "the same box": ([placed(99, 99), placed(99, 99)], 1),
    "the same box, other end first": ([placed(99, 99), placed(99, 99, angle_deg=180)], 1),
    "a box some pixels off": ([placed(99, 99), placed(102, 97, size=1.03)], 1),
    "a row overlapping by four fifths": ([placed(99 + 13 * at, 99) for at in range(6)], 6),
    "a column showing only indices": ([placed(99, 99 + 15 * at) for at in range(8)], 8),
    "a tight fan": ([fanned(-35 + 7 * at) for at in range(11)], 11),
    "a cross": ([placed(99, 99), placed(99, 99, angle_deg=90)], 2),
}


@pytest.mark.parametrize(("quads", "count"), KEPT.values(), ids=KEPT.keys())
def test_doubles_go_and_overlapping_cards_stay(quads: list[Quad], count: int) -> None:
    assert len(suppress(located(*quads)).scores) == count


def test_the_corners_of_doubles_are_averaged() -> None:
    other_end_first = half_turn(placed(102, 99))
    found = suppress(located(placed(100, 99), other_end_first, scores=[0.8, 0.8]))
    assert np.allclose(found.quads[0], placed(101, 99), atol=1e-3)


def test_boxes_of_two_scales_merge_with_the_nearest() -> None:
    card, neighbour = placed(100, 99), placed(118, 99)
    again, other = placed(108, 99), placed(126, 99)
    found = located(card, neighbour, again, other, scores=[0.9, 0.8, 0.7, 0.6])
    assert len(suppress(found).scores) == 4, "one look gives each card a box"
    kept = suppress(found, scale_of=np.array([0, 0, 1, 1]))
    assert kept.scores.tolist() == pytest.approx([0.9, 0.8]), "each has one in the other look"


@given(st.lists(st.tuples(st.floats(0, 400), st.floats(0, 400), angles), max_size=12))
def test_what_is_kept_is_apart_and_what_is_dropped_is_near(
    cards: list[tuple[float, float, float]],
) -> None:
    quads = [placed(x, y, angle_deg=angle) for x, y, angle in cards]
    found = located(*quads)
    kept = suppress(found)
    assert len(kept.scores) <= len(quads)
    for quad in quads:
        assert corner_distances(quad, kept.quads).min() < 2 * SAME_CARD


def near_and_far(*sizes: float, at: float = 300.0) -> Boxes:
    """Return cards beside each other, each so many times as large as `CARD`."""
    return located(*(placed(at * (place + 1), 99, size=size) for place, size in enumerate(sizes)))


SIZES = {
    "nothing": ((), (), []),
    "small cards": ((1, 1.2), (), [2]),
    "near cards, which the whole scale sees too": ((4,), (4, 4.5), [3]),
    "near ones, and far ones elsewhere": ((1, 1.1), (9,), [1, 2]),
}


@pytest.mark.parametrize(("whole", "smoothed", "counts"), SIZES.values(), ids=SIZES)
def test_cards_of_two_sizes_are_two_groups(
    whole: tuple[float, ...], smoothed: tuple[float, ...], counts: list[int]
) -> None:
    groups = _groups(near_and_far(*whole), near_and_far(*smoothed, at=2000))
    assert [len(group) for group in groups] == counts


def test_what_lies_on_a_near_card_is_no_card() -> None:
    near, pip = located(placed(500, 500, size=9)), located(placed(500, 500))
    assert [len(group) for group in _groups(pip, near)] == [1]


def test_boxes_far_from_the_size_of_cards_are_dropped() -> None:
    boxes = np.stack([placed(500, 500, size=size) for size in (0.45, 0.55, 1, 1.9, 2.1)])
    assert _are_as_large(boxes, [CARD[None]]).tolist() == [False, True, True, True, False]


def test_a_missing_network_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"locate.onnx: expected .*no such file; restore"):
        Detector(tmp_path / "locate.onnx")


@pytest.mark.parametrize("content", [b"", b"no network"], ids=["empty", "text"])
@pytest.mark.parametrize("engine", ["opencv", "onnxruntime"])
def test_a_file_that_is_no_network_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, engine: str
) -> None:
    monkeypatch.setenv(ENGINE_VARIABLE, engine)
    path = tmp_path / "locate.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=f"{engine} cannot read"):
        Detector(path)
