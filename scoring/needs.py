"""What each side still needs to win the match, in figures and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scoring.ending import tied_after
from scoring.locale import mark, say
from scoring.match import Match
from scoring.rules.choices import MatchEnd


@dataclass(frozen=True)
class Need:
    """What one side needs in the next hand."""

    side: int
    """Index of the side."""
    points: int
    """The fewest points with which it can win (or, a perdere, lose) if no other side makes any."""
    why: str
    """The sentence."""


def needs(match: Match, *, lang: str = "en") -> tuple[Need, ...]:
    """What each side needs to win with the next hand; nothing once the match is over.

    >>> from scoring.facts import HandFacts
    >>> from scoring.hand import Side
    >>> from scoring.rules import Rules
    >>> hand = HandFacts((Side("Anna", (), 7), Side("Bruno", (), 8)))
    >>> for need in needs(Match(Rules(), ("Anna", "Bruno"), (hand,))):
    ...     print(need.why)
    Anna wins this hand with 4 points or more, if that puts Anna ahead
    Bruno wins this hand with 3 points or more, if that puts Bruno ahead
    """
    if match.ending is not None:
        return ()
    totals = match.totals
    return tuple(_need(match, side, totals=totals, lang=lang) for side in range(len(totals)))


def _need(match: Match, side: int, *, totals: tuple[int, ...], lang: str) -> Need:
    """What one side needs, in figures and in words."""
    rules = match.rules
    to_target = max(rules.target - totals[side], 0)
    ahead = max(total for other, total in enumerate(totals) if other != side) - totals[side] + 1
    if rules.end is MatchEnd.LAST_HAND:
        points = max(to_target, 1)
    elif rules.perdere:
        points = to_target
    else:
        points = max(to_target, ahead)
    counted = say("need.points", lang, n=points)
    why = say(_key(match, side), lang, name=match.names[side], points=counted)
    return Need(side, points, why)


_ENDS: Mapping[MatchEnd, str] = MappingProxyType(
    {
        MatchEnd.HIGHEST: mark("need.highest"),
        MatchEnd.LAST_HAND: mark("need.last-hand"),
        MatchEnd.COUNTED: mark("need.counted"),
    }
)
"""The key of what a side needs, for each end of a match."""


def _key(match: Match, side: int) -> str:
    """The key of the sentence that fits how the match ends."""
    rules = match.rules
    if rules.sudden_death and match.hands:
        tied = tied_after(match.scores[-1], rules, totals=match.totals)
        if side in tied:
            return mark("need.sudden-death")
    return mark("need.perdere") if rules.perdere else _ENDS[rules.end]
