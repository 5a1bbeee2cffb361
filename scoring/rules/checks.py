"""Checks of a rule set: every setting in its type and range, and no two that contradict."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from scoring.rules.rules import Rules

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
    low, high = _RANGES.get(name, _POINTS_RANGE)
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


def contradictions(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Every contradiction of a rule set: the setting at fault and the sentence.

    >>> from scoring.rules.rules import Rules
    >>> contradictions(Rules())
    ()
    """
    return tuple((name, sentence) for name, wrong, sentence in _looked_for(rules) if wrong)


def _looked_for(rules: Rules) -> tuple[tuple[str, bool, str], ...]:
    """Every contradiction looked for: setting at fault, whether it is there, the sentence."""
    pile_points = (
        rules.carte, rules.denari, rules.settebello, rules.primiera, rules.most_sevens,
        rules.all_sevens, rules.settanta, rules.re_bello, rules.grande, rules.frac, rules.scopa,
        rules.napola, rules.trente, rules.piccola,
    )  # fmt: skip
    decided_by_hand = rules.end is not MatchEnd.HIGHEST or rules.sudden_death
    outright = rules.cappotto or rules.all_coins_win or rules.napola_wins or rules.trente_wins
    deals = rules.hand_cards, rules.table_cards
    return (
        ("target", not any(pile_points), "nothing makes a point, so no match could end"),
        ("ponino", rules.ponino and not rules.scopa, "knights double scope, which make no point"),
        ("napola_wins", rules.napola_wins and not rules.napola, "napola is not played"),
        ("trente_wins", rules.trente_wins and not rules.trente, "trente is not played"),
        ("piccola", rules.piccola and rules.napola, "piccola and napola count the same cards"),
        ("ace_takes_ace", rules.ace_takes_ace and rules.aces is Aces.ORDINARY, "no ace sweeps"),
        ("cappotto", rules.cappotto > rules.target, "more than the target, so never reached"),
        ("end", rules.perdere and decided_by_hand, "a perdere the lowest wins, whatever the hand"),
        ("perdere", bool(rules.perdere and outright), "a win outright contradicts a perdere"),
        ("void_kings", rules.void_kings > rules.table_cards, "more kings than table cards"),
        ("seatings", not any(deals_out(*deals, players=s * p) for s, p in rules.seatings),
         "the deck deals out evenly for none of them"),
    )  # fmt: skip


def deals_out(hand_cards: int, table_cards: int, *, players: int) -> bool:
    """Whether forty cards deal out evenly.

    >>> deals_out(3, 4, players=2), deals_out(3, 4, players=5)
    (True, False)
    """
    left = 40 - table_cards
    return left % (hand_cards * players) == 0
