"""The address by which phones join, and the ports on which this machine listens."""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import psutil

from store import SettingError

GIVEN = "SETTEBELLO_ADDRESS"
"""Environment variable: the configured address of the app, as phones open it."""

FOUND = "SETTEBELLO_LAN_ADDRESS"
"""Environment variable in which the command passes on the address that it found."""

LOOPBACK = "127.0.0.1"
"""This machine itself; no other device can use this address."""

LOCAL_NAME = "settebello.local"
"""The name of this machine on networks that allow multicast DNS."""

_NO_SUCH_NETWORK = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}
_ELSEWHERE = "192.0.2.1"  # reserved for documentation: only its route is looked up, nothing is sent


class PortBusyError(RuntimeError):
    """The app cannot listen on a port."""

    def __init__(self, port: int, *, why: str) -> None:
        self.port = port
        super().__init__(
            f"expected port {port} to be free, but it is not ({why}): perhaps Settebello runs "
            f"already (http://localhost:{port}); stop it, or name another with --port"
        )


def given_address() -> str:
    """Return the configured address; empty if there is none."""
    return os.environ.get(GIVEN, "").rstrip("/")


def check_address() -> None:
    """Raise SettingError if the configured address is not an http(s) address without a path."""
    address = given_address()
    try:
        parts = urlsplit(address)
        is_fit = parts.scheme in {"http", "https"} and bool(parts.hostname) and not parts.path
    except ValueError:
        is_fit = False
    if address and not is_fit:
        expected = "a web address without a path, such as https://scopa.example.org,"
        raise SettingError(GIVEN, expected, address)


def found_address() -> str:
    """Return the address that the command found at the start; empty if there is none."""
    return os.environ.get(FOUND, "")


def is_this_computer(host: str) -> bool:
    """Return whether a host name or IP address always means the asking computer.

    >>> is_this_computer("127.0.0.1"), is_this_computer("192.168.1.20")
    (True, False)
    """
    return host in {"localhost", "::1"} or host.startswith("127.")


def lan_address() -> str:
    """Return this machine's address on its network; 127.0.0.1 if it is on none.

    A network without internet, such as this machine's own hotspot, counts too.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect((_ELSEWHERE, 9))
        except OSError:
            return next(_attached(), LOOPBACK)
        return str(way.getsockname()[0])


def _attached() -> Iterator[str]:
    """Yield the addresses of the networks that this machine is attached to."""
    up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    for name, addresses in psutil.net_if_addrs().items():
        for one in addresses if name in up else ():
            if one.family == socket.AF_INET and not one.address.startswith(("127.", "169.254.")):
                yield one.address


def check_port(port: int) -> None:
    """Raise PortBusyError if the app cannot listen on a port, with IPv4 or IPv6."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            _bind(family, port)
        except (OSError, OverflowError) as error:
            if getattr(error, "errno", None) not in _NO_SUCH_NETWORK:
                raise PortBusyError(port, why=str(error)) from error


def _bind(family: socket.AddressFamily, port: int) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # a port just released counts as free, as for the app
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        probe.bind(("", port))


@contextmanager
def named_on_network(port: int, *, https: bool = False) -> Iterator[None]:
    """Announce the app as `settebello.local`, if the network allows it.

    If another Settebello on the network has the name already, this one keeps its address only.
    """
    from zeroconf import Error, ServiceInfo, Zeroconf

    address = lan_address()
    kind = "_https._tcp.local." if https else "_http._tcp.local."
    service = ServiceInfo(
        kind,
        f"Settebello.{kind}",
        port=port,
        addresses=[socket.inet_aton(address)],
        server=f"{LOCAL_NAME}.",
    )
    announced = None
    with suppress(OSError, Error):
        announced = Zeroconf(interfaces=[address])
        announced.register_service(service)
    try:
        yield
    finally:
        if announced is not None:
            announced.close()
