"""From the table to the picture: where the camera stands and what it gets into the frame."""

import math
from dataclasses import dataclass

import numpy as np

from vision.training.layouts import Place, Rng

_SIZES_WH = ((1280, 960), (960, 1280), (1280, 720), (720, 1280), (1024, 1024))
_SIZE_SHARES = (0.35, 0.35, 0.1, 0.1, 0.1)


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
    matrix = _homography(rng, tilt)
    return Camera(_fitted(rng, matrix, np.concatenate(corners), size, tidy=tidy), size, tilt)


def _tilt(rng: Rng) -> float:
    """Mostly from above, often enough from a chair."""
    return float(rng.uniform(20, 58)) if rng.random() < 0.35 else min(58.0, abs(rng.normal(0, 22)))


def corners_of(place: Place, aspect: float) -> np.ndarray:
    """Table coordinates of a card's corners, clockwise from its upper left."""
    a = math.radians(place.angle_deg)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    half = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2
    return np.asarray(half @ turn.T + [place.x, place.y])


def _homography(rng: Rng, tilt_deg: float) -> np.ndarray:
    """Table plane (card heights) -> picture plane up to scale and shift, 3 x 3."""
    tilt, turn = math.radians(tilt_deg), rng.normal(0, 0.25)
    distance, focal = rng.uniform(4.0, 12.0), 1.0
    about_z = np.array(
        [[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]]
    )
    about_x = np.array(
        [[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]]
    )
    turned = about_z @ about_x @ _about_z(rng.normal(0, 0.3))
    camera = np.diag([focal, focal, 1.0])
    plane = np.column_stack([turned[:, 0], turned[:, 1], [0, 0, distance]])
    return np.asarray(camera @ plane)


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _project(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    homogeneous = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _fitted(
    rng: Rng, matrix: np.ndarray, points: np.ndarray, size_wh: tuple[int, int], *, tidy: bool
) -> np.ndarray:
    """The homography scaled and shifted so that the pile fills a believable part of the frame."""
    seen = _project(matrix, points)
    low, high = seen.min(0), seen.max(0)
    span = high - low
    room = np.array(size_wh) / np.maximum(span, 1e-6)
    fit = float(room.min()) * (rng.uniform(0.7, 0.96) if tidy else rng.uniform(0.6, 1.2))
    card = float(np.median(np.linalg.norm(seen[1::4] - seen[2::4], axis=1)))
    wanted = max(size_wh) * math.exp(rng.uniform(math.log(0.13), math.log(0.85)))
    scale = min(fit, wanted / max(card, 1e-6))
    slack = np.maximum(np.array(size_wh) - span * scale, 0)
    offset = slack * rng.uniform(0, 1, 2) + np.minimum(np.array(size_wh) - span * scale, 0) / 2
    shift = offset - low * scale
    return np.asarray(np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ matrix)
