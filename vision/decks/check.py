"""How well a taught deck knows its cards, before it is kept.

A deck holds each card once. So a card named twice in one photo is a mistake: one of the two is
another card, or of another deck. Whether cards may be taken for one another is tried: each view is
shown again with a half of it covered, as in a pile, and the faces say which card it is.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.classes import CLASSES, DECK_SIZE
from vision.decks.faces import LooksAt, Taught, TaughtDeck
from vision.decks.view import View
from vision.geometry.straighten import CROP_PX
from vision.photo import Pixels

SHADE = 110
"""The grey of what covers a half of a card that is tried."""


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
    deck: TaughtDeck, views: Sequence[Taught], *, looks: LooksAt
) -> tuple[tuple[str, str], ...]:
    """The pairs of cards that the faces of a deck take for one another, once each.

    Args:
        deck: The deck.
        views: The views that it was taught.
        looks: What looks at them.

    Raises:
        ModelError: A network is missing or is not what this version reads.
    """
    tried = [(code, half) for code, view in views for half in _halves(view)]
    if not tried:
        return ()
    features = looks.look_at(
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


def _halves(view: View) -> list[View]:
    """A view with its lower half covered, and with its upper half covered."""
    first, second = view.corners
    middle = CROP_PX // 2
    upper, lower = view.card.copy(), view.card.copy()
    upper[middle:], lower[:middle] = SHADE, SHADE
    return [View(upper, (first, _covered(second))), View(lower, (_covered(first), second))]


def _covered(corner: Pixels) -> Pixels:
    return np.full_like(corner, SHADE)
