"""What can go wrong between a file and a reading. Each leaf carries its data and one sentence."""

from pathlib import Path


class VisionError(RuntimeError):
    """Root of all errors that reading a photo can raise."""


class PhotoError(VisionError):
    """A photo that cannot be used; `name` is the file as the sender called it."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        """The file's name, as given."""


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

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            name, f"expected a photo (JPEG, PNG, WebP or HEIC), got {kind}; choose another file."
        )
        self.kind = kind
        """What the file seems to be: `a text file`, `a PDF`, `a video`, `an unknown file`."""


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
