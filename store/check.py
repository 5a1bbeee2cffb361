"""Examine the state of a database without changing it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, func, select, text

from store.database import (
    newest_schema,
    parse_url,
    place_of,
    plain_engine,
    schema_of,
    translate_errors,
)
from store.errors import StoreCorruptError
from store.models import LogEntry, Upload, UploadState
from store.notify import WORKER
from store.verify import find_damage

WORKERS = (
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name = :name"
)


@dataclass(frozen=True, kw_only=True)
class Examination:
    """The state of a readable database."""

    place: str
    """Its path, or its address without password."""
    schema: str | None
    """Its schema version; None if it is empty."""
    newest: str
    """The schema version of this program."""
    waiting: int = 0
    """Number of photos that wait to be read."""
    waiting_since: datetime | None = None
    """When the oldest of them arrived."""
    last_at: datetime | None = None
    """Time of the newest log entry."""
    readers: int | None = None
    """Number of processes that read photos; None on SQLite, where it is unknown."""


def examine(address: str) -> Examination | None:
    """Return the state of a database, or None if its file does not exist.

    Raises:
        StoreError: The database cannot be read, is damaged, or has a schema of another program,
            of a newer version or from before ff00e88.
    """
    url = parse_url(address)
    place = place_of(url)
    if url.get_backend_name() == "sqlite":
        if not url.database or not Path(url.database).is_file():
            return None
        if damage := find_damage(Path(url.database)):
            raise StoreCorruptError(place, why=f"it is damaged ({damage})")
    engine = plain_engine(url)
    try:
        with translate_errors(place), engine.connect() as connection:
            schema = schema_of(connection, place=place)
            if schema != newest_schema():
                return Examination(place=place, schema=schema, newest=newest_schema())
            return _examine_rows(connection, place=place)
    finally:
        engine.dispose()


def _examine_rows(connection: Connection, *, place: str) -> Examination:
    """Return the state of a database with the newest schema."""
    waits = Upload.state == UploadState.WAITING
    waiting, since = connection.execute(
        select(func.count(), func.min(Upload.made_at)).where(waits)
    ).one()
    is_server = connection.dialect.name == "postgresql"
    return Examination(
        place=place,
        schema=newest_schema(),
        newest=newest_schema(),
        waiting=waiting,
        waiting_since=since,
        last_at=connection.scalar(select(func.max(LogEntry.made_at))),
        readers=connection.scalar(text(WORKERS), {"name": WORKER}) if is_server else None,
    )
