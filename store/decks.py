"""Decks that tables have enrolled, for the whole club.

The table that enrolled a deck may change it; every table may choose it. A photo of the deck waits
here until it is read, and is deleted then: small reference images of the cards are kept.
"""

from collections.abc import Sequence

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from store.errors import UnknownPlaceError
from store.models import (
    Deck,
    DeckPhoto,
    DeckPhotoBytes,
    ReferenceImage,
    Refusal,
    Table,
    TableDeck,
    UploadState,
    session_of,
)


def begin(table: Table, *, key: str, device: str = "") -> Deck:
    """Begin a deck of a table; the same key again gives the same deck."""
    session = session_of(table)
    query = select(Deck).where(Deck.table_id == table.id, Deck.key == key)
    deck = session.scalars(query).one_or_none()
    if deck is None:
        deck = Deck(table_id=table.id, key=key, device=device)
        session.add(deck)
        session.flush()
        session.refresh(deck)
    return deck


def deck(session: Session, deck_id: int) -> Deck:
    """A deck, without its images.

    Raises:
        UnknownPlaceError: There is none with this id.
    """
    found = session.get(Deck, deck_id)
    if found is None:
        known = session.scalars(select(func.count()).select_from(Deck)).one()
        raise UnknownPlaceError("deck", deck_id, known=known)
    return found


def offered(session: Session) -> tuple[Deck, ...]:
    """The decks that every table may choose, oldest first."""
    query = select(Deck).where(Deck.name != "", ~Deck.is_forgotten).order_by(Deck.id)
    return tuple(session.scalars(query))


def unfinished(table: Table) -> Deck | None:
    """The deck that a table began last and has not named yet."""
    query = (
        select(Deck)
        .where(Deck.table_id == table.id, Deck.name == "", ~Deck.is_forgotten)
        .order_by(Deck.id.desc())
        .limit(1)
    )
    return session_of(table).scalars(query).one_or_none()


def keep(session: Session, deck_id: int, *, name: str) -> None:
    """Name a deck: from then on it is offered."""
    found = deck(session, deck_id)
    found.name = name
    session.flush()
    session.refresh(found)  # an update leaves its computed columns unread


def forget(session: Session, deck_id: int) -> None:
    """Offer a deck no longer and delete its pictures; tables that chose it have none."""
    deck(session, deck_id).is_forgotten = True
    session.execute(delete(TableDeck).where(TableDeck.deck_id == deck_id))
    session.execute(delete(ReferenceImage).where(ReferenceImage.deck_id == deck_id))
    session.execute(delete(DeckPhoto).where(DeckPhoto.deck_id == deck_id))  # with its bytes
    _raise_revision(session, deck_id)


# Photos


def add_photo(session: Session, data: bytes, *, deck_id: int, key: str, name: str) -> int:
    """Keep a photo of a deck until it is read; gives its id, the same for the same key."""
    query = select(DeckPhoto).where(DeckPhoto.deck_id == deck_id, DeckPhoto.key == key)
    photo = session.scalars(query).one_or_none()
    if photo is None:
        photo = DeckPhoto(deck_id=deck(session, deck_id).id, key=key, name=name)
        session.add(photo)
        session.flush()
        session.add(DeckPhotoBytes(photo_id=photo.id, data=data))
        session.flush()
    return photo.id


def waiting(session: Session, deck_id: int) -> tuple[DeckPhoto, bytes] | None:
    """The photo of a deck that has waited longest, with its bytes."""
    query = (
        select(DeckPhoto, DeckPhotoBytes.data)
        .join(DeckPhotoBytes, DeckPhotoBytes.photo_id == DeckPhoto.id)
        .where(DeckPhoto.deck_id == deck_id, DeckPhoto.state == UploadState.WAITING)
        .order_by(DeckPhoto.id)
        .limit(1)
    )
    found = session.execute(query).one_or_none()
    return None if found is None else (found[0], found[1])


def settle_photo(
    session: Session,
    photo_id: int,
    *,
    images: Sequence[ReferenceImage] = (),
    refusal: Refusal | None = None,
) -> None:
    """Keep the cards that a photo shows, or why it was refused; its bytes are deleted."""
    photo = session.get(DeckPhoto, photo_id)
    if photo is None or photo.state is not UploadState.WAITING:
        return  # somebody else has read it, or it was taken out meanwhile
    photo.state = UploadState.READ if refusal is None else UploadState.REFUSED
    photo.refusal = None if refusal is None else dict(refusal)
    session.execute(delete(DeckPhotoBytes).where(DeckPhotoBytes.photo_id == photo_id))
    add_images(session, images, deck_id=photo.deck_id, photo_id=photo_id)


def photos(session: Session, deck_id: int) -> tuple[DeckPhoto, ...]:
    """The photos of a deck, in the order they came."""
    query = select(DeckPhoto).where(DeckPhoto.deck_id == deck_id).order_by(DeckPhoto.id)
    return tuple(session.scalars(query))


def drop_photo(session: Session, photo_id: int, *, deck_id: int) -> None:
    """Take a photo out of a deck, and all cards that it shows."""
    photo = session.get(DeckPhoto, photo_id)
    if photo is not None and photo.deck_id == deck_id:
        session.execute(delete(ReferenceImage).where(ReferenceImage.photo == photo_id))
        session.delete(photo)  # with its bytes
        session.flush()
    _raise_revision(session, deck_id)


# Reference images


def add_images(
    session: Session,
    images: Sequence[ReferenceImage],
    *,
    deck_id: int,
    photo_id: int | None = None,
) -> None:
    """Keep reference images of a deck, each once."""
    known = set(
        session.scalars(select(ReferenceImage.key).where(ReferenceImage.deck_id == deck_id))
    )
    for place, image in enumerate(images):
        if image.key not in known:
            image.deck_id, image.photo, image.place = deck_id, photo_id, place
            session.add(image)
    _raise_revision(session, deck_id)


def images(session: Session, deck_id: int) -> tuple[ReferenceImage, ...]:
    """The reference images of a deck, photo by photo, row by row."""
    query = (
        select(ReferenceImage)
        .where(ReferenceImage.deck_id == deck_id)
        .order_by(ReferenceImage.photo, ReferenceImage.place, ReferenceImage.id)
    )
    return tuple(session.scalars(query))


def name_image(session: Session, image_id: int, *, deck_id: int, code: str | None) -> None:
    """Say which card an image shows; None takes it out, a card brings it back."""
    image = session.get(ReferenceImage, image_id)
    if image is None or image.deck_id != deck_id:
        raise UnknownPlaceError("card of the deck", image_id, known=0)
    image.is_out = code is None
    if code is not None:
        image.code, image.is_sure, image.is_covered = code, True, False
    _raise_revision(session, deck_id)


def drop_images(session: Session, deck_id: int, *, start: str) -> int:
    """Delete the images of a deck whose key begins with `start`; gives how many there were."""
    query = select(ReferenceImage.id).where(
        ReferenceImage.deck_id == deck_id, ReferenceImage.key.startswith(start, autoescape=True)
    )
    ids = session.scalars(query).all()
    session.execute(delete(ReferenceImage).where(ReferenceImage.id.in_(ids)))
    _raise_revision(session, deck_id)
    return len(ids)


def _raise_revision(session: Session, deck_id: int) -> None:
    session.flush()
    session.execute(update(Deck).where(Deck.id == deck_id).values(revision=Deck.revision + 1))
    session.refresh(session.get_one(Deck, deck_id))  # its count of cards, too


# The deck of a table


def choose(table: Table, deck_id: int | None, *, learns: bool = False) -> None:
    """Set the table's deck (None: no enrolled deck) and whether corrected cards are added to it."""
    session = session_of(table)
    chosen = session.get(TableDeck, table.id)
    if chosen is not None:
        session.delete(chosen)
        session.flush()
    if deck_id is not None:
        session.add(TableDeck(table_id=table.id, deck_id=deck(session, deck_id).id, learns=learns))
        session.flush()


def table_deck(table: Table) -> TableDeck | None:
    """The deck that a table plays with, if one was chosen."""
    query = select(TableDeck).where(TableDeck.table_id == table.id)
    return session_of(table).scalars(query.execution_options(populate_existing=True)).one_or_none()
