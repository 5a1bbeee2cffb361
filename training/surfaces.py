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
    """Check and stripes: gingham, tartan, ticking."""
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
    return _tiled(tile)


def _photographed(rng: Rng, crops: list[Image], *, most: float) -> np.ndarray:
    """Return a real crop, mirrored until it fills the table, or blown up by `most` at most."""
    crop = crops[int(rng.integers(len(crops)))]
    zoom = rng.uniform(1.0, most)
    part = cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    part = np.concatenate([part, part[::-1]], 0)
    part = np.concatenate([part, part[:, ::-1]], 1)
    return _tiled(part)


def _grained(rng: Rng) -> np.ndarray:
    """Sand, cast or brushed metal, leather: grain of one or two pixels on a dull colour."""
    grain = rng.normal(0, 1, (TEXTURE_PX, TEXTURE_PX)).astype(np.float32)
    along = rng.uniform(0.4, 1.6)
    across = along * float(rng.choice([1.0, 1.0, rng.uniform(4, 30)]))
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), along, sigmaY=across))
    grain *= rng.uniform(6, 45) / max(float(grain.std()), 1e-3)
    colour = np.full(3, rng.uniform(40, 225)) + rng.normal(0, rng.choice([4, 25]), 3)
    return np.asarray(colour + grain[..., None], np.float32)


def _squared(rng: Rng) -> np.ndarray:
    """Squared or lined paper, graph paper, a cutting mat: thin lines at even distances."""
    pale = rng.random() < 0.7
    paper = rng.uniform(205, 255) + rng.normal(0, 6, 3) if pale else np.array(random_colour(rng))
    ink = np.array(random_colour(rng, high=200) if pale else random_colour(rng, low=120))
    top = np.full((TEXTURE_PX, TEXTURE_PX, 3), paper, np.float32)
    step, thick = int(rng.integers(8, 70)), int(rng.integers(1, 3))
    strength = rng.uniform(0.2, 1.0)
    for every, heavier in ((1, 1.0), (int(rng.integers(4, 11)), 1.6)):
        mix = min(1.0, strength * heavier)
        for k in range(0, TEXTURE_PX, step * every):
            top[k : k + thick] += (ink - top[k : k + thick]) * mix
            if step % 5:  # every fifth is lined only
                top[:, k : k + thick] += (ink - top[:, k : k + thick]) * mix
    return top


def _dotted(rng: Rng) -> np.ndarray:
    """Cloth with dots, in rows or in between."""
    radius = int(rng.integers(2, 40))
    pitch = round(radius * rng.uniform(2.6, 7))
    tile = np.full((2 * pitch, 2 * pitch, 3), random_colour(rng), np.uint8)
    colour, staggered = random_colour(rng, low=60, high=256), rng.random() < 0.5
    places = [(0, 0), (1, 1)] if staggered else [(0, 0), (0, 1), (1, 0), (1, 1)]
    for y, x in places:
        middle = (x * pitch + pitch // 2, y * pitch + pitch // 2)
        cv2.circle(tile, middle, radius, colour, -1, cv2.LINE_AA)
    return _tiled(tile)


def _lace(rng: Rng) -> np.ndarray:
    """Lace and crochet: pale threads in rosettes, nets and arcs over another colour."""
    side = int(rng.integers(36, 280))
    shape = np.zeros((side, side), np.float32)
    thick = max(1, int(side * rng.uniform(0.008, 0.05)))
    middle = side / 2
    for _ in range(int(rng.integers(2, 6))):
        rays, reach = int(rng.integers(4, 17)), rng.uniform(0.1, 0.5) * side
        size = max(1, round(reach * rng.uniform(0.15, 0.7)))
        kind, start = int(rng.integers(4)), rng.uniform(0, np.pi)
        for turn in start + np.arange(rays) * 2 * np.pi / rays:
            x, y = middle + reach * np.cos(turn), middle + reach * np.sin(turn)
            at = (round(x), round(y))
            if kind == 0:
                cv2.circle(shape, at, size, 1.0, thick, cv2.LINE_AA)
            elif kind == 1:
                cv2.line(shape, (round(middle), round(middle)), at, 1.0, thick, cv2.LINE_AA)
            elif kind == 2:
                axes = (size, max(1, size // 3))
                cv2.ellipse(shape, at, axes, float(np.degrees(turn)), 0, 360, 1.0, thick)
            else:
                cv2.circle(shape, at, max(1, size // 3), 1.0, -1, cv2.LINE_AA)
    mesh = max(3, int(side * rng.uniform(0.03, 0.2)))
    if rng.random() < 0.7:
        for k in range(0, side, mesh):
            shape[k : k + max(1, thick // 2)] = 1
            shape[:, k : k + max(1, thick // 2)] = 1
    threads = _tiled(shape)[..., None]
    pale = rng.uniform(190, 255) + rng.normal(0, 8, 3)
    below = np.array(random_colour(rng)) if rng.random() < 0.7 else pale * rng.uniform(0.6, 0.92)
    relief = np.gradient(cv2.GaussianBlur(threads[..., 0], (0, 0), 1.0), axis=int(rng.integers(2)))
    lit = below + (pale - below) * threads
    return np.asarray(lit + rng.uniform(0, 90) * np.asarray(relief)[..., None], np.float32)


def _embossed(rng: Rng) -> np.ndarray:
    """Crochet, quilt, hammered metal, moulded plastic: one colour, a pattern by its shadows."""
    side = int(rng.integers(16, 200))
    tile = np.zeros((side, side, 3), np.uint8)
    for _ in range(int(rng.integers(1, 6))):
        draw_shape(rng, tile, (int(rng.integers(80, 256)),) * 3)
    height = _tiled(tile)[..., 0]
    height = cv2.GaussianBlur(height, (0, 0), float(rng.uniform(0.6, 3)))
    turn = rng.uniform(0, 2 * np.pi)
    down, right = np.gradient(np.asarray(height))
    slope = down * np.sin(turn) + right * np.cos(turn)
    slope *= rng.uniform(8, 40) / max(float(slope.std()), 1e-3)
    colour = rng.uniform(60, 245) + rng.normal(0, rng.choice([5, 30]), 3)
    return np.asarray(colour + slope[..., None], np.float32)


def _tiled(tile: np.ndarray) -> np.ndarray:
    """Return a tile repeated over the table, float32."""
    repeat = (-(-TEXTURE_PX // tile.shape[0]), -(-TEXTURE_PX // tile.shape[1]))
    times = (*repeat, 1)[: tile.ndim]
    return np.tile(tile, times)[:TEXTURE_PX, :TEXTURE_PX].astype(np.float32)


_GENERATED: tuple[Callable[[Rng], np.ndarray], ...] = (
    _plain, _pale, _wood, _wood, _cloth, _cloth, _tiles, _stone, _woven, _printed,
)  # fmt: skip
_FINE: tuple[Callable[[Rng], np.ndarray], ...] = (
    _grained, _squared, _dotted, _lace, _lace, _embossed, _woven, _cloth, _printed,
)  # fmt: skip


def fine_table(rng: Rng, crops: list[Image]) -> Image:
    """A table top whose texture is meant to be seen pixel by pixel; `TEXTURE_PX` wide, BGR."""
    if crops and rng.random() < 0.5:
        top = _photographed(rng, crops, most=1.0)
    else:
        top = _FINE[int(rng.integers(len(_FINE)))](rng)
        if rng.random() < 0.5:
            top = top + rng.normal(0, rng.uniform(2, 14), (TEXTURE_PX, TEXTURE_PX, 1))
    return np.asarray(np.clip(top, 0, 255), np.uint8)


def table(rng: Rng, crops: list[Image]) -> Image:
    """Return a square table top, `TEXTURE_PX` wide, BGR."""
    if crops and rng.random() < 0.4:
        top = _photographed(rng, crops, most=4.0)
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
