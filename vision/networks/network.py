"""Runs a network: an ONNX file becomes a function from a batch of pictures to its raw output."""

from pathlib import Path
from threading import Lock

from vision.errors import ModelError
from vision.networks.engine import Tensor, chosen

LEAST_PROBABILITY = 1e-6
"""Probabilities are raised to this before their logarithm is taken: an output of 0 is not proof."""


class Network:
    """One network, usable from several threads, one after another."""

    def __init__(self, path: Path, *, expected: str, threads: int | None = None) -> None:
        """Load an ONNX file into the engine (`vision.networks.engine`).

        Args:
            path: The file.
            expected: What it should be, for the message when it is not.
            threads: How many threads may run it; all processors by default.

        Raises:
            ModelError: The file is missing, empty or no network.
        """
        self.path, self.expected = path, expected
        self._lock = Lock()
        self._engine = chosen()
        try:
            data = path.read_bytes()
            self._run = self._engine.load(data, threads)
        except OSError as error:
            raise self.mismatch("no such file") from error
        except self._engine.refusals as error:
            raise self.mismatch(f"a file that {self._engine.name} cannot read") from error
        self.takes_any_size = b"'dynamic': True" in data
        """Whether it takes pictures of any size; otherwise only those it was exported for."""

    def __call__(self, batch: Tensor) -> Tensor:
        """The raw output for a batch.

        Raises:
            ModelError: The network does not take pictures of this shape.
        """
        try:
            with self._lock:
                return self._run(batch)
        except self._engine.refusals as error:
            raise self.mismatch(f"a network that refuses input of shape {batch.shape}") from error

    def mismatch(self, got: str) -> ModelError:
        """The error to raise when this file is not what it should be."""
        return ModelError(self.path, expected=self.expected, got=got)
