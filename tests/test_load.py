"""The load of `make load`, in short, and servers that are killed: no error, and nothing is lost."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.models
def test_tables_in_play_lead_to_no_error() -> None:
    command = [sys.executable, "-m", "locust", "--config", "benchmarks/locust.conf"]
    short = ["--tables", "3", "--run-time", "15s", "--play-pause", "0.5", "--photo-pause", "5"]
    ran = subprocess.run(
        [*command, *short, "--limit", "30"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    report = ran.stdout + ran.stderr
    assert ran.returncode == 0, report[-3000:]
    counts = {
        name: int(n)
        for name, n in re.findall(r"^\w+ +(\w[\w ]*?) {3,}(\d+) ", report, re.MULTILINE)
    }
    for name in ("scopa", "card", "photo", "confirm", "fragment", "a tap is on a board"):
        assert counts[name], f"no {name}: {report[-3000:]}"


@pytest.mark.long
@pytest.mark.slow
def test_killed_servers_lose_nothing_and_count_nothing_twice() -> None:
    command = [sys.executable, "-m", "benchmarks.kills", "--kills", "3"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    taps, photos, faults = map(int, re.findall(r"(\d+) (?:taps|photos|faults)", ran.stdout))
    assert taps
    assert photos
    assert not faults
