"""The example of a house rule: cards that show how it works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scoring.captures import Ruling, rule_on
from scoring.cards import Card
from scoring.rules import Rules

Cards = tuple[Card, ...]


@dataclass(frozen=True, kw_only=True)
class Play:
    """A card played to a table, and what the rules say of it."""

    table: Cards
    played: Card
    ruling: Ruling


_PLAYED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "captures": ("7c 5s 3b 2b", "7d"),
        "fewest_cards": ("6s 1d 4c 2b", "7d"),
        "queen_eight": ("5s 3b 10c", "9d"),
        "forced": ("7c 10s", "7d"),
        "aces": ("7c 5s 2b", "1d"),
        "ace_takes_ace": ("1c 5s 2b", "1d"),
        "scopa": ("5s 2b", "7d"),
        "last_card_scopa": ("5s 2b", "7d"),
    }
)
"""Settings that a play shows: the cards on the table and the card played."""

_PLAYED_TO_FIFTEEN: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "captures": ("6s 5c 3d 2b", "7d"),
        "fewest_cards": ("6s 4c 3d 2b 1s", "7d"),
        "queen_eight": ("5s 2b 10c", "9d"),
        "forced": ("5s 3b 10c", "7d"),
        "scopa": ("5s 3b", "7d"),
        "last_card_scopa": ("5s 3b", "7d"),
    }
)
"""The same for rules by which cards capture to fifteen only."""

_SHOWN: Mapping[str, str] = MappingProxyType(
    {
        "void_kings": "10d 10c 10s 10b",
        "void_aces": "1d 1c 1s 1b",
        "dealt_fifteen": "1c 1s 5d 8b",
        "all_coins": "1d 2d 3d 4d 5d 6d 7d 8d 9d 10d",
        "settebello": "7d",
        "re_bello": "10d",
        "missing_suit": "7d 7c 6b",
        "faces": "10d 9c 8s",
        "most_sevens": "7d 7c 7s",
        "all_sevens": "7d 7c 7s 7b",
        "settanta": "7d 7c 7s",
        "napola": "1d 2d 3d 4d",
        "piccola": "1d 2d 3d",
        "grande": "8d 9d 10d",
        "ponino": "9d 9c 9s 9b",
        "small_hand": "2c 3s 4b",
        "three_alike": "5c 5s 5b",
        "matta": "7c",
        "all_coins_win": "1d 2d 3d 4d 5d 6d 7d 8d 9d 10d",
        "napola_wins": "1d 2d 3d 4d 5d 6d 7d 8d 9d 10d",
    }
)
"""Settings that cards show by themselves."""


def example(setting: str, rules: Rules) -> Play | Cards:
    """Return the example of a setting under a rule set: a play or bare cards.

    Without cards if the setting needs no example, such as the target.

    >>> play = example("captures", Rules())
    >>> [[str(card) for card in way.taken] for way in play.ruling.ways]
    [['7c']]
    >>> [str(card) for card in example("grande", Rules())], example("target", Rules())
    (['8d', '9d', '10d'], ())
    """
    by_value = rules.captures.by_value
    lying = _PLAYED.get(setting) if by_value else _PLAYED_TO_FIFTEEN.get(setting)
    if lying is not None:
        table, played = _cards(lying[0]), Card.from_code(lying[1])
        last = setting == "last_card_scopa"
        return Play(
            table=table,
            played=played,
            ruling=rule_on(table, played, rules=rules, last_card=last),
        )
    if setting == "card_points":
        return tuple(Card.from_code(code) for code, _ in rules.card_points)
    shown = _cards(_SHOWN.get(setting, ""))
    return shown[: getattr(rules, setting)] if setting in {"void_kings", "void_aces"} else shown


def _cards(codes: str) -> Cards:
    return tuple(map(Card.from_code, codes.split()))
