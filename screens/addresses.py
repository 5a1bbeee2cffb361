"""By which address phones join: what somebody said, else what the launcher found."""

import os

GIVEN = "SETTEBELLO_ADDRESS"
"""The variable that says by which address phones join."""

GUESS = "SETTEBELLO_LAN_ADDRESS"
"""The one in which the launcher tells the app what it found."""


def given_address() -> str:
    """Gives the address that somebody said phones join by; empty where nobody did."""
    return os.environ.get(GIVEN, "").rstrip("/")


def lan_address() -> str:
    """Gives the address phones of the same network reach this computer at, where it is known."""
    return os.environ.get(GUESS, "")
