"""The uploads: photos as phones sent them, until a worker has read them."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import and_, delete, func, or_, select
from sqlalchemy.orm import Session

from store.log import match_numbered
from store.models import Refusal, Table, Upload, UploadBytes, UploadState, session_of
from store.piles import check_hand


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
    """
    session = session_of(table)
    query = select(Upload).where(Upload.table_id == table.id, Upload.key == key)
    upload = session.scalars(query).one_or_none()
    if upload is None:
        match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
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


def next_waiting(session: Session, *, besides: Collection[str] = ()) -> tuple[Upload, bytes] | None:
    """Return the file that has waited longest, with its bytes, or None.

    Files of the tables with the codes `besides` are skipped.
    """
    query = select(func.min(Upload.id)).where(Upload.state == UploadState.WAITING)
    if besides:
        tables = select(Table.id).where(Table.code.in_(besides))
        query = query.where(Upload.table_id.not_in(tables))
    upload_id = session.scalar(query)
    return None if upload_id is None else waiting(session, upload_id)


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
    """Return how many files, of all tables, are before this one in the queue."""
    query = select(func.count()).where(Upload.state == UploadState.WAITING, Upload.id < upload_id)
    return session.scalars(query).one()


def counts(session: Session) -> dict[UploadState, int]:
    """Return the number of files in each state."""
    query = select(Upload.state, func.count()).group_by(Upload.state)
    found: dict[Any, int] = {row[0]: row[1] for row in session.execute(query)}
    return {state: found.get(state, 0) for state in UploadState}
