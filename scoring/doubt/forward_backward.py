"""The layered graph of a point, expanded state by state, and the passes over it.

The forward pass finds the states of each layer and their probabilities. The backward pass finds
for each state how the point can still go. Together they give the probability of every outcome
jointly with every option.

A layer's transitions are kept as columns, one entry a state: Python runs through a column several
times as fast as through states one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add, mul, or_

from scoring.doubt.budget import Budget
from scoring.doubt.elimination import Elimination
from scoring.doubt.layers import Layer

Awards = tuple[int, ...]
"""What each side gets: one outcome of a point."""

Column = Sequence[float]
"""A number for each state of a layer, or for each outcome."""

IMPOSSIBLE = -1
"""The successor where an option is impossible. Columns of successors end with an entry for it."""


@dataclass(frozen=True)
class Transitions:
    """What one option of a layer does to every state before the layer."""

    to: Sequence[int]
    """For each state: its successor after the layer, or `IMPOSSIBLE`."""
    share: Column
    """For each state: the probability of the option there, 0 where it is impossible."""


@dataclass(frozen=True)
class LayeredGraph:
    """All assignments of a point's variables; states are named by their place in their layer."""

    elimination: Elimination
    forward: tuple[Column, ...]
    """The probability of each state before each layer, and of each final state."""
    transitions: tuple[Sequence[Transitions], ...]
    """For each layer: the transitions of each option."""
    outcomes: tuple[Awards, ...]
    """The outcomes that the point can have."""
    outcome_of_final: Sequence[int]
    """For each final state: its place in `outcomes`."""

    @cached_property
    def _marginals(self) -> tuple[list[float], list[list[list[float]]]]:
        """`probabilities`, and `joint` with the last layer first."""
        ends = [
            [float(at == outcome) for outcome in self.outcome_of_final]
            for at in range(len(self.outcomes))
        ]
        joint = []
        for options, forward in zip(self.transitions[::-1], self.forward[-2::-1], strict=True):
            before, known = [], [list[float]() for _ in options]
            for end in ends:
                after, found = [*end, 0.0], [0.0] * len(forward)
                for option, sums in zip(options, known, strict=True):
                    part = list(map(mul, option.share, map(after.__getitem__, option.to)))
                    found = list(map(add, found, part))
                    sums.append(sum(map(mul, forward, part)))
                before.append(found)
            ends = before
            joint.append(known)
        return [sum(end) for end in ends], joint

    @cached_property
    def probabilities(self) -> Column:
        """The probability of each outcome, not normalised: impossible assignments are left out."""
        return self._marginals[0]

    @cached_property
    def joint(self) -> Sequence[Sequence[Column]]:
        """For each layer and option: the probability of the option jointly with each outcome."""
        return self._marginals[1][::-1]

    @cached_property
    def reachable(self) -> Sequence[Sequence[int]]:
        """For each state: the outcomes it can end in, as a mask; 0 where no assignment is left."""
        reach = [[1 << outcome for outcome in self.outcome_of_final]]
        for options in self.transitions[::-1]:
            after = [*reach[-1], 0]
            found = (map(after.__getitem__, option.to) for option in options)
            reach.append(list(reduce(lambda one, other: map(or_, one, other), found)))
        return reach[::-1]

    @cached_property
    def successors(self) -> Sequence[Sequence[tuple[int, ...]]]:
        """For each layer and each state before it: where its options lead."""
        return [
            list(zip(*(option.to for option in options), strict=True))
            for options in self.transitions
        ]


def expand(elimination: Elimination, budget: Budget) -> LayeredGraph:
    """The layered graph of a point, found by the forward pass.

    Raises:
        BudgetSpent: it has more states than the budget allows.
    """
    states, transitions = [elimination.start()], list[Sequence[Transitions]]()
    forward: list[Column] = [[1.0]]
    for layer in elimination.layers:
        budget.spend(len(states) * len(layer.options) * elimination.transition_cost)
        states, led = _expand(states, layer, signature=elimination.signature(layer))
        forward.append(_carried(forward[-1], led, count=len(states)))
        transitions.append(led)
    ends = [elimination.figures.awards_of_state(state) for state in states]
    place = {awards: number for number, awards in enumerate(dict.fromkeys(ends))}
    final = [place[awards] for awards in ends]
    return LayeredGraph(elimination, tuple(forward), tuple(transitions), tuple(place), final)


def _expand(
    states: Sequence[int], layer: Layer, *, signature: Callable[[int], Hashable]
) -> tuple[list[int], list[Transitions]]:
    """The states after a layer and the transitions of each option.

    States that agree in the counts which the layer looks at change alike, so each such part is
    followed once. Of states with the same signature one is kept.
    """
    looked_at = layer.looks_at
    parts = [state & looked_at for state in states]
    others = [state - part for state, part in zip(states, parts, strict=True)]
    places: dict[int | None, int] = {None: IMPOSSIBLE}
    merged: dict[Hashable, int] = {}
    kept: list[int] = []
    transitions = []
    for option, chance in layer.options:
        led = {
            part: layer.follow(part, option, chance=chance) or (None, 0.0)
            for part in dict.fromkeys(parts)
        }
        changed, share = zip(*map(led.__getitem__, parts), strict=True)
        reached = [
            None if change is None else other + change
            for other, change in zip(others, changed, strict=True)
        ]
        for state in dict.fromkeys(reached):
            if state is not None and state not in places:
                place = places[state] = merged.setdefault(signature(state), len(kept))
                if place == len(kept):
                    kept.append(state)
        transitions.append(Transitions([places[state] for state in reached], share))
    return kept, transitions


def _carried(forward: Column, transitions: Sequence[Transitions], *, count: int) -> Column:
    """The probabilities of so many states after a layer."""
    after = [0.0] * (count + 1)
    for option in transitions:
        for to, weight in zip(option.to, map(mul, forward, option.share), strict=True):
            after[to] += weight
    return after[:count]
