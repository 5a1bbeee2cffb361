"""Databases for tests, on every engine that the store works with, each test's its own."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from proxies import Proxy
from sqlalchemy import NullPool, create_engine, make_url

from store import Store

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
        """Remove what it made."""
        self.say(f"DROP DATABASE {self._newest} WITH (FORCE)")

    def hang_up(self, name: str) -> None:
        """Breaks all connections to a database, as a server that restarts does."""
        self.say(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    def _address(self, name: str) -> str:
        return self._admin.set(database=name).render_as_string(hide_password=False)

    def say(self, statement: str) -> None:
        """Say something to the server as its owner."""
        engine = create_engine(self._admin, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)


def postgres_or_skip() -> Postgres:
    """Return the PostgreSQL of this machine; skips the test where there is none."""
    address = os.environ.get(ADMIN)
    if not address:
        pytest.skip(f"{ADMIN} is not set: .ci/with-postgres make test")
    return Postgres(address)


@contextmanager
def proxied(address: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy in front of a PostgreSQL, and the address of the database through it."""
    url = make_url(address)
    place = str(url.query.get("host", url.host))
    near = url.difference_update_query(["host"])
    with closing(Proxy(partial(_connect, place, url.port or 5432), http=False)) as proxy:
        near = near.set(host="127.0.0.1", port=proxy.port)
        yield proxy, near.render_as_string(hide_password=False)


def _connect(host: str, port: int) -> socket.socket:
    """Return a connection to a PostgreSQL, as its address names the host."""
    if not host.startswith("/"):
        return socket.create_connection((host, port))
    line = socket.socket(socket.AF_UNIX)
    line.connect(f"{host}/.s.PGSQL.{port}")
    return line


def sqlite_url(folder: Path) -> str:
    """Return the address of a file in a folder."""
    return f"sqlite:///{folder / 'settebello.db'}"
