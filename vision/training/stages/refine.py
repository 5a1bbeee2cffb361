"""Train the network that sets corners right: `python -m vision.training.stages.refine data/scenes`.

YOLO26n-cls' backbone on crops of rough boxes, with a head that says where in the crop the card's
corners lie and whether there is a card. Mirrored and turned crops are as good as others: what the
card is does not matter here.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from ultralytics.models.yolo.classify import ClassificationTrainer

from vision.networks.refine import OUTPUTS, REFINE_PX, refine_crop, to_crop
from vision.training.data.boxes import rough_box
from vision.training.data.shards import Sample, decode, read_samples, shard_paths
from vision.training.stages import trainer
from vision.training.stages.corner_head import RefineModel
from vision.training.stages.hard import CrowdedScenes

DEFAULTS = {"weights": "yolo26n-cls.yaml", "epochs": 10, "batch": 8, "lr": 0.0015, "warmup": 0.5}
"""Of a stage trained from scratch; a batch is of scenes."""
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
        cards = sample.corners * np.array(image.shape[1::-1], np.float32)
        crops, targets = [], []
        for _ in range(BOXES_PER_SCENE):
            box = rough_box(rng, cards, sample.visible, image.shape[1::-1])
            if box is None or not _in_picture(box.rough, image):
                continue
            crop = _relit(rng, refine_crop(image, box.rough))
            moves = to_crop(box.rough, box.card)
            if rng.random() < 0.5:
                crop, moves = crop[:, ::-1], moves[[1, 0, 3, 2]] * np.array([-1, 1], np.float32)
            crops.append(np.ascontiguousarray(crop[..., ::-1].transpose(2, 0, 1)))
            targets.append(np.append(moves.ravel(), box.is_card))
        return {
            "img": torch.from_numpy(np.array(crops, np.uint8).reshape(-1, 3, REFINE_PX, REFINE_PX)),
            "cls": torch.from_numpy(np.array(targets, np.float32).reshape(-1, OUTPUTS)),
        }

    @staticmethod
    def collate_fn(items: list[dict[str, Any]]) -> dict[str, Any]:
        """The crops of several scenes as one batch."""
        return {key: torch.cat([item[key] for item in items]) for key in ("img", "cls")}


def _in_picture(quad: np.ndarray, image: np.ndarray) -> bool:
    """Whether a box has its middle in the picture."""
    middle = quad.mean(0)
    return bool((middle > 0).all() and (middle < image.shape[1::-1]).all())


def _relit(rng: np.random.Generator, crop: np.ndarray) -> np.ndarray:
    """A crop in other light, at times blurred; uint8 BGR."""
    if rng.random() < 0.15:
        crop = cv2.GaussianBlur(crop, (0, 0), float(rng.uniform(0.4, 1.4)))
    gain = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.06, 3))
    lit = crop.astype(np.float32) * gain + rng.normal(0, 8)
    if rng.random() < 0.3:
        lit += rng.normal(0, rng.uniform(1, 12), crop.shape)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


class RefineTrainer(trainer.CropTraining):
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
