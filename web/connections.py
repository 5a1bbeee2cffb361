"""Connections: how many there may be, and how long a request may take to arrive.

uvicorn waits for a request as long as its sender likes, so some hundred connections that send a
letter now and then use up the descriptors of a process. Here a request's header comes within
`HEADER_SECONDS`, its body never pauses for `BODY_SECONDS`, and where the connections are too many,
in all or from one network, the oldest of those that wait for a request makes room.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from functools import cache

import h11
from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.limits import network_of, plain_address

HEADER_SECONDS = 10.0
"""After which a connection is closed whose request has not come."""

BODY_SECONDS = 60.0
"""After which a connection is closed whose request does not go on."""

WANTED_DESCRIPTORS = 65_536
"""More than any club needs; the system may allow fewer."""

LEAST_DESCRIPTORS = 1024
"""With fewer a club of some forty tables does not fit."""

TRUSTED_PROXIES = "FORWARDED_ALLOW_IPS"
"""Environment variable of uvicorn: the proxies whose word on addresses is believed."""

LOG = logging.getLogger(__name__)


def trusted_proxies() -> str:
    """The proxies whose word on addresses is believed, with commas between them."""
    return os.environ.get(TRUSTED_PROXIES, "") or "127.0.0.1,::1"


def allowed_descriptors() -> int:
    """How many files and connections a process may open at most, as the system has it."""
    if sys.platform == "win32":
        return WANTED_DESCRIPTORS
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else hard


def guard_connections() -> None:
    """Has every server of this process guard its connections, and open as many as it may."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = max(soft, min(allowed_descriptors(), WANTED_DESCRIPTORS))
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    HTTP_PROTOCOLS["auto"] = f"{__name__}:{GuardedProtocol.__name__}"


class Guard:
    """The open connections of a process."""

    def __init__(self, most: int, *, is_trusted: Callable[[str], bool]) -> None:
        """At most `most`, half of them from one network unless it is a trusted proxy's."""
        self._most, self._is_trusted = most, is_trusted
        self._open: list[GuardedProtocol] = []

    def admit(self, new: "GuardedProtocol") -> None:
        """Counts a connection; closes one where there are too many."""
        self._open = [one for one in self._open if not one.transport.is_closing()]
        self._open.append(new)
        crowd = self._open
        if len(crowd) <= self._most:
            if self._is_trusted(new.address):
                return
            network = network_of(new.address)
            crowd = [one for one in crowd if network_of(one.address) == network]
            if len(crowd) <= self._most // 2:
                return
        closed = next((one for one in crowd if one.is_waiting), new)
        closed.transport.abort()
        LOG.warning("a connection was closed: there are too many")


@cache
def _guard() -> Guard:
    """The guard of this process: other files need as many descriptors as connections do."""
    trusted = ProxyHeadersMiddleware(_no_app, trusted_proxies()).trusted_hosts
    return Guard(
        min(allowed_descriptors(), WANTED_DESCRIPTORS) // 2, is_trusted=trusted.__contains__
    )


async def _no_app(*_: object) -> None:
    pass


class GuardedProtocol(H11Protocol):
    """A connection of uvicorn that does not wait for ever."""

    address = ""
    """Of its other end."""
    _timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether no request has come on it, or none since the last was answered."""
        return self.conn.their_state is h11.IDLE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts it and waits for a request."""
        super().connection_made(transport)
        self.address = plain_address(self.client[0]) if self.client else ""
        self._wait(HEADER_SECONDS)
        _guard().admit(self)

    def data_received(self, data: bytes) -> None:
        """Takes some bytes in."""
        super().data_received(data)
        if self.conn.their_state is h11.SEND_BODY:
            self._wait(BODY_SECONDS)
        elif not self.is_waiting:
            self._wait(None)
        elif self._timer is None:
            self._wait(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends it."""
        self._wait(None)
        super().connection_lost(exc)

    def _wait(self, seconds: float | None) -> None:
        """Closes the connection after some seconds, unless this is called again before."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        if self.flow.read_paused:  # it is we who do not read
            self._wait(BODY_SECONDS)
        else:
            self.transport.abort()
