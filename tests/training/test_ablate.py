"""What each stage is worth: every one can be left out, and is back afterwards."""

from pathlib import Path

import pytest

from training.ablate import WITHOUT, main, measure, without
from vision.evaluate import read_labels
from vision.reader import MODELS

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.mark.parametrize("stage", WITHOUT)
def test_a_stage_is_left_out_only_meanwhile(stage: str) -> None:
    before = [getattr(owner, name) for owner, name, _ in WITHOUT[stage]]
    with without(stage):
        for owner, name, stand_in in WITHOUT[stage]:
            assert getattr(owner, name) is stand_in
    assert [getattr(owner, name) for owner, name, _ in WITHOUT[stage]] == before


@pytest.mark.models
@pytest.mark.parametrize("stage", [None, *WITHOUT])
def test_a_photo_is_read_without_any_one_stage(stage: str | None) -> None:
    figures, seconds = measure(read_labels(SAMPLES)[:1], MODELS, stage=stage)
    assert figures["right"] > 0.5
    assert seconds > 0


def test_a_folder_without_labels_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
