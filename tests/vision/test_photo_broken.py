"""Files broken at random: they open or are refused in one sentence of ours, nothing else."""

import random
from collections.abc import Callable
from functools import cache

import pytest
from picture_files import noisy, saved, saved_heif, scene

from vision.errors import PhotoError
from vision.photo import open_photo

TRIALS = 80
"""Broken versions of each file."""
SMALL = noisy(96, 64)
ANIMATION: dict[str, object] = {
    "save_all": True,
    "append_images": [noisy(96, 64, seed=seed) for seed in (1, 2)],
    "duration": 50,
}
TURNED = bytes.fromhex("457869660000 4d4d002a00000008 0001 011200030000000100060000 00000000")
"""EXIF data with orientation 6."""
WHOLE: dict[str, Callable[[], bytes]] = {
    "JPEG": lambda: saved(SMALL, "JPEG", exif=TURNED),
    "progressive JPEG": lambda: saved(SMALL, "JPEG", progressive=True),
    "CMYK JPEG": lambda: saved(SMALL.convert("CMYK"), "JPEG"),
    "MPO": lambda: saved(SMALL, "MPO", save_all=True, append_images=[scene()]),
    "PNG": lambda: saved(SMALL, "PNG"),
    "palette PNG": lambda: saved(SMALL.convert("P"), "PNG", transparency=3),
    "animated PNG": lambda: saved(SMALL, "PNG", **ANIMATION),
    "WebP": lambda: saved(SMALL, "WEBP"),
    "lossless WebP": lambda: saved(SMALL.convert("RGBA"), "WEBP", lossless=True),
    "animated WebP": lambda: saved(SMALL, "WEBP", **ANIMATION),
    "AVIF": lambda: saved(SMALL, "AVIF"),
    "animated AVIF": lambda: saved(SMALL, "AVIF", **ANIMATION),
    "HEIF": lambda: saved_heif(SMALL),
}


@cache
def whole(form: str) -> bytes:
    return WHOLE[form]()


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(1, len(data))]


def changed(data: bytes, chance: random.Random) -> bytes:
    """Return a few bytes are others; more often near the start, where the headers are."""
    broken = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        broken[int(len(data) * chance.random() ** 3)] = chance.randrange(256)
    return bytes(broken)


def spliced(data: bytes, chance: random.Random) -> bytes:
    """Return a part is left out, doubled or put elsewhere."""
    start, end, to = sorted(chance.randrange(len(data)) for _ in range(3))
    return data[:start] + chance.choice([data[to:], data[end:], data[start:to] + data[start:]])


def joined(data: bytes, chance: random.Random) -> bytes:
    """Its first part, and the last part of a file of another format."""
    other = whole(chance.choice(list(WHOLE)))
    return data[: chance.randrange(len(data))] + other[chance.randrange(len(other)) :]


def refusal(data: bytes) -> str:
    """Why a file is refused; nothing where it opens."""
    try:
        photo = open_photo(data)
        assert photo.image_bgr.shape[1::-1] == photo.size_wh
    except PhotoError as error:
        return str(error)
    return ""


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (cut, changed, spliced, joined)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("form", WHOLE)
@pytest.mark.filterwarnings("ignore")  # Pillow tells of some broken files in warnings as well
def test_a_broken_file_opens_or_is_refused_in_one_sentence(
    form: str, way: Callable[[bytes, random.Random], bytes]
) -> None:
    assert open_photo(whole(form)).image_bgr.size
    chance = random.Random(f"{form} {way.__name__}")
    for _ in range(TRIALS):
        sentence = refusal(way(whole(form), chance))
        assert sentence.isprintable()
        assert len(sentence) <= 200


LARGE = noisy(600, 450)
LOSABLE: dict[str, Callable[[], bytes]] = {
    "HEIF": lambda: saved_heif(LARGE),
    "HEIF with tiles": lambda: saved_heif(LARGE, tile_size=256),
    "WebP": lambda: saved(LARGE, "WEBP"),
    "lossless WebP": lambda: saved(LARGE, "WEBP", lossless=True, method=0),
    "AVIF": lambda: saved(LARGE, "AVIF", speed=10),
    "CMYK JPEG": lambda: saved(LARGE.convert("CMYK"), "JPEG"),
    "PNG": lambda: saved(LARGE, "PNG", compress_level=1),
}


@pytest.mark.parametrize("form", LOSABLE)
@pytest.mark.filterwarnings("ignore")
def test_missing_data_is_reported_wherever_it_is(form: str) -> None:
    data = LOSABLE[form]()
    assert not refusal(data)
    for at in (0.3, 0.5, 0.7, 0.9):
        start = int(len(data) * at)
        assert refusal(data[:start] + data[start + 512 :]), f"512 bytes missing at {at:.0%}"
    for end in (0.5, 0.9, 0.99):
        assert refusal(data[: int(len(data) * end)]), f"{end:.0%} of it came"


ADOBE = b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0"
JPEG = saved(LARGE, "JPEG", quality=90)
TILES = saved_heif(SMALL, tile_size=64)


def without_jfif(data: bytes, segment: bytes = b"") -> bytes:
    """Return a JPEG with another segment in place of that of JFIF, the first one."""
    return data[:2] + segment + data[4 + int.from_bytes(data[4:6], "big") :]


ODD = {
    "a JPEG without end marker": (JPEG[:-2], JPEG),
    "a JPEG without JFIF whose transform does not exist": (without_jfif(JPEG, ADOBE + b"\2"), JPEG),
    "a HEIF with something behind it": (
        TILES + b"SEFH\x7f\0\0\0 and more",
        TILES,
    ),
}


@pytest.mark.parametrize(("odd", "usual"), ODD.values(), ids=ODD.keys())
def test_a_whole_picture_of_an_odd_file_is_read(odd: bytes, usual: bytes) -> None:
    assert odd != usual
    assert (open_photo(odd).image_bgr == open_photo(usual).image_bgr).all()
