"""Which open questions must be answered: those that could still change a point."""

from collections.abc import Sequence

from app_pages.drafts import DECK_CODES, Draft, doubled, missing
from scoring.cards import Card
from scoring.doubt import Doubt, DoubtfulHand, judge
from scoring.errors import DoubtError
from scoring.hand import Side
from scoring.rules import Rules

GUESS = 0.6
"""Share given to the camera's guess; which questions are asked does not hang on it."""

Place = tuple[int, int]
"""A side and a place in its draft's `seen`."""


def open_places(piles: Sequence[Draft]) -> frozenset[Place]:
    """Gives every question that nobody has answered.

    >>> open_places([Draft(by_hand=("7d",))])
    frozenset()
    """
    return frozenset((side, i) for side, draft in enumerate(piles) for i in draft.questions)


def needed(piles: Sequence[Draft], names: Sequence[str], *, rules: Rules) -> frozenset[Place]:
    """Gives the questions that must be answered before the points are certain.

    While a pile is not there, a card is missing or in two piles, that is every open one.
    """
    asked = open_places(piles)
    whole = all(draft.codes for draft in piles) and not (missing(piles) or doubled(piles))
    if not asked or not whole or any(_may_be_none(piles[side], i) for side, i in asked):
        return asked
    try:
        judgement = judge(_hand(piles, names), rules)
    except DoubtError:
        return asked
    keys = {question.key for question in judgement.questions}
    return frozenset(place for place in asked if _key(place) in keys)


def _may_be_none(draft: Draft, index: int) -> bool:
    return any(code not in DECK_CODES for code in draft.seen[index].alternatives)


def _hand(piles: Sequence[Draft], names: Sequence[str]) -> DoubtfulHand:
    rest = next((side for side, draft in enumerate(piles) if draft.rest is not None), None)
    sides = tuple(
        Side(name, tuple(map(Card.from_code, draft.certain)))
        for name, draft in zip(names, piles, strict=True)
    )
    doubts = tuple(_doubt(piles[place[0]], place) for place in sorted(open_places(piles)))
    return DoubtfulHand(sides=sides, doubts=doubts, rest=rest)


def _doubt(draft: Draft, place: Place) -> Doubt:
    side, index = place
    seen = draft.seen[index]
    chances = {Card.from_code(seen.guess): GUESS}
    for code in seen.alternatives:
        chances[Card.from_code(code)] = (1 - GUESS) / len(seen.alternatives)
    return Doubt(_key(place), side, chances)


def _key(place: Place) -> str:
    return f"{place[0]}:{place[1]}"
