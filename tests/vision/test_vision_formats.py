"""What a file is: told by its bytes, in its own words when it is no photo that is read."""

import struct
from pathlib import Path

import numpy as np
import pytest
from picture_files import noisy, saved, saved_heif, scene
from PIL import Image, TiffImagePlugin

from vision import photo as photo_module
from vision.errors import (
    EmptyPhotoError,
    FileKind,
    FileTooLargeError,
    MissingPhotoError,
    NotAPhotoError,
    PhotoError,
    PhotoTooLargeError,
    UnsupportedPhotoError,
)
from vision.photo import open_photo


def box(kind: bytes, content: bytes = b"") -> bytes:
    return struct.pack(">I", 8 + len(content)) + kind + content


def brands(major: bytes, *compatible: bytes) -> bytes:
    return box(b"ftyp", major + bytes(4) + b"".join(compatible))


def rebranded(data: bytes, major: bytes, *compatible: bytes) -> bytes:
    """A file with other brands; `free` boxes keep the places of all that follows."""
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


def tiff(**tags: object) -> bytes:
    info = TiffImagePlugin.ImageFileDirectory_v2()
    for name, value in tags.items():
        info[int(name.removeprefix("tag"))] = value
    return saved(scene(), "TIFF", tiffinfo=info)


def tiff_with_sensor_data(order: str) -> bytes:
    """Its first picture is a preview; a directory below it describes a colour filter array."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    below = struct.pack(order + "HHHIHHI", 1, 262, 3, 1, 32803, 0, 0)
    above = struct.pack(order + "HHHIII", 1, 330, 4, 1, 26, 0)
    return mark + struct.pack(order + "I", 8) + above + below + bytes(64)


UNSUPPORTED = {
    "DNG": (tiff(tag50706=b"\1\4\0\0"), FileKind.RAW),
    "CR2": (b"II*\0\x10\0\0\0CR\2\0" + bytes(64), FileKind.RAW),
    "NEF": (tiff_with_sensor_data(">"), FileKind.RAW),
    "ARW": (tiff_with_sensor_data("<"), FileKind.RAW),
    "CR3": (brands(b"crx ", b"isom") + bytes(64), FileKind.RAW),
    "RAF": (b"FUJIFILMCCD-RAW 0201" + bytes(64), FileKind.RAW),
    "ORF": (b"IIRO\x08\0\0\0" + bytes(64), FileKind.RAW),
    "RW2": (b"IIU\0\x18\0\0\0" + bytes(64), FileKind.RAW),
    "JPEG XL": (b"\xff\x0a" + bytes(64), FileKind.JPEG_XL),
    "JPEG XL in boxes": (box(b"JXL ", b"\r\n\x87\n") + brands(b"jxl "), FileKind.JPEG_XL),
    "JPEG 2000": (saved(scene(), "JPEG2000"), FileKind.JPEG_2000),
}
NO_PHOTOS = {
    "MOV": (brands(b"qt  ", b"qt  ") + box(b"mdat"), FileKind.VIDEO),
    "an old MOV": (box(b"moov", bytes(40)), FileKind.VIDEO),
    "MP4": (brands(b"isom", b"mp42") + box(b"moov"), FileKind.VIDEO),
    "3GP": (brands(b"3gp5", b"isom"), FileKind.VIDEO),
    "AVI": (b"RIFF\x40\0\0\0AVI LIST" + bytes(64), FileKind.VIDEO),
    "WebM": (b"\x1aE\xdf\xa3" + bytes(64), FileKind.VIDEO),
    "HEIF without a still picture": (
        brands(b"msf1", b"hevc") + box(b"moov", bytes(40)),
        FileKind.SEQUENCE,
    ),
    "SVG": (b"<?xml version='1.0'?>\n<svg xmlns=''/>", FileKind.DRAWING),
    "HTML": (b"<!doctype html><p>no photo</p>", FileKind.TEXT),
    "bytes": (bytes(range(256)), FileKind.UNKNOWN),
}


@pytest.mark.parametrize(("data", "kind"), UNSUPPORTED.values(), ids=UNSUPPORTED.keys())
def test_a_picture_that_is_not_read_is_called_what_it_is(data: bytes, kind: FileKind) -> None:
    with pytest.raises(UnsupportedPhotoError, match=f"got {kind}; send it as a JPEG") as caught:
        open_photo(data)
    assert caught.value.kind is kind


@pytest.mark.parametrize(("data", "kind"), NO_PHOTOS.values(), ids=NO_PHOTOS.keys())
def test_a_file_that_is_no_photo_is_called_what_it_is(data: bytes, kind: FileKind) -> None:
    with pytest.raises(NotAPhotoError, match=f"got {kind};") as caught:
        open_photo(data)
    assert caught.value.kind is kind


def test_a_scanned_tiff_is_no_raw_photo() -> None:
    assert open_photo(tiff(tag271="Scanner")).size_wh == (120, 80)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "AVIF"])
def test_the_first_picture_of_an_animation_is_read(kind: str) -> None:
    data = saved(scene(), kind, save_all=True, append_images=[Image.new("RGB", (120, 80))])
    assert open_photo(data).image_bgr[10, 20, 2] > 150


def test_a_photo_with_a_film_behind_it_is_read() -> None:
    film = brands(b"mp42") + box(b"mdat", bytes(400))
    for data in (saved(scene(), "JPEG"), saved_heif(scene()) + box(b"mpvd", b"")):
        assert open_photo(data + film).size_wh == (120, 80)


def of_200_megapixels() -> dict[str, bytes]:
    """Small pictures whose headers are changed to 16,000 x 12,500 pixels."""
    size, large = struct.pack(">II", 120, 80), struct.pack(">II", 16_000, 12_500)
    heif, avif = (
        data.replace(b"ispe" + bytes(4) + size, b"ispe" + bytes(4) + large)
        for data in (saved_heif(scene()), saved(scene(), "AVIF"))
    )
    webp = saved(scene(), "WEBP", exif=Image.Exif().tobytes() + bytes(8))
    canvas = (15_999).to_bytes(3, "little") + (12_499).to_bytes(3, "little")
    gif = saved(scene(), "GIF")
    sides = [struct.pack("<HHIH", 256 + at, 4, 1, side) for at, side in enumerate((120, 80))]
    larger = [struct.pack("<HHIH", 256 + at, 4, 1, s) for at, s in enumerate((16_000, 12_500))]
    scan = saved(scene(), "TIFF").replace(sides[0], larger[0]).replace(sides[1], larger[1])
    return {
        "HEIF": heif,
        "AVIF": avif,
        "WebP": webp[:24] + canvas + webp[30:],
        "GIF": gif[:6] + struct.pack("<HH", 16_000, 12_500) + gif[10:],
        "TIFF": scan,
    }


@pytest.mark.parametrize("form", ["HEIF", "AVIF", "WebP", "GIF", "TIFF"])
def test_200_megapixels_are_refused_by_their_header(form: str) -> None:
    with pytest.raises(PhotoTooLargeError, match=r"got 16,000 x 12,500 \(200 megapixels\)"):
        open_photo(of_200_megapixels()[form])


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
    (tmp_path / "pile.bmp").write_bytes(saved(noisy(1000, 700), "BMP"))
    for given in (tmp_path / "pile.bmp", (tmp_path / "pile.bmp").read_bytes(), Path("/dev/zero")):
        with pytest.raises(FileTooLargeError, match="at most 2 MB"):
            open_photo(given)


def test_a_name_that_no_file_can_have_is_a_missing_photo() -> None:
    with pytest.raises(MissingPhotoError):
        open_photo(Path("x" * 300))


DEEP = {
    "brighter than all numbers": np.full((20, 30), np.inf, np.float32),
    "no numbers": np.full((20, 30), np.nan, np.float32),
    "negative": np.full((20, 30), -5.0, np.float32),
}


@pytest.mark.parametrize("pixels", DEEP.values(), ids=DEEP.keys())
def test_numbers_that_are_no_brightness_make_a_picture_all_the_same(
    pixels: np.typing.NDArray[np.float32],
) -> None:
    try:
        assert open_photo(saved(Image.fromarray(pixels), "TIFF")).size_wh == (30, 20)
    except PhotoError as error:
        pytest.fail(f"refused: {error}")
