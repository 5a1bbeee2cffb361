"""A reader that works in processes of its own: what is stuck or breaks there is replaced.

Nothing in Python ends native code, such as a decoder or a network. So photos are opened, searched
and named in child processes, each with networks of its own (about 250 MB, 1 s to start), and the
program itself loads none. A child ends by itself when one request takes too long, even while native
code holds the interpreter, when no request comes for a while, and when the program is gone.
"""

import faulthandler
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from vision.errors import SlowPhotoError, UnreadablePhotoError, VisionError
from vision.networks import MODELS
from vision.nms import Detection
from vision.photo import LIMIT_SECONDS, Photo
from vision.reader import Pool, Reader
from vision.reading import Stage, report_stage

UNUSED_SECONDS = 300.0
"""How long a process waits for a request before it ends."""
NICE = 10
"""The scheduling priority of the processes, behind everything else (0 to 19)."""

_GIVEN_UP = 1
"""The exit code with which `faulthandler` ends a process."""
_CHILD = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); import vision.isolated; "
_CHILD += "vision.isolated.serve()"
_LITTLE_MEMORY = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "1000000"}
"""Variables of glibc: it takes memory from few places, and gives that of pictures back at once."""


class IsolatedReader(Reader):
    """Reads photos in child processes, at most `at_once` at the same time.

    What it remembers of photos and what it decides of a hand is in this process. A process that
    breaks is replaced, and asked once more.

    Raises:
        SlowPhotoError: A photo took longer than the limit, from any method.
        UnreadablePhotoError: The process broke twice, as it does for lack of memory.
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
        """Prepare to read with the networks of a folder; processes start when first needed.

        Args:
            models_dir: The folder.
            at_once: How many photos are read at the same time, each by a thread that calls this.
            make: Makes the reader of a process; called there.
            limit_seconds: How long one step may take.
            unused_seconds: How long a process waits for a request before it ends.
        """
        super().__init__(models_dir, at_once=at_once)
        self._limit_seconds = limit_seconds
        setting = partial(make, models_dir, at_once=at_once), limit_seconds, unused_seconds
        self._children: list[_Child] = []
        self._lock_children = threading.Lock()
        self._processes = Pool(at_once, partial(self._add, setting))

    def _add(self, setting: tuple[Callable[[], Reader], float, float]) -> "_Child":
        child = _Child(setting)
        with self._lock_children:
            self._children.append(child)
        return child

    def close(self) -> None:
        """End the processes."""
        for child in self._children:
            child.end()

    def load(self) -> None:
        """Load the networks in a process now; raises as `Reader.load`."""
        self._ask("load", name="")

    def open_photo(self, data: bytes | Path | str, name: str = "photo") -> Photo:
        """The photo in some bytes or at a path; raises as `vision.photo.open_photo`."""
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

    def _ask(self, method: str, /, *args: Any, name: str) -> Any:
        """What a method of the reader in a child gives, or raises its error."""
        for is_again in (False, True):
            with self._processes.one() as child:
                try:
                    is_done, answer = child.ask((method, args))
                except _EndedError as ended:
                    if ended.code == _GIVEN_UP and ended.seconds >= self._limit_seconds:
                        raise SlowPhotoError(name, round(self._limit_seconds)) from ended
                    if is_again:
                        raise UnreadablePhotoError(name) from ended
                else:
                    break
        if not is_done:
            raise answer
        return answer


class _EndedError(Exception):
    """A child ended with some exit code before it answered, some seconds after it was asked."""

    def __init__(self, code: int | None, seconds: float) -> None:
        super().__init__(code, seconds)
        self.code, self.seconds = code, seconds


class _Child:
    """A process that answers one request after another; started again where it has ended."""

    def __init__(self, setting: object) -> None:
        self._setting = setting
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: object) -> tuple[bool, Any]:
        """Whether the request was done, and what it gave or raised.

        Raises:
            _EndedError: The process ended.
        """
        data = pickle.dumps(request, pickle.HIGHEST_PROTOCOL)
        started = time.monotonic()
        try:
            if self._process is None or self._process.poll() is not None:
                self.end()
                self._process = _start(self._setting)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(data)
            self._process.stdin.flush()
            is_done, answer = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise _EndedError(self.end(), time.monotonic() - started) from error
        except BaseException:  # nothing will read the answer
            self.end()
            raise
        return is_done, answer

    def end(self) -> int | None:
        """End the process, if there is one; gives its exit code."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # something was left to be written
                if pipe is not None:
                    pipe.close()
        return process.wait()


def _start(setting: object) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, "-c", _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **_LITTLE_MEMORY},
    )
    assert process.stdin is not None
    for part in (sys.path, setting):
        pickle.dump(part, process.stdin)
    return process


def serve() -> None:
    """Answer the requests on the standard input of a child, until it is closed."""
    for number in (signal.SIGINT, signal.SIGTERM):  # meant for the program, which ends this
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries may print
    make, limit_seconds, unused_seconds = pickle.load(requests)
    reader = make()
    with Path(os.devnull).open("w") as nowhere:
        while True:
            # a thread in C, which ends the process whatever the interpreter waits for
            faulthandler.dump_traceback_later(unused_seconds, exit=True, file=nowhere)
            try:
                method, args = pickle.load(requests)
            except EOFError:
                return
            faulthandler.dump_traceback_later(limit_seconds, exit=True, file=nowhere)
            answers.write(_answer(partial(getattr(reader, method), *args)))
            answers.flush()


def _answer(call: Callable[[], object]) -> bytes:
    """What a call gives or raises, as it is sent to the program."""
    try:
        return pickle.dumps((True, call()), pickle.HIGHEST_PROTOCOL)
    except VisionError as error:
        return pickle.dumps((False, error))
    except Exception as error:  # noqa: BLE001  it is raised where the photo was asked for
        traceback.print_tb(error.__traceback__)  # without its text, which may hold names
        return pickle.dumps((False, RuntimeError(type(error).__name__)))
