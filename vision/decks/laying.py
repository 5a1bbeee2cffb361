"""A photo of a deck laid out -> its cards, each with a view and the name that the networks give it.

The cards lie face up beside one another, ten in a photo or all forty, in any order. What each is
taken for is a guess, to be looked at and mended by whoever teaches the deck.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.classes import BACK, CLASSES, DECK_SIZE, NOT_SCOPA
from vision.decks.errors import NothingLaidOutError, UnclearLayoutError
from vision.decks.view import View, view_of
from vision.geometry.quads import areas, shared_areas
from vision.photo import Photo
from vision.reading import Corners, FoundCard, PhotoProblemKind, Reading, Status

COVERED = 0.25
"""A card is covered if it shares more than this part of it with another: too little of its face may
be seen to learn it."""
ROW = 0.5
"""Card heights. Cards whose middles are no farther apart, up and down, lie in one row."""
MOST_DOUBTFUL = 0.5
"""Share of the cards in doubt above which a fault of the photo makes it too bad to learn from. Of a
deck that is new to the networks many are in doubt on good photos too."""
PHOTO_FAULTS = frozenset(
    {
        PhotoProblemKind.BLURRED,
        PhotoProblemKind.DARK,
        PhotoProblemKind.SMALL,
        PhotoProblemKind.WASHED_OUT,
    }
)
"""Faults of a photo, as against cards laid badly."""


class ReadsOne(Protocol):
    """What reads a photo: `vision.reader.Reader`, or a stand-in."""

    def read(self, photo: Photo) -> Reading:
        """The reading of a photo by itself."""
        ...


@dataclass(frozen=True, kw_only=True)
class LaidCard:
    """One card of a deck that is laid out."""

    guess: str
    """The code of the card it is taken for, or `x` where that cannot be said."""
    is_sure: bool
    """Whether the guess was read without a doubt."""
    is_covered: bool
    """Whether another card may lie over a part of it."""
    corners: Corners
    """Where it lies in the photo."""
    view: View


def laid_out(photo: Photo, reader: ReadsOne) -> tuple[LaidCard, ...]:
    """The cards of a deck that a photo shows, row by row.

    A card that lies face down is left out.

    Raises:
        NothingLaidOutError: It shows no card.
        UnclearLayoutError: It is too blurred, dark, glaring or small to learn from.
        ModelError: A network is missing or is not what this version reads.
    """
    reading = reader.read(photo)
    found = [one for one in reading.cards if one.card != BACK]
    if not found:
        raise NothingLaidOutError(photo.name)
    doubtful = sum(one.status is Status.DOUBTFUL for one in found)
    has_fault = not PHOTO_FAULTS.isdisjoint(problem.kind for problem in reading.problems)
    if has_fault and doubtful > MOST_DOUBTFUL * len(found):
        raise UnclearLayoutError(photo.name)
    quads = np.array([one.corners for one in found], np.float32)
    sizes = areas(quads)
    over = [
        float(np.max(np.delete(shared_areas(quad, quads), at), initial=0.0)) / max(float(size), 1.0)
        for at, (quad, size) in enumerate(zip(quads, sizes, strict=True))
    ]
    cards = [
        LaidCard(
            guess=one.card if one.card in CLASSES[:DECK_SIZE] else NOT_SCOPA,
            is_sure=one.status is not Status.DOUBTFUL,
            is_covered=covered > COVERED,
            corners=one.corners,
            view=view_of(photo, quad),
        )
        for one, quad, covered in zip(found, quads, over, strict=True)
    ]
    return tuple(cards[at] for at in _by_rows(found))


def _by_rows(found: Sequence[FoundCard]) -> list[int]:
    """The places of some cards in the order in which one reads them: row by row, left to right."""
    middles = np.array([np.mean(one.corners, axis=0) for one in found])
    quads = np.array([one.corners for one in found])
    height = float(np.median(quads[..., 1].max(axis=1) - quads[..., 1].min(axis=1)))
    order: list[int] = []
    row: list[int] = []
    for at in np.argsort(middles[:, 1], kind="stable").tolist():
        if row and middles[at, 1] - middles[row[-1], 1] > ROW * height:
            order += sorted(row, key=lambda place: float(middles[place, 0]))
            row = []
        row.append(at)
    return order + sorted(row, key=lambda place: float(middles[place, 0]))
