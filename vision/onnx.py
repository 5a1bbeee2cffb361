"""Runs networks: an ONNX file becomes a function from a batch of pictures to its raw outputs.

ONNX Runtime is the engine. OpenCV's DNN module gives the same numbers in twice the time; it is used
where ONNX Runtime has no wheel, or where `SETTEBELLO_ENGINE` is `opencv`.
"""

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import ModelError

Tensor = npt.NDArray[np.float32]
"""A batch of pictures (N x 3 x height x width, RGB, 0 to 1), or an output of a network."""
Run = Callable[[Tensor], tuple[Tensor, ...]]
"""Gives the raw outputs of a network for a batch, in the order of its file."""
ENGINE_VARIABLE = "SETTEBELLO_ENGINE"
"""The environment variable that names an engine: `onnxruntime` or `opencv`."""
LEAST_PROBABILITY = 1e-6
"""Probabilities are raised to this before their logarithm is taken: an output of 0 is not proof."""
_FATAL = 4
"""ONNX Runtime prints nothing but what ends the process: we say what is wrong."""


def engine() -> str:
    """The engine that runs the networks: `onnxruntime` or `opencv`."""
    installed = "onnxruntime" if find_spec("onnxruntime") else "opencv"
    return os.environ.get(ENGINE_VARIABLE) or installed


class Network:
    """One network, usable from several threads, one after another."""

    def __init__(
        self, path: Path, *, expected: str, threads: int | None = None, also: str = ""
    ) -> None:
        """Load an ONNX file.

        Args:
            path: The file.
            expected: What it should be, for the message when it is not.
            threads: How many threads may run it; all processors by default. OpenCV has one number
                of threads for everything (`cv2.setNumThreads`).
            also: The name of a tensor inside it that `outputs` gives too, one row for each picture.

        Raises:
            ModelError: The file is missing, empty or no network, or holds no such tensor.
        """
        self.path, self.expected = path, expected
        self._lock = Lock()
        try:
            data = path.read_bytes()
        except OSError as error:
            raise self.mismatch("no such file") from error
        if also and also.encode() not in data:
            raise self.mismatch(f"a network without {also}")
        load = _load_opencv if engine() == "opencv" else _load_onnx_runtime
        try:
            self._run = load(data + (_further_output(also) if also else b""), threads)
        except Exception as error:  # the engines have no common error
            raise self.mismatch(f"a file that {engine()} cannot read") from error

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
        except Exception as error:  # the same
            raise self.mismatch(f"a network that refuses input of shape {batch.shape}") from error

    def mismatch(self, got: str) -> ModelError:
        """The error to raise when this file is not what it should be."""
        return ModelError(self.path, expected=self.expected, got=got)


def _load_onnx_runtime(onnx: bytes, threads: int | None) -> Run:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others need them
    options.log_severity_level = _FATAL
    session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda batch: tuple(np.asarray(out) for out in session.run(None, {name: batch}))


def _load_opencv(onnx: bytes, _threads: int | None) -> Run:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8))
    names = net.getUnconnectedOutLayersNames()

    def run(batch: Tensor) -> tuple[Tensor, ...]:
        net.setInput(batch)
        return tuple(np.array(output, np.float32) for output in net.forward(names))

    return run


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
