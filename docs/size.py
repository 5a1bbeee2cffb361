"""Measures what `pip install .` brings: `python -m docs.size [--without FILE]`.

It installs into a new environment, which it deletes afterwards, and prints seconds, megabytes for
each distribution and what each is for: the comment beside it in pyproject.toml, or who asks for it.
With `--without docs/unused.txt` the distributions that a file names are taken out again first, as
the Dockerfile does it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

OURS = "settebello"
"""The distribution itself."""


def needed(name: str = OURS) -> dict[str, set[str]]:
    """Every distribution that one needs, itself too, with the names of those that ask for it.

    It follows what is installed beside this Python.
    """
    asked_by: dict[str, set[str]] = {canonicalize_name(name): set()}
    waiting: list[str] = [canonicalize_name(name)]
    while waiting:
        asker = waiting.pop()
        for other in _requires(asker):
            if other not in asked_by:
                asked_by[other] = set()
                waiting.append(other)
            asked_by[other].add(asker)
    return asked_by


def _requires(name: str) -> Iterator[str]:
    """The distributions that one needs on this machine, extras left out."""
    for line in metadata.requires(name) or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield canonicalize_name(requirement.name)


def reasons() -> dict[str, str]:
    """What each of our own dependencies is for, by the comments of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.split("\ndependencies = [", 1)[1].split("\n]", 1)[0]
    found = re.findall(r'^ +"([\w-]+)[^"]*", *# (.*)$', block, flags=re.MULTILINE)
    return {canonicalize_name(name): reason for name, reason in found}


def megabytes(name: str) -> float:
    """The size on disk of what a distribution installed, compiled Python included."""
    files = metadata.files(name) or ()
    paths = {Path(str(file.locate())) for file in files}
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def measured() -> dict[str, dict[str, object]]:
    """Megabytes and askers of every distribution that we need, installed beside this Python."""
    return {
        name: {
            "mb": megabytes(name),
            "version": metadata.version(name),
            "asked_by": sorted(askers),
        }
        for name, askers in needed().items()
        if _is_installed(name)
    }


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def table(found: Mapping[str, Mapping[str, object]]) -> str:
    """The table as Markdown, the largest first."""
    known = reasons() | {OURS: "the app, its networks and samples"}
    rows = sorted(found.items(), key=lambda item: -float(str(item[1]["mb"])))
    lines = ["| MB | distribution | for |", "|---:|---|---|"]
    for name, row in rows:
        asked_by = row["asked_by"]
        askers = ", ".join(map(str, asked_by)) if isinstance(asked_by, list) else ""
        reason = known.get(name, f"asked for by {askers}")
        lines.append(f"| {float(str(row['mb'])):.1f} | {name} {row['version']} | {reason} |")
    total = sum(float(str(row["mb"])) for row in found.values())
    return "\n".join([*lines, f"| **{total:.0f}** | together | |"])


def main() -> None:
    """Installs, measures, prints."""
    parser = argparse.ArgumentParser(description="Measures what `pip install .` brings.")
    parser.add_argument("--without", type=Path, help="file of distributions to take out again")
    parser.add_argument("--installed", action="store_true", help="print this environment as JSON")
    options = parser.parse_args()
    if options.installed:
        print(json.dumps(measured()))
        return
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder, "bin", "python")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        began = time.monotonic()
        subprocess.run([*pip, "install", str(ROOT)], check=True)
        seconds = time.monotonic() - began
        if options.without is not None:
            subprocess.run([*pip, "uninstall", "--yes", "-r", options.without], check=True)
        program = [str(python), str(Path(__file__)), "--installed"]
        told = subprocess.run(program, check=True, capture_output=True, text=True, cwd=folder)
    print(table(json.loads(told.stdout)))
    print(f"\nInstalled in {seconds:.0f} s.")


if __name__ == "__main__":
    main()
