"""Delete old photos, and the photos of one table.

The cards read from a photo stay in its draft. The row of the photo stays too, without the picture,
so that no other photo gets its id.
"""

import os
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from store.database import Store
from store.errors import SettingError, StoreBusyError
from store.models import (
    PhotoBytes,
    StoredPhoto,
    Table,
    TableMatch,
    Upload,
    UploadBytes,
    UploadState,
    session_of,
)

PHOTO_DAYS = "SETTEBELLO_PHOTO_DAYS"
"""Environment variable: the number of days that photos are kept; 0 for ever."""

DEFAULT_DAYS = 30
"""Default of `PHOTO_DAYS`."""

PURGE_BATCH = 20
"""Pictures to delete in one transaction: other writers wait for it."""


def days_kept() -> int | None:
    """Return how many days photos are kept, or None for ever.

    Raises:
        SettingError: The environment variable is not a number of days.
    """
    value = os.environ.get(PHOTO_DAYS, "").strip() or str(DEFAULT_DAYS)
    if not (value.isascii() and value.isdecimal() and len(value) < 6):
        raise SettingError(PHOTO_DAYS, expected="a number of days (0: for ever)", came=value)
    return int(value) or None


def delete_photos(table: Table) -> int:
    """Delete all pictures and uploads of a table. Return the number of pictures."""
    session = session_of(table)
    matches = select(TableMatch.id).where(TableMatch.table_id == table.id)
    query = select(StoredPhoto.id).where(StoredPhoto.match_id.in_(matches), StoredPhoto.size > 0)
    ids = session.scalars(query).all()
    _delete_pictures(session, ids)
    _delete_uploads(session, Upload.table_id == table.id)
    return len(ids)


def purge_expired(store: Store, *, before: datetime, at_most: int = PURGE_BATCH) -> int:
    """Delete pictures older than `before`, at most `at_most`, and return how many were deleted.

    Also delete uploads older than `before` that no longer wait.
    """
    query = (
        select(StoredPhoto.id, StoredPhoto.made_at)
        .where(StoredPhoto.size > 0)
        .order_by(StoredPhoto.id)
        .limit(at_most)
    )
    with store.reading() as session:
        old = [photo_id for photo_id, made_at in session.execute(query) if made_at < before]
    with store.writing() as session:
        _delete_pictures(session, old)
        done = Upload.state != UploadState.WAITING
        _delete_uploads(session, done, Upload.made_at < before)
    return len(old)


def vacuum(store: Store, *, thoroughly: bool = False) -> bool:
    """Erase deleted rows from the files of the database. Return False if it is in use.

    With `thoroughly`, rewrite the files as small as possible while other sessions wait. On
    PostgreSQL nothing is erased without it.
    """
    try:
        with store.autocommit() as connection:
            if connection.dialect.name == "sqlite":
                if thoroughly:
                    connection.exec_driver_sql("VACUUM")
                checkpoint = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                return not checkpoint.one()[0]
            if thoroughly:
                connection.exec_driver_sql("VACUUM FULL photos, photo_files, uploads, upload_files")
    except StoreBusyError:
        return False
    return True


def _delete_pictures(session: Session, photo_ids: Sequence[int]) -> None:
    """Delete the pictures of photos, and their hashes."""
    for photo_id in photo_ids:
        session.execute(
            update(StoredPhoto)
            .where(StoredPhoto.id == photo_id)
            .values(size=0, sha256=f"deleted {photo_id}")
        )
    session.execute(delete(PhotoBytes).where(PhotoBytes.photo_id.in_(photo_ids)))


def _delete_uploads(session: Session, *which: ColumnElement[bool]) -> None:
    """Delete the bytes, names and refusals of uploads, and mark them as read."""
    ids = session.scalars(select(Upload.id).where(Upload.name != "", *which)).all()
    session.execute(delete(UploadBytes).where(UploadBytes.upload_id.in_(ids)))
    session.execute(
        update(Upload)
        .where(Upload.id.in_(ids))
        .values(name="", refusal=None, state=UploadState.READ)
    )
