"""No sentence stands in the code of the screens: all of them stand in the catalogues.

Left out are the commands, whose texts are for whoever runs the computer, and the tool
that compiles the catalogues.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_driving import ROOT

NOT_SCREENS = {"command.py", "doctor.py", "launch.py", "reader.py", "renew.py"}
SCREEN_CODE = [p for p in sorted((ROOT / "screens").rglob("*.py")) if p.name not in NOT_SCREENS]

TWO_WORDS = re.compile(r"[^\W\d_]{2,},? [^\W\d_]{2,}")
SENTENCE_START = re.compile(r"[A-Z][a-z]{2,}\b")
LETTER = re.compile(r"[^\W\d_]")
TAG_OR_FIELD = re.compile(r"<[^>]*>|\{[^}]*\}")
SPOKEN_ATTRIBUTE = re.compile(r'(?:aria-label|alt|title|placeholder)="([^"]*)"')
SPOKEN_ARGUMENTS = {"label", "help", "placeholder", "body", "caption", "title", "text"}
EXAMPLES = {"K7QF", "Settebello"}
"""A table's code as an example, and the name of the app."""


def docstrings(tree: ast.Module) -> set[ast.expr]:
    """Every text that stands by itself, as a docstring does."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def outside_calls(node: ast.expr) -> Iterator[str]:
    """The texts of an expression that no call inside it takes: `say("key")` takes its key."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Call):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from outside_calls(child)


def templates(tree: ast.Module) -> Iterator[str]:
    """The HTML that is written in the code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Markup" and node.args:
            yield from outside_calls(node.args[0])


def spoken_arguments(tree: ast.Module) -> Iterator[str]:
    """The texts that Streamlit is given to show."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).startswith("st."):
            continue
        if "component" in ast.unparse(node.func):
            continue
        for argument in node.args[:1]:
            yield from outside_calls(argument)
        for keyword in node.keywords:
            if keyword.arg in SPOKEN_ARGUMENTS:
                yield from outside_calls(keyword.value)


def literals(code: str) -> list[str]:
    """The sentences and words for people that stand in a module."""
    tree = ast.parse(code)
    quiet = docstrings(tree)
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in quiet
    ]
    found = [
        text
        for text in texts
        if TWO_WORDS.search(TAG_OR_FIELD.sub("|", text)) or SENTENCE_START.match(text)
    ]
    for template in templates(tree):
        shown = [TAG_OR_FIELD.sub("", template)]
        shown += [TAG_OR_FIELD.sub("", said) for said in SPOKEN_ATTRIBUTE.findall(template)]
        found += [text for text in shown if LETTER.search(text)]
    found += [text for text in spoken_arguments(tree) if LETTER.search(text)]
    return [text for text in found if text not in EXAMPLES]


@pytest.mark.parametrize("path", SCREEN_CODE, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_sentence_stands_in_the_code(path: Path) -> None:
    assert not literals(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "code",
    [
        'st.button("Play")',
        'st.button("play")',
        'st.button(f"{n} cards")',
        'st.button(say("yes"), help="tap")',
        'st.button("a" if odd else say("yes"))',
        'Markup("<b>won</b>")',
        "Markup('<img alt=\"QR {}\">')",
        'titles = {"home": "Home"}',
        'note = "tap the cards"',
        'note = f"{n} to go"',
    ],
)
def test_a_sentence_in_the_code_is_found(code: str) -> None:
    assert literals(code)


@pytest.mark.parametrize(
    "code",
    [
        'st.button(say("yes"), key="yes")',
        "Markup('<b class=\"wide {}\">{}</b>')",
        '"""A sentence."""',
    ],
)
def test_what_nobody_reads_may_stand_in_the_code(code: str) -> None:
    assert not literals(code)
