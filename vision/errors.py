"""Errors of reading a photo.

Each message says what was expected, what was found, and what to do. It is filled from the error's
fields.
"""

import copyreg
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from scoring.errors import one_line

NAME_LENGTH = 60
"""Maximum length of a file name in an error."""


class VisionError(RuntimeError):
    """Root of all errors of reading a photo; leaves are dataclasses."""

    message: ClassVar[str]
    """The sentence, as a format string; `e` is the error."""

    def __str__(self) -> str:
        return self.message.format(e=self)

    def __reduce__(self) -> Any:
        """Pickle the fields too: those of a dataclass are not all in `args`."""
        return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]  # of pickle


@dataclass(eq=False)
class PhotoError(VisionError):
    """A photo that cannot be used. `name` is its file name, on one line, cut at `NAME_LENGTH`."""

    name: str

    def __post_init__(self) -> None:
        self.name = one_line(self.name, limit=NAME_LENGTH)


@dataclass(eq=False)
class MissingPhotoError(PhotoError):
    """A missing or unreadable file; `reason` is the system's message."""

    reason: str
    message = "{e.name}: expected a photo, but {e.reason}; check the path."


class EmptyPhotoError(PhotoError):
    """A file without bytes."""

    message = "{e.name}: expected a photo, got an empty file; send it again."


class NotAPhotoError(PhotoError):
    """A file of a kind that cannot be read, whatever its extension."""

    message = (
        "{e.name}: this program cannot read that kind of file; "
        "send a JPEG, PNG, HEIC, AVIF or WebP."
    )


class DamagedPhotoError(PhotoError):
    """A picture with missing or wrong data. Half a pile is never read as a pile."""

    message = "{e.name}: expected a whole photo, got a damaged one; send it again."


class UnreadablePhotoError(PhotoError):
    """A picture that crashes the reader, or that needs too much memory."""

    message = (
        "{e.name}: expected a photo that can be read, got one that breaks the reader or needs too "
        "much memory; send another one."
    )


@dataclass(eq=False)
class SlowPhotoError(PhotoError):
    """A picture that takes longer than `seconds`."""

    seconds: int
    message = (
        "{e.name}: expected a photo that is read within {e.seconds} s, got one that takes longer; "
        "send it as a usual JPEG."
    )


@dataclass(eq=False)
class PhotoTooLargeError(PhotoError):
    """A picture whose header names too many pixels; it was not decoded."""

    size_wh: tuple[int, int]
    limit_px: int
    message = (
        "{e.name}: expected at most {e.limit_megapixels} megapixels, got {e.size_wh[0]:,} x "
        "{e.size_wh[1]:,} ({e.megapixels:,} megapixels); take it at a lower resolution."
    )

    @property
    def megapixels(self) -> int:
        """Size by the header, rounded down."""
        return self.size_wh[0] * self.size_wh[1] // 1_000_000

    @property
    def limit_megapixels(self) -> int:
        """Maximum size."""
        return self.limit_px // 1_000_000


@dataclass(eq=False)
class FileTooLargeError(PhotoError):
    """A file with too many bytes; it was not opened."""

    limit_mb: int
    message = "{e.name}: expected at most {e.limit_mb} MB, got more; send it as a JPEG or HEIC."


@dataclass(eq=False)
class ModelError(VisionError):
    """A network file that is missing or does not fit this version."""

    path: Path
    expected: str
    got: str
    message = (
        "{e.path.name}: expected {e.expected}, got {e.got}; restore the file that came with this "
        "version, or train it again."
    )


@dataclass(eq=False)
class LabelError(VisionError):
    """A folder without usable labels."""

    path: Path
    got: str
    message = (
        '{e.path}: expected {{"photos": {{file: {{"cards": [codes]}}}}}}, got {e.got}; '
        "name folders that hold labelled photos."
    )
