"""All rows of one database written into another, whichever engines they are."""

from sqlalchemy import Connection, func, select, text

from store.schema import Base

AT_ONCE = 50
"""Rows that are on their way at a time: with their photos they take some 75 MB at most."""


def copy_rows(source: Connection, target: Connection) -> None:
    """Writes every row of the source into the target, whose tables are there and empty."""
    reading = source.execution_options(yield_per=AT_ONCE)
    for table in Base.metadata.sorted_tables:
        found = reading.execute(select(*table.columns))
        for rows in found.mappings().partitions():
            target.execute(table.insert(), [dict(row) for row in rows])


def empty(target: Connection) -> None:
    """Takes every row out of a PostgreSQL database, in the running transaction."""
    names = ", ".join(f'"{table.name}"' for table in Base.metadata.sorted_tables)
    target.execute(text(f"TRUNCATE {names}"))


def has_rows(connection: Connection) -> bool:
    """Whether a database holds any table where somebody plays."""
    first = Base.metadata.tables["tables"]
    return bool(connection.scalar(select(func.count()).select_from(first)))


def count_on(target: Connection) -> None:
    """Lets PostgreSQL count on from the highest number of each table."""
    for table in Base.metadata.sorted_tables:
        for column in table.primary_key.columns:
            if table.autoincrement_column is column:
                highest = select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()
                counter = func.pg_get_serial_sequence(table.name, column.name)
                target.execute(select(func.setval(counter, highest, False)))  # noqa: FBT003  SQL's own
