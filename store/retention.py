"""The end of photos: those that are older than the owner keeps them, and those of one table.

What was seen on a photo stands in its draft and goes on to stand there; the cards of a taught deck
stay too, until the deck is forgotten. The photo's row stays too,
without the picture: its number is not given to another photo.
"""

import os
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from store.database import Store as Database
from store.errors import SettingError
from store.models import (
    DeckPhotoFileRecord,
    DeckPhotoRecord,
    DeckRecord,
    MatchRecord,
    PhotoFileRecord,
    PhotoRecord,
    UploadFileRecord,
    UploadRecord,
    session_of,
)
from store.rows import UploadState
from store.tables import TableRef

DAYS = "SETTEBELLO_PHOTO_DAYS"
"""Environment variable: how many days photos are kept; 0 keeps them for ever."""

DEFAULT_DAYS = 30
"""Days that photos are kept where nothing else is said."""

AT_ONCE = 20
"""Photos whose pictures are deleted in one transaction: others wait no longer than for these."""


def days_kept() -> int | None:
    """How many days photos are kept; None where they are kept for ever.

    Raises:
        SettingError: The environment says something that is no number of days.
    """
    said = os.environ.get(DAYS, "").strip() or str(DEFAULT_DAYS)
    if not (said.isascii() and said.isdecimal() and len(said) < 6):
        raise SettingError(DAYS, expected="a number of days (0: for ever)", came=said)
    return int(said) or None


class Evidence:
    """The pictures that a store keeps of its photos."""

    def __init__(self, transactions: Database) -> None:
        self._in = transactions

    def is_kept(self, photo: int) -> bool:
        """Whether there still is the picture of a photo."""
        asked = select(PhotoRecord.size).where(PhotoRecord.id == photo)
        with self._in.reading() as session:
            return bool(session.scalar(asked))

    def forget(self, table: TableRef) -> int:
        """Deletes all pictures of a table, and files that wait; gives how many pictures it were."""
        with self._in.write(table) as record:
            session = session_of(record)
            matches = select(MatchRecord.id).where(MatchRecord.table_id == record.id)
            asked = select(PhotoRecord.id).where(
                PhotoRecord.match_id.in_(matches), PhotoRecord.size > 0
            )
            numbers = session.scalars(asked).all()
            _delete_pictures(session, numbers)
            _delete_files(session, UploadRecord.table_id == record.id)
            decks = select(DeckRecord.id).where(DeckRecord.table_id == record.id)
            _delete_deck_photos(session, DeckPhotoRecord.deck_id.in_(decks))
        return len(numbers)

    def sweep(self, *, before: datetime, at_most: int = AT_ONCE) -> int:
        """Deletes the oldest pictures that came before a moment; gives how many it were.

        At most so many go at once: where that many went there may be more. The names of files that
        were sent before that moment go with them.
        """
        asked = (
            select(PhotoRecord.id, PhotoRecord.made_at)
            .where(PhotoRecord.size > 0)
            .order_by(PhotoRecord.id)
            .limit(at_most)
        )
        with self._in.reading() as session:
            old = [number for number, made_at in session.execute(asked) if made_at < before]
        with self._in.writing() as session:
            _delete_pictures(session, old)
            done = UploadRecord.state != UploadState.WAITING
            _delete_files(session, done, UploadRecord.made_at < before)
            _delete_deck_photos(session, DeckPhotoRecord.made_at < before)
        return len(old)

    def leave_nothing(self, *, thoroughly: bool = False) -> bool:
        """Takes what was deleted out of the database's files as well; False where others hold it.

        Thoroughly means that the files are written anew, as small as they can be; others wait
        meanwhile. A server keeps deleted rows until then.
        """
        with self._in.autocommit() as connection:
            if connection.dialect.name == "sqlite":
                if thoroughly:
                    connection.exec_driver_sql("VACUUM")
                return not _first(connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)"))
            if thoroughly:
                connection.exec_driver_sql("VACUUM FULL photos, photo_files, uploads, upload_files")
            return True


def _first(rows: Iterable[Iterable[object]]) -> object:
    """The first value of the first row."""
    return next(iter(next(iter(rows))))


def _delete_pictures(session: Session, photos: Sequence[int]) -> None:
    """Deletes the pictures of photos, and what a picture could be known by."""
    for photo in photos:
        session.execute(
            update(PhotoRecord)
            .where(PhotoRecord.id == photo)
            .values(size=0, sha256=f"deleted {photo}")
        )
    session.execute(delete(PhotoFileRecord).where(PhotoFileRecord.photo_id.in_(photos)))


def _delete_deck_photos(session: Session, which: ColumnElement[bool]) -> None:
    """Deletes photos of decks that nobody has read; the cards of those that were read stay."""
    unread = DeckPhotoRecord.state == UploadState.WAITING
    numbers = session.scalars(select(DeckPhotoRecord.id).where(unread, which)).all()
    session.execute(delete(DeckPhotoFileRecord).where(DeckPhotoFileRecord.photo_id.in_(numbers)))
    session.execute(delete(DeckPhotoRecord).where(DeckPhotoRecord.id.in_(numbers)))


def _delete_files(session: Session, *which: ColumnElement[bool]) -> None:
    """Deletes files that phones sent, their names and refusals; none of them waits any more."""
    asked = select(UploadRecord.id).where(UploadRecord.name != "", *which)
    numbers = session.scalars(asked).all()
    session.execute(delete(UploadFileRecord).where(UploadFileRecord.upload_id.in_(numbers)))
    session.execute(
        update(UploadRecord)
        .where(UploadRecord.id.in_(numbers))
        .values(name="", refusal=None, state=UploadState.READ)
    )
