"""What everything that draws by chance has in common: pictures, chance, colours, noise, shapes."""

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A picture: H x W x 3, BGR, 0 to 255."""

Rng = np.random.Generator
"""The source of chance. It comes first wherever something is drawn at random."""


def random_colour(rng: Rng, *, low: int = 10, high: int = 245) -> tuple[int, int, int]:
    """A BGR colour, often muted as tables are."""
    colour = rng.integers(low, high, 3).astype(float)
    grey = colour.mean()
    mixed = grey + (colour - grey) * rng.uniform(0.0, 1.0)
    return int(mixed[0]), int(mixed[1]), int(mixed[2])


def smooth_noise(rng: Rng, size_wh: tuple[int, int], cells: int) -> np.ndarray:
    """Values about -1..1 that change slowly, H x W float32: `cells` bumps across."""
    small = rng.normal(0, 0.5, (max(2, cells), max(2, cells))).astype(np.float32)
    return np.asarray(cv2.resize(small, size_wh, interpolation=cv2.INTER_CUBIC))


def draw_shape(rng: Rng, picture: Image, colour: tuple[int, int, int]) -> None:
    """One shape drawn onto `picture`, which the caller made for this."""
    side = min(picture.shape[:2])
    centre = tuple(int(v) for v in rng.integers(0, side, 2))
    kind = rng.integers(5)
    thick = int(rng.choice([-1, 1, 2, 4, 8]))
    if kind == 0:
        axes = tuple(int(v) for v in rng.integers(2, max(4, side // 3), 2))
        cv2.ellipse(picture, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, thick)
    elif kind == 1:
        points = rng.integers(0, side, (int(rng.integers(3, 8)), 2)).astype(np.int32)
        cv2.polylines(picture, [points], isClosed=True, color=colour, thickness=max(1, thick))
    elif kind == 2:
        points = rng.integers(0, side, (int(rng.integers(3, 6)), 2)).astype(np.int32)
        cv2.fillPoly(picture, [points], colour, cv2.LINE_AA)
    elif kind == 3:
        letter = "".join(rng.choice(list("AaJQK7643258Se%&"), int(rng.integers(1, 6))))
        scale = float(rng.uniform(0.4, 3))
        cv2.putText(picture, letter, centre, cv2.FONT_HERSHEY_TRIPLEX, scale, colour, 2)
    else:
        for angle in np.linspace(0, 2 * np.pi, int(rng.integers(4, 12)), endpoint=False):
            end = (np.array(centre) + side * 0.4 * np.array([np.cos(angle), np.sin(angle)])).astype(
                int
            )
            cv2.line(
                picture, centre, tuple(int(v) for v in end), colour, max(1, thick), cv2.LINE_AA
            )
