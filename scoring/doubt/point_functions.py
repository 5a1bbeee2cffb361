"""Each point as a function of the piles: what a pile makes for it, and what the sides get."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scoring.doubt.doubtful_hand import DoubtfulHand
from scoring.hand import OUTRIGHT
from scoring.points import COINS, KNIGHTS, TRENTE, points_of
from scoring.rules import Rules


@dataclass(frozen=True)
class PointFunction:
    """A point as a function of the piles."""

    name: str
    kinds: tuple[int, ...]
    """The kind of each card: cards of one kind do the same; -1 does nothing for the point."""
    best_only: bool
    """Only the best card of each suit matters, and a kind is what the card counts.

    Better cards never make a lower figure, and only the highest figure wins anything.
    """
    figure: Callable[[int], int]
    """What a pile, as a mask, makes."""
    awards: Callable[[Sequence[int]], tuple[int, ...]]
    """What each side gets for the figures of all sides."""

    def sure_level(self, held: int, *, suit: int) -> int:
        """What the best card of a suit in a mask counts, plus 1; 0 where there is none.

        >>> kinds = (16, 12, 13, 14, 15, 18, 21, 10, 10, 10) * 4
        >>> point = PointFunction("primiera", kinds, True, int, tuple)
        >>> point.sure_level(0b1000010, suit=0), point.sure_level(1 << 10, suit=0)
        (22, 0)
        """
        cards = range(10 * suit, 10 * suit + 10)
        return max((self.kinds[card] + 1 for card in cards if held >> card & 1), default=0)


def point_functions(hand: DoubtfulHand, rules: Rules) -> Iterator[PointFunction]:
    """Every point that piles decide under some rules, wins outright included.

    >>> [point.name for point in point_functions(DoubtfulHand(sides=()), Rules())]
    ['carte', 'denari', 'settebello', 'primiera']
    """
    for point in points_of(rules):
        yield PointFunction(point.name, point.kinds, point.best_only, point.measure, point.awards)
    if rules.ponino and rules.scopa:
        made = tuple(side.scope * rules.scopa for side in hand.sides)
        yield _held("scope", KNIGHTS, awards=lambda held: _doubled(made, held))
    played = rules.all_coins_win, rules.napola_wins, rules.trente_wins
    for name, wins, cards in zip(OUTRIGHT, played, (COINS, COINS, TRENTE), strict=True):
        if wins:
            yield _held(name, cards, awards=tuple)


def _held(
    name: str, cards: int, *, awards: Callable[[Sequence[int]], tuple[int, ...]]
) -> PointFunction:
    """A point for holding all of some cards; a side's figure is 1 where it does."""
    return PointFunction(
        name=name,
        kinds=tuple((cards >> index & 1) - 1 for index in range(40)),
        best_only=False,
        figure=lambda mask: int(mask & cards == cards),
        awards=awards,
    )


def _doubled(made: Sequence[int], held: Sequence[int]) -> tuple[int, ...]:
    """Points, twice for the side that holds the cards which double them."""
    return tuple(points * (1 + twice) for points, twice in zip(made, held, strict=True))
