"""What a match becomes under other rules, shown before it is applied."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hand import Line
from scoring.match import Match
from scoring.rules import Rules


@dataclass(frozen=True)
class HandChange:
    """A hand whose points other rules change, or whether it counts in the match."""

    hand_no: int
    """The hand, counted from 0."""
    points: tuple[tuple[int, ...], tuple[int, ...]]
    """Each side's points, before and after."""
    counts: tuple[bool, bool]
    """Whether the hand counts (comes before the end of the match), before and after."""
    lines: tuple[tuple[Line | None, Line | None], ...]
    """The lines that differ, before and after; None where there is no such line."""


@dataclass(frozen=True)
class Recomputed:
    """A match before and after a change of rules. Applying it is keeping `after`."""

    before: Match
    """As it stands."""
    after: Match
    """As it would stand."""
    hands: tuple[HandChange, ...]
    """The hands that change."""

    @property
    def same(self) -> bool:
        """Whether neither points nor the winner change."""
        return not self.hands and self.before.winner == self.after.winner


def recompute(match: Match, rules: Rules, *, lang: str = "en") -> Recomputed:
    """What other rules would change in a match; the match itself stays as it is.

    >>> from scoring.facts import HandFacts
    >>> from scoring.hand import Side
    >>> hand = HandFacts((Side("Anna", (), 11), Side("Bruno", (), 1)))
    >>> match = Match(Rules(), ("Anna", "Bruno"), (hand,))
    >>> recompute(match, Rules(target=21)).after.winner is None
    True
    """
    after = match.under(rules)
    changes = (_change(match, after, hand_no=no, lang=lang) for no in range(len(match.hands)))
    return Recomputed(match, after, tuple(change for change in changes if change is not None))


def _change(before: Match, after: Match, *, hand_no: int, lang: str) -> HandChange | None:
    """What changes in one hand, or None."""
    old, new = (match.score(hand_no, lang=lang) for match in (before, after))
    counts = hand_no < before.counted, hand_no < after.counted
    olds = {(line.point, line.winner if _per_side(line) else None): line for line in old.lines}
    news = {(line.point, line.winner if _per_side(line) else None): line for line in new.lines}
    keys = dict.fromkeys([*olds, *news])
    pairs = [(olds.get(key), news.get(key)) for key in keys]
    differing = tuple(pair for pair in pairs if _worth(pair[0]) != _worth(pair[1]))
    if not differing and counts[0] == counts[1]:
        return None
    return HandChange(hand_no, (old.points, new.points), counts, differing)


def _per_side(line: Line) -> bool:
    """Whether each side has a line of its own for this point."""
    return line.point in ("scope", "frac")


def _worth(line: Line | None) -> tuple[int | None, int] | None:
    """Who wins a line and what it makes; None where there is no line or nobody's."""
    return None if line is None or line.winner is None else (line.winner, line.amount)
