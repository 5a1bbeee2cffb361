"""Hands, pictures and dumps for the tests of the store."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from scoring.cards import DECK
from scoring.hand import Side
from scoring.record import HandRecord

ROOT = Path(__file__).resolve().parents[1]
"""The checkout under test, where started programs find the store."""

DUMPS = ROOT / "tests" / "store" / "databases"
"""Databases of earlier schemas."""

JPEG = b"\xff\xd8\xff\xe0 a small picture"


def hand(cut: int = 22, *, scope: int = 0, named: str = "") -> HandRecord:
    """Return a hand in which Anna has the first `cut` cards of the deck and some scope."""
    return HandRecord((Side("Anna", DECK[:cut], scope), Side("Bruno", DECK[cut:], 0)), named)


def load(dump: str, engine: str, address: str) -> None:
    """Fill an empty database from a dump of an engine."""
    script = (DUMPS / f"{dump}.{engine}.sql").read_text(encoding="utf-8")
    url = make_url(address)
    if engine == "sqlite":
        with closing(sqlite3.connect(str(url.database))) as file:
            file.executescript(script)
    else:
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(plain) as server:
            server.execute(script)
