"""Names of sides: cleaned and checked as users type them."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.errors import ScoringError
from scoring.hand import name_key

MAX_LETTERS = 24
"""The longest name of a side: the board shows it next to a score."""

INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that show nothing, although Unicode counts them as letters, symbols or marks."""

JOINERS = "\u200c\u200d"
"""The zero width non-joiner and joiner."""

PICTOGRAPH = re.compile("[\u2190-\u27ff\u2900-\u2bff\U0001f000-\U0001faff]")
"""Arrows, symbols and emojis, and the skin and hair colours that modify emojis."""

JOINED_LETTER = re.compile("[\u0600-\u074f\u0750-\u077f\u0860-\u08ff\u0900-\u0dff]")
"""A character of Arabic (also Persian and Urdu), Syriac, or an Indic script."""

VIRAMA = 9
"""Unicode's combining class of the sign that removes the vowel of an Indic letter."""

FLAG_TAGS = re.compile("(?<=\U0001f3f4)[\U000e0020-\U000e007e]{1,6}\U000e007f")
"""The tags after a black flag, which make it the flag of a region such as Scotland."""

MAX_MARKS = 3
"""The most accents on one letter: more would cover other lines."""


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
    r"""Return a name as it is stored: single spaces between words, and nothing hidden.

    Characters that turn the direction of text or show nothing are removed, and so are marks that
    pile up on a letter. Joiners stay where they change how a name looks: between emojis, and in
    Arabic and Indic words. The tags of a flag stay too.

    >>> clean_name("  Anna \t Maria\u200b "), clean_name("\u202eannA")
    ('Anna Maria', 'annA')
    >>> [len(clean_name(name)) for name in ("An\u200dna", "\U0001f469\u200d\U0001f680")]
    [4, 3]
    """
    cleaned = typed
    while (again := _cleaned(cleaned)) != cleaned:  # what is removed may let marks change places
        cleaned = again
    return cleaned


def _cleaned(text: str) -> str:
    """Return a text without what is hidden in it, and with its marks in the order of Unicode."""
    text = unicodedata.normalize("NFC", text)
    tags = {place for found in FLAG_TAGS.finditer(text) for place in range(*found.span())}
    kept, marks = "", 0
    for place, sign in enumerate(text):
        category = unicodedata.category(sign)
        hides = sign in INVISIBLE or (category[0] == "C" and not sign.isspace())
        is_joiner = sign in JOINERS and _joins(sign, kept[-2:], text[place + 1 : place + 2])
        if hides and not is_joiner and place not in tags:
            continue
        if not is_joiner:
            marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks <= MAX_MARKS:
            kept += sign
    return " ".join(kept.split())


def _joins(joiner: str, before: str, after: str) -> bool:
    """Return whether a joiner changes how the text around it looks."""
    last = before[-1:]
    if last and unicodedata.combining(last) == VIRAMA:
        return True
    if JOINED_LETTER.match(last) and JOINED_LETTER.match(after):
        return unicodedata.category(after)[0] == "L" or unicodedata.combining(after) == VIRAMA
    pictograph = before.removesuffix("\ufe0f")[-1:]
    return joiner == "\u200d" and all(map(PICTOGRAPH.match, (pictograph, after)))


def checked_names(typed: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the sides of a table as they are stored.

    Raises:
        NoNameError: A name is empty.
        LongNameError: A name is too long.
        SameNameError: Two names differ in nothing but capitals, spaces or joiners.

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
