"""Stripes, coloured light and blur are named, and no card in them is sure wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.geometry import Quad
from vision.light import MOST_CAST, blurred_part, colour_cast, is_striped, small_picture
from vision.photo import Photo, Pixels, open_photo
from vision.reader import Reader
from vision.reading import PhotoProblemKind, Reading, Status

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
CARDS: dict[str, list[str]] = {
    name: photo["cards"]
    for name, photo in json.loads((SAMPLES / "expected.json").read_text())["photos"].items()
}
CORNERS: dict[str, list[list[list[float]]]] = {
    name: photo["corners"]
    for name, photo in json.loads((SAMPLES / "expected.json").read_text())["photos"].items()
}
SIX = ("anna-1.jpg", "bruno-1.jpg", "bruno-2.jpg", "carla.jpg", "dario-1.jpg", "elena-2.jpg")
"""Samples of which every card is read right as they are."""
PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "data" / "photos"
NEW = {PhotoProblemKind.STRIPED, PhotoProblemKind.TINTED}


def dimmed(picture: Pixels, light: np.ndarray) -> Pixels:
    return np.asarray(np.clip(picture * light, 0, 255), np.uint8)


def striped(picture: Pixels, *, depth: float, stripes: int = 20) -> Pixels:
    """Dark rows with soft edges, as of a lamp that goes on and off while the rows are read."""
    rows = np.arange(len(picture)) * (2 * np.pi * stripes / len(picture))
    dark = np.clip(3 * np.sin(rows), -1, 1) / 2 + 0.5
    return dimmed(picture, (1 - depth * dark)[:, None, None])


def tinted(picture: Pixels, *, lamp_bgr: tuple[float, float, float]) -> Pixels:
    return dimmed(picture, np.array(lamp_bgr))


def half_blurred(picture: Pixels, *, sigma: float, left: bool) -> Pixels:
    """Return one half out of focus, with a soft border."""
    width = picture.shape[1]
    share = np.clip((np.arange(width) / width - 0.5) * 20 + 0.5, 0, 1)
    share = (share[::-1] if left else share)[None, :, None]
    blurred = cv2.GaussianBlur(picture, (0, 0), sigma)
    return np.asarray(picture * (1 - share) + blurred * share, np.uint8)


LAMPS_BGR = ((1.0, 0.8, 0.55), (1.0, 0.6, 0.3), (1.0, 0.4, 0.12))
"""Blue lamps, weak to strong; red ones the other way round."""
BAD_LIGHT: dict[str, Callable[[Pixels, int, int], Pixels]] = {
    "striped": lambda picture, strength, at: striped(
        picture, depth=(0.3, 0.5, 0.7)[strength], stripes=(18, 24, 30)[at % 3]
    ),
    "tinted": lambda picture, strength, at: tinted(
        picture, lamp_bgr=LAMPS_BGR[strength][::-1] if at % 2 else LAMPS_BGR[strength]
    ),
    "half-blurred": lambda picture, strength, at: half_blurred(
        picture, sigma=(4, 8, 16)[strength], left=bool(at % 2)
    ),
}


def photo_of(picture: Pixels) -> Photo:
    return open_photo(cv2.imencode(".jpg", picture)[1].tobytes())


def unasked(reading: Reading) -> set[str]:
    return {one.card for one in reading.cards if one.status is not Status.DOUBTFUL}


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.parametrize("strength", range(3))
@pytest.mark.parametrize("kind", BAD_LIGHT)
def test_bad_light_makes_no_sure_wrong_card_and_is_named(
    kind: str, strength: int, reader: Reader, sample_photos: dict[str, Photo]
) -> None:
    for at, name in enumerate(SIX):
        picture = BAD_LIGHT[kind](sample_photos[name].image_bgr, strength, at)
        reading = reader.read(photo_of(picture))
        assert unasked(reading) <= set(CARDS[name]), name
        lost = set(CARDS[name]) - set(reading.codes)
        assert reading.problems or not lost, f"{name} loses {lost} and says nothing"
        if kind == "striped":
            assert "striped" in {problem.kind for problem in reading.problems}, name


@pytest.mark.models
def test_no_card_is_sure_under_a_flickering_lamp(
    reader: Reader, sample_photos: dict[str, Photo]
) -> None:
    """All of these cards are read right: the photo alone does not tell."""
    reading = reader.read(photo_of(striped(sample_photos["carla.jpg"].image_bgr, depth=0.3)))
    assert sorted(set(reading.codes)) == sorted(CARDS["carla.jpg"])
    assert not [one for one in reading.cards if one.status is Status.SURE]


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.skipif(not PHOTOS.is_dir(), reason="needs ../shared/data/photos")
def test_of_good_photos_nothing_new_is_said(reader: Reader) -> None:
    files = sorted(PHOTOS.glob("*/*.jpg"))[::25]
    assert len(files) > 20
    for file in files:
        kinds = {problem.kind for problem in reader.read(open_photo(file)).problems}
        assert not kinds & NEW, file.name


def small(name: str, change: Callable[[Pixels], Pixels]) -> tuple[Pixels, Quad]:
    """Return a changed sample as light is measured on it, and the corners of its cards."""
    whole = np.asarray(cv2.imread(str(SAMPLES / name)), np.uint8)
    picture = small_picture(change(whole))
    scale = picture.shape[1] / whole.shape[1]
    return picture, np.array(CORNERS[name], np.float32) * scale


def cloth_only(name: str) -> Callable[[Pixels], Pixels]:
    """Stripes that the cards lie on."""

    def change(whole: Pixels) -> Pixels:
        on_all = striped(whole, depth=0.5)
        for quad in np.array(CORNERS[name]).round().astype(np.int32):
            card = cv2.fillConvexPoly(np.zeros(whole.shape[:2], np.uint8), quad, (1,)) > 0
            on_all[card] = whole[card]
        return on_all

    return change


@pytest.mark.parametrize("name", SIX)
def test_stripes_of_light_lie_on_the_cards_too(name: str) -> None:
    picture, quads = small(name, lambda whole: striped(whole, depth=0.3))
    assert is_striped(picture, quads)
    turned = np.ascontiguousarray(picture.transpose(1, 0, 2))
    assert is_striped(turned, quads[..., ::-1])
    assert not is_striped(*small(name, cloth_only(name)))
    assert not is_striped(*small(name, lambda whole: whole))


def test_the_edge_of_a_shadow_is_no_stripe() -> None:
    def change(whole: Pixels) -> Pixels:
        light = np.where(np.arange(len(whole)) < len(whole) // 2, 1.0, 0.4)
        return dimmed(whole, light[:, None, None])

    assert not is_striped(*small("anna-1.jpg", change))


@pytest.mark.parametrize(
    ("lamp_bgr", "is_told"),
    [((1, 1, 1), False), ((0.5, 0.75, 1), False), ((1, 0.4, 0.12), True), ((0.1, 0.3, 1), True)],
    ids=["daylight", "a warm lamp", "a blue lamp", "a red lamp"],
)
def test_a_coloured_lamp_leaves_no_paper_gray(
    lamp_bgr: tuple[float, float, float], is_told: bool
) -> None:
    picture, quads = small("bruno-1.jpg", lambda whole: tinted(whole, lamp_bgr=lamp_bgr))
    assert (colour_cast(picture, quads) >= MOST_CAST) is is_told


@pytest.mark.parametrize("name", ["anna-1.jpg", "bruno-2.jpg", "carla.jpg"])
@pytest.mark.parametrize("left", [True, False], ids=["left", "right"])
def test_blur_beside_the_cards_found_is_marked(name: str, left: bool) -> None:
    """The cards of one half are found, as a reader finds those in focus."""
    picture, quads = small(name, lambda whole: half_blurred(whole, sigma=16, left=left))
    middle = picture.shape[1] / 2
    in_focus = quads[(quads[..., 0].mean(axis=1) > middle) == left]
    (box,) = blurred_part(picture, in_focus)
    assert (box[:, 0].mean() < middle) == left
    assert not len(blurred_part(*small(name, lambda whole: whole)))
