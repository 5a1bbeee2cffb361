"""Scopa taps, drafts of piles, and stored photos of a hand."""

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
"""Maximum size of a stored photo. A JPEG of 2,000 pixels a side is smaller."""

_JPEG = b"\xff\xd8\xff"


def check_hand(table: Table, *, match_no: int | None, hand_no: int, side: int) -> TableMatch:
    """Return a match after checking that it has a side and a hand.

    In a match that is over, saved hands can be edited, but no hand is played.

    Raises:
        MatchClosedError: The hand would be the next one of a match that is over.
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
    """Return the scope tapped in the hand being played, by side."""
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
    """Add scope to a side, or take some back with a negative `delta`. Return the counts by side.

    Raises:
        MatchClosedError, HandClosedError: The match or hand of the tap is over.
        ScopeBelowZeroError: The side has fewer scope.
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
    """Return the drafts of a hand by side; by default of the hand being played."""
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
    """Store drafts of a hand, JSON objects by side, all of them or none.

    `expected` has the version of each draft that the sender saw, 0 if there was none.

    Raises:
        StaleDraftError: Another device has stored a newer version.
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
    """Store a small JPEG of a pile and return its id. The same bytes have the same id.

    Raises:
        PhotoRefusedError: It is not a JPEG, or too large.
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
    """Return the photos of a match, or of one of its hands, oldest first."""
    query = select(StoredPhoto).where(StoredPhoto.match_id == match_numbered(table, match_no).id)
    if hand_no is not None:
        query = query.where(StoredPhoto.hand_no == hand_no)
    return tuple(session_of(table).scalars(query.order_by(StoredPhoto.id)))


def photo(session: Session, photo_id: int, *, table: Table | None = None) -> bytes:
    """Return the JPEG of a photo; with `table`, only of a photo of that table.

    Raises:
        PhotoGoneError: The photo was deleted.
        UnknownPlaceError: There is no such photo.
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


def move_photo(table: Table, photo_id: int, *, side: int) -> None:
    """Note that a photo of a table is of another side's pile.

    Nothing changes if it is no photo of the table, or if that pile has the same picture.
    """
    session = session_of(table)
    found = session.get(StoredPhoto, photo_id)
    if found is None or session.get_one(TableMatch, found.match_id).table_id != table.id:
        return
    there = {"match_id": found.match_id, "hand_no": found.hand_no, "side": side}
    same = select(StoredPhoto).filter_by(**there, sha256=found.sha256)
    if session.scalars(same).one_or_none() is None:
        found.side = side
        session.flush()


def is_kept(session: Session, photo_id: int) -> bool:
    """Return whether the JPEG of a photo is still stored."""
    return bool(session.scalar(select(StoredPhoto.size).where(StoredPhoto.id == photo_id)))
