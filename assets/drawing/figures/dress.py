"""What the court figures of each suit wear, so that a suit is known by its cloth too."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from assets.drawing.palette import (
    BLUE,
    BLUE_DARK,
    BROWN,
    GOLD,
    GOLD_LIGHT,
    GREEN,
    GREEN_DARK,
    GREY,
    INK,
    RED,
    RED_DARK,
    TAN,
    WHITE,
)


@dataclass(frozen=True, kw_only=True)
class Dress:
    """The colours of one suit's three figures."""

    cloth: str
    """The tunic, the coat, the gown's front."""
    fold: str
    """The pleats of that cloth."""
    cloak: str
    """The mantle, the cape and the second leg."""
    lining: str
    """Folds of the cloak."""
    trim: str
    """Hems, belts and buttons."""
    hair: str
    """Hair and beard."""
    horse: str
    """The horse's coat."""
    far: str
    """The horse's legs on the far side."""
    mane: str
    """The horse's mane and tail."""


DRESS: Mapping[str, Dress] = MappingProxyType(
    {
        "d": Dress(
            cloth=GOLD,
            fold="#b57a16",
            cloak=RED,
            lining=RED_DARK,
            trim=GOLD_LIGHT,
            hair=BROWN,
            horse=WHITE,
            far=GREY,
            mane=GOLD,
        ),
        "c": Dress(
            cloth=RED,
            fold=RED_DARK,
            cloak=BLUE,
            lining=BLUE_DARK,
            trim=GOLD,
            hair="#c98a3a",
            horse=TAN,
            far="#b98a55",
            mane=BROWN,
        ),
        "s": Dress(
            cloth=BLUE,
            fold=BLUE_DARK,
            cloak=RED,
            lining=RED_DARK,
            trim=GOLD_LIGHT,
            hair=INK,
            horse=GREY,
            far="#8f999e",
            mane=INK,
        ),
        "b": Dress(
            cloth=GREEN,
            fold=GREEN_DARK,
            cloak=GOLD,
            lining="#b57a16",
            trim=GOLD_LIGHT,
            hair="#a4502a",
            horse="#8f5a35",
            far="#6b4226",
            mane=INK,
        ),
    }
)
"""The dress of each suit, by its letter."""
