"""All the sightings of a hand -> one verdict each, knowing that a deck holds each card once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.classes import CLASSES, NOT_SCOPA
from vision.reading import Status
from vision.verdicts.assign import EXTRA, Shares, joint_shares
from vision.verdicts.doubles import pooled, same_cards
from vision.verdicts.sighting import Sighting

SURE = 0.95
"""From this probability on an answer is given without asking."""
READABLE = 0.4
"""Below this probability no answer is given: something card-like lies there, read by nobody."""
WORTH_OFFERING = 0.01
"""Alternatives less likely than this are not offered."""
MOST_OFFERED = 4
"""No more alternatives than this are offered."""
DECK_SIZE = len(CLASSES) - 2
"""Cards in a whole hand."""

_NONE = CLASSES.index(NOT_SCOPA)

_WHOLE_HAND = 0.002
"""In a whole hand, how much rarer foreign cards and extra boxes are than elsewhere."""
_MUCH_LIKELIER = 2.0
"""How much likelier the deck must make another answer before that one is shown."""

Place = tuple[int, int]
"""A photo and a sighting in it."""


@dataclass(frozen=True)
class Verdict:
    """What one sighting is, and how that came about."""

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
        photos: The sightings of each photo, doubles merged.
        piles: The pile each photo shows. Photos of one pile may show the same card.

    >>> reconcile([[]], piles=[0])
    ((),)
    """
    groups = _groups(photos, piles=piles)
    if not groups:
        return tuple(() for _ in photos)
    looks = [[photos[photo][place].probabilities for photo, place in group] for group in groups]
    pools = [pooled(look) if len(look) > 1 else look[0] for look in looks]
    shares = np.stack(pools).astype(np.float64)
    own = shares / shares.sum(axis=1, keepdims=True)
    joint = _joint(own, _again(own, groups, piles=piles))
    verdicts = {
        place: _verdict(own[at], joint[at]) for at, group in enumerate(groups) for place in group
    }
    return tuple(
        tuple(verdicts[photo, place] for place in range(len(sightings)))
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
) -> tuple[tuple[Place, ...], ...]:
    """The places that show one card each, pile by pile."""
    groups: list[tuple[Place, ...]] = []
    for pile in sorted(set(piles)):
        numbers = [number for number, own in enumerate(piles) if own == pile]
        same = same_cards([photos[number] for number in numbers])
        groups += [tuple((numbers[photo], place) for photo, place in group) for group in same]
    return tuple(groups)


def _again(own: Shares, groups: Sequence[Sequence[Place]], *, piles: Sequence[int]) -> Shares:
    """The chance that a group is a card that another photo of its pile shows too.

    A sighting that was not matched with one there may still be the same card, read differently:
    as likely as both being it.
    """
    again = np.zeros_like(own)
    photos_of = [{photo for photo, _ in group} for group in groups]
    for at, mine in enumerate(photos_of):
        for other, theirs in enumerate(photos_of):
            if piles[min(theirs)] == piles[min(mine)] and not mine & theirs:
                again[at] = np.maximum(again[at], own[at] * own[other])
    again[:, DECK_SIZE:] = 0.0
    return again


def _joint(own: Shares, again: Shares) -> Shares:
    """The joint shares, sharper where all forty cards are on the photos.

    Forty sightings are the deck: a foreign card or a box drawn twice among them would need one of
    the deck left out as well.
    """
    if len(own) != DECK_SIZE:
        return joint_shares(own, again)
    whole = own.copy()
    whole[:, _NONE] *= _WHOLE_HAND
    whole /= whole.sum(axis=1, keepdims=True)
    return joint_shares(whole, again, extra=EXTRA * _WHOLE_HAND)


def _verdict(own: Shares, joint: Shares) -> Verdict:
    """One sighting's verdict from its own probabilities and from those the deck leaves.

    The deck may remove a doubt; it never overrules what the picture says surely, and what it
    leaves open is shown as the picture has it. What cannot be read is a doubtful `x`; where the
    deck leaves a chance that it is no card of its own, `x` is offered.
    """
    top, best = int(own.argmax()), int(joint.argmax())
    overruled = own[top] >= SURE or joint[best] < _MUCH_LIKELIER * joint[top]
    shown = top if overruled else best
    if max(own[shown], joint[shown]) < READABLE:
        shown = _NONE
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


def _offered(joint: Shares, *, shown: int) -> tuple[tuple[str, float], ...]:
    """What else a sighting may be; last that it is no card of its own, where none may be right."""
    others = [int(at) for at in np.argsort(-joint) if at != shown]
    offered = [at for at in others if joint[at] >= WORTH_OFFERING][:MOST_OFFERED]
    none = float(1 - joint.sum())
    if none < WORTH_OFFERING or shown == _NONE:
        return tuple((CLASSES[at], float(joint[at])) for at in offered)
    named = tuple((CLASSES[at], float(joint[at])) for at in offered if at != _NONE)
    return (*named, (NOT_SCOPA, none + float(joint[_NONE])))
