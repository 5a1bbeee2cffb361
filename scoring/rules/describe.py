"""A rule set told in sentences, so that a table can see what it plays by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum

from scoring.rules.rule_words import RULE_WORDS
from scoring.rules.rules import Rules
from scoring.words import say

_PRIME_ONLY = frozenset({"faces", "missing_suit"})
"""Settings that matter only where a prime is added up."""


def describe(rules: Rules, *, lang: str = "en") -> tuple[str, ...]:
    """What a rule set plays, one sentence a setting; points not played are left out.

    >>> describe(Rules())[0]
    'a card takes one of its value; a set adding up to it only where there is none'
    """
    return tuple(_sentences(rules, lang))


def _sentences(rules: Rules, lang: str) -> Iterator[str]:
    """The sentences, in the order of the settings."""
    for setting in fields(rules):
        given = getattr(rules, setting.name)
        key = f"rule.{setting.name}"
        if isinstance(given, StrEnum):
            key = f"{key}.{given.value}"
        elif isinstance(given, bool) or not given:
            key = f"{key}.{'yes' if given else 'no'}"
        if key in RULE_WORDS and not _silent(rules, setting.name):
            yield say(key, lang, figure=_shown(given))


def _silent(rules: Rules, name: str) -> bool:
    """Whether a setting says nothing under the others."""
    if name == "primiera_form":
        return not rules.primiera
    return name in _PRIME_ONLY and not (rules.primiera and rules.primiera_form.value == "prime")


def _shown(given: object) -> str:
    """A setting's value as it stands in a sentence."""
    if isinstance(given, tuple):
        return ", ".join(f"{sides} x {players}" for sides, players in given)
    return str(given)
