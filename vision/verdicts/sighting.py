"""One card seen in one photo, before anything is decided about it."""

from dataclasses import dataclass

from vision.classes import CLASSES
from vision.geometry.quads import Quad
from vision.networks.locate import Glimpse
from vision.networks.network import Tensor


@dataclass(frozen=True, eq=False)
class Sighting:
    """Where a card lies and what it may be."""

    quad: Quad
    """4 x 2 corners in photo pixels, clockwise, 0-1 and 2-3 the short sides."""
    score: float
    """How sure locate and refine are that a card lies there, 0 to 1."""
    probabilities: Tensor
    """42 calibrated probabilities in the order of `CLASSES`."""
    glimpse: Glimpse | None = None
    """How it was seen from close by, before its corners were made those of a card on the table."""

    @property
    def box(self) -> Quad:
        """Its corners as they were seen: they tell a part of a card from a whole one."""
        return self.quad if self.glimpse is None else self.glimpse.box

    @property
    def top(self) -> str:
        """The likeliest class."""
        return CLASSES[int(self.probabilities.argmax())]

    @property
    def top_share(self) -> float:
        """Its probability."""
        return float(self.probabilities.max())
