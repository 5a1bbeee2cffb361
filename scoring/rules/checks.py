"""Checks of a rule set: every setting in its type and range, and no two that contradict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from scoring.errors import RulesError
from scoring.rules.choices import (
    Aces,
    Captures,
    Faces,
    Forced,
    MatchEnd,
    MissingSuit,
    PrimieraForm,
)

_CHOICES: Mapping[str, type[StrEnum]] = MappingProxyType(
    {
        "captures": Captures,
        "forced": Forced,
        "aces": Aces,
        "primiera_form": PrimieraForm,
        "faces": Faces,
        "missing_suit": MissingSuit,
        "end": MatchEnd,
    }
)
"""Settings that are a choice among words."""

_RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "target": (1, 999),
        "cappotto": (0, 99),
        "void_kings": (0, 4),
        "hand_cards": (1, 20),
        "table_cards": (0, 12),
        "carte_needed": (0, 40),
        "denari_needed": (0, 10),
    }
)
"""Smallest and largest value of the settings that are no points."""

_POINTS_RANGE = (0, 99)
"""Smallest and largest number of points for anything."""


def range_of(name: str) -> tuple[int, int]:
    """The smallest and the largest value of a setting that is a number.

    >>> range_of("void_kings"), range_of("scopa")
    ((0, 4), (0, 99))
    """
    return _RANGES.get(name, _POINTS_RANGE)


def checked_setting(name: str, given: Any, *, default: Any) -> Any:
    """A setting in its own type; `default` tells which type that is.

    Raises:
        RulesError: it does not fit.

    >>> checked_setting("forced", "always", default=Forced.NEVER).name
    'ALWAYS'
    """
    if name in _CHOICES:
        return _choice(name, given)
    if name == "seatings":
        return _seatings(given)
    if name == "name":
        if isinstance(given, str) and given.strip():
            return given
        raise RulesError(f"name: expected a name for the rules, got {given!r}", setting=name)
    if isinstance(default, bool):
        if isinstance(given, bool):
            return given
        raise RulesError(f"{name}: expected true or false, got {given!r}", setting=name)
    low, high = range_of(name)
    if isinstance(given, int) and not isinstance(given, bool) and low <= given <= high:
        return given
    message = f"{name}: expected a whole number from {low} to {high}, got {given!r}"
    raise RulesError(message, setting=name)


def _choice(name: str, given: Any) -> StrEnum:
    """The member of a choice, by its word."""
    kind = _CHOICES[name]
    try:
        return kind(given)
    except ValueError:
        words = ", ".join(member.value for member in kind)
        raise RulesError(f"{name}: expected one of {words}, got {given!r}", setting=name) from None


def _seatings(given: Any) -> tuple[tuple[int, int], ...]:
    """The ways to sit, as pairs of small whole numbers."""
    if isinstance(given, (list, tuple)) and given and all(map(_is_seating, given)):
        return tuple((sides, players) for sides, players in given)
    message = f"seatings: expected pairs (sides, players a side) for 2 to 6 players, got {given!r}"
    raise RulesError(message, setting="seatings")


def _is_seating(given: Any) -> bool:
    """Whether a value is (sides, players a side) for two to six players."""
    if not isinstance(given, (list, tuple)) or [type(part) for part in given] != [int, int]:
        return False
    sides, players = map(int, given)
    return sides >= 2 and players >= 1 and sides * players <= 6


_POINTS = (
    "carte", "denari", "settebello", "primiera", "most_sevens", "all_sevens", "settanta",
    "re_bello", "grande", "frac", "scopa", "napola", "trente", "piccola",
)  # fmt: skip
"""Settings that make points in a hand by themselves."""

_OUTRIGHT = ("cappotto", "all_coins_win", "napola_wins", "trente_wins")
"""Settings by which a hand wins the match at once."""


def contradictions(settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Every contradiction in the settings of a rule set: the setting at fault and a sentence.

    >>> from scoring.rules.rules import Rules
    >>> settings = Rules().to_dict()
    >>> contradictions(settings | {"cappotto": 12})
    (('cappotto', 'more than the target, so never reached'),)
    """
    found = (*_of_points(settings), *_of_play(settings), *_of_the_end(settings))
    return tuple((name, sentence) for name, contradicts, sentence in found if contradicts)


Contradiction = tuple[str, bool, str]
"""The setting at fault, whether it contradicts others, and the sentence to say then."""


def _of_points(settings: Mapping[str, Any]) -> Iterator[Contradiction]:
    """What points can contradict."""
    playable = any(settings[name] for name in _POINTS)
    yield "target", not playable, "nothing makes a point, so no match could end"
    doubled = settings["ponino"] and not settings["scopa"]
    yield "ponino", doubled, "knights double scope, which make no point"
    twice = settings["piccola"] and settings["napola"]
    yield "piccola", twice, "piccola and napola count the same cards"


def _of_play(settings: Mapping[str, Any]) -> Iterator[Contradiction]:
    """What deal and captures can contradict."""
    sweeps = settings["aces"] != Aces.ORDINARY
    yield "ace_takes_ace", settings["ace_takes_ace"] and not sweeps, "no ace sweeps"
    too_many = settings["void_kings"] > settings["table_cards"]
    yield "void_kings", too_many, "more kings than table cards"
    deals = settings["hand_cards"], settings["table_cards"]
    possible = any(deals_out(*deals, players=s * p) for s, p in settings["seatings"])
    yield "seatings", not possible, "the deck deals out evenly for none of them"


def _of_the_end(settings: Mapping[str, Any]) -> Iterator[Contradiction]:
    """What the end of a match can contradict."""
    for name, played in (("napola_wins", "napola"), ("trente_wins", "trente")):
        yield name, settings[name] and not settings[played], f"{played} is not played"
    unreached = settings["cappotto"] > settings["target"]
    yield "cappotto", unreached, "more than the target, so never reached"
    by_hand = settings["end"] != MatchEnd.HIGHEST or settings["sudden_death"]
    perdere = settings["perdere"]
    yield "end", perdere and by_hand, "a perdere the lowest wins, whatever the hand"
    outright = any(settings[name] for name in _OUTRIGHT)
    yield "perdere", perdere and outright, "a win outright contradicts a perdere"


def deals_out(hand_cards: int, table_cards: int, *, players: int) -> bool:
    """Whether forty cards deal out evenly.

    >>> deals_out(3, 4, players=2), deals_out(3, 4, players=5)
    (True, False)
    """
    left = 40 - table_cards
    return left % (hand_cards * players) == 0
