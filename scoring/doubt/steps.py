"""One card's turn in the ways of a point: what it may turn out to be, and where that leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.doubt.figures import FULL


@dataclass(frozen=True)
class Option:
    """One thing that an item may turn out to be, as far as a point can tell."""

    delta: int
    """What it adds to the packed number."""
    guard: int
    """Where the use of its group is counted, or -1 where there is enough of it."""
    room: int
    """How many cards its group has."""
    best: int
    """Where the best of a suit is kept, or -1."""
    level: int
    """What the card makes there."""

    def share(self, used: int) -> float:
        """The share of its group that is left, once so many of its cards are used.

        >>> Option(1, 0, 4, -1, 0).share(3)
        0.25
        """
        return max(0, self.room - used) / self.room


@dataclass(frozen=True)
class Left(Option):
    """Whether a card of a group is in no item, and whose it is; `room` is its place in the group.

    Which cards of a group its items are is all one to a point: let them be the first ones.
    """

    taken: bool
    """Whether an item is the card."""

    def share(self, used: int) -> float:
        """Whether that is so, once so many cards of the group are used: 1 or 0.

        >>> Left(0, 0, 2, -1, 0, taken=True).share(2), Left(0, 0, 2, -1, 0, taken=False).share(2)
        (0.0, 1.0)
        """
        return float((used > self.room) is self.taken)


@dataclass(frozen=True)
class Closing:
    """A group of which every item is settled."""

    shift: int
    """Where its use was counted."""
    room: int
    """How many cards it has."""
    best: int
    """Where the best of its suit is kept for the side that takes the rest."""
    level: int
    """What a card of it makes there; 0 where that does not matter."""


Options = Sequence[tuple[Option, float]]
"""What an item may turn out to be, with the weight of each."""


Turn = tuple[int, Options, Sequence[Closing]]
"""Whose turn it is, what that may turn out to be, and the groups settled with it."""


@dataclass(frozen=True)
class Step:
    """The turn of one card."""

    place: int
    """The item it is, or the place of all that lies in no pile."""
    options: Options
    """What it may turn out to be."""
    closing: Sequence[Closing]
    """The groups whose use is settled with it: their count is forgotten."""
    rising: Mapping[int, int]
    """Where a best may still be raised after it, and to what level at most."""

    @property
    def looks_at(self) -> int:
        """The counts of a way that say where it leads; the others stay as they are.

        >>> Step(0, ((Option(5, -1, 0, -1, 0), 0.5),), (), {}).looks_at
        0
        """
        looked_at = {place for one in self.closing for place in (one.shift, one.best)}
        looked_at |= {place for option, _ in self.options for place in (option.guard, option.best)}
        return sum(FULL << place for place in looked_at if place >= 0)

    def follow(self, state: int, option: Option, *, chance: float) -> tuple[int, float] | None:
        """Where an option leads from a way, and its weight there; None where it cannot be.

        >>> one = Option(5, -1, 0, -1, 0)
        >>> Step(0, ((one, 0.5),), (), {}).follow(0, one, chance=0.5)
        (5, 0.5)
        """
        guard, best, level = option.guard, option.best, option.level
        reached, share = state + option.delta, chance
        if guard >= 0:
            share = chance * option.share(state >> guard & FULL)
            if not share:
                return None
        if best >= 0 and (state >> best & FULL) < level:
            reached += (level - (state >> best & FULL)) << best
        for one in self.closing:
            used = reached >> one.shift & FULL
            reached -= used << one.shift
            if used < one.room and (reached >> one.best & FULL) < one.level:
                reached += (one.level - (reached >> one.best & FULL)) << one.best
        return reached, share


def with_rising(turns: Sequence[Turn]) -> tuple[Step, ...]:
    """The steps of some turns, each told what may rise after it.

    >>> card = Option(0, -1, 0, 6, 22), 1.0
    >>> [dict(step.rising) for step in with_rising([(0, (card,), ()), (1, (card,), ())])]
    [{6: 22}, {}]
    """
    steps: list[Step] = []
    rising: Mapping[int, int] = {}
    for place, options, closing in reversed(turns):
        steps.append(Step(place, options, closing, rising))
        raised = [(option.best, option.level) for option, _ in options]
        levels = dict(rising)
        for best, level in (*raised, *((one.best, one.level) for one in closing)):
            if level:
                levels[best] = max(level, levels.get(best, 0))
        rising = levels
    return tuple(steps[::-1])
