"""Tables to lay cards on: photographed crops where there are some, and generated ones."""

from collections.abc import Callable

import cv2
import numpy as np

from training.paint import Image, Rng, draw_shape, random_colour, smooth_noise

TEXTURE_PX = 1024
"""Side of a generated table, before the camera tilts it."""


def _plain(rng: Rng) -> np.ndarray:
    return np.full((TEXTURE_PX, TEXTURE_PX, 3), random_colour(rng), np.float32)


def _pale(rng: Rng) -> np.ndarray:
    """As white as the cards: only their shadows tell where they end."""
    return np.full(
        (TEXTURE_PX, TEXTURE_PX, 3), rng.uniform(195, 255) + rng.normal(0, 6, 3), np.float32
    )


def _wood(rng: Rng) -> np.ndarray:
    base = np.array([rng.uniform(20, 130), rng.uniform(50, 170), rng.uniform(80, 210)])
    base *= rng.uniform(0.4, 1.15)
    grain = rng.normal(0, 1, (int(rng.integers(80, 400)), int(rng.integers(3, 9))))
    lines = cv2.resize(grain.astype(np.float32), (TEXTURE_PX, TEXTURE_PX))
    wave = np.sin(lines * 2 + smooth_noise(rng, (TEXTURE_PX, TEXTURE_PX), 4) * 6)
    wood = base * (1 + rng.uniform(0.03, 0.2) * wave[..., None])
    if rng.random() < 0.5:
        plank = int(rng.integers(60, 300))
        for y in range(0, TEXTURE_PX, plank):
            wood[y : y + plank] *= rng.uniform(0.85, 1.12)
            wood[y : y + int(rng.integers(1, 5))] *= rng.uniform(0.4, 0.8)
    return np.asarray(np.rot90(wood) if rng.random() < 0.5 else wood, np.float32)


def _cloth(rng: Rng) -> np.ndarray:
    """Checks and stripes: gingham, tartan, ticking."""
    cell = int(rng.integers(6, 90))
    ramp = np.arange(TEXTURE_PX) // cell
    stripes = (ramp % int(rng.integers(2, 5)) == 0).astype(np.float32)
    a, b = np.array(random_colour(rng)), np.array(random_colour(rng, low=100, high=256))
    both = stripes[:, None] * rng.choice([0, 1]) + stripes[None, :]
    mix = (both / max(1.0, float(both.max())))[..., None]
    if rng.random() < 0.25:
        mix = ((ramp[:, None] + ramp[None, :]) % 2).astype(np.float32)[..., None]
    return np.asarray(a * mix + b * (1 - mix), np.float32)


def _tiles(rng: Rng) -> np.ndarray:
    picture = _stone(rng) if rng.random() < 0.5 else _plain(rng)
    step, gap = int(rng.integers(60, 400)), int(rng.integers(2, 14))
    shade = rng.uniform(0.4, 1.5)
    for k in range(0, TEXTURE_PX, step):
        picture[k : k + gap] *= shade
        picture[:, k : k + gap] *= shade
    return picture


def _stone(rng: Rng) -> np.ndarray:
    size = (TEXTURE_PX, TEXTURE_PX)
    noise = np.sum([smooth_noise(rng, size, 4 * 3**k) / 1.5**k for k in range(5)], axis=0)
    colour = np.array(random_colour(rng, low=40))
    return np.asarray(colour * (1 + rng.uniform(0.05, 0.3) * noise[..., None]), np.float32)


def _woven(rng: Rng) -> np.ndarray:
    """Carpet, felt, towels: noise at the scale of threads."""
    side = int(rng.integers(128, TEXTURE_PX))
    threads = cv2.resize(
        rng.normal(0, 1, (side, side)).astype(np.float32), (TEXTURE_PX, TEXTURE_PX)
    )
    colour = np.array(random_colour(rng))
    return np.asarray(colour + threads[..., None] * rng.uniform(5, 45), np.float32)


def _printed(rng: Rng) -> np.ndarray:
    """Cloth or oilcloth with a repeated print of shapes, lines and letters."""
    tile_px = int(rng.integers(60, 340))
    tile = np.full((tile_px, tile_px, 3), random_colour(rng), np.uint8)
    for _ in range(int(rng.integers(1, 9))):
        draw_shape(rng, tile, random_colour(rng))
    repeat = -(-TEXTURE_PX // tile_px)
    return np.tile(tile, (repeat, repeat, 1))[:TEXTURE_PX, :TEXTURE_PX].astype(np.float32)


def _photographed(rng: Rng, crops: list[Image]) -> np.ndarray:
    """A real crop, mirrored until it fills the table, or blown up."""
    crop = crops[int(rng.integers(len(crops)))]
    zoom = rng.uniform(1.0, 4.0)
    part = cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    part = np.concatenate([part, part[::-1]], 0)
    part = np.concatenate([part, part[:, ::-1]], 1)
    repeat = (-(-TEXTURE_PX // part.shape[0]), -(-TEXTURE_PX // part.shape[1]), 1)
    return np.tile(part, repeat)[:TEXTURE_PX, :TEXTURE_PX].astype(np.float32)


_GENERATED: tuple[Callable[[Rng], np.ndarray], ...] = (
    _plain, _pale, _wood, _wood, _cloth, _cloth, _tiles, _stone, _woven, _printed,
)  # fmt: skip


def table(rng: Rng, crops: list[Image]) -> Image:
    """A square table top, `TEXTURE_PX` wide, BGR."""
    if crops and rng.random() < 0.4:
        top = _photographed(rng, crops)
    else:
        top = _GENERATED[int(rng.integers(len(_GENERATED)))](rng)
        if rng.random() < 0.4:
            top = cv2.GaussianBlur(top, (0, 0), rng.uniform(0.5, 3))
    if rng.random() < 0.6:
        folds = smooth_noise(rng, (TEXTURE_PX, TEXTURE_PX), int(rng.integers(2, 14)))
        top = top * (1 + rng.uniform(0.03, 0.25) * folds[..., None])
    if rng.random() < 0.5:
        fine = rng.normal(0, 1, (TEXTURE_PX // 2, TEXTURE_PX // 2)).astype(np.float32)
        top = top + cv2.resize(fine, (TEXTURE_PX, TEXTURE_PX))[..., None] * rng.uniform(1, 12)
    return np.asarray(np.clip(top, 0, 255), np.uint8)
