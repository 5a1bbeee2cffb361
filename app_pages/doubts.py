"""What must be answered before a hand counts: what could still change a point."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app_pages.drafts import DECK_CODES, Draft, missing
from scoring.cards import Card
from scoring.doubt import Doubt, DoubtfulHand, judge
from scoring.errors import DoubtError
from scoring.hand import Side
from scoring.rules import Rules

GUESS = 0.6
"""Share given to the camera's guess; which questions are asked does not hang on it."""

MOST_LOST = 6
"""With more cards in no pile everything is asked: to count every way would take too long."""

Place = tuple[int, int]
"""A side and a place in its draft's `seen`."""


def open_places(piles: Sequence[Draft]) -> frozenset[Place]:
    """Gives every question that nobody has answered.

    >>> open_places([Draft(by_hand=("7d",))])
    frozenset()
    """
    return frozenset((side, i) for side, draft in enumerate(piles) for i in draft.questions)


@dataclass(frozen=True)
class Asked:
    """What must be answered before the points are certain."""

    places: frozenset[Place] = frozenset()
    """Doubtful cards."""
    lost: tuple[str, ...] = ()
    """Codes of cards in no pile that must be given to one."""


def asked(piles: Sequence[Draft], names: Sequence[str], *, rules: Rules) -> Asked:
    """Gives what could still change a point; all of it while a pile is not there.

    A doubt that may be no card at all counts as a card that nobody saw.
    """
    places, lost = open_places(piles), missing(piles)
    vague = frozenset((side, i) for side, i in places if _may_be_none(piles[side], i))
    if not all(draft.codes for draft in piles) or len(lost) + len(vague) > MOST_LOST:
        return Asked(places, lost)
    try:
        judgement = judge(_hand(piles, names, doubts=places - vague), rules)
    except DoubtError:
        return Asked(places, lost)
    if not all(verdict.exact for verdict in judgement.verdicts):
        return Asked(places, lost)
    keys = {question.key for question in judgement.questions}
    hangs = {place for place in places if _key(place) in keys} | _clashing(piles)
    unseen = any(key.startswith("missing:") for key in keys)
    if unseen:  # doubts are looked at before lost cards may settle them
        hangs |= places
    elif any(draft.rest is not None for draft in piles):
        hangs |= vague
    told = lost if unseen else tuple(code for code in lost if _lost_key(code) in keys)
    return Asked(frozenset(hangs), told)


def _clashing(piles: Sequence[Draft]) -> frozenset[Place]:
    """The doubts whose guess is also said of another card: the piles as shown cannot be right."""
    guesses = {place: piles[place[0]].seen[place[1]].guess for place in open_places(piles)}
    said = Counter(guesses.values()) + Counter(code for draft in piles for code in draft.certain)
    return frozenset(place for place, guess in guesses.items() if said[guess] > 1)


def _may_be_none(draft: Draft, index: int) -> bool:
    return any(code not in DECK_CODES for code in draft.seen[index].alternatives)


def _hand(
    piles: Sequence[Draft], names: Sequence[str], *, doubts: frozenset[Place]
) -> DoubtfulHand:
    """The hand with these doubts; cards in no pile are named where nothing else is open."""
    rest = next((side for side, draft in enumerate(piles) if draft.rest is not None), None)
    sides = tuple(
        Side(name, tuple(map(Card.from_code, draft.certain)))
        for name, draft in zip(names, piles, strict=True)
    )
    named = missing(piles) if not open_places(piles) else ()
    lost = (Doubt(_lost_key(code), None, {Card.from_code(code): 1.0}) for code in named)
    seen = (_doubt(piles[place[0]], place) for place in sorted(doubts))
    return DoubtfulHand(sides=sides, doubts=(*seen, *lost), rest=rest)


def _lost_key(code: str) -> str:
    return f"lost:{code}"


def _doubt(draft: Draft, place: Place) -> Doubt:
    side, index = place
    seen = draft.seen[index]
    chances = {Card.from_code(seen.guess): GUESS}
    for code in seen.alternatives:
        chances[Card.from_code(code)] = (1 - GUESS) / len(seen.alternatives)
    return Doubt(_key(place), side, chances)


def _key(place: Place) -> str:
    return f"{place[0]}:{place[1]}"
