"""The sample photos: two whole hands, small files, cards where expected.json says they lie."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.cards import DECK, Card

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
EXPECTED = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
MAX_BYTES = 350_000
every_photo = pytest.mark.parametrize("file", EXPECTED["photos"])
every_hand = pytest.mark.parametrize("hand", EXPECTED["hands"], ids=lambda hand: hand["name"])


def test_folder_holds_the_documented_photos() -> None:
    assert {path.name for path in SAMPLES.glob("*.jpg")} == set(EXPECTED["photos"])
    assert len(EXPECTED["photos"]) >= 8
    assert "AGPL-3.0-or-later" in (SAMPLES / "SOURCE.txt").read_text(encoding="utf-8")


def test_there_is_a_hand_for_two_sides_and_one_for_three() -> None:
    assert sorted(len(hand["sides"]) for hand in EXPECTED["hands"]) == [2, 3]


@every_hand
def test_the_piles_of_a_hand_hold_every_card_once(
    hand: dict[str, list[dict[str, list[str]]]],
) -> None:
    cards = [Card.from_code(code) for side in hand["sides"] for code in side["pile"]]
    assert Counter(cards) == Counter(DECK)


@every_hand
def test_a_pile_is_what_its_photos_show(hand: dict[str, list[dict[str, list[str]]]]) -> None:
    for side in hand["sides"]:
        shown = [c for photo in side["photos"] for c in EXPECTED["photos"][photo]["cards"]]
        assert shown == side["pile"]


def test_tables_are_laid_and_lit_in_different_ways() -> None:
    photos = EXPECTED["photos"].values()
    assert {"grid", "rows", "fan", "columns"} <= {photo["layout"] for photo in photos}
    assert {"plain", "glare", "dim"} == {photo["light"] for photo in photos}
    assert {"italian", "french"} == {photo["deck"] for photo in photos}


@every_photo
def test_a_photo_is_small_and_its_cards_lie_whole_inside_it(file: str) -> None:
    image = cv2.imread(str(SAMPLES / file))
    assert image is not None
    assert sorted(image.shape[:2]) == [1200, 1600]
    assert (SAMPLES / file).stat().st_size <= MAX_BYTES
    height, width = image.shape[:2]
    photo = EXPECTED["photos"][file]
    assert len(photo["corners"]) == len(photo["cards"])
    for corners in photo["corners"]:
        quad = np.array(corners, np.float32)
        assert cv2.isContourConvex(quad)
        assert (quad >= 0).all()
        assert (quad <= [width, height]).all()
        assert cv2.contourArea(quad, oriented=True) > 10_000, "clockwise as seen"
