"""Things on a table or over it that are no cards: papers, phones, coins, glasses, hands."""

import math
from collections.abc import Callable

import cv2
import numpy as np

from training.paint import Image, Rng, random_colour
from training.rendering import Style, lay_card, streak

PRINTED = 0.35
"""Share of printed matter among the things under the cards."""


def _rectangle(centre: np.ndarray, size_wh: np.ndarray, angle_deg: float) -> np.ndarray:
    box = cv2.boxPoints((tuple(map(float, centre)), tuple(map(float, size_wh)), angle_deg))
    return np.asarray(box, np.int32)


def _shade(picture: Image, outline: np.ndarray, rng: Rng) -> None:
    """Darken the strip along an outline, like the shadow of an object."""
    mask = np.zeros(picture.shape[:2], np.float32)
    shift = rng.normal(0, 6, 2).astype(np.int32)
    cv2.fillPoly(mask, [outline + shift], float(rng.uniform(0.15, 0.6)))
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(2, 9))))
    picture[:] = (picture * (1 - soft[..., None])).astype(np.uint8)


def _sheet(rng: Rng, picture: Image, centre: np.ndarray, unit: float) -> None:
    """Draw paper, a book or a menu: a light rectangle with lines of print."""
    size = np.array([rng.uniform(0.3, 2.2), rng.uniform(0.3, 2.6)]) * unit
    angle = float(rng.uniform(0, 180))
    outline = _rectangle(centre, size, angle)
    _shade(picture, outline, rng)
    colour = random_colour(rng, low=150, high=256) if rng.random() < 0.6 else random_colour(rng)
    cv2.fillPoly(picture, [outline], colour, cv2.LINE_AA)
    ink = random_colour(rng, high=140)
    corners = outline.astype(float)
    for t in np.linspace(0.1, 0.9, int(rng.integers(0, 14))):
        a = corners[0] + (corners[1] - corners[0]) * t
        b = corners[3] + (corners[2] - corners[3]) * t
        a, b = a + (b - a) * 0.1, b - (b - a) * rng.uniform(0.1, 0.6)
        cv2.line(picture, as_point(a), as_point(b), ink, max(1, int(unit * 0.015)), cv2.LINE_AA)


def _phone(rng: Rng, picture: Image, centre: np.ndarray, unit: float) -> None:
    """Draw a phone, a box or a wallet: a dark rectangle with another in it."""
    size = np.array([rng.uniform(0.5, 0.9), rng.uniform(0.9, 1.9)]) * unit
    angle = float(rng.uniform(0, 180))
    outline = _rectangle(centre, size, angle)
    _shade(picture, outline, rng)
    cv2.fillPoly(picture, [outline], random_colour(rng, high=110), cv2.LINE_AA)
    inner = _rectangle(centre, size * rng.uniform(0.7, 0.95), angle)
    cv2.fillPoly(picture, [inner], random_colour(rng), cv2.LINE_AA)


def _round(rng: Rng, picture: Image, centre: np.ndarray, unit: float) -> None:
    """Draw a glass, a plate, a coaster or a coin: rings inside one another."""
    radius = rng.choice([rng.uniform(0.08, 0.2), rng.uniform(0.3, 0.9)]) * unit
    squash = rng.uniform(0.6, 1.0)
    outline = cv2.ellipse2Poly(as_point(centre), (int(radius), int(radius * squash)), 0, 0, 360, 8)
    _shade(picture, np.asarray(outline, np.int32), rng)
    for share in sorted(rng.uniform(0.2, 1.0, int(rng.integers(1, 5))), reverse=True):
        axes = (max(1, int(radius * share)), max(1, int(radius * squash * share)))
        thick = -1 if rng.random() < 0.6 else max(1, int(radius * 0.06))
        cv2.ellipse(
            picture, as_point(centre), axes, 0, 0, 360, random_colour(rng), thick, cv2.LINE_AA
        )


def _stick(rng: Rng, picture: Image, centre: np.ndarray, unit: float) -> None:
    """Draw a pen, a cable or cutlery."""
    reach = rng.normal(0, 1.2, 2) * unit
    thick = max(2, int(rng.uniform(0.03, 0.12) * unit))
    ends = as_point(centre - reach), as_point(centre + reach)
    cv2.line(picture, *ends, random_colour(rng), thick, cv2.LINE_AA)
    cv2.line(picture, *ends, random_colour(rng), max(1, thick // 3), cv2.LINE_AA)


_UNDER: tuple[Callable[[Rng, Image, np.ndarray, float], None], ...] = (
    _sheet, _sheet, _phone, _round, _round, _stick,
)  # fmt: skip


def _printed(rng: Rng, picture: Image, *, sheet: Image, centre: np.ndarray, unit: float) -> None:
    """Draw a newspaper, a magazine, a book or a box, mostly larger than a card."""
    h, w = sheet.shape[:2]
    size = np.array([w, h]) / max(w, h) * unit * np.exp(rng.uniform(np.log(1.2), np.log(7.0)))
    outline = _rectangle(centre, size, float(rng.uniform(0, 180)))
    _shade(picture, outline, rng)
    start = int(rng.integers(4))
    target = np.roll(outline, start, axis=0).astype(np.float32)
    across, down = np.linalg.norm(target[1] - target[0]), np.linalg.norm(target[2] - target[1])
    if (across < down) != (w < h):
        target = np.roll(target, 1, axis=0)
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix, size_wh = cv2.getPerspectiveTransform(source, target), picture.shape[1::-1]
    shrink = min(1.0, float(size.max()) / max(w, h))
    soft = cv2.GaussianBlur(sheet, (0, 0), 0.4 / shrink) if shrink < 1 else sheet
    laid = cv2.warpPerspective(soft, matrix, size_wh, flags=cv2.INTER_LINEAR)
    cover = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(cover, np.round(target).astype(np.int32), 255)
    picture[cover > 0] = laid[cover > 0]


def put_under(rng: Rng, picture: Image, unit_px: float, *, prints: tuple[Image, ...] = ()) -> Image:
    """Return the picture with a few things under the cards; `unit_px` is a card's height.

    Some of them are `prints`, if there are any.
    """
    out = picture.copy()
    for _ in range(int(rng.choice([0, 0, 1, 2, 4, 7]))):
        centre = rng.uniform(0, 1, 2) * [picture.shape[1], picture.shape[0]]
        if prints and rng.random() < PRINTED:
            sheet = prints[int(rng.integers(len(prints)))]
            _printed(rng, out, sheet=sheet, centre=centre, unit=unit_px)
        else:
            _UNDER[int(rng.integers(len(_UNDER)))](rng, out, centre, unit_px)
    return out


def put_over(rng: Rng, picture: Image, unit_px: float, *, at_xy: np.ndarray) -> tuple[Image, Image]:
    """Return the picture with a hand or a thing near `at_xy`, and a mask of what it covers."""
    out = picture.copy()
    if rng.random() < 0.7:
        Hand(rng).draw(rng, out, at_xy, unit_px)
    else:
        _round(rng, out, at_xy, unit_px)
    changed = (np.abs(out.astype(np.int16) - picture).max(2) > 2).astype(np.uint8)
    return out, changed


LEANING_DEG = 65
"""Largest turn of a held card out of the table's plane about its long axis..."""
TIPPED_DEG = 30
"""... and about its short one."""
RAISED = 1.3
"""Largest magnification of a held card, which is nearer to the camera."""
MOVING = 0.75
"""Share of the held cards that move during the exposure."""
MOTION = 0.3
"""Longest way of that motion, as a share of a card's height."""


def as_point(xy: np.ndarray) -> tuple[int, int]:
    """Return whole pixels that OpenCV can draw at."""
    return int(np.clip(xy[0], -9999, 9999)), int(np.clip(xy[1], -9999, 9999))


class Hand:
    """A hand that reaches into the picture: fingers and a forearm of one skin colour."""

    def __init__(self, rng: Rng) -> None:
        turn = rng.uniform(0, 2 * np.pi)
        self.away = np.array([math.cos(turn), math.sin(turn)])
        """Length from the finger tips to the elbow."""
        self.aside = np.array([-self.away[1], self.away[0]])
        tone = rng.uniform(0.35, 1.0)
        bgr = [rng.uniform(95, 150), rng.uniform(130, 180), rng.uniform(190, 245)]
        self.skin = np.array(bgr) * tone

    def draw(self, rng: Rng, picture: np.ndarray, centre: np.ndarray, unit: float) -> None:
        """Draw the hand with the finger tips near `centre`."""
        colour = tuple(map(float, self.skin))
        wrist = centre + self.away * unit * 1.2
        arm = as_point(wrist), as_point(centre + self.away * unit * 6)
        cv2.line(picture, *arm, colour, max(2, int(unit * 0.6)))
        palm = as_point(wrist - self.away * unit * 0.2)
        cv2.circle(picture, palm, max(2, int(unit * 0.45)), colour, -1, cv2.LINE_AA)
        for k in range(int(rng.integers(1, 5))):
            across = self.aside * unit * (k - 1.5)
            tip = centre + across * 0.2 + self.away * unit * rng.uniform(0, 0.4)
            self.finger(rng, picture, wrist + across * 0.18, tip, width=unit * 0.17)

    def finger(
        self, rng: Rng, picture: np.ndarray, root: np.ndarray, tip: np.ndarray, *, width: float
    ) -> None:
        """Draw one finger."""
        colour = tuple(map(float, self.skin * float(rng.uniform(0.85, 1.05))))
        cv2.line(picture, as_point(root), as_point(tip), colour, max(2, int(width)), cv2.LINE_AA)


def raised(rng: Rng, corners: np.ndarray) -> np.ndarray:
    """Return the corners (4, 2) of a card lifted off the table: nearer, turned, leaning."""
    across, along = corners[1] - corners[0], corners[3] - corners[0]
    lean = math.radians(rng.uniform(0, LEANING_DEG)), math.radians(rng.uniform(0, TIPPED_DEG))
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * np.cos(lean)
    nearer = rng.uniform(1.0, RAISED) * (1 + unit @ rng.normal(0, 0.06, 2))
    flat = (unit[:, :1] * across + unit[:, 1:] * along) * nearer[:, None]
    turn = rng.uniform(0, 2 * np.pi)
    c, s = math.cos(turn), math.sin(turn)
    moved = corners.mean(0) + rng.normal(0, 0.3, 2) * float(np.linalg.norm(along))
    return np.asarray(flat @ np.array([[c, s], [-s, c]]) + moved, np.float32)


def hold_card(
    rng: Rng, canvas: np.ndarray, owner: np.ndarray, index: int, *,
    cut: tuple[np.ndarray, np.ndarray], corners: np.ndarray, style: Style,
) -> None:  # fmt: skip
    """Draw a card between the fingers and the thumb of a hand; arguments as in `lay_card`."""
    empty = canvas.copy()
    unit = float(np.linalg.norm(corners[1] - corners[2]))
    hand = Hand(rng)
    grip = corners.mean(0) + hand.away * unit * rng.uniform(0.0, 0.45)
    hand.draw(rng, canvas, grip, unit)
    owner[(canvas != empty).any(2)] = -1
    lay_card(canvas, owner, index, cut=cut, corners=corners, style=style)
    shown = canvas.copy()
    root = grip + (hand.away + hand.aside * rng.uniform(-0.4, 0.4)) * unit
    tip = grip - hand.away * unit * rng.uniform(0, 0.25)
    hand.finger(rng, canvas, root, tip, width=unit * rng.uniform(0.15, 0.26))
    owner[(canvas != shown).any(2)] = -1
    if rng.random() < MOVING:
        kernel = streak(rng, int(unit * MOTION * rng.random()))
        alpha = (canvas != empty).any(2).astype(np.float32)[..., None]
        smeared = cv2.filter2D(np.concatenate([canvas * alpha, alpha], 2), -1, kernel)
        canvas[:] = empty * (1 - smeared[..., 3:]) + smeared[..., :3]
