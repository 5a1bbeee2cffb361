"""One step from ways to ways: an item turns out to be one of its options.

A way is a column of counts: what each side gained, and how much of a scarce group is used. Ways
with the same counts are one, so thousands share a column, and nothing is lost: a deck holds each
card once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int16]
"""Ways, one a column; a row for each count."""

Weights = npt.NDArray[np.float64]
"""What each way weighs, or each step from it."""

Places = npt.NDArray[np.int64]
"""Where steps lead: columns of the ways after them, or -1."""

_WIDEST = 2**62
"""Numbers below this can be told apart in 64 bits."""


@dataclass(frozen=True)
class Option:
    """One thing that an item may turn out to be, as far as a point can tell."""

    changes: tuple[tuple[int, int], ...]
    """Rows of the counts that it changes, and by how much."""
    guard: int
    """The row where the use of its group is counted, or -1 where there is enough of it."""
    room: int
    """How many cards its group has."""
    best: int
    """The row where the best of a suit is kept, or -1."""
    level: int
    """What the card makes there."""


@dataclass(frozen=True)
class Closing:
    """A group of which every item is settled: its use is forgotten."""

    used: int
    """The row where its use was counted."""
    room: int
    """How many cards it has."""
    best: int
    """The row of the best of its suit, for the side that takes the rest."""
    level: int
    """What a card of it makes there; 0 where that does not matter."""


@dataclass(frozen=True)
class Step:
    """What one item does to some ways."""

    to: Places
    """(options, ways before): the column each option leads to, -1 where its cards are used up."""
    share: Weights
    """(options, ways before): the weight of each option there."""


def follow(
    ways: Counts, options: Sequence[tuple[Option, float]], *, closing: Sequence[Closing]
) -> tuple[Counts, Weights]:
    """Where options lead from some ways: (counts, options, ways), and their weights.

    The weight is 0 where an option's cards are used up.

    >>> counts, share = follow(np.zeros((1, 1), np.int16), [(Option(((0, 5),), -1, 0, -1, 0), .5)],
    ...                        closing=())
    >>> counts.tolist(), share.tolist()
    ([[[5]]], [[0.5]])
    """
    after = np.repeat(ways[:, None], len(options), axis=1)
    share = np.empty(after.shape[1:])
    for at, (option, chance) in enumerate(options):
        share[at] = chance
        if option.guard >= 0:
            share[at] *= (option.room - ways[option.guard]) / option.room
        for row, more in option.changes:
            after[row, at] += more
        if option.best >= 0:
            np.maximum(after[option.best, at], option.level, out=after[option.best, at])
    for one in closing:
        if one.level:
            left = np.where(after[one.used] < one.room, one.level, 0)
            np.maximum(after[one.best], left, out=after[one.best], casting="same_kind")
        after[one.used] = 0
    return after, share


def folded(after: Counts, share: Weights, *, strides: Places) -> tuple[Counts, Step]:
    """The ways that options lead to, those alike as one, and the step that leads there.

    Args:
        after: (counts, options, ways) as `follow` gives them.
        share: (options, ways) their weights; those of 0 lead nowhere.
        strides: What tells ways apart, see `strides_of`.

    >>> counts = np.array([[[1, 2], [2, 2]]], np.int16)
    >>> ways, step = folded(counts, np.array([[.5, .5], [.5, 0.]]), strides=strides_of([3]))
    >>> ways.tolist(), step.to.tolist()
    ([[1, 2]], [[0, 1], [1, -1]])
    """
    leads = np.flatnonzero(share.ravel() > 0)
    ways = after.reshape(len(after), share.size)[:, leads]
    places = _ranks(_numbers(ways, strides))
    one_each = np.zeros(places.max(initial=-1) + 1, np.int64)
    one_each[places] = np.arange(places.size)  # any one of those alike
    to = np.full(share.size, -1, np.int64)
    to[leads] = places
    return ways[:, one_each], Step(to.reshape(share.shape), share)


def strides_of(sizes: Sequence[int]) -> Places:
    """What to multiply counts by so that their sum tells ways apart; in several rows if need be.

    >>> strides_of([3, 2, 5]).tolist()
    [[1, 3, 6]]
    """
    rows, room = [[0] * len(sizes)], 1
    for place, size in enumerate(sizes):
        if room * size > _WIDEST:
            rows.append([0] * len(sizes))
            room = 1
        rows[-1][place] = room
        room *= size
    return np.array(rows, np.int64)


def _numbers(ways: Counts, strides: Places) -> Places:
    """A number for each way, the same for the same counts."""
    first, *others = strides @ ways
    for other in others:
        first = _ranks(first) * first.size + _ranks(other)
    return np.asarray(first, np.int64)


def _ranks(numbers: Places) -> Places:
    """Numbers by their order, from 0."""
    return np.asarray(np.unique(numbers, return_inverse=True)[1], np.int64)
