"""The look of cards, light, lens and phone.

A `Style` is what the cards of a scene share: paper, rounding, wear, sleeves, bending, shadow.
`illuminate` and `photograph` come after all things are on the table.
"""

import cv2
import numpy as np

from training.paint import Image, Rng, random_colour, smooth_noise


class Inking:
    """One printing of a deck: the same change for every card of a scene."""

    def __init__(self, rng: Rng) -> None:
        ink = np.eye(3) + rng.normal(0, 0.06, (3, 3)) if rng.random() < 0.5 else np.eye(3)
        strength = rng.uniform(0.4, 1.5) if rng.random() < 0.5 else 1.0
        fade = np.eye(3) * strength + (1 - strength) / 3
        self.inks = (ink / ink.sum(1, keepdims=True)) @ fade
        """3 x 3, BGR to BGR; white and black stay as they are."""
        self.gamma = float(np.exp(rng.normal(0, 0.25))) if rng.random() < 0.5 else 1.0
        """Above 1: darker inks."""
        self.spread = int(rng.choice([0, 0, 0, -1, 1]))
        """1 is ink that ran, -1 thin lines."""
        self.softness = float(rng.choice([0.0, 0.0, rng.uniform(0.4, 1.4)]))
        """Blur of the print in pixels of the scan."""
        drawn = rng.normal(0, 1, (2, 5, 4)).astype(np.float32)
        self.redrawn = drawn * float(rng.choice([0.0, 0.0, rng.uniform(0.004, 0.02)]))
        """Shifts of the drawing in card widths: x and y on a grid of 5 x 4."""

        pale = 255 - np.abs(rng.normal(0, [60, 25, 15])) if rng.random() < 0.2 else [255] * 3
        self.ground = np.asarray(np.clip(pale, 140, 255), np.float32) / 255
        """Colour the face is printed on, BGR 0..1."""
        self.rim = float(rng.choice([0.0, rng.uniform(0.01, 0.07)]))
        """Share of the width around it that stays white."""

    def __call__(self, face: Image) -> Image:
        """Return a face as this press prints it."""
        levels = np.arange(256) / 255
        curve = (255 * levels**self.gamma).astype(np.uint8)
        printed = cv2.transform(cv2.LUT(face, curve), self.inks.astype(np.float32))
        if self.redrawn.any():
            printed = moved(np.asarray(printed, np.uint8), self.redrawn)
        if self.ground.min() < 1:
            rim = int(self.rim * printed.shape[1])
            inside = np.s_[rim : len(printed) - rim, rim : printed.shape[1] - rim]
            printed[inside] = (printed[inside] * self.ground).astype(np.uint8)
        if self.spread:
            change = cv2.erode if self.spread > 0 else cv2.dilate
            printed = change(printed, np.ones((2, 2), np.uint8))
        if self.softness:
            printed = cv2.GaussianBlur(printed, (0, 0), self.softness)
        return np.asarray(printed, np.uint8)


def moved(face: Image, moves: np.ndarray) -> Image:
    """Return a face with its drawing shifted in places, as a different engraver would cut it."""
    h, w = face.shape[:2]
    dx, dy = (cv2.resize(move * w, (w, h), interpolation=cv2.INTER_CUBIC) for move in moves)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    moved = cv2.remap(face, x + dx, y + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


class Style:
    """What all cards of one scene share: printing, rounding, border, thickness, wear, sleeves."""

    def __init__(self, rng: Rng) -> None:
        self.radius = rng.uniform(0.03, 0.11)
        self.crop = rng.uniform(0.0, 0.015)
        self.border = rng.choice([0.0, rng.uniform(0.0, 0.05)])
        self.paper = tuple(float(v) for v in 255 - np.abs(rng.normal(0, [22, 12, 8])))
        self.tint = np.clip(1 - np.abs(rng.normal(0, [0.06, 0.035, 0.02])), 0.7, 1).astype(
            np.float32
        )
        self.shadow_px = rng.normal(0, 0.02, 2)
        self.shadow_depth = rng.uniform(0.03, 0.65)
        self.shadow_soft = rng.uniform(0.006, 0.05)
        self.edge = rng.uniform(0.0, 0.45)
        self.stretch = rng.uniform(0.96, 1.05)
        self.bend = float(rng.choice([0.0, 0.0, rng.normal(0, 0.02)]))
        self.wear = float(rng.choice([0.0, 0.0, rng.uniform(0.01, 0.05)]))
        self.sleeve = rng.uniform(0.015, 0.06) if rng.random() < 0.08 else 0.0
        self.inking = Inking(rng)


def drawn_back(rng: Rng) -> Image:
    """Return a made-up card back: a repeated figure inside a border."""
    step = int(rng.integers(5, 24))
    y, x = np.mgrid[0:256, 0:150]
    kind = rng.integers(3)
    if kind == 0:
        figure = ((x + y) // step + (x - y) // step) % 2
    elif kind == 1:
        figure = (x // step + y // step) % 2
    else:
        figure = (np.sin(x / step) * np.sin(y / step) > rng.uniform(-0.5, 0.5)).astype(int)
    a, b = np.array(random_colour(rng)), np.array(random_colour(rng, low=120, high=256))
    back = np.where(figure[..., None] > 0, a, b).astype(np.uint8)
    rim = int(rng.integers(0, 14))
    if rim:
        back[:rim], back[-rim:], back[:, :rim], back[:, -rim:] = 245, 245, 245, 245
    return np.asarray(back, np.uint8)


def stock(rng: Rng, style: Style, face: Image) -> tuple[np.ndarray, np.ndarray]:
    """Return a printed and cut card: BGR float32, and its rounded silhouette, 0 to 1."""
    h, w = face.shape[:2]
    cut = round(style.crop * w)
    printed = style.inking(face[cut : h - cut, cut : w - cut] if cut else face)
    rim = round(style.border * w)
    if rim:
        printed = _framed(printed, rim, style.paper)
    card = printed.astype(np.float32) * style.tint * np.float32(np.exp(rng.normal(0, 0.04)))
    if style.wear:
        _rub(rng, card, style)
    if rng.random() < 0.12:
        h, w = card.shape[:2]
        card += np.maximum(smooth_noise(rng, (w, h), 3), 0)[..., None] * rng.uniform(20, 140)
    if style.sleeve:
        card = _sleeved(rng, card, style)
    return card, _silhouette(card, style)


def _framed(printed: Image, rim: int, colour: tuple[float, ...]) -> Image:
    """Return a picture with a rim of one colour."""
    framed = cv2.copyMakeBorder(printed, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=colour)
    return np.asarray(framed, np.uint8)


def _silhouette(card: np.ndarray, style: Style) -> np.ndarray:
    """Return a mask, 255 on the card: corners are rounded, those of a sleeve nearly square."""
    h, w = card.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    r = max(1, int((0.015 if style.sleeve else style.radius) * w))
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for centre in ((r, r), (w - 1 - r, r), (r, h - 1 - r), (w - 1 - r, h - 1 - r)):
        cv2.circle(mask, centre, r, 255, -1)
    return mask


def _rub(rng: Rng, card: np.ndarray, style: Style) -> None:
    """Wear the print off `card` (changed in place) along its edges and most at its corners."""
    h, w = card.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    to_side, to_end = np.minimum(x, w - 1 - x) / w, np.minimum(y, h - 1 - y) / w
    edge = np.minimum(np.minimum(to_side, to_end), (to_side + to_end) * 0.4)
    ragged = 1 + smooth_noise(rng, (w, h), 24)
    bare = np.clip(1.5 - edge / (style.wear * np.maximum(ragged, 0.05)), 0, 0.8)[..., None]
    card += (np.array(style.paper, np.float32) * np.float32(rng.uniform(0.7, 1.0)) - card) * bare


def _sleeved(rng: Rng, card: np.ndarray, style: Style) -> np.ndarray:
    """Return the card in a clear sleeve: with a milky rim and streaks of light."""
    rim = max(1, round(style.sleeve * card.shape[1]))
    shade = [float(v) for v in np.clip(rng.uniform(120, 235) + rng.normal(0, 8, 3), 0, 255)]
    sleeved = np.asarray(
        cv2.copyMakeBorder(card, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=shade)
    )
    h, w = sleeved.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / w
    across = x * rng.normal() + y * rng.normal() + rng.uniform(0, 1)
    streak = np.exp(-(((across % 1.0) - 0.5) ** 2) / rng.uniform(0.002, 0.02))
    return np.asarray(sleeved + streak[..., None] * rng.uniform(0, 110), np.float32)


def _bent(
    card: np.ndarray, silhouette: np.ndarray, bend: float
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return a card that does not lie flat, and the pixels by which the picture grew.

    Its corners are `pad` pixels inside the new picture.
    """
    h, w = card.shape[:2]
    pad = int(abs(bend) * w) + 1
    y, x = np.mgrid[0:h, 0 : w + 2 * pad].astype(np.float32)
    from_x = x - pad - np.float32(bend * w) * np.sin(np.pi * y / h)
    bowed = cv2.remap(card, from_x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bowed), np.asarray(cv2.remap(silhouette, from_x, y, cv2.INTER_LINEAR)), pad


def lay_card(
    canvas: np.ndarray, owner: np.ndarray, index: int, *,
    cut: tuple[np.ndarray, np.ndarray], corners: np.ndarray, style: Style,
) -> None:  # fmt: skip
    """Draw one card with its shadow onto `canvas`, in place, and mark its pixels."""
    card, silhouette = cut
    pad_x = 0
    if style.bend:
        card, silhouette, pad_x = _bent(card, silhouette, style.bend)
    h, w = card.shape[:2]
    size = float(np.linalg.norm(corners[1] - corners[2]))
    pad = int(3 + size * 0.12)
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - pad, 0)
    x1 = min(int(corners[:, 0].max()) + pad, canvas.shape[1])
    y1 = min(int(corners[:, 1].max()) + pad, canvas.shape[0])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    source = np.array([[pad_x, 0], [w - pad_x, 0], [w - pad_x, h], [pad_x, h]], np.float32)
    target = (corners - [x0, y0]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    area = (x1 - x0, y1 - y0)
    face = cv2.warpPerspective(card, matrix, area, flags=cv2.INTER_LINEAR)
    alpha = cv2.warpPerspective(silhouette, matrix, area, flags=cv2.INTER_LINEAR) / np.float32(255)
    part = canvas[y0:y1, x0:x1]
    dx, dy = style.shadow_px * size
    shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    shadow = cv2.warpAffine(alpha, shift, area)
    shadow = cv2.GaussianBlur(shadow, (0, 0), max(0.6, style.shadow_soft * size))
    rim = alpha - cv2.erode(alpha, np.ones((3, 3), np.uint8))
    cover = alpha[..., None]
    shaded = part * (1 - style.shadow_depth * np.asarray(shadow)[..., None]) * (1 - cover)
    part[:] = shaded + face * (1 - style.edge * np.asarray(rim)[..., None]) * cover
    owner[y0:y1, x0:x1][alpha > 0.5] = index


EXPOSED = 112
"""Mean grey level that a phone's exposure aims at."""
DEFOCUS = 0.015
"""Largest blur of a picture out of focus, as a share of a card's height."""
SHAKE = 0.06
"""Longest streak of an unsteady hand, as a share of a card's height."""
SPARED, WHITE, BURNT_PERCENT = 0.8, 240, 2
"""Share of pictures whose highlights the phone spares: at most so many per cent of the pixels
exceed that grey level in any colour."""
GAIN = (0.6, 5.0)
"""Least and greatest factor of exposure: a phone brightens more than it darkens."""


def _shadow_mask(rng: Rng, width: int, height: int) -> np.ndarray:
    """Return a hard or dappled shadow, H x W, float32, 0 to 1, computed at a small size."""
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
    """Return the picture under uneven light, float32 BGR, and the name of that light."""
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
    """Return the picture as bright as a phone makes it in too little light."""
    seen = float(np.clip(lit, 0, 255).mean())
    wanted = EXPOSED * float(np.exp(rng.normal(0, 0.3)))
    gain = float(np.clip(wanted / max(seen, 1.0), *GAIN))
    return np.asarray(lit * np.float32(gain))


def _spared(lit: np.ndarray) -> np.ndarray:
    """Return the picture as dark as a phone makes it to spare bright paper."""
    bright = float(np.percentile(lit[::4, ::4].max(2), 100 - BURNT_PERCENT))
    return np.asarray(lit * np.float32(min(1.0, WHITE / max(bright, 1.0))))


def _glare(rng: Rng, width: int, height: int) -> np.ndarray:
    """Return a soft bright blob, H x W, float32, in gray levels."""
    scale = 16
    small = np.zeros((height // scale + 1, width // scale + 1), np.float32)
    h, w = small.shape
    centre = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
    axes = (int(rng.uniform(1, w / 6)) + 1, int(rng.uniform(1, h / 6)) + 1)
    cv2.ellipse(small, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(1.5, 8))
    return np.asarray(cv2.resize(soft, (width, height))) * np.float32(rng.uniform(40, 220))


def streak(rng: Rng, length_px: int) -> np.ndarray:
    """Return a kernel that smears along a line of this length, but at least three pixels."""
    size = max(3, length_px) | 1
    kernel = np.zeros((size, size), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * size / 2
    middle = np.array([size / 2, size / 2])
    a, b = (middle - reach).astype(int), (middle + reach).astype(int)
    cv2.line(kernel, tuple(int(v) for v in a), tuple(int(v) for v in b), 1.0, 1)
    return np.asarray(kernel / max(kernel.sum(), 1.0))


def photograph(rng: Rng, lit: np.ndarray, card_px: float) -> Image:
    """Return a phone's photo of cards `card_px` high, uint8 BGR: blur, tone curve, noise, JPEG."""
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
