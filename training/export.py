"""Write a network as ONNX: `python -m training.export locate LAST.pt`.

Beside it, in checkpoints/, the weights that a later stage starts from.
Raw outputs, no suppression inside: `vision.detect` removes doubles by its own rule.
"""

import argparse
import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from ultralytics import YOLO

from training.stages import trainer
from training.stages.checkpoints import earlier_names, load_checkpoint
from vision.corners import REFINE_PX
from vision.geometry import CROP_PX, INDEX_PX
from vision.reader import MODELS

LOCATE_INPUT_PX = 640
"""Side of the square that the locate network reads."""
_SIDES = {
    "locate": LOCATE_INPUT_PX,
    "refine": REFINE_PX,
    "identify": CROP_PX,
    "index": INDEX_PX,
}


def export(kind: str, weights: Path, target: Path) -> str:
    """Writes `target` and returns its sha256.

    The locate network takes pictures of any height and width that are multiples of 32, the
    others any number of crops at once.
    """
    with earlier_names():
        model = YOLO(str(weights))
    written = model.export(
        format="onnx", imgsz=_SIDES[kind], nms=None, simplify=True,
        dynamic=kind == "locate", device="cpu",
    )  # fmt: skip
    shutil.move(written, target)
    if kind != "locate":
        _free_batch_axis(target)
    return hashlib.sha256(target.read_bytes()).hexdigest()


def keep(weights: Path, target: Path) -> None:
    """Writes what a later stage starts from: the weights in half precision, nothing else."""
    stored = load_checkpoint(weights)
    args = {name: stored["train_args"][name] for name in ("imgsz", "task")}
    model = (stored.get("ema") or stored["model"]).half()
    model.args, model.pt_path = args, None  # ultralytics keeps the training machine's folders there
    target.parent.mkdir(exist_ok=True)
    torch.save({"model": model, "train_args": args}, target)


def _free_batch_axis(path: Path) -> None:
    """Names the first axis of inputs and outputs; reshapes copy it instead of saying 1."""
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
    """The command line."""
    parser = argparse.ArgumentParser(prog="training.export", description=__doc__)
    parser.add_argument("kind", choices=sorted(_SIDES))
    parser.add_argument("weights", type=Path)
    parser.add_argument("--out", type=Path, default=None)
    args = parser.parse_args(argv)
    target = args.out or MODELS / f"{args.kind}.onnx"
    digest = export(args.kind, args.weights, target)
    keep(args.weights, target.parent / "checkpoints" / f"{args.kind}.pt")
    print(f"{target.name}: {target.stat().st_size} bytes, sha256 {digest}, seed {trainer.SEED}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
