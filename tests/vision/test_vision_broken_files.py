"""Files broken at random: they open or are refused in one sentence of ours, nothing else."""

import random
from collections.abc import Callable

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
WHOLE = {
    "JPEG": saved(SMALL, "JPEG", exif=TURNED),
    "progressive JPEG": saved(SMALL, "JPEG", progressive=True),
    "CMYK JPEG": saved(SMALL.convert("CMYK"), "JPEG"),
    "MPO": saved(SMALL, "MPO", save_all=True, append_images=[scene()]),
    "PNG": saved(SMALL, "PNG"),
    "palette PNG": saved(SMALL.convert("P"), "PNG", transparency=3),
    "animated PNG": saved(SMALL, "PNG", **ANIMATION),
    "GIF": saved(SMALL, "GIF"),
    "animated GIF": saved(SMALL, "GIF", **ANIMATION),
    "WebP": saved(SMALL, "WEBP"),
    "lossless WebP": saved(SMALL.convert("RGBA"), "WEBP", lossless=True),
    "animated WebP": saved(SMALL, "WEBP", **ANIMATION),
    "AVIF": saved(SMALL, "AVIF"),
    "animated AVIF": saved(SMALL, "AVIF", **ANIMATION),
    "HEIF": saved_heif(SMALL),
    "TIFF": saved(SMALL, "TIFF"),
    "compressed TIFF": saved(SMALL, "TIFF", compression="tiff_lzw"),
    "deep TIFF": saved(SMALL.convert("F"), "TIFF"),
    "BMP": saved(SMALL, "BMP"),
    "palette BMP": saved(SMALL.convert("P"), "BMP"),
}


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(1, len(data))]


def changed(data: bytes, chance: random.Random) -> bytes:
    """A few bytes are others; more often near the start, where the headers are."""
    broken = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        broken[int(len(data) * chance.random() ** 3)] = chance.randrange(256)
    return bytes(broken)


def spliced(data: bytes, chance: random.Random) -> bytes:
    """A part is left out, doubled or put elsewhere."""
    start, end, to = sorted(chance.randrange(len(data)) for _ in range(3))
    return data[:start] + chance.choice([data[to:], data[end:], data[start:to] + data[start:]])


def joined(data: bytes, chance: random.Random) -> bytes:
    """Its first part, and the last part of a file of another format."""
    other = chance.choice(list(WHOLE.values()))
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
    assert open_photo(WHOLE[form]).image_bgr.size
    chance = random.Random(f"{form} {way.__name__}")
    for _ in range(TRIALS):
        sentence = refusal(way(WHOLE[form], chance))
        assert sentence.isprintable()
        assert len(sentence) <= 200


@pytest.mark.filterwarnings("ignore")
def test_an_animation_cut_short_anywhere_is_no_error_of_pillow() -> None:
    data = WHOLE["animated GIF"]
    for length in range(1, len(data), 7):
        refusal(data[:length])
