"""Opening photos: everything a phone or a hurried hand may send."""

import io
import struct
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from picture_files import saved, scene
from PIL import Image, PngImagePlugin

from vision.errors import (
    DamagedPhotoError,
    EmptyPhotoError,
    MissingPhotoError,
    PhotoError,
    PhotoTooLargeError,
)
from vision.photo import LIMIT_PX, open_photo, shrink_factor


def png_header(width: int, height: int) -> bytes:
    """Return a PNG that promises a size and brings no pixels."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    header = struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    return b"\x89PNG\r\n\x1a\n" + header + struct.pack(">I", 9) + b"IDAT"


def jpeg_header(width: int, height: int) -> bytes:
    """Return a JPEG whose frame header is changed to another size."""
    data = saved(scene(), "JPEG")
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


BROKEN = {
    "empty": (b"", EmptyPhotoError),
    "half a JPEG": (saved(scene(), "JPEG")[:-300], DamagedPhotoError),
    "a JPEG without its last bytes": (
        saved(Image.effect_noise((300, 300), 90), "JPEG")[:-40],
        DamagedPhotoError,
    ),
    "a JPEG without its end marker and a byte": (saved(scene(), "JPEG")[:-3], DamagedPhotoError),
    "a progressive JPEG without its end marker": (
        saved(scene(), "JPEG", progressive=True)[:-2],
        DamagedPhotoError,
    ),
    "half a JPEG with an end marker put behind it": (
        (whole := saved(scene(900, 700), "JPEG"))[: len(whole) * 3 // 4] + b"\xff\xd9",
        DamagedPhotoError,
    ),
    "a JPEG's first bytes": (saved(scene(), "JPEG")[:30], DamagedPhotoError),
    "half a PNG": (saved(scene(900, 700), "PNG")[:-700], DamagedPhotoError),
    "half a WebP": (saved(scene(), "WEBP")[:-60], DamagedPhotoError),
    "a 30,000 x 30,000 PNG header": (png_header(30_000, 30_000), PhotoTooLargeError),
    "a 30,000 x 30,000 JPEG header": (jpeg_header(30_000, 30_000), PhotoTooLargeError),
    "a 10,000 x 10,000 PNG header": (png_header(10_000, 10_000), PhotoTooLargeError),
    "an 8,000 x 8,000 PNG header": (png_header(8_000, 8_000), PhotoTooLargeError),
}


@pytest.mark.parametrize(("data", "error"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_no_whole_photo_is_refused_by_name(data: bytes, error: type[PhotoError]) -> None:
    with pytest.raises(error) as caught:
        open_photo(data, name="pile.jpg")
    assert caught.value.name == "pile.jpg"
    assert str(caught.value).startswith("pile.jpg: expected")


def test_a_webp_of_few_bytes_that_takes_much_memory_is_refused() -> None:
    def webp(width: int) -> bytes:
        return saved(Image.new("L", (width, 4000)), "WEBP", lossless=True, method=0)

    bomb = webp(6001)
    assert len(bomb) < 2000
    with pytest.raises(PhotoTooLargeError, match="24 megapixels, got 6,001 x 4,000"):
        open_photo(bomb)
    assert open_photo(webp(1000)).size_wh == (1000, 4000)


def test_a_jpeg_of_fill_bytes_takes_little_time() -> None:
    plain, fill = saved(scene(), "JPEG"), b"\xff" * 16_000_000
    started = time.process_time()
    for at in (2, plain.rfind(b"\xff\xda"), len(plain) - 2):
        photo = open_photo(plain[:at] + fill + plain[at:])
        assert photo.size_wh == (120, 80)
    assert time.process_time() - started < 3, "48 MB, of which 1 MB once took 0.29 s"


def test_a_refused_header_names_both_sizes() -> None:
    with pytest.raises(PhotoTooLargeError, match=r"60 megapixels, got 30,000 x 30,000") as caught:
        open_photo(png_header(30_000, 30_000))
    assert caught.value.size_wh == (30_000, 30_000)
    assert caught.value.limit_px == LIMIT_PX


def test_a_path_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingPhotoError, match="no such file"):
        open_photo(tmp_path / "nothing.jpg")
    with pytest.raises(MissingPhotoError, match="directory"):
        open_photo(tmp_path)


def test_a_thumbnail_in_the_header_does_not_hide_a_missing_end() -> None:
    thumbnail = saved(scene(24, 16), "JPEG")
    data = saved(scene(), "JPEG")
    segment = b"\xff\xe5" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    assert open_photo(data[:2] + segment + data[2:]).size_wh == (120, 80)
    with pytest.raises(DamagedPhotoError):
        open_photo(data[:2] + segment + data[2:-300])


def test_bytes_after_the_end_of_a_jpeg_do_no_harm() -> None:
    assert open_photo(saved(scene(), "JPEG") + b"motion photo" * 99).size_wh == (120, 80)


READABLE = {
    "JPEG": saved(scene(), "JPEG", quality=95),
    "PNG": saved(scene(), "PNG"),
    "WebP": saved(scene(), "WEBP", lossless=True),
    "CMYK JPEG": saved(scene().convert("CMYK"), "JPEG", quality=95),
    "palette PNG": saved(scene().convert("P"), "PNG"),
    "PNG with alpha": saved(scene().convert("RGBA"), "PNG"),
}


@pytest.mark.parametrize("data", READABLE.values(), ids=READABLE.keys())
def test_every_usual_format_gives_the_same_picture(data: bytes) -> None:
    image = open_photo(data).image_bgr
    assert image.shape == (80, 120, 3)
    assert image.dtype == np.uint8
    corners = image[10, 20], image[10, 100], image[70, 20], image[70, 100]
    expected = [(20, 20, 200), (20, 200, 20), (200, 20, 20), (240, 240, 240)]
    assert np.abs(np.array(corners, int) - expected).max() < 45


GRAYS = {
    "8 bits": (saved(Image.new("L", (30, 20), 100), "JPEG"), 100),
    "16 bits": (saved(Image.fromarray(np.full((20, 30), 100 * 257, np.uint16)), "PNG"), 100),
    "one bit": (saved(Image.new("1", (30, 20), 1), "PNG"), 255),
    "transparent": (saved(Image.new("RGBA", (30, 20), (0, 0, 0, 0)), "PNG"), 118),
    "gray with alpha": (saved(Image.new("LA", (30, 20), (100, 255)), "PNG"), 100),
}


@pytest.mark.parametrize(("data", "level"), GRAYS.values(), ids=GRAYS.keys())
def test_unusual_pixel_formats_keep_their_brightness(data: bytes, level: int) -> None:
    image = open_photo(data).image_bgr
    assert image.shape == (20, 30, 3)
    assert np.abs(image.astype(int) - level).max() <= 2


@pytest.mark.parametrize("turn", range(1, 9), ids=lambda turn: f"orientation {turn}")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_is_turned_upright_by_its_exif(turn: int, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    stored = scene()
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}
    if turn in back:
        stored = stored.transpose(list(Image.Transpose)[back[turn]])
    options = {"quality": 95, "subsampling": 0} if kind == "JPEG" else {}
    photo = open_photo(saved(stored, kind, exif=exif, **options))
    assert photo.size_wh == (120, 80)
    assert photo.image_bgr.shape == (80, 120, 3)
    assert np.abs(photo.image_bgr[..., ::-1].astype(int) - np.asarray(scene(), int)).mean() < 6


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_photo_whose_exif_is_broken_is_read_as_it_lies(kind: str) -> None:
    coded = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(coded, kind, exif=b"garbage!garbage!")
    assert open_photo(coded.getvalue()).size_wh == (60, 40)


def xmp_options(kind: str) -> dict[str, object]:
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><r tiff:Orientation="6"/></x:xmpmeta>'
    if kind == "PNG":
        chunks = PngImagePlugin.PngInfo()
        chunks.add_itxt("XML:com.adobe.xmp", xmp.decode())
        return {"pnginfo": chunks}
    return {"xmp": xmp}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_xmp_orientation_is_applied_in_every_format(kind: str) -> None:
    photo = open_photo(saved(Image.new("RGB", (60, 40), "white"), kind, **xmp_options(kind)))
    assert photo.size_wh == photo.working_bgr.shape[1::-1] == (40, 60)


def exif_of(kind: int, value: bytes) -> bytes:
    """EXIF data in big-endian order that hold an orientation of a given TIFF type alone."""
    entry = struct.pack(">HHI", 0x0112, kind, 1) + value
    return b"Exif\0\0MM\0*" + struct.pack(">IH", 8, 1) + entry + bytes(4)


@pytest.mark.parametrize(
    ("kind", "value"),
    [(3, b"\0\6\0\0"), (4, b"\0\0\0\6")],
    ids=["as a SHORT", "as a LONG"],
)
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_a_turn_is_heeded_however_its_number_is_written(form: str, kind: int, value: bytes) -> None:
    data = saved(Image.new("RGB", (60, 40), "white"), form, exif=exif_of(kind, value))
    assert open_photo(data).size_wh == (40, 60)


@pytest.mark.parametrize("value", [0, 9, 60_000], ids=str)
def test_a_turn_that_does_not_exist_is_none(value: int) -> None:
    exif = exif_of(3, struct.pack(">HH", value, 0))
    assert open_photo(saved(Image.new("RGB", (60, 40)), "JPEG", exif=exif)).size_wh == (60, 40)


def test_a_large_jpeg_is_worked_on_smaller_and_kept_whole() -> None:
    photo = open_photo(saved(scene(4001, 3001), "JPEG"))
    assert photo.size_wh == (4001, 3001)
    assert photo.working_bgr.shape == (1501, 2001, 3)
    assert photo.working_scale_xy == (4001 / 2001, 3001 / 1501)
    assert photo.image_bgr.shape == (3001, 4001, 3)


def test_a_large_png_is_worked_on_smaller_too() -> None:
    photo = open_photo(saved(scene(3600, 1800), "PNG"))
    assert photo.working_bgr.shape == (900, 1800, 3)
    assert photo.image_bgr.shape == (1800, 3600, 3)


@pytest.mark.parametrize("side", [1, 1599, 1600, 3200, 12_800, 60_000])
def test_a_shrunk_photo_keeps_enough_pixels(side: int) -> None:
    factor = shrink_factor(side)
    assert factor == 1 or side / factor >= 1600


def test_a_photo_of_one_pixel_is_a_photo() -> None:
    assert open_photo(saved(Image.new("RGB", (1, 1)), "PNG")).size_wh == (1, 1)
