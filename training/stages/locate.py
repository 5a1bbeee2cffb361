"""Train the network that finds cards: `python -m training.stages.locate data/scenes`.

YOLO26n-pose with four keypoints, the card's corners, hidden ones too, and two classes: what gives
them is the card, or its index corner. A run may have several stages, small pictures first; each
starts from the weights of the one before.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from ultralytics.data.dataset import YOLODataset
from ultralytics.models.yolo.pose import PoseTrainer

from training.data.shards import Sample, decode, read_samples, shard_paths
from training.stages import trainer
from training.stages.card_pose import (
    CARD,
    INDEX_CORNER,
    INDEX_CORNER_OF_CARD,
    CardPoseModel,
)
from training.stages.hard import CrowdedScenes
from training.stages.resident import ResidentTraining, ScenePool, seen_through
from vision.detect import STRIDE
from vision.photo import shrunk

MIN_VISIBLE = 0.06
"""A card of which less can be seen is not asked for: a French index is a twentieth of its card."""
MIN_INSIDE = 0.35
"""Nor is one of which less lies inside the picture."""
MIN_INDEX = 0.5
"""An index corner of which less can be seen, or lies inside the picture, is not asked for."""
ARCHITECTURE = {"end2end": False, "nc": 2, "kpt_shape": [4, 2]}
"""Changes to yolo26n-pose: one head, whose doubles are removed by corner distance afterwards."""
DATA: dict[str, Any] = {
    "nc": 2,
    "names": {CARD: "card", INDEX_CORNER: "index corner"},
    "channels": 3,
    "kpt_shape": [4, 2],
    "kpt_oks_sigmas": [0.05] * 4,
}
"""What ultralytics wants to know of a data set."""


DEFAULTS = {"weights": "yolo26n-pose.yaml", "epochs": 3, "batch": 16, "lr": 0.0015, "warmup": 0.3}
"""Of a stage trained from scratch."""


class SceneDataset(torch.utils.data.Dataset):  # type: ignore[misc]  # torch is not in mypy's venv
    """Square cut-outs of scenes with boxes and corners as shares of the square."""

    collate_fn = staticmethod(YOLODataset.collate_fn)

    def __init__(self, samples: list[Sample], *, side_px: int) -> None:
        self.samples = samples
        self.side_px = side_px

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int) -> dict[str, Any]:
        rng = trainer.fresh_rng()
        sample = self.samples[index]
        image = decode(sample.jpeg)
        size_wh = np.array(image.shape[1::-1], np.float32)
        matrix = cut(rng, size_wh, self.side_px)
        square = _laid(image, matrix, self.side_px)
        corners = _placed(sample.corners * size_wh, matrix) / self.side_px
        rgb = np.ascontiguousarray(square[..., ::-1].transpose(2, 0, 1))
        wanted = targets(corners, sample.visible, sample.indices_seen)
        return {"img": torch.from_numpy(rgb), **wanted}


class ResidentScenes:
    """The same as a whole batch at a time, from scenes held on a GPU."""

    def __init__(self, pool: ScenePool, *, side_px: int) -> None:
        self.pool = pool
        self.side_px = side_px

    def __call__(self, count: int) -> dict[str, Any]:
        """A batch of so many squares, pixels 0 to 255 on the GPU."""
        rng = trainer.fresh_rng()
        drawn = self.pool.draw(rng, count)
        matrices = np.array(
            [[*cut(rng, size_wh, self.side_px), (0, 0, 1)] for size_wh in drawn.sizes_wh]
        )
        of = np.repeat(np.arange(count), [len(one.corners) for one in drawn.samples])
        points = np.concatenate([one.corners for one in drawn.samples]) * drawn.sizes_wh[of, None]
        placed = np.einsum("nij,nkj->nki", matrices[of, :2, :2], points)
        corners = (placed + matrices[of, None, :2, 2]) / self.side_px
        visible = np.concatenate([one.visible for one in drawn.samples])
        indices_seen = np.concatenate([one.indices_seen for one in drawn.samples])
        squares = seen_through(drawn.pixels, np.linalg.inv(matrices), self.side_px)
        return {"img": squares, **targets(corners, visible, indices_seen, of)}


def targets(
    corners: np.ndarray, visible: np.ndarray, indices_seen: np.ndarray, of: np.ndarray | None = None
) -> dict[str, torch.Tensor]:
    """What the network is asked for, as ultralytics wants it: cards, and their index corners.

    Args:
        corners: (n, 4, 2) of cards as shares of the square; what lies outside of it is not shown.
        visible: (n,) share that is seen of each card.
        indices_seen: (n, 2) shares of the index corners at corners 0 and 2.
        of: (n,) picture of the batch that each card is in; one picture without it.
    """
    ends = np.stack([corners, np.roll(corners, 2, axis=1)], axis=1)
    at_ends = np.asarray(INDEX_CORNER_OF_CARD, np.float32) @ ends
    places = np.concatenate([corners[:, None], at_ends], axis=1).astype(np.float32)
    inside = _inside(places)
    asked = np.column_stack([visible >= MIN_VISIBLE, indices_seen >= MIN_INDEX])
    asked &= inside >= [MIN_INSIDE, MIN_INDEX, MIN_INDEX]
    keypoints = np.concatenate([corners[:, None], ends], axis=1)[asked].astype(np.float32)
    low, high = (end.clip(0, 1) for end in (places[asked].min(1), places[asked].max(1)))
    classes = np.broadcast_to([CARD, INDEX_CORNER, INDEX_CORNER], asked.shape)[asked]
    pictures = np.repeat(np.zeros(len(corners)) if of is None else of, 3).reshape(-1, 3)[asked]
    return {
        "cls": torch.from_numpy(classes.astype(np.float32)[:, None]),
        "bboxes": torch.from_numpy(np.concatenate([(low + high) / 2, high - low], 1)),
        "keypoints": torch.from_numpy(keypoints),
        "batch_idx": torch.from_numpy(pictures.astype(np.float32)),
    }


def _sides_px(args: Any) -> range:
    """The sides of the squares that a stage trains on: multiples of the network's stride."""
    least, most = (int(args.imgsz * (1 + sign * args.multi_scale)) for sign in (-1, 1))
    return range(least // STRIDE * STRIDE, most + 1, STRIDE)


def cut(rng: np.random.Generator, size_wh: np.ndarray, side_px: int) -> np.ndarray:
    """A 2 x 3 matrix: zoom, quarter turn and shift a picture into a square.

    Never mirrored: an index stands in the upper left corner of every card, or nowhere.
    """
    zoom = (
        side_px / size_wh.max() * (1.0 if rng.random() < 0.4 else np.exp(rng.uniform(-0.15, 0.5)))
    )
    quarter = int(rng.integers(4))
    turn = np.array([[0, -1], [1, 0]]) if quarter % 2 else np.eye(2)
    linear = turn * (-1 if quarter >= 2 else 1) * zoom
    frame = np.abs(linear) @ size_wh
    middle = linear @ (size_wh / 2)
    slack = side_px - frame
    shift = side_px / 2 - middle + rng.uniform(-0.5, 0.5, 2) * np.abs(slack)
    return np.column_stack([linear, shift]).astype(np.float32)


def _placed(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Points (..., 2) under a 2 x 3 matrix."""
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)


def _laid(image: np.ndarray, matrix: np.ndarray, side_px: int) -> np.ndarray:
    """A picture under a 2 x 3 matrix in a square; made smaller as photos are, no pixel skipped."""
    zoom = min(1.0, float(np.sqrt(abs(np.linalg.det(matrix[:, :2])))))
    small_wh = np.maximum(np.round(np.array(image.shape[1::-1]) * zoom).astype(int), 1)
    small = shrunk(image, (int(small_wh[0]), int(small_wh[1])))
    placed = matrix / np.array([zoom, zoom, 1.0])
    return cv2.warpAffine(small, placed, (side_px, side_px), borderValue=(114, 114, 114))


def _inside(places: np.ndarray) -> np.ndarray:
    """The shares of some quadrilaterals (..., 4, 2) inside the unit square, by a 5 x 5 raster."""
    t = np.linspace(0.1, 0.9, 5, dtype=np.float32)
    u, v = (a.reshape(-1, 1) for a in np.meshgrid(t, t))
    a, b, c, d = (places[..., k, None, :] for k in range(4))
    points = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c)
    return np.asarray(((points > 0) & (points < 1)).all(-1).mean(-1))


class LocateTrainer(ResidentTraining, trainer.ShardTraining, PoseTrainer):  # type: ignore[misc]
    """Ultralytics' pose trainer on scene shards."""

    def get_dataset(self) -> dict[str, Any]:
        """The data set's description; `args.data` is the folder of shards."""
        return {**DATA, "train": self.args.data, "val": self.args.data}

    def build_dataset(self, img_path: str, mode: str = "train", batch: int | None = None) -> Any:
        """All scenes of the folder; the validation loader, which is not used, gets a few."""
        paths = shard_paths(Path(img_path))
        chosen = paths if mode == "train" else paths[:1]
        samples = [sample for path in chosen for sample in read_samples(path)]
        return SceneDataset(samples, side_px=_sides_px(self.args)[-1])

    def resident_batches(self, pool: ScenePool) -> ResidentScenes:
        """Squares of the largest side."""
        return ResidentScenes(pool, side_px=_sides_px(self.args)[-1])

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Pixels 0..1 on the device, the squares shrunk to a side drawn for the batch.

        Ultralytics' own enlarges what was cut small: softer than any photo that is read.
        """
        ready = {k: v.to(self.device) if hasattr(v, "to") else v for k, v in batch.items()}
        side_px = int(trainer.fresh_rng().choice(_sides_px(self.args)))
        ready["img"] = torch.nn.functional.interpolate(
            ready["img"].float() / 255, size=(side_px, side_px), mode="bilinear", antialias=True
        )
        return ready

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
        """YOLO26n-pose from scratch, or with the weights of an earlier stage."""
        from ultralytics.nn.tasks import yaml_model_load

        model = CardPoseModel(
            {**yaml_model_load("yolo26n-pose.yaml"), **ARCHITECTURE},
            nc=2, ch=3, data_kpt_shape=DATA["kpt_shape"], verbose=False,
        )  # fmt: skip
        model = self.set_model_names_for_load(model)
        if weights:
            model.load(weights)
        return model.to(memory_format=torch.channels_last)


class CrowdedTrainer(CrowdedScenes, LocateTrainer):
    """The same, mostly on scenes in which cards lie on one another."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = trainer.stage_parser("locate", __doc__, defaults=DEFAULTS)
    parser.add_argument("--imgsz", type=int, default=416)
    parser.add_argument("--multi-scale", type=float, default=0.0, help="0.4: from 60%% to 140%%")
    args = parser.parse_args(argv)
    chosen = CrowdedTrainer if args.hard else LocateTrainer
    trainer.train(
        chosen, args, imgsz=args.imgsz, multi_scale=args.multi_scale, weight_decay=0.0005
    )  # fmt: skip
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
