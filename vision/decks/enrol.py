"""A photo of a deck laid out -> its cards, and what is wrong with what was taught.

The cards lie face up beside one another, ten in a photo or all forty, in any order. What each is
taken for is a guess, which the person who teaches the deck corrects. A deck holds each card
once, so a card named twice in one photo is a mistake. Whether cards may be taken for one another is
tried: each view is shown again with a half of it covered, as in a pile.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.advice import are_blurred
from vision.decks.embeddings import Embedder, TaughtDeck
from vision.decks.references import CardImage, Reference, card_image
from vision.errors import NothingLaidOutError, UnclearLayoutError
from vision.geometry import CROP_PX, areas, shared_areas
from vision.photo import Photo, Pixels
from vision.reading import (
    BACK,
    CLASSES,
    DECK_SIZE,
    NOT_SCOPA,
    CardReading,
    Corners,
    PhotoProblemKind,
    Reading,
    Status,
)

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
SHADE = 110
"""The grey of what covers a half of a card that is tried."""


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
    view: CardImage


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
    quads = np.array([one.corners for one in found], np.float32)
    if (has_fault and doubtful > MOST_DOUBTFUL * len(found)) or are_blurred(
        photo.working_bgr, photo.size_wh, quads
    ):
        raise UnclearLayoutError(photo.name)
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
            view=card_image(photo, quad),
        )
        for one, quad, covered in zip(found, quads, over, strict=True)
    ]
    return tuple(cards[at] for at in _by_rows(found))


def _by_rows(found: Sequence[CardReading]) -> list[int]:
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


@dataclass(frozen=True, kw_only=True)
class Check:
    """What is to be said of a deck that is being taught."""

    missing: tuple[str, ...]
    """Cards of which there is no view, in deck order."""
    twice: tuple[str, ...]
    """Cards named more than once in one photo, in deck order."""
    again: tuple[str, ...]
    """Cards named in several photos while others are missing, in deck order: photographed twice, or
    one of the two is a missing card."""

    @property
    def is_whole(self) -> bool:
        """Whether every card is there, each once in a photo."""
        return not self.missing and not self.twice


def names_checked(photos: Iterable[Sequence[str]]) -> Check:
    """What the names of the cards say, photo by photo; nothing is looked at.

    >>> found = names_checked([["1d", "2d", "2d"], ["1d"]])
    >>> len(found.missing), found.twice, found.again
    (38, ('2d',), ('1d',))
    """
    counted = [Counter(names) for names in photos]
    known = {code for names in counted for code in names}
    twice = {code for names in counted for code, times in names.items() if times > 1}
    deck = CLASSES[:DECK_SIZE]
    missing = tuple(code for code in deck if code not in known)
    often = {code for code in known if sum(code in names for names in counted) > 1}
    return Check(
        missing=missing,
        twice=tuple(code for code in deck if code in twice),
        again=tuple(code for code in deck if code in often and missing),
    )


def confused(
    deck: TaughtDeck, views: Sequence[Reference], *, embedder: Embedder
) -> tuple[tuple[str, str], ...]:
    """The pairs of cards that the faces of a deck take for one another, once each.

    Args:
        deck: The deck.
        views: The views that it was taught.
        embedder: What gives their embeddings.

    Raises:
        ModelError: A network is missing or is not what this version reads.
    """
    tried = [(code, half) for code, view in views for half in _halves(view)]
    if not tried:
        return ()
    features = embedder.embed(
        [half.card for _, half in tried], [end for _, half in tried for end in half.corners]
    )
    likeness = deck.likeness(features)
    answers = np.nanargmax(likeness, axis=1).tolist()
    pairs = {
        (code, CLASSES[answer])
        for (code, _), answer in zip(tried, answers, strict=True)
        if code != CLASSES[answer]
    }
    return tuple(sorted({min(pair, pair[::-1], key=_place) for pair in pairs}, key=_place))


def _place(pair: tuple[str, str]) -> tuple[int, int]:
    return CLASSES.index(pair[0]), CLASSES.index(pair[1])


def _halves(view: CardImage) -> list[CardImage]:
    """A view with its lower half covered, and with its upper half covered."""
    first, second = view.corners
    middle = CROP_PX // 2
    upper, lower = view.card.copy(), view.card.copy()
    upper[middle:], lower[:middle] = SHADE, SHADE
    return [
        CardImage(upper, (first, _covered(second))),
        CardImage(lower, (_covered(first), second)),
    ]


def _covered(corner: Pixels) -> Pixels:
    return np.full_like(corner, SHADE)
