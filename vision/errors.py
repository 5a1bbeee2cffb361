"""What can go wrong between a file and a reading. Each leaf carries its data and one sentence."""

from enum import StrEnum, unique
from pathlib import Path
from typing import ClassVar

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
    """Lossless, arithmetic-coded or with more than 8 bits."""


UNSUPPORTED = frozenset({FileKind.RAW, FileKind.JPEG_XL, FileKind.JPEG_2000, FileKind.RARE_JPEG})
"""Pictures, but of formats that are not read."""


class VisionError(RuntimeError):
    """Root of all errors that reading a photo can raise."""


class PhotoError(VisionError):
    """A photo that cannot be used."""

    def __init__(self, name: str, message: str) -> None:
        self.name = one_line(name, limit=NAME_LENGTH)
        """The file's name as the sender wrote it, on one line and cut at `NAME_LENGTH`."""
        super().__init__(f"{self.name}: {message}")


class MissingPhotoError(PhotoError):
    """There is no such file, or it may not be read."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, f"expected a photo, but {reason}; check the path.")
        self.reason = reason
        """What the system said."""


class EmptyPhotoError(PhotoError):
    """A file of no bytes."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "expected a photo, got an empty file; send it again.")


class NotAPhotoError(PhotoError):
    """A file that is no picture, whatever its name says."""

    def __init__(self, name: str, kind: FileKind) -> None:
        super().__init__(
            name, f"expected a photo (JPEG, HEIC, PNG or WebP), got {kind}; choose another file."
        )
        self.kind = kind


class UnsupportedPhotoError(PhotoError):
    """A picture of a format that is not read."""

    def __init__(self, name: str, kind: FileKind) -> None:
        super().__init__(
            name, f"expected a JPEG, HEIC, PNG or WebP, got {kind}; send it as a JPEG or HEIC."
        )
        self.kind = kind


class TruncatedPhotoError(PhotoError):
    """A picture whose end is missing; half a pile is never read as a pile."""

    def __init__(self, name: str, size_bytes: int) -> None:
        super().__init__(
            name,
            f"expected a whole photo, got a truncated one ({size_bytes:,} bytes, then it breaks "
            "off); send the photo again.",
        )
        self.size_bytes = size_bytes
        """Bytes that did arrive."""


class DamagedPhotoError(PhotoError):
    """A picture whose header is right and whose content cannot be decoded."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            name, f"expected a photo, got a damaged {kind} picture; send the photo again."
        )
        self.kind = kind
        """The format that its header names."""


class PhotoTooLargeError(PhotoError):
    """A picture refused by its header, before anything is decoded."""

    def __init__(self, name: str, *, size_wh: tuple[int, int], limit_px: int) -> None:
        width, height = size_wh
        super().__init__(
            name,
            f"expected at most {limit_px // 1_000_000} megapixels, got {width:,} x {height:,} "
            f"({width * height // 1_000_000:,} megapixels); take it at a lower resolution.",
        )
        self.size_wh = size_wh
        """Width and height that the header names."""
        self.limit_px = limit_px
        """The most pixels that are read."""


class FileTooLargeError(PhotoError):
    """A file refused by its length, before anything of it is looked at."""

    def __init__(self, name: str, *, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(
            name,
            f"expected at most {limit_bytes // 1_000_000} MB, got more; send it as a JPEG or HEIC.",
        )
        self.size_bytes = size_bytes
        """Bytes that were read, at most one more than the limit."""
        self.limit_bytes = limit_bytes


class ModelError(VisionError):
    """A network file that is missing or is not what this version reads."""

    def __init__(self, path: Path, *, expected: str, got: str) -> None:
        super().__init__(
            f"{path.name}: expected {expected}, got {got}; restore the file that came with this "
            "version, or train it again."
        )
        self.path = path
        """Where the file was looked for."""
        self.expected = expected
        """What this version needs."""
        self.got = got
        """What was there."""


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
