"""A rule set as a short text that another table takes over: "S1AV21-YZ".

A code is the version, what differs from `Rules()`, and two letters that find a typing error. Each
setting is named by letters and its value is a number. What stands here only grows: new settings and
choices are added at the end, so that old codes keep their meaning; tests hold the codes of all
presets.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any
from zlib import crc32

from scoring.cards import CODES
from scoring.errors import NewerRulesCodeError, RulesCodeError, RulesError, one_line
from scoring.presets import PRESETS
from scoring.rules import Rules

VERSION = "S1"
"""Start of every code."""

_SETTINGS = (
    *("captures", "forced", "fewest_cards", "most_taken", "queen_eight", "aces", "ace_takes_ace"),
    *("ace_takes_itself", "first_ace", "last_card_scopa", "void_kings", "void_aces", "void_sum"),
    *("dealt_fifteen", "hand_cards", "table_cards", "clockwise", "seatings", "scopa", "ponino"),
    *("carte", "carte_needed", "denari", "denari_needed", "all_coins", "ties", "settebello"),
    *("primiera", "primiera_form", "pips", "faces", "missing_suit", "most_sevens", "all_sevens"),
    *("settanta", "napola", "napola_most", "re_bello", "card_points", "trente", "piccola"),
    *("grande", "frac", "declared", "small_hand", "three_alike", "matta", "target", "end"),
    *("sudden_death", "clear_by", "hands", "bell", "draw", "cappotto", "all_coins_win"),
    *("napola_wins", "trente_wins", "perdere"),
)
"""Every setting but the name, in the order of their letters: A, B, ... Z, AA, AB."""

_CODE = re.compile(r"(S[0-9]{1,9})((?:[A-Z]+[0-9]{1,160})*)-([A-Z]{2})")  # 40 cards take 160
_PART = re.compile(r"([A-Z]+)([0-9]+)")


def rules_code(rules: Rules) -> str:
    """The code of a rule set; its name is not in it.

    >>> rules_code(Rules()), rules_code(Rules(target=21))
    ('S1-IO', 'S1AV21-YZ')
    """
    usual = Rules()
    parts = [
        f"{_letters(place)}{_number(name, getattr(rules, name))}"
        for place, name in enumerate(_SETTINGS)
        if getattr(rules, name) != getattr(usual, name)
    ]
    text = VERSION + "".join(parts)
    return f"{text}-{_check(text)}"


def read_rules_code(code: str) -> Rules:
    """The rules of a code, however it is written; a preset's bear its name, others the code.

    Raises:
        RulesCodeError: it is no code, or a letter of it is wrong.
        NewerRulesCodeError: it holds what this version does not know.

    >>> read_rules_code(" s1av21-yz ").target
    21
    """
    plain = "".join(code.split()).upper()
    found = _CODE.fullmatch(plain)
    if found is None or _check(plain.rpartition("-")[0]) != found[3]:
        raise RulesCodeError(one_line(plain))
    if found[1] != VERSION:
        raise NewerRulesCodeError(plain, found[1])
    named = {_letters(place): name for place, name in enumerate(_SETTINGS)}
    settings: dict[str, Any] = {}
    for letters, number in _PART.findall(found[2]):
        if letters not in named or named[letters] in settings:
            raise NewerRulesCodeError(plain, letters + number)
        try:
            settings[named[letters]] = _value(named[letters], number)
        except LookupError:
            raise NewerRulesCodeError(plain, letters + number) from None
    try:
        rules = Rules(name=plain, **settings)
    except RulesError:
        raise RulesCodeError(one_line(plain)) from None
    presets = (one for one in PRESETS.values() if rules == one.changed(name=plain))
    return next(presets, rules)


def _letters(place: int) -> str:
    """A, B, ... Z, AA, AB for 0, 1, ... 25, 26, 27."""
    first, last = divmod(place, 26)
    return ("" if not first else chr(64 + first)) + chr(65 + last)


def _check(text: str) -> str:
    first, last = divmod(crc32(text.encode()) % 26**2, 26)
    return chr(65 + first) + chr(65 + last)


def _number(name: str, value: Any) -> str:
    """A setting's value in digits."""
    if name == "seatings":
        return "".join(f"{sides}{players}" for sides, players in value)
    if name == "card_points":
        return "".join(f"{CODES.index(card):02}{points:02}" for card, points in value)
    if isinstance(value, StrEnum):
        return str(list(type(value)).index(value))
    return str(int(value))


def _value(name: str, number: str) -> Any:
    """The value that digits stand for; LookupError where there is no such choice."""
    usual = getattr(Rules(), name)
    if name == "seatings":
        return [
            (int(one), int(other)) for one, other in zip(number[::2], number[1::2], strict=False)
        ]
    if name == "card_points":
        fours = [number[at : at + 4] for at in range(0, len(number), 4)]
        return [(CODES[int(four[:2])], int(four[2:] or 0)) for four in fours]
    if isinstance(usual, StrEnum):
        return list(type(usual))[int(number)]
    if isinstance(usual, bool):
        return [False, True][int(number)]
    return int(number)
