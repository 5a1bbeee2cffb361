"""What light, lens and phone do to a scene after everything lies on the table."""

import cv2
import numpy as np

from training.paint import Image, Rng, smooth_noise

EXPOSED = 112
"""Mean grey level that a phone's exposure aims at."""
DEFOCUS = 0.015
"""Largest blur of a picture out of focus, as a share of a card's height."""
SHAKE = 0.06
"""Longest streak of a picture taken with an unsteady hand, likewise."""
SPARED, WHITE, BURNT_PERCENT = 0.8, 240, 2
"""Share of pictures whose highlights the phone spares: at most so many per cent of the pixels
exceed that grey level in any colour."""
GAIN = (0.6, 5.0)
"""Least and most by which exposure changes the light: a phone brightens more than it darkens."""


def _shadow_mask(rng: Rng, width: int, height: int) -> np.ndarray:
    """Where a hard or dappled shadow falls, H x W float32 0..1, worked out small."""
    scale = 8
    small = np.zeros((height // scale + 1, width // scale + 1), np.float32)
    h, w = small.shape
    if rng.random() < 0.6:
        for _ in range(int(rng.integers(1, 4))):
            points = (rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [w, h]).astype(
                np.int32
            )
            cv2.fillPoly(small, [cv2.convexHull(points)], 1.0)
    else:
        for _ in range(int(rng.integers(20, 120))):
            centre = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
            axes = (int(rng.uniform(1, w / 12) + 1), int(rng.uniform(1, w / 12) + 1))
            cv2.ellipse(small, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 6))
    return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR))


def illuminate(rng: Rng, picture: Image) -> tuple[np.ndarray, str]:
    """The picture under uneven light, float32 BGR, and what is most to be said of that light."""
    height, width = picture.shape[:2]
    lit, named = picture.astype(np.float32), "even"
    gain = np.exp(smooth_noise(rng, (width, height), 3) * rng.uniform(0, 0.5))
    if rng.random() < 0.35:
        gain *= 1 - rng.uniform(0.2, 0.7) * _shadow_mask(rng, width, height)
        named = "shadows"
    lit *= gain[..., None]
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 4))):
            lit += _glare(rng, width, height)[..., None]
        named = "glare"
    cast = np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    roll, brightness = rng.random(), float(np.exp(rng.normal(0.0, 0.36)))
    if roll < 0.07:
        brightness, named = rng.uniform(0.18, 0.4), "lamp"  # far away
    elif roll < 0.16:
        brightness, named = rng.uniform(1.3, 2.4), "sun"  # that washes out unless spared
    lit *= cast * brightness
    if rng.random() < 0.3:
        grey = lit.mean(2, keepdims=True)
        lit = grey + (lit - grey) * np.float32(rng.uniform(0.45, 1.4))
    if rng.random() < 0.85:
        lit = _exposed(rng, lit)
    return (_spared(lit) if rng.random() < SPARED else lit), named


def _exposed(rng: Rng, lit: np.ndarray) -> np.ndarray:
    """The picture as bright as a phone makes it by itself, where it has not light enough."""
    seen = float(np.clip(lit, 0, 255).mean())
    wanted = EXPOSED * float(np.exp(rng.normal(0, 0.3)))
    gain = float(np.clip(wanted / max(seen, 1.0), *GAIN))
    return np.asarray(lit * np.float32(gain))


def _spared(lit: np.ndarray) -> np.ndarray:
    """The picture as dark as a phone makes it where bright paper would burn out."""
    bright = float(np.percentile(lit[::4, ::4].max(2), 100 - BURNT_PERCENT))
    return np.asarray(lit * np.float32(min(1.0, WHITE / max(bright, 1.0))))


def _glare(rng: Rng, width: int, height: int) -> np.ndarray:
    """A bright soft blob, H x W float32 in grey levels."""
    scale = 16
    small = np.zeros((height // scale + 1, width // scale + 1), np.float32)
    h, w = small.shape
    centre = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
    axes = (int(rng.uniform(1, w / 6)) + 1, int(rng.uniform(1, h / 6)) + 1)
    cv2.ellipse(small, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(1.5, 8))
    return np.asarray(cv2.resize(soft, (width, height))) * np.float32(rng.uniform(40, 220))


def streak(rng: Rng, length_px: int) -> np.ndarray:
    """A kernel that smears along a line so long, or of three pixels where it is shorter."""
    size = max(3, length_px) | 1
    kernel = np.zeros((size, size), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * size / 2
    middle = np.array([size / 2, size / 2])
    a, b = (middle - reach).astype(int), (middle + reach).astype(int)
    cv2.line(kernel, tuple(int(v) for v in a), tuple(int(v) for v in b), 1.0, 1)
    return np.asarray(kernel / max(kernel.sum(), 1.0))


def photograph(rng: Rng, lit: np.ndarray, card_px: float) -> Image:
    """What the phone saves of cards `card_px` high: blur, tone curve, noise, JPEG; uint8 BGR."""
    lit = cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.3, 1.0)))
    if rng.random() < 0.12:
        lit = cv2.GaussianBlur(lit, (0, 0), max(0.3, DEFOCUS * card_px * float(rng.random())))
    if rng.random() < 0.08:
        lit = cv2.filter2D(lit, -1, streak(rng, int(SHAKE * card_px * rng.random())))
    if rng.random() < 0.4:
        curve = np.clip(lit / 255, 0, 1) ** np.float32(rng.uniform(0.7, 1.4))
        lit = curve * 255
    noise = rng.normal(0, 0.5 + abs(rng.normal(0, 3.5)), (256, 256, 3)).astype(np.float32)
    repeat = (lit.shape[0] // 256 + 1, lit.shape[1] // 256 + 1, 1)
    lit = lit + np.tile(noise, repeat)[: lit.shape[0], : lit.shape[1]]
    saved = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.9:
        quality = int(rng.integers(75, 97) if rng.random() < 0.7 else rng.integers(40, 75))
        saved = cv2.imdecode(
            cv2.imencode(".jpg", saved, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
        )
    return np.asarray(saved, np.uint8)
