"""One reader and several threads: as many photos at once as it was made for."""

import gc
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import cv2
import numpy as np
import pytest

from vision.detect import Boxes, Detector
from vision.errors import ModelError
from vision.photo import Photo, Pyramid, open_photo
from vision.reader import Reader
from vision.reading import Reading

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

pytestmark = pytest.mark.models


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """OpenCV's number of threads is put back after each test."""
    before = cv2.getNumThreads()
    yield
    cv2.setNumThreads(before)


def meeting(monkeypatch: pytest.MonkeyPatch, *, wait_s: float) -> Callable[[Reader], list[bool]]:
    """Two threads read; each says whether the other was in the same stage at the same time."""
    both, met = Barrier(2), []

    def locate(_self: Detector, _picture: Pyramid) -> Boxes:
        try:
            both.wait(wait_s)
            met.append(True)
        except BrokenBarrierError:
            met.append(False)
        return Boxes(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    monkeypatch.setattr(Detector, "__call__", locate)
    photo = open_photo(SAMPLES / "carla.jpg")

    def read(reader: Reader) -> list[bool]:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(reader.find, [photo, photo]))
        return met

    return read


def test_unreferenced_reader_frees_its_networks(models_dir: Path) -> None:
    reader = Reader(models_dir)
    reader.load()
    held = weakref.ref(reader)
    gc.disable()
    try:
        del reader
        assert held() is None
    finally:
        gc.enable()


def test_two_photos_are_read_at_once(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = meeting(monkeypatch, wait_s=60)
    assert read(Reader(models_dir, at_once=2)) == [True, True]


def test_a_reader_of_one_photo_reads_the_second_after_the_first(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = meeting(monkeypatch, wait_s=0.1)
    assert read(Reader(models_dir)) == [False, False]


def test_the_processors_are_shared_out(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    Reader(models_dir, at_once=2).load()
    assert cv2.getNumThreads() == 3


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [1, 2])
def test_photos_read_by_several_threads_are_read_as_one_by_one(
    at_once: int, readings: dict[str, Reading], sample_photos: dict[str, Photo]
) -> None:
    names = ["anna-2.jpg", "carla.jpg", "dario-1.jpg"]
    reader = Reader(at_once=at_once)
    with ThreadPoolExecutor(3) as pool:
        read = pool.map(reader.read, [sample_photos[name] for name in names])
    for name, reading in zip(names, read, strict=True):
        one_by_one = [(card.card, card.status) for card in readings[name].cards]
        assert [(card.card, card.status) for card in reading.cards] == one_by_one


def test_networks_that_cannot_be_loaded_block_nobody(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    for _ in range(3):
        with pytest.raises(ModelError):
            reader.load()


@pytest.mark.parametrize(("remembers", "searched"), [(0, 4), (1, 3), (2, 2)])
def test_a_photo_that_is_remembered_is_not_searched_again(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch, remembers: int, searched: int
) -> None:
    pictures: list[Pyramid] = []

    def locate(_self: Detector, picture: Pyramid) -> Boxes:
        pictures.append(picture)
        return Boxes(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    monkeypatch.setattr(Detector, "__call__", locate)
    reader = Reader(models_dir, remembers=remembers)
    one, other = (open_photo(SAMPLES / name) for name in ("carla.jpg", "anna-1.jpg"))
    for photo in (one, other, other, one):
        reader.read(photo)
    assert len(pictures) == searched
