"""Runs a network: an ONNX file becomes a function from a batch of pictures to its raw output."""

from pathlib import Path
from threading import Lock

from vision.errors import ModelError
from vision.networks.engine import Tensor, chosen

LEAST_PROBABILITY = 1e-6
"""Probabilities are raised to this before their logarithm is taken: an output of 0 is not proof."""


class Network:
    """One network, usable from several threads, one after another."""

    def __init__(
        self, path: Path, *, expected: str, threads: int | None = None, also: str = ""
    ) -> None:
        """Load an ONNX file into the engine (`vision.networks.engine`).

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
