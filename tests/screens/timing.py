"""Figures of the screens: measured over several runs, held against a limit, printed as a table."""

import math
import os
import platform
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median

from app_driving import ROOT

RUNS = int(os.environ.get("SETTEBELLO_RUNS", "1"))
"""How often each thing is measured."""

ON_A_BUSY_MACHINE = 6.0
"""How much longer than its limit a thing may take where other work is done beside it."""


@dataclass(frozen=True)
class Figures:
    """What was measured so far, a row each."""

    rows: list[tuple[str, ...]] = field(default_factory=list)

    def seconds(self, what: str, measured: Sequence[float], *, most: float) -> None:
        """Add how long something took, and fails where that is far from the limit."""
        ordered = sorted(measured)
        middle, p95 = median(ordered), ordered[math.ceil(0.95 * len(ordered)) - 1]
        times = (f"{one:.2f}" for one in (middle, p95, ordered[-1]))
        self.rows.append((f"{what}, s", *times, f"{most:g}", str(len(ordered))))
        assert middle <= ON_A_BUSY_MACHINE * most, what

    def count(self, what: str, measured: Sequence[int], *, most: int) -> None:
        """Add how many of something there were, and fails where one run had more."""
        middle, worst = f"{median(measured):g}", max(measured)
        self.rows.append((what, middle, "", str(worst), str(most), str(len(measured))))
        assert worst <= most, what

    def table(self, browser: str) -> str:
        """Return the rows in columns, below the machine and the versions."""
        lines = [("", "median", "95%", "most", "limit", "runs"), *self.rows]
        wide = [max(len(line[at]) for line in lines) for at in range(6)]
        text = (
            "  ".join(
                cell.rjust(width) if at else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(line, wide, strict=True))
            )
            for line in lines
        )
        return "\n".join([machine(browser), *text])


MEASURED = Figures()
"""The figures of this run of the tests."""


def machine(browser: str) -> str:
    """Return the processor, its cores, and the versions of what was measured with."""
    about = Path("/proc/cpuinfo")
    named = [
        line.partition(": ")[2]
        for line in (about.read_text(encoding="utf-8").splitlines() if about.exists() else ())
        if line.startswith("model name")
    ]
    processor = named[0] if named else platform.machine()
    python = ".".join(map(str, sys.version_info[:3]))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()}; Settebello "
        f"{project['version']}, Python {python}, Streamlit {version('streamlit')}, "
        f"ONNX Runtime {version('onnxruntime')}, Chromium {browser}"
    )
