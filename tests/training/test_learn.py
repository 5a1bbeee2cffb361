"""Learning from lent photos: what is kept aside, what counts as better, how it is undone."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ultralytics", reason="training needs `make smoke`, which brings ultralytics")

from training import data, learn, photos
from training.data import shard_paths
from vision.evaluate import summary
from vision.photo import open_photo
from vision.reader import MODELS, Reader


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODELS, tmp_path / "models"))


@pytest.fixture(scope="module")
def lent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three of the samples, labelled as they are read."""
    folder, reader, labels = tmp_path_factory.mktemp("lent"), Reader(), {}
    for file in sorted(learn.SAMPLES.glob("*.jpg"))[:3]:
        shutil.copy(file, folder)
        boxes = [
            {"xyxy": [*map(min, *card.corners), *map(max, *card.corners)], "card": card.card}
            for card in reader.read(open_photo(file)).cards
        ]
        labels[file.name] = {"cards": [box["card"] for box in boxes], "boxes": boxes}
    (folder / "labels.json").write_text(json.dumps({"photos": labels}))
    return folder


@pytest.fixture(autouse=True)
def few(lent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is enough, so that the tests are quick."""
    monkeypatch.setattr(learn, "SAMPLES", lent)
    monkeypatch.setattr(learn, "LEAST_ASIDE", 5)


def contents(models: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(models)): path.read_bytes()
        for path in models.rglob("*")
        if path.is_file() and learn.BEFORE not in path.parts
    }


@pytest.fixture
def told(
    lent: Path, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[bool], list[str]]:
    """What learning says, where what comes of it is better or not; nothing is trained or read."""

    def another(kind: str, _scenes: Path, *, trial: Path, **_: float) -> None:
        """The same network, with other weights to start from."""
        (trial / f"checkpoints/{kind}.pt").write_bytes(b"learnt")

    def shard(argv: list[str]) -> None:
        (Path(argv[0]) / "shard-1.npz").write_bytes(b"")

    monkeypatch.setattr(learn, "_train", another)
    monkeypatch.setattr(data, "main", shard)
    monkeypatch.setattr(photos, "write", lambda path, _folders: path.write_bytes(b""))
    nothing = {"aside": summary([]), "samples": summary([])}
    monkeypatch.setattr(learn, "_figures", lambda _reader, _aside: nothing)

    def learnt(better: bool) -> list[str]:
        monkeypatch.setattr(learn, "is_better", lambda _before, _after: better)
        return list(learn.learn(lent, scenes=tmp_path / "scenes", models=models, hours=0.5))

    return learnt


def test_better_networks_are_put_in_place_and_taken_back(
    told: Callable[[bool], list[str]], models: Path
) -> None:
    before = contents(models)
    assert told(True)[-1].startswith("better:")
    after = contents(models)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"checkpoints/identify.pt", "checkpoints/index.pt"}
    assert learn.main(["--undo", "--models", str(models)]) == 0
    assert contents(models) == before
    assert not (models / learn.BEFORE).exists()


def test_networks_that_are_not_better_change_nothing_and_no_photo_is_left(
    told: Callable[[bool], list[str]], models: Path, tmp_path: Path
) -> None:
    before = contents(models)
    said = told(False)
    assert said[-1].startswith("not better")
    assert "aside, before" in said[1]
    assert "samples, after" in said[2]
    assert contents(models) == before
    assert not (models / learn.BEFORE).exists()
    assert [path.name for path in shard_paths(tmp_path / "scenes")] == ["shard-1.npz"]


def test_what_is_learnt_from_is_not_what_it_is_measured_on(lent: Path) -> None:
    aside = {one.path for one in learn.kept_aside(lent)}
    assert aside == {lent / "anna-1.jpg"}
    assert aside.isdisjoint(photos.learnt_from(lent))


@pytest.mark.parametrize("name", ["aside", "samples"])
@pytest.mark.parametrize(
    "change", [{"right": 0.8}, {"wrong_unasked": 0.01}, {"silent_per_1000": 1.0}], ids=str
)
def test_networks_are_better_that_read_more_unasked_and_nothing_worse(
    name: str, change: dict[str, float]
) -> None:
    good = {"right": 0.9, "right_unasked": 0.8, "wrong_unasked": 0.0, "silent_per_1000": 0.0}
    before: dict[str, dict[str, Any]] = {"aside": good, "samples": good}
    after = before | {"aside": good | {"right_unasked": 0.9}}
    assert learn.is_better(before, after)
    assert not learn.is_better(before, before)
    assert not learn.is_better(before, after | {name: after[name] | change})


def test_too_few_photos_are_refused(
    lent: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(learn, "LEAST_ASIDE", 40)
    models = ["--models", str(tmp_path)]
    for asked, answer in (
        ([str(lent), "--scenes", str(tmp_path / "scenes")], "collect more photos"),
        (["--undo"], "nothing to take back"),
        ([str(tmp_path)], "labels"),
    ):
        assert learn.main([*asked, *models]) == 2
        assert answer in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # torch and ultralytics warn of their own affairs
def test_the_networks_learn_from_lent_photos(
    lent: Path, models: Path, little_shard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn, "KINDS", ("index",))  # one stands for both, in half the time
    monkeypatch.setattr(learn, "is_better", lambda _before, _after: True)
    before = contents(models)
    said = list(learn.learn(lent, scenes=little_shard, models=models, hours=0.001))
    assert "2 photos" in said[0]
    assert said[-1].startswith("better:")
    changed = {name for name, content in contents(models).items() if content != before.get(name)}
    assert changed == {"index.onnx", "checkpoints/index.pt"}
    assert Reader(models).read(open_photo(lent / "anna-1.jpg")).cards
