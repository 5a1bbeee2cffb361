"""The `settebello-reader` command: reads photos on any machine, for all servers of a PostgreSQL."""

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing

from store import SettingError, Store, StoreError
from table.photos import GivesReader
from vision.errors import ModelError
from vision.reader import MODELS, Reader
from web import logs
from web.lending import Lender, gather_memory
from web.readers import MOST_READERS, Readers


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Gives the options of the command.

    >>> parse(["--at-once", "4"]).at_once
    4
    """
    parser = argparse.ArgumentParser(
        prog="settebello-reader",
        description="Reads the photos that phones send to the servers of one PostgreSQL "
        "($SETTEBELLO_DATABASE_URL). Start one on each machine that is to read.",
    )
    parser.add_argument(
        "--at-once",
        type=int,
        default=os.cpu_count() or 1,
        choices=range(1, MOST_READERS + 1),
        metavar="N",
        help="photos that are read at the same time (one a core)",
    )
    return parser.parse_args(arguments)


def opened() -> Store:
    """The store whose photos are read.

    Raises:
        StoreError: It cannot be opened, or is a file that only its own server reads.
    """
    store = Store()
    if not store.is_shared:
        store.close()
        raise SettingError(
            "SETTEBELLO_DATABASE_URL",
            expected="a PostgreSQL, as postgresql+psycopg://user:password@host/settebello (photos "
            "of an SQLite database are read by its server)",
            came=store.place,
        )
    return store


def main(arguments: Sequence[str] | None = None) -> None:
    """Reads until Ctrl-C or a signal to end, and then to the end of the photos in hand."""
    options = parse(arguments)
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ending.set())
    gather_memory()
    reader = Lender(lambda: Reader(MODELS, at_once=options.at_once))
    try:
        logs.set_up()
        reader().load()
        store = opened()
    except (StoreError, ModelError) as error:
        sys.exit(f"settebello-reader: {error}")
    with closing(store):
        _read(store, reader, at_once=options.at_once, ending=ending)


def _read(store: Store, reader: GivesReader, *, at_once: int, ending: threading.Event) -> None:
    """Reads the photos of a store until it is to end."""
    readers = Readers(store, reader, at_once=at_once)
    readers.start()
    print(f"Reads the photos of {store.place}, {at_once} at the same time.", flush=True)
    while readers.is_alive and not ending.wait(1.0):
        pass
    readers.stop()
    while readers.is_alive:
        time.sleep(0.1)


if __name__ == "__main__":
    main()
