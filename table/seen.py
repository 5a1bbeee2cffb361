"""One card as the camera saw it, and what somebody answered about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from scoring.cards import CODES
from vision.reading import CardReading, Status

NOT_HERE = "none"
"""The answer that says: this is no card of this pile."""

SAME_SPOT = 0.01
"""Two boxes of a photo are one card if their middles are nearer, in parts of its sides."""


class SeenAt(NamedTuple):
    """Where a seen card stands in the drafts of a hand."""

    side: int
    """The side whose pile it is in."""
    number: int
    """Its place in that draft's `seen`."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One card as the camera saw it, and what somebody answered about it."""

    photo: int
    """Number of the photo in the store."""
    guess: str
    """What the camera read: a code, `back` (face down), `x` (no Scopa card; in doubt: not read)."""
    doubtful: bool
    """The camera was not sure: somebody must answer."""
    corners: tuple[tuple[float, float], ...]
    """Four corners, x and y as parts (0 to 1) of the photo's width and height."""
    alternatives: tuple[str, ...] = ()
    """What else it may be (codes, `back`, `x`), likeliest first."""
    answer: str | None = None
    """The code somebody chose, `NOT_HERE`, or None when nobody was asked."""

    @property
    def code(self) -> str | None:
        """Code of the Scopa card this counts as, None when it counts as none."""
        code = self.answer or self.guess
        return code if code in CODES else None

    @property
    def is_open(self) -> bool:
        """Whether this is a question that nobody has answered."""
        return self.doubtful and self.answer is None and self.guess in CODES

    @property
    def is_unread(self) -> bool:
        """Whether it looks like a card, could not be read, and nobody said what it is."""
        return self.doubtful and self.answer is None and self.guess == "x"

    def is_at(self, other: "Seen") -> bool:
        """Whether another look at the same photo saw this card."""
        if self.photo != other.photo:
            return False
        middles = (map(fmean, zip(*seen.corners, strict=True)) for seen in (self, other))
        return all(abs(one - two) < SAME_SPOT for one, two in zip(*middles, strict=True))

    @classmethod
    def from_found(cls, found: CardReading, photo: int, *, size_wh: tuple[int, int]) -> "Seen":
        """Gives the shared form of what the reader found, corners as parts of the photo."""
        width, height = size_wh
        likely = sorted(found.alternatives, key=lambda code: -found.alternatives[code])
        return cls(
            photo=photo,
            guess=found.card,
            doubtful=found.status is Status.DOUBTFUL,
            corners=tuple((x / width, y / height) for x, y in found.corners),
            alternatives=tuple(code for code in likely if code != found.card),
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Seen":
        """Gives the seen card that `vars` of one wrote as JSON."""
        corners = tuple((float(x), float(y)) for x, y in data["corners"])
        return cls(**{**data, "corners": corners, "alternatives": tuple(data["alternatives"])})
