"""A backup: a whole database in one SQLite file, made while the app runs."""

from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from store.errors import StoreOlderError, StoreUnavailableError, StoreUrlError
from store.opening import (
    engine_as_it_is,
    newest_schema,
    open_engine,
    parsed,
    place_of,
    schema_of,
    speaking,
)
from store.upkeep.files import copy_database, prove, written_whole
from store.upkeep.rows import copy_rows


def back_up(address: str, file: Path) -> str:
    """Writes a database into a new file and proves it whole; gives the schema it stands at.

    The database is neither made, where there is none, nor migrated: so a backup can be made before
    an update, and be restored by the version that made it.

    Raises:
        FileStandsError: Something stands at `file`.
        StoreError: The database cannot be read, or the file cannot be written.
    """
    url = parsed(address)
    with written_whole(file) as part:
        if url.get_backend_name() == "sqlite":
            copy_database(database_file(url), part)
        else:
            rows_into_file(url, part)
        return prove(part)


def database_file(url: URL) -> Path:
    """The file of an SQLite database.

    Raises:
        StoreUrlError: The address names a database in memory.
        StoreUnavailableError: There is none.
    """
    if not url.database or url.database == ":memory:":
        raise StoreUrlError("it names a database in memory, which no other process sees")
    file = Path(url.database)
    if not file.is_file():
        raise StoreUnavailableError(str(file), why="there is no database")
    return file


def rows_into_file(url: URL, part: Path) -> None:
    """Writes all rows of a database on a server into a new SQLite file, as of one moment."""
    place = place_of(url)
    served = engine_as_it_is(url)
    part.unlink()
    filed = open_engine(URL.create("sqlite", database=str(part)).render_as_string())
    try:
        with (
            speaking(place),
            served.connect().execution_options(isolation_level="REPEATABLE READ") as source,
            filed.connect().execution_options(writes=True) as target,
        ):
            _check_newest(source, place=place)
            with target.begin():
                copy_rows(source, target)
    finally:
        served.dispose()
        filed.dispose()
    as_one_file(part)


def as_one_file(part: Path) -> None:
    """Makes a database one file again, with nothing beside it."""
    whole = part.with_name(f"{part.name}.whole")
    copy_database(part, whole)
    whole.replace(part)


def _check_newest(source: Connection, *, place: str) -> None:
    """Raises StoreOlderError unless the rows are those that this program knows."""
    schema = schema_of(source, place=place)
    if schema is None:
        raise StoreUnavailableError(place, why="there is no database of Settebello")
    if schema != newest_schema():
        raise StoreOlderError(place, schema=schema, known=newest_schema())
