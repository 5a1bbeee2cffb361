"""Limit how often a network address may try a code, a link or the passphrase, and open tables."""

import math
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv6Address, ip_address, ip_network

from limits import parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from scoring.errors import ScoringError


class Purpose(StrEnum):
    """The kind of an attempt. Each is counted separately: wrong codes do not block a login."""

    CODE = "code"
    LINK = "link"
    PASSPHRASE = "passphrase"
    OPENING = "opening"


LIMITS = {
    Purpose.CODE: "10/minute;60/hour",
    Purpose.LINK: "10/minute;60/hour",
    Purpose.PASSPHRASE: "10/minute;60/hour",
    Purpose.OPENING: "30/hour",
}
"""Maximum number of failed attempts of one network address, and of tables that it may open."""

IPV6_PREFIX = 64
"""Length of an IPv6 network in bits. A household may choose the other 64 bits freely."""


@dataclass(eq=False)
class TooManyTriesError(ScoringError):
    """The address tried too often. It may try again after `minutes`."""

    message = "expected fewer tries from this address: wait for {minutes} min and try again"
    minutes: int


def plain_address(address: str) -> str:
    """Return an address in its usual form. An IPv4 address of a dual-stack socket becomes IPv4.

    >>> plain_address("::ffff:127.0.0.1"), plain_address("fe80::1%eth0"), plain_address("a.sock")
    ('127.0.0.1', 'fe80::1', 'a.sock')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(mapped or found)


def network_of(address: str) -> str:
    """Return the network that counts as one address: an IPv4 address, or an IPv6 network.

    >>> network_of("2001:db8::1:2:3:4"), network_of("::ffff:10.0.0.9")
    ('2001:db8::/64', '10.0.0.9')
    """
    plain = plain_address(address)
    return str(ip_network(f"{plain}/{IPV6_PREFIX}", strict=False)) if ":" in plain else plain


class RateLimiter:
    """Counts the attempts of addresses in one process.

    Checking and counting is one step under a lock, so parallel attempts are limited like sequential
    ones.
    """

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._lock = threading.Lock()

    def check(self, purpose: Purpose, address: str, *, is_right: bool) -> None:
        """Count a wrong attempt. Call this before the attempt is answered.

        Raises:
            TooManyTriesError: The address may not try now, even if this attempt is right.
        """
        network = network_of(address)
        with self._lock:
            for limit in parse_many(LIMITS[purpose]):
                if not self._limiter.test(limit, purpose, network):
                    window = self._limiter.get_window_stats(limit, purpose, network)
                    seconds = window.reset_time - time.time()
                    raise TooManyTriesError(max(1, math.ceil(seconds / 60)))
            if not is_right:
                for limit in parse_many(LIMITS[purpose]):
                    self._limiter.hit(limit, purpose, network)

    def count_opening(self, address: str) -> None:
        """Count an opened table; raises as `check`."""
        self.check(Purpose.OPENING, address, is_right=False)
