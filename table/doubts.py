"""What must be answered before a hand counts: what could still change a point."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.cards import CODES, Card
from scoring.doubt import Doubt, DoubtfulHand, MissingCard, judge
from scoring.errors import DoubtError
from scoring.hand import Side
from scoring.rules import Rules
from table.draft import Draft
from table.piles import absent, given, missing

GUESS = 0.6
"""Share given to the camera's guess; which questions are asked does not hang on it."""

MOST_LOST = 6
"""With more cards that nobody can name the doubts that may be one are asked before anything is
counted: every way would take too long."""

SHOWN = 4
"""Questions of a pile shown at a time: the next one moves up when one is answered."""

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

    def of(self, side: int) -> tuple[Place, ...]:
        """Gives a side's doubtful cards in the order in which they were seen.

        >>> Asked(frozenset({(1, 4), (0, 2), (1, 3)})).of(1)
        ((1, 3), (1, 4))
        """
        return tuple(sorted(place for place in self.places if place[0] == side))


def asked(piles: Sequence[Draft], names: Sequence[str], *, rules: Rules) -> Asked:
    """Gives what could still change a point; all of it while a pile is not there.

    A doubt that may be no card at all counts as a card that nobody saw. Doubts that might be a card
    in no pile are asked before the cards themselves: their answers say which cards those are.
    """
    places, lost = open_places(piles), missing(piles)
    vague = frozenset((side, i) for side, i in places if _may_be_none(piles[side], i))
    tied = _tied(piles, lost, vague=vague)
    rest = any(draft.takes_rest for draft in piles)
    first = Asked(tied or places, lost)
    if not all(draft.codes for draft in piles):
        return Asked(places, lost)
    if tied and len(lost) + len(vague) > MOST_LOST:
        return first
    try:
        unowned = lost if rest or not tied else ()  # beside a rest: those taken out of it
        hand = _hand(piles, names, doubts=places - vague, lost=unowned)
        judgement = judge(hand, rules)
    except DoubtError as error:
        clash = frozenset(place for place in places if place in error.keys)
        return Asked(clash, lost) if clash else first
    if not all(outlook.exact for outlook in judgement.outlooks):
        return first
    keys = {question.key for question in judgement.questions}
    hangs = {place for place in places if place in keys} | _clashing(piles)
    unseen = any(isinstance(key, MissingCard) for key in keys)
    if unseen:
        hangs |= tied
    elif rest:
        hangs |= vague | (tied if lost else frozenset())
    told = lost if unseen else tuple(code for code in lost if code in keys)
    return Asked(frozenset(hangs), told)


def uncounted(piles: Sequence[Draft]) -> int | None:
    """Gives the side that has what the others leave, until its cards were counted.

    A card that no photo shows, or that nobody tapped in, would be counted for it, and nobody asked.

    >>> uncounted([Draft(photos=(1,), by_hand=("7d",)), Draft(rest=("1s", "2s"))])
    1
    """
    for side, draft in enumerate(piles):
        if draft.takes_rest and draft.counted != len(draft.codes):
            return side
    return None


def can_all_be(piles: Sequence[Draft], places: Sequence[Place]) -> bool:
    """Says whether the camera's guesses at some places can all be right at once.

    Not where two of them are the same card, or one is a card that lies in a pile for certain.
    """
    guesses = {piles[side].seen[index].guess for side, index in places}
    certain = {code for draft in piles for code in draft.certain}
    return len(guesses) == len(places) and not guesses & certain


def as_said(piles: Sequence[Draft], said: Mapping[Place, str]) -> tuple[Draft, ...]:
    """Gives the piles with doubtful cards settled as somebody said who was shown them."""
    settled = tuple(piles)
    for (side, index), code in said.items():
        settled = given(settled, side, draft=settled[side].answered(index, code))
    return settled


def _tied(
    piles: Sequence[Draft], lost: Sequence[str], *, vague: frozenset[Place]
) -> frozenset[Place]:
    """The doubts on which it hangs what lies in no pile: that may be such a card, or another may.

    Whatever the others turn out to be, they share out the same cards among themselves.
    """
    certain = {code for draft in piles for code in draft.certain}
    may_be = {
        (side, i): {piles[side].seen[i].guess, *piles[side].seen[i].alternatives} - certain
        for side, i in open_places(piles)
    }
    loose = set(lost).union(*(may_be[place] for place in vague))
    tied = vague
    while more := {place for place, codes in may_be.items() if codes & loose} - tied:
        tied |= more
        loose.update(*(may_be[place] for place in more))
    return tied


def _clashing(piles: Sequence[Draft]) -> frozenset[Place]:
    """The doubts whose guess is also said of another card: the piles as shown cannot be right."""
    guesses = {place: piles[place[0]].seen[place[1]].guess for place in open_places(piles)}
    said = Counter(guesses.values()) + Counter(code for draft in piles for code in draft.certain)
    return frozenset(place for place, guess in guesses.items() if said[guess] > 1)


def _may_be_none(draft: Draft, index: int) -> bool:
    return any(code not in CODES for code in draft.seen[index].alternatives)


def _hand(
    piles: Sequence[Draft],
    names: Sequence[str],
    *,
    doubts: frozenset[Place],
    lost: Sequence[str],
) -> DoubtfulHand:
    """The hand with these doubts, and with these cards in no pile; others nobody can name."""
    rest = next((side for side, draft in enumerate(piles) if draft.takes_rest), None)
    sides = tuple(
        Side(name, tuple(map(Card.from_code, draft.certain)))
        for name, draft in zip(names, piles, strict=True)
    )
    named = (Doubt(code, None, {Card.from_code(code): 1.0}) for code in lost)
    seen = (_doubt(piles[place[0]], place) for place in sorted(doubts))
    nobodys = tuple(map(Card.from_code, absent(piles)))
    return DoubtfulHand(sides=sides, doubts=(*seen, *named), rest=rest, absent=nobodys)


def _doubt(draft: Draft, place: Place) -> Doubt:
    side, index = place
    seen = draft.seen[index]
    chances = {Card.from_code(seen.guess): GUESS}
    for code in seen.alternatives:
        chances[Card.from_code(code)] = (1 - GUESS) / len(seen.alternatives)
    return Doubt(place, side, chances)
