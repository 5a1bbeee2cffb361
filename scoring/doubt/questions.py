"""What a point depends on, and the smallest set of cards to ask about.

A variable is *essential* to a point where two assignments that differ in it alone have different
outcomes. Every set of questions that settles the point holds the essential variables, and where no
two variables want the same contested card they are enough. Else further ones are looked for: each
time two assignments agree in all answers and still differ in outcome, one of the variables in which
they differ must be asked too. The questions are then a minimum hitting set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.doubt.budget import Budget, BudgetSpent
from scoring.doubt.divergence import divergence
from scoring.doubt.elimination import Elimination
from scoring.doubt.forward_backward import Awards, Column, LayeredGraph, expand
from scoring.doubt.hitting_set import minimum_hitting_set


@dataclass(frozen=True, kw_only=True)
class PointAnalysis:
    """What is known of one point. Variables are named by their place in the model."""

    elimination: Elimination
    graph: LayeredGraph | None
    """The expanded graph; None where the budget did not suffice."""
    possible: Mapping[Awards, float]
    """The outcomes it may have, with their probabilities; empty without a graph."""
    essential: frozenset[int]
    """Variables that alone can change it; without a graph all that may matter."""
    depends_on: frozenset[int]
    """Variables that can change it, alone or with others."""
    gains: Mapping[int, float]
    """For each of its variables: by how much its answer is expected to make the point surer."""

    @property
    def exact(self) -> bool:
        """Whether every assignment was counted."""
        return self.graph is not None


def analyse(elimination: Elimination, budget: Budget) -> PointAnalysis:
    """How a point may go, and what it depends on.

    >>> from scoring.doubt.model import Model
    >>> from scoring.doubt.point_functions import PointFunction
    >>> point = PointFunction("carte", (0,) * 40, False, int, lambda figures: (1, 0))
    >>> elimination = Elimination(point, Model((1, 2), (), None, {}))
    >>> dict(analyse(elimination, Budget(100)).possible)
    {(1, 0): 1.0}
    """
    places = frozenset(elimination.places)
    try:
        graph = expand(elimination, budget)
    except BudgetSpent:
        gains = {place: elimination.doubtfulness(place) for place in places}
        return PointAnalysis(
            elimination=elimination, graph=None, possible={}, gains=gains,
            essential=places, depends_on=places,
        )  # fmt: skip
    if len(graph.outcomes) == 1:
        return PointAnalysis(
            elimination=elimination, graph=graph, possible={graph.outcomes[0]: 1.0}, gains={},
            essential=frozenset(), depends_on=frozenset(),
        )  # fmt: skip
    essential = _essential(graph, budget)
    analysis = PointAnalysis(
        elimination=elimination, graph=graph, possible=_possible(graph), gains=_gains(graph),
        essential=essential, depends_on=essential | elimination.contested,
    )  # fmt: skip
    if settles(analysis, essential, budget=budget):
        return replace(analysis, depends_on=essential)
    return analysis


def smallest_questions(analyses: Sequence[PointAnalysis], budget: Budget) -> frozenset[int]:
    """The fewest variables whose answers settle every point; all missing cards count as so many.

    Where the budget does not suffice to find the fewest, the set is larger than it need be, and
    still settles every point.

    >>> smallest_questions([], Budget(0))
    frozenset()
    """
    asked = frozenset(place for analysis in analyses for place in analysis.essential)
    left = [analysis for analysis in analyses if not settles(analysis, asked, budget=budget)]
    gains = {
        place: sum(analysis.gains.get(place, 0.0) for analysis in left)
        for analysis in left
        for place in analysis.elimination.contested - asked
    }
    wanted = sorted(gains, key=lambda place: (-gains[place], place))
    costs = {place: left[0].elimination.cards_at(place) for place in wanted}
    to_hit = list[frozenset[int]]()
    try:
        while True:
            more = minimum_hitting_set(to_hit, costs, budget=budget)
            differing = _unsettled(left, asked | more, budget=budget)
            if differing is None:
                return asked | more
            to_hit.append(differing)
    except BudgetSpent:
        return asked.union(wanted)


def settles(analysis: PointAnalysis, asked: frozenset[int], *, budget: Budget) -> bool:
    """Whether a point has one outcome, whatever is answered about some variables.

    The variables asked about must hold every essential one. False where the budget does not
    suffice to find out.
    """
    if analysis.depends_on == analysis.essential:
        return True
    try:
        return _unsettled([analysis], asked, budget=budget) is None
    except BudgetSpent:
        return False


def _unsettled(
    analyses: Sequence[PointAnalysis], asked: frozenset[int], *, budget: Budget
) -> frozenset[int] | None:
    """Variables in which two assignments differ that agree in all answers but not in outcome.

    None where the answers settle every point. Only variables that may still want the same contested
    card can turn a point together: any other one makes no difference alone, and takes no card away.

    Raises:
        BudgetSpent: finding out takes more operations than the budget allows.
    """
    for analysis in analyses:
        if analysis.graph is None:
            continue
        elimination = analysis.elimination
        free = elimination.layers_at(elimination.rivals(asked))
        layers = divergence(analysis.graph, free, budget=budget)
        if layers:
            return frozenset(elimination.layers[layer].place for layer in layers)
    return None


def _essential(graph: LayeredGraph, budget: Budget) -> frozenset[int]:
    """The variables that alone can change a point; all of them where the budget is spent."""
    elimination = graph.elimination
    try:
        return frozenset(
            place
            for place in elimination.places
            if divergence(graph, elimination.layers_at(frozenset({place})), budget=budget)
        )
    except BudgetSpent:
        return frozenset(elimination.places)


def _possible(graph: LayeredGraph) -> dict[Awards, float]:
    """The outcomes of a point with their probabilities, likeliest first."""
    total = sum(graph.probabilities)
    weighed = zip(graph.outcomes, graph.probabilities, strict=True)
    likely = sorted(
        ((weight / total, awards) for awards, weight in weighed if weight), reverse=True
    )
    return {awards: chance for chance, awards in likely}


def _gains(graph: LayeredGraph) -> dict[int, float]:
    """For each variable: by how much the point is expected to be surer once it is known, 0 to 1."""
    gains = dict.fromkeys(graph.elimination.places, 0.0)
    for layer, joint in zip(graph.elimination.layers, graph.joint, strict=True):
        before: list[float] = [sum(weights) for weights in zip(*joint, strict=True)]
        after = sum(_sureness(weights) for weights in joint)
        gains[layer.place] += (after - _sureness(before)) / sum(before)
    return gains


def _sureness(weights: Column) -> float:
    """The total weight times the chance that two draws agree; all of it with one outcome."""
    total = sum(weights)
    return sum(weight * weight for weight in weights) / total if total else 0.0
