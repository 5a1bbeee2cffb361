"""Photos as phones sent them, kept until a reader has read them: the queue of the readers."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import and_, delete, func, or_, select
from sqlalchemy.orm import Session

from store import queue
from store.errors import UnknownPlaceError
from store.live import check_hand
from store.models import (
    MatchRecord,
    TableRecord,
    UploadFileRecord,
    UploadRecord,
    session_of,
)
from store.rows import UploadRow, UploadState


def put(
    table: TableRecord,
    data: bytes,
    *,
    key: str,
    name: str,
    match_no: int,
    hand_no: int,
    side: int,
    is_mending: bool,
    device: str,
) -> int:
    """Puts a file at the end of the queue and gives its number; the same key again, the same."""
    session = session_of(table)
    asked = select(UploadRecord).where(UploadRecord.table_id == table.id, UploadRecord.key == key)
    known = session.scalars(asked).one_or_none()
    if known is None:
        match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
        known = UploadRecord(
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
        session.add(known)
        session.flush()
        session.add(UploadFileRecord(upload_id=known.id, data=data))
        session.flush()
        queue.put(session, known.id, code=table.code)
    return known.id


def next_waiting(session: Session, *, besides: Collection[str]) -> int | None:
    """The number of the file that waits longest at no such table; None where none waits."""
    asked = select(func.min(UploadRecord.id)).where(UploadRecord.state == UploadState.WAITING)
    if besides:
        tables = select(TableRecord.id).where(TableRecord.code.in_(besides))
        asked = asked.where(UploadRecord.table_id.not_in(tables))
    return session.scalar(asked)


def data_of(session: Session, upload: int) -> bytes:
    """The bytes of a file that waits.

    Raises:
        UnknownPlaceError: No such file waits.
    """
    found = session.get(UploadFileRecord, upload)
    if found is None:
        count = session.scalars(select(func.count()).select_from(UploadRecord)).one()
        raise UnknownPlaceError("upload", upload, known=count)
    return found.data


def does_wait(session: Session, upload: int) -> bool:
    """Whether a file still waits for a reader."""
    found = session.get(UploadRecord, upload)
    return found is not None and found.state == UploadState.WAITING


def row_of(session: Session, upload: int) -> tuple[str, UploadRow]:
    """The code of the table that a file was sent to, and what is known of it."""
    found = session.get_one(UploadRecord, upload)
    match = session.get_one(MatchRecord, found.match_id)
    table = session.get_one(TableRecord, found.table_id)
    return table.code, _row(found, match_no=match.number)


def settle(
    table: TableRecord, upload: int, *, state: UploadState, refusal: Mapping[str, Any] | None
) -> None:
    """Takes a file out of the queue, with the data of why it was refused; late, its bytes stay."""
    found = session_of(table).get_one(UploadRecord, upload)
    found.state = state
    found.refusal = None if refusal is None else dict(refusal)
    if state != UploadState.LATE:
        session_of(table).execute(delete(UploadFileRecord).filter_by(upload_id=upload))


def take_up(
    table: TableRecord, upload: int, *, match_no: int, hand_no: int, side: int, is_mending: bool
) -> None:
    """Puts a file that came late back into the queue, for another pile."""
    match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
    found = session_of(table).get(UploadRecord, upload)
    if found is not None and found.table_id == table.id and found.state == UploadState.LATE:
        found.match_id, found.hand_no, found.side = match.id, hand_no, side
        found.is_mending, found.state = is_mending, UploadState.WAITING
        queue.put(session_of(table), upload, code=table.code)


def rows(table: TableRecord, match: MatchRecord, *, hand_no: int) -> tuple[UploadRow, ...]:
    """The files of a hand that wait or were refused, and all that came late, as they came."""
    of_hand = and_(
        UploadRecord.match_id == match.id,
        UploadRecord.hand_no == hand_no,
        UploadRecord.state.in_((UploadState.WAITING, UploadState.REFUSED)),
    )
    asked = (
        select(UploadRecord, MatchRecord.number)
        .join(MatchRecord, MatchRecord.id == UploadRecord.match_id)
        .where(
            UploadRecord.table_id == table.id,
            or_(of_hand, UploadRecord.state == UploadState.LATE),
        )
        .order_by(UploadRecord.id)
    )
    found = session_of(table).execute(asked)
    return tuple(_row(record, match_no=number) for record, number in found)


def forget(table: TableRecord, upload: int) -> None:
    """Says no more of a file that was refused or came late."""
    found = session_of(table).get(UploadRecord, upload)
    if found is not None and found.table_id == table.id and found.state != UploadState.WAITING:
        settle(table, upload, state=UploadState.READ, refusal=None)


def waiting_before(session: Session, upload: int) -> int:
    """How many files of all tables are read before one."""
    return session.scalars(
        select(func.count())
        .select_from(UploadRecord)
        .where(UploadRecord.state == UploadState.WAITING, UploadRecord.id < upload)
    ).one()


def counts(session: Session) -> dict[UploadState, int]:
    """How many files are in each state."""
    asked = select(UploadRecord.state, func.count()).group_by(UploadRecord.state)
    found = {row[0]: row[1] for row in session.execute(asked)}
    return {state: found.get(state, 0) for state in UploadState}


def _row(record: UploadRecord, *, match_no: int) -> UploadRow:
    return UploadRow(
        id=record.id,
        name=record.name,
        match_no=match_no,
        hand_no=record.hand_no,
        side=record.side,
        is_mending=record.is_mending,
        state=UploadState(record.state),
        refusal=record.refusal,
        size=record.size,
        device=record.device,
        made_at=record.made_at,
    )
