"""Tables in play: two phones and two boards each, through the door of a running server.

    python -m load.play --tables 40 --photos 2 --seconds 60

starts a server of its own, has the boards drawn, plays, and prints how long taps, boards and photos
took, what memory and processor time the server used, and what went wrong. A longer time makes it a
soak: memory is then said every minute. With a limit it ends with 1 where that is passed. With
`--fleet` it plays on two servers behind nginx and a reader, on the PostgreSQL of `--database`.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Protocol

import httpx2

from load.clients import MOST_TAPPED, Board, Figures, Phone, Table, end, play_hand
from load.fleet import sailing
from load.grown import NAMES
from load.server import ROOT, running
from scoring.rules import Rules
from store import Store, UploadState
from table import commands
from table.roles import new_link

SAMPLES = ("anna-1.jpg", "anna-2.jpg", "bruno-1.jpg", "bruno-2.jpg")
"""Photos that phones send, from samples/."""

PHOTO_BYTES = 4_000_000
"""The size of a photo as phones of today make them."""

SAY_EVERY_S = 60.0
"""Seconds between two lines on the memory of the server."""

LOOK_S = 0.05
"""Seconds between two looks at how late the load itself is."""

LEAVE_S = 5.0
"""Seconds that are waited after the phones have left."""


@dataclass(frozen=True)
class Memory:
    """The server's memory in megabytes: before, at most, at the end, after everybody had left."""

    before: float
    most: float
    last: float
    after: float


def percentiles(seconds: Sequence[float]) -> str:
    """Gives the median, the 95th and the 99th percentile and the most, in milliseconds.

    >>> percentiles([0.1, 0.2, 0.3])
    '3 times: 200 ms, 95%: 380 ms, 99%: 396 ms, most 300 ms'
    >>> percentiles([])
    'never'
    """
    if len(seconds) < 2:
        return f"once: {1000 * seconds[0]:.0f} ms" if seconds else "never"
    parts = quantiles(seconds, n=100)
    middle, late, last = (1000 * parts[at - 1] for at in (50, 95, 99))
    told = f"{middle:.0f} ms, 95%: {late:.0f} ms, 99%: {last:.0f} ms"
    return f"{len(seconds)} times: {told}, most {1000 * max(seconds):.0f} ms"


def as_large(jpeg: bytes) -> bytes:
    r"""Gives a JPEG as many bytes as a phone's has: comments that no reader looks at.

    >>> len(as_large(b"\xff\xd8 a picture"))
    4000000
    """
    left = PHOTO_BYTES - len(jpeg)
    parts = [jpeg[:2]]
    while left > 0:
        size = min(left, 65_000)
        parts.append(b"\xff\xfe" + (size - 2).to_bytes(2, "big") + bytes(size - 4))
        left -= size
    return b"".join([*parts, jpeg[2:]])


def open_tables(database: str, *, count: int, figures: Figures) -> list[Table]:
    """Opens tables whose matches do not end while they are played."""
    with closing(Store(database)) as store:
        rules = Rules(target=999)
        links = [new_link() for _ in range(count)]
        opened = (commands.open_table(store, NAMES, rules=rules, link=link) for link in links)
        return [Table(table.code, figures, link) for table, link in zip(opened, links, strict=True)]


class Watched(Protocol):
    """One server or several, as they are played on."""

    @property
    def address(self) -> str:
        """Where phones find it."""
        ...

    @property
    def database(self) -> str:
        """The address of its database."""
        ...

    @property
    def memory_mb(self) -> float:
        """Its memory, in megabytes."""
        ...

    @property
    def processor_s(self) -> float:
        """The processor time that it has taken, in seconds."""
        ...


async def play(server: Watched, options: argparse.Namespace, *, figures: Figures) -> Memory:
    """Plays on a server for as long as the options say."""
    tables = open_tables(server.database, count=options.tables, figures=figures)
    phones = {table.code: [Phone(table, side=side) for side in (0, 1)] for table in tables}
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=server.address, limits=limits, timeout=60) as http:
        before = server.memory_mb
        watched = [Board(table) for table in tables for _ in range(options.boards)]
        screens = not options.no_screens
        boards = [asyncio.create_task(one.watch(http, with_screen=screens)) for one in watched]
        while any(board.drawn < 0 for board in watched) and not any(one.done() for one in boards):
            await asyncio.sleep(0.1)
        players = [
            asyncio.create_task(_keep_playing(http, phones[t.code], table=t)) for t in tables
        ]
        beside = [
            asyncio.create_task(_keep_sending(http, [*phones.values()], every=options.photos)),
            asyncio.create_task(_keep_looking(figures)),
        ]
        spent = [server.memory_mb]
        began = last_said = time.monotonic()
        while time.monotonic() - began < options.seconds:
            await asyncio.sleep(1)
            spent.append(server.memory_mb)
            if time.monotonic() - last_said >= SAY_EVERY_S:
                last_said = time.monotonic()
                print(f"after {last_said - began:.0f} s: {spent[-1]:.0f} MB", flush=True)
        figures.errors += [repr(task.exception()) for task in (*players, *boards) if task.done()]
        await end([*players, *beside])
        await asyncio.sleep(2)  # what was tapped last is drawn
        await end(boards)
    await asyncio.sleep(options.leave)
    return Memory(before, max(spent), spent[-1], server.memory_mb)


async def _keep_playing(http: httpx2.AsyncClient, phones: Sequence[Phone], *, table: Table) -> None:
    """Plays hand after hand; tables are somewhere within their first, as they do not end as one."""
    await asyncio.sleep(random.uniform(0, 2))
    await play_hand(http, phones, table=table, cards=random.randint(1, MOST_TAPPED))
    while True:
        await play_hand(http, phones, table=table)


async def _keep_sending(
    http: httpx2.AsyncClient, phones: Sequence[Sequence[Phone]], *, every: float
) -> None:
    """Sends so many photos a second, each from one phone of any table."""
    files = [as_large((ROOT / "samples" / name).read_bytes()) for name in SAMPLES]
    sent: set[asyncio.Task[None]] = set()
    while every:
        await asyncio.sleep(1 / every)
        phone = random.choice(random.choice(phones))
        task = asyncio.create_task(phone.send(http, random.choice(files)))
        sent.add(task)
        task.add_done_callback(sent.discard)


async def _keep_looking(figures: Figures) -> None:
    """Notes how late the load itself is."""
    while True:
        began = time.monotonic()
        await asyncio.sleep(LOOK_S)
        figures.late.append(time.monotonic() - began - LOOK_S)


def photos_told(database: str) -> str:
    """How many photos are read and how many wait, in words."""
    with closing(Store(database)) as store:
        counts = store.upload_counts()
    waiting = counts.pop(UploadState.WAITING)
    return f"{sum(counts.values())} of them were read, {waiting} wait"


def show(figures: Figures, *, memory: Memory, processor: float, photos: str) -> None:
    """Prints what was measured."""
    print(f"taps answered: {percentiles(figures.taps)}")
    print(f"boards show them: {percentiles(figures.boards)}")
    print(f"boards drawn anew: {percentiles(figures.drawn)}")
    print(f"photos kept: {percentiles(figures.photos)}; {photos}")
    print(
        f"memory: {memory.before:.0f} MB before, {memory.most:.0f} at most, "
        f"{memory.last:.0f} at the end, {memory.after:.0f} after all had left; "
        f"processor: {100 * processor:.0f}% of a core"
    )
    print(f"the load itself was late: {percentiles(figures.late)}")
    print(f"errors: {dict(Counter(figures.errors)) or 'none'}")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(prog="python -m load.play", description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--boards", type=int, default=2, help="boards at each table")
    parser.add_argument("--photos", type=float, default=2.0, help="photos a second, of all tables")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--leave", type=float, default=LEAVE_S, help="seconds after all have left")
    parser.add_argument("--no-screens", action="store_true", help="boards that only listen")
    parser.add_argument("--database", default="", help="another database than a file of its own")
    parser.add_argument("--fleet", action="store_true", help="two servers behind nginx, a reader")
    parser.add_argument("--limit", type=float, help="most seconds to a board, for 95 of 100 taps")
    options = parser.parse_args(arguments)
    if options.fleet and not options.database:
        parser.error("--fleet needs --database with the address of a PostgreSQL")
    return options


def started(folder: Path, options: argparse.Namespace) -> AbstractContextManager[Watched]:
    """What is played on, as the options say."""
    if options.fleet:
        return sailing(folder, database=options.database)
    return running(folder, database=options.database)


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays and prints."""
    options, figures = parse(arguments), Figures()
    with tempfile.TemporaryDirectory() as folder:
        with started(Path(folder), options) as server:
            began, spent = time.monotonic(), server.processor_s
            memory = asyncio.run(play(server, options, figures=figures))
            processor = (server.processor_s - spent) / (time.monotonic() - began)
            photos = photos_told(server.database)
        show(figures, memory=memory, processor=processor, photos=photos)
    late = quantiles(figures.boards, n=20)[-1] if len(figures.boards) > 1 else float("inf")
    if figures.errors or (options.limit is not None and late > options.limit):
        sys.exit(f"expected no error and boards within {options.limit} s, got {late:.2f} s")


if __name__ == "__main__":
    main()
