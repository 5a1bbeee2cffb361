"""Problems in the verdicts of a hand, reported on every photo that they concern.

They are cards read in two places, cards that are no card of the pile, and missing cards.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.classes import BACK, CLASSES, NOT_SCOPA
from vision.geometry.quads import bounds
from vision.reading import Area, PhotoProblemKind, Problem, Status
from vision.verdicts.reconcile import Verdict
from vision.verdicts.sighting import Sighting

MOST_REPORTED = 6
"""If more cards are missing, they are not reported: a pile was not photographed."""
LEAST_CLAIM = 0.15
"""A sighting claims a card if its confidence is at least this. Where three sightings surely show
one card, each ends with a confidence of about 0.3."""


def contradictions(
    photos: Sequence[Sequence[tuple[Sighting, Verdict]]],
    *,
    names: Sequence[str],
    piles: Sequence[int],
) -> tuple[tuple[Problem, ...], ...]:
    """The problems of each photo: cards read twice, face-down cards, foreign and unread ones.

    Args:
        photos: The sightings of each photo with their verdicts.
        names: The name of each photo.
        piles: The pile each photo shows.

    >>> contradictions([[]], names=["a.jpg"], piles=[0])
    ((),)
    """
    claims: dict[str, list[tuple[int, Sighting]]] = {}
    for number, photo in enumerate(photos):
        for sighting, verdict in photo:
            if verdict.card not in (BACK, NOT_SCOPA) and verdict.confidence >= LEAST_CLAIM:
                claims.setdefault(verdict.card, []).append((number, sighting))
    found: list[list[Problem]] = [_odd_cards(photo) for photo in photos]
    for code, claimants in sorted(claims.items(), key=lambda item: CLASSES.index(item[0])):
        if not _is_one_card(claimants, piles=piles):
            for number, sighting in claimants:
                others = [other for other, _ in claimants if other != number]
                found[number].append(_twice(code, sighting, photos=[names[at] for at in others]))
    return tuple(tuple(_once(problems)) for problems in found)


def missing_problem(missing: Sequence[str], *, piles: int) -> tuple[Problem, ...]:
    """The problem of cards that no photo shows, if they are few and there are several piles.

    >>> [problem.cards for problem in missing_problem(["7d"], piles=2)]
    [('7d',)]
    """
    if not 0 < len(missing) <= MOST_REPORTED or piles < 2:
        return ()
    return (Problem(PhotoProblemKind.MISSING, cards=tuple(missing)),)


def _is_one_card(claimants: Sequence[tuple[int, Sighting]], *, piles: Sequence[int]) -> bool:
    """Whether claims may all be of one card: one claim, or from different photos of one pile."""
    photos = [number for number, _ in claimants]
    return len(set(photos)) == len(photos) and len({piles[number] for number in photos}) == 1


def _twice(code: str, sighting: Sighting, *, photos: Sequence[str]) -> Problem:
    area, others = bounds(sighting.quad), tuple(dict.fromkeys(photos))
    return Problem(PhotoProblemKind.TWICE, area, cards=(code,), photos=others)


def _odd_cards(photo: Sequence[tuple[Sighting, Verdict]]) -> list[Problem]:
    """The problems of what is not read as a card of the deck."""
    return [
        Problem(kind, bounds(sighting.quad))
        for sighting, verdict in photo
        if (kind := _kind(verdict))
    ]


def _kind(verdict: Verdict) -> PhotoProblemKind | None:
    """What is wrong with something that is not read as a card of the deck; None for one that is."""
    if verdict.card == BACK:
        return PhotoProblemKind.FACE_DOWN
    if verdict.card != NOT_SCOPA:
        return None
    doubtful = verdict.status is Status.DOUBTFUL
    return PhotoProblemKind.UNREAD if doubtful else PhotoProblemKind.FOREIGN


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, each kind once for the same cards, over all its places."""
    places: dict[Problem, list[Area]] = {}
    for problem in problems:
        if problem.area is not None:
            places.setdefault(replace(problem, area=None), []).append(problem.area)
    return [
        replace(problem, area=bounds(np.array(areas).reshape(-1, 2)))
        for problem, areas in places.items()
    ]
