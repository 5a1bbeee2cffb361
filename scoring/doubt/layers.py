"""A layer of the graph: one variable settled, with what each of its options does to a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.doubt.states import FULL


@dataclass(frozen=True)
class Option:
    """What a variable may turn out to be, as far as the point can tell."""

    delta: int
    """What it adds to the state."""
    used_shift: int
    """Where the use of its class is counted, or -1 where there are enough cards for all."""
    size: int
    """How many cards its class has, where its use is counted."""
    best_shift: int
    """Where the best card of a suit is kept, or -1 where it betters nothing."""
    level: int
    """What the card counts there, plus 1."""

    def share(self, used: int) -> float:
        """The part of its class that is left, once so many of its cards are used.

        >>> Option(1, 0, 4, -1, 0).share(3)
        0.25
        """
        return max(0, self.size - used) / self.size


@dataclass(frozen=True)
class RemainderOption(Option):
    """Whether one card of a class is no variable, and whose it is then.

    `size` is the card's number in its class. Which cards of a class the variables are makes no
    difference, so they are taken to be the first ones.
    """

    taken: bool
    """Whether a variable is the card."""

    def share(self, used: int) -> float:
        """1 where that agrees with how many cards of the class are used, else 0.

        >>> option = RemainderOption(0, 0, 2, -1, 0, taken=True)
        >>> option.share(3), option.share(2)
        (1.0, 0.0)
        """
        return float((used > self.size) is self.taken)


@dataclass(frozen=True)
class ClosingClass:
    """A class of which every variable is settled: its count is dropped from the state."""

    used_shift: int
    """Where its use was counted."""
    size: int
    """How many cards it has."""
    best_shift: int
    """Where the best of its suit is kept for the side that takes the rest."""
    level: int
    """What a card of it counts there, plus 1; 0 where the remainder does not matter."""


Options = Sequence[tuple[Option, float]]
"""What a variable may turn out to be, with the probability of each."""

Turn = tuple[int, Options, Sequence[ClosingClass]]
"""A variable, its options, and the classes that close with it."""


@dataclass(frozen=True)
class Layer:
    """The settling of one variable."""

    place: int
    """The variable, or the place that stands for all missing cards."""
    options: Options
    closing: Sequence[ClosingClass]
    """The classes whose count is dropped after it."""
    rising: Mapping[int, int]
    """Where a best card may still be bettered in later layers, and up to what level."""

    @property
    def looks_at(self) -> int:
        """The counts of a state that decide where it leads, as a mask; the others stay the same.

        >>> Layer(0, ((Option(5, -1, 0, -1, 0), 0.5),), (), {}).looks_at
        0
        """
        shifts = {shift for one in self.closing for shift in (one.used_shift, one.best_shift)}
        shifts |= {
            shift for option, _ in self.options for shift in (option.used_shift, option.best_shift)
        }
        return sum(FULL << shift for shift in shifts if shift >= 0)

    def follow(self, state: int, option: Option, *, chance: float) -> tuple[int, float] | None:
        """The state that an option leads to, and its probability; None where it is impossible.

        >>> one = Option(5, -1, 0, -1, 0)
        >>> Layer(0, ((one, 0.5),), (), {}).follow(0, one, chance=0.5)
        (5, 0.5)
        """
        used, best, level = option.used_shift, option.best_shift, option.level
        reached, share = state + option.delta, chance
        if used >= 0:
            share = chance * option.share(state >> used & FULL)
            if not share:
                return None
        if best >= 0 and (state >> best & FULL) < level:
            reached += (level - (state >> best & FULL)) << best
        for one in self.closing:
            count = reached >> one.used_shift & FULL
            reached -= count << one.used_shift
            if count < one.size and (reached >> one.best_shift & FULL) < one.level:
                reached += (one.level - (reached >> one.best_shift & FULL)) << one.best_shift
        return reached, share


def layers_of(turns: Sequence[Turn]) -> tuple[Layer, ...]:
    """The layers of some turns, each told what may still rise after it.

    >>> card = Option(0, -1, 0, 6, 22), 1.0
    >>> [dict(layer.rising) for layer in layers_of([(0, (card,), ()), (1, (card,), ())])]
    [{6: 22}, {}]
    """
    layers: list[Layer] = []
    rising: Mapping[int, int] = {}
    for place, options, closing in reversed(turns):
        layers.append(Layer(place, options, closing, rising))
        bettered = [(option.best_shift, option.level) for option, _ in options]
        levels = dict(rising)
        for shift, level in (*bettered, *((one.best_shift, one.level) for one in closing)):
            if level:
                levels[shift] = max(level, levels.get(shift, 0))
        rising = levels
    return tuple(layers[::-1])
