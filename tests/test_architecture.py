"""The house style, as far as a program can see it: who imports whom, and how long things are."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = frozenset(sys.stdlib_module_names)
TRAINING_ONLY = frozenset({"torch", "torchvision", "ultralytics", "onnx", "onnxslim", "matplotlib"})
"""Kept out of the runtime: these install gigabytes."""

MAX_MODULE, MAX_FUNCTION, MAX_FOLDER = 400, 40, 15
"""Lines of a module, lines of a function, modules of a folder (its front door aside)."""
VAGUE = frozenset({"utils", "util", "common", "helpers", "core", "misc"})

PICTURES = frozenset({"cv2", "numpy", "PIL"})
"""What reads, holds and draws pictures."""

ARROWS: tuple[tuple[str, frozenset[str]], ...] = (
    # The first line that fits a module says what it may import beside the standard library.
    ("scoring", frozenset({"scoring"})),
    (
        "vision.training",
        TRAINING_ONLY | PICTURES | {"vision", "scoring", "assets", "scipy", "yaml"},
    ),
    (
        "vision",
        PICTURES
        | {"vision", "scoring.cards", "scoring.errors", "scoring.command_line"}
        | {"scoring.locale", "scipy", "pillow_heif", "simplejpeg", "onnxruntime"},
    ),
    (
        "table.store",
        frozenset({"table.store", "scoring", "sqlalchemy", "alembic"})
        | {"psycopg", "psycopg_pool", "procrastinate"},
    ),
    ("table", frozenset({"table", "scoring", "vision"})),
    (
        "door",
        frozenset(
            {"door", "table", "scoring", "vision.errors", "vision.reading", "anyio", "starlette"}
        )
        | {"sse_starlette", "itsdangerous", "limits", "prometheus_client", "psutil"},
    ),
    (
        "screens",
        PICTURES
        | {"screens", "door.guard", "door.health", "door.lending", "door.logs", "door.metrics"}
        | {"door.passes", "door.readers"}
        | {"table", "scoring"}
        | {"vision", "assets", "streamlit", "babel", "markupsafe", "altair"}
        | {"psutil", "segno", "click"},
    ),
    ("assets", PICTURES | {"assets", "scoring.cards", "resvg_py"}),
    ("app", frozenset({"screens", "door", "scoring.errors", "starlette", "streamlit"})),
    (
        "load",  # speaks to a server as a browser does
        frozenset({"load", "table", "scoring", "sqlalchemy", "httpx2", "psutil", "websockets"})
        | {"streamlit.proto", "door.deliveries", "door.passes", "door.readers"},
    ),
)
NEVER: tuple[tuple[str, str], ...] = (
    # ... apart from these.
    ("vision", "vision.training"),
    ("table", "vision.training"),
    ("screens", "vision.training"),
    ("table", "vision.networks"),
    ("table", "vision.geometry"),
    ("table", "vision.verdicts"),
    ("screens", "vision.networks"),
    ("screens", "vision.geometry"),
    ("screens", "vision.verdicts"),
)
PACKAGES = ("scoring", "vision", "table", "door", "screens", "assets", "load")
"""The floors of the house, the drawing of the cards, and what tries how much the house carries."""


def modules() -> dict[str, Path]:
    """Dotted name -> file of every module of ours."""
    found = {"app": ROOT / "app.py"}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
every_module = pytest.mark.parametrize("name", MODULES)


def tree_of(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def under(name: str, package: str) -> bool:
    """Whether a dotted name is the package or lies in it."""
    return name == package or name.startswith(package + ".")


def imported_by_call(node: ast.Call) -> Iterator[str]:
    called = (
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    )
    if called in {"import_module", "__import__"} and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value


def imports(tree: ast.Module) -> Iterator[str]:
    """Every module imported anywhere in a file: nested, and by import_module("...") too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield inner if inner in MODULES else module
        elif isinstance(node, ast.Call):
            yield from imported_by_call(node)


def forbidden(name: str, imported: str) -> bool:
    allowed = next(allowed for package, allowed in ARROWS if under(name, package))
    if any(
        under(name, package) and under(imported, banned) and not under(name, banned)
        for package, banned in NEVER
    ):
        return True
    if imported.split(".", maxsplit=1)[0] in STANDARD:
        return False
    return not any(under(imported, package) for package in allowed)


def test_the_walk_sees_nested_and_dynamic_imports() -> None:
    text = "def f():\n    import torch\n    from table import store\n    import_module('cv2')\n"
    assert set(imports(ast.parse(text))) == {"torch", "table.store", "cv2"}


@pytest.mark.parametrize(
    ("name", "imported", "expected"),
    [
        ("scoring.rules.rules", "json", False),
        ("scoring.rules.rules", "scoring.cards", False),
        ("scoring.rules.rules", "table.store", True),
        ("scoring.rules.rules", "numpy", True),
        ("table.store.hands", "sqlalchemy.orm", False),
        ("table.store.hands", "table.store.schema", False),
        ("table.store.hands", "table.sitting", True),
        ("table.sitting", "table.store", False),
        ("table.sitting", "sqlalchemy", True),
        ("table.sitting", "streamlit", True),
        ("table.photos", "cv2", True),
        ("table.photos", "vision.networks.locate", True),
        ("vision.reader", "scoring.cards", False),
        ("vision.reader", "scoring.piles", True),
        ("vision.reader", "torch", True),
        ("vision.reader", "vision.training.scenes.scene", True),
        ("vision.training.scenes.scene", "ultralytics", False),
        ("screens.pages.review", "table.store", False),
        ("screens.pages.review", "sqlalchemy", True),
        ("app", "table.store", True),
    ],
)
def test_the_arrows_allow_and_forbid(name: str, imported: str, expected: bool) -> None:
    assert forbidden(name, imported) is expected


@every_module
def test_imports_follow_the_arrows(name: str) -> None:
    wrong = [imported for imported in imports(tree_of(name)) if forbidden(name, imported)]
    assert not wrong, f"{name} may not import {', '.join(wrong)}"


@pytest.mark.parametrize(
    ("package", "without", "banned"),
    [
        ("scoring", "", "cv2 numpy scipy PIL sqlalchemy alembic streamlit vision table"),
        ("vision", "vision.training", "torch ultralytics onnx sqlalchemy streamlit screens table"),
        ("table", "", "torch ultralytics onnx streamlit screens"),
    ],
)
def test_a_package_loads_nothing_heavy(package: str, without: str, banned: str) -> None:
    names = [
        name
        for name in MODULES
        if under(name, package)
        and not (without and under(name, without))
        and not name.endswith(("__main__", "migrations.env"))
        and ".versions." not in name
    ]
    program = (
        f"import importlib, sys\nfor name in {names}: importlib.import_module(name)\n"
        f"print(*(set({banned.split()}) & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []


@every_module
def test_a_module_stays_short(name: str) -> None:
    lines = len(MODULES[name].read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_MODULE, f"{name} has {lines} lines: split it by its nouns"


FOLDERS = sorted({path.parent for path in MODULES.values() if path.parent != ROOT})
every_folder = pytest.mark.parametrize(
    "folder",
    [f for f in FOLDERS if "migrations" not in f.parts],
    ids=lambda folder: ".".join(folder.relative_to(ROOT).parts),
)


def rooms(folder: Path) -> list[str]:
    """What stands in a folder, by name: its modules (the front door aside) and its packages."""
    modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    packages = [path.parent.name for path in folder.glob("*/__init__.py")]
    return sorted(modules + packages)


@every_folder
def test_a_folder_stays_small(folder: Path) -> None:
    found = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    assert len(found) <= MAX_FOLDER, f"{len(found)} modules: give some of them a folder"


def needs_within(folder: Path) -> dict[str, set[str]]:
    """For each room of a folder: the rooms beside it that it imports anything from."""
    package = ".".join(folder.relative_to(ROOT).parts)
    needs: dict[str, set[str]] = {room: set() for room in rooms(folder)}
    for name in MODULES:
        if not name.startswith(package + "."):
            continue
        room = name.removeprefix(package + ".").split(".")[0]
        for imported in imports(tree_of(name)):
            if imported.startswith(package + "."):
                other = imported.removeprefix(package + ".").split(".")[0]
                if other != room and other in needs and room in needs:
                    needs[room].add(other)
    return needs


@every_folder
def test_no_rooms_of_a_folder_import_one_another_in_a_circle(folder: Path) -> None:
    left = needs_within(folder)
    while free := [room for room, needed in left.items() if not needed & left.keys()]:
        for room in free:
            del left[room]
    tied = {room: sorted(needed & left.keys()) for room, needed in left.items()}
    assert not left, f"a circle runs through {tied}"


@every_folder
def test_the_front_door_names_its_rooms_in_the_order_of_the_data(folder: Path) -> None:
    """Each room is named after all that it imports: data flows through them from top to bottom."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    listed = re.findall(r"^(?:\d+\.|-) +((?:`\w+`(?:, )?)+)", text, flags=re.MULTILINE)
    named = [name for line in listed for name in re.findall(r"`(\w+)`", line)]
    expected = [room for room in rooms(folder) if room not in {"__main__", "migrations"}]
    assert sorted(named) == expected
    for room, needed in needs_within(folder).items():
        late = [n for n in needed if room in named and named.index(n) > named.index(room)]
        assert not late, f"`{room}` uses {', '.join(late)}, which the docstring names after it"


@every_module
def test_a_function_stays_short(name: str) -> None:
    long = [
        f"{node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION
    ]
    assert not long, f"{name}: {', '.join(long)}"


def test_no_screen_is_a_fragment() -> None:
    """A fragment that draws may leave on the screen what it no longer draws (docs/decisions.md)."""
    fragments = [
        name
        for name, path in modules().items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "fragment"
    ]
    assert fragments == []


def test_modules_have_telling_names() -> None:
    assert not [name for name in MODULES if VAGUE & set(name.split("."))]


def test_the_layout_has_no_trap() -> None:
    assert not (ROOT / "pages").exists(), "Streamlit would discover pages/ by itself"
    assert not list((ROOT / "tests").rglob("__init__.py")), "would shadow the real packages"
