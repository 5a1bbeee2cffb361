"""The piles of a hand together: a deck holds each card once, so no two piles hold the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.cards import CODES
from table.hand.pile import NOT_A_CARD, CardRef, Pile, PileCard
from vision.reading import NOT_SCOPA

Piles = tuple[Pile, ...]
"""The piles of a hand, one a side."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What the piles of a hand hold, derived once by `summarise`."""

    piles: Piles
    owners: Mapping[str, tuple[int, ...]]
    """For each of the forty codes, the sides whose piles hold it."""
    certain: tuple[frozenset[str], ...]
    """For each side, the codes in its pile whatever is answered."""
    candidates: Mapping[CardRef, tuple[str, ...]]
    """For each doubtful card without an answer, what it may be, the guess first."""
    absent: tuple[str, ...]
    """Codes of cards that the deck lacks, as a user said."""
    missing: tuple[str, ...]
    """Codes of cards in no pile, without those that are absent."""
    missing_piles: tuple[int, ...]
    """Sides without a pile; none once all forty cards are in piles that were shown."""
    duplicated: tuple[str, ...]
    """Codes of cards in two piles or more, for certain or by a guess."""
    conflicting: tuple[str, ...]
    """Codes of cards that are certain in two piles. A card that one pile holds only by a guess is
    not among them: the guess is asked about instead."""
    rest: int | None
    """The side that has the rest; of several, the one that takes all that the others leave. The
    rest of a side is not certain: a photo of another pile may show one of its cards."""
    uncounted: int | None
    """The side that takes all of the rest, until a user has counted its cards: otherwise it would
    get any card that the photos of the other piles missed, without a question."""


def summarise(piles: Sequence[Pile]) -> Summary:
    """Return what the piles of a hand hold.

    >>> hand = summarise([Pile(by_hand=("7d",)), Pile(absent=("1s",))])
    >>> len(hand.missing), hand.missing_piles, hand.absent
    (38, (1,), ('1s',))
    >>> summarise([Pile(by_hand=("7d",)), Pile(by_hand=("7d", "1s"))]).conflicting
    ('7d',)
    """
    held = [pile.codes for pile in piles]
    certain = tuple(pile.certain for pile in piles)
    owners = {
        code: tuple(side for side, codes in enumerate(held) if code in codes) for code in CODES
    }
    absent = tuple(code for pile in piles for code in pile.absent)
    missing = tuple(code for code, sides in owners.items() if not sides and code not in absent)
    empty = tuple(side for side, codes in enumerate(held) if not codes)
    takers = [side for side, pile in enumerate(piles) if pile.rest is not None]
    rest = min(takers, key=lambda side: not piles[side].takes_rest, default=None)
    is_counted = (
        rest is None or not piles[rest].takes_rest or piles[rest].counted == len(held[rest])
    )
    duplicated = tuple(code for code, sides in owners.items() if len(sides) > 1)
    sure = [codes.union(pile.rest or ()) for codes, pile in zip(certain, piles, strict=True)]
    return Summary(
        piles=tuple(piles),
        owners=owners,
        certain=tuple(certain[side] if side == rest else sure[side] for side in range(len(piles))),
        candidates={
            CardRef(side, number): _candidates(pile, number)
            for side, pile in enumerate(piles)
            for number in pile.questions
        },
        absent=absent,
        missing=missing,
        missing_piles=empty if missing or rest is not None else (),
        duplicated=duplicated,
        conflicting=tuple(
            code for code in duplicated if all(code in sure[side] for side in owners[code])
        ),
        rest=rest,
        uncounted=None if is_counted else rest,
    )


def _candidates(pile: Pile, number: int) -> tuple[str, ...]:
    """What a doubtful card may be. One that clashes may be no card: its guess is another card."""
    card = pile.detected[number]
    names = (card.guess, *card.alternatives, *([NOT_SCOPA] if number in pile.clashing else ()))
    return tuple(dict.fromkeys(names))


def with_pile(piles: Sequence[Pile], side: int, pile: Pile) -> Piles:
    """Return the piles with one of them replaced."""
    return (*piles[:side], pile, *piles[side + 1 :])


def tapped(piles: Sequence[Pile], side: int, *, code: str) -> Piles:
    """Return the piles after one tap on a card in the picker of `side`.

    A tap answers a question with yes, takes a card out of this pile, moves a card of another pile
    here, or adds a card of no pile.
    """
    pile = piles[side]
    if code in pile.codes - pile.asked_codes:
        out = () if pile.rest is None else (*pile.refused, code)
        return with_pile(piles, side, replace(pile.take(code), refused=out))
    return with_pile([other.take(code) for other in piles], side, pile.put(code))


def put_into(piles: Sequence[Pile], code: str, *, side: int) -> Piles:
    """Return the piles with a card certainly in that of `side`, and in no other."""
    return tuple(pile.put(code) if at == side else pile.take(code) for at, pile in enumerate(piles))


def with_photo_moved(piles: Sequence[Pile], photo: int, *, side: int) -> Piles:
    """Return the piles with a photo, and the cards read on it, in the pile of `side` alone.

    A photo that was removed from a pile is put back. One that is in no pile changes nothing.

    >>> anna, bruno = with_photo_moved([Pile(photos=(1, 2)), Pile()], 1, side=1)
    >>> anna.photos, bruno.photos
    ((2,), (1,))
    """
    removed = [pile.removed for pile in piles if pile.removed is not None]
    parts = (pile.part({photo}) for pile in (*piles, *removed))
    part = next((one for one in parts if one.photos), None)
    if part is None:
        return tuple(piles)
    left = [pile.without_photos({photo}) for pile in piles]
    return with_pile(left, side, left[side].with_photos(part))


def with_rest(piles: Sequence[Pile], side: int) -> Piles:
    """Return the piles with every card of no pile in the pile of `side`, as the rest.

    A pile that has photos gets these cards and no others, whatever changes later.
    """
    pile, missing = piles[side], summarise(piles).missing
    is_limited = pile.photos and pile.codes and not pile.takes_rest
    claimed = (*(pile.claimed or ()), *missing) if is_limited else None
    rest = (*(pile.rest or ()), *missing)
    return with_pile(piles, side, replace(pile, rest=rest, claimed=claimed, refused=()))


def with_absent(piles: Sequence[Pile], code: str) -> Piles:
    """Return the piles with a card of no pile marked as absent: the deck lacks it."""
    first = piles[0]
    return with_pile(piles, 0, replace(first, absent=(*first.take(code).absent, code)))


def with_none_absent(piles: Sequence[Pile]) -> Piles:
    """Return the piles without absent cards: a new photo may show them."""
    return tuple(replace(pile, absent=()) for pile in piles)


def updated(piles: Sequence[Pile]) -> Piles:
    """Return the piles with everything that follows from a change of any of them."""
    found = {code for pile in piles for code in pile.codes}
    there = [replace(p, absent=tuple(c for c in p.absent if c not in found)) for p in piles]
    return with_rest_updated(deduced(there))


def with_rest_updated(piles: Sequence[Pile]) -> Piles:
    """Return the piles with the rest brought up to date, without the cards taken out of it.

    No player saw these cards, so a pile that shows one of them has it.

    >>> anna, bruno = Pile(by_hand=("7d",)), Pile(rest=("7d", "1s"), claimed=("7d", "1s"))
    >>> with_rest_updated([anna, bruno])[1].rest
    ('1s',)
    """
    for side, pile in sorted(enumerate(piles), key=lambda one: one[1].takes_rest):
        if pile.rest is not None:
            bare = with_pile(piles, side, replace(pile, rest=()))
            may = {*(CODES if pile.claimed is None else pile.claimed)}.difference(pile.refused)
            left = tuple(code for code in summarise(bare).missing if code in may)
            piles = with_pile(bare, side, replace(pile, rest=left))
    return tuple(piles)


def with_count_expired(before: Sequence[Pile], after: Sequence[Pile]) -> Piles:
    """Return the piles without the counts that were right until the piles changed.

    >>> anna = Pile(by_hand=("7d",), counted=1)
    >>> with_count_expired([anna], [replace(anna, by_hand=("7d", "1s"))])[0].counted is None
    True
    """
    return tuple(
        replace(new, counted=None)
        if new.counted == old.counted == len(old.codes) != len(new.codes)
        else new
        for old, new in zip(before, after, strict=True)
    )


def deduced(piles: Sequence[Pile]) -> Piles:
    """Return the piles with open questions reduced by what other piles hold: a card exists once.

    Candidates that are certain elsewhere are dropped. If the guess is dropped, the next candidate
    is the guess; if none is left, the box is marked as not a card, unless a user said that another
    box of its photo is its card: then it stays a question. A box on the same photo as a
    certain card of one of its names may be a bad box of that card, so "not a card" is offered too.
    A real card that is lost this way appears as missing and is asked about as such.

    >>> doubt = PileCard(photo=1, guess="7d", doubtful=True, corners=(), alternatives=("6d",))
    >>> deduced([Pile(detected=(doubt,), by_hand=("7d",))])[0].detected[0].guess
    '6d'
    """
    certain = frozenset[str]().union(*(pile.certain for pile in piles))
    return tuple(
        replace(pile, detected=tuple(_deduced(n, pile, certain) for n in range(len(pile.detected))))
        for pile in piles
    )


def _deduced(number: int, pile: Pile, certain: frozenset[str]) -> PileCard:
    card = pile.detected[number]
    names = (card.guess, *card.alternatives)
    same_photo = {c.code for c in pile.detected if c.photo == card.photo and not c.is_open}
    if not card.is_open or (card.guess not in certain and same_photo.isdisjoint(names)):
        return card
    left = [code for code in names if code in CODES and code not in certain]
    if not left:
        return card if number in pile.clashing else replace(card, answer=NOT_A_CARD)
    others = dict.fromkeys((*names, NOT_SCOPA))
    del others[left[0]]
    return replace(card, guess=left[0], alternatives=tuple(others))
