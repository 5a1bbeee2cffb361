"""`python -m vision.decks.evaluate`: what a taught deck is good for."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from vision.decks.evaluate import TEACHING, _truth, main
from vision.evaluate import Labelled

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def labelled(folder: Path, *names: str) -> None:
    """A folder with these samples, their labels and boxes."""
    told = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    folder.mkdir()
    photos = {}
    for name in names:
        shutil.copy(SAMPLES / name, folder / name)
        quads = [np.array(quad) for quad in told[name]["corners"]]
        boxes = [
            {"xyxy": [*quad.min(0).tolist(), *quad.max(0).tolist()], "card": card}
            for card, quad in zip(told[name]["cards"], quads, strict=True)
        ]
        photos[name] = {"cards": told[name]["cards"], "boxes": boxes, "deck": told[name]["deck"]}
    (folder / "labels.json").write_text(json.dumps({"photos": photos}))


@pytest.mark.models
@pytest.mark.slow
def test_the_command_reads_every_pile_without_the_deck_and_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(tmp_path / "piles", "bruno-2.jpg", "anna-1.jpg")
    labelled(tmp_path / "piles" / TEACHING, "anna-1.jpg")
    assert main(["--json", str(tmp_path / "piles")]) == 0
    told = json.loads(capsys.readouterr().out)["piles"]
    assert set(told) == {"italian", "together"}
    assert told["italian"]["missing"] == 40 - 9
    for read in ("without", "taught"):
        assert told["together"][read]["cards"] == 19
        assert told["together"][read]["right"] > 0.8
    assert told["together"]["times"] > 0


@pytest.mark.models
def test_a_deck_that_nobody_laid_out_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(tmp_path / "piles", "carla.jpg")
    labelled(tmp_path / "piles" / TEACHING, "anna-1.jpg")
    assert main([str(tmp_path / "piles")]) == 2
    assert "no photo of french" in capsys.readouterr().err


def test_a_laid_card_is_the_labelled_one_that_is_nearest() -> None:
    boxes = (((0.0, 0.0, 100.0, 100.0), "1d"), ((40.0, 0.0, 140.0, 100.0), "2d"))
    photo = Labelled(Path("p.jpg"), ("1d", "2d"), (), boxes)
    assert _truth(((70, 30), (110, 30), (110, 70), (70, 70)), photo) == "2d"
    assert _truth(((400, 400), (440, 400), (440, 470), (400, 470)), photo) == ""
