"""The log of a match replayed: its hands after each step, and who sat where.

Nothing here reads or writes a database.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any

from scoring.match import Ending, Match, Reason
from scoring.presets import dropped_settings
from scoring.record import HandRecord
from scoring.rules import Rules
from store.models import LogEntry, Step, TableMatch


@dataclass(frozen=True, kw_only=True)
class State:
    """What a match consists of after a step, as the entries that brought it."""

    hands: tuple[LogEntry, ...] = ()
    """The entry that brought each hand."""
    seats: tuple[LogEntry, ...] = ()
    """Those by which somebody took the place of a player, oldest first."""
    rules: tuple[LogEntry, ...] = ()
    """Those by which the rules changed, oldest first."""

    def changed_from(self, before: "State") -> LogEntry | None:
        """The one entry in which two states differ; None where they do not."""
        was, now = ((state.seats, state.rules, state.hands) for state in (before, self))
        pairs = (pair for kind in zip(was, now, strict=True) for pair in zip_longest(*kind))
        return next((new or old for old, new in pairs if old is not new), None)


@dataclass(frozen=True)
class Timeline:
    """Every state a match was in since its last change of course, and where it is now."""

    states: tuple[State, ...] = (State(),)
    """The state after each step, oldest first."""
    at: int = 0
    """Index of the current state."""
    opening: Rules | None = field(default=None, kw_only=True)
    """The rules that the match was opened with, where they ever changed, also if undone since."""

    @property
    def now(self) -> State:
        """The current state."""
        return self.states[self.at]

    @property
    def last(self) -> LogEntry | None:
        """The entry that an undo takes back; None where there is none."""
        return self.now.changed_from(self.states[self.at - 1]) if self.at else None

    @property
    def can_redo(self) -> bool:
        """Whether a step can be taken again."""
        return self.at + 1 < len(self.states)

    def after(self, entry: LogEntry) -> "Timeline":
        """The timeline with one more entry of the log."""
        if entry.step is Step.UNDO:
            return replace(self, at=self.at - 1)
        if entry.step is Step.REDO:
            return replace(self, at=self.at + 1)
        if entry.step in {Step.OPEN, Step.LEAVE}:
            return self
        now, opening = self.now, self.opening
        if entry.step is Step.SEAT:
            now = replace(now, seats=(*now.seats, entry))
        elif entry.step is Step.RULES:
            now = replace(now, rules=(*now.rules, entry))
            opening = opening or entry.rules_before
        else:
            index = (entry.hand_no or 1) - 1
            now = replace(now, hands=(*now.hands[:index], entry, *now.hands[index + 1 :]))
        return Timeline((*self.states[: self.at + 1], now), self.at + 1, opening=opening)


@dataclass(frozen=True, kw_only=True)
class Seating:
    """Who sits on a side from a hand on."""

    hand_no: int
    """The first hand that they play, from 1."""
    side: int
    members: tuple[str, ...]
    """The players by their names: one, or a team."""


@dataclass(frozen=True)
class KeptMatch(Match):
    """A match that plays a setting which the rules no longer have: its result is the stored one.

    Its hands are scored without that setting. The last one has a correction for each side whose
    hands then make another total than the stored one.
    """

    kept: TableMatch = field(kw_only=True, compare=False)
    """The row of the match."""

    @cached_property
    def ending(self) -> Ending | None:
        """How it ended, as far as its row tells."""
        if not self.kept.is_over:
            return None
        return Ending(self.kept.winner, len(self.hands) - 1, Reason.HIGHEST)

    def to_dict(self) -> dict[str, Any]:
        """The match as plain JSON values, with its rules as they were stored."""
        return super().to_dict() | {"rules": self.kept.rules_json}


def _kept(played: Match, row: TableMatch) -> KeptMatch:
    """A replayed match with the result that its row stores."""
    match = KeptMatch(played.rules, played.names, played.hands, played.earlier, kept=row)
    if match.totals == row.totals:
        return match
    *hands, last = match.hands
    why = ", ".join(dropped_settings(row.rules_json))
    sides = tuple(
        replace(side, correction=side.correction + stored - scored, reason=why)
        for side, stored, scored in zip(last.sides, row.totals, match.totals, strict=True)
    )
    return replace(match, hands=(*hands, replace(last, sides=sides)))


def replay(entries: Iterable[LogEntry]) -> Timeline:
    """The timeline that the entries of one match make."""
    line = Timeline()
    for entry in entries:
        line = line.after(entry)
    return line


def played_match(match: TableMatch, line: Timeline) -> Match:
    """The match with the current hands of a timeline, each under the rules that it was given."""
    played = Match(
        rules=line.opening or match.rules,
        names=match.side_names,
        hands=tuple(named_as(entry.facts, match.side_names) for entry in line.now.hands),
    )
    for entry in line.now.rules:
        played = played.under(entry.rules, since=(entry.hand_no or 1) - 1)
    return _kept(played, match) if plays_dropped(match, line) else played


def plays_dropped(match: TableMatch, line: Timeline) -> bool:
    """Whether a match plays a setting that the rules no longer have."""
    return match.has_dropped_rules or any(entry.has_dropped_rules for entry in line.now.rules)


def seatings(line: Timeline) -> tuple[Seating, ...]:
    """Who took a place in a match, oldest first."""
    return tuple(
        Seating(
            hand_no=entry.hand_no or 1,
            side=(entry.facts_json or {})["side"],
            members=tuple((entry.facts_json or {})["members"]),
        )
        for entry in line.now.seats
    )


def members_of(match: TableMatch) -> tuple[tuple[str, ...], ...]:
    """The players of each side by name as a match was opened; empty where none is a team."""
    members = tuple(tuple(side.members) for side in match.sides)
    return members if any(members) else ()


def named_as(facts: HandRecord, names: Sequence[str]) -> HandRecord:
    """A hand with the names that its sides bear now."""
    own = [side.name for side in facts.sides]
    if sorted(own) == sorted(names) or len(own) != len(names):
        return facts
    sides = zip(facts.sides, names, strict=True)
    return replace(facts, sides=tuple(replace(side, name=name) for side, name in sides))
