"""Which files are read: by their bytes, whatever their name says."""

import struct
from pathlib import Path

import pytest
from picture_files import saved, saved_heif, scene
from PIL import Image

from vision import photo as photo_module
from vision.errors import (
    DamagedPhotoError,
    EmptyPhotoError,
    FileTooLargeError,
    MissingPhotoError,
    NotAPhotoError,
    PhotoTooLargeError,
)
from vision.photo import open_photo


def box(kind: bytes, content: bytes = b"") -> bytes:
    return struct.pack(">I", 8 + len(content)) + kind + content


def brands(major: bytes, *compatible: bytes) -> bytes:
    return box(b"ftyp", major + bytes(4) + b"".join(compatible))


def rebranded(data: bytes, major: bytes, *compatible: bytes) -> bytes:
    """Return a file with other brands; `free` boxes keep the places of all that follows."""
    old = int.from_bytes(data[:4], "big")
    new = brands(major, *compatible)
    missing = old - len(new)
    assert missing == 0 or missing >= 8
    return new + (box(b"free", bytes(missing - 8)) if missing else b"") + data[old:]


HEIF_BRANDS = [b"heic", b"heix", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"]


@pytest.mark.parametrize("major", HEIF_BRANDS, ids=bytes.decode)
def test_a_heif_photo_is_known_by_any_of_its_brands(major: bytes) -> None:
    photo = open_photo(rebranded(saved_heif(scene()), major, b"mif1", b"heic", b"miaf"))
    assert photo.size_wh == (120, 80)
    assert photo.image_bgr[10, 20, 2] > 150


@pytest.mark.parametrize("major", [b"avif", b"mif1", b"miaf", b"mif2"], ids=bytes.decode)
def test_an_avif_photo_is_known_by_any_of_its_brands(major: bytes) -> None:
    photo = open_photo(rebranded(saved(scene(), "AVIF"), major, b"mif1", b"avif"))
    assert photo.size_wh == (120, 80)


NOT_READ = {
    "TIFF": saved(scene(), "TIFF"),
    "GIF": saved(scene(), "GIF"),
    "BMP": saved(scene(), "BMP"),
    "CR3": brands(b"crx ", b"isom") + bytes(64),
    "RAF": b"FUJIFILMCCD-RAW 0201" + bytes(64),
    "JPEG XL": b"\xff\x0a" + bytes(64),
    "JPEG 2000": saved(scene(), "JPEG2000"),
    "MOV": brands(b"qt  ", b"qt  ") + box(b"mdat"),
    "an old MOV": box(b"moov", bytes(40)),
    "MP4": brands(b"isom", b"mp42") + box(b"moov"),
    "WebM": b"\x1aE\xdf\xa3" + bytes(64),
    "AVI": b"RIFF\x40\0\0\0AVI LIST" + bytes(64),
    "SVG": b"<?xml version='1.0'?>\n<svg xmlns=''/>",
    "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3",
    "ZIP": b"PK\x03\x04" + bytes(40),
    "text": b"this is no picture\n" * 20,
    "bytes": bytes(range(256)),
    "one byte": b"\xff",
}


@pytest.mark.parametrize("data", NOT_READ.values(), ids=NOT_READ.keys())
def test_other_files_are_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(NotAPhotoError) as caught:
        open_photo(data, name="pile.jpg")
    assert str(caught.value) == (
        "pile.jpg: this program cannot read that kind of file; "
        "send a JPEG, PNG, HEIC, AVIF or WebP."
    )


def test_heif_without_a_still_picture_is_refused() -> None:
    with pytest.raises(DamagedPhotoError):
        open_photo(brands(b"msf1", b"hevc") + box(b"moov", bytes(40)))


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "AVIF"])
def test_the_first_picture_of_an_animation_is_read(kind: str) -> None:
    data = saved(scene(), kind, save_all=True, append_images=[Image.new("RGB", (120, 80))])
    assert open_photo(data).image_bgr[10, 20, 2] > 150


def test_a_photo_with_a_film_behind_it_is_read() -> None:
    film = brands(b"mp42") + box(b"mdat", bytes(400))
    for data in (saved(scene(), "JPEG"), saved_heif(scene()) + box(b"mpvd", b"")):
        assert open_photo(data + film).size_wh == (120, 80)


def of_81_megapixels() -> dict[str, bytes]:
    """Small pictures whose headers are changed to 9,000 x 9,000 pixels."""
    size, large = struct.pack(">II", 120, 80), struct.pack(">II", 9000, 9000)
    heif, avif = (
        data.replace(b"ispe" + bytes(4) + size, b"ispe" + bytes(4) + large)
        for data in (saved_heif(scene()), saved(scene(), "AVIF"))
    )
    webp = saved(scene(), "WEBP", save_all=True, append_images=[scene().rotate(180)])
    return {
        "HEIF": heif,
        "AVIF": avif,
        "WebP": webp[:24] + 2 * (8999).to_bytes(3, "little") + webp[30:],
    }


@pytest.mark.parametrize("form", ["HEIF", "AVIF", "WebP"])
def test_81_megapixels_are_refused_by_their_header(form: str) -> None:
    with pytest.raises(PhotoTooLargeError, match=r"got 9,000 x 9,000 \(81 megapixels\)"):
        open_photo(of_81_megapixels()[form])


NAMES = {
    "two lines": ("pile\n\r\n1.jpg", "pile 1.jpg"),
    "control characters": ("\x1b[31mpile\x00.jpg", "?[31mpile?.jpg"),
    "text written backwards": ("pile\u202egpj.exe", "pile?gpj.exe"),
    "bytes that are no text": ("pile\udcff.jpg", "pile?.jpg"),
    "letters of any language": ("più è meglio.jpg", "più è meglio.jpg"),
    "5,000 characters": ("x" * 5000, "x" * 57 + "..."),
}


@pytest.mark.parametrize(("name", "shown"), NAMES.values(), ids=NAMES.keys())
def test_a_name_is_shown_on_one_short_line(name: str, shown: str) -> None:
    with pytest.raises(EmptyPhotoError) as caught:
        open_photo(b"", name=name)
    assert caught.value.name == shown
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) <= 200


def test_a_file_of_too_many_bytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_module, "LIMIT_BYTES", 2_000_000)
    (tmp_path / "pile.png").write_bytes(bytes(2_000_001))
    for given in (tmp_path / "pile.png", (tmp_path / "pile.png").read_bytes(), Path("/dev/zero")):
        with pytest.raises(FileTooLargeError, match="at most 2 MB"):
            open_photo(given)


def test_a_name_that_no_file_can_have_is_a_missing_photo() -> None:
    with pytest.raises(MissingPhotoError):
        open_photo(Path("x" * 300))
