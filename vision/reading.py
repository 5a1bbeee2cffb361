"""What was read in a photo: every card with how sure it is, and every problem, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Any

Corners = tuple[tuple[float, float], ...]
"""Four (x, y) in photo pixels, clockwise, 0-1 and 2-3 the card's short sides."""
Area = tuple[float, float, float, float]
"""A box x0, y0, x1, y1 in photo pixels."""


@unique
class Status(StrEnum):
    """How far a reading may be trusted without asking."""

    SURE = "sure"
    """The picture alone says it."""
    SETTLED = "settled"
    """The picture leaves a doubt that the deck removes: the other answers lie elsewhere."""
    DOUBTFUL = "doubtful"
    """A person should look."""


@dataclass(frozen=True)
class FoundCard:
    """One card in one photo."""

    card: str
    """A card code (`7d`), `back` (face down) or `x`: no Scopa card, or in doubt, one not read."""
    status: Status
    """How far to trust it."""
    confidence: float
    """Probability that `card` is right, 0 to 1."""
    corners: Corners
    """Where it lies, hidden parts too."""
    alternatives: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """The other answers worth offering, likeliest first, each with its probability."""

    def to_dict(self) -> dict[str, Any]:
        """The card as plain data, probabilities to four places.

        >>> FoundCard("7d", Status.SURE, 1.0, ((0, 0), (2, 0), (2, 3), (0, 3))).to_dict()["card"]
        '7d'
        """
        return {
            "card": self.card,
            "status": str(self.status),
            "confidence": round(self.confidence, 4),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "alternatives": {code: round(share, 4) for code, share in self.alternatives.items()},
        }


@dataclass(frozen=True)
class Problem:
    """Something a person should know or do."""

    kind: str
    """A short name that never changes, for screens to translate."""
    message: str
    """One sentence that says what to do."""
    area: Area | None = None
    """Where, when it is about a place."""

    def to_dict(self) -> dict[str, Any]:
        """The problem as plain data; `area` only where there is one.

        >>> Problem("dark", "Too dark.").to_dict()
        {'kind': 'dark', 'message': 'Too dark.'}
        """
        plain: dict[str, Any] = {"kind": self.kind, "message": self.message}
        if self.area is not None:
            plain["area"] = [round(side, 1) for side in self.area]
        return plain


@dataclass(frozen=True)
class Reading:
    """One photo, read."""

    photo: str
    """The photo's name."""
    size_wh: tuple[int, int]
    """Its width and height, upright."""
    cards: tuple[FoundCard, ...]
    """The cards found, row by row."""
    problems: tuple[Problem, ...]
    """All that is wrong with it."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The Scopa cards read, without face-down and foreign ones.

        >>> Reading("p.jpg", (2, 3), (), ()).codes
        ()
        """
        return tuple(found.card for found in self.cards if found.card not in ("back", "x"))

    @property
    def doubts(self) -> tuple[FoundCard, ...]:
        """The cards a person should look at."""
        return tuple(found for found in self.cards if found.status is Status.DOUBTFUL)

    def to_dict(self) -> dict[str, Any]:
        """The reading as plain data.

        >>> Reading("p.jpg", (2, 3), (), ()).to_dict()
        {'photo': 'p.jpg', 'cards': [], 'problems': []}
        """
        return {
            "photo": self.photo,
            "cards": [found.to_dict() for found in self.cards],
            "problems": [problem.to_dict() for problem in self.problems],
        }


@dataclass(frozen=True)
class HandReading:
    """All piles of one hand, read together."""

    readings: tuple[Reading, ...]
    """One a photo, in the order given."""
    missing: tuple[str, ...]
    """Cards of the deck that no photo shows: what is taken as the rest, or what is lost."""
