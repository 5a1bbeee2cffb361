"""What was read in a photo: every card with how sure it is, and every problem, as data.

It also reports the stages of a reading to a callback, if one is set.
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
"""A card that lies face down."""
NOT_SCOPA = "x"
"""A card that no Scopa deck holds, or something else that was taken for a card."""
CLASSES: tuple[str, ...] = (*CODES, BACK, NOT_SCOPA)
"""The forty card codes in deck order, then `BACK` and `NOT_SCOPA`."""
DECK_SIZE = len(CODES)
"""The first so many classes are the cards of the deck."""


Corners = tuple[tuple[float, float], ...]
"""Four (x, y) in photo pixels, clockwise, 0-1 and 2-3 the card's short sides."""
Area = tuple[float, float, float, float]
"""A box x0, y0, x1, y1 in photo pixels."""


@unique
class Status(StrEnum):
    """Whether somebody must be asked about a card."""

    SURE = "sure"
    """No: the photo alone says which card it is."""
    SETTLED = "settled"
    """No: the photo leaves a doubt, but the other answers are cards that lie elsewhere."""
    DOUBTFUL = "doubtful"
    """Yes: a person should look."""


@dataclass(frozen=True)
class CardReading:
    """One card in one photo."""

    card: str
    """A card code (`7d`), `back` (face down) or `x` (no Scopa card; doubtful: cannot be read)."""
    status: Status
    """How far to trust it."""
    confidence: float
    """Probability that `card` is right, 0 to 1."""
    corners: Corners
    """Where its corners lie, also those hidden under other cards."""
    alternatives: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Other answers worth offering, likeliest first, each with its probability."""

    def to_dict(self) -> dict[str, Any]:
        """The card as plain data, probabilities to four places.

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
    """What can be wrong with a photo, or with what the piles of a hand show together."""

    NOTHING_FOUND = "nothing-found"
    """No card was found, though there is light enough."""
    CUT_OFF = "cut-off"
    """A card reaches over the photo's edge."""
    DARK = "dark"
    """Too dark: where some doubtful cards lie, or without a region the whole photo."""
    WASHED_OUT = "washed-out"
    """Glare has turned the paper of cards pure white."""
    SMALL = "small"
    """Cards have too few pixels."""
    BLURRED = "blurred"
    """Out of focus, or moved."""
    COVERED = "covered"
    """Cards lie under others so far that too little of them shows."""
    STRIPED = "striped"
    """Dark stripes cross the photo: a lamp flickers."""
    TINTED = "tinted"
    """The light has a colour in which inks look alike."""
    MIRRORED = "mirrored"
    """As a front camera makes them. Its cards were read in a mirror."""
    FACE_DOWN = "face-down"
    """A card shows its back."""
    FOREIGN = "foreign"
    """A card that no Scopa deck holds."""
    UNREAD = "unread"
    """Something looks like a card and cannot be read."""
    TWICE = "twice"
    """One card of the deck is read in two places that cannot both be right."""
    MISSING = "missing"
    """Cards of the deck are on no photo, though every pile of the hand was read."""


@unique
class Region(StrEnum):
    """A ninth of a photo."""

    TOP_LEFT, TOP, TOP_RIGHT = "top-left", "top", "top-right"
    LEFT, MIDDLE, RIGHT = "left", "middle", "right"
    BOTTOM_LEFT, BOTTOM, BOTTOM_RIGHT = "bottom-left", "bottom", "bottom-right"


@dataclass(frozen=True)
class Problem:
    """Something a person should know or do, as data: who shows it has the words for it."""

    kind: PhotoProblemKind
    """What is wrong."""
    area: Area | None = None
    """Where it is, when it is about a place."""
    region: Region | None = None
    """The region in which `area` lies, for a fault of the photo such as glare."""
    cards: tuple[str, ...] = ()
    """Codes of the cards it is about: the one read twice, or those missing."""
    photos: tuple[str, ...] = ()
    """Names of the other photos on which a card read twice is."""


@dataclass(frozen=True)
class Reading:
    """One photo, read."""

    photo: str
    """The photo's name."""
    size_wh: tuple[int, int]
    """Its width and height, upright."""
    cards: tuple[CardReading, ...]
    """The cards found, row by row."""
    problems: tuple[Problem, ...]
    """All that is wrong with the photo, or with it and the other piles of the hand."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The Scopa cards read, without face-down and foreign ones.

        >>> Reading("p.jpg", (2, 3), (), ()).codes
        ()
        """
        return tuple(found.card for found in self.cards if found.card not in ("back", "x"))

    @property
    def doubts(self) -> tuple[CardReading, ...]:
        """The cards a person should look at."""
        return tuple(found for found in self.cards if found.status is Status.DOUBTFUL)


@unique
class Stage(StrEnum):
    """What is being done with a photo."""

    OPENING = "opening"
    """Its file is made a picture."""
    FINDING = "finding"
    """The boxes of its cards are found."""
    NAMING = "naming"
    """The cards are named."""


_HEARS: ContextVar[Callable[[Stage], None] | None] = ContextVar("_HEARS", default=None)


@contextmanager
def stage_listener(hears: Callable[[Stage], None]) -> Iterator[None]:
    """Call a function with each stage of what is read inside the `with` block.

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
    """Says that a stage begins."""
    hears = _HEARS.get()
    if hears is not None:
        hears(stage)
