"""The hand being played: scopa taps, shared drafts of its piles, stored photos."""

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
from store.log import check_side, match_numbered
from store.models import (
    PhotoBytes,
    PileDraft,
    ScopaTap,
    StoredPhoto,
    Table,
    TableMatch,
    now,
    session_of,
)

MAX_PHOTO_BYTES = 1_500_000
"""A photo is made small before it is stored: 2,000 pixels of JPEG fit well."""

_JPEG = b"\xff\xd8\xff"


def check_hand(table: Table, *, match_no: int | None, hand_no: int, side: int) -> TableMatch:
    """The match that is meant, which must have the side and the hand.

    A hand of a match that is over can still be edited, and none is played there.

    Raises:
        MatchClosedError: The hand would have been the next one of a match that is over.
        UnknownPlaceError: There is no such side or hand.
    """
    match = match_numbered(table, match_no)
    next_hand = match.hands + 1
    if match is not table.match and hand_no >= next_hand:
        raise MatchClosedError(match.match_no, current=table.match_no)
    check_side(match, side)
    if not 1 <= hand_no <= next_hand:
        raise UnknownPlaceError("hand", hand_no, known=next_hand)
    return match


# Scopa taps


def scope_counts(table: Table) -> tuple[int, ...]:
    """The scope tapped in the hand being played, by side."""
    match = table.match
    query = (
        select(ScopaTap.side, func.sum(ScopaTap.delta))
        .where(ScopaTap.match_id == match.id, ScopaTap.hand_no == match.hands + 1)
        .group_by(ScopaTap.side)
    )
    sums = {row[0]: row[1] for row in session_of(table).execute(query)}
    return tuple(int(sums.get(side.side, 0)) for side in match.sides)


def add_scope(
    table: Table,
    side: int,
    *,
    delta: int = 1,
    match_no: int | None = None,
    hand_no: int | None = None,
    device: str = "",
) -> tuple[int, ...]:
    """Add scope to a side (a `delta` below zero takes back); gives the counts after it, by side.

    Raises:
        MatchClosedError, HandClosedError: The tap was meant for a match or hand that is over.
        ScopeBelowZeroError: There are fewer to take back.
        UnknownPlaceError: There is no such side.
    """
    match = table.match
    if match_no is not None and match_no != match.match_no:
        raise MatchClosedError(match_no, current=match.match_no)
    check_side(match, side)
    playing = match.hands + 1
    if hand_no is not None and hand_no != playing:
        raise HandClosedError(hand_no, current=playing)
    counts = scope_counts(table)
    if counts[side] + delta < 0:
        raise ScopeBelowZeroError(side, count=counts[side])
    session_of(table).add(
        ScopaTap(match_id=match.id, hand_no=playing, side=side, delta=delta, device=device)
    )
    session_of(table).flush()
    return *counts[:side], counts[side] + delta, *counts[side + 1 :]


# Drafts


def drafts(
    table: Table, *, match_no: int | None = None, hand_no: int | None = None
) -> tuple[PileDraft, ...]:
    """The drafts of a hand by side; of the hand being played unless another is named."""
    match = match_numbered(table, match_no)
    query = (
        select(PileDraft)
        .where(PileDraft.match_id == match.id, PileDraft.hand_no == (hand_no or match.hands + 1))
        .order_by(PileDraft.side)
    )
    return tuple(session_of(table).scalars(query))


def put_drafts(
    table: Table,
    drafts: Mapping[int, Mapping[str, Any]],
    *,
    hand_no: int,
    match_no: int | None = None,
    expected: Mapping[int, int] | None = None,
    device: str = "",
) -> tuple[PileDraft, ...]:
    """Store drafts of a hand by side, any JSON objects: all of them or none.

    With `expected`, only over the versions that were seen (none: 0 or left out).

    Raises:
        StaleDraftError: Another device has stored a newer one.
        MatchClosedError, UnknownPlaceError: As `check_hand`.
    """
    session, stored = session_of(table), []
    for side, draft in drafts.items():
        match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
        row = session.get(PileDraft, (match.id, hand_no, side))
        if row is None:
            row = PileDraft(match_id=match.id, hand_no=hand_no, side=side, draft={}, version=0)
            session.add(row)
        elif expected is not None and expected.get(side, 0) != row.version:
            raise StaleDraftError(row)
        row.draft, row.version = dict(draft), row.version + 1
        row.device, row.made_at = device, now()
        stored.append(row)
    session.flush()
    return tuple(stored)


# Photos


def add_photo(
    table: Table,
    jpeg: bytes,
    *,
    hand_no: int,
    side: int,
    match_no: int | None = None,
    device: str = "",
) -> int:
    """Store a small JPEG of a pile; gives its id, the same for the same bytes.

    Raises:
        PhotoRefusedError: It is no JPEG, or too large.
        MatchClosedError, UnknownPlaceError: As `check_hand`.
    """
    if not jpeg.startswith(_JPEG) or len(jpeg) > MAX_PHOTO_BYTES:
        raise PhotoRefusedError(len(jpeg), limit=MAX_PHOTO_BYTES)
    session = session_of(table)
    match = check_hand(table, match_no=match_no, hand_no=hand_no, side=side)
    sha256 = hashlib.sha256(jpeg).hexdigest()
    place: dict[str, Any] = {
        "match_id": match.id, "hand_no": hand_no, "side": side, "sha256": sha256
    }  # fmt: skip
    photo = session.scalars(select(StoredPhoto).filter_by(**place)).one_or_none()
    if photo is None:
        photo = StoredPhoto(**place, size=len(jpeg), device=device)
        session.add(photo)
        session.flush()
        session.add(PhotoBytes(photo_id=photo.id, jpeg=jpeg))
        session.flush()
    return photo.id


def photos(
    table: Table, *, match_no: int | None = None, hand_no: int | None = None
) -> tuple[StoredPhoto, ...]:
    """The photos of a match, or of one of its hands, in the order they came."""
    query = select(StoredPhoto).where(StoredPhoto.match_id == match_numbered(table, match_no).id)
    if hand_no is not None:
        query = query.where(StoredPhoto.hand_no == hand_no)
    return tuple(session_of(table).scalars(query.order_by(StoredPhoto.id)))


def photo(session: Session, photo_id: int, *, table: Table | None = None) -> bytes:
    """The JPEG of a photo; with `table`, only if it is that table's.

    Raises:
        PhotoGoneError: It was deleted.
        UnknownPlaceError: There never was such a photo.
    """
    found = session.get(StoredPhoto, photo_id)
    if found is not None and table is not None:
        match = session.get_one(TableMatch, found.match_id)
        found = found if match.table_id == table.id else None
    if found is None:
        count = session.scalars(select(func.count()).select_from(StoredPhoto)).one()
        raise UnknownPlaceError("photo", photo_id, known=count)
    stored = session.get(PhotoBytes, photo_id)
    if stored is None:
        raise PhotoGoneError(photo_id)
    return stored.jpeg


def is_kept(session: Session, photo_id: int) -> bool:
    """Whether the JPEG of a photo is still there."""
    return bool(session.scalar(select(StoredPhoto.size).where(StoredPhoto.id == photo_id)))
