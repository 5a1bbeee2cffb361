"""Photos are read in processes of their own: one that is stuck or breaks costs no other photo."""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from hostile_reader import SAMPLE, Hostile
from playing import until

from vision import errors
from vision.errors import (
    ModelError,
    NotAPhotoError,
    PhotoTooLargeError,
    SlowPhotoError,
    UnreadablePhotoError,
)
from vision.isolated import NICE, IsolatedReader
from vision.photo import Photo, open_photo
from vision.reader import Reader


@contextmanager
def hostile(**limits: float) -> Iterator[IsolatedReader]:
    with closing(IsolatedReader(make=Hostile, **limits)) as reader:  # type: ignore[arg-type]
        yield reader


def process_of(reader: IsolatedReader) -> psutil.Process:
    who: Any = reader.find(open_photo(SAMPLE.read_bytes(), "who"))
    return psutil.Process(who[0])


def stuck_opening(reader: IsolatedReader) -> object:
    return reader.open_photo(b"x", "stuck")


def stuck_reading(reader: IsolatedReader) -> object:
    photo = open_photo(SAMPLE)
    return reader.read(Photo("stuck in a network", photo.size_wh, photo.working_bgr, bytes))  # type: ignore[arg-type]


@pytest.mark.timeout(60)
@pytest.mark.slow
def test_slow_photo_is_given_up_and_the_next_one_is_read() -> None:
    with hostile(limit_seconds=3.0) as reader:
        for ask in (stuck_opening, stuck_reading):
            with pytest.raises(SlowPhotoError, match="read within 3 s") as caught:
                ask(reader)
            assert caught.value.name.startswith("stuck")
        assert reader.open_photo(SAMPLE).size_wh == (1600, 1200)


@pytest.mark.slow
def test_a_process_that_breaks_is_replaced_and_asked_once_more(tmp_path: Path) -> None:
    with hostile() as reader:
        with pytest.raises(UnreadablePhotoError, match="breaks: expected a photo that can be read"):
            reader.open_photo(b"x", "breaks")
        assert reader.open_photo(str(tmp_path / "was-here"), "breaks once").name == SAMPLE.name
        before = process_of(reader)
        before.send_signal(signal.SIGKILL)
        assert reader.open_photo(SAMPLE).name == SAMPLE.name
        with pytest.raises(RuntimeError, match=r"^OSError$"):
            reader.open_photo(b"x", "odd")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_a_photo_that_takes_too_much_memory_is_refused() -> None:
    with hostile() as reader:
        with pytest.raises(UnreadablePhotoError, match=r"hungry: .* too much memory"):
            reader.open_photo(b"x", "hungry")
        assert reader.open_photo(SAMPLE).size_wh == (1600, 1200)


def test_child_is_nice_and_exits_when_idle_or_orphaned() -> None:
    with hostile(unused_seconds=1.0) as reader:
        first = process_of(reader)
        assert first.nice() == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
        first.wait(30)
        assert process_of(reader) != first
    program = f"""
import sys, time
sys.path[:] = {sys.path}
from vision.isolated import IsolatedReader
from hostile_reader import SAMPLE, Hostile
from vision.photo import open_photo
photo = open_photo(SAMPLE.read_bytes(), "who")
print(IsolatedReader(make=Hostile).find(photo)[0], flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        child = psutil.Process(int(started.stdout.readline()))
        for number in (signal.SIGINT, signal.SIGTERM):
            child.send_signal(number)
        assert child.is_running()
        started.kill()
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


ERRORS = (
    NotAPhotoError("a"),
    PhotoTooLargeError("a", size_wh=(9, 9), limit_px=3),
    ModelError(Path("locate.onnx"), expected="x", got="y"),
    errors.LabelError(Path("a"), got="y"),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_arrives_as_it_was_raised(error: errors.VisionError) -> None:
    arrived = pickle.loads(pickle.dumps(error))
    assert (type(arrived), vars(arrived), str(arrived)) == (type(error), vars(error), str(error))


@pytest.mark.models
@pytest.mark.xdist_group("readings")
def test_a_photo_is_read_as_in_this_process(reader: Reader) -> None:
    with closing(IsolatedReader(limit_seconds=600.0)) as isolated:  # however busy the machine is
        photo = isolated.open_photo(SAMPLE)
        expected = open_photo(SAMPLE)
        assert (photo.working_bgr == expected.working_bgr).all()
        assert (photo.image_bgr == expected.image_bgr).all()
        read, in_process = isolated.read(photo), reader.read(expected)
        assert read.codes == in_process.codes
        assert read.problems == in_process.problems
        with pytest.raises(NotAPhotoError):
            isolated.open_photo(b"hello", "notes")
    with closing(IsolatedReader("nowhere")) as isolated, pytest.raises(ModelError):
        isolated.load()
