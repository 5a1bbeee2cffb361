"""Connections to PostgreSQL, and how long each of them waits."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL, make_url

LINE: Mapping[str, str | int] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""When the client gives up a connection whose server no longer answers (libpq's parameters)."""

LOCK_MS = 3_000
"""How long a statement waits for a row or a table that another transaction holds."""

STATEMENT_MS = 10_000
"""How long a statement of a request or of a worker may run."""

SESSION: Mapping[str, int] = {
    "lock_timeout": LOCK_MS,
    "statement_timeout": STATEMENT_MS,
    "idle_in_transaction_session_timeout": 10_000,
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 3,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""Settings of every PostgreSQL session: limits on waiting, idle transactions and lost clients."""

MIGRATION_MS = 600_000
"""How long a step of a migration may take."""

MAINTENANCE_LOCK_MS = 1_000
"""How long VACUUM waits for a table, as everything else that needs the table waits behind it."""


def arguments(url: URL) -> dict[str, Any]:
    """Return the arguments of a connection. Settings in the address override the defaults.

    >>> url = make_url("postgresql+psycopg:///s?connect_timeout=9&options=-c%20lock_timeout=1")
    >>> found = arguments(url)
    >>> "connect_timeout" in found, found["keepalives_idle"], found["options"][-17:]
    (False, 10, '-c lock_timeout=1')
    """
    options = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
    own = url.query.get("options", "")
    line = {name: value for name, value in LINE.items() if name not in url.query}
    return line | {"options": f"{options} {own}".strip()}


def connection_string(address: str) -> str:
    """Return libpq's connection string of an SQLAlchemy address, with the same limits."""
    from psycopg.conninfo import make_conninfo

    url = make_url(address).set(drivername="postgresql")
    return make_conninfo(url.render_as_string(hide_password=False), **arguments(url))


def allow_migration(connection: Connection) -> None:
    """Let the running transaction wait for another migration, and take longer than a request."""
    connection.execute(text("SET LOCAL lock_timeout = 0"))
    for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {name} = {MIGRATION_MS}"))


def allow_vacuum(connection: Connection) -> None:
    """Let the statements of this connection run as long as they need once they have their table."""
    connection.execute(text("SET statement_timeout = 0"))
    connection.execute(text(f"SET lock_timeout = {MAINTENANCE_LOCK_MS}"))
