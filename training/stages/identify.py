"""Train the network that names cards: `python -m training.stages.identify data/scenes`.

YOLO26n-cls on straightened crops of 128 x 128 pixels: the forty cards, `back` and `x`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from ultralytics.nn.tasks import ClassificationModel

from training.data.recolour import repainted
from training.data.shards import Crop, decode, read_crops, shard_paths
from training.packs.makers_marks import FIGURES, MARKED, marked
from training.stages import trainer
from training.stages.hard import HardCrops
from training.stages.mixstyle import mix_styles
from vision.geometry import CROP_PX
from vision.reading import CLASSES

DEFAULTS = {"weights": "yolo26n-cls.yaml", "epochs": 10, "batch": 128, "lr": 0.002, "warmup": 0.5}
"""Of a stage trained from scratch."""
FAR_AWAY = (0.28, 0.78)
"""A coarse crop has so many of its pixels a side."""
MARKS = 0.5
"""Share of the fours of coins that get another mark."""


class CropDataset(torch.utils.data.Dataset):  # type: ignore[misc]  # torch is not in mypy's venv
    """Crops with changes of light and a little movement; never mirrored: that is another card."""

    def __init__(self, crops: list[Crop]) -> None:
        self.crops = crops
        self.figures = [crop for crop in crops if CLASSES[crop.label] in FIGURES]

    def __len__(self) -> int:
        return len(self.crops)

    def __getitem__(self, index: int) -> dict[str, Any]:
        rng = trainer.fresh_rng()
        crop = self.crops[index]
        image = self._by_another_maker(rng, crop)
        if rng.random() < 0.5:
            image = np.ascontiguousarray(image[::-1, ::-1])  # upside down: a turn, not a mirror
        image = changed(rng, image)
        rgb = np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1))
        return {"img": torch.from_numpy(rgb), "cls": crop.label}

    def _by_another_maker(self, rng: np.random.Generator, crop: Crop) -> np.ndarray:
        """The crop, a four of coins at times with another maker's mark; uint8 BGR."""
        image = decode(crop.jpeg)
        if CLASSES[crop.label] == MARKED and self.figures and rng.random() < MARKS:
            figure = self.figures[int(rng.integers(len(self.figures)))]
            return marked(rng, image, decode(figure.jpeg))
        return image


def changed(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """A crop as another press, phone, light and corner guess would have given it; uint8 BGR."""
    side = len(image)
    image = repainted(rng, image)
    box = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    moved = box + rng.normal(0, 0.015 * side, (4, 2)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(box, moved)
    image = cv2.warpPerspective(image, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.15:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.6)))
    if rng.random() < 0.2:
        image = _coarsened(rng, image)
    gain = np.exp(rng.normal(0, 0.18)) * np.exp(rng.normal(0, 0.05, 3))
    shifted = image.astype(np.float32) * gain + rng.normal(0, 8)
    if rng.random() < 0.3:
        shifted += rng.normal(0, rng.uniform(1, 12), image.shape)
    return np.asarray(np.clip(shifted, 0, 255), np.uint8)


def _coarsened(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """As if the card had been far away."""
    side = round(len(image) * rng.uniform(*FAR_AWAY))
    small = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_LINEAR))


class IdentifyTrainer(trainer.CropTraining):
    """Ultralytics' classification trainer on crops from shards."""

    classes = CLASSES
    """What it learns to tell apart."""

    def get_dataset(self) -> dict[str, Any]:
        """The data set's description; `args.data` is the folder of shards."""
        names = dict(enumerate(self.classes))
        return {
            "nc": len(self.classes), "names": names, "channels": 3,
            "train": self.args.data, "val": self.args.data, "test": self.args.data,
        }  # fmt: skip

    def build_dataset(self, img_path: str, mode: str = "train", batch: Any = None) -> Any:
        """All crops of the folder; the validation loader, which is not used, gets a few."""
        paths = shard_paths(Path(img_path))
        chosen = paths if mode == "train" else paths[:1]
        return CropDataset([crop for path in chosen for crop in read_crops(path)])

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
        """YOLO26n-cls from scratch, or with the weights of an earlier stage."""
        model = ClassificationModel("yolo26n-cls.yaml", nc=len(self.classes), ch=3, verbose=False)
        if weights:
            model.load(weights)
        return model.to(memory_format=torch.channels_last)

    def _setup_train(self) -> Any:
        """Styles are mixed in the model that learns, not in the average of it that is kept."""
        schedule = super()._setup_train()
        mix_styles(self.model)
        return schedule


class HardCropsTrainer(HardCrops, IdentifyTrainer):
    """Whole cards, mostly hard ones."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = trainer.stage_parser("identify", __doc__, defaults=DEFAULTS)
    args = parser.parse_args(argv)
    chosen = HardCropsTrainer if args.hard else IdentifyTrainer
    trainer.train(chosen, args, imgsz=CROP_PX, weight_decay=0.01, dropout=0.1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
