"""The seven rule sets that ship, and rules read from plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from scoring.errors import RulesError
from scoring.rules import Captures, Faces, Forced, MatchEnd, MissingSuit, Rules

DEFAULT = "silver-lake"
"""Name of the preset that holds where nothing else is said; `Rules()` is the same."""

_SILVER_LAKE = Rules(name=DEFAULT)
"""The base game. Each other preset changes what its own source says otherwise."""

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        DEFAULT: _SILVER_LAKE,
        "scopa-online": _SILVER_LAKE.changed(
            name="scopa-online",
            captures=Captures.FREE,
            last_card_scopa=True,
            carte_needed=21,
            denari_needed=6,
            end=MatchEnd.LAST_HAND,
        ),
        "wikipedia": _SILVER_LAKE.changed(name="wikipedia", missing_suit=MissingSuit.ADDS_NOTHING),
        "american-sevens": _SILVER_LAKE.changed(
            name="american-sevens", forced=Forced.SAME_RANK, faces=Faces.ZERO, most_sevens=1
        ),
        "napoletana": _SILVER_LAKE.changed(name="napoletana", napola=True, re_bello=1),
        "scopone-scientifico": _SILVER_LAKE.changed(
            name="scopone-scientifico",
            hand_cards=10,
            table_cards=0,
            void_kings=0,
            seatings=((2, 2),),
            target=21,
        ),
        "escoba": _SILVER_LAKE.changed(
            name="escoba",
            captures=Captures.FIFTEEN,
            void_kings=0,
            primiera=0,
            most_sevens=1,
            all_sevens=1,
            target=15,
        ),
    }
)
"""The rule sets that ship, by name."""


def read_rules(given: Any) -> Rules:
    """The rules of a preset's name, or of a mapping of settings.

    A mapping may name under "preset" where the settings that it does not hold come from.

    Raises:
        RulesError: neither a name nor a mapping, an unknown preset or setting, or a setting that
            does not fit.

    >>> read_rules("escoba").target
    15
    >>> read_rules({"preset": "escoba", "target": 21}).target
    21
    >>> read_rules(Rules(target=16).to_dict()) == Rules(target=16)
    True
    >>> read_rules("poker")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    scoring.errors.RulesError: preset: expected one of silver-lake, ..., got 'poker'
    """
    if isinstance(given, str):
        return _preset(given)
    if not isinstance(given, Mapping):
        came = "nothing" if given is None else type(given).__name__
        message = f"rules: expected a preset such as {DEFAULT}, or settings, got {came}"
        raise RulesError(message, setting="")
    changes = {name: setting for name, setting in given.items() if name != "preset"}
    known = {field.name for field in fields(Rules)}
    for name in changes:
        if name not in known:
            raise RulesError(f"{name}: no such setting of the rules", setting=str(name))
    return _preset(given.get("preset", DEFAULT)).changed(**changes)


def _preset(name: object) -> Rules:
    if isinstance(name, str) and name in PRESETS:
        return PRESETS[name]
    known = ", ".join(PRESETS)
    raise RulesError(f"preset: expected one of {known}, got {name!r}", setting="preset")


def preset_table() -> str:
    """Every setting of every preset as a Markdown table; a dot means as in the first preset.

    >>> preset_table().splitlines()[0].count("|")
    9
    """
    shown = {name: rules.to_dict() for name, rules in PRESETS.items()}
    rows = [("setting", *shown), ("---",) * (len(shown) + 1)]
    for setting in (field.name for field in fields(Rules) if field.name != "name"):
        cells = [_cell(settings[setting]) for settings in shown.values()]
        others = ["·" if cell == cells[0] else cell for cell in cells[1:]]
        rows.append((f"`{setting}`", cells[0], *others))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(given: Any) -> str:
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, list):
        return " ".join(f"{sides}x{players}" for sides, players in given)
    return str(given)
