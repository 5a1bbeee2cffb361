"""From the table to the picture: where the camera stands and what it gets into the frame."""

import math
from dataclasses import dataclass

import numpy as np

from training.paint import Rng
from training.scenes.layouts import LaidCard

_SIZES_WH = ((1280, 960), (960, 1280), (1280, 720), (720, 1280), (1024, 1024))
_SIZE_SHARES = (0.35, 0.35, 0.1, 0.1, 0.1)
FOCAL = (0.7, 1.5)
"""Focal lengths in long sides of the picture: a phone's wide camera and its double one."""
NEAREST = 0.45
"""The nearest card is no nearer than this share of the distance to the pile's middle."""


@dataclass(frozen=True)
class Camera:
    """Where a picture was taken from."""

    matrix: np.ndarray
    """Homography from the table (card heights) to picture pixels, 3 x 3."""
    size_wh: tuple[int, int]
    """Picture size in pixels."""
    tilt_deg: float
    """How far it leans from straight above."""

    def project(self, points: np.ndarray) -> np.ndarray:
        """Table points (n, 2) as picture points (n, 2)."""
        return _project(self.matrix, points)


def aim(
    rng: Rng,
    corners: list[np.ndarray],
    *,
    size_wh: tuple[int, int] | None = None,
    tilt_deg: float | None = None,
    tidy: bool = False,
) -> Camera:
    """A camera that has the cards with these table corners in its frame; `tidy`: all of them."""
    size = size_wh or _SIZES_WH[int(rng.choice(5, p=_SIZE_SHARES))]
    tilt = tilt_deg if tilt_deg is not None else _tilt(rng)
    points = np.concatenate(corners)
    lens = _lens(rng, tilt, max(size)) @ _shift(-(points.min(0) + points.max(0)) / 2)
    share = rng.uniform(0.7, 0.96) if tidy else rng.uniform(0.6, 1.2)
    largest = max(size) * math.exp(rng.uniform(math.log(0.13), math.log(0.85)))
    matrix = _held_at(_distance(lens, points, room=share * np.array(size), largest=largest), lens)
    return Camera(_framed(rng, matrix, points, size), size, tilt)


def _tilt(rng: Rng) -> float:
    """Mostly from above, often enough from a chair."""
    return float(rng.uniform(20, 58)) if rng.random() < 0.35 else min(58.0, abs(rng.normal(0, 22)))


def corners_of(place: LaidCard, aspect: float) -> np.ndarray:
    """Table coordinates of a card's corners, clockwise from its upper left."""
    a = math.radians(place.angle_deg)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    half = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2
    return np.asarray(half @ turn.T + [place.x, place.y])


def _lens(rng: Rng, tilt_deg: float, long_px: int) -> np.ndarray:
    """Table plane (card heights) around the origin -> picture, the camera standing in it, 3 x 3."""
    tilt, turn = math.radians(tilt_deg), rng.normal(0, 0.25)
    about_x = np.array(
        [[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]]
    )
    turned = _about_z(turn) @ about_x @ _about_z(rng.normal(0, 0.3))
    focal_px = long_px * math.exp(rng.uniform(*np.log(FOCAL)))
    plane = np.column_stack([turned[:, 0], turned[:, 1], np.zeros(3)])
    return np.asarray(np.diag([focal_px, focal_px, 1.0]) @ plane)


def _held_at(distance: float, lens: np.ndarray) -> np.ndarray:
    """The homography of a camera so far (card heights) from the middle of the pile."""
    away = np.zeros((3, 3))
    away[2, 2] = distance
    return lens + away


def _distance(lens: np.ndarray, points: np.ndarray, *, room: np.ndarray, largest: float) -> float:
    """How far away the pile fits into `room` pixels and no card is higher than `largest`."""
    depths = np.c_[points, np.ones(len(points))] @ lens[2]
    near, far = max(-depths.min() / (1 - NEAREST), 0.5), 400.0
    for _ in range(40):
        middle = math.sqrt(near * far)
        seen = _project(_held_at(middle, lens), points)
        card = np.median(np.linalg.norm(seen[1::4] - seen[2::4], axis=1))
        if (np.ptp(seen, axis=0) > room).any() or card > largest:
            near = middle
        else:
            far = middle
    return far


def _shift(by_xy: np.ndarray) -> np.ndarray:
    return np.array([[1, 0, by_xy[0]], [0, 1, by_xy[1]], [0, 0, 1]])


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _project(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    homogeneous = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _framed(
    rng: Rng, matrix: np.ndarray, points: np.ndarray, size_wh: tuple[int, int]
) -> np.ndarray:
    """The homography moved so that the pile lies somewhere in the frame, or fills it."""
    seen = _project(matrix, points)
    slack = np.array(size_wh) - np.ptp(seen, axis=0)
    offset = np.where(slack > 0, slack * rng.uniform(0, 1, 2), slack / 2)
    return np.asarray(_shift(offset - seen.min(0)) @ matrix)
