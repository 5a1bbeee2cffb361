"""A series of matches between the same sides: best of one, three or five. Pure."""

from dataclasses import dataclass, replace

LENGTHS = (1, 3, 5)
"""The lengths that a series may have, in matches."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """The state of a series."""

    best_of: int = 1
    won: tuple[int, ...] = (0, 0)
    """Matches that each side won."""
    played: int = 0
    """Matches that are over, including ties."""

    def after(self, winner: int | None) -> "Series":
        """Return the series after one more match; None for a tie.

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
        """Whether a side has won more than half of the matches, or all of them are played."""
        return max(self.won) > self.best_of // 2 or self.played >= self.best_of

    @property
    def winner(self) -> int | None:
        """The side that won the most matches; None before the end, and after a tie."""
        best = max(self.won)
        return self.won.index(best) if self.is_over and self.won.count(best) == 1 else None
