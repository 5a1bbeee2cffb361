"""Scenes held on a GPU and cut up there, for the stages that are trained on one.

A GPU learns from scenes several times as fast as sixteen processors read and cut them. So each is
read once, and shards that are still being made beside the training join as they are finished.
Scenes in which cards lie on one another are drawn oftener, see `hard`.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from training.data.shards import Sample, decode, read_samples, shard_paths
from training.stages.hard import crowded_shares
from vision.detect import PAD
from vision.photo import shrunk

POOL_PX = 1024
"""Longest side of a scene that is held: more than any look shows."""
MOST_SCENES = 7000
"""So many are held, 22 GB; those of later shards replace the first."""
MOST_SHARE = 0.3
"""No more of the GPU's free memory is filled with scenes: the training needs the rest."""
READERS = 4
"""Threads that read scenes."""
LOOK_AGAIN_S = 2.0
"""How often the folder is looked at for new shards, in seconds."""
EPOCH_BATCHES = 100
"""Batches called an epoch: the learning rate falls once in each."""


@dataclass(frozen=True, eq=False)
class SceneBatch:
    """Scenes of a batch."""

    samples: list[Sample]
    """What is known about them."""
    sizes_wh: np.ndarray
    """(n, 2) of their pictures, without what pads them."""
    pixels: torch.Tensor
    """(n, 3, POOL_PX, POOL_PX) float32 RGB, 0 to 255, padded right and below."""


class ScenePool:
    """The scenes of a folder in a GPU's memory, from a thread that goes on reading new shards."""

    def __init__(self, folder: Path, *, device: torch.device) -> None:
        """Holds the scenes that are there already.

        Raises:
            FileNotFoundError: There is none.
        """
        self._folder = folder
        most = _most_scenes(device)
        self._pixels = torch.full(
            (most, 3, POOL_PX, POOL_PX), PAD, dtype=torch.uint8, device=device
        )
        self._lock, self._taken = Lock(), 0
        self._samples: list[Sample] = []
        self._sizes_wh = np.zeros((most, 2), np.float32)
        self._shares = np.zeros(most)
        self._read: set[Path] = set()
        self._read_new()
        if not self._samples:
            raise FileNotFoundError(f"expected shards with scenes in {folder}; write some first")
        Thread(target=self._read_on, daemon=True).start()

    def draw(self, rng: np.random.Generator, count: int) -> SceneBatch:
        """So many scenes by chance, crowded ones oftener."""
        with self._lock:
            edges = np.cumsum(self._shares)
            at = np.searchsorted(edges / edges[-1], rng.random(count))
            chosen = torch.from_numpy(at).to(self._pixels.device)
            samples = [self._samples[k] for k in at]
            return SceneBatch(samples, self._sizes_wh[at], self._pixels[chosen].float())

    def _read_on(self) -> None:
        while True:
            time.sleep(LOOK_AGAIN_S)
            self._read_new()

    def _read_new(self) -> None:
        with ThreadPoolExecutor(READERS) as readers:
            for path in shard_paths(self._folder):
                if path not in self._read:
                    self._read.add(path)
                    samples = [one for one in read_samples(path) if len(one.corners)]
                    for sample, picture in zip(samples, readers.map(_held, samples), strict=True):
                        self._take(sample, picture)

    def _take(self, sample: Sample, picture: np.ndarray) -> None:
        height, width = picture.shape[:2]
        rgb = torch.from_numpy(np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1)))
        with self._lock:
            at = self._taken % len(self._shares)
            self._taken += 1
            self._samples[at : at + 1] = [sample]
            self._sizes_wh[at] = width, height
            self._shares[at] = crowded_shares([sample])[0]
            self._pixels[at] = PAD
            self._pixels[at, :, :height, :width] = rgb.to(self._pixels.device)


def _most_scenes(device: torch.device) -> int:
    """How many scenes a device holds: at most `MOST_SCENES`."""
    if device.type == "cpu":
        return MOST_SCENES
    free_bytes, _all = torch.cuda.mem_get_info(device)
    return min(MOST_SCENES, int(MOST_SHARE * free_bytes) // (3 * POOL_PX**2))


def _held(sample: Sample) -> np.ndarray:
    """A scene's picture at its size in the pool."""
    image = decode(sample.jpeg)
    scale = min(1.0, POOL_PX / max(image.shape[:2]))
    return shrunk(image, (round(image.shape[1] * scale), round(image.shape[0] * scale)))


class ResidentLoader:
    """What a trainer of ultralytics asks of a loader; `make` gives one batch."""

    num_workers = 0
    drop_last = True

    def __init__(self, make: Callable[[int], dict[str, Any]], batch_size: int) -> None:
        self.make = make
        self.batch_size = batch_size
        self.dataset = self.sampler = range(EPOCH_BATCHES * batch_size)

    def __len__(self) -> int:
        return EPOCH_BATCHES

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for _ in range(EPOCH_BATCHES):
            yield self.make(self.batch_size)


class ResidentTraining:
    """Mixin for a trainer on scenes: where it trains on a GPU, the scenes are held there."""

    def resident_batches(self, pool: ScenePool) -> Callable[[int], dict[str, Any]]:
        """What makes a batch of so many scenes; a subclass says it."""
        raise NotImplementedError

    def get_dataloader(
        self, dataset_path: str, batch_size: int = 16, rank: int = 0, mode: str = "train"
    ) -> Any:
        """On a processor the trainer's own."""
        if self.device.type == "cpu":  # type: ignore[attr-defined]
            return super().get_dataloader(dataset_path, batch_size, rank, mode)  # type: ignore[misc]
        if mode != "train":
            return self.train_loader  # type: ignore[attr-defined]  # nothing is validated meanwhile
        pool = ScenePool(Path(dataset_path), device=self.device)  # type: ignore[attr-defined]
        return ResidentLoader(self.resident_batches(pool), batch_size)


def seen_through(
    pictures: torch.Tensor,
    to_picture: np.ndarray,
    side_px: int,
    *,
    sizes_wh: np.ndarray | None = None,
) -> torch.Tensor:
    """Squares cut out of pictures: (n, 3, side_px, side_px) float32, the pictures' gray around.

    Args:
        pictures: (n, 3, h, w) float32, 0 to 255.
        to_picture: (n, 3, 3) from pixels of a square to pixels of its picture.
        side_px: Width and height of the squares.
        sizes_wh: (n, 2) of the pictures without what pads them; their edges are then repeated.
    """
    along = torch.arange(side_px, dtype=torch.float32, device=pictures.device)
    y, x = torch.meshgrid(along, along, indexing="ij")
    squares = torch.stack([x, y, torch.ones_like(x)], dim=-1).reshape(1, -1, 3)
    matrix = torch.from_numpy(np.asarray(to_picture, np.float32)).to(pictures.device)
    found = squares @ matrix.transpose(1, 2)
    height, width = pictures.shape[2:]
    last = torch.tensor([width - 1, height - 1], dtype=torch.float32, device=pictures.device)
    points = found[..., :2] / found[..., 2:].clamp(min=1e-6)
    if sizes_wh is not None:
        most = torch.from_numpy(sizes_wh - 1).to(points)[:, None]
        points = torch.minimum(points.clamp(min=0), most)
    grid = 2 * points / last - 1
    shown = functional.grid_sample(
        pictures - PAD, grid.reshape(-1, side_px, side_px, 2), align_corners=True
    )
    return shown + PAD
