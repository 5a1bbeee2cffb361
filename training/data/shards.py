"""Generated pictures on disk: a shard is one .npz of JPEGs and what is known about them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from training.paint import Image


@dataclass(frozen=True)
class Sample:
    """One picture for the locate network."""

    jpeg: bytes
    """The picture."""
    corners: np.ndarray
    """(n, 4, 2) float32 x, y as shares of width and height; outside 0..1 where cut off."""
    visible: np.ndarray
    """(n,) float32 share of each card that can be seen."""
    indices_seen: np.ndarray
    """(n, 2) float32 shares that can be seen of its corners 0 and 2, where an index may stand."""


@dataclass(frozen=True)
class Crop:
    """One straightened card for the identify network, or a corner of one for the index network."""

    jpeg: bytes
    """A square picture, see `vision.geometry`."""
    label: int
    """Index into `vision.reading.CLASSES`."""


def encode(image_bgr: Image, *, quality: int) -> bytes:
    """A picture as JPEG bytes."""
    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def decode(jpeg: bytes) -> Image:
    """JPEG bytes as a BGR picture."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def write_shard(
    path: Path, samples: Sequence[Sample], crops: Sequence[Crop], indices: Sequence[Crop]
) -> None:
    """Writes a shard in one step, so that a reader never sees half of one."""
    counts = np.array([len(s.corners) for s in samples], np.int32)
    arrays: dict[str, np.ndarray] = {
        "scene_bytes": np.frombuffer(b"".join(s.jpeg for s in samples), np.uint8),
        "scene_sizes": np.array([len(s.jpeg) for s in samples], np.int64),
        "counts": counts,
        "corners": np.concatenate([s.corners for s in samples]).astype(np.float32),
        "visible": np.concatenate([s.visible for s in samples]).astype(np.float32),
        "indices_seen": np.concatenate([s.indices_seen for s in samples]).astype(np.float32),
    }
    for kind, cut in (("crop", crops), ("index", indices)):
        arrays[f"{kind}_bytes"] = np.frombuffer(b"".join(c.jpeg for c in cut), np.uint8)
        arrays[f"{kind}_sizes"] = np.array([len(c.jpeg) for c in cut], np.int64)
        arrays[f"{kind}_labels"] = np.array([c.label for c in cut], np.int16)
    part = path.with_suffix(".part.npz")
    np.savez(part, allow_pickle=False, **arrays)
    part.rename(path)


def _split(data: np.ndarray, sizes: np.ndarray) -> Iterator[bytes]:
    ends = np.cumsum(sizes)
    for start, end in zip(ends - sizes, ends, strict=True):
        yield data[start:end].tobytes()


def read_samples(path: Path) -> list[Sample]:
    """The locate pictures of a shard."""
    with np.load(path) as z:
        ends = np.cumsum(z["counts"])
        told = [z[name] for name in ("corners", "visible", "indices_seen")]
        return [
            Sample(jpeg, *(one[end - n : end] for one in told))
            for jpeg, end, n in zip(
                _split(z["scene_bytes"], z["scene_sizes"]), ends, z["counts"], strict=True
            )
        ]


def read_crops(path: Path, kind: str = "crop") -> list[Crop]:
    """The identify pictures of a shard, or with `index` those of the index network."""
    with np.load(path) as z:
        jpegs = _split(z[f"{kind}_bytes"], z[f"{kind}_sizes"])
        labels = z[f"{kind}_labels"].tolist()
        return [Crop(jpeg, label) for jpeg, label in zip(jpegs, labels, strict=True)]


def shard_paths(folder: Path) -> list[Path]:
    """The finished shards of a folder, oldest seed first."""
    return sorted(p for p in folder.glob("shard-*.npz") if not p.name.endswith(".part.npz"))
