"""Write a network as ONNX: `python -m training.export locate runs/locate.pt`.

Beside it, in checkpoints/, go the weights that a later stage starts from. The outputs are raw, with
no suppression inside: `vision.nms` removes doubles by its own rule. Given several checkpoints that
started from one another, it writes their mean, which is as fast as each of them; `vision.evaluate`
says whether it is better (Wortsman et al., "Model soups", 2022).
"""

import argparse
import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
import torch
from ultralytics import YOLO

from training.networks import load_checkpoint
from training.train import KINDS
from vision.networks import MODELS


def averaged(weights: Sequence[Path]) -> Any:
    """Return the network with the mean weights of some checkpoints, in half precision.

    Raises:
        ValueError: They are not of the same network.
    """
    models = [load_checkpoint(path) for path in weights]
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
    return models[0].half()


def export(kind: str, model: Any, target: Path) -> str:
    """Write `target` and the checkpoint in the same folder; return the sha256 of `target`.

    The locate network takes pictures of any height and width that are multiples of 32, the
    others any number of crops at once.
    """
    side_px, task = KINDS[kind].side_px, KINDS[kind].task
    args = {"imgsz": side_px, "task": task}
    model.args, model.pt_path, model.criterion = args, None, None
    kept = target.parent / "checkpoints" / f"{kind}.pt"
    kept.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": model, "train_args": args}, kept)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copy(kept, Path(place) / "network.pt"))
        written = YOLO(str(copy)).export(
            format="onnx", imgsz=side_px, nms=None, simplify=True,
            dynamic=kind == "locate", device="cpu",
        )  # fmt: skip
        shutil.move(written, target)
    if kind != "locate":
        _free_batch_axis(target)
    return hashlib.sha256(target.read_bytes()).hexdigest()


def _free_batch_axis(path: Path) -> None:
    """Name the first axis of inputs and outputs; reshapes copy it instead of saying 1."""
    graph = onnx.load(str(path))
    shapes = {node.input[1] for node in graph.graph.node if node.op_type == "Reshape"}
    for tensor in graph.graph.initializer:
        if tensor.name in shapes:
            sizes = onnx.numpy_helper.to_array(tensor).copy()
            sizes[0] = 0
            tensor.CopyFrom(onnx.numpy_helper.from_array(sizes, tensor.name))
    for value in (*graph.graph.input, *graph.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    del graph.graph.value_info[:]
    onnx.save(graph, str(path))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="training.export", description=__doc__)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("weights", type=Path, nargs="+", help="the mean of several is written")
    parser.add_argument("--out", type=Path, default=None)
    args = parser.parse_args(argv)
    target = args.out or MODELS / f"{args.kind}.onnx"
    digest = export(args.kind, averaged(args.weights), target)
    print(f"{target.name}: {target.stat().st_size} bytes, sha256 {digest}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
