"""Runs networks: an ONNX file becomes a function from a batch of pictures to raw outputs.

OpenCV's DNN module and ONNX Runtime give the same numbers. `SETTEBELLO_ENGINE` chooses one of them,
`opencv` or `onnxruntime`, whatever is installed.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import ModelError

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


LEAST_PROBABILITY = 1e-6
"""Probabilities are raised to this before their logarithm is taken: an output of 0 is not proof."""


class Network:
    """One network, usable from several threads, one after another."""

    def __init__(
        self, path: Path, *, expected: str, threads: int | None = None, also: str = ""
    ) -> None:
        """Load an ONNX file into the engine (`vision.onnx`).

        Args:
            path: The file.
            expected: What it should be, for the message when it is not.
            threads: How many threads may run it; all processors by default.
            also: The name of a tensor inside it that `outputs` gives too, one row for each picture.

        Raises:
            ModelError: The file is missing, empty or no network, or holds no such tensor.
        """
        self.path, self.expected = path, expected
        self._lock = Lock()
        self._engine = chosen()
        try:
            data = path.read_bytes()
            if also and also.encode() not in data:
                raise self.mismatch(f"a network without {also}")
            self._run = self._engine.load(data + (_further_output(also) if also else b""), threads)
        except OSError as error:
            raise self.mismatch("no such file") from error
        except self._engine.refusals as error:
            raise self.mismatch(f"a file that {self._engine.name} cannot read") from error

    def __call__(self, batch: Tensor) -> Tensor:
        """The raw output for a batch.

        Raises:
            ModelError: The network does not take pictures of this shape.
        """
        return self.outputs(batch)[0]

    def outputs(self, batch: Tensor) -> tuple[Tensor, ...]:
        """As calling it, with the tensor that was asked for beside the output."""
        try:
            with self._lock:
                return self._run(batch)
        except self._engine.refusals as error:
            raise self.mismatch(f"a network that refuses input of shape {batch.shape}") from error

    def mismatch(self, got: str) -> ModelError:
        """The error to raise when this file is not what it should be."""
        return ModelError(self.path, expected=self.expected, got=got)


def _further_output(name: str) -> bytes:
    """What makes a tensor of a network an output too, when it is appended to the ONNX file.

    An ONNX file is a message of Protocol Buffers. Of such a message, appended parts are merged with
    what was there: here the list of outputs, in the graph, grows by one.
    """
    rank_two = _part(1, b"") + _part(1, b"")  # two dimensions of any size
    tensor = b"\x08\x01" + _part(2, rank_two)  # of 32-bit floats
    return _part(7, _part(12, _part(1, name.encode()) + _part(2, _part(1, tensor))))


def _part(number: int, content: bytes) -> bytes:
    r"""A field of a message of Protocol Buffers; contents of less than 128 bytes.

    >>> _part(1, b"ab")
    b'\n\x02ab'
    """
    return bytes([number << 3 | 2, len(content)]) + content
