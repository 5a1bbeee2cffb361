"""The real networks on our own photos: what samples/expected.json says is what is read."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.__main__ import main
from vision.geometry import corner_distances
from vision.judge import judge
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import Status

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
EXPECTED: dict[str, Any] = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
PHOTOS: dict[str, dict[str, Any]] = EXPECTED["photos"]
HANDS: list[dict[str, Any]] = EXPECTED["hands"]

pytestmark = pytest.mark.models

OFF = 0.25
"""Corners may be off by so much of a card's short side."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.mark.parametrize("name", PHOTOS)
def test_the_cards_of_a_sample_are_read(name: str, reader: Reader) -> None:
    reading = reader.read(open_photo(SAMPLES / name))
    assert Counter(reading.codes) == Counter(PHOTOS[name]["cards"])


@pytest.mark.parametrize("name", PHOTOS)
def test_no_error_on_a_sample_is_silent(name: str, reader: Reader) -> None:
    reading = reader.read(open_photo(SAMPLES / name))
    assert judge(reading, PHOTOS[name]["cards"]).silent == 0


@pytest.mark.parametrize("name", PHOTOS)
def test_the_corners_of_a_sample_lie_where_the_cards_do(name: str, reader: Reader) -> None:
    truth = np.array(PHOTOS[name]["corners"], np.float32)
    reading = reader.read(open_photo(SAMPLES / name))
    found = np.array([card.corners for card in reading.cards], np.float32)
    assert [quad.tolist() for quad in truth if corner_distances(quad, found).min() > OFF] == []


@pytest.mark.parametrize("hand", HANDS, ids=[hand["name"] for hand in HANDS])
def test_the_piles_of_a_hand_are_read_together(hand: dict[str, Any], reader: Reader) -> None:
    names = [name for side in hand["sides"] for name in side["photos"]]
    piles = [number for number, side in enumerate(hand["sides"]) for _ in side["photos"]]
    result = reader.read_hand([open_photo(SAMPLES / name) for name in names], piles)
    assert result.missing == ()
    for number, side in enumerate(hand["sides"]):
        own = [one for one, pile in zip(result.readings, piles, strict=True) if pile == number]
        assert {code for one in own for code in one.codes} == set(side["pile"])


def test_a_card_photographed_in_two_piles_is_doubtful_in_both(reader: Reader) -> None:
    photo = open_photo(SAMPLES / HANDS[0]["sides"][0]["photos"][0])
    for reading in reader.read_together([photo, photo]):
        assert {found.status for found in reading.cards} == {Status.DOUBTFUL}
        assert "twice" in {problem.kind for problem in reading.problems}


def test_two_photos_of_one_pile_are_one_pile(reader: Reader) -> None:
    photo = open_photo(SAMPLES / HANDS[0]["sides"][0]["photos"][0])
    alone = reader.read(photo)
    for reading in reader.read_together([photo, photo], [0, 0]):
        assert reading.codes == alone.codes
        assert "twice" not in {problem.kind for problem in reading.problems}


def test_one_reader_serves_many_threads(reader: Reader) -> None:
    photos = [open_photo(SAMPLES / name) for name in list(PHOTOS)[:4]]
    one_by_one = [reader.read(photo) for photo in photos]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(reader.read, photos)) == one_by_one


def test_the_command_prints_one_object_a_photo(capsys: pytest.CaptureFixture[str]) -> None:
    names = HANDS[0]["sides"][0]["photos"]
    assert main(["--json", "--together", *(str(SAMPLES / name) for name in names)]) == 0
    answers = json.loads(capsys.readouterr().out)
    assert [answer["photo"] for answer in answers] == names
    for card in (card for answer in answers for card in answer["cards"]):
        assert set(card) == {"card", "status", "confidence", "corners", "alternatives"}
        assert np.array(card["corners"]).shape == (4, 2)


def test_the_command_prints_text_for_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = next(iter(PHOTOS))
    assert main(["--save-outlines", str(tmp_path), str(SAMPLES / name)]) == 0
    assert capsys.readouterr().out.startswith(f"{name}: ")
    assert open_photo(tmp_path / name).size_wh[0] <= 1280
