"""Batches for the networks that find cards, cut from scenes on the device that trains.

A scene is decoded once. `locate_batch` and `refine_batch` draw scenes and cut a batch out of them.
The networks that name cards learn from `training.crops`.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from training.data import (
    Box,
    Sample,
    decode,
    read_samples,
    rough_box,
    shard_paths,
)
from training.light import relit
from training.networks import CARD, INDEX_CORNER, INDEX_CORNER_OF_CARD
from training.paint import Image, Rng
from vision.corners import OUTPUTS, REFINE_PX, crop_matrix, to_crop
from vision.detect import PAD, STRIDE
from vision.geometry import short_sides
from vision.photo import shrunk

LOOK_AGAIN_S = 2.0
"""Seconds between two looks of a pool for new shards."""
MOST_SCENES = {"cuda": 3000, "cpu": 600}
"""The most scenes that are held: 9 GB and 2 GB."""
PHOTO_SHARE = 0.15
"""Share of photos in a batch, if there are any."""
HALF_COVERED, CROWD, FEW, UNCROWDED_SHARE = 0.5, 4, 3, 0.4
"""Crowded scenes have at least CROWD cards of which less than HALF_COVERED is seen, nearly empty
scenes at most FEW cards. Other scenes are drawn with the weight UNCROWDED_SHARE instead of 1."""
LEAST_PX, MOST_PX = 12, 400
"""Short sides of cards in the squares for locate, in pixels."""
MIN_VISIBLE, MIN_INSIDE, MIN_INDEX = 0.06, 0.35, 0.5
"""Least share of a card that is seen, and that is inside the square, for locate to find it; the
least share of an index corner that is seen."""
SCENE_BOXES = 12
"""The most rough boxes of a scene in a batch for refine."""
DRAWS = 100
"""If the scenes of so many draws show no card, raise an error."""

Batch = dict[str, torch.Tensor]


@dataclass(frozen=True, eq=False)
class Scenes:
    """Scenes of a batch, with their pictures on the device."""

    samples: list[Sample]
    sizes_wh: np.ndarray
    """(n, 2) width and height of the pictures without padding."""
    levels: list[torch.Tensor]
    """(n, 3, side, side) float32 RGB, 0 to 255, padded right and below; each level half the
    last."""


class ScenePool:
    """The scenes of a folder on a device; later shards replace earlier ones."""

    def __init__(
        self, folder: Path, *, device: torch.device, side_px: int, most: int | None = None
    ) -> None:
        """Hold the scenes that are there already.

        Raises:
            FileNotFoundError: There are none.
        """
        self.folder, self.device, self.side_px = folder, device, side_px
        most = most or MOST_SCENES[device.type]
        shape = (most, 3, side_px, side_px)  # no memory is touched before a scene is held there
        self._pixels = torch.empty(shape, dtype=torch.uint8, device=device)
        self._sizes_wh, self._weights = np.zeros((most, 2), np.float32), np.zeros(most)
        self._is_photo = np.zeros(most, np.bool_)
        self._samples: list[Sample] = []
        self._lock, self._read, self._replaced = Lock(), set[Path](), 0
        self._read_new()
        if not self._samples:
            raise FileNotFoundError(f"expected shards with scenes in {folder}; write some first")

    def draw(self, rng: Rng, count: int, *, levels: int = 3) -> Scenes:
        """Draw a number of scenes, crowded ones more often."""
        with self._lock:  # networks that learn in turn draw at the same time
            if monotonic() - self._looked > LOOK_AGAIN_S:
                self._read_new()
            weights = self._weights[: len(self._samples)].copy()
            photos = self._is_photo[: len(weights)]
            if photos.any() and not photos.all():
                weights[photos] *= PHOTO_SHARE / weights[photos].sum()
                weights[~photos] *= (1 - PHOTO_SHARE) / weights[~photos].sum()
            at = rng.choice(len(weights), count, p=weights / weights.sum())
            pictures = [self._pixels[torch.from_numpy(at).to(self.device)].float()]
            chosen = [self._samples[k] for k in at]
        for _ in range(levels - 1):
            pictures.append(functional.avg_pool2d(pictures[-1], 2))
        return Scenes(chosen, self._sizes_wh[at], pictures)

    def _read_new(self) -> None:
        paths = [path for path in shard_paths(self.folder) if path not in self._read]
        with ThreadPoolExecutor(2) as readers:
            for path in sorted(paths, key=is_of_photos, reverse=True):
                samples = read_samples(path)
                for sample, picture in zip(
                    samples, readers.map(self._picture, samples), strict=True
                ):
                    self._hold(sample, picture, is_photo=is_of_photos(path))
        self._read |= set(paths)
        self._looked = monotonic()

    def _picture(self, sample: Sample) -> Image:
        image = decode(sample.jpeg)
        scale = min(1.0, self.side_px / max(image.shape[:2]))
        return shrunk(image, (round(image.shape[1] * scale), round(image.shape[0] * scale)))

    def _hold(self, sample: Sample, picture: Image, *, is_photo: bool) -> None:
        """Hold a scene; photos stay, and take up to half of the room."""
        if is_photo and 2 * self._is_photo.sum() >= len(self._is_photo):
            return
        at = len(self._samples)
        if at < len(self._weights):
            self._samples.append(sample)
        else:
            others = np.flatnonzero(~self._is_photo)
            at = int(others[self._replaced % len(others)])
            self._replaced += 1
            self._samples[at] = sample
        covered = int((sample.visible < HALF_COVERED).sum())
        often = covered >= CROWD or len(sample.corners) <= FEW
        self._weights[at] = 1.0 if often else UNCROWDED_SHARE
        height, width = picture.shape[:2]
        self._sizes_wh[at], self._is_photo[at] = (width, height), is_photo
        rgb = torch.from_numpy(np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1)))
        self._pixels[at] = PAD
        self._pixels[at, :, :height, :width] = rgb.to(self.device)


def is_of_photos(shard: Path) -> bool:
    """Return whether a shard holds photos and not generated scenes."""
    return "photos" in shard.name


def cut_out(
    scenes: Scenes, of: np.ndarray, to_picture: np.ndarray, side_px: int, *,
    times: int = 1, repeat_edges: bool = False,
) -> torch.Tensor:  # fmt: skip
    """Cut squares out of pictures: (n, 3, side_px, side_px) float32, 0 to 255.

    Each is cut from the halved picture that is nearest to its scale. With `times` 2 it is cut at
    twice its side and averaged, so that no pixel is skipped.

    Args:
        scenes: The pictures.
        of: (n,) picture of each square.
        to_picture: (n, 3, 3) from pixels of a square to pixels of its picture.
        side_px: Width and height of the squares.
        times: 1 or 2.
        repeat_edges: Repeat a picture's edge outside it; otherwise the outside is gray.
    """
    device = scenes.levels[0].device
    middle = np.array([side_px / 2, side_px / 2, 1.0])
    at = to_picture @ middle
    along = to_picture @ (middle + np.array([1, 0, 0]))
    across = to_picture @ (middle + np.array([0, 1, 0]))
    at, along, across = (p[:, :2] / p[:, 2:] for p in (at, along, across))
    steps = np.minimum(np.linalg.norm(along - at, axis=1), np.linalg.norm(across - at, axis=1))
    level = np.round(np.log2(np.maximum(steps / times, 1e-3))).clip(0, len(scenes.levels) - 1)
    inner = side_px * times
    grid_1d = (torch.arange(inner, dtype=torch.float32, device=device) + 0.5) / times - 0.5
    y, x = torch.meshgrid(grid_1d, grid_1d, indexing="ij")
    points = torch.stack([x, y, torch.ones_like(x)], -1).reshape(1, -1, 3)
    squares = torch.empty(len(of), 3, side_px, side_px, device=device)
    for k, picture in sorted(set(zip(level.astype(int).tolist(), of.tolist(), strict=True))):
        chosen = np.flatnonzero((level == k) & (of == picture))
        scale = 2.0**-k
        centred = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
        matrix = torch.from_numpy((centred @ to_picture[chosen]).astype(np.float32)).to(device)
        seen = points @ matrix.transpose(1, 2)
        seen = seen[..., :2] / seen[..., 2:].clamp(min=1e-6)
        if repeat_edges:
            most = torch.from_numpy(np.floor(scenes.sizes_wh[picture] * scale) - 1).to(seen)
            seen = torch.minimum(seen.clamp(min=0), most)
        source = scenes.levels[k][picture : picture + 1] - PAD
        last = torch.tensor([source.shape[3] - 1, source.shape[2] - 1], device=device)
        grid = (2 * seen / last - 1).reshape(-1, inner, inner, 2)
        spread = source.expand(len(chosen), -1, -1, -1)  # one picture, not a copy for each square
        shown = functional.grid_sample(spread, grid, align_corners=True) + PAD
        squares[torch.from_numpy(chosen).to(device)] = (
            functional.avg_pool2d(shown, times) if times > 1 else shown
        )
    return squares


def locate_batch(rng: Rng, pool: ScenePool, batch: int) -> Batch:
    """Draw squares of one random side, with the cards and index corners in them.

    `batch` counts squares of 448 pixels; of larger squares there are fewer.
    """
    side = int(rng.choice(np.arange(192, 641, STRIDE)))
    count = max(2, min(2 * batch, round(batch * (448 / side) ** 2)))
    scenes = pool.draw(rng, count, levels=5)
    to_square = np.stack(
        [
            placed(rng, one, size_wh, side)
            for one, size_wh in zip(scenes.samples, scenes.sizes_wh, strict=True)
        ]
    )
    of = np.repeat(np.arange(count), [len(one.corners) for one in scenes.samples])
    points = np.concatenate([one.corners for one in scenes.samples]) * scenes.sizes_wh[of, None]
    seen = np.concatenate([points, np.ones((*points.shape[:2], 1))], -1)
    seen = np.einsum("nij,nkj->nki", to_square[of], seen)
    corners = seen[..., :2] / seen[..., 2:] / side
    visible = np.concatenate([one.visible for one in scenes.samples])
    indices_seen = np.concatenate([one.indices_seen for one in scenes.samples])
    squares = cut_out(scenes, np.arange(count), np.linalg.inv(to_square), side)
    wanted = targets(corners.astype(np.float32), visible, indices_seen, of)
    return {"img": relit(squares / 255, strength=0.7), **wanted}


def placed(rng: Rng, sample: Sample, size_wh: np.ndarray, side: int) -> np.ndarray:
    """Return a 3 x 3 homography from a picture to a square; it never mirrors.

    Half of the squares show the whole picture, as the reader does. Others show a part in which one
    card has a short side between `LEAST_PX` and `MOST_PX`.
    """
    whole = side / float(size_wh.max())
    zoom = whole * (1.0 if rng.random() < 0.6 else float(np.exp(rng.uniform(-0.6, 0.4))))
    centre = size_wh / 2
    cards = sample.corners[sample.visible >= MIN_VISIBLE] * size_wh
    if len(cards) and rng.random() < 0.5:
        card = cards[int(rng.integers(len(cards)))].astype(np.float32)
        wanted = float(np.exp(rng.uniform(np.log(LEAST_PX), np.log(min(MOST_PX, 0.8 * side)))))
        zoom = float(np.clip(wanted / short_sides(card), 0.5 * whole, 2.0))
        centre = card.mean(0)
    slack = np.abs(side - zoom * size_wh) / 2
    shift = rng.uniform(-1, 1, 2) * np.minimum(slack, side * 0.4)
    turn = np.pi / 2 * int(rng.integers(4)) + (rng.normal(0, 0.07) if rng.random() < 0.5 else 0.0)
    c, s = zoom * np.cos(turn), zoom * np.sin(turn)
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    if rng.random() < 0.4:
        turned[2, :2] = rng.normal(0, 0.12, 2) / size_wh.max()
    turned = turned @ np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    half = side / 2
    return np.asarray(
        np.array([[1, 0, half + shift[0]], [0, 1, half + shift[1]], [0, 0, 1]]) @ turned
    )


def targets(
    corners: np.ndarray, visible: np.ndarray, indices_seen: np.ndarray, of: np.ndarray
) -> Batch:
    """Return the targets of locate in ultralytics' form: cards, and their index corners.

    Args:
        corners: (n, 4, 2) corners of cards as shares of the square; may be outside it.
        visible: (n,) share of each card that is seen.
        indices_seen: (n, 2) shares of the index corners at corners 0 and 2.
        of: (n,) picture of the batch that each card is in.
    """
    ends = np.stack([corners, np.roll(corners, 2, axis=1)], axis=1)
    at_ends = np.asarray(INDEX_CORNER_OF_CARD, np.float32) @ ends
    places = np.concatenate([corners[:, None], at_ends], axis=1).astype(np.float32)
    inside = inside_share(places)
    asked = np.column_stack([visible >= MIN_VISIBLE, indices_seen >= MIN_INDEX])
    asked &= inside >= [MIN_INSIDE, MIN_INDEX, MIN_INDEX]
    keypoints = np.concatenate([corners[:, None], ends], axis=1)[asked].astype(np.float32)
    low, high = (end.clip(0, 1) for end in (places[asked].min(1), places[asked].max(1)))
    classes = np.broadcast_to([CARD, INDEX_CORNER, INDEX_CORNER], asked.shape)[asked]
    pictures = np.repeat(of, 3).reshape(-1, 3)[asked]
    return {
        "cls": torch.from_numpy(classes.astype(np.float32)[:, None]),
        "bboxes": torch.from_numpy(np.concatenate([(low + high) / 2, high - low], 1)),
        "keypoints": torch.from_numpy(keypoints),
        "batch_idx": torch.from_numpy(pictures.astype(np.float32)),
    }


def inside_share(places: np.ndarray) -> np.ndarray:
    """Return the shares of quadrilaterals (..., 4, 2) inside the unit square, by a 5 x 5 raster."""
    t = np.linspace(0.1, 0.9, 5, dtype=np.float32)
    u, v = (a.reshape(-1, 1) for a in np.meshgrid(t, t))
    a, b, c, d = (places[..., k, None, :] for k in range(4))
    points = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c)
    return np.asarray(((points > 0) & (points < 1)).all(-1).mean(-1))


def scenes_with(
    rng: Rng, pool: ScenePool, count: int,
    pick: Callable[[Rng, Sample, np.ndarray], Iterable[Any]],
) -> tuple[Scenes, np.ndarray, list[Any]]:  # fmt: skip
    """Draw scenes; return them, the scene of each thing that `pick` takes, and the things.

    `pick` gets a sample and its size. If it takes nothing from a scene, another one is drawn.

    Raises:
        ValueError: It took nothing from `DRAWS` times as many scenes.
    """
    for _ in range(DRAWS):
        scenes = pool.draw(rng, count, levels=4)
        picked = [
            (k, one)
            for k, (sample, size_wh) in enumerate(zip(scenes.samples, scenes.sizes_wh, strict=True))
            for one in pick(rng, sample, size_wh)
        ]
        if picked:
            return scenes, np.array([k for k, _ in picked]), [one for _, one in picked]
    raise ValueError(
        f"{pool.folder}: expected cards that can be seen, got none in {DRAWS * count} scenes;"
        " write more scenes"
    )


def rough_boxes(rng: Rng, sample: Sample, size_wh: np.ndarray) -> Iterator[Box]:
    """Yield rough boxes, of cards and of none, whose middles are in the picture."""
    size = (int(size_wh[0]), int(size_wh[1]))
    cards = sample.corners * np.array(size, np.float32)
    for _ in range(SCENE_BOXES if len(cards) else 0):
        box = rough_box(rng, cards, sample.visible, size)
        if box and (box.rough.mean(0) > 0).all() and (box.rough.mean(0) < size).all():
            yield box


def refine_batch(rng: Rng, pool: ScenePool, batch: int) -> Batch:
    """Return crops of rough boxes of `batch` scenes, and the corners of their cards."""
    scenes, of, boxes = scenes_with(rng, pool, batch, rough_boxes)
    to_unit = np.diag([1 / REFINE_PX, 1 / REFINE_PX, 1])
    inverse = np.stack([np.linalg.inv(crop_matrix(box.rough)) @ to_unit for box in boxes])
    crops = cut_out(scenes, of, inverse, REFINE_PX, times=2, repeat_edges=True)
    mirrored = rng.random(len(boxes)) < 0.5
    crops[mirrored] = crops[mirrored].flip(-1)
    moves = np.stack([to_crop(box.rough, box.card) for box in boxes])
    moves[mirrored] = moves[mirrored][:, [1, 0, 3, 2]] * np.array([-1, 1], np.float32)
    is_card = np.array([[box.is_card] for box in boxes], np.float32)
    wanted = np.concatenate([moves.reshape(-1, OUTPUTS - 1), is_card], axis=1)
    return {"img": relit(crops / 255), "cls": torch.from_numpy(wanted.astype(np.float32))}
