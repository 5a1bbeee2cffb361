"""Names of sides as somebody typed them, and what is wrong with them."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.errors import ScoringError
from scoring.hand import name_key

MAX_LETTERS = 24
"""The longest name of a side: the board shows it beside a score."""

INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs of Unicode that show nothing, though they count as letters, signs or marks."""

MAX_MARKS = 3
"""Accents upon one letter: more of them would lie upon other lines."""


@dataclass(eq=False)
class NoNameError(ScoringError):
    """A side has no name: side `number`, counted from 1."""

    message = "expected a name for side {number}, got none: give it one"
    number: int


@dataclass(eq=False)
class LongNameError(ScoringError):
    """A name is too long; `name` is its start, `most` the letters that it may have."""

    message = "expected a name of {most} letters or fewer, got {name}: shorten it"
    name: str
    most: int = MAX_LETTERS


@dataclass(eq=False)
class SameNameError(ScoringError):
    """Two sides have the same name."""

    message = "expected different names, got {name!r} twice: change one of them"
    name: str


def clean_name(typed: str) -> str:
    r"""A name as it is kept: one space between words, none around them, nothing that hides.

    Signs that turn the direction of writing or are not seen go, and marks piled upon a letter.

    >>> clean_name("  Anna \t Maria\u200b "), clean_name("\u202eannA")
    ('Anna Maria', 'annA')
    """
    kept, marks = "", 0
    for sign in unicodedata.normalize("NFC", typed):
        category = unicodedata.category(sign)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if sign in INVISIBLE:
            continue
        if marks <= MAX_MARKS and (sign.isspace() or category[0] != "C"):
            kept += sign
    return " ".join(kept.split())


def checked_names(typed: Iterable[str]) -> tuple[str, ...]:
    """The names of the sides of a table as they are kept.

    Raises:
        NoNameError: One is empty.
        LongNameError: One is too long.
        SameNameError: Two are the same, whatever their capitals.

    >>> checked_names(["anna ", "Bruno"])
    ('anna', 'Bruno')
    >>> checked_names(["Anna", " anna"])
    Traceback (most recent call last):
    table.names.SameNameError: expected different names, got 'anna' twice: change one of them
    """
    names = tuple(map(clean_name, typed))
    for index, name in enumerate(names):
        if not name:
            raise NoNameError(index + 1)
        if len(name) > MAX_LETTERS:
            raise LongNameError(f"{name[:MAX_LETTERS]}…")
        if name_key(name) in map(name_key, names[:index]):
            raise SameNameError(name)
    return names
