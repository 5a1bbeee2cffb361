"""What models/ says of itself is true."""

import hashlib
from pathlib import Path

import pytest

CARD = "MODEL_CARD.md"


@pytest.mark.models
@pytest.mark.parametrize("name", ["locate.onnx", "refine.onnx", "identify.onnx", "index.onnx"])
def test_the_model_card_names_the_network_that_lies_beside_it(name: str, models_dir: Path) -> None:
    digest = hashlib.sha256((models_dir / name).read_bytes()).hexdigest()
    assert digest in (models_dir / CARD).read_text(encoding="utf-8")
