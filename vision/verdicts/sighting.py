"""One box of one photo with its class probabilities, before anything is decided about it."""

from dataclasses import dataclass

from vision.classes import CLASSES
from vision.geometry.quads import Quad
from vision.networks.engine import Tensor
from vision.networks.locate import Jitter


@dataclass(frozen=True, eq=False)
class Sighting:
    """Where a card may lie and what it may be."""

    quad: Quad
    """4 x 2 corners in photo pixels, clockwise, 0-1 and 2-3 the short sides."""
    score: float
    """How sure locate and refine are that a card lies there, 0 to 1."""
    probabilities: Tensor
    """42 calibrated probabilities in the order of `CLASSES`."""
    jitter: Jitter | None = None
    """How the box answered to shifts of its crop, where that was measured."""

    @property
    def box(self) -> Quad:
        """Its corners before they were moved onto the plane of the table.

        They tell a part of a card from a whole one; on the plane every box has the size of a card.
        """
        return self.quad if self.jitter is None else self.jitter.box

    @property
    def top(self) -> str:
        """The likeliest class."""
        return CLASSES[int(self.probabilities.argmax())]

    @property
    def top_probability(self) -> float:
        """The probability of the likeliest class."""
        return float(self.probabilities.max())
