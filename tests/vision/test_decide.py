"""A deck holds each card once: what that settles, what it leaves in doubt, what it contradicts."""

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards import CODES
from vision.assign import joint_probabilities
from vision.decide import SURE, decide, missing_cards, problems
from vision.errors import ModelError
from vision.nms import Detection, merge_photos, nms, pooled, with_parts_doubted
from vision.onnx import Tensor
from vision.probability import (
    Calibration,
    WholeCardWeights,
    as_json,
    features,
    read_calibration,
)
from vision.reading import CLASSES, CardReading, PhotoProblemKind, Problem, Status

SIZE, OVER, BESIDE, TWIN = (
    [field.name for field in fields(WholeCardWeights)].index(name)
    for name in ("size", "overlap", "next_to", "twin")
)
FLOOR = 1e-5


def shares(**codes: float) -> Tensor:
    """42 probabilities: those named (`c7d` is the card 7d), the rest spread over all classes."""
    rest = np.full(42, FLOOR + max(0.0, 1.0 - sum(codes.values())) / 42)
    for name, share in codes.items():
        rest[CLASSES.index(name.removeprefix("c"))] = share
    return np.asarray(rest / rest.sum(), np.float32)


def seen(x: float = 0.0, score: float = 0.9, /, **codes: float) -> Detection:
    """Return a card seen at some place."""
    quad = np.array([[x, 0], [x + 60, 0], [x + 60, 96], [x, 96]], np.float32)
    return Detection(quad, score, shares(**codes))


def surely(*codes: str) -> list[Detection]:
    return [seen(100.0 * at, **{f"c{code}": 0.999}) for at, code in enumerate(codes)]


def said(cards: list[CardReading]) -> list[tuple[str, str]]:
    return [(card.card, str(card.status)) for card in cards]


SURE_7D, MAYBE_7D = {"c7d": 0.999}, {"c7d": 0.7, "c6d": 0.3}
UNREAD = {"c6s": 0.2, "c7s": 0.2}
TABLE = {
    "no card": ([[]], [0], [[]]),
    "one that cannot be read": ([[SURE_7D, UNREAD]], [0], [[("7d", "sure"), ("x", "doubtful")]]),
    "one sure card": ([[SURE_7D]], [0], [[("7d", "sure")]]),
    "one unsure card": ([[MAYBE_7D]], [0], [[("7d", "doubtful")]]),
    "the deck leaves the other answer": (
        [[SURE_7D, MAYBE_7D]], [0], [[("7d", "sure"), ("6d", "settled")]],
    ),
    "another pile leaves the other answer": (
        [[SURE_7D], [MAYBE_7D]], [0, 1], [[("7d", "sure")], [("6d", "settled")]],
    ),
    "another photo of the pile leaves the same card": (
        [[SURE_7D], [MAYBE_7D]], [0, 0], [[("7d", "sure")], [("7d", "sure")]],
    ),
    "the same card sure in two piles": (
        [[SURE_7D], [SURE_7D]], [0, 1], [[("7d", "doubtful")], [("7d", "doubtful")]],
    ),
    "the same card sure in two photos of a pile": (
        [[SURE_7D], [SURE_7D]], [5, 5], [[("7d", "sure")], [("7d", "sure")]],
    ),
    "twice in one photo": (
        [[SURE_7D, SURE_7D]], [0], [[("7d", "doubtful"), ("7d", "doubtful")]],
    ),
    "twice in one photo with nothing likely left": (
        [[SURE_7D, {"c7d": 0.96, "c6d": 0.004}]], [0], [[("7d", "doubtful"), ("7d", "doubtful")]],
    ),
    "two equal claims": (
        [[{"c7d": 0.9, "c6d": 0.1}, {"c7d": 0.9, "c8d": 0.1}]], [0],
        [[("7d", "doubtful"), ("7d", "doubtful")]],
    ),
    "backs and foreign cards as often as they like": (
        [[{"back": 0.99}, {"back": 0.99}, {"x": 0.99}, {"x": 0.99}]], [0],
        [[("back", "sure"), ("back", "sure"), ("x", "sure"), ("x", "sure")]],
    ),
    "three answers of which one is taken": (
        [[SURE_7D, {"c7d": 0.5, "c6d": 0.26, "c5d": 0.24}]], [0],
        [[("7d", "sure"), ("6d", "doubtful")]],
    ),
    "a chain of two": (
        [[SURE_7D, MAYBE_7D, {"c6d": 0.6, "c5d": 0.4}]], [0],
        [[("7d", "sure"), ("6d", "settled"), ("5d", "settled")]],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("photos", "piles", "expected"), TABLE.values(), ids=TABLE.keys())
def test_each_sighting_gets_the_verdict_of_its_case(
    photos: list[list[dict[str, float]]],
    piles: list[int],
    expected: list[list[tuple[str, str]]],
) -> None:
    detections = [[seen(100.0 * at, **codes) for at, codes in enumerate(photo)] for photo in photos]
    assert [said(cards) for cards in decide(detections, piles=piles)] == expected


def test_doubt_is_not_settled_against_a_second_photo() -> None:
    photos = [[seen(c7s=0.9, c5s=0.05)], [seen(c6s=0.6, c7s=0.4)]]
    assert said(decide(photos, piles=[0, 0])[1]) == [("6s", "doubtful")]
    assert said(decide(photos, piles=[0, 1])[1]) == [("6s", "settled")]


def test_unsettled_box_offers_no_card_as_an_answer() -> None:
    torn = {"c7d": 0.55, "c6d": 0.3, "c5d": 0.15}
    card = decide([[*surely("6d", "5d"), seen(900.0, **torn), seen(1800.0, **torn)]], piles=[0])
    for doubt in card[0][2:]:
        assert (doubt.card, doubt.status) == ("7d", Status.DOUBTFUL)
        assert list(doubt.alternatives)[-1] == "x"
        everything = doubt.confidence + sum(doubt.alternatives.values())
        assert everything == pytest.approx(1.0, abs=0.05)


def test_a_doubt_that_stays_among_cards_is_not_said_to_be_none() -> None:
    card = decide([[seen(**MAYBE_7D)]], piles=[0])[0][0]
    assert list(card.alternatives) == ["6d"]


def test_last_card_is_settled_by_the_other_thirty_nine() -> None:
    unread = {f"c{code}": 0.0225 for code in CODES} | {"x": 0.1}
    photos = [surely(*CODES[:20]), [*surely(*CODES[20:39]), seen(5000.0, **unread)]]
    last = decide(photos, piles=[0, 1])[1][-1]
    assert (last.card, last.status) == (CODES[39], Status.SETTLED)


def test_an_unreadable_card_of_a_part_of_the_deck_stays_in_doubt() -> None:
    unread = {f"c{code}": 0.0225 for code in CODES} | {"x": 0.1}
    card = decide([[*surely(*CODES[:20]), seen(5000.0, **unread)]], piles=[0])[0][-1]
    assert card.status is Status.DOUBTFUL


rows = st.lists(st.floats(0.0, 1.0), min_size=42, max_size=42).map(
    lambda row: (np.array(row) ** 6 + 1e-6) / (np.array(row) ** 6 + 1e-6).sum()
)


@settings(max_examples=40, deadline=None)
@given(st.lists(rows, max_size=6))
def test_joint_probabilities_sum_to_at_most_one(table: list[Tensor]) -> None:
    given_shares = np.array(table, np.float64).reshape(-1, 42)
    joint = joint_probabilities(given_shares, np.zeros_like(given_shares))
    assert joint.shape == given_shares.shape
    assert (joint >= 0).all()
    assert (joint.sum(axis=1) <= 1 + 1e-9).all()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(CLASSES), st.floats(0.5, 1.0)), max_size=8))
def test_no_card_is_ever_given_twice_without_asking(claims: list[tuple[str, float]]) -> None:
    photo = [seen(100.0 * at, **{f"c{code}": share}) for at, (code, share) in enumerate(claims)]
    cards = decide([photo], piles=[0])[0]
    given_out = [
        card.card for card in cards if card.status is not Status.DOUBTFUL and card.card in CODES
    ]
    assert len(set(given_out)) == len(given_out)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(CLASSES), st.floats(0.5, 1.0)), max_size=8))
def test_a_sure_reading_is_never_flipped(claims: list[tuple[str, float]]) -> None:
    photo = [seen(100.0 * at, **{f"c{code}": share}) for at, (code, share) in enumerate(claims)]
    for detection, card in zip(photo, decide([photo], piles=[0])[0], strict=True):
        if detection.top_probability >= SURE:
            assert card.card == detection.top


@given(st.permutations([0, 1, 2, 3]))
def test_the_order_of_cards_does_not_matter(order: list[int]) -> None:
    photo = [seen(0, **SURE_7D), seen(100, **MAYBE_7D), seen(200, c6d=0.6, c5d=0.4), seen(300, x=1)]
    straight = said(decide([photo], piles=[0])[0])
    mixed = said(decide([[photo[at] for at in order]], piles=[0])[0])
    assert mixed == [straight[at] for at in order]


def test_alternatives_are_offered_likeliest_first() -> None:
    card = decide([[seen(c7d=0.6, c6d=0.1, c5d=0.2, c4d=0.1)]], piles=[0])[0][0]
    assert next(iter(card.alternatives)) == "5d"
    assert card.confidence == pytest.approx(0.6, abs=0.01)


def test_missing_cards_are_those_on_no_photo() -> None:
    cards = decide([surely(*CODES[:38])], piles=[0])
    assert missing_cards(cards[0]) == CODES[38:]


CHOSEN = {
    "nothing": ([], ""),
    "read alike and close": ([seen(0, c7d=0.9), seen(12, 0.5, c7d=0.8)], "7d"),
    "read alike and apart": ([seen(0, c7d=0.9), seen(40, 0.5, c7d=0.8)], "7d 7d"),
    "close and read as another card": ([seen(0, c7d=0.9), seen(12, 0.65, c6d=0.8)], "7d 6d"),
    "in one place and read as another card": ([seen(0, c7d=0.9), seen(3, 0.85, c6d=0.8)], "7d"),
    "the better box is the one that can be read": (
        [seen(0, 0.9, c6d=0.45), seen(12, 0.7, c7d=0.95)], "7d 6d",
    ),
    "a faint box that cannot be read over a good one": (
        [seen(0, 0.9, c7d=0.95), seen(12, 0.6, c6d=0.4)], "7d",
    ),
    "a good box that cannot be read beside another": (
        [seen(0, 0.9, c7d=0.95), seen(12, 0.85, c6d=0.49)], "7d 6d",
    ),
    "a faint box that cannot be read, by itself": ([seen(0, 0.9, c6d=0.45)], "6d"),
    "hardly a box": ([seen(0, 0.26, c6d=0.3)], ""),
    "a clear card that cannot be read": ([seen(0, 0.75, c6d=0.2)], "6d"),
    "one under a card that can": ([seen(0, 0.9, c7d=0.95), seen(20, 0.5, c6d=0.2)], "7d"),
    "a card of another deck": ([seen(0, 0.8, x=0.9)], "x"),
}  # fmt: skip


def with_chance(one: Detection, chance: float) -> Detection:
    """Return a detection in a box that holds a whole card with this probability."""
    return replace(one, whole_card_probability=chance)


def chosen(photo: list[Detection]) -> tuple[Detection, ...]:
    """Return the boxes chosen with the default weights."""
    return nms([with_chance(*pair) for pair in zip(photo, weighed(photo), strict=True)])


def weighed(photo: list[Detection], **weights: float) -> list[float]:
    return [float(chance) for chance in WholeCardWeights(**weights)(photo)]


@pytest.mark.parametrize(("photo", "kept"), CHOSEN.values(), ids=CHOSEN.keys())
def test_one_box_is_chosen_for_each_card(photo: list[Detection], kept: str) -> None:
    assert " ".join(detection.top for detection in chosen(photo)) == kept
    assert len(chosen(photo[::-1])) == len(kept.split())


def test_large_box_does_not_swallow_the_next_card() -> None:
    beside = seen(60, 0.85, c3c=0.9)
    both = np.array([[0, 0], [120, 0], [120, 90], [0, 90]], np.float32)
    card = replace(seen(0, c5c=0.97), seen_quad=both, whole_card_probability=0.9)
    kept = nms([card, with_chance(beside, 0.8)])
    assert [one.top for one in kept] == ["5c", "3c"]


def test_a_box_inside_another_of_the_same_card_is_a_part_of_it() -> None:
    whole = seen(0, 0.9, c7d=0.9)
    half = Detection(whole.quad * np.array([1, 0.5], np.float32), 0.8, whole.probabilities)
    assert len(chosen([whole, half])) == 1


def test_overlapping_box_with_the_same_name_is_dropped() -> None:
    card = seen(0, 0.9, c7d=0.99)

    def beside(by: float, **named: float) -> Detection:
        wide = np.array([[0, 0], [150, 0], [150, 60], [0, 60]]) + np.array([by, 20])
        return Detection(np.asarray(wide, np.float32), 0.85, shares(**named))

    assert [one.top for one in chosen([card, beside(-105, c7d=0.98)])] == ["7d", "7d"]
    assert [one.top for one in chosen([card, beside(-45, c7d=0.98)])] == ["7d"]
    assert [one.top for one in chosen([card, beside(-45, c3d=0.98)])] == ["7d", "3d"]


def grid(*scores: float, tilt: float = 0.0) -> list[Detection]:
    """Sure cards in rows of four, each row larger than the one before by the tilt."""
    found = []
    for at, score in enumerate(scores):
        one = seen(100.0 * (at % 4), score, **{f"c{CODES[at]}": 0.9})
        low = np.array([0, 140 * (at // 4)], np.float32)
        grown = (one.quad + low) * np.float32(1 + tilt * (at // 4))
        found.append(Detection(grown.astype(np.float32), score, one.probabilities))
    return found


@pytest.mark.parametrize("tilt", [0.0, 0.15])
def test_box_of_an_unusual_size_is_hardly_a_card(tilt: float) -> None:
    photo = grid(*[0.9] * 11, 0.6, tilt=tilt)
    middle = photo[-1].quad.mean(axis=0)
    half = (photo[-1].quad - middle) * np.array([1, 0.5]) + middle
    odd = Detection(np.asarray(half, np.float32), 0.6, photo[-1].probabilities)
    assert weighed(photo)[-1] > 0.6 > 0.2 > weighed([*photo[:-1], odd])[-1]
    assert len(chosen(photo)) == 12
    assert len(chosen([*photo[:-1], odd])) == 11
    assert features(photo)[:, SIZE].max() < 0.1 + tilt / 2


def test_well_read_large_box_may_be_a_nearer_card() -> None:
    well, badly = seen(0, 0.7, c7d=0.9), seen(0, 0.7, c7d=0.6)
    assert [len(nms([with_chance(well, chance)])) for chance in (0.35, 0.25)] == [1, 0]
    assert not nms([with_chance(badly, 0.35)])
    assert nms([with_chance(badly, 0.25)], likely=0.2)


def test_a_box_over_a_better_one_is_hardly_a_card() -> None:
    card, over = seen(0, 0.9, c7d=0.9), seen(12, 0.5, c6d=0.6)
    alone, beside = weighed([over])[0], weighed([card, over])[1]
    assert beside < alone
    told = features([card, over])[:, [OVER, BESIDE]]
    assert told.tolist() == [[0, 0], [pytest.approx(2 / 3, abs=0.01), 1]]


def test_a_box_read_as_a_better_one_elsewhere_is_hardly_a_card() -> None:
    card, twin, other = seen(0, 0.9, c7d=0.9), seen(300, 0.5, c7d=0.6), seen(600, 0.5, c6d=0.6)
    assert features([card, twin, other])[:, TWIN].tolist() == [0, 1, 0]
    assert np.argmin(weighed([card, twin, other], twin=-1.0)) == 1


def test_corners_that_move_with_the_crop_count_by_their_weights() -> None:
    card = seen(0, 0.9, c7d=0.9)
    firm, loose = (replace(card, spreads=(0.01, end), card_probability=0.9) for end in (0.01, 0.1))
    assert weighed([firm], worst_end=-1.0) > weighed([loose], worst_end=-1.0) > [0]
    assert weighed([firm], card=1.0) > weighed([firm]) == weighed([card])


def test_cards_of_two_photos_are_paired_by_name() -> None:
    shown = [*surely("7d", "6d", "1s"), *surely("1s", "7d", "2b")]
    groups = merge_photos([(at, at // 3, one) for at, one in enumerate(shown)])
    assert groups == [[0, 4], [1], [2, 3], [5]]


def test_two_photos_of_a_card_are_surer_than_one() -> None:
    look = shares(c7d=0.8, c6d=0.2)
    assert look[CLASSES.index("7d")] + 0.03 < pooled([look, look])[CLASSES.index("7d")] < 0.93


def problems_of(*photos: list[Detection], piles: list[int]) -> list[list[Problem]]:
    names = [f"{number}.jpg" for number in range(len(photos))]
    found = problems(decide(photos, piles=piles), names=names, piles=piles)
    return [[replace(one, area=None) for one in own] for own in found]


def twice(card: str, *photos: str) -> Problem:
    return Problem(PhotoProblemKind.TWICE, cards=(card,), photos=photos)


def test_a_card_in_two_piles_is_told_on_both_photos() -> None:
    first, second = problems_of(surely("7d", "1s"), surely("7d"), piles=[0, 1])
    assert (first, second) == ([twice("7d", "1.jpg")], [twice("7d", "0.jpg")])


def test_a_card_twice_in_one_photo_is_told_once() -> None:
    assert problems_of(surely("7d", "7d"), piles=[0]) == [[twice("7d")]]


def test_a_card_on_two_photos_of_one_pile_is_no_problem() -> None:
    assert problems_of(surely("7d"), surely("7d"), piles=[0, 0]) == [[], []]


def test_face_down_and_foreign_cards_are_told() -> None:
    unread = seen(300, c6s=0.2, c7s=0.2)
    odd = [seen(0, back=0.99), seen(100, x=0.99), seen(200, x=0.99), unread]
    (found,) = problems_of(odd, piles=[0])
    assert [problem.kind for problem in found] == [
        PhotoProblemKind.FACE_DOWN,
        PhotoProblemKind.FOREIGN,
        PhotoProblemKind.UNREAD,
    ]


@pytest.mark.parametrize(
    ("missing", "piles", "told"),
    [(0, [0, 1], False), (1, [0, 1], True), (1, [0, 0], False), (7, [0, 1], False)],
    ids=["none", "one", "one pile of several", "a whole pile left out"],
)
def test_few_missing_cards_are_told_on_the_last_photo(
    missing: int, piles: list[int], *, told: bool
) -> None:
    first, last = problems_of(surely(*CODES[:20]), surely(*CODES[20 : 40 - missing]), piles=piles)
    named = Problem(PhotoProblemKind.MISSING, cards=CODES[40 - missing :])
    assert (first, last) == ([], [named] if told else [])


@given(st.floats(0.2, 5.0), st.floats(0, 2), st.floats(0, 1))
def test_calibration_keeps_the_order_and_the_sum(
    temperature: float, low_score: float, score: float
) -> None:
    before = shares(c7d=0.8, c6d=0.15, x=0.05)[None]
    after = Calibration(temperature, low_score)(before, np.array([score], np.float32))
    assert after.sum() == pytest.approx(1, abs=1e-5)
    assert after.argmax() == before.argmax()


def test_a_faint_box_is_believed_less() -> None:
    before = np.repeat(shares(c7d=0.8, c6d=0.15, x=0.05)[None], 2, axis=0)
    clear, low_score = Calibration(1.1, low_score=0.5)(
        before, np.array([0.9, 0.4], np.float32)
    ).max(axis=1)
    assert low_score < clear < 0.8


def test_softening_can_be_undone() -> None:
    before, score = shares(c7d=0.8, c6d=0.15, x=0.05)[None], np.array([0.6], np.float32)
    calibration = Calibration(1.3, low_score=0.7)
    again = calibration.undone(calibration(before, score), score)
    assert again[0, CLASSES.index("7d")] == pytest.approx(0.8, abs=1e-3)


def test_the_calibration_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    assert read_calibration(path) == Calibration()
    kept = Calibration(1.4, low_score=0.5, whole_card=WholeCardWeights(size=-2.0))
    path.write_text(json.dumps(as_json(kept)))
    assert read_calibration(path) == kept


BROKEN = (
    "", "{}", "[1]", '{"identify_temperature": 1}',
    '{"identify_temperature": 0, "faint": 0, "whole_card": {}}',
    '{"identify_temperature": 1, "faint": -1, "whole_card": {}}',
    '{"identify_temperature": 1e999, "faint": 0, "whole_card": {}}',
    '{"identify_temperature": 1, "faint": 0, "whole_card": {"base": NaN}}',
    "[" * 100_000,
    '{"identify_temperature": 1, "faint": 0}',
    '{"identify_temperature": 1, "faint": 0, "whole_card": {"colour": 1}}',
    '{"identify_temperature": 1, "faint": 0, "whole_card": [1]}',
)  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_calibration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text)
    with pytest.raises(ModelError, match="identify_temperature"):
        read_calibration(path)


SEVEN, SIX = {"c7d": 0.999}, {"c6d": 0.7, "c7d": 0.3}


@pytest.mark.parametrize(
    ("named", "chance", "status"),
    [
        (SIX, 0.75, "settled"),
        (SIX, 0.65, "doubtful"),
        ({"c6d": 0.3, "c7d": 0.7}, 0.75, "doubtful"),
        ({"c6d": 0.3, "c7d": 0.7}, 0.96, "settled"),
    ],
    ids=["confirmed", "hardly a card", "against the photo", "against the photo, surely a card"],
)
def test_confirmed_names_need_a_lower_bound_than_corrected(
    named: dict[str, float], chance: float, status: str
) -> None:
    photo = [with_chance(seen(0, **SEVEN), 0.99), with_chance(seen(300, **named), chance)]
    assert said(decide([photo], piles=[0])[0])[1] == ("6d", status)


def pip(x: float, y: float, /, size: float = 12, **codes: float) -> Detection:
    """Return a box of a pip at some place."""
    quad = np.array([[x, y], [x + size, y], [x + size, y + 1.6 * size], [x, y + 1.6 * size]])
    return Detection(np.asarray(quad, np.float32), 0.6, shares(**codes))


@pytest.mark.parametrize(
    ("card", "part", "chances"),
    [
        (seen(0, c7d=0.99), pip(20, 30, c1d=0.95), [0.6, 0.09]),
        (seen(0, c7d=0.8), pip(20, 30, c1d=0.95), [0.05, 0.9]),
        (seen(0, 0.2, c7d=0.99), pip(20, 30, c1d=0.95), [0.05, 0.9]),
        (seen(0, c7d=0.99), pip(55, 30, c1d=0.95), [0.05, 0.9]),
        (seen(0, c7d=0.99), pip(5, 5, 40, c1d=0.95), [0.05, 0.9]),
    ],
    ids=["a pip", "of a card hardly named", "of a faint box", "across the edge", "half the card"],
)
def test_pips_of_a_surely_named_card_are_parts_of_it(
    card: Detection, part: Detection, chances: list[float]
) -> None:
    found = with_parts_doubted([with_chance(card, 0.05), with_chance(part, 0.9)])
    assert [one.whole_card_probability for one in found] == pytest.approx(chances)
