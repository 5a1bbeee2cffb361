"""Boards open and nothing happening: what that costs a server.

    python -m load.idle --boards 200

opens boards, ten at each table, and prints the server's processor time and what each takes of its
memory. With a limit it ends with 1 where that is passed.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx2

from load.clients import Board, Figures, Table, end
from load.server import Server, running
from scoring.rules import Rules
from store import Store

AT_A_TABLE = 10
"""Boards of one table."""

SETTLE_S = 3.0
"""Seconds after the last board has come until nothing happens any more."""


@dataclass(frozen=True)
class Cost:
    """What boards cost a server."""

    share: float
    """Of one core, while nothing happens."""
    memory_mb: float
    """For each board."""


async def wait(server: Server, options: argparse.Namespace) -> Cost:
    """Opens boards, waits, and gives what that cost."""
    with closing(Store(server.database)) as store:
        count = -(-options.boards // AT_A_TABLE)
        codes = [store.open_table(("Anna", "Bruno"), Rules()).code for _ in range(count)]
    figures = Figures()
    tables = [Table(code, figures) for code in codes]
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=server.address, limits=limits, timeout=60) as http:
        before = server.memory_mb
        boards = [Board(tables[number % count]) for number in range(options.boards)]
        screens = not options.no_screens
        watching = [asyncio.create_task(board.watch(http, with_screen=screens)) for board in boards]
        while any(board.drawn < 0 for board in boards):
            await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLE_S)
        memory = (server.memory_mb - before) / options.boards
        began, spent = time.monotonic(), server.processor_s
        await asyncio.sleep(options.seconds)
        share = (server.processor_s - spent) / (time.monotonic() - began)
        await end(watching)
    return Cost(share, memory)


def main(arguments: Sequence[str] | None = None) -> None:
    """Waits and prints."""
    parser = argparse.ArgumentParser(prog="python -m load.idle", description=__doc__.split("\n")[0])
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--no-screens", action="store_true", help="boards that only listen")
    parser.add_argument("--database", default="", help="another database than a file of its own")
    parser.add_argument(
        "--limit", type=float, help="most of a core that they may take, such as 0.05"
    )
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), database=options.database) as server,
    ):
        cost = asyncio.run(wait(server, options))
    print(
        f"{options.boards} boards: {100 * cost.share:.1f}% of a core while nothing happens, "
        f"{cost.memory_mb:.2f} MB each"
    )
    if options.limit is not None and cost.share > options.limit:
        sys.exit(f"expected at most {options.limit:.0%} of a core, got {cost.share:.1%}")


if __name__ == "__main__":
    main()
