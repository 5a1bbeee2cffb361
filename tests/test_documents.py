"""The documents name every setting, command and route, and stay short."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("screens", "web", "table", "store", "vision", "scoring")

DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "models/MODEL_CARD.md"]
}
OPERATIONS = DOCUMENTS["docs/operations.md"]
EVERYTHING = "\n".join(DOCUMENTS.values())


def sources(*folders: str) -> Iterator[str]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.read_text(encoding="utf-8")


INTERNAL = {"SETTEBELLO_LAN_ADDRESS", "SETTEBELLO_AUTHORITY"}
"""Set by the launcher for the app."""


def settings(*folders: str) -> set[str]:
    found = (re.findall(r"\bSETTEBELLO_[A-Z_]+", text) for text in sources(*folders))
    return set().union(*found) - INTERNAL


def test_documented_settings_match_the_code() -> None:
    used = settings(*PACKAGES)
    table = set(re.findall(r"^\| `(SETTEBELLO_\w+)` \|", OPERATIONS, re.MULTILINE))
    assert used == table


def test_every_setting_of_the_tests_is_documented() -> None:
    ours = {"SETTEBELLO_NGINX_REQUIRED", "SETTEBELLO_BROWSER_REQUIRED"}  # .ci/run sets them
    named = set(re.findall(r"\bSETTEBELLO_[A-Z_]+", DOCUMENTS["docs/testing.md"] + OPERATIONS))
    assert settings("tests", "benchmarks", "training") - ours <= named


def test_every_command_is_documented() -> None:
    subcommands = [name for text in sources("screens") for name in
                   re.findall(r'add_parser\(\s*"([\w-]+)"', text)]  # fmt: skip
    assert {"backup", "restore", "doctor"} <= set(subcommands)
    assert not [name for name in subcommands if f"settebello {name}" not in OPERATIONS]


def modules() -> Iterator[str]:
    """Yield what `python -m` runs."""
    for folder in (*PACKAGES, "training", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name == "__main__.py":
                yield ".".join(path.parent.relative_to(ROOT).parts)
            elif '\nif __name__ == "__main__"' in path.read_text(encoding="utf-8"):
                yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


def test_every_module_that_runs_is_documented() -> None:
    known = EVERYTHING + (ROOT / "Makefile").read_text(encoding="utf-8")
    known += (ROOT / "pyproject.toml").read_text(encoding="utf-8").replace(":main", "")
    assert not [name for name in modules() if not re.search(rf"\b{re.escape(name)}\b(?!\.)", known)]


def test_every_route_is_documented() -> None:
    paths = {path for text in sources("web") for path in re.findall(r'\bRoute\(\s*"([^"]+)"', text)}
    assert "/health" in paths
    assert not [path for path in paths if re.sub(r":\w+}", "}", path) not in OPERATIONS]


def test_every_target_of_the_makefile_is_explained() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    [phony] = re.findall(r"^\.PHONY:((?:.*\\\n)*.*)$", text, re.MULTILINE)
    targets = set(phony.replace("\\", " ").split()) - {"help", "force"}
    explained = re.findall(r"^#   make ([a-z -]+?)(?: {2,}|$)", text, re.MULTILINE)
    assert targets <= {word for words in explained for word in words.split()} | {"train-env"}


def test_every_link_within_the_documents_leads_somewhere() -> None:
    for name, text in DOCUMENTS.items():
        for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text):
            assert (ROOT / name).parent.joinpath(target).exists(), f"{name}: {target}"


@pytest.mark.models
@pytest.mark.slow
def test_the_library_works_as_the_readme_shows_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [code] = re.findall(r"```python\n(.*?)```", DOCUMENTS["README.md"], re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "settebello: Anna has 7d" in capsys.readouterr().out
