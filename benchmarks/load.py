"""Tables in play, for locust: at each table two phones, two boards, and photos.

    make load                                      40 tables for a minute on a separate server
    make load ARGS="--tables 80 --run-time 30m"    a soak; memory is printed at the end
        make load ARGS="--play-pause 1000"             idle tables with boards
    make load ARGS="--host http://scopa.example --database postgresql+psycopg://..."

The separate server keeps its tables in a temporary folder. To load another server, name it with
--host and its database with --database, since tables are opened there. locust prints the median and
the percentiles of each request. "a tap is on a board" is the time from a tap until a board has the
fragment that shows it. The exit status is 1 if a request failed, or if 95% of the taps took longer
than --limit.
"""

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from uuid import uuid4

import gevent
import locust
import psutil
from locust import HttpUser, constant, task
from locust.env import Environment
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from scoring.cards import CODES, Card
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Store
from table import opening
from table.access import new_link

EVENTS: Any = locust.events  # it ships no types
ROOT = Path(__file__).resolve().parent.parent
NAMES = ("Anna", "Bruno")
BOARDS_A_TABLE = 2
TAPS_A_HAND = 8
PHOTO_BYTES = 4_000_000
"""The size of a phone's photo; samples are padded to it."""
RETRY_SECONDS = 2
"""Seconds before a board repeats a failed fetch of a fragment, as in `board.js`."""
ON_BOARD = "a tap is on a board"
EXPECTED = frozenset({"ScopeBelowZeroError", "HandClosedError", "HandError", "ScreenChangedError"})
"""Refusals that two phones get if they tap at once, as in real play."""


@dataclass
class Table:
    """A table in play; its phones and boards are greenlets of one process."""

    code: str
    link: str
    hand_no: int = 1
    snapshot: dict[str, Any] = field(default_factory=dict)
    boards: list["Board"] = field(default_factory=list)

    def confirmation(self) -> dict[str, Any]:
        """Return the payload of "confirm": the piles and scope on the phone's screen."""
        piles, scopes = self.snapshot["piles"]["held"], self.snapshot["scopes"]
        sides = [
            Side(name, tuple(map(Card.from_code, pile)), scope)
            for name, pile, scope in zip(NAMES, piles, scopes, strict=True)
        ]
        hand = HandRecord(tuple(sides), dealer=(self.hand_no - 1) % len(sides))
        # The log holds the opening of the match and a line for each hand before this one.
        return {
            "revision": self.snapshot["revision"],
            "log": self.hand_no,
            "facts": hand.to_dict(),
        }


class Tables:
    """The tables of a run, and the server that it started, if any."""

    def __init__(self) -> None:
        self.all: list[Table] = []
        self.taken = {"phones": 0, "boards": 0}
        self.server: subprocess.Popen[bytes] | None = None
        self.folder = tempfile.TemporaryDirectory()

    def next(self, kind: str) -> Table:
        """Return the table of the next phone or board, in turn."""
        number = self.taken[kind]
        self.taken[kind] += 1
        return self.all[number % len(self.all)]

    def start_server(self) -> str:
        """Start a server on a free port; return its address once it answers."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.server = subprocess.Popen(
            [sys.executable, "-m", "screens.cli", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, "SETTEBELLO_HOME": self.folder.name},
            stdout=subprocess.DEVNULL,
        )
        address = f"http://127.0.0.1:{port}"
        for _ in range(300):
            gevent.sleep(0.2)
            try:
                with urlopen(f"{address}/health", timeout=5):
                    return address
            except OSError:
                if self.server.poll() is not None:
                    break
        raise RuntimeError(f"expected a server at {address}, got none")

    def open(self, database: str, count: int) -> None:
        """Open tables with a target that no match reaches."""
        url = database or f"sqlite:///{Path(self.folder.name) / 'settebello.db'}"
        with closing(Store(url)) as store:
            for _ in range(count):
                link = new_link()
                opened = opening.open_table(store, NAMES, rules=Rules(target=999), link=link)
                self.all.append(Table(opened.code, link))


TABLES = Tables()


def add_options(parser: ArgumentParser) -> None:
    """Add options to locust's own."""
    parser.add_argument("--tables", type=int, default=40, help="tables in play")
    parser.add_argument("--database", default="", help="the database of the server of --host")
    parser.add_argument("--play-pause", type=float, default=6.0, help="mean seconds between taps")
    parser.add_argument("--photo-pause", type=float, default=40.0, help="seconds between photos")
    parser.add_argument("--limit", type=float, default=2.0, help="most seconds to a board, of 95%")


def start(environment: Environment, **_: Any) -> None:
    """Start a server unless one is named, and open the tables."""
    options: Any = environment.parsed_options
    if not environment.host:
        environment.host = TABLES.start_server()
    TABLES.open(options.database, options.tables)
    Phone.fixed_count = 2 * options.tables
    Board.fixed_count = BOARDS_A_TABLE * options.tables
    options.num_users = Phone.fixed_count + Board.fixed_count


def finish(environment: Environment, **_: Any) -> None:
    """Print what the server used, stop it, and set the exit status."""
    options: Any = environment.parsed_options
    if TABLES.server is not None:
        process = psutil.Process(TABLES.server.pid)
        cpu = process.cpu_times()
        memory = process.memory_full_info().uss / 1e6
        print(f"server: {memory:.0f} MB, {cpu.user + cpu.system:.0f} s of processor time")
        TABLES.server.kill()
        TABLES.server.wait()
    TABLES.folder.cleanup()
    late = environment.stats.get(ON_BOARD, "SSE").get_response_time_percentile(0.95) or 0
    is_late = late > 1000 * options.limit
    if is_late:
        print(f"expected 95% of taps on boards within {options.limit} s, got {late / 1000:.2f} s")
    broken = environment.runner.exceptions if environment.runner else {}
    failed = is_late or bool(broken) or environment.stats.total.num_failures > 0
    environment.process_exit_code = int(failed)


class Phone(HttpUser):
    """One of a table's two phones: it taps scopa and cards, sends photos and confirms hands."""

    wait_time = constant(0)

    def on_start(self) -> None:
        """Join by the scorers' link, which sets a cookie."""
        self.side = TABLES.taken["phones"] // max(1, len(TABLES.all)) % 2
        self.table = TABLES.next("phones")
        self.client.get(f"/join/{self.table.code}/{self.table.link}", name="join")
        self.photos = [as_large(file.read_bytes()) for file in (ROOT / "samples").glob("a*.jpg")]
        self.pauses: Any = self.environment.parsed_options
        self.photo_at = time.monotonic() + random.uniform(0, self.pauses.photo_pause)

    @task
    def play_hand(self) -> None:
        """Play a hand of this phone's side; the first side's phone also confirms it."""
        for code in random.sample(CODES, TAPS_A_HAND):
            gevent.sleep(random.uniform(0, 2 * self.pauses.play_pause))
            self.tap("scopa", delta=1)
            if self.side == 0:
                self.tap("card", code=code, **{"in": True})
            if time.monotonic() > self.photo_at:
                self.photo_at = time.monotonic() + self.pauses.photo_pause
                self.send_photo()
        if self.side == 0:
            self.tap("rest", side=1, owner=1)
            while not self.tap("confirm", **self.table.confirmation()):
                gevent.sleep(random.uniform(0.5, 1.5))  # a photo was read, or the other tapped
                self.take_out_doubles()
            self.table.hand_no += 1

    def take_out_doubles(self) -> None:
        """Remove cards that are in both piles from the second one, as a player would."""
        first, second = self.table.snapshot["piles"]["held"]
        for code in {*first} & {*second}:
            self.tap("card", side=1, code=code, **{"in": False})

    def tap(self, action: str, **payload: Any) -> bool:
        """Send an action under a new key; return whether it was done."""
        body = {
            "key": uuid4().hex,
            "match": 1,
            "hand": self.table.hand_no,
            "side": self.side,
            "me": self.side,
            "do": action,
        } | payload
        began = time.monotonic()
        path = f"/door/{self.table.code}"
        with self.client.post(path, json=body, name=action, catch_response=True) as answer:
            said = answer.json() if answer.ok or answer.status_code < 500 else {}
            if said.get("is") == "done":
                for board in self.table.boards:
                    board.owes.append((said["revision"], began))
                    board.settle()
                answer.success()
                return True
            if said.get("error") in EXPECTED:
                answer.success()
            else:
                answer.failure(f"{answer.status_code} {said.get('error', '')}")
            return False

    def send_photo(self) -> None:
        """Send a photo of this side's pile."""
        where = {"name": "photo.jpg", "match": 1, "hand": self.table.hand_no, "side": self.side}
        path = f"/door/{self.table.code}/photos/{uuid4().hex}"
        photo = random.choice(self.photos)
        with self.client.put(
            path, params=where, data=photo, name="photo", catch_response=True
        ) as answer:
            if answer.status_code < 500 and answer.json().get("error") in EXPECTED:
                answer.success()


class Board(HttpUser):
    """A board as in a browser: it fetches its fragment after each event of its table.

    It measures the time from a tap until the fragment that shows the tap arrives.
    """

    wait_time = constant(1)

    def on_start(self) -> None:
        """Take a table, and load its page."""
        self.table = TABLES.next("boards")
        self.heard, self.shown, self.shown_at = -1, -1, 0.0
        self.is_stale, self.fetching = False, gevent.spawn(lambda: None)
        self.owes: list[tuple[int, float]] = []  # revision and time of taps not shown yet
        self.table.boards.append(self)
        # Retry once, like a browser, if the server has just closed a kept-alive connection.
        self.client.mount("http://", HTTPAdapter(max_retries=Retry(1)))
        self.client.get(f"/board/{self.table.code}", name="board")

    @task
    def listen(self) -> None:
        """Receive events until the run ends."""
        path = f"/door/{self.table.code}/changes?beats=yes"
        stream = self.client.get(path, stream=True, name="events", timeout=3600)
        for snapshot in snapshots(stream.iter_lines(chunk_size=1)):
            self.table.snapshot = snapshot
            if snapshot["revision"] != self.heard:
                self.heard, self.is_stale = snapshot["revision"], True
                if self.fetching.dead:
                    self.fetching = gevent.spawn(self.fetch)

    def fetch(self) -> None:
        """Fetch the fragment until it shows what the board has heard of."""
        while self.is_stale:
            self.is_stale, heard = False, self.heard
            path = f"/board/{self.table.code}/fragment?lang=en"
            if self.client.get(path, name="fragment").ok:
                self.shown, self.shown_at = heard, time.monotonic()
                self.settle()
            else:
                self.is_stale = True
                gevent.sleep(RETRY_SECONDS)

    def settle(self) -> None:
        """Report the taps that the board shows now, perhaps before the phone gets its answer."""
        for revision, tapped_at in self.owes:
            if revision <= self.shown:
                self.environment.events.request.fire(
                    request_type="SSE",
                    name=ON_BOARD,
                    response_time=1000 * max(0.0, self.shown_at - tapped_at),
                    response_length=0,
                    exception=None,
                    context={},
                )
        self.owes = [owed for owed in self.owes if owed[0] > self.shown]


def snapshots(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    """Return the snapshots of a table in the lines of an event stream."""
    for line in lines:
        if line.startswith(b"data: {"):  # a beat has no data
            yield json.loads(line.removeprefix(b"data: "))


def as_large(jpeg: bytes) -> bytes:
    """Return a JPEG at the size of a phone's, padded with comments that no reader looks at."""
    parts, missing = [jpeg[:2]], PHOTO_BYTES - len(jpeg)
    while missing > 4:
        size = min(missing, 65_000)
        parts.append(b"\xff\xfe" + (size - 2).to_bytes(2, "big") + bytes(size - 4))
        missing -= size
    return b"".join([*parts, jpeg[2:]])


EVENTS.init_command_line_parser.add_listener(add_options)
EVENTS.init.add_listener(start)
EVENTS.quitting.add_listener(finish)
