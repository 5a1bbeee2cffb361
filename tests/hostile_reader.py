"""A reader in a child process to which photos do what they may do to one."""

import ctypes
import os
import time
from pathlib import Path
from typing import Any

from vision.isolated import MEMORY_BYTES
from vision.nms import Detection
from vision.photo import Photo
from vision.reader import Reader

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "anna-1.jpg"


class Hostile(Reader):
    """What photos may do to a reader, by their names."""

    def open_photo(self, data: bytes | Path | str, name: str = "photo") -> Photo:
        if name == "stuck":
            ctypes.PyDLL(None).sleep(600)  # native code that holds the interpreter
        if name == "breaks" or (name == "breaks once" and not Path(str(data)).exists()):
            if name != "breaks":
                Path(str(data)).touch()
            os.abort()
        if name == "breaks once":
            data = SAMPLE
        if name == "odd":
            raise OSError(f"Anna's {name}")
        if name == "hungry":
            bytearray(2 * MEMORY_BYTES)
        print("a library says something")
        return super().open_photo(data, name)

    def find(self, photo: Photo) -> list[Detection]:
        if photo.name == "stuck in a network":
            time.sleep(600)
        who: Any = [os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)]
        return who if photo.name == "who" else []

    def classify(self, *_args: Any) -> list[Detection]:
        return []
