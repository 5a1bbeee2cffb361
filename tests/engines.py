"""Databases for tests, on every engine that the store works with, each test's its own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from playing import Store
from sqlalchemy import NullPool, create_engine, make_url

ADMIN = "SETTEBELLO_TEST_POSTGRES"
"""Names the address of a PostgreSQL in which databases may be made; .ci/with-postgres sets it."""

ENGINES = ("sqlite", "postgresql")
"""What the store works with."""


class Postgres:
    """A PostgreSQL in which every test has a database of its own."""

    def __init__(self, address: str) -> None:
        self._admin = make_url(address)
        self._made = f"settebello_{uuid4().hex[:8]}"
        """What the names of its databases begin with: two runs may share a server."""
        self._newest = self._made
        self.say(f"CREATE DATABASE {self._newest} TEMPLATE template0")
        Store(self._address(self._newest)).close()

    @contextmanager
    def database(self, *, migrated: bool) -> Iterator[str]:
        """The address of a database that is empty, or stands at the newest schema."""
        name = f"{self._made}_{uuid4().hex[:8]}"
        self.say(f"CREATE DATABASE {name} TEMPLATE {self._newest if migrated else 'template0'}")
        try:
            yield self._address(name)
        finally:
            self.say(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        """Removes what it made."""
        self.say(f"DROP DATABASE {self._newest} WITH (FORCE)")

    def hang_up(self, name: str) -> None:
        """Breaks all connections to a database, as a server that restarts does."""
        self.say(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    def _address(self, name: str) -> str:
        return self._admin.set(database=name).render_as_string(hide_password=False)

    def say(self, statement: str) -> None:
        """Says something to the server as its owner."""
        engine = create_engine(self._admin, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)


def postgres_or_skip() -> Postgres:
    """The PostgreSQL of this machine; skips the test where there is none."""
    address = os.environ.get(ADMIN)
    if not address:
        pytest.skip(f"{ADMIN} is not set: .ci/with-postgres make test")
    return Postgres(address)


def sqlite_url(folder: Path) -> str:
    """The address of a file in a folder."""
    return f"sqlite:///{folder / 'settebello.db'}"
