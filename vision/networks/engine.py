"""What runs a network: OpenCV's DNN module, or ONNX Runtime where the extra `fast` is installed.

Both give the same numbers; ONNX Runtime takes about half the time. `SETTEBELLO_ENGINE` chooses one
of them, `opencv` or `onnxruntime`, whatever is installed.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import cv2
import numpy as np
import numpy.typing as npt

Tensor = npt.NDArray[np.float32]
"""A batch of pictures (N x 3 x height x width, RGB, 0 to 1), or an output of a network."""
CHOICE = "SETTEBELLO_ENGINE"
"""The environment variable that names an engine."""
_FATAL = 4
"""ONNX Runtime prints nothing but what ends the process: we say what is wrong."""


Runs = Callable[[Tensor], tuple[Tensor, ...]]
"""Gives the raw outputs of a network for a batch, in the order of its file."""


@dataclass(frozen=True)
class Engine:
    """A way to run networks."""

    name: str
    """As people know it."""
    load: Callable[[bytes, int | None], Runs]
    """The content of an ONNX file and a number of threads (None: all processors) -> a function from
    a batch to the raw outputs. OpenCV has one number of threads for all (`cv2.setNumThreads`)."""
    refusals: tuple[type[Exception], ...]
    """What it raises at a file that it cannot read, or a batch that the network does not take."""


def chosen() -> Engine:
    """The engine that `SETTEBELLO_ENGINE` names; else ONNX Runtime, if it is installed."""
    fallback = "onnxruntime" if find_spec("onnxruntime") else "opencv"
    return onnx_runtime() if os.environ.get(CHOICE, fallback) == "onnxruntime" else opencv()


def opencv() -> Engine:
    """OpenCV's DNN module."""
    return Engine("OpenCV", _in_opencv, (cv2.error,))


def onnx_runtime() -> Engine:
    """ONNX Runtime."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    refusals = (
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NoModel,
        state.NotImplemented,
        state.RuntimeException,
    )
    return Engine("ONNX Runtime", _in_onnx_runtime, refusals)


def _in_opencv(onnx: bytes, _threads: int | None) -> Runs:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8))
    names = net.getUnconnectedOutLayersNames()

    def run(batch: Tensor) -> tuple[Tensor, ...]:
        net.setInput(batch)
        return tuple(np.array(output, np.float32) for output in net.forward(names))

    return run


def _in_onnx_runtime(onnx: bytes, threads: int | None) -> Runs:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others need them
    options.log_severity_level = _FATAL
    session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def run(batch: Tensor) -> tuple[Tensor, ...]:
        outputs = session.run(None, {name: batch})
        return tuple(np.asarray(output, np.float32) for output in outputs)

    return run
