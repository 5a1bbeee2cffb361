"""One frozen set of house rules: every setting that a table can choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from scoring.errors import RulesError
from scoring.rules.checks import checked_setting, contradictions
from scoring.rules.choices import (
    Aces,
    Captures,
    Faces,
    Forced,
    MatchEnd,
    MissingSuit,
    PrimieraForm,
)

SEATINGS: tuple[tuple[int, int], ...] = ((2, 1), (3, 1), (4, 1), (6, 1), (2, 2), (2, 3), (3, 2))
"""Usual ways to sit: (sides, players a side)."""

FIVE: Mapping[str, Any] = MappingProxyType(
    {"hand_cards": 4, "table_cards": 0, "void_kings": 0, "seatings": ((5, 1),)}
)
"""The deal for five: four cards each, twice, and none on the table. By threes it is not even."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules a table plays by. Points set to 0 are not played.

    Raises:
        RulesError: a setting out of range, or two that contradict each other.

    >>> Rules(target=21).target
    21
    >>> Rules(target=0)
    Traceback (most recent call last):
    scoring.errors.RulesError: target: expected a whole number from 1 to 999, got 0
    """

    name: str = "silver-lake"
    """What the table calls these rules."""

    captures: Captures = Captures.SINGLE_FIRST
    """What a played card may take."""
    forced: Forced = Forced.ALWAYS
    """Whether a card that can capture must capture, or may be laid instead."""
    aces: Aces = Aces.ORDINARY
    """What a played ace does."""
    ace_takes_ace: bool = False
    """A sweeping ace takes only the ace where one lies on the table."""
    last_card_scopa: bool = False
    """The hand's last card can make a scopa."""
    void_kings: int = 3
    """This many kings among the first table cards void the deal; 0 never."""
    hand_cards: int = 3
    """Cards dealt to a player at a time."""
    table_cards: int = 4
    """Cards dealt to the table at the start."""
    clockwise: bool = False
    """Play and deal go to the left; else to the right, as is usual."""
    seatings: tuple[tuple[int, int], ...] = SEATINGS
    """Ways to sit that these rules know: (sides, players a side)."""

    scopa: int = 1
    """Points for each scopa."""
    ponino: bool = False
    """All four knights double the side's scope."""
    carte: int = 1
    """Points for most cards."""
    carte_needed: int = 0
    """Cards needed besides having most; 21 asks for more than half the deck."""
    denari: int = 1
    """Points for most coins."""
    denari_needed: int = 0
    """Coins needed besides having most; 6 asks for more than half the coins."""
    settebello: int = 1
    """Points for the seven of coins."""
    primiera: int = 1
    """Points for the primiera."""
    primiera_form: PrimieraForm = PrimieraForm.PRIME
    """How the primiera is won."""
    faces: Faces = Faces.TEN
    """What face cards count in the prime."""
    missing_suit: MissingSuit = MissingSuit.NO_PRIMIERA
    """What becomes of a prime that lacks a suit."""
    most_sevens: int = 0
    """Points for most sevens."""
    all_sevens: int = 0
    """Points for all four sevens."""
    settanta: int = 0
    """Points for three or four sevens, besides the primiera."""
    napola: bool = False
    """Ace, two and three of coins make 3, each further coin in the run 1 more."""
    re_bello: int = 0
    """Points for the king of coins."""
    trente: bool = False
    """Ace, two and three of coins make 1, 2 and 3 points, each for itself."""
    piccola: bool = False
    """Ace, two and three of coins make 3, with the four 4, the five 5, the six 6."""
    grande: int = 0
    """Points for jack, knight and king of coins together."""
    frac: int = 0
    """Points for each jack, king, ace and knight captured."""
    declared: bool = False
    """Points declared during play (cirulla) are added to the hand."""

    target: int = 11
    """Points that end the match."""
    end: MatchEnd = MatchEnd.HIGHEST
    """Who wins once the target is reached."""
    sudden_death: bool = False
    """After a tie at the target, the first point counted in the next hand decides."""
    cappotto: int = 0
    """Points against none that end the match at once, as in 7-0; 0 never."""
    all_coins_win: bool = False
    """All ten coins in a hand win the match."""
    napola_wins: bool = False
    """A napola of ten wins the match."""
    trente_wins: bool = False
    """Ace, two and three of coins in one pile win the match."""
    perdere: bool = False
    """Reaching the target loses: the lowest side wins."""

    def __post_init__(self) -> None:
        settings = {
            field.name: checked_setting(
                field.name, getattr(self, field.name), default=field.default
            )
            for field in fields(self)
        }
        for name, checked in settings.items():
            object.__setattr__(self, name, checked)
        for name, sentence in contradictions(settings):
            raise RulesError(f"{name}: {sentence}", setting=name)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain JSON values, which `scoring.rules.read_rules` reads back.

        >>> Rules(target=16).to_dict()["target"]
        16
        """
        settings = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {
            name: setting.value if isinstance(setting, StrEnum) else setting
            for name, setting in settings.items()
        }
        return plain | {"seatings": [list(seating) for seating in self.seatings]}

    def changed(self, **changes: Any) -> Self:
        """These rules with some settings changed, checked again.

        >>> Rules().changed(target=16, name="ours").name
        'ours'
        """
        return replace(self, **changes)

    def for_sides(self, sides: int) -> Self | None:
        """These rules as so many sides play them; None where they cannot.

        For five players the deal becomes another: `FIVE`.

        >>> Rules().for_sides(6) == Rules(), Rules(seatings=((2, 2),)).for_sides(3)
        (True, None)
        >>> Rules().for_sides(5).hand_cards
        4
        """
        if sides in dict(self.seatings):
            return self
        return self.changed(**FIVE) if sides == 5 and (4, 1) in self.seatings else None
