"""How the tests of the screens get the season that docs/season.py makes up."""

import importlib.util
from pathlib import Path
from types import ModuleType

FILE = Path(__file__).resolve().parents[2] / "docs" / "season.py"


def made_up() -> ModuleType:
    """The module that makes a season up."""
    spec = importlib.util.spec_from_file_location("season", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
