"""What models/ says of itself is true."""

import csv
import hashlib
from pathlib import Path

import pytest

from vision.networks import NETWORK_FILES

CARD = "MODEL_CARD.md"


@pytest.mark.models
@pytest.mark.parametrize("name", NETWORK_FILES)
def test_the_model_card_names_the_network_that_lies_beside_it(name: str, models_dir: Path) -> None:
    digest = hashlib.sha256((models_dir / name).read_bytes()).hexdigest()
    assert digest in (models_dir / CARD).read_text(encoding="utf-8")


@pytest.fixture
def stages(models_dir: Path) -> dict[str, dict[str, str]]:
    """The stages of models/training.csv by name; shards of scenes are no stage."""
    with (models_dir / "training.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["stage"] != "scenes"]
    names = [row["stage"] for row in rows]
    assert len(set(names)) == len(names)
    return dict(zip(names, rows, strict=True))


@pytest.mark.parametrize("name", NETWORK_FILES)
def test_a_network_can_be_followed_back_to_scratch(
    name: str, stages: dict[str, dict[str, str]]
) -> None:
    waiting, followed = [name], set[str]()
    while waiting:
        stage = waiting.pop()
        followed.add(stage)
        before = set(stages[stage]["from"].split(" + "))
        waiting.extend(before - followed - {"scratch"})
    assert any(stages[stage]["from"] == "scratch" for stage in followed)


def test_every_stage_names_its_command(stages: dict[str, dict[str, str]], models_dir: Path) -> None:
    before = (
        "vision.training."  # where training/ stood when most stages ran; the model card says so
    )
    for stage in stages.values():
        python, module_option, module = stage["command"].split()[:3]
        assert (python, module_option) == ("python", "-m")
        file = (models_dir.parent / module.replace(".", "/")).with_suffix(".py")
        assert module.startswith(before) or file.is_file()
