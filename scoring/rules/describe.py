"""A rule set told in sentences, so that a table can see what it plays by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from types import MappingProxyType

from scoring.locale import mark, say
from scoring.rules.choices import PrimieraForm
from scoring.rules.rules import Rules

KEYS = frozenset(
    {
        mark("rule.captures.single-first"),
        mark("rule.captures.free"),
        mark("rule.captures.fifteen"),
        mark("rule.captures.value-or-fifteen"),
        mark("rule.forced.never"),
        mark("rule.forced.same-rank"),
        mark("rule.forced.always"),
        mark("rule.aces.sweep"),
        mark("rule.aces.sweep-scopa"),
        mark("rule.ace_takes_ace.yes"),
        mark("rule.last_card_scopa.yes"),
        mark("rule.last_card_scopa.no"),
        mark("rule.void_kings"),
        mark("rule.hand_cards"),
        mark("rule.table_cards"),
        mark("rule.table_cards.no"),
        mark("rule.clockwise.yes"),
        mark("rule.clockwise.no"),
        mark("rule.seatings"),
        mark("rule.scopa"),
        mark("rule.ponino.yes"),
        mark("rule.carte"),
        mark("rule.carte_needed"),
        mark("rule.denari"),
        mark("rule.denari_needed"),
        mark("rule.settebello"),
        mark("rule.primiera"),
        mark("rule.primiera.no"),
        mark("rule.primiera_form.sevens"),
        mark("rule.primiera_form.settanta"),
        mark("rule.faces.10"),
        mark("rule.faces.0"),
        mark("rule.faces.10/9/8"),
        mark("rule.missing_suit.cannot-score"),
        mark("rule.missing_suit.adds-nothing"),
        mark("rule.missing_suit.loses-to-complete"),
        mark("rule.most_sevens"),
        mark("rule.all_sevens"),
        mark("rule.settanta"),
        mark("rule.napola.yes"),
        mark("rule.re_bello"),
        mark("rule.trente.yes"),
        mark("rule.piccola.yes"),
        mark("rule.grande"),
        mark("rule.frac"),
        mark("rule.declared.yes"),
        mark("rule.target"),
        mark("rule.end.highest"),
        mark("rule.end.last-hand"),
        mark("rule.end.counted"),
        mark("rule.sudden_death.yes"),
        mark("rule.cappotto"),
        mark("rule.all_coins_win.yes"),
        mark("rule.napola_wins.yes"),
        mark("rule.trente_wins.yes"),
        mark("rule.perdere.yes"),
    }
)
"""The keys of the sentences: rule.SETTING.CHOICE, rule.SETTING.yes or .no, or rule.SETTING.

A setting that has no key says nothing."""

_PRIME_ONLY = frozenset({"faces", "missing_suit"})
"""Settings that matter only where a prime is added up."""


def describe(rules: Rules, *, lang: str = "en") -> tuple[str, ...]:
    """What a rule set plays, one sentence a setting; points not played are left out.

    >>> describe(Rules())[0]
    'a card takes one of its value; a set adding up to it only where there is none'
    """
    return tuple(sentence for _, sentence in _sentences(rules, lang))


def described(rules: Rules, *, lang: str = "en") -> Mapping[str, Mapping[str, str]]:
    """What a rule set plays, by the groups of `GROUPS`: in each the settings with their sentences.

    >>> described(Rules())["match"]["target"]
    'the match goes to 11'
    """
    told = dict(_sentences(rules, lang))
    groups = {
        group: {name: told[name] for name in settings if name in told}
        for group, settings in GROUPS.items()
    }
    return {group: sentences for group, sentences in groups.items() if sentences}


GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "captures": ("captures", "forced", "aces", "ace_takes_ace", "scopa", "last_card_scopa"),
        "deal": ("seatings", "hand_cards", "table_cards", "clockwise", "void_kings"),
        "points": ("carte", "carte_needed", "denari", "denari_needed", "settebello", "re_bello"),
        "primiera": (
            *("primiera", "primiera_form", "faces", "missing_suit"),
            *("most_sevens", "all_sevens", "settanta"),
        ),
        "extra": ("napola", "piccola", "trente", "grande", "frac", "ponino", "declared"),
        "match": (
            *("target", "end", "sudden_death", "cappotto"),
            *("all_coins_win", "napola_wins", "trente_wins", "perdere"),
        ),
    }
)
"""The settings by what they are about. All but the name of the rules stand in one group."""


def _sentences(rules: Rules, lang: str) -> Iterator[tuple[str, str]]:
    """The settings that say something, each with its sentence, in the order of the settings."""
    for setting in fields(rules):
        given = getattr(rules, setting.name)
        key = _key(setting.name, given)
        if key in KEYS and not _irrelevant(rules, setting.name):
            yield setting.name, say(key, lang, figure=_shown(given))


def _key(setting: str, given: object) -> str:
    """The key of the sentence for a setting."""
    if isinstance(given, StrEnum):
        return f"rule.{setting}.{given.value}"
    if isinstance(given, bool) or not given:
        return f"rule.{setting}.{'yes' if given else 'no'}"
    return f"rule.{setting}"


def _irrelevant(rules: Rules, setting: str) -> bool:
    """Whether a setting changes nothing because of what another one is."""
    if setting == "primiera_form":
        return not rules.primiera
    prime = rules.primiera and rules.primiera_form is PrimieraForm.PRIME
    return setting in _PRIME_ONLY and not prime


def _shown(given: object) -> str:
    """A setting's value as it stands in a sentence."""
    if isinstance(given, tuple):
        return ", ".join(f"{sides} x {players}" for sides, players in given)
    return str(given)
