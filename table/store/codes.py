"""The short codes of tables: typed on a wet phone, read from three metres."""

import secrets

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits without those taken for another: O and 0, I, 1 and L."""

LENGTH = 4
"""Characters of a code: 923,521 codes."""


def make_code() -> str:
    """A new random code; the database refuses one that stands already."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def clean_code(typed: str) -> str:
    """The code in what somebody typed: any case, with spaces or hyphens.

    >>> clean_code(" k7-qf ")
    'K7QF'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())
