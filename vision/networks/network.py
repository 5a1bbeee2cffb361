"""Runs a network: an ONNX file becomes a function from a batch of pictures to its raw output."""

from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import ModelError

Tensor = npt.NDArray[np.float32]
"""A batch of pictures (N x 3 x height x width, RGB, 0 to 1), or an output of a network."""

LEAST_PROBABILITY = 1e-6
"""Probabilities are raised to this before their logarithm is taken: an output of 0 is not proof."""


class Network:
    """One network in OpenCV's DNN module, usable from several threads."""

    def __init__(self, path: Path, *, expected: str) -> None:
        """Load an ONNX file.

        Args:
            path: The file.
            expected: What it should be, for the message when it is not.

        Raises:
            ModelError: The file is missing, empty or no network.
        """
        self.path, self.expected = path, expected
        self._lock = Lock()
        try:
            data = path.read_bytes()
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except OSError as error:
            raise self.mismatch("no such file") from error
        except cv2.error as error:
            raise self.mismatch("a file that OpenCV cannot read") from error
        self.takes_any_size = b"'dynamic': True" in data
        """Whether it takes pictures of any size; otherwise only those it was exported for."""

    def __call__(self, batch: Tensor) -> Tensor:
        """The raw output for a batch.

        Raises:
            ModelError: The network does not take pictures of this shape.
        """
        try:
            with self._lock:
                self._net.setInput(batch)
                return np.array(self._net.forward(), np.float32)
        except cv2.error as error:
            raise self.mismatch(f"a network that refuses input of shape {batch.shape}") from error

    def mismatch(self, got: str) -> ModelError:
        """The error to raise when this file is not what it should be."""
        return ModelError(self.path, expected=self.expected, got=got)
