"""What can go wrong between a file and a reading.

Each error says what was expected, what came and what to do, in a sentence filled from its fields.
"""

import copyreg
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from scoring.errors import one_line

NAME_LENGTH = 60
"""The most characters of a file's name that an error holds."""


class VisionError(RuntimeError):
    """Root of all errors that reading a photo can raise; leaves are dataclasses."""

    message: ClassVar[str]
    """The sentence, as a format string in which `e` is the error."""

    def __str__(self) -> str:
        return self.message.format(e=self)

    def __reduce__(self) -> Any:
        """Errors go from one process to another; those of dataclasses hold more than `args`."""
        return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]  # of pickle


@dataclass(eq=False)
class PhotoError(VisionError):
    """A photo that cannot be used; `name` is the file's, on one line and cut at `NAME_LENGTH`."""

    name: str

    def __post_init__(self) -> None:
        self.name = one_line(self.name, limit=NAME_LENGTH)


@dataclass(eq=False)
class MissingPhotoError(PhotoError):
    """There is no such file, or it may not be read; `reason` is what the system said."""

    reason: str
    message = "{e.name}: expected a photo, but {e.reason}; check the path."


class EmptyPhotoError(PhotoError):
    """A file of no bytes."""

    message = "{e.name}: expected a photo, got an empty file; send it again."


class NotAPhotoError(PhotoError):
    """A file of a kind that is not read, whatever its name says."""

    message = (
        "{e.name}: this program cannot read that kind of file; "
        "send a JPEG, PNG, HEIC, AVIF or WebP."
    )


class DamagedPhotoError(PhotoError):
    """A picture of which a part is missing or wrong; half a pile is never read as a pile."""

    message = "{e.name}: expected a whole photo, got a damaged one; send it again."


class UnreadablePhotoError(PhotoError):
    """A picture at which the reader breaks, or for which it has too little memory."""

    message = (
        "{e.name}: expected a photo that can be read, got one that breaks the reader or needs too "
        "much memory; send another one."
    )


@dataclass(eq=False)
class SlowPhotoError(PhotoError):
    """A picture that was given up since it took longer than `seconds`."""

    seconds: int
    message = (
        "{e.name}: expected a photo that is read within {e.seconds} s, got one that takes longer; "
        "send it as a usual JPEG."
    )


@dataclass(eq=False)
class PhotoTooLargeError(PhotoError):
    """A picture refused by its header, before anything is decoded."""

    size_wh: tuple[int, int]
    limit_px: int
    message = (
        "{e.name}: expected at most {e.limit_megapixels} megapixels, got {e.size_wh[0]:,} x "
        "{e.size_wh[1]:,} ({e.megapixels:,} megapixels); take it at a lower resolution."
    )

    @property
    def megapixels(self) -> int:
        """What the header names, rounded down."""
        return self.size_wh[0] * self.size_wh[1] // 1_000_000

    @property
    def limit_megapixels(self) -> int:
        """The most that is read."""
        return self.limit_px // 1_000_000


@dataclass(eq=False)
class FileTooLargeError(PhotoError):
    """A file refused by its length, before anything of it is looked at."""

    limit_mb: int
    message = "{e.name}: expected at most {e.limit_mb} MB, got more; send it as a JPEG or HEIC."


@dataclass(eq=False)
class ModelError(VisionError):
    """A network file that is missing or is not what this version reads."""

    path: Path
    expected: str
    got: str
    message = (
        "{e.path.name}: expected {e.expected}, got {e.got}; restore the file that came with this "
        "version, or train it again."
    )


@dataclass(eq=False)
class LabelError(VisionError):
    """A folder without labels that can be used."""

    path: Path
    got: str
    message = (
        '{e.path}: expected {{"photos": {{file: {{"cards": [codes]}}}}}}, got {e.got}; '
        "name folders that hold labelled photos."
    )
