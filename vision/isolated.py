"""A reader in child processes: if native code hangs or crashes on a photo, no other is affected.

Native code, such as a decoder or a network, can be stopped only by ending its process. So a pool of
workers opens, searches and names photos, each with its own networks (about 250 MB, 1 s to start).
"""

import faulthandler
import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from vision.errors import SlowPhotoError, UnreadablePhotoError, VisionError
from vision.networks import MODELS
from vision.nms import Detection
from vision.photo import LIMIT_SECONDS, Photo
from vision.reader import Pool, Reader
from vision.reading import Stage, report_stage

UNUSED_SECONDS = 300.0
"""Seconds before an idle worker exits."""
NICE = 10
"""Added to the niceness of a worker: the server's other work goes first."""
MEMORY_BYTES = 1_500_000_000
"""Address space of a worker besides its networks, on Linux; the largest photo takes 0.8 GB."""

_TIMED_OUT = 1
"""The exit code with which `faulthandler` ends a process."""
_CHILD = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); import vision.isolated; "
_CHILD += "vision.isolated.serve()"
_LITTLE_MEMORY = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "1000000"}
"""Variables of glibc: keep few arenas, and return the memory of pictures at once."""


class IsolatedReader(Reader):
    """Reads photos in child processes; decides on hands, and remembers boxes, in this one.

    Raises:
        SlowPhotoError: One step took longer than the limit, from any method.
        UnreadablePhotoError: Two workers died of the photo, or it needs too much memory.
    """

    def __init__(
        self,
        models_dir: Path | str = MODELS,
        *,
        at_once: int = 1,
        make: Callable[..., Reader] = Reader,
        limit_seconds: float = LIMIT_SECONDS,
        unused_seconds: float = UNUSED_SECONDS,
    ) -> None:
        """Prepare `at_once` workers. Each starts on demand and calls `make` to get its reader."""
        super().__init__(models_dir, at_once=at_once)
        self._limit_seconds = limit_seconds
        setting = partial(make, models_dir, at_once=at_once), limit_seconds, unused_seconds
        self._workers = [_Worker(setting) for _ in range(at_once)]
        self._pool = Pool(at_once, [*self._workers].pop)

    def close(self) -> None:
        """Kill the workers."""
        for worker in self._workers:
            worker.kill()

    def load(self) -> None:
        """Load the networks in a worker now; raises as `Reader.load`."""
        self._ask("load", name="")

    def open_photo(self, data: bytes | Path | str, name: str = "photo") -> Photo:
        """As `vision.photo.open_photo`."""
        given = name if isinstance(data, bytes) else Path(data).name
        photo: Photo = self._ask("open_photo", data, name, name=given)
        return photo

    def find(self, photo: Photo) -> list[Detection]:
        """As `Reader.find`."""
        report_stage(Stage.FINDING)
        found: list[Detection] = self._ask("find", photo, name=photo.name)
        return found

    def classify(self, photo: Photo, found: Sequence[Detection]) -> list[Detection]:
        """As `Reader.classify`."""
        report_stage(Stage.NAMING)
        classified: list[Detection] = self._ask("classify", photo, list(found), name=photo.name)
        return classified

    def _ask(self, method: str, /, *args: object, name: str) -> Any:
        """Call a method of a worker's reader. If the process dies, repeat it once in a new one."""
        with self._pool.one() as worker:
            for is_last in (False, True):
                started = time.monotonic()
                try:
                    error, answer = worker.ask(method, args)
                    break
                except (OSError, EOFError, pickle.UnpicklingError) as died:
                    is_late = time.monotonic() - started >= self._limit_seconds
                    if is_late and worker.exit_code == _TIMED_OUT:
                        raise SlowPhotoError(name, round(self._limit_seconds)) from died
                    if is_last:
                        raise UnreadablePhotoError(name) from died
        if error is not None:
            raise error
        return answer


class _Worker:
    """A process that answers requests one by one. If it died, the next request starts a new one."""

    def __init__(self, setting: object) -> None:
        self._setting = setting
        self._process: subprocess.Popen[bytes] | None = None
        self.exit_code: int | None = None
        """Exit code of the last process that ended."""

    def ask(self, method: str, args: Sequence[object]) -> tuple[Exception | None, Any]:
        """Return the error that a method of the reader raises, or None, and what it returns.

        Raises:
            OSError, EOFError, UnpicklingError: The process died, at the time limit or earlier.
        """
        try:
            if self._process is None or self._process.poll() is not None:
                self.kill()  # its pipes are still open
                self._process = _started(self._setting)
            requests, answers = self._process.stdin, self._process.stdout
            assert requests is not None
            assert answers is not None
            pickle.dump((method, args), requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            answer: tuple[Exception | None, Any] = pickle.load(answers)
        except BaseException:  # a late answer would be taken for that of the next request
            self.kill()
            raise
        return answer

    def kill(self) -> None:
        """Kill the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError), process:  # closes the pipes, and waits
                pass
            self.exit_code = process.returncode


def _started(setting: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", _CHILD]
    pipe, variables = subprocess.PIPE, {**os.environ, **_LITTLE_MEMORY}
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=variables)
    assert process.stdin is not None
    for part in (sys.path, setting):
        pickle.dump(part, process.stdin)
    return process


def serve() -> None:
    """Answer the requests on the standard input of a worker until the parent closes it."""
    for number in (signal.SIGINT, signal.SIGTERM):  # meant for the program, which kills its workers
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries may print
    make, limit_seconds, unused_seconds = pickle.load(requests)
    with Path(os.devnull).open("w") as nowhere, suppress(EOFError):
        # A C thread ends the process after a time, even if it hangs or its parent is gone.
        end_after = partial(faulthandler.dump_traceback_later, exit=True, file=nowhere)
        end_after(LIMIT_SECONDS)
        reader = make()
        with suppress(VisionError):  # the first request raises it again
            reader.load()
        _limit_memory()
        while True:
            end_after(unused_seconds)
            method, args = pickle.load(requests)
            end_after(limit_seconds)
            answers.write(_answer(partial(getattr(reader, method), *args)))
            answers.flush()


def _limit_memory() -> None:
    """Allow this process `MEMORY_BYTES` more address space than it has."""
    if sys.platform == "linux":
        own = psutil.Process()
        limit = own.memory_info().vms + MEMORY_BYTES
        with suppress(psutil.AccessDenied):  # a lower limit is set already
            own.rlimit(psutil.RLIMIT_AS, (limit, limit))


def _answer(call: Callable[[], object]) -> bytes:
    """Return the error that a call raises, or None, and what it returns, pickled."""
    try:
        return pickle.dumps((None, call()), pickle.HIGHEST_PROTOCOL)
    except VisionError as error:
        return pickle.dumps((error, None))
    except MemoryError:  # it ends the worker; the request is repeated in a new one
        raise
    except Exception as error:  # noqa: BLE001  it is raised in the parent
        traceback.print_tb(error.__traceback__)  # without its text, which may hold names
        return pickle.dumps((RuntimeError(type(error).__name__), None))
