"""Which JPEG files are damaged: those that lack data, not those that a decoder warns of."""

import struct
from pathlib import Path

import numpy as np
import pytest
from picture_files import noisy, saved
from PIL import Image

from vision.errors import DamagedPhotoError, SlowPhotoError
from vision.photo import open_photo

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
WAYS: dict[str, dict[str, object]] = {
    "baseline": {},
    "progressive": {"progressive": True},
    "with restarts": {"restart_marker_blocks": 20},
    "gray": {},
}


def whole(way: str) -> bytes:
    picture = noisy(1200, 900).convert("L") if way == "gray" else noisy(1200, 900)
    return saved(picture, "JPEG", quality=90, **WAYS[way])


def without_middle(data: bytes, *, at: float = 0.5, lost: int = 512) -> bytes:
    start = int(len(data) * at)
    return data[:start] + data[start + lost :]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("at", [0.3, 0.5, 0.8])
def test_a_jpeg_that_lost_a_block_in_the_middle_is_damaged(way: str, at: float) -> None:
    assert open_photo(whole(way)).size_wh == (1200, 900)
    with pytest.raises(DamagedPhotoError):
        open_photo(without_middle(whole(way), at=at))


def test_nearly_every_loss_in_a_photo_of_a_pile_is_noticed() -> None:
    refused = []
    for sample in sorted(SAMPLES.glob("*.jpg"))[:4]:
        for at in np.linspace(0.2, 0.9, 10):
            try:
                open_photo(without_middle(sample.read_bytes(), at=float(at)))
                refused.append(False)
            except DamagedPhotoError:
                refused.append(True)
    assert len(refused) == 40
    assert np.mean(refused) >= 0.95


def test_a_jpeg_with_other_data_in_its_middle_is_damaged() -> None:
    data = whole("baseline")
    middle = len(data) // 2
    noise = np.random.default_rng(1).integers(0, 255, 2048, np.uint8).tobytes()
    with pytest.raises(DamagedPhotoError):
        open_photo(data[:middle] + noise + data[middle + 2048 :])


def with_odd_scan(data: bytes) -> bytes:
    """Return the three last bytes of the scan's header, which mean nothing here, are changed."""
    at = data.index(b"\xff\xda") + 2
    at += struct.unpack(">H", data[at : at + 2])[0]
    return data[: at - 3] + b"\1\2\3" + data[at:]


def with_segment(data: bytes, segment: bytes) -> bytes:
    return data[:2] + segment + data[2:]


ODD = {
    "odd numbers in the scan's header": with_odd_scan(whole("baseline")),
    "bytes between the segments": with_segment(whole("baseline"), b"\xff\xfe\0\4hi" + b"junk" * 30),
    "an unknown JFIF version": whole("baseline").replace(b"JFIF\0\1", b"JFIF\0\7", 1),
    "a broken colour profile": with_segment(
        whole("baseline"), b"\xff\xe2\0\x14ICC_PROFILE\0\7\2torn"
    ),
    "zeros before its end": whole("baseline")[:-2] + bytes(300) + b"\xff\xd9",
    "a few bytes before its end": whole("baseline")[:-2] + b"\1\2\3" + b"\xff\xd9",
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
def test_an_oddity_is_no_damage(data: bytes) -> None:
    expected = open_photo(whole("baseline")).image_bgr
    assert (open_photo(data).image_bgr == expected).all()


@pytest.mark.parametrize("data", list(ODD.values())[:4], ids=list(ODD)[:4])
@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
def test_an_oddity_does_not_hide_damage(data: bytes) -> None:
    with pytest.raises(DamagedPhotoError):
        open_photo(without_middle(data))


def gray_bars() -> Image.Image:
    picture = noisy()
    for box in ((0, 0, 640, 48), (0, 432, 640, 480), (0, 0, 48, 480), (592, 0, 640, 480)):
        picture.paste((128, 128, 128), box)
    return picture


@pytest.mark.parametrize(
    "picture",
    [gray_bars(), Image.new("RGB", (64, 48), (128,) * 3), Image.new("L", (64, 48), 128)],
    ids=["bars at all sides", "a gray photo", "a gray photo in one channel"],
)
@pytest.mark.parametrize("turn", [1, 6], ids=["upright", "turned"])
def test_gray_is_no_damage(picture: Image.Image, turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    size = picture.size if turn == 1 else picture.size[::-1]
    assert open_photo(saved(picture, "JPEG", exif=exif)).size_wh == size


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"\xff\xc0", b"\xff\xc3"), (b"\xff\xc0", b"\xff\xc9"), (b"\0\x11\x08", b"\0\x11\x0c")],
    ids=["lossless", "arithmetic", "12 bits"],
)
def test_a_jpeg_that_no_camera_writes_is_refused(old: bytes, new: bytes) -> None:
    with pytest.raises(DamagedPhotoError):
        open_photo(whole("baseline").replace(old, new, 1))


def test_jpeg_with_slow_scans_is_refused_before_decoding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.photo.LIMIT_SCANNED_PX", 4 * 1200 * 900)
    assert open_photo(whole("baseline")).size_wh == (1200, 900)
    with pytest.raises(SlowPhotoError, match="send it as a usual JPEG"):
        open_photo(whole("progressive"))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("at", [2, whole("baseline").index(b"\xff\xda")], ids=["first", "last"])
def test_fill_bytes_in_a_header_cost_no_time(at: int) -> None:
    data = whole("baseline")
    filled = open_photo(data[:at] + b"\xff" * 30_000_000 + data[at:])
    assert (filled.image_bgr == open_photo(data).image_bgr).all()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "filling",
    [b"\xff" * 30_000_000, b"\xff\xe0\0\2" * 8_000_000],
    ids=["fill bytes", "empty segments"],
)
def test_a_header_without_end_costs_no_time(filling: bytes) -> None:
    with pytest.raises(DamagedPhotoError):
        open_photo(b"\xff\xd8" + filling)
