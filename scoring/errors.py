"""The errors of scoring: each says what was expected, what came and what to do."""

from __future__ import annotations

from collections.abc import Hashable


def one_line(text: str, *, limit: int = 200) -> str:
    r"""A text as one line that can be shown anywhere: no control characters, `limit` at most.

    >>> one_line("two\nlines \x1b[31m"), one_line("a long text", limit=8)
    ('two lines ?[31m', 'a lon...')
    """
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 3] + "..."


class ScoringError(ValueError):
    """Root of every error of `scoring`; screens catch this one."""


class CardError(ScoringError):
    """A text that names no card."""

    def __init__(self, message: str, *, text: str) -> None:
        super().__init__(message)
        self.text = text
        """The text as it came."""


class RulesError(ScoringError):
    """A rule set that contradicts itself or holds an unknown setting."""

    def __init__(self, message: str, *, setting: str) -> None:
        super().__init__(message)
        self.setting = setting
        """The setting at fault."""


class HandError(ScoringError):
    """A hand that cannot be scored: a doubled card, a negative scopa, too few sides."""

    def __init__(self, message: str, *, sides: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.sides = sides
        """The names of the sides concerned."""


class MatchError(ScoringError):
    """A step a match does not allow: a hand after its end, an undo with nothing to undo."""

    def __init__(self, message: str, *, hand_no: int | None = None) -> None:
        super().__init__(message)
        self.hand_no = hand_no
        """The hand concerned, counted from 0, or None."""


class PlayError(ScoringError):
    """A move or a deal that the rules do not allow."""

    def __init__(self, message: str, *, card: str = "") -> None:
        super().__init__(message)
        self.card = card
        """The code of the card concerned, if any."""


class DoubtError(ScoringError):
    """Doubts that contradict each other: no way is left to name every card."""

    def __init__(self, message: str, *, keys: tuple[Hashable, ...] = ()) -> None:
        super().__init__(message)
        self.keys = keys
        """The doubts concerned."""


class InputError(ScoringError):
    """A file or text from outside that has not the shape expected."""

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(message)
        self.where = where
        """Where in the input: "hands[2].sides[0].pile"."""
