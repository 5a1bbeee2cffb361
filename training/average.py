"""Average weights of one network: `python -m training.average OUT.pt ONE.pt OTHER.pt`.

Stages that started from one another may be averaged to one network as fast as each. Whether it is
better than they are is for `vision.evaluate` to say. Source: Wortsman et al., "Model soups" (2022).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from training.stages.checkpoints import load_checkpoint


def averaged(weights: Sequence[Path]) -> dict[str, Any]:
    """The mean of some checkpoints, as a checkpoint to export or to start a stage from.

    Raises:
        ValueError: They are not of the same network.
    """
    stored = [load_checkpoint(path) for path in weights]
    models = [(one.get("ema") or one["model"]).float() for one in stored]
    states = [model.state_dict() for model in models]
    if len({tuple((name, value.shape) for name, value in state.items()) for state in states}) > 1:
        raise ValueError(
            "expected checkpoints of one network, got different layers; average stages of one kind"
        )
    mean = {
        name: torch.stack([state[name].float() for state in states]).mean(0).to(value.dtype)
        for name, value in states[0].items()
    }
    models[0].load_state_dict(mean)
    return {"model": models[0].half(), "ema": None, "train_args": stored[0]["train_args"]}


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="training.average", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    args = parser.parse_args(argv)
    torch.save(averaged(args.weights), args.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
