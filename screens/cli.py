"""The `settebello` command: starts the app and prints its address; the subcommands."""

import argparse
import io
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import segno

from scoring.errors import ScoringError
from screens.network import (
    FOUND,
    LOCAL_NAME,
    LOOPBACK,
    PortBusyError,
    check_address,
    check_port,
    given_address,
    lan_address,
    named_on_network,
)
from store import SettingError, Store, default_url, home, retention
from store.backup import back_up, restore
from store.retention import days_kept
from vision.errors import ModelError
from vision.networks import MODELS, missing_networks
from web.auth import PASSPHRASE, Organiser, PassphraseError
from web.health import check_settings
from web.worker import MAX_WORKERS, Worker, check_workers

ROOT = Path(__file__).resolve().parent.parent
"""The folder of app.py, in a checkout and in an installed wheel."""

PORT = 8501
"""The port if --port is not given."""

PORT_HELP = f"port of the app ({PORT})"
HOME_HELP = "folder of the data ($SETTEBELLO_HOME, else ~/.settebello)"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a subcommand; without one, run the app until Ctrl-C."""
    options = parse(arguments)
    if options.home is not None:
        os.environ["SETTEBELLO_HOME"] = str(options.home.expanduser().resolve())
    try:
        is_well = COMMANDS[options.command](options)
    except (ScoringError, ModelError, PassphraseError, PortBusyError) as error:
        sys.exit(f"settebello: {error}")
    sys.exit(0 if is_well else 1)


def reader() -> None:
    """The `settebello-reader` command: `settebello reader`."""
    main(["reader", *sys.argv[1:]])


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command's options.

    >>> parse(["--port", "9000"]).port, parse(["backup", "b.db", "--home", "x"]).home.name
    (9000, 'x')
    """
    with_home = argparse.ArgumentParser(add_help=False)
    with_home.add_argument("--home", type=Path, default=argparse.SUPPRESS, help=HOME_HELP)
    parser = argparse.ArgumentParser(
        prog="settebello",
        description="Starts the Scopa scorekeeper and prints its address and a QR code.",
        epilog="Environment: SETTEBELLO_HOME, SETTEBELLO_DATABASE_URL, SETTEBELLO_ADDRESS, "
        "SETTEBELLO_PASSPHRASE (docs/operations.md).",
    )
    parser.add_argument("--home", type=Path, help=HOME_HELP)
    parser.add_argument("--port", type=int, default=PORT, help=PORT_HELP)
    parser.add_argument(
        "--https",
        action="store_true",
        help="serve https, with a certificate of this computer that phones come to trust",
    )
    under = parser.add_subparsers(dest="command", metavar="COMMAND")
    parser.set_defaults(command="run")

    one = under.add_parser("backup", parents=[with_home], help="write all data into one new file")
    one.add_argument("file", type=Path)
    one = under.add_parser("restore", parents=[with_home], help="put a backup in place of the data")
    one.add_argument("file", type=Path)
    one = under.add_parser("doctor", parents=[with_home], help="say what is wrong and what to do")
    one.add_argument("--port", type=int, default=argparse.SUPPRESS, help=PORT_HELP)
    one = under.add_parser("forget", parents=[with_home], help="delete photos; hands stay")
    which = one.add_mutually_exclusive_group(required=True)
    which.add_argument("table", nargs="?", help="the code of a table: all of its photos")
    which.add_argument(
        "--old", action="store_true", help="those of all tables past $SETTEBELLO_PHOTO_DAYS"
    )
    which.add_argument("--days", type=int, help="those of all tables that are older")
    one = under.add_parser(
        "reader",
        help="read the photos of all servers of one PostgreSQL ($SETTEBELLO_DATABASE_URL); "
        "start one on each machine that is to read",
    )
    one.add_argument(
        "--at-once",
        type=int,
        default=os.cpu_count() or 1,
        choices=range(1, MAX_WORKERS + 1),
        metavar="N",
        help="photos that are read at the same time (one a core)",
    )
    return parser.parse_args(arguments)


def _run(options: argparse.Namespace) -> bool:
    from click.exceptions import Abort
    from streamlit.web import cli

    text = prepare(options.port, https=options.https)
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
    arguments = streamlit_arguments(options.port, given=given_address())
    if options.https:
        arguments += certify(home() / "certificate")
    with suppress(KeyboardInterrupt, Abort), named_on_network(options.port, https=options.https):
        cli.main(arguments, prog_name="settebello", standalone_mode=False)
    return True


def certify(folder: Path) -> list[str]:
    """Create a certificate for this computer's addresses; return Streamlit's options for it."""
    from screens import certificate

    names = [LOCAL_NAME, lan_address(), socket.gethostname(), "localhost", LOOPBACK]
    made = certificate.certificate(folder, names)
    os.environ[certificate.AUTHORITY] = str(made.authority)
    return [f"--server.sslCertFile={made.chain}", f"--server.sslKeyFile={made.key}"]


def prepare(port: int, *, https: bool = False) -> str:
    """Check that settings, port and store work; return the text to print.

    Raises:
        PassphraseError: The organiser's passphrase is too short.
        PortBusyError: The port is taken.
        StoreError: A setting is invalid, or the store cannot be opened.
    """
    Organiser(os.environ.get(PASSPHRASE, ""))
    check_settings()
    check_address()
    check_port(port)
    store = Store()
    store.close()
    check_workers(store)
    os.environ[FOUND] = f"{'https' if https else 'http'}://{lan_address()}:{port}"
    address = given_address() or os.environ[FOUND]
    return welcome(address, place=store.place, missing=missing_networks(MODELS))


def welcome(address: str, *, place: str, missing: Sequence[str] = ()) -> str:
    """Return the text that the terminal shows at the start.

    >>> print(welcome("http://10.0.0.2:8501", place="/s.db").splitlines()[-3].strip())
    Settebello   http://10.0.0.2:8501
    """
    join = "Phones on the same network scan the code."
    if urlsplit(address).hostname == LOOPBACK:
        join = "No network was found, so no phone can join: connect, or set SETTEBELLO_ADDRESS."
    lines = [
        qr_text(address),
        f"  Settebello   {address}",
        f"  Tables in    {place}",
        f"  {join} Ctrl-C ends it; nothing confirmed is lost.",
    ]
    if missing:
        lines.append(
            f"  Photos cannot be read: models/{missing[0]} is missing (docs/vision.md says how to "
            "train it). Cards can be tapped in by hand."
        )
    return "\n".join(lines)


def qr_text(address: str) -> str:
    """Return a QR code of an address in half-block characters, for a terminal.

    >>> len(qr_text("http://192.168.1.20:8501").splitlines()) > 10
    True
    """
    out = io.StringIO()
    segno.make(address, error="m").terminal(out, compact=True)
    return out.getvalue()


def streamlit_arguments(port: int, *, given: str = "") -> list[str]:
    """Return Streamlit's options; the rest is in .streamlit/config.toml next to app.py.

    Behind a proxy, Streamlit accepts requests for the address `given`.

    >>> streamlit_arguments(9000, given="https://scopa.example")[2::2]
    ['--server.port=9000', '--browser.serverAddress=scopa.example']
    """
    host = urlsplit(given).hostname
    return [
        "run",
        str(ROOT / "app.py"),
        f"--server.port={port}",
        "--logger.hideWelcomeMessage=true",
        *([f"--browser.serverAddress={host}"] if host else []),
    ]


def _backup(options: argparse.Namespace) -> bool:
    schema = back_up(default_url(), options.file)
    size_mb = options.file.stat().st_size / 1e6
    print(f"{options.file}: {size_mb:.1f} MB, whole, schema {schema}")
    return True


def _restore(options: argparse.Namespace) -> bool:
    aside = restore(default_url(), options.file)
    print(f"{options.file} is in place. ", end="")
    print("Nothing was there before." if aside is None else f"What was there is kept in {aside}")
    return True


def _doctor(options: argparse.Namespace) -> bool:
    from screens.doctor import findings, report

    found = list(findings(port=options.port))
    print(report(found))
    return all(one.is_well for one in found)


def _forget(options: argparse.Namespace) -> bool:
    with closing(Store()) as store:
        if options.table is not None:
            with store.write(options.table) as table:
                count = retention.delete_photos(table)
        else:
            days = days_kept() if options.old else options.days
            count = 0 if days is None else _purge(store, days=days)
        print(f"{count} photos deleted; the hands stand.")
        is_clean = retention.vacuum(store, thoroughly=True)
        if not is_clean:
            print("The database is in use, so its files still hold what was deleted: try later.")
    return is_clean


def _purge(store: Store, *, days: int) -> int:
    """Delete the photos of all tables that are at least so many days old."""
    before = datetime.now(UTC) - timedelta(days=max(0, days))
    count = 0
    while swept := retention.purge_expired(store, before=before):
        count += swept
    return count


def _reader(options: argparse.Namespace) -> bool:
    """Read photos until Ctrl-C or SIGTERM, then finish those being read."""
    from vision.isolated import IsolatedReader
    from web import logging
    from web.worker import limit_memory

    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ending.set())
    limit_memory()
    logging.set_up()
    with (
        closing(IsolatedReader(at_once=options.at_once)) as reader,
        closing(shared_store()) as store,
    ):
        reader.load()
        readers = Worker(store, lambda: reader, workers=options.at_once)
        readers.start()
        at_once = options.at_once
        print(f"Reads the photos of {store.place}, {at_once} at the same time.", flush=True)
        while readers.is_alive and not ending.wait(1.0):
            pass
        readers.stop()
        while readers.is_alive:
            time.sleep(0.1)
    return True


def shared_store() -> Store:
    """Return the store whose photos `settebello reader` reads.

    Raises:
        StoreError: It cannot be opened, or it is a file, which only its own server reads.
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


COMMANDS: Mapping[str, Callable[[argparse.Namespace], bool]] = MappingProxyType(
    {
        "run": _run,
        "backup": _backup,
        "restore": _restore,
        "doctor": _doctor,
        "forget": _forget,
        "reader": _reader,
    }
)
"""The function of each subcommand; it returns whether all is well."""

if __name__ == "__main__":
    main()
