"""One frozen set of house rules, and the seven that ship with the product."""

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
    forced: Forced = Forced.NEVER
    """Whether a card that can capture may be laid instead."""
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
        for setting in fields(self):
            given = getattr(self, setting.name)
            settled = checked_setting(setting.name, given, default=setting.default)
            object.__setattr__(self, setting.name, settled)
        for fault, sentence in contradictions(self):
            raise RulesError(f"{fault}: {sentence}", setting=fault)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain JSON values; `from_dict` reads them back.

        >>> Rules.from_dict(Rules(target=16).to_dict()) == Rules(target=16)
        True
        """
        plain: dict[str, Any] = {}
        for setting in fields(self):
            given = getattr(self, setting.name)
            plain[setting.name] = given.value if isinstance(given, StrEnum) else given
        return plain | {"seatings": [list(seating) for seating in self.seatings]}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Rules:
        """The rules of a mapping: any settings, and "preset" for those not given.

        Raises:
            RulesError: an unknown preset or setting, or a value that does not fit.

        >>> Rules.from_dict({"preset": "escoba", "target": 21}).target
        21
        """
        if not isinstance(settings, Mapping):
            came = type(settings).__name__
            raise RulesError(f"rules: expected a mapping of settings, got {came}", setting="")
        changes = {name: given for name, given in settings.items() if name != "preset"}
        known = {setting.name for setting in fields(cls)}
        for name in changes:
            if name not in known:
                raise RulesError(f"{name}: no such setting of the rules", setting=str(name))
        return replace(preset(settings.get("preset", "silver-lake")), **changes)

    def changed(self, **changes: Any) -> Self:
        """These rules with some settings changed, checked again.

        >>> Rules().changed(target=16, name="ours").name
        'ours'
        """
        return replace(self, **changes)


def preset(name: object) -> Rules:
    """The preset of a name.

    Raises:
        RulesError: there is none; the message lists those there are.

    >>> preset("wikipedia").forced.value
    'always'
    """
    if isinstance(name, str) and name in PRESETS:
        return PRESETS[name]
    known = ", ".join(PRESETS)
    raise RulesError(f"preset: expected one of {known}, got {name!r}", setting="preset")


_A = Rules()
"""Text A, from which the other presets are told by what they change."""

_SCOPONE_DEAL = {"hand_cards": 10, "table_cards": 0, "void_kings": 0, "seatings": ((2, 2),)}
"""Two teams of two, ten cards each, none on the table."""

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        "silver-lake": _A,
        "scopa-online": _A.changed(
            name="scopa-online",
            captures=Captures.FREE,
            last_card_scopa=True,
            end=MatchEnd.LAST_HAND,
        ),
        "wikipedia": _A.changed(
            name="wikipedia", forced=Forced.ALWAYS, missing_suit=MissingSuit.ADDS_NOTHING
        ),
        "american-sevens": _A.changed(
            name="american-sevens", forced=Forced.SAME_RANK, faces=Faces.ZERO, most_sevens=1
        ),
        "napoletana": _A.changed(name="napoletana", forced=Forced.ALWAYS, napola=True, re_bello=1),
        "scopone-scientifico": _A.changed(
            name="scopone-scientifico", forced=Forced.ALWAYS, target=21, **_SCOPONE_DEAL
        ),
        "escoba": _A.changed(
            name="escoba",
            captures=Captures.FIFTEEN,
            primiera=0,
            most_sevens=1,
            all_sevens=1,
            target=15,
        ),
    }
)
"""The rule sets that ship, by name; "silver-lake" is the default."""


def preset_table() -> str:
    """Every setting of every preset as a Markdown table; a dot stands for the default's.

    >>> preset_table().splitlines()[0].count("|")
    9
    """
    shown = {name: rules.to_dict() for name, rules in PRESETS.items()}
    default = shown["silver-lake"]
    rows = [("setting", *shown), ("---",) * (len(shown) + 1)]
    for setting in (one.name for one in fields(Rules) if one.name != "name"):
        cells = [_cell(settings[setting]) for settings in shown.values()]
        others = ["·" if cell == cells[0] else cell for cell in cells[1:]]
        rows.append((f"`{setting}`", _cell(default[setting]), *others))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(given: Any) -> str:
    """A setting in a table."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, list):
        return " ".join(f"{sides}x{players}" for sides, players in given)
    return str(given)
