"""Files of pictures for the tests of opening photos."""

import io

import numpy as np
from PIL import Image
from pillow_heif import from_pillow


def scene(width: int = 120, height: int = 80) -> Image.Image:
    """Return a picture whose four quarters differ: red, green, blue, white."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = (200, 20, 20)
    pixels[: height // 2, width // 2 :] = (20, 200, 20)
    pixels[height // 2 :, : width // 2] = (20, 20, 200)
    pixels[height // 2 :, width // 2 :] = (240, 240, 240)
    return Image.fromarray(pixels)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def saved_heif(image: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    from_pillow(image).save(buffer, quality=90, **options)
    return buffer.getvalue()


def noisy(width: int = 640, height: int = 480, *, seed: int = 7) -> Image.Image:
    """Return a picture with so much detail that each part of its file is needed."""
    noise = np.random.default_rng(seed).integers(0, 256, (height // 10, width // 10, 3), np.uint8)
    return Image.fromarray(noise).resize((width, height), Image.Resampling.BICUBIC)
