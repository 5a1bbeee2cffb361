"""Cards as things: paper, rounding, wear, sleeves, bending, and the shadow they throw."""

import cv2
import numpy as np

from training.packs.inking import Inking
from training.paint import Image, Rng, random_colour, smooth_noise


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
    """A made-up card back: a repeated figure inside a border."""
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
    """A card as printed and cut: BGR float32 and its rounded silhouette 0..1."""
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
    """A picture with a rim of one colour."""
    framed = cv2.copyMakeBorder(printed, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=colour)
    return np.asarray(framed, np.uint8)


def _silhouette(card: np.ndarray, style: Style) -> np.ndarray:
    """255 where a card is, with rounded corners; those of a sleeve are nearly square."""
    h, w = card.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    r = max(1, int((0.015 if style.sleeve else style.radius) * w))
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for centre in ((r, r), (w - 1 - r, r), (r, h - 1 - r), (w - 1 - r, h - 1 - r)):
        cv2.circle(mask, centre, r, 255, -1)
    return mask


def _rub(rng: Rng, card: np.ndarray, style: Style) -> None:
    """Wears the print off `card` (changed in place) along its edges and most at its corners."""
    h, w = card.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    to_side, to_end = np.minimum(x, w - 1 - x) / w, np.minimum(y, h - 1 - y) / w
    edge = np.minimum(np.minimum(to_side, to_end), (to_side + to_end) * 0.4)
    ragged = 1 + smooth_noise(rng, (w, h), 24)
    bare = np.clip(1.5 - edge / (style.wear * np.maximum(ragged, 0.05)), 0, 0.8)[..., None]
    card += (np.array(style.paper, np.float32) * np.float32(rng.uniform(0.7, 1.0)) - card) * bare


def _sleeved(rng: Rng, card: np.ndarray, style: Style) -> np.ndarray:
    """The card in a clear sleeve: a milky rim around it, streaks of light across it."""
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
    """A card bowed sideways, as one that does not lie flat looks; and by how many pixels it grew.

    Its corners stay where they are, `pad` pixels inside the new picture.
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
    """Draws one card with its shadow onto `canvas` (made for this) and marks its pixels."""
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
