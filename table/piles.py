"""The drafts of a hand together: a deck holds each card once, so no two piles hold the same."""

from collections.abc import Sequence
from dataclasses import replace

from scoring.cards import CODES
from table.draft import Draft
from table.seen import NOT_HERE, Seen
from vision.reading import NOT_SCOPA

Piles = tuple[Draft, ...]
"""The drafts of a hand, one a side."""


def owners(drafts: Sequence[Draft]) -> dict[str, tuple[int, ...]]:
    """Says for each of the forty codes which sides' piles hold it."""
    held = [draft.codes for draft in drafts]
    return {code: tuple(i for i, pile in enumerate(held) if code in pile) for code in CODES}


def missing(drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Codes that lie in no pile, but for those that somebody said the pack lacks.

    >>> len(missing([]))
    40
    """
    gone = absent(drafts)
    return tuple(c for c, sides in owners(drafts).items() if not sides and c not in gone)


def absent(drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Codes of cards of which somebody said that the pack lacks them.

    >>> absent([Draft(absent=("7d",)), Draft()])
    ('7d',)
    """
    return tuple(code for draft in drafts for code in draft.absent)


def with_none_absent(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Gives the piles with no card said to be absent: a new photo may show it after all."""
    return tuple(replace(draft, absent=()) for draft in drafts)


def waiting(drafts: Sequence[Draft]) -> tuple[int, ...]:
    """Sides whose pile nobody has shown; none once all forty cards lie in piles that somebody saw.

    >>> waiting([Draft(by_hand=("7d",)), Draft()])
    (1,)
    """
    if not missing(drafts) and not any(draft.takes_rest for draft in drafts):
        return ()
    return tuple(side for side, draft in enumerate(drafts) if not draft.codes)


def doubled(drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Codes that lie in more than one pile.

    >>> doubled([Draft(by_hand=("7d",)), Draft(by_hand=("7d", "1s"))])
    ('7d',)
    """
    return tuple(code for code, sides in owners(drafts).items() if len(sides) > 1)


def disputed(drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Codes that lie for certain in more than one pile: whose they are has to be asked.

    A card that one pile holds only by a guess is no dispute: the question about the guess is asked.
    """
    asked = {code for draft in drafts for code in draft.asked_codes}
    return tuple(code for code in doubled(drafts) if code not in asked)


def tapped(drafts: Sequence[Draft], side: int, *, code: str) -> tuple[Draft, ...]:
    """Gives the piles after one tap on a card in the picker of `side`.

    A question is answered with yes, a card of this pile goes out, a card of another pile moves
    here, a card of no pile comes in.
    """
    here = drafts[side]
    if code in here.codes - here.asked_codes:
        out = (*here.refused, code) if here.takes_rest else ()
        return given(drafts, side, draft=replace(here.take(code), refused=out))
    moved = tuple(draft.take(code) for draft in drafts)
    return given(moved, side, draft=here.put(code))


def with_rest(drafts: Sequence[Draft], side: int) -> tuple[Draft, ...]:
    """Gives the piles with every card that lies in no pile in the pile of `side`, as the rest.

    A pile that photos show gets these cards and no others, whatever the piles become.
    """
    here = drafts[side]
    left = (*(here.rest or ()), *missing(drafts))
    if here.photos and here.codes and not here.takes_rest:
        return given(drafts, side, draft=replace(here, by_hand=(*here.by_hand, *left)))
    return given(drafts, side, draft=replace(here, rest=left, refused=()))


def with_absent(drafts: Sequence[Draft], code: str) -> tuple[Draft, ...]:
    """Gives the piles with a card that lies in none of them being absent: the pack lacks it."""
    first = drafts[0]
    return given(drafts, 0, draft=replace(first, absent=(*first.take(code).absent, code)))


def with_rest_renewed(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Gives the piles with the rest being what the others leave, but for what was taken out."""
    for side, draft in enumerate(drafts):
        if draft.takes_rest:
            bare = given(drafts, side, draft=replace(draft, rest=()))
            left = tuple(code for code in missing(bare) if code not in draft.refused)
            return given(bare, side, draft=replace(draft, rest=left))
    return tuple(drafts)


def renewed(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Gives the piles with all that follows from a change of any of them."""
    found = {code for draft in drafts for code in draft.codes}
    there = [replace(d, absent=tuple(c for c in d.absent if c not in found)) for d in drafts]
    return with_rest_renewed(deduced(there))


def deduced(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Gives the piles with what the deck tells of the open questions.

    A doubt is none of the cards that are certain: it is asked about by its next name. Or it is no
    card of its own but a bad box of such a card, which is offered where it has that card's name,
    and taken for granted once all of its names are certain. Should a card lie there all the same
    it is in no pile, and is asked about as such.

    >>> doubt = Seen(photo=1, guess="7d", doubtful=True, corners=(), alternatives=("6d",))
    >>> deduced([Draft(seen=(doubt,), by_hand=("7d",))])[0].seen[0].guess
    '6d'
    """
    certain = frozenset[str]().union(*(draft.certain for draft in drafts))
    return tuple(
        replace(draft, seen=tuple(_renamed(seen, draft, certain=certain) for seen in draft.seen))
        for draft in drafts
    )


def _renamed(seen: Seen, draft: Draft, *, certain: frozenset[str]) -> Seen:
    """A card seen, if in doubt by a name that is not certain to be another card's."""
    names = (seen.guess, *seen.alternatives)
    beside = {one.code for one in draft.seen if one.photo == seen.photo and not one.is_open}
    if not seen.is_open or (seen.guess not in certain and beside.isdisjoint(names)):
        return seen
    left = [code for code in names if code in CODES and code not in certain]
    if not left:
        return replace(seen, answer=NOT_HERE)
    others = dict.fromkeys((*names, NOT_SCOPA))
    del others[left[0]]
    return replace(seen, guess=left[0], alternatives=tuple(others))


def given(drafts: Sequence[Draft], side: int, *, draft: Draft) -> tuple[Draft, ...]:
    """Gives the piles with one of them replaced."""
    return (*drafts[:side], draft, *drafts[side + 1 :])


def put_into(drafts: Sequence[Draft], code: str, *, side: int) -> tuple[Draft, ...]:
    """Gives the piles with a card in that of `side`, for certain, and in no other."""
    return tuple(
        draft.put(code) if at == side else draft.take(code) for at, draft in enumerate(drafts)
    )
