"""Decks that tables have taught, kept for the whole house.

The table that taught a deck may change it; every table may choose it. A photo of the deck waits
here until it is read, and is deleted then: small pictures of the cards are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from store.database import Store as Database
from store.errors import UnknownPlaceError
from store.models import (
    DeckPhotoFileRecord,
    DeckPhotoRecord,
    DeckRecord,
    DeckViewRecord,
    SeatRecord,
    TableRecord,
    session_of,
)
from store.rows import UploadState
from store.tables import TableRef


@dataclass(frozen=True, kw_only=True)
class DeckRow:
    """A deck, without its cards."""

    id: int
    """Its number."""
    name: str
    """What it is called; empty while it is being taught."""
    code: str
    """Code of the table that taught it, and may change it."""
    revision: int
    """Grows with every change to its cards."""
    cards: int
    """How many of the forty cards it knows."""


@dataclass(frozen=True, kw_only=True)
class DeckPhotoRow:
    """A photo of a deck laid out, without its bytes."""

    id: int
    """Its number."""
    name: str
    """The file's name."""
    state: UploadState
    refusal: Mapping[str, Any] | None
    """Why it was refused: "error", the error's name, and its data."""


@dataclass(frozen=True, kw_only=True)
class ViewRow:
    """A card of a deck as it was seen once."""

    id: int
    """Its number."""
    key: str
    """Where it comes from."""
    photo: int | None
    """The photo of the deck that shows it; None where it comes from a file or a pile."""
    code: str
    """The card it is taken for, or `x`."""
    is_sure: bool
    """Whether that was read without a doubt, or somebody said it."""
    is_covered: bool
    """Whether another card may lie over a part of it: then it teaches nothing."""
    is_out: bool
    """Whether somebody took it out."""
    jpeg: bytes = field(repr=False)
    """The picture of it."""


@dataclass(frozen=True, kw_only=True)
class TaughtCard:
    """A card to be kept: what a photo, a file or a pile shows of it."""

    key: str
    """Where it comes from: the same is kept once."""
    code: str
    """The card it is taken for, or `x`."""
    jpeg: bytes = field(repr=False)
    """The picture of it."""
    is_sure: bool = True
    """Whether that was read without a doubt, or somebody said it."""
    is_covered: bool = False
    """Whether another card may lie over a part of it."""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """The deck that a table plays with."""

    deck: DeckRow
    learns: bool
    """Whether cards that somebody corrects at the table are added to the deck."""


NOT_READ = "x"
"""What a view is called of which nobody knows which card it is."""


def begin(table: TableRecord, *, key: str, device: str) -> DeckRow:
    """Begins a deck, once for each key."""
    session = session_of(table)
    asked = select(DeckRecord).where(DeckRecord.table_id == table.id, DeckRecord.key == key)
    known = session.scalars(asked).one_or_none()
    if known is None:
        known = DeckRecord(table_id=table.id, key=key, device=device)
        session.add(known)
        session.flush()
    return row(session, known.id)


def row(session: Session, deck: int) -> DeckRow:
    """A deck, without its cards.

    Raises:
        UnknownPlaceError: There is none with this number.
    """
    record = found(session, deck)
    table = session.get_one(TableRecord, record.table_id)
    cards = select(func.count(func.distinct(DeckViewRecord.code))).where(*_teaching(deck))
    return DeckRow(
        id=record.id,
        name=record.name,
        code=table.code,
        revision=record.revision,
        cards=session.scalars(cards).one(),
    )


def found(session: Session, deck: int) -> DeckRecord:
    """The record of a deck; raises as `row`."""
    record = session.get(DeckRecord, deck)
    if record is None:
        known = session.scalars(select(func.count()).select_from(DeckRecord)).one()
        raise UnknownPlaceError("deck", deck, known=known)
    return record


def offered(session: Session) -> tuple[DeckRow, ...]:
    """The decks that have a name and were not forgotten, oldest first."""
    asked = (
        select(DeckRecord.id)
        .where(DeckRecord.name != "", DeckRecord.is_forgotten.is_(False))
        .order_by(DeckRecord.id)
    )
    return tuple(row(session, number) for number in session.scalars(asked).all())


def unfinished(table: TableRecord) -> DeckRow | None:
    """The deck that a table began last and has not named yet."""
    session = session_of(table)
    asked = select(func.max(DeckRecord.id)).where(
        DeckRecord.table_id == table.id,
        DeckRecord.name == "",
        DeckRecord.is_forgotten.is_(False),
    )
    number = session.scalar(asked)
    return None if number is None else row(session, number)


def put_photo(session: Session, data: bytes, *, deck: int, key: str, name: str) -> int:
    """Keeps a photo until it is read, once, and gives its number."""
    asked = select(DeckPhotoRecord).where(
        DeckPhotoRecord.deck_id == deck, DeckPhotoRecord.key == key
    )
    known = session.scalars(asked).one_or_none()
    if known is None:
        known = DeckPhotoRecord(deck_id=found(session, deck).id, key=key, name=name)
        session.add(known)
        session.flush()
        session.add(DeckPhotoFileRecord(photo_id=known.id, data=data))
        session.flush()
    return known.id


def waiting(session: Session, deck: int) -> tuple[DeckPhotoRow, bytes] | None:
    """The photo of a deck that has waited longest, with its bytes."""
    asked = (
        select(DeckPhotoRecord, DeckPhotoFileRecord.data)
        .join(DeckPhotoFileRecord, DeckPhotoFileRecord.photo_id == DeckPhotoRecord.id)
        .where(DeckPhotoRecord.deck_id == deck, DeckPhotoRecord.state == UploadState.WAITING)
        .order_by(DeckPhotoRecord.id)
        .limit(1)
    )
    pair = session.execute(asked).one_or_none()
    return None if pair is None else (_photo(pair[0]), pair[1])


def settle(
    session: Session,
    photo: int,
    *,
    cards: Sequence[TaughtCard],
    refusal: Mapping[str, Any] | None,
) -> None:
    """Keeps the cards that a photo shows, or why it was refused; its bytes go."""
    record = session.get(DeckPhotoRecord, photo)
    if record is None or record.state != UploadState.WAITING:
        return  # somebody else has read it, or it was taken out meanwhile
    record.state = UploadState.READ if refusal is None else UploadState.REFUSED
    record.refusal = None if refusal is None else dict(refusal)
    session.execute(delete(DeckPhotoFileRecord).where(DeckPhotoFileRecord.photo_id == photo))
    add_views(session, cards, deck=record.deck_id, photo=photo)


def add_views(
    session: Session, cards: Sequence[TaughtCard], *, deck: int, photo: int | None = None
) -> None:
    """Keeps cards of a deck, each once."""
    asked = select(DeckViewRecord.key).where(DeckViewRecord.deck_id == deck)
    known = set(session.scalars(asked).all())
    for place, card in enumerate(cards):
        if card.key not in known:
            session.add(
                DeckViewRecord(
                    deck_id=deck,
                    key=card.key,
                    photo_id=photo,
                    place=place,
                    code=card.code,
                    is_sure=card.is_sure,
                    is_covered=card.is_covered,
                    jpeg=card.jpeg,
                )
            )
    _bump(session, deck)


def photos(session: Session, deck: int) -> tuple[DeckPhotoRow, ...]:
    """The photos of a deck, as they came."""
    asked = (
        select(DeckPhotoRecord).where(DeckPhotoRecord.deck_id == deck).order_by(DeckPhotoRecord.id)
    )
    return tuple(_photo(record) for record in session.scalars(asked))


def views(session: Session, deck: int) -> tuple[ViewRow, ...]:
    """The cards of a deck as they were seen, photo by photo, row by row."""
    asked = (
        select(DeckViewRecord)
        .where(DeckViewRecord.deck_id == deck)
        .order_by(DeckViewRecord.photo_id, DeckViewRecord.place, DeckViewRecord.id)
    )
    return tuple(_view(record) for record in session.scalars(asked))


def name_view(session: Session, view: int, *, deck: int, code: str | None) -> None:
    """Says which card a view shows; None takes it out, a card brings it back."""
    record = session.get(DeckViewRecord, view)
    if record is None or record.deck_id != deck:
        raise UnknownPlaceError("card of the deck", view, known=0)
    record.is_out = code is None
    if code is not None:
        record.code, record.is_sure, record.is_covered = code, True, False
    _bump(session, deck)


def drop_photo(session: Session, photo: int, *, deck: int) -> None:
    """Takes a photo out of a deck, and all cards that it shows."""
    record = session.get(DeckPhotoRecord, photo)
    if record is not None and record.deck_id == deck:
        session.execute(delete(DeckViewRecord).where(DeckViewRecord.photo_id == photo))
        session.execute(delete(DeckPhotoFileRecord).where(DeckPhotoFileRecord.photo_id == photo))
        session.delete(record)
        session.flush()
    _bump(session, deck)


def drop_learnt(session: Session, deck: int, *, start: str) -> int:
    """Takes out the cards whose key begins so; gives how many it were."""
    asked = select(DeckViewRecord.id).where(
        DeckViewRecord.deck_id == deck, DeckViewRecord.key.startswith(start, autoescape=True)
    )
    numbers = session.scalars(asked).all()
    session.execute(delete(DeckViewRecord).where(DeckViewRecord.id.in_(numbers)))
    _bump(session, deck)
    return len(numbers)


def keep(session: Session, deck: int, *, name: str) -> None:
    """Gives a deck its name: from then on it is offered."""
    found(session, deck).name = name


def forget(session: Session, deck: int) -> None:
    """Offers a deck no more; its pictures are deleted, and tables that played with it have none."""
    found(session, deck).is_forgotten = True
    session.execute(delete(SeatRecord).where(SeatRecord.deck_id == deck))
    session.execute(delete(DeckViewRecord).where(DeckViewRecord.deck_id == deck))
    own = select(DeckPhotoRecord.id).where(DeckPhotoRecord.deck_id == deck)
    session.execute(delete(DeckPhotoFileRecord).where(DeckPhotoFileRecord.photo_id.in_(own)))
    session.execute(delete(DeckPhotoRecord).where(DeckPhotoRecord.deck_id == deck))
    _bump(session, deck)


def sit_down(table: TableRecord, deck: int | None, *, learns: bool) -> None:
    """Says which deck a table plays with; None: none that was taught."""
    session = session_of(table)
    session.execute(delete(SeatRecord).where(SeatRecord.table_id == table.id))
    if deck is not None:
        session.add(SeatRecord(table_id=table.id, deck_id=found(session, deck).id, learns=learns))
    session.flush()


def seat(table: TableRecord) -> Seat | None:
    """The deck that a table plays with."""
    session = session_of(table)
    record = session.get(SeatRecord, table.id)
    return None if record is None else Seat(deck=row(session, record.deck_id), learns=record.learns)


def _bump(session: Session, deck: int) -> None:
    session.execute(
        update(DeckRecord).where(DeckRecord.id == deck).values(revision=DeckRecord.revision + 1)
    )
    session.flush()
    session.expire_all()


def _teaching(deck: int) -> tuple[Any, ...]:
    """What a view of a deck must be to teach it something."""
    return (
        DeckViewRecord.deck_id == deck,
        DeckViewRecord.code != NOT_READ,
        DeckViewRecord.is_out.is_(False),
        DeckViewRecord.is_covered.is_(False),
    )


def _photo(record: DeckPhotoRecord) -> DeckPhotoRow:
    return DeckPhotoRow(
        id=record.id,
        name=record.name,
        state=UploadState(record.state),
        refusal=record.refusal,
    )


def _view(record: DeckViewRecord) -> ViewRow:
    return ViewRow(
        id=record.id,
        key=record.key,
        photo=record.photo_id,
        code=record.code,
        is_sure=record.is_sure,
        is_covered=record.is_covered,
        is_out=record.is_out,
        jpeg=record.jpeg,
    )


class Decks:
    """The decks that tables have taught. Each method is one transaction, as those of `Store`.

    What changes a deck names the table that does so, whose screens then hear of it.
    """

    def __init__(self, transactions: Database) -> None:
        self._in = transactions

    def begin(self, table: TableRef, *, key: str, device: str = "") -> DeckRow:
        """Begins a deck of a table; the same key again gives the same deck."""
        with self._in.write(table) as record:
            return begin(record, key=key, device=device)

    def deck(self, deck: int) -> DeckRow:
        """A deck, without its cards; raises UnknownPlaceError."""
        with self._in.reading() as session:
            return row(session, deck)

    def offered(self) -> tuple[DeckRow, ...]:
        """The decks that every table may choose, oldest first."""
        with self._in.reading() as session:
            return offered(session)

    def unfinished(self, table: TableRef) -> DeckRow | None:
        """The deck that a table is teaching."""
        with self._in.read(table) as record:
            return unfinished(record)

    def put_photo(self, table: TableRef, data: bytes, *, deck: int, key: str, name: str) -> int:
        """Keeps a photo of a deck until it is read, once, and gives its number."""
        with self._in.write(table) as record:
            session = session_of(record)
            return put_photo(session, data, deck=deck, key=key, name=name)

    def waiting(self, deck: int) -> tuple[DeckPhotoRow, bytes] | None:
        """The photo of a deck that has waited longest, with its bytes."""
        with self._in.reading() as session:
            return waiting(session, deck)

    def settle_photo(
        self,
        table: TableRef,
        photo: int,
        *,
        cards: Sequence[TaughtCard] = (),
        refusal: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps the cards that a photo shows, or why it was refused; its bytes are deleted."""
        with self._in.write(table) as record:
            session = session_of(record)
            settle(session, photo, cards=cards, refusal=refusal)

    def add_views(self, table: TableRef, cards: Sequence[TaughtCard], *, deck: int) -> None:
        """Keeps cards of a deck that come from no photo of it, each once."""
        with self._in.write(table) as record:
            add_views(session_of(record), cards, deck=deck)

    def photos(self, deck: int) -> tuple[DeckPhotoRow, ...]:
        """The photos of a deck, as they came."""
        with self._in.reading() as session:
            return photos(session, deck)

    def views(self, deck: int) -> tuple[ViewRow, ...]:
        """The cards of a deck as they were seen, photo by photo, row by row."""
        with self._in.reading() as session:
            return views(session, deck)

    def name_view(self, table: TableRef, view: int, *, deck: int, code: str | None) -> None:
        """Says which card a view shows; None takes it out, a card brings it back."""
        with self._in.write(table) as record:
            name_view(session_of(record), view, deck=deck, code=code)

    def drop_photo(self, table: TableRef, photo: int, *, deck: int) -> None:
        """Takes a photo out of a deck, and all cards that it shows."""
        with self._in.write(table) as record:
            drop_photo(session_of(record), photo, deck=deck)

    def drop_learnt(self, table: TableRef, *, deck: int, start: str) -> int:
        """Takes out the cards of a deck whose key begins so; gives how many it were."""
        with self._in.write(table) as record:
            return drop_learnt(session_of(record), deck, start=start)

    def keep(self, table: TableRef, *, deck: int, name: str) -> None:
        """Gives a deck its name, or another one: from then on it is offered."""
        with self._in.write(table) as record:
            keep(session_of(record), deck, name=name)

    def forget(self, table: TableRef, *, deck: int) -> None:
        """Offers a deck no more and deletes its pictures; tables that chose it have none."""
        with self._in.write(table) as record:
            forget(session_of(record), deck)

    def sit_down(self, table: TableRef, deck: int | None, *, learns: bool = False) -> None:
        """Says which deck a table plays with, and whether it learns; None: none that was taught."""
        with self._in.write(table) as record:
            sit_down(record, deck, learns=learns)

    def seat(self, table: TableRef) -> Seat | None:
        """The deck that a table plays with."""
        with self._in.read(table) as record:
            return seat(record)
