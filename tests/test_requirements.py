"""The lock holds what pyproject.toml requires, with hashes, and no place to get it from."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {"app": ["build"], "postgres": ["build", "postgres"], "test": ["build", "test"]}
"""What each file holds beside what the app runs on."""


def locked(name: str) -> dict[str, list[str]]:
    """The versions of each distribution in a file; several where Pythons or systems differ."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for package, version in re.findall(
        r"^([\w.-]+)(?:\[[\w,-]+\])?==([^ ;\\]+)", text, re.MULTILINE
    ):
        found.setdefault(canonicalize_name(package), []).append(version)
    return found


@pytest.mark.parametrize("name", EXTRAS)
def test_the_lock_holds_what_is_required(name: str) -> None:
    versions = locked(name)
    lines = [*PROJECT["dependencies"]]
    for extra in EXTRAS[name]:
        lines += PROJECT["optional-dependencies"][extra]
    for requirement in map(Requirement, lines):
        found = versions.get(canonicalize_name(requirement.name), [])
        assert found, f"{requirement.name} is not in requirements/{name}.txt: make upgrade"
        assert all(requirement.specifier.contains(version) for version in found), requirement.name


@pytest.mark.parametrize("name", [*EXTRAS, "uv"])
def test_every_distribution_has_hashes_and_no_place_is_named(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^(-|    --(?!hash=sha256:))", text, re.MULTILINE)
    entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert entries
    assert not [entry for entry in entries if "--hash=sha256:" not in entry]


def test_the_app_runs_on_what_it_is_tested_on() -> None:
    tested = locked("test")
    for name in ("app", "postgres"):
        assert locked(name).items() <= tested.items()


@pytest.mark.parametrize(
    ("has_uv", "of_uv", "expected"),
    [
        (True, 0, ["uv -r app.txt"]),
        (True, 2, ["uv -r app.txt", "pip -r app.txt"]),
        (False, 0, ["pip -r uv.txt", "pip -r app.txt"]),
    ],
    ids=["uv", "uv finds no index", "no uv"],
)
def test_pip_installs_what_uv_cannot(
    has_uv: bool,
    of_uv: int,
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def run(command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        by = "uv" if command[0].endswith("uv") else "pip"
        asked.append(f"{by} -r {Path(command[-1]).name}")
        return subprocess.CompletedProcess(command, of_uv if by == "uv" else 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    if has_uv:
        (tmp_path / "uv").touch()
    main = runpy.run_path(str(ROOT / "requirements" / "install.py"))["main"]
    assert main(["-r", "app.txt"]) == 0
    assert asked == expected


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process has all groups")
@pytest.mark.xdist_group("a group")
def test_tests_of_a_group_meet_in_one_worker(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@a group"), "pytest-xdist knows this pytest's names"
