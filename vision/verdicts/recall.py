"""The boxes of all photos of a hand -> its cards, each with a verdict.

A class is believed only where the box surely holds a whole card (`WHOLE`; `WHOLE_TO_SETTLE` where
the deck and not the photo makes it sure), with two exceptions: all forty cards are seen, each once;
or, in a hand of several piles, the photo shows the class with high probability, no other box of the
hand has it, and the box more likely holds a whole card than not (`LIKELY_WHOLE`). A box that holds
no whole card is mostly a second box of a card that is there, and then that card has a box already;
but it may look like a card that nobody has seen.

Cards missing from the hand are looked for among the boxes that were left out because of a low
belief. Such a box is mostly a bad one, read as a card that lies elsewhere or as nothing. If nearly
all cards of the hand are seen and it is read as one of the missing cards, it probably is that card:
it is added, in doubt.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.classes import CLASSES, DECK_SIZE, NOT_SCOPA
from vision.geometry.quads import FloatArray
from vision.reading import Status
from vision.verdicts.doubles import choose_boxes
from vision.verdicts.reconcile import SURE, Verdict, missing_cards, reconcile
from vision.verdicts.sighting import Sighting

WHOLE = 0.85
"""From this belief on a box surely holds a whole card. Below it the sighting is doubtful however
sure its class is, since there may be no card at all."""
WHOLE_TO_SETTLE = 0.95
"""The same where the photo alone leaves a doubt and the cards seen elsewhere take it away: a box
across others is easily read as the one card of a suit that was not seen yet."""
LIKELY_WHOLE = 0.6
"""From this belief on a box needs no question whose class is sure and in no other box of a hand."""
FAINT = 0.2
"""Missing cards are looked for among boxes of at least this belief."""
LEAST_RECALLED = 0.35
"""A box is taken for a missing card if it shows it with at least this probability."""
NO_CARD = 0.1
"""Probability that a box below `WHOLE` is no card of its own: its other answers share the rest."""
MOST_MISSING = 12
"""If more cards are missing, a pile was not photographed: it has them, and none is looked for."""

WeighedBoxes = tuple[Sequence[Sighting], FloatArray]
"""All the boxes of a photo, and for each the belief that it holds a whole card."""

Photos = Sequence[Sequence[Sighting]]
"""The sightings of each photo."""


def read_hand(
    photos: Sequence[WeighedBoxes], *, piles: Sequence[int]
) -> tuple[Photos, Sequence[Sequence[Verdict]]]:
    """The sightings of each photo, one for each card, and their verdicts.

    Sightings found among the faint boxes come last in their photo.

    Args:
        photos: The boxes of each photo.
        piles: The pile each photo shows.

    >>> read_hand([([], np.zeros(0))], piles=[0])
    ([()], ((),))
    """
    chosen = [choose_boxes(*boxes) for boxes in photos]
    beliefs = {
        id(sighting): float(belief)
        for sightings, own in photos
        for sighting, belief in zip(sightings, own, strict=True)
    }
    verdicts = _verdicts(chosen, piles=piles, beliefs=beliefs)
    if len(set(piles)) < 2 or len(missing_cards(verdicts)) > MOST_MISSING:
        return chosen, verdicts
    faint = [
        [sighting for sighting in choose_boxes(*boxes, likely=FAINT) if sighting not in own]
        for boxes, own in zip(photos, chosen, strict=True)
    ]
    again = recalled(faint, missing_cards(verdicts))
    if not any(again):
        return chosen, _undisputed(chosen, verdicts, piles=piles, beliefs=beliefs)
    cards = [(*own, *more) for own, more in zip(chosen, again, strict=True)]
    found = [
        (*map(_still_doubtful, before, now), *map(_in_doubt, now[len(before) :]))
        for before, now in zip(
            verdicts, _verdicts(cards, piles=piles, beliefs=beliefs), strict=True
        )
    ]
    return cards, _undisputed(cards, found, piles=piles, beliefs=beliefs)


def recalled(faint: Photos, missing: Sequence[str]) -> tuple[tuple[Sighting, ...], ...]:
    """The faint sightings of each photo that show a missing card, at most one for each card.

    A linear assignment gives each missing card the sighting that shows it best.

    >>> recalled([[], []], ["7d"])
    ((), ())
    """
    from scipy.optimize import linear_sum_assignment

    candidates = [(photo, sighting) for photo, found in enumerate(faint) for sighting in found]
    if not candidates or not missing:
        return tuple(() for _ in faint)
    columns = [CLASSES.index(code) for code in missing]
    table = np.stack([sighting.probabilities[columns] for _, sighting in candidates])
    pairs = zip(*linear_sum_assignment(table, maximize=True), strict=True)
    shown = [candidates[row] for row, column in pairs if table[row, column] >= LEAST_RECALLED]
    return tuple(
        tuple(sighting for photo, sighting in shown if photo == number)
        for number in range(len(faint))
    )


def _verdicts(
    photos: Photos, *, piles: Sequence[int], beliefs: Mapping[int, float]
) -> tuple[tuple[Verdict, ...], ...]:
    """The verdicts on some sightings; those on boxes that may be no whole cards become doubtful.

    If several photos of a pile show a card, one of its boxes must surely be whole. Where the whole
    deck is seen, none of the boxes can be a bad one, so a verdict stays if it names the card that
    the sighting alone would name.

    Args:
        photos: The sightings of each photo.
        piles: The pile each photo shows.
        beliefs: For the id of each sighting the belief that it is a whole card.
    """
    verdicts = reconcile(photos, piles=piles)
    complete = _is_complete(verdicts, piles=piles)
    surely_there = {
        (pile, verdict.card)
        for pile, sightings, own in zip(piles, photos, verdicts, strict=True)
        for sighting, verdict in zip(sightings, own, strict=True)
        if beliefs[id(sighting)] >= _needed(verdict)
    }

    def checked(sighting: Sighting, verdict: Verdict, *, pile: int) -> Verdict:
        believed = (pile, verdict.card) in surely_there or (
            complete and sighting.top == verdict.card
        )
        return verdict if believed or not _is_certain_card(verdict) else _in_doubt(verdict)

    return tuple(
        tuple(checked(*pair, pile=pile) for pair in zip(sightings, own, strict=True))
        for pile, sightings, own in zip(piles, photos, verdicts, strict=True)
    )


def _undisputed(
    photos: Photos,
    verdicts: Sequence[Sequence[Verdict]],
    *,
    piles: Sequence[int],
    beliefs: Mapping[int, float],
) -> Sequence[Sequence[Verdict]]:
    """The verdicts of a hand; a doubtful one is settled if nothing but its box was in doubt.

    That is so if the sighting alone names the card with probability `SURE`, its box likely holds a
    whole card, and no other box of the hand is said to be that card, save on another photo of the
    same pile.
    """
    where = _photos_by_card(verdicts)

    def checked(sighting: Sighting, verdict: Verdict) -> Verdict:
        undisputed = (
            verdict.status is Status.DOUBTFUL
            and beliefs[id(sighting)] >= LIKELY_WHOLE
            and _surely_shows(sighting, verdict.card)
            and _may_be_one_card(where[verdict.card], piles=piles)
        )
        if not undisputed:
            return verdict
        probability = float(sighting.probabilities[CLASSES.index(verdict.card)])
        return replace(verdict, status=Status.SETTLED, confidence=probability, alternatives=())

    return tuple(
        tuple(checked(*pair) for pair in zip(sightings, own, strict=True))
        for sightings, own in zip(photos, verdicts, strict=True)
    )


def _needed(verdict: Verdict) -> float:
    """The belief from which on a box that is named so surely holds a whole card."""
    return WHOLE_TO_SETTLE if verdict.status is Status.SETTLED else WHOLE


def _is_complete(verdicts: Sequence[Sequence[Verdict]], *, piles: Sequence[int]) -> bool:
    """Whether each of the forty cards is seen in one place, and nothing else may be a card."""
    where = _photos_by_card(verdicts)
    unread = any(
        verdict.card not in CLASSES[:DECK_SIZE] and verdict.status is Status.DOUBTFUL
        for own in verdicts
        for verdict in own
    )
    deck = CLASSES[:DECK_SIZE]
    return not unread and all(_may_be_one_card(where[card], piles=piles) for card in deck)


def _photos_by_card(verdicts: Sequence[Sequence[Verdict]]) -> Mapping[str, Sequence[int]]:
    """For each card, the photo of every sighting that is said to be it."""
    where = defaultdict(list)
    for photo, own in enumerate(verdicts):
        for verdict in own:
            where[verdict.card].append(photo)
    return where


def _surely_shows(sighting: Sighting, card: str) -> bool:
    """Whether a sighting by itself shows this card of the deck with probability `SURE`."""
    at = CLASSES.index(card)
    return at < DECK_SIZE and bool(sighting.probabilities[at] >= SURE)


def _may_be_one_card(photos: Sequence[int], *, piles: Sequence[int]) -> bool:
    """Whether sightings on these photos (one number each) may all show one card.

    They may if each lies on another photo and all these photos show the same pile.
    """
    return len(set(photos)) == len(photos) and len({piles[photo] for photo in photos}) == 1


def _is_certain_card(verdict: Verdict) -> bool:
    """Whether it names a card of the deck, and nobody would be asked about it."""
    return verdict.card in CLASSES[:DECK_SIZE] and verdict.status is not Status.DOUBTFUL


def _still_doubtful(before: Verdict, now: Verdict) -> Verdict:
    """The verdict on a sighting after faint boxes were added: one that was doubtful stays."""
    return before if before.status is Status.DOUBTFUL else now


def _in_doubt(verdict: Verdict) -> Verdict:
    """A verdict made doubtful because its box may hold no card: `x` becomes an alternative."""
    left = 1 - NO_CARD
    others = [(code, share * left) for code, share in verdict.alternatives if code != NOT_SCOPA]
    none = NO_CARD + left * dict(verdict.alternatives).get(NOT_SCOPA, 0.0)
    return replace(
        verdict,
        status=Status.DOUBTFUL,
        confidence=verdict.confidence * left,
        alternatives=(*others, (NOT_SCOPA, none)),
    )
