"""Kill a server at work, again and again, and count what was lost or counted twice.

    python -m benchmarks.kills                                      30 kills, with SQLite
    python -m benchmarks.kills --database postgresql+psycopg://...  with PostgreSQL
    .ci/with-postgres sh -c 'python -m benchmarks.kills --database $SETTEBELLO_TEST_POSTGRES'

Phones at eight tables send taps and photos. Each keeps what it sends until the server has it, and
sends it again with the same key, as `outbox.js` does. After each kill the server starts again at
the same port. At the end every tap must be counted once and every photo be stored and read once.
"""

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

from sqlalchemy import func, select

from scoring.rules import Rules
from store import Store, UploadState
from store.models import Upload
from store.piles import scope_counts
from table import opening
from table.access import new_link
from web.auth import LINKS_COOKIE

ROOT = Path(__file__).resolve().parent.parent
TABLES = 8
TAPS_A_PHOTO = 8
AGAIN_S = 0.5
"""Seconds before a phone repeats a request that got no answer."""
START_S, READ_S = 120, 900
"""Maximum seconds until a server answers, and until it has read all photos."""


@dataclass
class Phone:
    """A phone of a table's first side; it runs in a thread of its own."""

    code: str
    link: str
    port: int
    taps: int = 0
    photos: int = 0
    tries: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    def play(self) -> None:
        """Send taps and photos until the end, each until the server has it."""
        photo = (ROOT / "samples" / "anna-1.jpg").read_bytes()
        place = {"match": 1, "hand": 1, "side": 0, "me": 0}
        while not self.stop.is_set():
            tap = json.dumps({**place, "do": "scopa", "delta": 1, "key": uuid4().hex})
            self.deliver("POST", f"/door/{self.code}", tap.encode())
            self.taps += 1
            if self.taps % TAPS_A_PHOTO == 1:
                query = urlencode({**place, "name": f"{self.photos}.jpg"})
                path = f"/door/{self.code}/photos/{uuid4().hex}?{query}"
                self.deliver("PUT", path, photo + uuid4().bytes)
                self.photos += 1
            time.sleep(random.uniform(0, 0.1))

    def deliver(self, method: str, path: str, body: bytes) -> None:
        """Send a request until the server says that it has it."""
        headers = {
            "content-type": "application/json",
            "cookie": f"{LINKS_COOKIE}={self.code}.{self.link}",
        }
        while True:
            self.tries += 1
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                line.request(method, path, body, headers)
                answer = line.getresponse()
                said = json.loads(answer.read())
                if said.get("is") in {"done", "known"}:
                    return
                if answer.status < 500 and answer.status != 429:
                    raise AssertionError(f"{path}: {answer.status} {said}")
            except (OSError, http.client.HTTPException, ValueError):
                pass  # the server was killed
            finally:
                line.close()
            time.sleep(AGAIN_S)


def started(port: int, home: str, database: str) -> "subprocess.Popen[bytes]":
    """Start a server, and return once it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "screens.cli", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "SETTEBELLO_HOME": home, "SETTEBELLO_DATABASE_URL": database},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as line:
            try:
                line.request("GET", "/health")
                if line.getresponse().status == http.client.OK:
                    return process
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
    raise RuntimeError(f"expected a server at port {port}, got none")


def waiting(store: Store) -> int:
    """Return how many photos are not read yet."""
    query = select(func.count()).where(Upload.state == UploadState.WAITING)
    with store.reading() as session:
        return int(session.scalar(query) or 0)


def faults(store: Store, phones: Sequence[Phone]) -> list[str]:
    """Return what was lost or counted twice, a line for each."""
    found = []
    for phone in phones:
        with store.read(phone.code) as table:
            counted = scope_counts(table)[0]
        with store.reading() as session:
            query = select(Upload.state, Upload.name).where(Upload.table_id == table.id)
            stored = [name for state, name in session.execute(query) if name.endswith(".jpg")]
        if counted != phone.taps:
            found.append(f"{phone.code}: {phone.taps} taps were sent, {counted} are counted")
        if sorted(stored) != sorted(f"{number}.jpg" for number in range(phone.photos)):
            found.append(f"{phone.code}: {phone.photos} photos were sent, {len(stored)} are there")
    return found


def run(kills: int, database: str, home: str) -> int:
    """Kill a server `kills` times, print the figures, and return 1 if something is wrong."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    database = database or f"sqlite:///{Path(home) / 'settebello.db'}"
    with closing(Store(database)) as store:
        phones = []
        for _ in range(TABLES):
            link = new_link()
            opened = opening.open_table(store, ("Anna", "Bruno"), rules=Rules(), link=link)
            phones.append(Phone(opened.code, link, port))
        server = started(port, home, database)
        threads = [threading.Thread(target=phone.play) for phone in phones]
        for thread in threads:
            thread.start()
        began = time.monotonic()
        for _ in range(kills):
            time.sleep(random.uniform(0.5, 5))
            server.kill()
            server.wait()
            server = started(port, home, database)
        for phone in phones:
            phone.stop.set()
        for thread in threads:
            thread.join()
        took, end = time.monotonic() - began, time.monotonic() + READ_S
        while (left := waiting(store)) and time.monotonic() < end:
            time.sleep(0.5)
        server.kill()
        server.wait()
        wrong = faults(store, phones) + ([f"{left} photos were not read"] if left else [])
    taps, photos, tries = (
        sum(getattr(one, n) for one in phones) for n in ("taps", "photos", "tries")
    )
    print(
        f"{kills} kills in {took:.0f} s: {taps} taps and {photos} photos in {tries} requests; "
        f"{len(wrong)} faults",
        *wrong,
        sep="\n",
    )
    return int(bool(wrong))


def main() -> int:
    """Run with the options of the command line."""
    parser = ArgumentParser(prog="python -m benchmarks.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--database", default="", help="the address of an empty database")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        return run(asked.kills, asked.database, home)


if __name__ == "__main__":
    sys.exit(main())
