"""Hands and pictures for the tests of the store."""

from pathlib import Path

from scoring.cards import DECK
from scoring.hand import Side
from scoring.record import HandRecord

ROOT = Path(__file__).resolve().parents[2]
"""The checkout under test, where started programs find the store."""

DUMPS = Path(__file__).with_name("databases")
"""Databases of earlier releases."""

JPEG = b"\xff\xd8\xff\xe0 a small picture"


def hand(cut: int = 22, *, scope: int = 0, named: str = "") -> HandRecord:
    """A hand in which Anna has the first `cut` cards of the deck and some scope."""
    return HandRecord((Side("Anna", DECK[:cut], scope), Side("Bruno", DECK[cut:], 0)), named)
