"""A PostgreSQL database of a test's own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

ADMIN = "SETTEBELLO_TEST_POSTGRES"
"""Environment variable: the address of a PostgreSQL server where databases may be made."""


@contextmanager
def empty_database() -> Iterator[str]:
    """The address of an empty PostgreSQL database; skips the test where there is no server."""
    admin = os.environ.get(ADMIN)
    if not admin:
        pytest.skip(f"{ADMIN} names no PostgreSQL server")
    name = f"care_{uuid4().hex[:12]}"
    server = create_engine(admin, isolation_level="AUTOCOMMIT")
    try:
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        yield make_url(admin).set(database=name).render_as_string(hide_password=False)
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        server.dispose()
