"""Servers for tests, started as anybody starts them: one, or several behind nginx with readers."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil

from store.database import FILE_NAME
from web.auth import PASSPHRASE
from web.worker import WORKERS

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


def free_port() -> int:
    """Return a port on which nothing listens."""
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
    """A server of its own, killed at the end.

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
            [sys.executable, "-m", "screens.cli", "--port", str(port)],
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
    """Wait until a server that was started answers."""
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


CONFIGURATION = ROOT / "deploy" / "nginx.conf"
"""The configuration of nginx, here and in deploy/compose.yaml."""

AT = "settebello_at"
"""The cookie by which nginx knows a phone, and keeps it at its server."""

SETTLE_S = 120.0
"""Seconds that a reader may take to begin."""


class NginxError(RuntimeError):
    """Nginx is missing, or does not start."""


@dataclass
class Fleet:
    """Servers that share a PostgreSQL, readers, and nginx in front."""

    address: str
    """Where nginx answers."""
    database: str
    """The address of the database."""
    folder: Path
    """Where logs lie."""
    servers: list[Server] = field(default_factory=list)
    readers: list[psutil.Process] = field(default_factory=list)

    def places(self) -> dict[str, str]:
        """At which address each phone was answered last, by its cookie."""
        return dict(zip(self.answers(), self._log()[1::2], strict=True))

    def answers(self) -> list[str]:
        """Return the cookie of the phone of each answer, in their order."""
        return self._log()[::2]

    def _log(self) -> list[str]:
        """Return what nginx wrote down: cookie and server, in turn."""
        lines = (self.folder / "access.log").read_text(encoding="utf-8").split("\n")
        return [word for line in lines[:-1] for word in line.split(maxsplit=1)]


def find_nginx() -> str | None:
    """Return the path of nginx; Debian keeps it off the path of users."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


@contextmanager
def running_fleet(folder: Path, *, database: str, readers: int = 1) -> Iterator[Fleet]:
    """As many servers as nginx.conf names, readers of one photo at a time, and nginx before them.

    Args:
        folder: Where their logs lie.
        database: The address of their PostgreSQL.
        readers: How many processes read photos.
    """
    port = free_port()
    names = re.findall(r"server (app-\d+:\d+)", CONFIGURATION.read_text(encoding="utf-8"))
    fleet = Fleet(f"http://127.0.0.1:{port}", database, folder)
    with ExitStack() as stack:
        for name in names:
            place = folder / name.split(":")[0]
            fleet.servers.append(stack.enter_context(serving(place, fleet=fleet)))
        for number in range(readers):
            log = folder / f"reader-{number}.log"
            fleet.readers.append(stack.enter_context(reading(log, database=database)))
        places = dict(zip(names, (one.address for one in fleet.servers), strict=True))
        stack.enter_context(_nginx(folder, port=port, places=places))
        yield fleet


@contextmanager
def serving(folder: Path, *, fleet: Fleet, port: int | None = None) -> Iterator[Server]:
    """A server of a fleet, which reads no photos; killed at the end."""
    settings = {WORKERS: "0", "SETTEBELLO_ADDRESS": fleet.address}
    with running(folder, database=fleet.database, port=port, settings=settings) as server:
        yield server


@contextmanager
def reading(log: Path, *, database: str, at_once: int = 1) -> Iterator[psutil.Process]:
    """A process that reads photos; killed at the end."""
    with log.open("wb") as lines:
        started = subprocess.Popen(
            [sys.executable, "-m", "screens.cli", "reader", "--at-once", str(at_once)],
            cwd=ROOT,
            env={**os.environ, "SETTEBELLO_DATABASE_URL": database},
            stdout=lines,
            stderr=subprocess.STDOUT,
        )
    try:
        end = time.monotonic() + SETTLE_S
        while not log.stat().st_size:  # it says that it reads
            if started.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"expected a reader, got {log.read_text(encoding='utf-8')!r}")
            time.sleep(0.1)
        yield psutil.Process(started.pid)
    finally:
        started.kill()
        started.wait(timeout=30)


@contextmanager
def _nginx(folder: Path, *, port: int, places: dict[str, str]) -> Iterator[None]:
    """Nginx with the configuration of deploy/, other ports put in; it ends at the end.

    Args:
        folder: Where its log lies.
        port: Where it answers.
        places: The address of each server, by its name in the configuration.
    """
    found = find_nginx()
    if found is None:
        raise NginxError("expected nginx on this machine (Debian: apt-get install nginx-light)")
    file = folder / "nginx.conf"
    file.write_text(_configuration(folder, port=port, places=places), encoding="utf-8")
    ours = "daemon off; pid nginx.pid;" + (" user root;" if os.getuid() == 0 else "")
    command = [found, "-p", str(folder), "-e", "nginx.log", "-c", str(file), "-g", ours]
    started = subprocess.Popen(command)
    try:
        try:
            wait_for(f"http://127.0.0.1:{port}", started)
        except RuntimeError as error:
            log = (folder / "nginx.log").read_text(encoding="utf-8")
            raise NginxError(f"expected nginx at port {port}, its log: {log}") from error
        yield
    finally:
        started.terminate()
        started.wait(timeout=30)


def _configuration(folder: Path, *, port: int, places: dict[str, str]) -> str:
    """The configuration for other ports and folders, which says where each phone is answered."""
    text = CONFIGURATION.read_text(encoding="utf-8").replace("listen 80;", f"listen {port};")
    for name, address in places.items():
        text = text.replace(f"server {name}", f"server {address.removeprefix('http://')}")
    paths = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    lines = [f"{name}_temp_path {folder / name};" for name in paths]
    text = text.replace("http {", "\n    ".join(["http {", *lines]), 1)
    log = f"log_format at '$cookie_{AT} $upstream_addr'; access_log {folder}/access.log at;"
    return text.replace("access_log off;", log)
