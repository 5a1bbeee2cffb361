"""The web address by which phones join: one that was configured, or one that was found."""

import os
from urllib.parse import urlsplit

GIVEN = "SETTEBELLO_ADDRESS"
"""Environment variable in which whoever runs the app gives that address."""

GUESS = "SETTEBELLO_LAN_ADDRESS"
"""Environment variable in which `launch` tells the app the address it found."""


def given_address() -> str:
    """Gives the configured address, empty if there is none."""
    return os.environ.get(GIVEN, "").rstrip("/")


def lan_address() -> str:
    """Gives this computer's address on its network, empty if it is not known."""
    return os.environ.get(GUESS, "")


def is_this_computer(host: str) -> bool:
    """Says whether a name or number of a host always means the computer that asks.

    >>> is_this_computer("127.0.0.1"), is_this_computer("192.168.1.20")
    (True, False)
    """
    return host in {"localhost", "::1"} or host.startswith("127.")


def gives_camera(url: str) -> bool:
    """Says whether browsers let a page of this address use the camera: W3C's secure contexts.

    >>> [gives_camera(f"{start}:8501/capture") for start in ("https://a.example", "http://[::1]")]
    [True, True]
    >>> gives_camera("http://192.168.1.20:8501/capture")
    False
    """
    parts = urlsplit(url)
    return parts.scheme == "https" or is_this_computer(parts.hostname or "")
