"""Hands over a table: one that reaches in, and one that holds a card just played."""

import math

import cv2
import numpy as np

from training.paint import Rng
from training.scenes.cardstock import Style, lay_card
from training.scenes.light import streak

LEANING_DEG = 65
"""Most by which a held card is turned out of the table's plane about its long axis..."""
TIPPED_DEG = 30
"""... and about its short one."""
RAISED = 1.3
"""Most by which it looks larger than the cards on the table, being nearer."""
MOVING = 0.75
"""Share of the held cards that move while the picture is taken."""
MOTION = 0.3
"""Longest way they move meanwhile, as a share of a card's height."""


def as_point(xy: np.ndarray) -> tuple[int, int]:
    """Whole pixels that OpenCV can draw at."""
    return int(np.clip(xy[0], -9999, 9999)), int(np.clip(xy[1], -9999, 9999))


def reach_in(rng: Rng, picture: np.ndarray, centre: np.ndarray, unit: float) -> None:
    """Fingers and a forearm, capsules in one skin colour, with the finger tips near `centre`."""
    turn = rng.uniform(0, 2 * np.pi)
    _hand(rng, picture, centre, unit, away=_direction(turn), skin=_skin(rng))


def _skin(rng: Rng) -> np.ndarray:
    tone = rng.uniform(0.35, 1.0)
    return np.array([rng.uniform(95, 150), rng.uniform(130, 180), rng.uniform(190, 245)]) * tone


def _direction(turn: float) -> np.ndarray:
    return np.array([math.cos(turn), math.sin(turn)])


def _aside(away: np.ndarray) -> np.ndarray:
    return np.array([-away[1], away[0]])


def _hand(
    rng: Rng, picture: np.ndarray, centre: np.ndarray, unit: float, *,
    away: np.ndarray, skin: np.ndarray,
) -> None:  # fmt: skip
    side = _aside(away)
    colour = (float(skin[0]), float(skin[1]), float(skin[2]))
    wrist = centre + away * unit * 1.2
    arm = as_point(wrist), as_point(centre + away * unit * 6)
    cv2.line(picture, *arm, colour, max(2, int(unit * 0.6)))
    palm = as_point(wrist - away * unit * 0.2)
    cv2.circle(picture, palm, max(2, int(unit * 0.45)), colour, -1, cv2.LINE_AA)
    for k in range(int(rng.integers(1, 5))):
        tip = centre + side * unit * (k - 1.5) * 0.2 + away * unit * rng.uniform(0, 0.4)
        root = wrist + side * unit * (k - 1.5) * 0.18
        _finger(rng, picture, root, tip, width=unit * 0.17, skin=skin)


def _finger(
    rng: Rng, picture: np.ndarray, root: np.ndarray, tip: np.ndarray, *,
    width: float, skin: np.ndarray,
) -> None:  # fmt: skip
    shade = float(rng.uniform(0.85, 1.05))
    colour = (skin[0] * shade, skin[1] * shade, skin[2] * shade)
    cv2.line(picture, as_point(root), as_point(tip), colour, max(2, int(width)), cv2.LINE_AA)


def raised(rng: Rng, corners: np.ndarray) -> np.ndarray:
    """The corners (4, 2) of a card lifted off the table: nearer, turned, leaning to one side."""
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
    """Draws a card between the fingers and the thumb of a hand; arguments as in `lay_card`."""
    empty = canvas.copy()
    unit = float(np.linalg.norm(corners[1] - corners[2]))
    away, skin = _direction(rng.uniform(0, 2 * np.pi)), _skin(rng)
    grip = corners.mean(0) + away * unit * rng.uniform(0.0, 0.45)
    _hand(rng, canvas, grip, unit, away=away, skin=skin)
    owner[(canvas != empty).any(2)] = -1
    lay_card(canvas, owner, index, cut=cut, corners=corners, style=style)
    shown = canvas.copy()
    root = grip + (away + _aside(away) * rng.uniform(-0.4, 0.4)) * unit
    tip = grip - away * unit * rng.uniform(0, 0.25)
    _finger(rng, canvas, root, tip, width=unit * rng.uniform(0.15, 0.26), skin=skin)
    owner[(canvas != shown).any(2)] = -1
    if rng.random() < MOVING:
        kernel = streak(rng, int(unit * MOTION * rng.random()))
        alpha = (canvas != empty).any(2).astype(np.float32)[..., None]
        smeared = cv2.filter2D(np.concatenate([canvas * alpha, alpha], 2), -1, kernel)
        canvas[:] = empty * (1 - smeared[..., 3:]) + smeared[..., :3]
