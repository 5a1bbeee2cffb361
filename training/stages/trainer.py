"""What the stages share: ultralytics' trainers fed from shards, in bfloat16."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from ultralytics.data.build import build_dataloader
from ultralytics.models.yolo.classify import ClassificationTrainer
from ultralytics.nn.tasks import BaseModel

from training.stages.checkpoints import earlier_names

SEED = 7
"""The seed of every training run."""


def _as_float32(value: Any) -> Any:
    """The same nest of tensors in float32: losses are worked out in full precision."""
    if isinstance(value, torch.Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _as_float32(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_as_float32(item) for item in value)
    return value


def fresh_rng() -> np.random.Generator:
    """Random numbers for one item, from torch's: ultralytics seeds that in every loader."""
    return np.random.default_rng(int(torch.randint(2**62, ())))


@contextmanager
def in_bfloat16() -> Iterator[None]:
    """Runs every forward pass of a training in bfloat16: on a CPU about three times as fast.

    Only where the CPU has bfloat16 of its own: elsewhere it is half as fast as float32.
    """
    original = BaseModel._predict_once

    def fast(self: Any, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if not self.training:
            return original(self, x, *args, **kwargs)
        kind = x.device.type
        worth_it = kind != "cpu" or torch.cpu._is_avx512_bf16_supported()
        with torch.autocast(kind, torch.bfloat16, enabled=worth_it):
            out = original(self, x.contiguous(memory_format=torch.channels_last), *args, **kwargs)
        return _as_float32(out)

    BaseModel._predict_once = fast
    try:
        yield
    finally:
        BaseModel._predict_once = original


class ShardTraining:
    """Mixin for an ultralytics trainer: data from shards, no validation while training.

    The figures that count are measured by `vision.evaluate` on photos, not by the trainer.
    """

    def get_validator(self) -> Any:
        """Nothing to validate with: only the loss is kept."""
        return SimpleNamespace(metrics=SimpleNamespace(keys=[]), dataloader=None)

    def validate(self) -> tuple[dict[str, float], float]:
        """The training loss, lower is fitter."""
        losses = getattr(self, "tloss", None) or {}
        return {}, -float(sum(float(v) for v in losses.values()))

    def read_results_csv(self) -> dict[str, Any]:
        """Nothing: results.csv itself stays beside the weights."""
        return {}

    def final_eval(self) -> None:
        """Nothing: export and evaluation are commands of their own."""


class CropTraining(ShardTraining, ClassificationTrainer):  # type: ignore[misc]
    """Ultralytics' classification trainer on crops: a subclass says what they are."""

    def get_dataloader(
        self, dataset_path: str, batch_size: int = 16, rank: int = 0, mode: str = "train"
    ) -> Any:
        """Batches of crops."""
        dataset = self.build_dataset(dataset_path, mode)
        return build_dataloader(
            dataset, batch=batch_size, workers=self.args.workers, shuffle=mode == "train",
            drop_last=mode == "train", device=self.device,
        )  # fmt: skip

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Pixels 0..1 on the device."""
        batch["img"] = batch["img"].to(self.device).float() / 255
        batch["cls"] = batch["cls"].to(self.device)
        return batch


def stage_parser(name: str, about: str | None, *, defaults: dict[str, Any]) -> ArgumentParser:
    """The options of a training command: one stage; a later one starts from `--weights`."""
    parser = ArgumentParser(prog=f"training.{name}", description=about)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--name", default=name)
    parser.add_argument("--weights", help="start from these")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--hours", type=float, help="stop by the clock instead")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--lr", type=float)
    parser.add_argument("--warmup", type=float, help="in epochs")
    parser.add_argument("--freeze", type=int, default=0, help="leave so many first layers alone")
    parser.add_argument("--hard", action="store_true", help="show seldom what is easy")
    parser.add_argument("--resume", action="store_true", help="go on with a stopped stage")
    parser.set_defaults(**defaults)
    return parser


def train(trainer: type, args: Namespace, **overrides: Any) -> None:
    """Runs one stage with an ultralytics trainer; weights and losses go to runs/NAME."""
    runs = Path("runs")
    settings = {
        "project": str(runs.resolve()),
        "name": args.name,
        "exist_ok": True,
        "data": str(args.scenes),
        "model": str(args.weights),
        "epochs": args.epochs,
        "time": args.hours,
        "batch": args.batch,
        "nbs": args.batch,
        "optimizer": "AdamW",
        "lr0": args.lr,
        "lrf": 0.02,
        "cos_lr": True,
        "warmup_epochs": args.warmup,
        "warmup_bias_lr": 0.0,  # 0.1, ultralytics' own, is for SGD: AdamW throws the biases about
        "freeze": args.freeze,
        "val": False,
        "plots": False,
        "amp": False,
        "seed": SEED,
        "deterministic": False,
        "device": "0" if torch.cuda.is_available() else "cpu",
        "workers": 1,
        "patience": 0,
        "close_mosaic": 0,
        **overrides,
    }
    if args.resume:
        settings["resume"] = str(runs / args.name / "weights" / "last.pt")
    with in_bfloat16(), earlier_names():
        trainer(overrides=settings).train()
