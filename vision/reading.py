"""The result of reading a photo: cards with their certainty, and problems, as data.

The stages of a reading are reported to a callback, if one is set.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Any

from scoring.cards import CODES

BACK = "back"
"""A face-down card."""
NOT_SCOPA = "x"
"""A card that no Scopa deck holds, or another object that looks like a card."""
CLASSES: tuple[str, ...] = (*CODES, BACK, NOT_SCOPA)
"""The forty card codes in deck order, then `BACK` and `NOT_SCOPA`."""
DECK_SIZE = len(CODES)
"""Number of cards in the deck. They are the first classes."""


Corners = tuple[tuple[float, float], ...]
"""Four (x, y) in photo pixels, clockwise, 0-1 and 2-3 the card's short sides."""
Area = tuple[float, float, float, float]
"""A box x0, y0, x1, y1 in photo pixels."""


@unique
class Status(StrEnum):
    """Whether the user must be asked about a card."""

    SURE = "sure"
    """No: the photo alone is enough."""
    SETTLED = "settled"
    """No: the photo alone leaves a doubt, but its other answers are cards found elsewhere."""
    DOUBTFUL = "doubtful"
    """Yes: a person must look."""


@dataclass(frozen=True)
class CardReading:
    """One card in one photo."""

    card: str
    """A card code (`7d`), `back` (face down) or `x` (no Scopa card; doubtful: cannot be read)."""
    status: Status
    """How far to trust `card`."""
    confidence: float
    """Probability that `card` is right, 0 to 1."""
    corners: Corners
    """Positions of the corners, including hidden ones."""
    alternatives: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Other answers to offer, likeliest first, each with its probability."""

    def to_dict(self) -> dict[str, Any]:
        """Return the card as plain data, with probabilities to four places.

        >>> CardReading("7d", Status.SURE, 1.0, ((0, 0), (2, 0), (2, 3), (0, 3))).to_dict()["card"]
        '7d'
        """
        return {
            "card": self.card,
            "status": str(self.status),
            "confidence": round(self.confidence, 4),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "alternatives": {code: round(share, 4) for code, share in self.alternatives.items()},
        }


@unique
class PhotoProblemKind(StrEnum):
    """Problems of a photo, or of all piles of a hand."""

    NOTHING_FOUND = "nothing-found"
    """No card was found in enough light."""
    CUT_OFF = "cut-off"
    """A card reaches over the photo's edge."""
    DARK = "dark"
    """Too dark: the places of some doubtful cards or, without a region, the whole photo."""
    WASHED_OUT = "washed-out"
    """Glare turned the paper of cards pure white."""
    SMALL = "small"
    """Cards have too few pixels."""
    BLURRED = "blurred"
    """Out of focus, or moved."""
    COVERED = "covered"
    """Cards are so far under others that too little is visible."""
    STRIPED = "striped"
    """Dark stripes cross the photo: a lamp flickers."""
    TINTED = "tinted"
    """The light has a colour in which inks look alike."""
    MIRRORED = "mirrored"
    """The photo is mirrored, as by a front camera. Its cards were read in a mirror."""
    FACE_DOWN = "face-down"
    """A card shows its back."""
    FOREIGN = "foreign"
    """A card that no Scopa deck holds."""
    UNREAD = "unread"
    """Something looks like a card and cannot be read."""
    TWICE = "twice"
    """One card of the deck is read in two places that cannot both be right."""
    MISSING = "missing"
    """Cards of the deck are on no photo of a complete hand."""


@unique
class Region(StrEnum):
    """A ninth of a photo."""

    TOP_LEFT, TOP, TOP_RIGHT = "top-left", "top", "top-right"
    LEFT, MIDDLE, RIGHT = "left", "middle", "right"
    BOTTOM_LEFT, BOTTOM, BOTTOM_RIGHT = "bottom-left", "bottom", "bottom-right"


@dataclass(frozen=True)
class Problem:
    """A problem for the user to know or solve, as data without words."""

    kind: PhotoProblemKind
    """What is wrong."""
    area: Area | None = None
    """Position of the problem, if it has one."""
    region: Region | None = None
    """Region of `area`, for a fault of the photo such as glare."""
    cards: tuple[str, ...] = ()
    """Codes of the card read twice, or of the missing cards."""
    photos: tuple[str, ...] = ()
    """Names of the other photos with a card read twice."""


@dataclass(frozen=True)
class Reading:
    """The reading of one photo."""

    photo: str
    """The photo's name."""
    size_wh: tuple[int, int]
    """Width and height of the upright photo."""
    cards: tuple[CardReading, ...]
    """The cards, row by row."""
    problems: tuple[Problem, ...]
    """The problems of the photo alone and together with the other piles of the hand."""

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of the Scopa cards read, without face-down and foreign cards.

        >>> Reading("p.jpg", (2, 3), (), ()).codes
        ()
        """
        return tuple(found.card for found in self.cards if found.card not in ("back", "x"))

    @property
    def doubts(self) -> tuple[CardReading, ...]:
        """The doubtful cards."""
        return tuple(found for found in self.cards if found.status is Status.DOUBTFUL)


@unique
class Stage(StrEnum):
    """What the reader is doing with a photo."""

    OPENING = "opening"
    """Decoding the file."""
    FINDING = "finding"
    """Finding the boxes of cards."""
    NAMING = "naming"
    """Classifying the cards."""


_HEARS: ContextVar[Callable[[Stage], None] | None] = ContextVar("_HEARS", default=None)


@contextmanager
def stage_listener(hears: Callable[[Stage], None]) -> Iterator[None]:
    """Within the `with` block, call a function with each stage of a reading.

    >>> with stage_listener(print):
    ...     report_stage(Stage.NAMING)
    naming
    >>> report_stage(Stage.NAMING)
    """
    token = _HEARS.set(hears)
    try:
        yield
    finally:
        _HEARS.reset(token)


def report_stage(stage: Stage) -> None:
    """Report the start of a stage."""
    hears = _HEARS.get()
    if hears is not None:
        hears(stage)
