"""The house style, as far as a program can see it: who imports whom, and how long things are."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = frozenset(sys.stdlib_module_names)
TRAINING_ONLY = frozenset({"torch", "torchvision", "ultralytics", "onnx", "onnxslim", "matplotlib"})
"""Kept out of the runtime: these install gigabytes."""

MAX_MODULE, MAX_FUNCTION = 300, 40
VAGUE = frozenset({"utils", "util", "common", "helpers", "core", "misc"})

ARROWS: tuple[tuple[str, frozenset[str]], ...] = (
    # The first line that fits a module says what it may import beside the standard library.
    ("scoring.store", frozenset({"scoring", "sqlalchemy", "alembic"})),
    ("scoring", frozenset({"scoring"})),
    (
        "vision.training",
        TRAINING_ONLY | {"vision", "scoring", "assets", "cv2", "numpy", "scipy", "PIL", "yaml"},
    ),
    (
        "vision",
        frozenset({"vision", "scoring.cards", "cv2", "numpy", "scipy", "PIL", "pillow_heif"}),
    ),
    (
        "app_pages",
        frozenset(
            {
                "app_pages",
                "assets",
                "vision",
                "scoring",
                "streamlit",
                "psutil",
                "segno",
                "cv2",
                "numpy",
                "PIL",
            }
        ),
    ),
    ("assets", frozenset({"assets", "scoring.cards", "cv2", "numpy", "PIL", "resvg_py"})),
    ("app", frozenset({"app_pages", "vision", "scoring", "streamlit"})),
)
NEVER: tuple[tuple[str, str], ...] = (
    # ... apart from these.
    ("scoring", "scoring.store"),
    ("vision", "vision.training"),
    ("app_pages", "vision.training"),
    ("app", "vision.training"),
)


def modules() -> dict[str, Path]:
    """Dotted name -> file of every module of ours."""
    found = {"app": ROOT / "app.py"}
    for package in ("scoring", "vision", "app_pages", "assets"):
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
    text = "def f():\n    import torch\n    from scoring import store\n    import_module('cv2')\n"
    assert set(imports(ast.parse(text))) == {"torch", "scoring.store", "cv2"}


@pytest.mark.parametrize(
    ("name", "imported", "expected"),
    [
        ("scoring.rules", "json", False),
        ("scoring.rules", "scoring.cards", False),
        ("scoring.rules", "scoring.store", True),
        ("scoring.rules", "numpy", True),
        ("scoring.store.hands", "sqlalchemy.orm", False),
        ("scoring.store.hands", "scoring.store.schema", False),
        ("scoring.store", "streamlit", True),
        ("vision.reader", "scoring.cards", False),
        ("vision.reader", "scoring.piles", True),
        ("vision.reader", "torch", True),
        ("vision.reader", "vision.training.scene", True),
        ("vision.training.scene", "ultralytics", False),
        ("app_pages.review", "scoring.store", False),
        ("app_pages.review", "sqlalchemy", True),
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
        (
            "scoring",
            "scoring.store",
            "cv2 numpy scipy PIL sqlalchemy alembic streamlit vision",
        ),
        ("vision", "vision.training", "torch ultralytics onnx sqlalchemy streamlit app_pages"),
    ],
)
def test_a_package_loads_nothing_heavy(package: str, without: str, banned: str) -> None:
    names = [
        name
        for name in MODULES
        if under(name, package) and not under(name, without) and not name.endswith("__main__")
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


def fields(tree: ast.Module) -> Iterator[tuple[str, ast.stmt | None]]:
    """Public constants, fields and enum members, each with the statement after it."""
    bodies: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    bodies += [(f"{n.name}.", n.body) for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    for owner, body in bodies:
        for node, following in zip(body, [*body, None][1:], strict=True):
            if isinstance(node, ast.Assign):
                target = node.targets[0]
            elif isinstance(node, ast.AnnAssign):
                target = node.target
            else:
                continue
            if not isinstance(target, ast.Name) or target.id.startswith("_"):
                continue
            if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "staticmethod":
                continue  # a method taken over from elsewhere
            if owner or target.id.isupper():
                yield owner + target.id, following


def is_docstring(node: ast.stmt | None) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


@pytest.mark.parametrize("name", [name for name in MODULES if "migrations" not in name])
def test_constants_fields_and_members_say_what_they_are(name: str) -> None:
    silent = [field for field, following in fields(tree_of(name)) if not is_docstring(following)]
    assert not silent, f"{name}: no docstring line under {', '.join(silent)}"


def test_the_ear_is_the_only_fragment() -> None:
    """A fragment that draws may leave on the screen what it no longer draws (docs/decisions.md)."""
    fragments = [
        name
        for name, path in modules().items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "fragment"
    ]
    assert fragments == ["app_pages.frame"]


def test_modules_have_telling_names() -> None:
    assert not [name for name in MODULES if VAGUE & set(name.split("."))]


def test_the_layout_has_no_trap() -> None:
    assert not (ROOT / "pages").exists(), "Streamlit would discover pages/ by itself"
    assert not list((ROOT / "tests").rglob("__init__.py")), "would shadow the real packages"
