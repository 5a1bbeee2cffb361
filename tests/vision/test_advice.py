"""Advice: said when it matters, with what to do and where."""

import cv2
import numpy as np
import pytest

from vision.advice import advise, region_of
from vision.geometry import Quad
from vision.light import sharpness
from vision.photo import Pixels
from vision.reading import Problem, Region

SIZE_WH = (900, 700)


def card_at(x: float, y: float, *, width: float = 120.0) -> Quad:
    return np.array(
        [[x, y], [x + width, y], [x + width, y + 1.6 * width], [x, y + 1.6 * width]], np.float32
    )


def drawn(quads: list[Quad], *, paper: int = 235, ink: int = 40) -> Pixels:
    """White cards with bars, rings and small print on a green table."""
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), (60, 110, 50), np.uint8)
    for quad in quads:
        low, high = quad[0].astype(int), quad[2].astype(int)
        cv2.rectangle(image, low.tolist(), high.tolist(), (paper,) * 3, cv2.FILLED)
        width = int(high[0] - low[0])
        for row in range(4):
            centre = (int(low[0] + width / 2), int(low[1] + width * (0.2 + 0.38 * row)))
            cv2.circle(image, centre, width // 8, (ink, ink, paper), max(1, width // 30))
            cv2.putText(image, "7", (centre[0] - width // 3, centre[1]), 0, width / 160, (ink,) * 3)
    return image


def problems(image: Pixels, quads: list[Quad], doubtful: list[bool]) -> tuple[Problem, ...]:
    stacked = np.array(quads, np.float32).reshape(-1, 4, 2)
    return advise(image, SIZE_WH, quads=stacked, doubtful=np.array(doubtful, np.bool_))


def advice(image: Pixels, quads: list[Quad], doubtful: list[bool]) -> list[str]:
    return [problem.kind for problem in problems(image, quads, doubtful)]


GOOD = [card_at(100, 100), card_at(300, 100), card_at(500, 300)]


def test_a_good_photo_needs_no_advice() -> None:
    assert advice(drawn(GOOD), GOOD, [False] * 3) == []


def test_a_doubt_without_a_visible_cause_needs_no_advice() -> None:
    assert advice(drawn(GOOD), GOOD, [True, False, False]) == []


def spoilt(kind: str) -> tuple[Pixels, list[Quad]]:
    image = drawn(GOOD)
    if kind == "dark":
        return np.asarray(image // 6, np.uint8), GOOD
    if kind == "blurred":
        return np.asarray(cv2.GaussianBlur(image, (0, 0), 9), np.uint8), GOOD
    if kind == "washed-out":
        cv2.circle(image, (160, 190), 130, (255,) * 3, cv2.FILLED)
        return image, GOOD
    quads = {
        "small": [card_at(100, 100, width=30), card_at(200, 100, width=30)],
        "cut-off": [card_at(-30, 200), card_at(300, 100)],
        "covered": [card_at(100, 100), card_at(112, 104), card_at(500, 300)],
    }[kind]
    return drawn(quads), quads


KINDS = ("dark", "blurred", "washed-out", "small", "cut-off", "covered")


@pytest.mark.parametrize("kind", KINDS)
def test_each_fault_is_told_when_a_card_is_in_doubt(kind: str) -> None:
    image, quads = spoilt(kind)
    assert advice(image, quads, [True] + [False] * (len(quads) - 1)) == [kind]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "washed-out"])
def test_no_fault_is_told_when_every_card_is_sure(kind: str) -> None:
    image, quads = spoilt(kind)
    assert advice(image, quads, [False] * len(quads)) == []


@pytest.mark.parametrize(
    ("at", "radius", "areas"),
    [
        ((260, 400), 110, [(153, 293, 368, 508)]),
        ((260, 400), 40, []),
        ((820, 620), 70, []),
        ((450, 350), 700, []),
        ((160, 190), 60, []),
    ],
    ids=["a lamp's spot", "small", "far from the pile", "a white table", "under a card"],
)
def test_glare_is_reported_where_it_may_hide_a_card(
    at: tuple[int, int], radius: int, areas: list[tuple[float, ...]]
) -> None:
    image, cards = np.full((SIZE_WH[1], SIZE_WH[0], 3), 90, np.uint8), drawn(GOOD, paper=255)
    cv2.circle(image, at, radius, (255,) * 3, cv2.FILLED)
    for quad in GOOD:
        (x0, y0), (x1, y1) = quad[0].astype(int), quad[2].astype(int)
        image[y0:y1, x0:x1] = cards[y0:y1, x0:x1]
    found = problems(image, GOOD, [False] * 3)
    assert [one.area for one in found] == areas
    assert {one.kind for one in found} <= {"washed-out"}


@pytest.mark.parametrize(
    ("level", "kind"), [(120, "nothing-found"), (10, "dark")], ids=["an empty table", "the night"]
)
def test_a_photo_without_cards_says_why(level: int, kind: str) -> None:
    assert advice(np.full((700, 900, 3), level, np.uint8), [], []) == [kind]


def test_a_blurred_photo_without_cards_is_said_to_be_blurred() -> None:
    image = drawn(GOOD)
    noise = np.random.default_rng(1).normal(0, 5, image.shape)
    for blur, kind in ((0.5, "nothing-found"), (9, "blurred"), (20, "blurred")):
        seen = cv2.GaussianBlur(image, (0, 0), blur) + noise
        assert advice(np.clip(seen, 0, 255).astype(np.uint8), [], []) == [kind], blur


def test_advice_says_where_and_marks_the_place() -> None:
    quads = [card_at(-30, 20), card_at(300, 300)]
    (problem,) = problems(drawn(quads), quads, [True, False])
    assert problem.region is Region.TOP_LEFT
    assert problem.area == (-30, 20, 90, 212)


def test_photo_fault_is_marked_on_each_affected_card() -> None:
    image = drawn(GOOD)
    for x, y, size in ((160, 190, 40), (360, 190, 40), (560, 390, 8)):  # the last hardly burnt
        cv2.circle(image, (x, y), size, (255,) * 3, cv2.FILLED)
    (problem,) = problems(image, GOOD, [True, False, True])
    assert problem.kind == "washed-out"
    assert problem.area == (*GOOD[0].min(0).tolist(), *GOOD[1].max(0).tolist())


def test_cards_with_the_same_fault_share_one_problem() -> None:
    quads = [card_at(-30, 20), card_at(-30, 300)]
    (problem,) = problems(drawn(quads), quads, [True, True])
    assert problem.region is Region.LEFT


@pytest.mark.parametrize(
    ("x", "y", "region"),
    [
        (5, 5, Region.TOP_LEFT), (50, 5, Region.TOP), (95, 5, Region.TOP_RIGHT),
        (5, 50, Region.LEFT), (50, 50, Region.MIDDLE), (95, 50, Region.RIGHT),
        (5, 95, Region.BOTTOM_LEFT), (50, 95, Region.BOTTOM), (95, 95, Region.BOTTOM_RIGHT),
    ],
)  # fmt: skip
def test_a_photo_has_nine_regions(x: int, y: int, region: Region) -> None:
    assert region_of((x, y, x, y), (100, 100)) is region


@pytest.mark.parametrize("gain", [1.0, 0.5, 0.25], ids=["bright", "half", "dim"])
def test_sharpness_falls_with_blur_and_not_with_light(gain: float) -> None:
    card = cv2.cvtColor(drawn(GOOD), cv2.COLOR_BGR2GRAY)[100:292, 100:220]
    dimmed = np.asarray(card * gain, np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(dimmed, (0, 0), 4), np.uint8)
    assert sharpness(dimmed) == pytest.approx(sharpness(np.asarray(card, np.uint8)), rel=0.1)
    assert sharpness(blurred) < sharpness(dimmed) / 3
