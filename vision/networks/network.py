"""An ONNX file -> a function from a batch of pictures to the network's raw output."""

from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import ModelError

Tensor = npt.NDArray[np.float32]
"""A batch of pictures (N x 3 x height x width, RGB, 0 to 1) or what a network makes of it."""


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
        """Whether it was exported with free height and width, not for one square."""

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
