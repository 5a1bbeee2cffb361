"""The errors of scoring: each says what was expected, what was found and what to do."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar


def one_line(text: str, *, limit: int = 200) -> str:
    r"""Return a text as one line: no control characters, at most `limit` letters.

    >>> one_line("two\nlines \x1b[31m"), one_line("a long text", limit=8)
    ('two lines ?[31m', 'a lon...')
    """
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 3] + "..."


class ScoringError(ValueError):
    """Root of every error that is shown to people; screens catch this one.

    A subclass is raised with its text, or it is a dataclass whose fields fill in its `message`:

    >>> from dataclasses import dataclass
    >>> @dataclass(eq=False)
    ... class FullError(ScoringError):
    ...     message = "expected room for {name}, but the table is full"
    ...     name: str
    >>> str(FullError("Anna"))
    'expected room for Anna, but the table is full'
    """

    # The sentence, with the fields in braces
    message: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.message.format_map(vars(self)) if self.message else super().__str__()


class CardError(ScoringError):
    """A text that names no card."""


class HandError(ScoringError):
    """A hand that cannot be scored: a doubled card, a negative scopa, too few sides."""


class MatchError(ScoringError):
    """A step a match does not allow: a hand after its end, an undo with nothing to undo."""


class PlayError(ScoringError):
    """A move or a deal that the rules do not allow."""


class RulesError(ScoringError):
    """A rule set that contradicts itself or holds an unknown setting."""

    def __init__(self, text: str, *, setting: str) -> None:
        super().__init__(text)
        self.setting = setting
        """The setting at fault."""


class DroppedSettingError(RulesError):
    """A rule set that plays a setting which the rules no longer have."""


@dataclass(eq=False)
class RulesCodeError(ScoringError):
    """A letter code of rules, which older versions shared."""

    message = "rule codes such as {code} have ended: name a preset, or a file with the settings"
    code: str


class DoubtError(ScoringError):
    """Doubts that contradict each other: they cannot all be different cards."""

    def __init__(self, text: str, *, keys: tuple[Hashable, ...] = ()) -> None:
        super().__init__(text)
        self.keys = keys
        """The doubts concerned."""


class InputError(ScoringError):
    """A file or text from outside that does not have the expected form."""

    def __init__(self, text: str, *, where: str = "") -> None:
        super().__init__(text)
        self.where = where
        """Where in the input: "hands[2].sides[0].pile"."""
