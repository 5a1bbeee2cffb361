"""`python -m benchmarks.walks [-v]`: how many of our functions each of four walks enters.

A server in this process answers a phone's requests. A profiler in its threads counts the distinct
functions of the installed packages, without lambdas and comprehensions, until the server is idle;
-v prints their names too. The count varies by one if the database pool opens a connection.
At ff00e88:

    photo to reading         289
    + scopa tap to board     189
    piles to question         66
    saved hand to log        160
"""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import httpx2
import uvicorn
from starlette.applications import Starlette

from scoring.cards import DECK
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Store
from table import opening
from table.access import SYSTEM
from table.view import load_view
from vision.reader import Reader
from web.auth import LINKS_COOKIE, Auth, Organiser
from web.routes import EXCEPTION_HANDLERS, Api

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
PACKAGES = ("scoring", "screens", "store", "table", "vision", "web")
OWN = tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)
IDLE_SECONDS = 1.5
"""Longer than the worker and the event hub sleep between two looks at the database."""

entered: set[tuple[str, str]] = set()
"""File and name of each function entered in this walk."""


def profile(frame: FrameType, event: str, _arg: object) -> None:
    """Note a call of one of our functions."""
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(OWN) and not code.co_name.startswith("<"):
        entered.add((code.co_filename, code.co_qualname))


@contextmanager
def walk(name: str, *, idle_seconds: float = IDLE_SECONDS) -> Iterator[None]:
    """Print how many functions are entered inside, and until the server is idle."""
    entered.clear()
    yield
    time.sleep(idle_seconds)
    found = sorted(entered)
    print(f"{name:<22}{len(found):>6}", flush=True)
    if "-v" in sys.argv:
        print(*(f"    {Path(file).relative_to(ROOT)} {one}" for file, one in found), sep="\n")


def serve(store: Store) -> str:
    """Start a server of a store in a thread and return its address."""
    reader = Reader()
    api = Api(
        lambda: store,
        lambda: reader,
        auth=Auth(Organiser()),
        samples=SAMPLES,
        has_networks=lambda: True,
    )
    app = Starlette(
        routes=api.routes(), exception_handlers=EXCEPTION_HANDLERS, lifespan=api.lifespan
    )
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return "http://{}:{}".format(*server.servers[0].sockets[0].getsockname())


def main(folder: str) -> None:
    """Drive the walks, with a store in a folder."""
    threading.setprofile(profile)
    store, link, keys = Store(f"sqlite:///{folder}/settebello.db"), "x" * 22, count()
    code = opening.open_table(store, ("Anna", "Bruno"), rules=Rules(), link=link).code
    cookies = {LINKS_COOKIE: f"{code}.{link}"}
    phone = httpx2.Client(base_url=f"{serve(store)}/door", cookies=cookies, timeout=60)

    def put(name: str, side: int) -> None:
        query: dict[str, str | int] = {"match": 1, "hand": 1, "side": side, "name": name}
        phone.put(
            f"/{code}/photos/{next(keys)}", params=query, content=(SAMPLES / name).read_bytes()
        )
        while load_view(store, code, credentials=SYSTEM).reading:
            time.sleep(0.05)

    def post(do: str, **payload: Any) -> None:
        place = {"key": str(next(keys)), "match": 1, "hand": 1, "side": 0, "do": do}
        phone.post(f"/{code}", json=place | payload).raise_for_status()

    with walk("photo to reading"):
        put("anna-1.jpg", 0)
    for name, side in (("anna-2.jpg", 0), ("bruno-1.jpg", 1), ("bruno-2.jpg", 1)):
        put(name, side)
    with phone.stream("GET", f"/{code}/changes") as board:
        snapshots = (line for line in board.iter_lines() if line.startswith("data:"))
        next(snapshots)
        with walk("+ scopa tap to board"):
            post("scopa", delta=1)
            next(snapshots)
    view = load_view(store, code, credentials=SYSTEM)
    with walk("piles to question", idle_seconds=0):  # the server has no part in it
        sys.setprofile(profile)
        view.questions.next_step  # noqa: B018  the property analyses the piles
        sys.setprofile(None)
    piles = Side("Anna", DECK[:20], 1), Side("Bruno", DECK[20:])
    facts = HandRecord(piles, dealer=0).to_dict()
    with walk("saved hand to log"):
        post("confirm", log=view.row.revision, revision=view.table.revision, facts=facts)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
