"""What is going on in the hand being played: scope taps, shared drafts, photos."""

import hashlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from store.errors import (
    HandClosedError,
    MatchClosedError,
    PhotoGoneError,
    PhotoRefusedError,
    ScopeBelowZeroError,
    StaleDraftError,
    UnknownPlaceError,
)
from store.log import current_match
from store.models import (
    DraftRecord,
    MatchRecord,
    PhotoFileRecord,
    PhotoRecord,
    TableRecord,
    TapRecord,
    now,
    session_of,
)
from store.rows import DraftRow, PhotoRow
from store.tables import check_side, match_numbered

MAX_PHOTO_BYTES = 1_500_000
"""A photo kept as evidence is made small before: 2,000 pixels of JPEG fit well."""

_JPEG = b"\xff\xd8\xff"


def scope_counts(match: MatchRecord) -> tuple[int, ...]:
    """The scope tapped in the hand being played, by side."""
    asked = (
        select(TapRecord.side, func.sum(TapRecord.delta))
        .where(TapRecord.match_id == match.id, TapRecord.hand_no == _playing(match))
        .group_by(TapRecord.side)
    )
    sums = {row[0]: row[1] for row in session_of(match).execute(asked)}
    return tuple(int(sums.get(side.side, 0)) for side in match.sides)


def add_scope(
    table: TableRecord,
    side: int,
    *,
    delta: int,
    match_no: int | None,
    hand_no: int | None,
    device: str,
) -> tuple[int, ...]:
    """Adds scope to a side, or takes them back, and gives the counts after it."""
    match = current_match(table)
    if match_no is not None and match_no != match.number:
        raise MatchClosedError(match_no, current=match.number)
    check_side(match, side)
    playing = _playing(match)
    if hand_no is not None and hand_no != playing:
        raise HandClosedError(hand_no, current=playing)
    counts = scope_counts(match)
    if counts[side] + delta < 0:
        raise ScopeBelowZeroError(side, count=counts[side])
    session_of(table).add(
        TapRecord(match_id=match.id, hand_no=playing, side=side, delta=delta, device=device)
    )
    session_of(table).flush()
    return *counts[:side], counts[side] + delta, *counts[side + 1 :]


def drafts(match: MatchRecord, *, hand_no: int | None) -> tuple[DraftRow, ...]:
    """The drafts of a hand by side; None asks for the hand being played."""
    asked = hand_no or _playing(match)
    found = session_of(match).scalars(
        select(DraftRecord)
        .where(DraftRecord.match_id == match.id, DraftRecord.hand_no == asked)
        .order_by(DraftRecord.side)
    )
    return tuple(_draft_row(record) for record in found)


def put_draft(
    table: TableRecord,
    draft: Mapping[str, Any],
    *,
    match_no: int | None,
    hand_no: int,
    side: int,
    expected: int | None,
    device: str,
) -> DraftRow:
    """Keeps the draft of a side; with `expected`, only over the version seen (0: none)."""
    match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
    record = session_of(table).get(DraftRecord, (match.id, hand_no, side))
    if record is None:
        record = DraftRecord(match_id=match.id, hand_no=hand_no, side=side, version=0)
        session_of(table).add(record)
    elif expected is not None and expected != record.version:
        raise StaleDraftError(_draft_row(record))
    record.draft = dict(draft)
    record.version += 1
    record.device = device
    record.made_at = now()
    session_of(table).flush()
    return _draft_row(record)


def put_photo(
    table: TableRecord,
    jpeg: bytes,
    *,
    match_no: int | None,
    hand_no: int,
    side: int,
    device: str,
) -> int:
    """Keeps a small JPEG and gives its number; the same bytes again give the same number."""
    if not jpeg.startswith(_JPEG) or len(jpeg) > MAX_PHOTO_BYTES:
        raise PhotoRefusedError(len(jpeg), limit=MAX_PHOTO_BYTES)
    match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
    sha256 = hashlib.sha256(jpeg).hexdigest()
    place = {"match_id": match.id, "hand_no": hand_no, "side": side, "sha256": sha256}
    known = session_of(table).scalars(select(PhotoRecord).filter_by(**place)).one_or_none()
    if known is None:
        known = PhotoRecord(**place, size=len(jpeg), device=device)
        session_of(table).add(known)
        session_of(table).flush()
        session_of(table).add(PhotoFileRecord(photo_id=known.id, jpeg=jpeg))
        session_of(table).flush()
    return known.id


def photo(session: Session, photo_id: int, *, table_id: int | None) -> bytes:
    """The bytes of a photo, of one table where that is named.

    Raises:
        PhotoGoneError: They were deleted.
        UnknownPlaceError: There never was such a photo.
    """
    found = session.get(PhotoFileRecord, photo_id)
    known = session.get(PhotoRecord, photo_id)
    if known is not None and table_id is not None:
        of = session.get_one(MatchRecord, known.match_id).table_id
        known = known if of == table_id else None
    if found is None and known is not None:
        raise PhotoGoneError(photo_id)
    found = None if known is None else found
    if found is None:
        count = session.scalars(select(func.count()).select_from(PhotoRecord)).one()
        raise UnknownPlaceError("photo", photo_id, known=count)
    return found.jpeg


def photos(match: MatchRecord, *, hand_no: int | None) -> tuple[PhotoRow, ...]:
    """The photos of a match, or of one of its hands, in the order they came."""
    asked = select(PhotoRecord).where(PhotoRecord.match_id == match.id)
    if hand_no is not None:
        asked = asked.where(PhotoRecord.hand_no == hand_no)
    return tuple(
        PhotoRow(
            id=record.id,
            match_no=match.number,
            hand_no=record.hand_no,
            side=record.side,
            size=record.size,
            device=record.device,
            made_at=record.made_at,
        )
        for record in session_of(match).scalars(asked.order_by(PhotoRecord.id))
    )


def _playing(match: MatchRecord) -> int:
    """The number of the hand being played."""
    return match.hands + 1


def check_hand(table: TableRecord, *, match_no: int | None, hand_no: int, side: int) -> MatchRecord:
    """The match that is meant, which must have the side and the hand.

    In a match that is over a hand can still be mended, and none is played.

    Raises:
        MatchClosedError: The hand would have been the next one of a match that is over.
        UnknownPlaceError: There is no such side or hand.
    """
    match, current = match_numbered(table, match_no), current_match(table)
    playing = _playing(match)
    if match.number != current.number and hand_no >= playing:
        raise MatchClosedError(match.number, current=current.number)
    check_side(match, side)
    if not 1 <= hand_no <= playing:
        raise UnknownPlaceError("hand", hand_no, known=playing)
    return match


def _draft_row(record: DraftRecord) -> DraftRow:
    return DraftRow(
        hand_no=record.hand_no,
        side=record.side,
        draft=dict(record.draft),
        version=record.version,
        device=record.device,
        made_at=record.made_at,
    )
