"""Replay the log of a match: its hands, rules and seats after each step.

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
    """The log entries that make up a match after a step."""

    hands: tuple[LogEntry, ...] = ()
    """The entry of each hand."""
    seats: tuple[LogEntry, ...] = ()
    """The SEAT entries, oldest first."""
    rules: tuple[LogEntry, ...] = ()
    """The RULES entries, oldest first."""

    def changed_from(self, before: "State") -> LogEntry | None:
        """Return the entry in which two states differ, or None if they are equal."""
        was, now = ((state.seats, state.rules, state.hands) for state in (before, self))
        pairs = (pair for kind in zip(was, now, strict=True) for pair in zip_longest(*kind))
        return next((new or old for old, new in pairs if old is not new), None)


@dataclass(frozen=True)
class Timeline:
    """The states that undo and redo lead to, and the current one."""

    states: tuple[State, ...] = (State(),)
    """The state after each step, oldest first."""
    at: int = 0
    """Index of the current state."""
    opening: Rules | None = field(default=None, kw_only=True)
    """The rules at the opening of the match, if they ever changed; else None."""

    @property
    def now(self) -> State:
        """The current state."""
        return self.states[self.at]

    @property
    def last(self) -> LogEntry | None:
        """The entry that an undo takes back; None if there is none."""
        return self.now.changed_from(self.states[self.at - 1]) if self.at else None

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return self.at + 1 < len(self.states)

    def after(self, entry: LogEntry) -> "Timeline":
        """Return the timeline after one more log entry."""
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
    """The players of a side from a hand on."""

    hand_no: int
    """The first hand that they play, from 1."""
    side: int
    members: tuple[str, ...]
    """The players by their names: one, or a team."""


@dataclass(frozen=True)
class KeptMatch(Match):
    """A match with a setting that the rules no longer have. It keeps its stored result.

    Its hands are scored without that setting. If a total then differs from the stored one, the last
    hand has a correction.
    """

    kept: TableMatch = field(kw_only=True, compare=False)
    """The row of the match."""

    @cached_property
    def ending(self) -> Ending | None:
        """How the match ended, from its row."""
        if not self.kept.is_over:
            return None
        return Ending(self.kept.winner, len(self.hands) - 1, Reason.HIGHEST)

    def to_dict(self) -> dict[str, Any]:
        """Return the match as plain JSON values, with its stored rules."""
        return super().to_dict() | {"rules": self.kept.rules_json}


def _kept(played: Match, row: TableMatch) -> KeptMatch:
    """Return a replayed match with the result of its row."""
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
    """Return the timeline of the log entries of a match."""
    line = Timeline()
    for entry in entries:
        line = line.after(entry)
    return line


def played_match(match: TableMatch, line: Timeline) -> Match:
    """Return the match with the current hands of a timeline, each under its rules."""
    played = Match(
        rules=line.opening or match.rules,
        names=match.side_names,
        hands=tuple(named_as(entry.facts, match.side_names) for entry in line.now.hands),
    )
    for entry in line.now.rules:
        played = played.under(entry.rules, since=(entry.hand_no or 1) - 1)
    return _kept(played, match) if plays_dropped(match, line) else played


def plays_dropped(match: TableMatch, line: Timeline) -> bool:
    """Return whether a match plays a setting that the rules no longer have."""
    return match.has_dropped_rules or any(entry.has_dropped_rules for entry in line.now.rules)


def seatings(line: Timeline) -> tuple[Seating, ...]:
    """Return the substitutions of a match, oldest first."""
    return tuple(
        Seating(
            hand_no=entry.hand_no or 1,
            side=(entry.facts_json or {})["side"],
            members=tuple((entry.facts_json or {})["members"]),
        )
        for entry in line.now.seats
    )


def members_of(match: TableMatch) -> tuple[tuple[str, ...], ...]:
    """Return the players of each side at the opening of a match; empty if no side is a team."""
    members = tuple(tuple(side.members) for side in match.sides)
    return members if any(members) else ()


def named_as(facts: HandRecord, names: Sequence[str]) -> HandRecord:
    """Return a hand with the current names of its sides."""
    own = [side.name for side in facts.sides]
    if sorted(own) == sorted(names) or len(own) != len(names):
        return facts
    sides = zip(facts.sides, names, strict=True)
    return replace(facts, sides=tuple(replace(side, name=name) for side, name in sides))
