"""Checkpoints read, those saved under earlier module names too.

A checkpoint names the classes of its network by module. The shipped ones in models/checkpoints
were saved before two of these modules were moved, and weights are not written again for a name.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

EARLIER_NAMES = {
    "training.corners": "training.stages.card_pose",
    "training.refiner": "training.stages.corner_head",
}
"""The name of a module when checkpoints were saved, and its name now."""


@contextmanager
def earlier_names() -> Iterator[None]:
    """Lets a checkpoint find its classes by the module names of the time it was saved."""
    added = {earlier: import_module(now) for earlier, now in EARLIER_NAMES.items()}
    sys.modules.update(added)
    try:
        yield
    finally:
        for earlier in added:
            del sys.modules[earlier]


def load_checkpoint(path: Path) -> dict[str, Any]:
    """What a checkpoint holds: "model", "ema" where training kept one, and "train_args"."""
    with earlier_names():
        stored: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=False)
    return stored
