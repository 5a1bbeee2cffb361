"""The training smoke test: from drawings to a reading, a few steps each, in `make smoke`."""

from pathlib import Path

import pytest

from vision.training import decks, generate

pytest.importorskip("ultralytics", reason="training needs `make smoke`, which brings ultralytics")

from vision.classes import CLASSES
from vision.photo import open_photo
from vision.reader import Reader
from vision.training import export, identify, locate, refine


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # torch and ultralytics warn of their own affairs
def test_the_networks_train_export_and_read_a_scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(decks, "SHARED", tmp_path / "missing")
    monkeypatch.setattr(generate, "SCENES_PER_SHARD", 8)
    generate.main(["scenes", "--shards", "1", "--workers", "1"])
    locate.main(["scenes", "--imgsz", "160", "--epochs", "2", "--batch", "4"])
    identify.main(["scenes", "--epochs", "2", "--batch", "16"])
    learnt = str(tmp_path / "runs" / "identify" / "weights" / "last.pt")
    refine.main(["scenes", "--epochs", "2", "--batch", "4", "--weights", learnt])
    folder = tmp_path / "models"
    folder.mkdir()
    for kind in ("locate", "refine", "identify"):
        weights = tmp_path / "runs" / kind / "weights" / "last.pt"
        export.main([kind, str(weights), "--out", str(folder / f"{kind}.onnx")])
    sample = next((decks.ROOT / "samples").glob("*.jpg"))
    reading = Reader(folder).read(open_photo(sample.read_bytes(), name=sample.name))
    assert reading.photo == sample.name
    assert all(set(card.alternatives) <= set(CLASSES) for card in reading.cards)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_stopped_training_resumes_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(decks, "SHARED", tmp_path / "missing")
    monkeypatch.setattr(generate, "SCENES_PER_SHARD", 4)
    generate.main(["scenes", "--shards", "1", "--workers", "1"])
    save_model = identify.IdentifyTrainer.save_model

    def save_and_stop(trainer: identify.IdentifyTrainer) -> None:
        save_model(trainer)
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(identify.IdentifyTrainer, "save_model", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            identify.main(["scenes", "--epochs", "3", "--batch", "8"])
    rows = tmp_path / "runs" / "identify" / "results.csv"
    assert len(rows.read_text().splitlines()) == 1 + 1
    identify.main(["scenes", "--resume"])
    assert len(rows.read_text().splitlines()) == 1 + 3
