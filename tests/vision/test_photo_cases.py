"""Files that once failed, kept beside the checkout: each is read or refused as it should be."""

from pathlib import Path

import pytest

from vision.errors import DamagedPhotoError, NotAPhotoError, PhotoError, SlowPhotoError
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import PhotoProblemKind, Status

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "cases"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/data/cases")


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("avif-mif1.avif", 13),
        ("gray-bars.jpg", 13),
        ("heic-hevx.heic", 13),
        ("odd-scan-header.jpg", 12),
        ("turn-long.jpg", 13),
        ("turn-short.jpg", 13),
    ],
)
def test_a_whole_photo_is_read_and_at_most_one_card_asked_about(
    name: str, cards: int, reader: Reader
) -> None:
    reading = reader.read(open_photo(CASES / name))
    assert len(reading.cards) == cards
    assert len(reading.doubts) <= 1
    assert len(reading.problems) <= len(reading.doubts), "no fault of the photo itself"


@pytest.mark.models
def test_where_no_card_lies_none_is_sure(reader: Reader) -> None:
    reading = reader.read(open_photo(CASES / "collage.jpg"))
    there = {"9d", "4c", "6s", "8c", "2d", "4b", "10s", "1c", "7d", "5d", "7s", "3c", "1b", "10c"}
    there |= {"6c", "2s", "4d", "9b"}
    assert {one.card for one in reading.cards if one not in reading.doubts} <= there


@pytest.mark.models
def test_glare_on_a_card_is_said(reader: Reader) -> None:
    kinds = {one.kind for one in reader.read(open_photo(CASES / "glare.jpg")).problems}
    assert PhotoProblemKind.WASHED_OUT in kinds


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "kind", "there"),
    [
        ("led-strobe.jpg", "striped", "1d 7c 5s 10b 3d 8s 2c 6b 9s 3b 7b 1s"),
        ("led-strobe-silent.jpg", "striped", "10c 2d 3d 5s 6s 7b 8b"),
        ("blue-lamp.jpg", "tinted", "10c 2d 3d 5s 6s 7b 8b"),
    ],
)
def test_bad_light_is_named_and_makes_no_sure_wrong_card(
    name: str, kind: str, there: str, reader: Reader
) -> None:
    reading = reader.read(open_photo(CASES / name))
    assert kind in {problem.kind for problem in reading.problems}
    sure = {card.card for card in reading.cards if card.status is not Status.DOUBTFUL}
    assert sure <= set(there.split())


def test_the_number_of_a_turn_may_be_a_long() -> None:
    long, short = (open_photo(CASES / f"turn-{kind}.jpg") for kind in ("long", "short"))
    assert long.size_wh == short.size_wh == (1200, 1600)
    assert (long.image_bgr == short.image_bgr).all()


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("torn.jpg", DamagedPhotoError),
        ("preview-first.dng", NotAPhotoError),
        ("progressive-many-scans.jpg", SlowPhotoError),
    ],
)
def test_what_is_no_whole_photo_is_refused(name: str, error: type[PhotoError]) -> None:
    with pytest.raises(error):
        open_photo(CASES / name)
