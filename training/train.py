"""Train a network: `python -m training.train locate data/scenes --hours 0.2`.

The kinds are `locate` (finds cards), `refine` (sets corners right), `identify` (names cards) and
`index` (reads their corners). All learn from the same scenes, see `training.data`; locate and
refine also from those that are written meanwhile, while the others cut all their crops before they
start (`training.crops`). A run ends by the clock and keeps its weights of every few minutes; a
later run starts from the weights of an earlier one, or from what fits of another kind's: refine and
index start from identify's, as refine learns nothing in its first minutes from scratch; locate may
start from YOLO26n as trained on COCO.
"""

import argparse
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from ultralytics.cfg import get_cfg
from ultralytics.nn.tasks import ClassificationModel, yaml_model_load
from ultralytics.utils.torch_utils import ModelEMA

from training.batches import Batch, ScenePool, locate_batch, refine_batch
from training.crops import identify_pool, index_pool, naming_batch
from training.networks import (
    CARD,
    INDEX_CORNER,
    CardPoseModel,
    RefineModel,
    load_checkpoint,
    mix_styles,
)
from vision.classify import CORNERS
from vision.corners import REFINE_PX
from vision.geometry import CROP_PX, INDEX_PX
from vision.reading import CLASSES

SEED = 7
SAVE_EVERY_S, KEEP_EVERY_S = 30.0, 300.0
"""How often the weights are written, and written under a separate name."""
LATEST = 0.02
"""Weight of the latest batch in the losses of the log."""
WARM_UP, LEAST_RATE = 0.03, 0.02
"""The learning rate rises over so much of the time, then falls by a cosine to that share."""
EASY, EASY_WEIGHT, HOPELESS, HOPELESS_WEIGHT = 0.03, 0.2, 3.0, 0.5
"""Crops of a smaller or greater loss count by these weights."""


class NamedLoss:
    """Cross-entropy in which crops of a very small or very large loss count less."""

    def __call__(self, found: Any, batch: Batch) -> Any:
        """Return the weighted mean over a batch."""
        found = found[1] if isinstance(found, list | tuple) else found
        each = functional.cross_entropy(found, batch["cls"], reduction="none")
        weights = batch["weight"]
        weights = torch.where(each < EASY, EASY_WEIGHT * weights, weights)
        weights = torch.where(each > HOPELESS, HOPELESS_WEIGHT * weights, weights)
        loss = (each * weights.detach()).sum() / weights.sum().clamp(min=1e-6)
        return loss, {"loss": loss.detach()}


def locate_model() -> Any:
    """YOLO26n-pose with four keypoints; one head, whose doubles are removed afterwards."""
    shape = {"end2end": False, "nc": 2, "kpt_shape": [4, 2]}
    model = CardPoseModel(
        {**yaml_model_load("yolo26n-pose.yaml"), **shape},
        nc=2, ch=3, data_kpt_shape=[4, 2], verbose=False,
    )  # fmt: skip
    model.names = {CARD: "card", INDEX_CORNER: "index corner"}
    model.kpt_shape, model.kpt_oks_sigmas = [4, 2], [0.05] * 4
    return model


def naming_model(classes: Sequence[str], *, stride: int) -> Any:
    """YOLO26n-cls; index's first layer leaves out no pixel, as an index is ten wide."""
    model = ClassificationModel("yolo26n-cls.yaml", nc=len(classes), ch=3, verbose=False)
    model.model[0].conv.stride = (stride, stride)
    model.names = dict(enumerate(classes))
    model.criterion = NamedLoss()
    for part in model.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.1
    return model


@dataclass(frozen=True)
class Kind:
    """How one of the networks is trained."""

    model: Callable[[], Any]
    pool: Callable[..., Any]
    """Makes the pool that batches are drawn from, given a folder of scenes, the device and the most
    that it holds. Kinds that are trained in turn share a pool if theirs are the same."""
    make: Callable[[np.random.Generator, Any, int], Batch]
    side_px: int
    task: str
    batch: int
    lr: float
    decay: float
    styles: bool = False

    @property
    def args(self) -> dict[str, Any]:
        """What ultralytics wants to know of a network."""
        return {"imgsz": self.side_px, "task": self.task}


scene_pool = partial(ScenePool, side_px=1024)
KINDS = {
    "locate": Kind(locate_model, scene_pool, locate_batch, 640, "pose", 96, 0.002, 0.0005),
    "refine": Kind(RefineModel, scene_pool, refine_batch, REFINE_PX, "classify", 16, 0.0008, 0.005),
    "identify": Kind(
        lambda: naming_model(CLASSES, stride=2), identify_pool, naming_batch, CROP_PX, "classify",
        256, 0.001, 0.01, styles=True,
    ),
    "index": Kind(
        lambda: naming_model(CORNERS, stride=1), index_pool, naming_batch, INDEX_PX, "classify",
        384, 0.001, 0.01, styles=True,
    ),
}  # fmt: skip


def _as_float32(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _as_float32(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_as_float32(item) for item in value)
    return value


def known_weights(path: Path) -> dict[str, torch.Tensor]:
    """Return the tensors of a checkpoint, or of an .npz as that of COCO is kept."""
    if path.suffix == ".npz":
        return {name: torch.from_numpy(value).float() for name, value in np.load(path).items()}
    return dict(load_checkpoint(path).state_dict())


class Run:
    """A network being trained."""

    def __init__(
        self, kind: str, pool: Any, out: Path, *,
        weights: Path | None, batch: int | None, lr: float | None,
    ) -> None:  # fmt: skip
        self.kind, self.pool, self.out = KINDS[kind], pool, out
        self.lr, self.batch = lr or self.kind.lr, batch or self.kind.batch
        model = self.kind.model()
        if weights:
            known, own = known_weights(weights), model.state_dict()
            fitting = {k: v for k, v in known.items() if k in own and own[k].shape == v.shape}
            model.load_state_dict(fitting, strict=False)
            print(f"{out.name}: {len(fitting)} of {len(own)} tensors from {weights}", flush=True)
        model.args = get_cfg(overrides=self.kind.args)
        for parameter in model.parameters():
            parameter.requires_grad = True
        self.model = model.to(pool.device).to(memory_format=torch.channels_last).train()
        self.ema = ModelEMA(self.model)
        if self.kind.styles:
            mix_styles(self.model)
        decayed = [p for p in self.model.parameters() if p.ndim > 1]
        others = [p for p in self.model.parameters() if p.ndim <= 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": self.kind.decay}, {"params": others}],
            lr=self.lr, weight_decay=0.0,
        )  # fmt: skip
        self.steps, self.losses = 0, dict[str, torch.Tensor]()
        self.shown, self.waited_s = 0, 0.0
        self._rng = np.random.default_rng([SEED, int(time.time())])
        self._maker = ThreadPoolExecutor(1)
        self._next = self._maker.submit(self._make)

    def _make(self) -> Batch:
        return self.kind.make(self._rng, self.pool, self.batch)

    def close(self) -> None:
        """Make no more batches."""
        self._maker.shutdown()

    def step(self, done: float) -> None:
        """One batch; `done` is the share of the time that is over."""
        falling = 0.5 * (1 + np.cos(np.pi * min(1.0, done)))
        rate = self.lr * min(1.0, done / WARM_UP) * (LEAST_RATE + (1 - LEAST_RATE) * falling)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        start = time.monotonic()
        batch = {name: value.to(self.pool.device) for name, value in self._next.result().items()}
        self.waited_s += time.monotonic() - start
        self.shown += len(batch["img"])
        self._next = self._maker.submit(self._make)
        loss, items = self.model.loss(batch, self._found(batch["img"]))
        self.optimizer.zero_grad(set_to_none=True)
        loss.sum().backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        if not torch.isfinite(norm):
            print(f"{self.out.name}: a gradient that is no number, left out", flush=True)
            return
        self.optimizer.step()
        self.ema.update(self.model)
        self.steps += 1
        for key, value in items.items():
            self.losses[key] = torch.lerp(self.losses.get(key, value), value, LATEST)

    def _found(self, pictures: torch.Tensor) -> Any:
        """Return the network's output, computed in bfloat16 where the processor supports it."""
        kind = self.pool.device.type
        worth_it = kind != "cpu" or torch.cpu._is_avx512_bf16_supported()
        with torch.autocast(kind, torch.bfloat16, enabled=worth_it):
            out = self.model(pictures.contiguous(memory_format=torch.channels_last))
        return _as_float32(out)

    def save(self, *, spent_s: float, keep: bool) -> None:
        """Write the averaged weights in one step and say how it goes.

        Args:
            spent_s: Seconds since the start.
            keep: Whether to write them under a separate name, too: minutes since the start.
        """
        self.out.parent.mkdir(parents=True, exist_ok=True)
        model = deepcopy(self.ema.ema).cpu().half()
        model.args, model.criterion = self.kind.args, None
        part = self.out.with_suffix(".part")
        torch.save({"model": model, "ema": None, "train_args": self.kind.args}, part)
        part.replace(self.out)
        if keep:
            name = f"{self.out.stem}-{round(spent_s / 60):03d}{self.out.suffix}"
            shutil.copy2(self.out, self.out.with_name(name))
        losses = " ".join(f"{key} {value:.3f}" for key, value in self.losses.items())
        print(
            f"{self.out.name}: {spent_s / 60:.1f} min, {self.steps} batches,"
            f" {self.shown / spent_s:.0f} pictures/s, {self.waited_s / spent_s:.0%} of the time"
            f" spent waiting for them; {losses}",
            flush=True,
        )


def fit(runs: Sequence[Run], *, seconds: float) -> None:
    """Train some networks in turn until their time is over."""
    start = saved = kept = time.monotonic()
    while (now := time.monotonic()) - start < seconds:
        for run in runs:
            run.step((now - start) / seconds)
        if now - saved > SAVE_EVERY_S:
            saved, keep = now, now - kept > KEEP_EVERY_S
            kept = now if keep else kept
            for run in runs:
                run.save(spent_s=time.monotonic() - start, keep=keep)
    for run in runs:
        run.save(spent_s=time.monotonic() - start, keep=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="training.train", description=__doc__)
    parser.add_argument("kinds", help="one of " + ", ".join(KINDS) + ", or some joined by +")
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--hours", type=float, default=0.3)
    parser.add_argument("--weights", type=Path, help="a checkpoint, a folder of them, or an .npz")
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder for KIND.pt")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--lr", type=float)
    parser.add_argument("--most", type=int, help="scenes or crops held at most")
    args = parser.parse_args(argv)
    torch.manual_seed(SEED)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    held = {"most": args.most} if args.most else {}
    pools, runs = dict[Any, Any](), []
    for kind in args.kinds.split("+"):
        opened = KINDS[kind].pool
        if opened not in pools:
            pools[opened] = opened(args.scenes, device=device, **held)
        given = args.weights
        weights = given / f"{kind}.pt" if given and given.is_dir() else given
        out = args.out / f"{kind}.pt"
        runs.append(Run(kind, pools[opened], out, weights=weights, batch=args.batch, lr=args.lr))
    try:
        fit(runs, seconds=args.hours * 3600)
    finally:
        for run in runs:
            run.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
