"""What both trainings share: ultralytics' trainers fed from shards, in bfloat16 on a CPU."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from ultralytics.nn.tasks import BaseModel

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


@contextmanager
def cpu_bfloat16() -> Iterator[None]:
    """Runs every forward pass of a training on a CPU in bfloat16: about three times as fast."""
    original = BaseModel._predict_once

    def fast(self: Any, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if not self.training or x.device.type != "cpu":
            return original(self, x, *args, **kwargs)
        with torch.autocast("cpu", torch.bfloat16):
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

    def final_eval(self) -> None:
        """Nothing: export and evaluation are commands of their own."""


def settings(*, project: Path, name: str, **overrides: Any) -> dict[str, Any]:
    """The settings both trainings share, as ultralytics names them."""
    return {
        "project": str(project.resolve()),
        "name": name,
        "exist_ok": True,
        "val": False,
        "plots": False,
        "amp": False,
        "pretrained": True,
        "seed": SEED,
        "deterministic": False,
        "device": "0" if torch.cuda.is_available() else "cpu",
        "workers": 1,
        "patience": 0,
        **overrides,
    }
