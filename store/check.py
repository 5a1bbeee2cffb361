"""How a database is, found out without changing it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, func, select

from store import queue
from store.backup import whats_damaged
from store.database import (
    engine_as_it_is,
    newest_schema,
    parsed,
    place_of,
    schema_of,
    translate_errors,
)
from store.errors import StoreCorruptError
from store.models import LogEntry, Upload, UploadState


@dataclass(frozen=True, kw_only=True)
class Examination:
    """What was found in a database that can be read."""

    place: str
    """Where it lies, fit to be shown."""
    schema: str | None
    """The schema that it stands at; None where it holds nothing yet."""
    newest: str
    """The schema that this program works with."""
    waiting: int = 0
    """Photos that wait to be read."""
    waiting_since: datetime | None = None
    """When the first of them came."""
    last_at: datetime | None = None
    """When a hand was last confirmed, undone or mended."""
    readers: int | None = None
    """Processes that read photos just now; None where only one can, which is not known."""


def examine(address: str) -> Examination | None:
    """What is found in a database; None where there is no file of it yet.

    Raises:
        StoreError: It cannot be read, is damaged, another program's, or a newer Settebello's.
    """
    url = parsed(address)
    place = place_of(url)
    if url.get_backend_name() == "sqlite":
        if not url.database or not Path(url.database).is_file():
            return None
        if wrong := whats_damaged(Path(url.database)):
            raise StoreCorruptError(place, why=f"it is damaged ({wrong})")
    engine = engine_as_it_is(url)
    try:
        with translate_errors(place), engine.connect() as connection:
            schema = schema_of(connection, place=place)
            if schema != newest_schema():
                return Examination(place=place, schema=schema, newest=newest_schema())
            return _looked_through(connection, place=place)
    finally:
        engine.dispose()


def _looked_through(connection: Connection, *, place: str) -> Examination:
    """What is found in a database of the newest schema."""
    waits = Upload.state == UploadState.WAITING
    asked = select(func.count(), func.min(Upload.made_at)).where(waits)
    waiting, since = connection.execute(asked).one()
    return Examination(
        place=place,
        schema=newest_schema(),
        newest=newest_schema(),
        waiting=waiting,
        waiting_since=since,
        last_at=connection.scalar(select(func.max(LogEntry.made_at))),
        readers=queue.readers(connection) if queue.stands(connection) else None,
    )
