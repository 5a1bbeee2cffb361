"""A verdict for each sighting of a hand, given that a deck holds each card once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.classes import CLASSES, DECK_SIZE, NOT_SCOPA
from vision.geometry.quads import FloatArray
from vision.reading import Status
from vision.verdicts.assign import EXTRA, joint_probabilities
from vision.verdicts.doubles import pooled, same_cards
from vision.verdicts.sighting import Sighting

SURE = 0.95
"""From this probability on an answer is given without asking."""
LEAST_READABLE = 0.4
"""If no answer reaches this probability, the verdict is a doubtful `x`: something card-like lies
there and cannot be read."""
WORTH_OFFERING = 0.01
"""Alternatives of lower probability are not offered."""
MOST_OFFERED = 4
"""No more alternatives than this are offered."""
WHOLE_HAND_FACTOR = 0.002
"""If a hand has forty sightings, the probability of a foreign card or a second box is multiplied by
this: one of the deck would have to be missing as well."""
MUCH_LIKELIER = 2.0
"""The deck may replace the photo's own answer only if it makes another so many times as likely."""

_NOT_SCOPA_AT = CLASSES.index(NOT_SCOPA)

SightingIndex = tuple[int, int]
"""The number of a photo, and of a sighting in it."""


@dataclass(frozen=True)
class Verdict:
    """What one sighting is taken for."""

    card: str
    """A card code, `back` or `x`."""
    status: Status
    """How far to trust it."""
    confidence: float
    """Probability that `card` is right."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """Other answers with their probabilities, likeliest first."""


def reconcile(
    photos: Sequence[Sequence[Sighting]], *, piles: Sequence[int]
) -> tuple[tuple[Verdict, ...], ...]:
    """A verdict for each sighting of each photo.

    Args:
        photos: The sightings of each photo, one for each card (`choose_boxes`).
        piles: The pile each photo shows. Photos of one pile may show the same card.

    >>> reconcile([[]], piles=[0])
    ((),)
    """
    groups = _groups(photos, piles=piles)
    if not groups:
        return tuple(() for _ in photos)
    shown = [[photos[photo][at].probabilities for photo, at in group] for group in groups]
    pools = [pooled(one) if len(one) > 1 else one[0] for one in shown]
    stacked = np.stack(pools).astype(np.float64)
    own = stacked / stacked.sum(axis=1, keepdims=True)
    joint = _joint(own, _seen_again(own, groups, piles=piles))
    verdicts = {
        index: _verdict(own[at], joint[at]) for at, group in enumerate(groups) for index in group
    }
    return tuple(
        tuple(verdicts[photo, at] for at in range(len(sightings)))
        for photo, sightings in enumerate(photos)
    )


def missing_cards(verdicts: Sequence[Sequence[Verdict]]) -> tuple[str, ...]:
    """The cards of the deck that no verdict names, in deck order.

    >>> len(missing_cards([]))
    40
    """
    seen = {verdict.card for photo in verdicts for verdict in photo}
    return tuple(code for code in CLASSES[:DECK_SIZE] if code not in seen)


def _groups(
    photos: Sequence[Sequence[Sighting]], *, piles: Sequence[int]
) -> tuple[tuple[SightingIndex, ...], ...]:
    """The sightings grouped by card, pile by pile, at most one sighting of a photo in a group."""
    groups: list[tuple[SightingIndex, ...]] = []
    for pile in sorted(set(piles)):
        numbers = [number for number, own in enumerate(piles) if own == pile]
        same = same_cards([photos[number] for number in numbers])
        groups += [tuple((numbers[photo], at) for photo, at in group) for group in same]
    return tuple(groups)


def _seen_again(
    own: FloatArray, groups: Sequence[Sequence[SightingIndex]], *, piles: Sequence[int]
) -> FloatArray:
    """N x 42: the probability that a group shows a card that another photo of its pile shows too.

    A sighting that was not grouped with one of another photo may still show the same card, if one
    of the two was misread. The probability of that is taken as the product of both showing it.
    """
    again = np.zeros_like(own)
    photos_of = [{photo for photo, _ in group} for group in groups]
    for at, mine in enumerate(photos_of):
        for other, theirs in enumerate(photos_of):
            if piles[min(theirs)] == piles[min(mine)] and not mine & theirs:
                again[at] = np.maximum(again[at], own[at] * own[other])
    again[:, DECK_SIZE:] = 0.0
    return again


def _joint(own: FloatArray, seen_again: FloatArray) -> FloatArray:
    """The joint probabilities; in a hand of forty sightings `WHOLE_HAND_FACTOR` applies."""
    if len(own) != DECK_SIZE:
        return joint_probabilities(own, seen_again)
    whole = own.copy()
    whole[:, _NOT_SCOPA_AT] *= WHOLE_HAND_FACTOR
    whole /= whole.sum(axis=1, keepdims=True)
    return joint_probabilities(whole, seen_again, extra=EXTRA * WHOLE_HAND_FACTOR)


def _verdict(own: FloatArray, joint: FloatArray) -> Verdict:
    """The verdict on one sighting.

    The deck may remove a doubt. It never overrules an answer that the photo alone makes sure, and
    where it leaves two answers open, the photo's own comes first.

    Args:
        own: 42 probabilities of the sighting alone.
        joint: 42 probabilities given the other sightings of the hand.
    """
    top, best = int(own.argmax()), int(joint.argmax())
    keeps_own = own[top] >= SURE or joint[best] < MUCH_LIKELIER * joint[top]
    shown = top if keeps_own else best
    if max(own[shown], joint[shown]) < LEAST_READABLE:
        shown = _NOT_SCOPA_AT
    if joint[shown] < SURE or shown != best:
        status = Status.DOUBTFUL
    else:
        status = Status.SURE if own[shown] >= SURE else Status.SETTLED
    return Verdict(
        card=CLASSES[shown],
        status=status,
        confidence=float(min(joint[shown], 1.0)),
        alternatives=_offered(joint, shown=shown),
    )


def _offered(joint: FloatArray, *, shown: int) -> tuple[tuple[str, float], ...]:
    """The alternatives to the answer shown, likeliest first.

    Where the probabilities sum to less than 1, the rest is the probability that the sighting is no
    card of its own: it is offered as `x`, last.
    """
    others = [int(at) for at in np.argsort(-joint) if at != shown]
    offered = [at for at in others if joint[at] >= WORTH_OFFERING][:MOST_OFFERED]
    none = float(1 - joint.sum())
    if none < WORTH_OFFERING or shown == _NOT_SCOPA_AT:
        return tuple((CLASSES[at], float(joint[at])) for at in offered)
    named = tuple((CLASSES[at], float(joint[at])) for at in offered if at != _NOT_SCOPA_AT)
    return (*named, (NOT_SCOPA, none + float(joint[_NOT_SCOPA_AT])))
