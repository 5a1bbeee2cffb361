"""Train the network that sets corners right: `python -m training.stages.refine data/scenes`.

YOLO26n-cls' backbone on crops of rough boxes, with a head that says where in the crop the card's
corners lie and whether there is a card. Mirrored and turned crops are as good as others: what the
card is does not matter here.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from ultralytics.models.yolo.classify import ClassificationTrainer

from training.data.boxes import Box, rough_box
from training.data.shards import Sample, decode, read_samples, shard_paths
from training.stages import trainer
from training.stages.corner_head import RefineModel
from training.stages.hard import CrowdedScenes
from training.stages.resident import ResidentTraining, SceneBatch, ScenePool, seen_through
from vision.corners import OUTPUTS, REFINE_PX, crop_matrix, refine_crop, to_crop

DEFAULTS = {"weights": "yolo26n-cls.yaml", "epochs": 10, "batch": 8, "lr": 0.0015, "warmup": 0.5}
"""Of a stage trained from scratch; a batch is of scenes."""
MOST_HALVED = 2
"""How often a scene held on a GPU is halved at most for a crop of it."""
BOXES_PER_SCENE = 12
"""Rough boxes tried in each scene, each time it is shown."""


class BoxDataset(torch.utils.data.Dataset):  # type: ignore[misc]  # torch is not in mypy's venv
    """Crops of rough boxes in scenes; an item is all those of one scene."""

    def __init__(self, samples: list[Sample]) -> None:
        self.samples = [sample for sample in samples if len(sample.corners)]

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int) -> dict[str, Any]:
        rng = trainer.fresh_rng()
        sample = self.samples[index]
        image = decode(sample.jpeg)
        boxes = _rough_boxes(rng, sample, np.array(image.shape[1::-1]))
        mirrored = rng.random(len(boxes)) < 0.5
        crops = np.array([refine_crop(image, box.rough) for box in boxes], np.uint8)
        crops = crops.reshape(-1, REFINE_PX, REFINE_PX, 3)
        crops[mirrored] = crops[mirrored][:, :, ::-1]
        rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))
        return {"img": torch.from_numpy(rgb), "cls": _targets(boxes, mirrored)}

    @staticmethod
    def collate_fn(items: list[dict[str, Any]]) -> dict[str, Any]:
        """The crops of several scenes as one batch."""
        return {key: torch.cat([item[key] for item in items]) for key in ("img", "cls")}


class ResidentBoxes:
    """The same as a whole batch at a time, from scenes held on a GPU."""

    def __init__(self, pool: ScenePool) -> None:
        self.pool = pool

    def __call__(self, count: int) -> dict[str, Any]:
        """The crops of so many scenes, pixels 0 to 255 on the GPU."""
        rng = trainer.fresh_rng()
        drawn = self.pool.draw(rng, count)
        told = zip(drawn.samples, drawn.sizes_wh, strict=True)
        boxes = [(k, box) for k, one in enumerate(told) for box in _rough_boxes(rng, *one)]
        of = np.array([k for k, _ in boxes])
        mirrored = rng.random(len(boxes)) < 0.5
        crops = _cut_out(drawn, of, np.stack([box.rough for _, box in boxes]))
        crops[mirrored] = crops[mirrored].flip(-1)
        return {"img": crops, "cls": _targets([box for _, box in boxes], mirrored)}


def _targets(boxes: Sequence[Box], mirrored: np.ndarray) -> torch.Tensor:
    """What is asked of the crops of some boxes, (n, OUTPUTS), of which some are mirrored."""
    moves = np.array([to_crop(box.rough, box.card) for box in boxes], np.float32)
    moves = moves.reshape(-1, 4, 2)
    moves[mirrored] = moves[mirrored][:, [1, 0, 3, 2]] * np.array([-1, 1], np.float32)
    is_card = np.array([[box.is_card] for box in boxes], np.float32).reshape(-1, 1)
    return torch.from_numpy(np.concatenate([moves.reshape(-1, OUTPUTS - 1), is_card], axis=1))


def _rough_boxes(rng: np.random.Generator, sample: Sample, size_wh: np.ndarray) -> list[Box]:
    """Rough boxes in a scene of this size in pixels, their middles in it."""
    wide, high = int(size_wh[0]), int(size_wh[1])
    cards = sample.corners * np.array([wide, high], np.float32)
    tried = (rough_box(rng, cards, sample.visible, (wide, high)) for _ in range(BOXES_PER_SCENE))
    return [box for box in tried if box and _in_picture(box.rough, (wide, high))]


def _cut_out(drawn: SceneBatch, of: np.ndarray, rough: np.ndarray) -> torch.Tensor:
    """The crops of rough boxes (n, 4, 2), each of the scene that `of` says.

    Each is cut at twice its side and averaged, out of a picture halved until a box fits into that.
    """
    wide = np.linalg.norm(rough - np.roll(rough, -1, axis=1), axis=-1).min(1) / (2 * REFINE_PX)
    level = np.floor(np.log2(np.maximum(wide, 1))).astype(int).clip(max=MOST_HALVED)
    pictures = drawn.pixels
    crops = torch.zeros(len(rough), 3, REFINE_PX, REFINE_PX, device=pictures.device)
    for halved in range(MOST_HALVED + 1):
        chosen = np.flatnonzero(level == halved)
        if len(chosen):
            scale = 2.0**-halved
            there = np.stack([crop_matrix(quad * scale) for quad in rough[chosen]])
            inverse = np.linalg.inv(there) @ np.diag([0.5 / REFINE_PX, 0.5 / REFINE_PX, 1])
            source = pictures[torch.from_numpy(of[chosen]).to(pictures.device)]
            sizes = np.floor(drawn.sizes_wh[of[chosen]] * scale)
            double = seen_through(source, inverse, 2 * REFINE_PX, sizes_wh=sizes)
            crops[torch.from_numpy(chosen).to(crops.device)] = functional.avg_pool2d(double, 2)
        pictures = functional.avg_pool2d(pictures, 2)
    return crops


def _in_picture(quad: np.ndarray, size_wh: tuple[int, int]) -> bool:
    """Whether a box has its middle in the picture."""
    middle = quad.mean(0)
    return bool((middle > 0).all() and (middle < size_wh).all())


def relit(crops: torch.Tensor) -> torch.Tensor:
    """Crops (n, 3, h, w), 0 to 1, in other light, some of them blurred or grainy."""
    count, device = len(crops), crops.device
    blurred = functional.avg_pool2d(crops, 3, stride=1, padding=1, count_include_pad=False)
    crops = torch.where(torch.rand(count, 1, 1, 1, device=device) < 0.15, blurred, crops)
    gain = torch.randn(count, 1, 1, 1, device=device) * 0.2
    gain = (gain + torch.randn(count, 3, 1, 1, device=device) * 0.06).exp()
    lit = crops * gain + torch.randn(count, 1, 1, 1, device=device) * 0.03
    grain = 0.004 + 0.043 * torch.rand(count, 1, 1, 1, device=device)
    grain *= torch.rand(count, 1, 1, 1, device=device) < 0.3
    return (lit + torch.randn_like(lit) * grain).clamp(0, 1)


class RefineTrainer(ResidentTraining, trainer.CropTraining):
    """Ultralytics' classification trainer on rough boxes of scenes from shards."""

    loss_names = ("score_loss", "corner_loss")
    """What is written to results.csv."""

    def get_dataset(self) -> dict[str, Any]:
        """The data set's description; `args.data` is the folder of shards."""
        names = {at: str(at) for at in range(OUTPUTS)}
        data = self.args.data
        return {"nc": OUTPUTS, "names": names, "channels": 3, "train": data, "val": data}

    def setup_model(self) -> Any:
        """The model as it is: there are no classes to count."""
        return super(ClassificationTrainer, self).setup_model()

    def resident_batches(self, pool: ScenePool) -> ResidentBoxes:
        """Crops of rough boxes."""
        return ResidentBoxes(pool)

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        """As other crops, in other light."""
        ready = super().preprocess_batch(batch)
        return {**ready, "img": relit(ready["img"])}

    def build_dataset(self, img_path: str, mode: str = "train", batch: Any = None) -> Any:
        """All scenes of the folder; the validation loader, which is not used, gets a few."""
        paths = shard_paths(Path(img_path))
        chosen = paths if mode == "train" else paths[:1]
        return BoxDataset([sample for path in chosen for sample in read_samples(path)])

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
        """The network from scratch, or with the weights of an earlier stage."""
        model = RefineModel()
        if weights:
            model.load(weights)
        return model.to(memory_format=torch.channels_last)


class CrowdedTrainer(CrowdedScenes, RefineTrainer):
    """The same, mostly on scenes in which cards lie on one another."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = trainer.stage_parser("refine", __doc__, defaults=DEFAULTS)
    args = parser.parse_args(argv)
    chosen = CrowdedTrainer if args.hard else RefineTrainer
    trainer.train(chosen, args, imgsz=REFINE_PX, weight_decay=0.005)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
