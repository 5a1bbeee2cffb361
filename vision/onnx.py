"""Run networks: an ONNX file becomes a function from a batch of pictures to raw outputs.

ONNX Runtime is the engine. OpenCV's DNN module returns the same numbers in twice the time. It is
used where ONNX Runtime has no wheel, or if `SETTEBELLO_ENGINE` is `opencv`.
"""

import os
from collections.abc import Callable
from contextvars import ContextVar
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import ModelError

Tensor = npt.NDArray[np.float32]
"""A batch of pictures (N x 3 x height x width, RGB, 0 to 1), or an output of a network."""
Run = Callable[[Tensor], Tensor]
"""Returns the raw output of a network for a batch."""
Keeper = Callable[[bytes, Run, Tensor], Tensor]
"""Returns a network's output for a batch, from a cache if possible. Arguments: digest of the
network's file, function that runs it, batch."""
KEEPER: ContextVar[Keeper | None] = ContextVar("keeper", default=None)
"""The cache of outputs, if any (`vision.answers`)."""
ENGINE_VARIABLE = "SETTEBELLO_ENGINE"
"""The environment variable that names an engine: `onnxruntime` or `opencv`."""
LEAST_PROBABILITY = 1e-6
"""Minimum of a probability before its logarithm is taken: an output of 0 is no proof."""
_FATAL = 4
"""ONNX Runtime prints fatal errors only; other errors are reported in our own words."""


def engine() -> str:
    """Return the engine that runs the networks: `onnxruntime` or `opencv`."""
    installed = "onnxruntime" if find_spec("onnxruntime") else "opencv"
    return os.environ.get(ENGINE_VARIABLE) or installed


class Network:
    """One network. Several threads may use it; it runs for one at a time."""

    def __init__(self, path: Path, *, expected: str, threads: int | None = None) -> None:
        """Load an ONNX file.

        Args:
            path: The file.
            expected: What it should be, for the message when it is not.
            threads: How many threads may run it; all processors by default. OpenCV has one number
                of threads for everything (`cv2.setNumThreads`).

        Raises:
            ModelError: The file is missing, empty or no network.
        """
        self.path, self.expected = path, expected
        self._lock = Lock()
        try:
            data = path.read_bytes()
        except OSError as error:
            raise self.mismatch("no such file") from error
        self._digest = sha256(data).digest()
        load = _load_opencv if engine() == "opencv" else _load_onnx_runtime
        try:
            self._run = load(data, threads)
        except Exception as error:  # the engines have no common error
            raise self.mismatch(f"a file that {engine()} cannot read") from error

    def __call__(self, batch: Tensor) -> Tensor:
        """Return the raw output for a batch.

        Raises:
            ModelError: The network does not take pictures of this shape.
        """
        keeper = KEEPER.get()
        with self._lock:
            return (
                self._asked(batch) if keeper is None else keeper(self._digest, self._asked, batch)
            )

    def _asked(self, batch: Tensor) -> Tensor:
        try:
            return self._run(batch)
        except Exception as error:  # again, no common error
            raise self.mismatch(f"a network that refuses input of shape {batch.shape}") from error

    def mismatch(self, got: str) -> ModelError:
        """Return the error to raise when this file is not what it should be."""
        return ModelError(self.path, expected=self.expected, got=got)


def _load_onnx_runtime(onnx: bytes, threads: int | None) -> Run:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # frees processors
    options.log_severity_level = _FATAL
    session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda batch: np.asarray(session.run(None, {name: batch})[0])


def _load_opencv(onnx: bytes, _threads: int | None) -> Run:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8))

    def run(batch: Tensor) -> Tensor:
        net.setInput(batch)
        return np.array(net.forward(), np.float32)

    return run
