"""What can go wrong when a deck is taught, kept or read."""

from pathlib import Path

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


class NothingLaidOutError(VisionError):
    """A photo that should show cards of a deck and shows none."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name}: expected cards of the deck laid side by side, found none; lay them face up "
            "on one colour and hold the phone straight above them."
        )
        self.name = name
        """The photo's name."""


class UnclearLayoutError(VisionError):
    """A photo of a deck laid out on which most cards are in doubt through a fault of the photo."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name}: expected cards that can be made out, got a photo too blurred, dark, glaring "
            "or small to learn from; hold the phone still and closer, in even light."
        )
        self.name = name
        """The photo's name."""
