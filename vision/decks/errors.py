"""What can go wrong when a deck is taught, kept or read."""

from pathlib import Path
from typing import ClassVar

from vision.errors import VisionError


class ViewError(VisionError):
    """A card of a taught deck that cannot be read any more."""

    def __init__(self, got: str) -> None:
        super().__init__(
            f"expected a picture of 128 x 192 pixels, got {got}; teach the deck again."
        )
        self.got = got
        """What was there."""


class DeckFileError(VisionError):
    """A file that is no taught deck."""

    def __init__(self, path: Path, got: str) -> None:
        super().__init__(
            f"{path.name}: expected the file of a taught deck, got {got}; export the deck again."
        )
        self.path = path
        """Where it was looked for."""
        self.got = got
        """What was there."""


class LayoutError(VisionError):
    """A photo of a deck laid out from which nothing can be learnt."""

    why: ClassVar[str]
    """What was expected, what is there, and what to do."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: {self.why}")
        self.name = name
        """The photo's name."""


class NothingLaidOutError(LayoutError):
    """It shows no card."""

    why = (
        "expected cards of the deck laid side by side, found none; lay them face up "
        "on one colour and hold the phone straight above them."
    )


class UnclearLayoutError(LayoutError):
    """Most of its cards are in doubt through a fault of the photo."""

    why = (
        "expected cards that can be made out, got a photo too blurred, dark, glaring or small "
        "to learn from; hold the phone still and closer, in even light."
    )
