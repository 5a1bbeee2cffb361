"""Cache of the networks' outputs in a file.

    with answers_kept(Path("data/answers.sqlite")) as answers: Reader().read(photo)
    print(answers.seconds)

The first run over many photos fills the cache. Later runs that try another threshold or calibration
need no network. The key of an output is a hash of the network's file and of one input picture, so
other weights or another crop never match.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import process_time

import numpy as np

from vision.onnx import KEEPER, Run, Tensor

ANSWERS_HELP = "file that caches the outputs of the networks for later runs"
"""Help of the option `--answers` of commands that read labelled photos."""
_KEY_BYTES = 16


class Answers:
    """Outputs in a file, which is created if missing. Safe for several threads."""

    def __init__(self, database: sqlite3.Connection) -> None:
        """Use a database as the cache."""
        self.seconds = 0.0
        """Processor time that the networks needed for the outputs returned so far."""
        self._database = database
        self._lock = Lock()
        with database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS answer "
                "(key BLOB PRIMARY KEY, shape TEXT, numbers BLOB, seconds REAL)"
            )

    def __call__(self, network: bytes, run: Run, batch: Tensor) -> Tensor:
        """The outputs for a batch; the network runs only for pictures that are not in the cache.

        Args:
            network: The digest of its file.
            run: Runs the network.
            batch: N pictures.
        """
        keys = [
            blake2b(
                picture.tobytes() + str(picture.shape).encode(),
                key=network,
                digest_size=_KEY_BYTES,
            ).digest()
            for picture in batch
        ]
        with self._lock:
            found = {key: kept for key in keys if (kept := self._kept(key)) is not None}
        new = {key: at for at, key in enumerate(keys) if key not in found}
        if new:
            start = process_time()
            given = run(batch[list(new.values())])
            seconds = (process_time() - start) / len(new)
            found |= {key: (one, seconds) for key, one in zip(new, given, strict=True)}
            rows = [
                (key, json.dumps(one.shape), one.astype("<f4").tobytes(), seconds)
                for key, one in zip(new, given, strict=True)
            ]
            with self._lock, self._database:
                self._database.executemany("INSERT OR IGNORE INTO answer VALUES (?, ?, ?, ?)", rows)
        self.seconds += sum(found[key][1] for key in keys)
        return np.stack([found[key][0] for key in keys])

    def _kept(self, key: bytes) -> tuple[Tensor, float] | None:
        """Return the output of a key and the processor time it took, or None."""
        asked = "SELECT shape, numbers, seconds FROM answer WHERE key = ?"
        row = self._database.execute(asked, (key,)).fetchone()
        if row is None:
            return None
        shape, numbers, seconds = row
        return np.frombuffer(numbers, "<f4").astype(np.float32).reshape(json.loads(shape)), seconds


@contextmanager
def answers_kept(path: Path | None) -> Iterator[Answers]:
    """Within the `with` block, networks that this thread runs use a file as cache.

    Without a path the cache is temporary.
    """
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path or "", timeout=60, check_same_thread=False)) as database:
        answers = Answers(database)
        token = KEEPER.set(answers)
        try:
            yield answers
        finally:
            KEEPER.reset(token)
