"""What can go wrong between a file and a reading.

Each error says what was expected, what came and what to do, in a sentence filled from its fields.
"""

import copyreg
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Any, ClassVar

from scoring.errors import one_line

NAME_LENGTH = 60
"""The most characters of a file's name that an error holds."""


@unique
class FileKind(StrEnum):
    """What a file is that is no photo, or none that is read."""

    TEXT = "a text file"
    PDF = "a PDF"
    ARCHIVE = "a ZIP archive or document"
    DRAWING = "a drawing"
    VIDEO = "a video"
    SEQUENCE = "an image sequence"
    """Pictures in HEIF that follow each other, with no still one among them."""
    UNKNOWN = "an unknown file"
    RAW = "a raw photo"
    """What a camera's sensor saw: DNG, CR2, CR3, NEF, ARW, RAF, ORF, RW2."""
    JPEG_XL = "a JPEG XL picture"
    JPEG_2000 = "a JPEG 2000 picture"
    RARE_JPEG = "a JPEG of a rare kind"
    """Lossless, arithmetic-coded, with more than 8 bits, or large in very many scans."""


UNSUPPORTED = frozenset({FileKind.RAW, FileKind.JPEG_XL, FileKind.JPEG_2000, FileKind.RARE_JPEG})
"""Pictures, but of formats that are not read."""


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


@dataclass(eq=False)
class NotAPhotoError(PhotoError):
    """A file that is no picture, whatever its name says."""

    kind: FileKind
    message = (
        "{e.name}: expected a photo (JPEG, HEIC, PNG or WebP), got {e.kind}; choose another file."
    )


@dataclass(eq=False)
class UnsupportedPhotoError(PhotoError):
    """A picture of a format that is not read."""

    kind: FileKind
    message = (
        "{e.name}: expected a JPEG, HEIC, PNG or WebP, got {e.kind}; send it as a JPEG or HEIC."
    )


@dataclass(eq=False)
class TruncatedPhotoError(PhotoError):
    """A picture of which only `size_bytes` arrived; half a pile is never read as a pile."""

    size_bytes: int
    message = (
        "{e.name}: expected a whole photo, got a truncated one ({e.size_bytes:,} bytes, then it "
        "breaks off); send the photo again."
    )


@dataclass(eq=False)
class DamagedPhotoError(PhotoError):
    """A picture whose header is right and whose content cannot be decoded as the format `kind`."""

    kind: str
    message = "{e.name}: expected a photo, got a damaged {e.kind} picture; send the photo again."


class UnreadablePhotoError(PhotoError):
    """A picture at which the reader breaks."""

    message = (
        "{e.name}: expected a photo that can be read, got one at which the reader breaks; send "
        "another one."
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
