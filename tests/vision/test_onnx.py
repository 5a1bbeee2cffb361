"""OpenCV and ONNX Runtime: the same networks, the same numbers, the same readings."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from vision import onnx
from vision.answers import answers_kept
from vision.errors import ModelError
from vision.onnx import Network, Tensor
from vision.photo import Photo, open_photo
from vision.reader import Reader
from vision.reading import Reading

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SIDES = {"locate.onnx": 320, "refine.onnx": 128, "identify.onnx": 128, "index.onnx": 64}


def by(name: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> Network:
    """Return the network in a file, run by the engine of this name."""
    monkeypatch.setenv(onnx.ENGINE_VARIABLE, name)
    return Network(path, expected="a network")


def batch(side: int, count: int) -> Tensor:
    image = open_photo(SAMPLES / "anna-1.jpg").working_bgr
    crops = [image[at * 90 : at * 90 + side, :side, ::-1].transpose(2, 0, 1) for at in range(count)]
    return np.asarray(np.array(crops) / 255, np.float32)


@pytest.mark.models
@pytest.mark.parametrize("name", SIDES)
def test_both_engines_give_the_same_numbers(
    name: str, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = batch(SIDES[name], 1 if name == "locate.onnx" else 3)
    one = by("opencv", models_dir / name, monkeypatch)(pictures)
    other = by("onnxruntime", models_dir / name, monkeypatch)(pictures)
    assert one.shape == other.shape
    assert one == pytest.approx(other, rel=1e-3, abs=2e-3)


@pytest.mark.models
@pytest.mark.slow
def test_both_engines_read_the_same_cards(
    readings: dict[str, Reading], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(onnx.ENGINE_VARIABLE, "opencv")
    other = Reader().read(open_photo(SAMPLES / "bruno-1.jpg"))
    one = readings["bruno-1.jpg"]
    assert [(c.card, c.status) for c in one.cards] == [(c.card, c.status) for c in other.cards]


@pytest.mark.models
@pytest.mark.parametrize("name", ["opencv", "onnxruntime"])
def test_a_picture_that_a_network_does_not_take_is_refused(
    name: str, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = by(name, models_dir / "locate.onnx", monkeypatch)
    with pytest.raises(ModelError, match=r"refuses input of shape \(1, 3, 33, 33\)"):
        network(np.zeros((1, 3, 33, 33), np.float32))


@pytest.mark.parametrize(
    ("installed", "asked", "name"),
    [
        (False, None, "opencv"),
        (True, None, "onnxruntime"),
        (True, "opencv", "opencv"),
        (True, "onnxruntime", "onnxruntime"),
    ],
)
def test_the_faster_engine_is_taken_where_it_is_installed(
    installed: bool, asked: str | None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec("onnxruntime") if installed else None
    monkeypatch.setattr(onnx, "find_spec", lambda _: found)
    if asked is None:
        monkeypatch.delenv(onnx.ENGINE_VARIABLE, raising=False)
    else:
        monkeypatch.setenv(onnx.ENGINE_VARIABLE, asked)
    assert onnx.engine() == name


def test_a_network_is_asked_once_about_a_picture(tmp_path: Path) -> None:
    asked: list[int] = []

    def doubled(pictures: Tensor) -> Tensor:
        asked.append(len(pictures))
        return 2 * pictures

    both = np.array([[0, 0, 0], [1, 1, 1]], np.float32)
    for other in (b"network", b"network", b"other weights"):
        with answers_kept(tmp_path / "data" / "answers.sqlite") as answers:
            assert answers(other, doubled, both[:1]).tolist() == [[0, 0, 0]]
            assert answers(other, doubled, both).tolist() == [[0, 0, 0], [2, 2, 2]]
    assert asked == [1, 1, 1, 1]  # the new picture alone, and again only by other weights


@pytest.mark.models
def test_a_photo_read_again_needs_no_network(
    models_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_alike(photo: Photo) -> list[tuple[str, float]]:
        with answers_kept(tmp_path / "answers.sqlite"):
            cards = Reader(models_dir).read(photo).cards
        return [(card.card, card.confidence) for card in cards]

    photo = open_photo(SAMPLES / "carla.jpg")
    first = read_alike(photo)
    assert len(first) > 10
    monkeypatch.setattr(onnx, "_load_onnx_runtime", lambda *_: pytest.fail)
    assert read_alike(photo) == first
