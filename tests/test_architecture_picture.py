"""The picture of the house is as the code is."""

import importlib.util
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "docs" / "picture.py"


def test_the_picture_of_the_architecture_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("picture", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    drawn = module.PICTURE.read_text(encoding="utf-8")
    assert drawn == module.picture(), "run `make architecture` and look at the picture"
