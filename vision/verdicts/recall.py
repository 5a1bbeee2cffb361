"""The boxes of a hand -> its cards; what is in no pile is looked for among the faint boxes.

A name is believed, the picture's or the deck's, only where the box surely holds a card; in a hand
also where the picture gives it surely and no other box is said to be that card, for a bad box is
mostly one of its own card.

A faint box is mostly a bad one, and then it is read as a card that lies elsewhere, or as nothing.
Where nearly all cards of a hand are seen, one that is read as a card that nobody has is that card:
likely enough to be asked about.
"""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.classes import CLASSES, NOT_SCOPA
from vision.reading import Status
from vision.verdicts.belief import Numbers
from vision.verdicts.doubles import choose
from vision.verdicts.reconcile import DECK_SIZE, SURE, Verdict, missing_cards, reconcile
from vision.verdicts.sighting import Sighting

FIRM = 0.85
"""What is read in a box less likely than this to be a whole card is asked about, however sure the
name is: that there is a card to be named is itself in doubt."""
FAINT = 0.2
"""A box less likely than this to be a whole card is not looked at again."""
LEAST = 0.35
"""How likely a faint box must be the card that it is taken for."""
NO_CARD = 0.1
"""How likely a faint box is no card after all, or another's: nobody is to be sure of it."""
MOST_MISSING = 12
"""With more cards missing a pile was not photographed: where they lie is not known."""

Boxes = tuple[Sequence[Sighting], Numbers]
"""All the boxes of a photo, and how likely each of them is a whole card."""

Photos = Sequence[Sequence[Sighting]]
"""The sightings of each photo."""


def settled(
    photos: Sequence[Boxes], *, piles: Sequence[int]
) -> tuple[Photos, Sequence[Sequence[Verdict]]]:
    """The cards of each photo, and what they are; those found again are doubtful.

    Args:
        photos: The boxes of each photo.
        piles: The pile each photo shows.

    >>> settled([([], np.zeros(0))], piles=[0])
    ([()], ((),))
    """
    chosen = [choose(*boxes) for boxes in photos]
    firm = {
        id(sighting)
        for sightings, chances in photos
        for sighting, chance in zip(sightings, chances, strict=True)
        if chance >= FIRM
    }
    verdicts = _decided(chosen, piles=piles, firm=firm)
    if len(set(piles)) < 2 or len(missing_cards(verdicts)) > MOST_MISSING:
        return chosen, verdicts
    faint = [
        [sighting for sighting in choose(*boxes, likely=FAINT) if sighting not in own]
        for boxes, own in zip(photos, chosen, strict=True)
    ]
    again = recalled(faint, missing_cards(verdicts))
    if not any(again):
        return chosen, _undisputed(chosen, verdicts, piles=piles)
    cards = [(*own, *more) for own, more in zip(chosen, again, strict=True)]
    found = [
        (*map(_still_open, before, own), *map(_in_doubt, own[len(before) :]))
        for before, own in zip(verdicts, _decided(cards, piles=piles, firm=firm), strict=True)
    ]
    return cards, _undisputed(cards, found, piles=piles)


def recalled(faint: Photos, missing: Sequence[str]) -> tuple[tuple[Sighting, ...], ...]:
    """The faint sightings of each photo that show a missing card, each card once.

    >>> recalled([[], []], ["7d"])
    ((), ())
    """
    places = [(photo, sighting) for photo, found in enumerate(faint) for sighting in found]
    if not places or not missing:
        return tuple(() for _ in faint)
    columns = [CLASSES.index(code) for code in missing]
    shares = np.stack([sighting.probabilities[columns] for _, sighting in places])
    pairs = zip(*linear_sum_assignment(shares, maximize=True), strict=True)
    shown = [places[row] for row, column in pairs if shares[row, column] >= LEAST]
    return tuple(
        tuple(sighting for photo, sighting in shown if photo == number)
        for number in range(len(faint))
    )


def _decided(
    photos: Photos, *, piles: Sequence[int], firm: Container[int]
) -> tuple[tuple[Verdict, ...], ...]:
    """What some sightings are; only those with a firm box are believed, unless they are the deck.

    A card that several photos of a pile show needs one firm box among them. Where each of the forty
    cards is seen, none in two places, and nothing else is in doubt, no box can be a bad one that is
    what its picture says before anything else.

    Args:
        photos: The sightings of each photo.
        piles: The pile each photo shows.
        firm: The ids of the sightings that surely are whole cards.
    """
    verdicts = reconcile(photos, piles=piles)
    where = _places(verdicts)
    unread = any(_is_unread(one) for own in verdicts for one in own)
    deck = CLASSES[:DECK_SIZE]
    whole = not unread and all(_is_one_card(where[card], piles=piles) for card in deck)
    there = {
        (pile, verdict.card)
        for pile, sightings, own in zip(piles, photos, verdicts, strict=True)
        for sighting, verdict in zip(sightings, own, strict=True)
        if id(sighting) in firm
    }
    return tuple(
        tuple(
            _in_doubt(one)
            if _named(one)
            and (pile, one.card) not in there
            and not (whole and sighting.top == one.card)
            else one
            for sighting, one in zip(sightings, own, strict=True)
        )
        for pile, sightings, own in zip(piles, photos, verdicts, strict=True)
    )


def _undisputed(
    photos: Photos, verdicts: Sequence[Sequence[Verdict]], *, piles: Sequence[int]
) -> Sequence[Sequence[Verdict]]:
    """The verdicts of a hand; what its picture surely names and no other box is, settled.

    Other photos of its pile may show it too.
    """
    where = _places(verdicts)
    return tuple(
        tuple(
            replace(
                one,
                status=Status.SETTLED,
                confidence=float(sighting.probabilities[CLASSES.index(one.card)]),
                alternatives=(),
            )
            if one.status is Status.DOUBTFUL
            and _names(sighting, one.card)
            and _is_one_card(where[one.card], piles=piles)
            else one
            for sighting, one in zip(sightings, own, strict=True)
        )
        for sightings, own in zip(photos, verdicts, strict=True)
    )


def _places(verdicts: Sequence[Sequence[Verdict]]) -> Mapping[str, Sequence[int]]:
    """The photo of each box by what it is said to be."""
    where = defaultdict(list)
    for number, own in enumerate(verdicts):
        for one in own:
            where[one.card].append(number)
    return where


def _names(sighting: Sighting, card: str) -> bool:
    """Whether the picture surely shows this card of the deck."""
    at = CLASSES.index(card)
    return at < DECK_SIZE and bool(sighting.probabilities[at] >= SURE)


def _is_one_card(numbers: Sequence[int], *, piles: Sequence[int]) -> bool:
    """Whether boxes on these photos, one number a box, may all show one card."""
    return len(set(numbers)) == len(numbers) and len({piles[number] for number in numbers}) == 1


def _is_unread(verdict: Verdict) -> bool:
    """Whether it may be a card and is not named as one."""
    return verdict.card not in CLASSES[:DECK_SIZE] and verdict.status is Status.DOUBTFUL


def _named(verdict: Verdict) -> bool:
    """Whether it is a card of the deck that nobody would be asked about."""
    return verdict.card in CLASSES[:DECK_SIZE] and verdict.status is not Status.DOUBTFUL


def _still_open(before: Verdict, now: Verdict) -> Verdict:
    """What a sighting is once faint boxes were found: a question that they answer is still one."""
    return before if before.status is Status.DOUBTFUL else now


def _in_doubt(verdict: Verdict) -> Verdict:
    """A verdict on a faint box: to be asked about, and perhaps no card at all."""
    left = 1 - NO_CARD
    others = [(code, share * left) for code, share in verdict.alternatives if code != NOT_SCOPA]
    none = NO_CARD + left * dict(verdict.alternatives).get(NOT_SCOPA, 0.0)
    return replace(
        verdict,
        status=Status.DOUBTFUL,
        confidence=verdict.confidence * left,
        alternatives=(*others, (NOT_SCOPA, none)),
    )
