"""The uploads: photos as phones sent them, until a worker has read them."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy import and_, delete, func, or_, select
from sqlalchemy.orm import Session

from store.errors import QueueFullError
from store.log import match_numbered
from store.models import Refusal, Table, Upload, UploadBytes, UploadState, session_of
from store.piles import check_hand

MAX_WAITING, MAX_WAITING_BYTES = 12, 200_000_000
"""Maximum number of waiting photos of one table, and of their bytes."""


def add(
    table: Table,
    data: bytes,
    *,
    key: str,
    name: str,
    match_no: int,
    hand_no: int,
    side: int,
    is_mending: bool = False,
    device: str = "",
) -> int:
    """Append a file to the queue and return its id. The same key has the same id.

    Raises:
        MatchClosedError, UnknownPlaceError: As `piles.check_hand`.
        QueueFullError: Too many photos of the table wait. A file without bytes is always accepted.
    """
    session = session_of(table)
    upload = _with_key(table, key)
    if upload is None:
        match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
        if data:
            check_room(table, key=key, size=len(data))
        upload = Upload(
            table_id=table.id,
            match_id=match.id,
            hand_no=hand_no,
            side=side,
            is_mending=is_mending,
            key=key,
            name=name,
            size=len(data),
            device=device,
        )
        session.add(upload)
        session.flush()
        session.add(UploadBytes(upload_id=upload.id, data=data))
        session.flush()
    return upload.id


def check_room(table: Table, *, key: str, size: int = 0) -> None:
    """Raise QueueFullError if a file of this size has no room in the queue of its table."""
    waiting = Upload.table_id == table.id, Upload.state == UploadState.WAITING, Upload.size > 0
    query = select(func.count(), func.coalesce(func.sum(Upload.size), 0)).where(*waiting)
    count, total = session_of(table).execute(query).one()
    is_full = count >= MAX_WAITING or total + size > MAX_WAITING_BYTES
    if is_full and _with_key(table, key) is None:
        raise QueueFullError(table.code)


def _with_key(table: Table, key: str) -> Upload | None:
    query = select(Upload).where(Upload.table_id == table.id, Upload.key == key)
    return session_of(table).scalars(query).one_or_none()


def next_waiting(
    session: Session,
    *,
    besides: Collection[str] = (),
    turns: Mapping[str, int] = MappingProxyType({}),
) -> tuple[Upload, bytes] | None:
    """Return the next file of the table whose last turn is the longest ago, or None.

    Args:
        session: Of the running transaction.
        besides: Codes of tables to skip.
        turns: Number of the last turn of each table by its code; without one, a table is first.
    """
    query = select(Table.code, func.min(Upload.id)).join(Upload, Upload.table_id == Table.id)
    query = query.where(Upload.state == UploadState.WAITING, Table.code.not_in(besides))
    oldest = session.execute(query.group_by(Table.code)).all()
    ordered = sorted((turns.get(code, 0), upload_id) for code, upload_id in oldest)
    return waiting(session, ordered[0][1]) if ordered else None


def waiting(session: Session, upload_id: int) -> tuple[Upload, bytes] | None:
    """Return a file with its bytes, or None if it no longer waits."""
    upload = session.get(Upload, upload_id)
    if upload is None or upload.state is not UploadState.WAITING:
        return None
    return upload, session.get_one(UploadBytes, upload_id).data


def settle(
    table: Table, upload_id: int, *, state: UploadState, refusal: Refusal | None = None
) -> None:
    """Store the outcome of a file: read, late or refused. A late one keeps its bytes."""
    upload = session_of(table).get_one(Upload, upload_id)
    upload.state = state
    upload.refusal = None if refusal is None else dict(refusal)
    if state is not UploadState.LATE:
        session_of(table).execute(delete(UploadBytes).filter_by(upload_id=upload_id))


def reassign(
    table: Table,
    upload_id: int,
    *,
    match_no: int,
    hand_no: int,
    side: int,
    is_mending: bool = False,
) -> None:
    """Queue a late file for another pile; do nothing if it is not late."""
    match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
    upload = _of_table(table, upload_id)
    if upload is not None and upload.state is UploadState.LATE:
        upload.match_id, upload.hand_no, upload.side = match.id, hand_no, side
        upload.is_mending, upload.state = is_mending, UploadState.WAITING


def forget(table: Table, upload_id: int) -> None:
    """Hide a refused or late file from the screens."""
    upload = _of_table(table, upload_id)
    if upload is not None and upload.state is not UploadState.WAITING:
        settle(table, upload_id, state=UploadState.READ)


def _of_table(table: Table, upload_id: int) -> Upload | None:
    upload = session_of(table).get(Upload, upload_id)
    return upload if upload is not None and upload.table_id == table.id else None


def of_hand(table: Table, *, hand_no: int, match_no: int | None = None) -> tuple[Upload, ...]:
    """Return the waiting and refused files of a hand, and all late files of the table."""
    match = match_numbered(table, match_no)
    of_hand = and_(
        Upload.match_id == match.id,
        Upload.hand_no == hand_no,
        Upload.state.in_((UploadState.WAITING, UploadState.REFUSED)),
    )
    query = (
        select(Upload)
        .where(Upload.table_id == table.id, or_(of_hand, Upload.state == UploadState.LATE))
        .order_by(Upload.id)
    )
    return tuple(session_of(table).scalars(query))


def waiting_before(session: Session, upload_id: int) -> int:
    """Return how many files are before this one if the tables take turns."""
    turn = func.row_number().over(partition_by=Upload.table_id, order_by=Upload.id)
    found = select(Upload.id, turn.label("turn")).where(Upload.state == UploadState.WAITING)
    queued = found.subquery()
    mine = select(queued.c.turn).where(queued.c.id == upload_id).scalar_subquery()
    is_before = or_(queued.c.turn < mine, and_(queued.c.turn == mine, queued.c.id < upload_id))
    return session.scalars(select(func.count()).select_from(queued).where(is_before)).one()


def counts(session: Session) -> dict[UploadState, int]:
    """Return the number of files in each state."""
    query = select(Upload.state, func.count()).group_by(Upload.state)
    found: dict[Any, int] = {row[0]: row[1] for row in session.execute(query)}
    return {state: found.get(state, 0) for state in UploadState}
