"""The rule sets that ship, and rules read from plain values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from scoring.cards import CODES
from scoring.errors import DroppedSettingError, RulesCodeError, RulesError
from scoring.rules import (
    MOST_POINTS,
    SETTINGS,
    Aces,
    Captures,
    DealtFifteen,
    Faces,
    Forced,
    MatchEnd,
    MissingSuit,
    Rules,
)

_LETTER_CODE = re.compile(r"S[0-9]+[A-Z0-9]*-[A-Z]{2}")

DEFAULT = "silver-lake"
"""Name of the default preset, which equals `Rules()`."""

_SILVER_LAKE = Rules(name=DEFAULT)
"""The base game. Each other preset changes what differs in its source."""

_ESCOBA = _SILVER_LAKE.changed(
    name="escoba",
    captures=Captures.FIFTEEN,
    void_kings=0,
    primiera=0,
    most_sevens=1,
    all_sevens=1,
    target=15,
)
"""Escoba as in Spain, from which those of Argentina and Brazil differ."""

_SCOPA_D_ASSI = _SILVER_LAKE.changed(
    name="scopa-d-assi",
    aces=Aces.SWEEP,
    ace_takes_ace=True,
    void_kings=0,
    napola=True,
    all_coins_win=True,
    target=31,
)
"""An ace takes the whole table. Under asso-piglia-tutto that is also a scopa."""

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
        "escoba": _ESCOBA,
        "escoba-argentina": _ESCOBA.changed(
            name="escoba-argentina",
            primiera=1,
            most_sevens=0,
            all_sevens=0,
            dealt_fifteen=DealtFifteen.DEALER,
        ),
        "escoba-brazil": _ESCOBA.changed(
            name="escoba-brazil",
            queen_eight=True,
            all_coins=1,
            dealt_fifteen=DealtFifteen.DEALER,
            target=31,
        ),
        "rebello": _SILVER_LAKE.changed(name="rebello", re_bello=1),
        "scopone": _SILVER_LAKE.changed(
            name="scopone", hand_cards=9, seatings=((2, 2),), missing_suit=MissingSuit.LOSES
        ),
        "scopa-d-assi": _SCOPA_D_ASSI,
        "asso-piglia-tutto": _SCOPA_D_ASSI.changed(name="asso-piglia-tutto", aces=Aces.SWEEP_SCOPA),
        "cirulla": _SILVER_LAKE.changed(
            name="cirulla",
            captures=Captures.SINGLE_FIRST_OR_FIFTEEN,
            aces=Aces.SWEEP_SCOPA,
            ace_takes_ace=True,
            void_kings=0,
            void_aces=2,
            dealt_fifteen=DealtFifteen.DEALER,
            seatings=((2, 1), (3, 1), (2, 2)),
            carte_needed=21,
            denari_needed=6,
            piccola=True,
            grande=5,
            declared=True,
            small_hand=3,
            three_alike=10,
            matta=True,
            all_coins_win=True,
            target=51,
        ),
        "a-perdere": _SILVER_LAKE.changed(name="a-perdere", perdere=True),
    }
)
"""The rule sets that ship, by name."""


DROPPED: Mapping[str, Any] = MappingProxyType(
    {
        "most_taken": 0,
        "ace_takes_itself": False,
        "void_sum": 0,
        "pips": "usual",
        "trente": False,
        "frac": 0,
        "clear_by": 1,
        "trente_wins": False,
    }
)
"""Settings of older versions that the rules no longer have, each with its default."""


def read_rules(given: Any) -> Rules:
    """Return the rules of a preset's name, or of a mapping of settings.

    A mapping may name a preset under "preset", from which the settings that it lacks are taken. A
    dropped setting that has its default is ignored.

    Raises:
        RulesError: neither a name nor a mapping, an unknown preset or setting, or a setting that
            does not fit.
        DroppedSettingError: a dropped setting that has another value than its default.
        RulesCodeError: a letter code of an older version.

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
    try:
        return _read_json(json.dumps(dict(given), sort_keys=True))
    except TypeError:  # not JSON: the checks raise a readable error
        return _read(given)


@lru_cache(maxsize=256)
def _read_json(text: str) -> Rules:
    """Return the rules of settings as JSON; cached, since tables are read often."""
    return _read(json.loads(text))


def _read(given: Mapping[str, Any]) -> Rules:
    for name in dropped_settings(given):
        message = f"{name}: no longer a setting of the rules, leave it out"
        raise DroppedSettingError(message, setting=name)
    changes = {name: given[name] for name in given if name != "preset" and name not in DROPPED}
    for name in changes:
        if name not in SETTINGS and name != "name":
            raise RulesError(f"{name}: no such setting of the rules", setting=str(name))
    return _preset(given.get("preset", DEFAULT)).changed(**changes)


def dropped_settings(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the dropped settings that do not have their defaults in a mapping.

    >>> dropped_settings({"frac": 1, "clear_by": 1})
    ('frac',)
    """
    return tuple(name for name, usual in DROPPED.items() if given.get(name, usual) != usual)


def read_stored_rules(given: Mapping[str, Any]) -> Rules:
    """Return the rules of settings that an older version stored, without the dropped ones.

    The points that frac and scopone de trente gave for single cards become `card_points`.

    >>> read_stored_rules({"trente": True, "void_sum": 9}).card_points
    (('1d', 1), ('2d', 2), ('3d', 3))
    """
    if not dropped_settings(given):
        return read_rules(given)
    points = dict(given.get("card_points", ()))
    for code in CODES:
        rank = int(code[:-1])
        frac = given.get("frac", 0) if rank in {1, 8, 9, 10} else 0
        trente = rank if given.get("trente") and code in {"1d", "2d", "3d"} else 0
        if frac or trente:
            points[code] = min(MOST_POINTS, points.get(code, 0) + frac + trente)
    kept = {name: setting for name, setting in given.items() if name not in DROPPED}
    return read_rules(kept | {"card_points": points})


def _preset(name: object) -> Rules:
    if isinstance(name, str) and name in PRESETS:
        return PRESETS[name]
    if isinstance(name, str) and is_letter_code(name):
        raise RulesCodeError(name)
    known = ", ".join(PRESETS)
    raise RulesError(f"preset: expected one of {known}, got {name!r}", setting="preset")


def is_letter_code(text: str) -> bool:
    """Return whether a text has the form of a rules code, by which older versions shared rules.

    >>> is_letter_code("s1av21-yz"), is_letter_code("escoba")
    (True, False)
    """
    return bool(_LETTER_CODE.fullmatch(text.strip().upper()))


def preset_table() -> str:
    """Return a Markdown table of every setting in the first preset, and where others differ.

    >>> preset_table().splitlines()[3]
    '| `forced` | always | american-sevens: same-rank |'
    """
    first, *others = (rules.to_dict() for rules in PRESETS.values())
    rows = [("setting", str(first["name"]), "otherwise"), ("---",) * 3]
    for setting in SETTINGS:
        names: dict[str, list[str]] = {}
        for other in others:
            if other[setting] != first[setting]:
                names.setdefault(_cell(other[setting]), []).append(str(other["name"]))
        otherwise = "; ".join(f"{', '.join(named)}: {cell}" for cell, named in names.items())
        rows.append((f"`{setting}`", _cell(first[setting]), otherwise))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(given: Any) -> str:
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, list):
        return " ".join(f"{one}x{other}" for one, other in given) or "none"
    return str(given)
