"""The primiera: what a pile's best card of each suit adds up to, and the cascade of sevens."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from scoring.cards import Rank, Suit, rank_mask, suit_mask
from scoring.rules.choices import Faces

COMPLETE = 1000
"""Added to the figure of a prime of four suits where it beats every other: more than any sum."""

_PIPS = (16, 12, 13, 14, 15, 18, 21)
"""What ace to seven count in the prime."""

SCALES: Mapping[Faces, tuple[int, ...]] = MappingProxyType(
    {
        Faces.TEN: (*_PIPS, 10, 10, 10),
        Faces.ZERO: (*_PIPS, 0, 0, 0),
        Faces.DESCENDING: (*_PIPS, 8, 9, 10),
    }
)
"""What ace to king count in the prime, for each way to count faces."""

CASCADE: tuple[tuple[Rank, ...], ...] = (
    (Rank.SETTE,),
    (Rank.SEI,),
    (Rank.ASSO,),
    (Rank.CINQUE,),
    (Rank.QUATTRO,),
    (Rank.TRE,),
    (Rank.DUE,),
    (Rank.FANTE, Rank.CAVALLO, Rank.RE),
)
"""The ranks whose number decides "most sevens", first to last; the three faces count together."""

_CASCADE_MASKS = tuple(sum(rank_mask(rank) for rank in ranks) for ranks in CASCADE)
"""The cards of each step of the cascade."""


@cache
def _best_of_suit(faces: Faces) -> tuple[tuple[int, int], ...]:
    """For each of the 1024 sets of ranks of a suit: the best value in it and that rank's bit."""
    scale = SCALES[faces]
    best: list[tuple[int, int]] = [(0, 0)]
    for ranks in range(1, 1024):
        held = (rank for rank in range(10) if ranks >> rank & 1)
        top = max(held, key=lambda rank: (scale[rank], rank))
        best.append((scale[top], 1 << top))
    return tuple(best)


def prime_of(mask: int, faces: Faces) -> int:
    """The sum of the best card of each suit in a pile; a missing suit adds nothing.

    >>> from scoring.cards import Card, mask_of
    >>> prime_of(mask_of(map(Card.from_code, ("7c", "7d", "6b", "1s", "2d"))), Faces.TEN)
    76
    """
    best = _best_of_suit(faces)
    return (
        best[mask & 1023][0]
        + best[mask >> 10 & 1023][0]
        + best[mask >> 20 & 1023][0]
        + best[mask >> 30][0]
    )


def prime_cards(mask: int, faces: Faces) -> int:
    """The best card of each suit in a pile, as a mask.

    >>> prime_cards(0b11, Faces.TEN)
    1
    """
    best = _best_of_suit(faces)
    return sum(best[mask >> shift & 1023][1] << shift for shift in (0, 10, 20, 30))


def missing_suits(mask: int) -> tuple[Suit, ...]:
    """The suits of which a pile holds no card.

    >>> [suit.name for suit in missing_suits(0b11)]
    ['COPPE', 'SPADE', 'BASTONI']
    """
    return tuple(suit for suit in Suit if not mask & suit_mask(suit))


def sevens_key(mask: int) -> int:
    """A figure that is higher for more sevens, then more sixes, aces and so on down.

    >>> from scoring.cards import Card, mask_of
    >>> two = [mask_of(map(Card.from_code, codes)) for codes in (("7d", "6c"), ("7c", "1d", "1c"))]
    >>> sevens_key(two[0]) > sevens_key(two[1])
    True
    """
    key = 0
    for cards in _CASCADE_MASKS:
        key = key << 4 | (mask & cards).bit_count()
    return key


def cascade_counts(mask: int) -> tuple[int, ...]:
    """How many cards a pile holds for each step of the cascade.

    >>> cascade_counts(0b1000000)
    (1, 0, 0, 0, 0, 0, 0, 0)
    """
    return tuple((mask & cards).bit_count() for cards in _CASCADE_MASKS)
