"""Candidate cards that cannot be told apart: the same variables want them, with the same effect.

Whole classes are counted instead of single cards. That is what keeps the number of states small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scoring.doubt.model import Model, Variable
from scoring.doubt.point_functions import PointFunction


@dataclass(frozen=True)
class CardClass:
    """Cards that the same variables may be and that do the same for the point."""

    kind: int
    """Their kind, as in `PointFunction.kinds`; -1 where they do nothing."""
    suit: int
    """Their suit, 0 to 3, where only the best of a suit matters; else 0."""
    cards: tuple[int, ...]
    """Their indices."""
    chances: Mapping[int, float]
    """For each variable that may be one of them: the probability that it is."""
    remainder_matters: bool
    """Whether the cards of it that are no variable do something for the point.

    They go to the side that takes the rest, or they are missing cards.
    """

    @property
    def is_contested(self) -> bool:
        """Whether more variables may want a card of it than it has cards."""
        return len(self.chances) > len(self.cards)

    @property
    def is_counted(self) -> bool:
        """Whether a state has to remember how many of its cards are used."""
        return self.is_contested or self.remainder_matters

    def without(self, variable: int) -> CardClass:
        """The class once a variable is no longer thought to be one of its cards."""
        chances = {place: chance for place, chance in self.chances.items() if place != variable}
        return replace(self, chances=chances)

    def likelier(self, variable: int, chance: float) -> CardClass:
        """The class with so much more probability for a variable that wants it already."""
        return replace(self, chances={**self.chances, variable: self.chances[variable] + chance})


def card_classes(point: PointFunction, model: Model) -> tuple[CardClass, ...]:
    """The classes of the cards that are not sure.

    >>> from scoring.doubt.model import Variable
    >>> point = PointFunction("denari", (0,) * 10 + (-1,) * 30, False, int, tuple)
    >>> variable = Variable("a", (0,), {2: 0.5, 12: 0.5})
    >>> classes = card_classes(point, Model((0, 0), (variable,), 1, {2: (0,), 12: (0,)}))
    >>> [(one.kind, one.cards) for one in classes]
    [(0, (2,)), (-1, (12,))]
    """
    found: dict[tuple[int, int, tuple[int, ...]], list[int]] = {}
    for card, variables in model.wanted_by.items():
        kind, suit = _kind(point, model, card=card)
        found.setdefault((kind, suit, variables), []).append(card)
    classes = []
    for (kind, suit, variables), cards in found.items():
        chances = {
            place: sum(model.variables[place].chances[card] for card in cards)
            for place in variables
        }
        feeds_rest = kind >= 0 and _betters_the_rest(point, model, kind=kind, suit=suit)
        matters = bool(model.missing) or feeds_rest
        classes.append(CardClass(kind, suit, tuple(cards), chances, matters))
    return tuple(_relaxed(classes, point, model=model))


def _kind(point: PointFunction, model: Model, *, card: int) -> tuple[int, int]:
    """A card's kind and suit; (-1, 0) where it can do nothing for any side that may have it."""
    kind = point.kinds[card]
    if not point.best_only:
        return kind, 0
    suit = card // 10
    for side in model.takers(model.wanted_by[card]):
        if kind >= point.sure_level(model.sure[side], suit=suit):
            return kind, suit
    return -1, 0


def _betters_the_rest(point: PointFunction, model: Model, *, kind: int, suit: int) -> bool:
    """Whether a card that is no variable can better the side that takes the rest."""
    if not point.best_only or model.rest is None:
        return False
    return kind >= point.sure_level(model.sure[model.rest], suit=suit)


def _relaxed(classes: list[CardClass], point: PointFunction, *, model: Model) -> list[CardClass]:
    """The classes with fewer variables after the contested ones.

    A variable that may be a card of an uncontested class with the same effect never needs the
    contested one: exchanging the two changes no award. So its probability moves there.
    """
    classes = list(classes)
    moved = True
    while moved:
        moved = False
        for variable, contested, free in _exchanges(classes, point, model=model):
            chance = classes[contested].chances[variable]
            classes[free] = classes[free].likelier(variable, chance)
            classes[contested] = classes[contested].without(variable)
            moved = True
    return classes


def _exchanges(
    classes: list[CardClass], point: PointFunction, *, model: Model
) -> Iterator[tuple[int, int, int]]:
    """Variables with a contested and an uncontested class of the same effect.

    `classes` may change between two results.
    """
    wanted: list[list[int]] = [[] for _ in model.variables]
    for number, one in enumerate(classes):
        for place in one.chances:
            wanted[place].append(number)
    for place, (variable, numbers) in enumerate(zip(model.variables, wanted, strict=True)):
        contested = [
            number
            for number in numbers
            if classes[number].is_contested and not classes[number].remainder_matters
        ]
        if not contested:
            continue
        free: dict[object, int] = {}
        for number in numbers:
            if not classes[number].is_counted:
                effect = _effect(classes[number], point, sure=model.sure, variable=variable)
                free.setdefault(effect, number)
        for number in contested:
            effect = _effect(classes[number], point, sure=model.sure, variable=variable)
            if effect in free:
                yield place, number, free[effect]


def _effect(
    one: CardClass, point: PointFunction, *, sure: tuple[int, ...], variable: Variable
) -> object:
    """What a card of a class does for the owners of a variable; equal effects are exchangeable."""
    if not point.best_only or one.kind < 0:
        return one.kind
    betters = [
        owner is not None and one.kind >= point.sure_level(sure[owner], suit=one.suit)
        for owner in variable.owners
    ]
    return (one.kind, one.suit) if any(betters) else -1
