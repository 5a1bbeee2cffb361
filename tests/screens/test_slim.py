"""The screens need nothing of what the Dockerfile takes out of the image again."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys
left_out = set(sys.argv[1:])

class LeavesOut:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in left_out:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, LeavesOut())
sys.path[:0] = ["tests/screens", "tests"]
import app_driving
import playing
from screens import state
state.Store = playing.Store  # with short-hands, as conftest.py makes it
import uvicorn
from streamlit.web import cli
from streamlit.web.server.starlette import starlette_server

table = app_driving.open_table()
app_driving.record(table)
app_driving.lay(table, app_driving.ANNA, app_driving.BRUNO, hand_no=2)
for path in sorted((app_driving.ROOT / "screens" / "pages").glob("*.py")):
    if path.stem != "__init__":
        at = app_driving.app(path.stem, table=table.code, side=0)
        print(path.stem, *(one.value for one in at.exception), sep=":")
"""
"""Draws every screen; what is left out cannot be imported."""


def distributions() -> list[str]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    [line] = re.findall(r"pip uninstall --quiet --yes (.+?) pip", text)
    return str(line).split()


def modules() -> set[str]:
    """Return the names by which the distributions that are left out would be imported."""
    found = metadata.packages_distributions()
    named = {re.sub(r"[-_.]+", "-", name).lower() for name in distributions()}
    return {
        module
        for module, owners in found.items()
        if {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners} & named
    }


def test_every_screen_is_drawn_without_what_is_left_out() -> None:
    assert {"watchdog", "pydeck"} <= modules()
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *sorted(modules())],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    drawn = ran.stdout.split()
    assert "settle" in drawn
    assert not [line for line in drawn if ":" in line]
