"""A series of matches of the same sides: the best of one, three or five. Pure."""

from dataclasses import dataclass, replace

LENGTHS = (1, 3, 5)
"""How many matches a series may have at most."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """How a series stands."""

    best_of: int = 1
    won: tuple[int, ...] = (0, 0)
    """Matches that each side won."""
    played: int = 0
    """Matches that are over, also those that ended level."""

    def after(self, winner: int | None) -> "Series":
        """The series with one more match; None: it ended level.

        >>> series = Series(best_of=3).after(0).after(None)
        >>> series.is_over, series.after(1).is_over, series.after(1).winner
        (False, True, None)
        >>> Series(best_of=3).after(1).after(1).winner
        1
        """
        won = tuple(count + (side == winner) for side, count in enumerate(self.won))
        return replace(self, won=won, played=self.played + 1)

    @property
    def is_over(self) -> bool:
        """Whether a side has won more than half of it, or all of its matches are played."""
        return max(self.won) > self.best_of // 2 or self.played >= self.best_of

    @property
    def winner(self) -> int | None:
        """The side that won the most matches; None while it goes on, and where it ended level."""
        best = max(self.won)
        return self.won.index(best) if self.is_over and self.won.count(best) == 1 else None
