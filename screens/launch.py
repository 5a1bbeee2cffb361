"""Starts the app and shows phones the way to it: `settebello` without a subcommand."""

import argparse
import errno
import io
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import segno
from click.exceptions import Abort
from streamlit.web import cli

from screens.addresses import GUESS, given_address
from store import Store, StoreError
from web.health import check_settings
from web.passes import PASSPHRASE, Organiser, PassphraseError
from web.readers import check_read_here

ROOT = Path(__file__).resolve().parent.parent
"""The folder of app.py, in a checkout and in an installed wheel."""

NETWORKS = ("locate.onnx", "refine.onnx", "identify.onnx", "index.onnx")
"""Files of the networks that read photos, in models/."""

PORT = 8501
"""Where the app listens unless --port says otherwise."""

LOOPBACK = "127.0.0.1"
"""This machine itself: no phone gets there."""

_NO_SUCH_NETWORK = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}
_ELSEWHERE = "192.0.2.1"  # an address for documentation: asked for the way there, never sent to


class PortBusyError(RuntimeError):
    """The app cannot listen on a port.

    Attributes:
        port: The port asked for.
    """

    def __init__(self, port: int, *, why: str) -> None:
        self.port = port
        super().__init__(
            f"expected port {port} to be free, but it is not ({why}): perhaps Settebello runs "
            f"already (http://localhost:{port}); stop it, or name another with --port"
        )


def lan_address() -> str:
    """This machine's address on its network; 127.0.0.1 when it is on none.

    A network that leads nowhere, as a hotspot of this machine without internet, is one too.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect((_ELSEWHERE, 9))
        except OSError:
            return next(_attached(), LOOPBACK)
        return str(way.getsockname()[0])


def _attached() -> Iterator[str]:
    """The addresses of the networks that this machine is attached to."""
    up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    for name, addresses in psutil.net_if_addrs().items():
        for one in addresses if name in up else ():
            if one.family == socket.AF_INET and not one.address.startswith(("127.", "169.254.")):
                yield one.address


def check_port(port: int) -> None:
    """Raises PortBusyError unless the app can listen on a port, of IPv4 and IPv6 alike."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            _bind(family, port)
        except (OSError, OverflowError) as error:
            if getattr(error, "errno", None) not in _NO_SUCH_NETWORK:
                raise PortBusyError(port, why=str(error)) from error


def _bind(family: socket.AddressFamily, port: int) -> None:
    """Takes a port and leaves it again."""
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # a port left a moment ago counts as free, as it does for the app
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        probe.bind(("", port))


def missing_models(folder: Path) -> tuple[str, ...]:
    """Names of the networks that a folder lacks.

    >>> missing_models(Path("/nowhere"))
    ('locate.onnx', 'refine.onnx', 'identify.onnx', 'index.onnx')
    """
    return tuple(name for name in NETWORKS if not (folder / name).is_file())


def qr_text(address: str) -> str:
    """A QR code of an address in half-block characters, for a terminal.

    >>> len(qr_text("http://192.168.1.20:8501").splitlines()) > 10
    True
    """
    out = io.StringIO()
    segno.make(address, error="m").terminal(out, compact=True)
    return out.getvalue()


def welcome(address: str, *, place: str, missing: Sequence[str] = ()) -> str:
    """What the terminal shows at the start.

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


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command.

    >>> parse(["--port", "9000"]).port
    9000
    """
    parser = argparse.ArgumentParser(
        prog="settebello",
        description="Starts the Scopa scorekeeper and prints its address and a QR code.",
        epilog="Beside it: settebello backup FILE, restore FILE, doctor, forget. "
        "Environment: SETTEBELLO_HOME, SETTEBELLO_DATABASE_URL, SETTEBELLO_ADDRESS, "
        "SETTEBELLO_PASSPHRASE (docs/operations.md).",
    )
    parser.add_argument("--port", type=int, default=PORT, help=f"port to listen on ({PORT})")
    parser.add_argument(
        "--home", type=Path, help="folder of the data ($SETTEBELLO_HOME, else ~/.settebello)"
    )
    return parser.parse_args(arguments)


def streamlit_arguments(port: int, *, given: str = "") -> list[str]:
    """What Streamlit is asked to do; the rest stands in .streamlit/config.toml beside app.py.

    Behind a proxy it lets in those who come by the address `given`.

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


def prepare(options: argparse.Namespace) -> str:
    """Sets the environment, proves that port and store work, and gives the text to show.

    Raises:
        PassphraseError: The organiser's passphrase is too short.
        PortBusyError: The port is taken.
        StoreError: A setting means nothing, or the store cannot be opened.
    """
    if options.home is not None:
        os.environ["SETTEBELLO_HOME"] = str(options.home.expanduser().resolve())
    Organiser(os.environ.get(PASSPHRASE, ""))
    check_settings()
    check_port(options.port)
    store = Store()
    store.close()
    check_read_here(store)
    os.environ[GUESS] = f"http://{lan_address()}:{options.port}"
    address = given_address() or os.environ[GUESS]
    return welcome(address, place=store.place, missing=missing_models(ROOT / "models"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the app until Ctrl-C."""
    options = parse(arguments)
    try:
        text = prepare(options)
    except (PassphraseError, PortBusyError, StoreError) as error:
        sys.exit(f"settebello: {error}")
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
    asked = streamlit_arguments(options.port, given=given_address())
    with suppress(KeyboardInterrupt, Abort):
        cli.main(asked, prog_name="settebello", standalone_mode=False)


if __name__ == "__main__":
    main()
