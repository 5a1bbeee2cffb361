"""One point as a layered graph that is not expanded yet: its variables in elimination order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from scoring.doubt.card_classes import CardClass, card_classes
from scoring.doubt.elimination_order import elimination_order
from scoring.doubt.figures import Figures, Prospects
from scoring.doubt.layers import (
    ClosingClass,
    Layer,
    Option,
    Options,
    RemainderOption,
    Turn,
    layers_of,
)
from scoring.doubt.model import Model, Variable
from scoring.doubt.point_functions import PointFunction
from scoring.doubt.states import layout_of

PROSPECTS_COST = 2
"""Operations that a transition costs where the signature of its state has to be worked out."""


class Elimination:
    """The layers of one point, the state they begin with, and what a final state awards."""

    point: PointFunction
    layers: tuple[Layer, ...]
    """One for each variable that matters, then those of missing cards that no variable wants."""
    figures: Figures
    contested: frozenset[int]
    """The places whose card may be another's too."""

    def __init__(self, point: PointFunction, model: Model) -> None:
        self.point = point
        self._model = model
        self._classes = card_classes(point, model)
        self._layout = layout_of(self._classes, point, model=model)
        self.figures = Figures(point, model, layout=self._layout)
        options = self._options_of_variables()
        self._given = [found[0][0] for found in options if _is_given(found)]
        urgency = {
            place: self._urgency(model.variables[place])
            for place, found in enumerate(options)
            if not _is_given(found)
        }
        counted = [one.chances for one in self._classes if one.is_counted]
        order = elimination_order(urgency, counted)
        self.layers = layers_of([*self._variable_turns(order, options), *self._missing_turns()])
        self.contested = frozenset(place for places in self._wanting() for place in places)
        self._doubtfulness = {place: _gini(options[place]) for place in order}

    @property
    def places(self) -> tuple[int, ...]:
        """The variables that matter, and the place of the missing cards where those do."""
        return tuple(dict.fromkeys(layer.place for layer in self.layers))

    @property
    def size(self) -> int:
        """How many options all layers have: a cheap measure of how much work they are."""
        return sum(len(layer.options) for layer in self.layers)

    @property
    def transition_cost(self) -> int:
        """Operations that one transition costs: more where states are compared by prospects."""
        return PROSPECTS_COST if self.point.best_only else 1

    def doubtfulness(self, place: int) -> float:
        """How open it is what a variable does for the point, 0 to 1; 0 for missing cards.

        It stands in for the expected gain of asking where the graph is too large to be expanded.
        """
        return self._doubtfulness.get(place, 0.0)

    def rivals(self, asked: frozenset[int]) -> frozenset[int]:
        """The places whose card may still be another's too, once some are answered."""
        shared = (places - asked for places in self._wanting())
        return frozenset(place for places in shared if len(places) > 1 for place in places)

    def cards_at(self, place: int) -> int:
        """How many cards a place stands for: one, or all missing cards."""
        return self._model.missing if place == self._model.missing_place else 1

    def layers_at(self, places: frozenset[int]) -> frozenset[int]:
        """The numbers of the layers that settle some places."""
        return frozenset(no for no, layer in enumerate(self.layers) if layer.place in places)

    def signature(self, layer: Layer) -> Callable[[int], Hashable]:
        """A key for states after a layer; equal keys award alike, whatever follows."""
        if not self.point.best_only:
            return int
        return Prospects(self.figures, rising=layer.rising).signature

    def start(self) -> int:
        """The state before any variable is settled."""
        start = 0
        for (side, what), shift in self._layout.gained.items():
            if self.point.best_only:
                held = self._model.sure[side]
                start += self.point.sure_level(held, suit=what) << shift
            elif side == self._model.rest:
                cards = [len(one.cards) for one in self._classes if one.kind == what]
                start += sum(cards) << shift
        for option in self._given:
            start, _ = Layer(0, (), (), {}).follow(start, option, chance=1.0) or (start, 1.0)
        return start

    def _wanting(self) -> Iterator[frozenset[int]]:
        """For each class without a card for everyone who may want one: the places that may."""
        for one in self._classes:
            if self._model.missing:
                yield frozenset((*one.chances, self._model.missing_place))
            elif one.is_contested:
                yield frozenset(one.chances)

    def _options_of_variables(self) -> list[Options]:
        """The options of each variable; values that do the same are one option."""
        variables = self._model.variables
        merged: list[dict[Option, float]] = [{} for _ in variables]
        for number, one in enumerate(self._classes):
            by_owner: dict[int | None, Option] = {}
            for place, chance in one.chances.items():
                owners = variables[place].owners
                for owner in owners:
                    if owner not in by_owner:
                        by_owner[owner] = self._option(number, owner)
                    option = by_owner[owner]
                    merged[place][option] = merged[place].get(option, 0.0) + chance / len(owners)
        return [tuple(found.items()) for found in merged]

    def _variable_turns(self, order: Sequence[int], options: Sequence[Options]) -> Iterator[Turn]:
        """The turns of the variables, each with the classes that close with it.

        The remainder of a closed class goes to the side that takes the rest. Where cards are
        missing, each card of the class has a turn instead: it may be one of them.
        """
        later = set(order)
        for place in order:
            later.discard(place)
            closed = [
                (self._classes[number], shift)
                for number, shift in self._layout.used.items()
                if place in self._classes[number].chances
                and later.isdisjoint(self._classes[number].chances)
            ]
            if self._model.missing:
                yield place, options[place], ()
                for one, shift in closed:
                    yield from self._remainder_turns(one, shift)
            else:
                yield place, options[place], [self._closing(*pair) for pair in closed]

    def _missing_turns(self) -> Iterator[Turn]:
        """The turns of missing cards that no variable may be."""
        for one in self._classes:
            if self._model.missing and one.kind >= 0 and not one.chances:
                yield from self._remainder_turns(one, -1)

    def _remainder_turns(self, one: CardClass, shift: int) -> Iterator[Turn]:
        """A turn for each card of a class: a variable is it, or it lies with anybody or nobody."""
        owners = (*range(len(self._model.sure)), None)
        for number in range(len(one.cards)):
            merged = dict[Option, float]()
            for owner in owners:
                delta, best, level = self._gain(one, owner)
                option = RemainderOption(delta, shift, number, best, level, taken=False)
                merged[option] = merged.get(option, 0.0) + 1 / len(owners)
            if number < len(one.chances):
                merged[RemainderOption(0, shift, number, -1, 0, taken=True)] = 1.0
            last = shift >= 0 and number == len(one.cards) - 1
            closing = (ClosingClass(shift, 0, 0, 0),) if last else ()
            yield self._model.missing_place, tuple(merged.items()), closing

    def _closing(self, one: CardClass, shift: int) -> ClosingClass:
        """The closing of a class whose remainder goes to the side that takes the rest."""
        best = level = 0
        if one.remainder_matters:
            best, level = self._layout.gained[self._model.rest or 0, one.suit], one.kind + 1
        return ClosingClass(shift, len(one.cards), best, level)

    def _urgency(self, variable: Variable) -> tuple[bool, int]:
        """High cards come first; variables that may be any card come last: they multiply states."""
        height = max(self.point.kinds[card] for card in variable.chances)
        anything = len(variable.chances) == len(self._model.wanted_by)
        return anything, -height if self.point.best_only else 0

    def _option(self, number: int, owner: int | None) -> Option:
        """What a card of a class does for one owner."""
        one, shift = self._classes[number], self._layout.used.get(number, -1)
        used, size = (1 << shift, len(one.cards)) if shift >= 0 else (0, 0)
        delta, best, level = self._gain(one, owner)
        return Option(used + delta, shift, size, best, level)

    def _gain(self, one: CardClass, owner: int | None) -> tuple[int, int, int]:
        """What an owner gains with a card of a class: delta, best_shift and level of an option."""
        if one.kind < 0:
            return 0, -1, 0
        if self.point.best_only:
            held = 0 if owner is None else self._model.sure[owner]
            if owner is None or one.kind < self.point.sure_level(held, suit=one.suit):
                return 0, -1, 0
            return 0, self._layout.gained[owner, one.suit], one.kind + 1
        delta = 0 if owner is None else 1 << self._layout.gained[owner, one.kind]
        if self._model.rest is not None:
            delta -= 1 << self._layout.gained[self._model.rest, one.kind]
        return delta, -1, 0


def _is_given(options: Options) -> bool:
    """Whether a variable does the same whatever it is, and no other may want its card."""
    return len(options) == 1 and options[0][0].used_shift < 0


def _gini(options: Options) -> float:
    """The Gini impurity of a distribution: the chance that two draws from it differ."""
    return 1.0 - sum(chance * chance for _, chance in options)
