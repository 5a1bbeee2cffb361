"""What is loaded before anybody has sent a photo: the first screen must not wait for it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("scipy", "onnxruntime")
"""Packages that only reading a photo needs."""


def loaded_after(module: str) -> set[str]:
    """Return the heavy packages that a fresh process has loaded once a module is imported."""
    told = f"import sys, {module}; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return {name for name in HEAVY if f"'{name}'" in done.stdout}


@pytest.mark.parametrize("module", ["vision.reader", "screens.state", "web.routes"])
@pytest.mark.slow
def test_reading_is_loaded_when_a_photo_comes(module: str) -> None:
    assert loaded_after(module) == set()


def test_what_is_loaded_is_noticed() -> None:
    assert loaded_after("scipy") == {"scipy"}
