"""A server of its own, started as anybody starts it and watched from outside."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psutil

from table.store.opening import FILE_NAME

ROOT = Path(__file__).resolve().parents[1]
START_S = 120
"""Seconds that a server may take to answer."""


@dataclass(frozen=True)
class Server:
    """A running server."""

    address: str
    """Where it answers, such as http://127.0.0.1:8501."""
    database: str
    """The address of its database."""
    process: psutil.Process
    """The process that serves."""

    @property
    def memory_mb(self) -> float:
        """Its memory that no other process shares, in megabytes."""
        return float(self.process.memory_full_info().uss) / 1e6

    @property
    def processor_s(self) -> float:
        """Seconds of processor time that it has taken since it was started."""
        times = self.process.cpu_times()
        return float(times.user + times.system)


@contextmanager
def running(folder: Path, *, database: str = "") -> Iterator[Server]:
    """A server whose tables lie in a folder, or in another database; its log lies there too."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    place = {"SETTEBELLO_HOME": str(folder)}
    if database:
        place["SETTEBELLO_DATABASE_URL"] = database
    with (folder / "server.log").open("wb") as log:
        started = subprocess.Popen(
            [sys.executable, "-m", "screens.launch", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, **place},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(address, started)
        kept = database or f"sqlite:///{folder / FILE_NAME}"
        yield Server(address, kept, psutil.Process(started.pid))
    finally:
        started.terminate()
        started.wait(timeout=30)


def _wait_for(address: str, started: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + START_S
    while True:
        try:
            with urlopen(f"{address}/door/outbox.js", timeout=5):
                return
        except (URLError, OSError) as error:
            if started.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"expected a server at {address}, got none") from error
        time.sleep(0.1)
