"""What the verdicts of a hand say against one another, told on every photo it concerns."""

from collections.abc import Sequence

import numpy as np

from vision.classes import BACK, CLASSES, NOT_SCOPA
from vision.geometry.quads import bounds
from vision.reading import Problem, Status
from vision.verdicts.reconcile import Verdict
from vision.verdicts.sighting import Sighting

FEW = 6
"""No more missing cards than this are called missing: more are a pile not photographed."""

CLAIM = 0.15
"""A reading less likely than this claims no card. Three sure claims leave each about 0.3."""


def contradictions(
    photos: Sequence[Sequence[tuple[Sighting, Verdict]]],
    *,
    names: Sequence[str],
    piles: Sequence[int],
) -> tuple[tuple[Problem, ...], ...]:
    """The problems of each photo: cards claimed twice, face-down, foreign and unread ones.

    >>> contradictions([[]], names=["a.jpg"], piles=[0])
    ((),)
    """
    claims: dict[str, list[tuple[int, Sighting]]] = {}
    for number, photo in enumerate(photos):
        for sighting, verdict in photo:
            if verdict.card not in (BACK, NOT_SCOPA) and verdict.confidence >= CLAIM:
                claims.setdefault(verdict.card, []).append((number, sighting))
    found: list[list[Problem]] = [_odd_cards(photo) for photo in photos]
    for code, claimants in sorted(claims.items(), key=lambda item: CLASSES.index(item[0])):
        if not _is_one_card(claimants, piles=piles):
            for number, sighting in claimants:
                others = [other for other, _ in claimants if other != number]
                found[number].append(_twice(code, sighting, where=[names[at] for at in others]))
    return tuple(tuple(_once(problems)) for problems in found)


def missing_problem(missing: Sequence[str], *, piles: int) -> tuple[Problem, ...]:
    """What to say about cards that no pile shows, when they are few enough to be lost.

    >>> [problem.message for problem in missing_problem(["7d"], piles=2)]
    ['7d is in none of the piles: look for it, or add it to its pile.']
    """
    if not 0 < len(missing) <= FEW or piles < 2:
        return ()
    said, verb, it = " ".join(missing), *(("is", "it") if len(missing) == 1 else ("are", "them"))
    pile = "its pile" if len(missing) == 1 else "their piles"
    sentence = f"{said} {verb} in none of the piles: look for {it}, or add {it} to {pile}."
    return (Problem("missing", sentence),)


def _is_one_card(claimants: Sequence[tuple[int, Sighting]], *, piles: Sequence[int]) -> bool:
    """Whether claims come from different photos of one pile, or are only one."""
    photos = [number for number, _ in claimants]
    return len(set(photos)) == len(photos) and len({piles[number] for number in photos}) == 1


def _twice(code: str, sighting: Sighting, *, where: Sequence[str]) -> Problem:
    place = f"is also on {', '.join(dict.fromkeys(where))}" if where else "is there twice"
    message = f"{code} {place}, and a deck holds it once: say which reading is right."
    return Problem("twice", message, bounds(sighting.quad))


def _odd_cards(photo: Sequence[tuple[Sighting, Verdict]]) -> list[Problem]:
    """Face-down cards, cards that no Scopa deck holds, and what may be a card."""
    return [
        Problem(kind, _ODD[kind], bounds(sighting.quad))
        for sighting, verdict in photo
        if (kind := _kind(verdict))
    ]


_ODD = {
    "face-down": "A card lies face down: turn it over, or add it by hand.",
    "foreign": "This is no Scopa card: take it out of the pile.",
    "unread": "This looks like a card and cannot be read: say which it is, or push it free.",
}
"""What to do about what is no card of the pile, by the kind of problem."""


def _kind(verdict: Verdict) -> str:
    """What kind of odd card something is; empty for a card of the deck."""
    if verdict.card == BACK:
        return "face-down"
    if verdict.card != NOT_SCOPA:
        return ""
    return "unread" if verdict.status is Status.DOUBTFUL else "foreign"


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """The problems with the same sentence said once, over all their places."""
    areas: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        areas.setdefault((problem.kind, problem.message), []).append(problem)
    return [
        Problem(kind, message, bounds(np.array([one.area for one in same]).reshape(-1, 2)))
        for (kind, message), same in areas.items()
    ]
