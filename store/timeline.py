"""The log of a match replayed: its hands after each step, and who sat where.

Nothing here reads or writes a database.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring.match import Match
from scoring.record import HandRecord
from store.models import LogEntry, Step, TableMatch


@dataclass(frozen=True)
class Timeline:
    """Every state a match was in since its last change of course, and where it is now."""

    states: tuple[tuple[tuple[LogEntry, ...], tuple[LogEntry, ...]], ...] = (((), ()),)
    """The hands and the changes of seats after each step, oldest first, as their entries."""
    at: int = 0
    """Index of the current state."""

    @property
    def hands(self) -> tuple[LogEntry, ...]:
        """The entry that brought each of the current hands."""
        return self.states[self.at][0]

    @property
    def seats(self) -> tuple[LogEntry, ...]:
        """The entries by which somebody took the place of a player, oldest first."""
        return self.states[self.at][1]

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step can be taken again."""
        return self.at + 1 < len(self.states)

    def after(self, entry: LogEntry) -> "Timeline":
        """The timeline with one more entry of the log."""
        if entry.step is Step.UNDO:
            return Timeline(self.states, self.at - 1)
        if entry.step is Step.REDO:
            return Timeline(self.states, self.at + 1)
        if entry.step in {Step.OPEN, Step.LEAVE}:
            return self
        hands, seats = self.states[self.at]
        if entry.step is Step.SEAT:
            seats = (*seats, entry)
        else:
            index = (entry.hand_no or 1) - 1
            hands = (*hands[:index], entry, *hands[index + 1 :])
        return Timeline((*self.states[: self.at + 1], (hands, seats)), self.at + 1)


@dataclass(frozen=True, kw_only=True)
class Seating:
    """Who sits on a side from a hand on."""

    hand_no: int
    """The first hand that they play, from 1."""
    side: int
    members: tuple[str, ...]
    """The players by their names: one, or a team."""


def replay(entries: Iterable[LogEntry]) -> Timeline:
    """The timeline that the entries of one match make."""
    line = Timeline()
    for entry in entries:
        line = line.after(entry)
    return line


def played_match(match: TableMatch, line: Timeline) -> Match:
    """The match with the current hands of a timeline."""
    return Match(
        rules=match.rules,
        names=match.side_names,
        hands=tuple(named_as(entry.facts, match.side_names) for entry in line.hands),
    )


def seatings(line: Timeline) -> tuple[Seating, ...]:
    """Who took a place in a match, oldest first."""
    return tuple(
        Seating(
            hand_no=entry.hand_no or 1,
            side=(entry.facts_json or {})["side"],
            members=tuple((entry.facts_json or {})["members"]),
        )
        for entry in line.seats
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
