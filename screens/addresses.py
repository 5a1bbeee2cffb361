"""The web address by which phones join: one that was configured, or one that was found."""

import os

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
