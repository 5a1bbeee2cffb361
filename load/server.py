"""A server of its own, started as anybody starts it and watched from outside."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil

from store.database import FILE_NAME
from web.passes import PASSPHRASE

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


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    folder: Path,
    *,
    database: str = "",
    port: int | None = None,
    passphrase: str = "",
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    """A server of its own, killed at the end without a word of farewell.

    Args:
        folder: Where its tables and its log lie.
        database: The address of another database for its tables.
        port: Where it answers; None takes a free one.
        passphrase: The organiser's.
        settings: Further variables of its environment.
    """
    port = port or free_port()
    folder.mkdir(parents=True, exist_ok=True)
    place = {"SETTEBELLO_HOME": str(folder), PASSPHRASE: passphrase, **settings}
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
        wait_for(address, started)
        kept = database or f"sqlite:///{folder / FILE_NAME}"
        yield Server(address, kept, psutil.Process(started.pid))
    finally:
        started.kill()
        started.wait(timeout=30)


def wait_for(address: str, started: "subprocess.Popen[bytes]") -> None:
    """Waits until a server that was started answers."""
    end = time.monotonic() + START_S
    while not _answers(address):
        if started.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"expected a server at {address}, got none")
        time.sleep(0.1)


def _answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/_stcore/health", timeout=5):
            return True
    except HTTPError as error:
        error.close()  # it listens and is not ready yet
    except OSError:
        pass  # nothing listens yet
    return False
