"""Train the network that reads corners: `python -m training.stages.index data/scenes`.

YOLO26n-cls on the corners of cards, 64 x 64 pixels: the card whose index stands there, `back`, `x`
where it is of no Scopa card, or that nothing is seen where another card covers it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.data.shards import Crop, decode, read_crops, shard_paths
from training.stages import trainer
from training.stages.hard import HardCrops
from training.stages.identify import IdentifyTrainer, changed
from vision.classify import CORNERS
from vision.geometry import INDEX_PX

DEFAULTS = {"weights": "yolo26n-cls.yaml", "epochs": 10, "batch": 128, "lr": 0.002, "warmup": 0.5}
"""Of a stage trained from scratch."""


class IndexDataset(torch.utils.data.Dataset):  # type: ignore[misc]  # torch is not in mypy's venv
    """Corners with changes of light and a little movement; an index is never upside down."""

    def __init__(self, crops: list[Crop]) -> None:
        self.crops = crops

    def __len__(self) -> int:
        return len(self.crops)

    def __getitem__(self, at: int) -> dict[str, Any]:
        image = changed(trainer.fresh_rng(), decode(self.crops[at].jpeg))
        rgb = np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1))
        return {"img": torch.from_numpy(rgb), "cls": self.crops[at].label}


class IndexTrainer(IdentifyTrainer):
    """Ultralytics' classification trainer on corners from shards."""

    classes = CORNERS
    """What it learns to tell apart."""

    def build_dataset(self, img_path: str, mode: str = "train", batch: Any = None) -> Any:
        """All corners of the folder; the validation loader, which is not used, gets a few."""
        paths = shard_paths(Path(img_path))
        chosen = paths if mode == "train" else paths[:1]
        return IndexDataset([crop for path in chosen for crop in read_crops(path, "index")])

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
        """Identify's network, but its first layer leaves out no pixel: an index is ten wide."""
        model = super().get_model(cfg, weights, verbose)
        model.model[0].conv.stride = (1, 1)
        return model


class HardIndexTrainer(HardCrops, IndexTrainer):
    """The same, mostly on hard ones."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = trainer.stage_parser("index", __doc__, defaults=DEFAULTS)
    args = parser.parse_args(argv)
    chosen = HardIndexTrainer if args.hard else IndexTrainer
    trainer.train(chosen, args, imgsz=INDEX_PX, weight_decay=0.01, dropout=0.1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
