"""A table enrols its own deck once; from then on its photos are read by comparing with it.

A photo of the deck waits in the store until it is read, so a page that is closed or a server that
is killed loses none. A wrong name of a card is corrected by a tap; then the deck gets a name and is
offered to every table of the club. Only the table that enrolled it, and the organiser, change it.
What changes a deck is an action (`table.actions`).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Protocol

from scoring.cards import CODES
from scoring.errors import ScoringError
from store import Deck, ReferenceImage, Session, Store, Table, piles, session_of
from store import decks as stored
from table.access import SCORERS, Role
from table.actions import ActionContext, action
from table.names import clean_name
from table.pile import Pile, PileCard
from table.view import TableView
from vision.decks.embeddings import Embedder, TaughtDeck
from vision.decks.enrol import Check, ReadsOne, confused, laid_out, names_checked
from vision.decks.references import (
    MOST_NAME,
    DeckFile,
    Reference,
    card_image,
    packed,
    read_card_image,
)
from vision.errors import CardImageError, LayoutError, PhotoError
from vision.photo import Photo, open_photo

LEAST_CARDS = 10
"""A deck of which fewer cards are known is not kept: it would help with too few."""

LEARNT = "learnt "
"""Start of the keys of images that were learnt at the table."""

MOST_LEARNT = 4
"""No more images of a card are learnt at the table."""


class ReadsDecks(ReadsOne, Embedder, Protocol):
    """What reads photos of a deck and compares its cards: `vision.reader.Reader`."""

    def open_photo(self, data: bytes, name: str = "photo") -> Photo:
        """A file as a photo; raises as `vision.photo.open_photo`."""
        ...


@dataclass(eq=False)
class DeckNotReadyError(ScoringError):
    """A deck cannot be kept yet: it knows too few `cards`, some are `open`, some there `twice`."""

    message = (
        f"expected at least {LEAST_CARDS} cards, each named once, got {{cards}}, {{open}} "
        "without a name, twice: {twice}; mend the names, or add a photo"
    )
    cards: int
    open: int
    twice: str
    """Codes with spaces between them."""


@dataclass(eq=False)
class DeckNameError(ScoringError):
    """A name that a deck cannot have: none, or that of another deck."""

    message = "{name!r}: expected a name that no other deck has; choose another"
    name: str


@dataclass(eq=False)
class OthersDeckError(ScoringError):
    """A table tried to change a deck that another table enrolled."""

    message = "{name}: expected the table that taught it, got another; teach a deck of your own"
    name: str


# Actions


@action("begin_deck", by=SCORERS, of="table", over_http=False)
def begin(context: ActionContext, key: str) -> None:
    """Begins a deck, once for each key; one that this table is enrolling already goes on."""
    if stored.unfinished(context.table) is None:
        stored.begin(context.table, key=key, device=context.device)


@action("add_deck_photo", by=SCORERS, of="table", over_http=False)
def add_photo(context: ActionContext, deck: int, name: str, data: bytes) -> None:
    """Keeps a photo of the deck laid out, to be read; the same photo again counts once."""
    key = sha256(data).hexdigest()
    stored.add_photo(_changed(context, deck), data, deck_id=deck, key=key, name=name)


@action("name_deck_card", by=SCORERS, of="table", over_http=False)
def name_card(context: ActionContext, deck: int, image: int, code: str | None) -> None:
    """Says which card an image of the deck shows; None: none of this deck, it is taken out."""
    stored.name_image(_changed(context, deck), image, deck_id=deck, code=code)


@action("drop_deck_photo", by=SCORERS, of="table", over_http=False)
def drop_photo(context: ActionContext, deck: int, photo: int) -> None:
    """Takes a photo out of the deck, with the cards on it."""
    stored.drop_photo(_changed(context, deck), photo, deck_id=deck)


@action("keep_deck", by=SCORERS, of="table", over_http=False)
def keep(context: ActionContext, deck: int, name: str) -> None:
    """Names a deck, offers it to every table, and chooses it for this one.

    Raises:
        DeckNotReadyError: Too few cards are known, one has no name, or two have the same.
        DeckNameError: It has no name, or that of another deck.
    """
    session = _changed(context, deck)
    images = stored.images(session, deck)
    check, left = check_of(images), unnamed(images)
    known = len(CODES) - len(check.missing)
    if known < LEAST_CARDS or left or check.twice:
        raise DeckNotReadyError(known, len(left), " ".join(check.twice) or "none")
    stored.keep(session, deck, name=_free_name(session, name, besides=deck))
    stored.choose(context.table, deck)


@action("choose_deck", by=SCORERS, of="table", over_http=False)
def choose(context: ActionContext, deck: int | None) -> None:
    """Says which deck this table plays with; None: none that was enrolled."""
    stored.choose(context.table, deck)


@action("forget_deck", by=SCORERS, of="table", over_http=False)
def forget(context: ActionContext, deck: int) -> None:
    """Offers a deck no more and deletes its pictures."""
    stored.forget(_changed(context, deck), deck)


@action("import_deck", by=SCORERS, of="table", over_http=False)
def import_deck(context: ActionContext, file: DeckFile, key: str) -> None:
    """Keeps the deck of a file, and chooses it for this table; once for each key."""
    session = session_of(context.table)
    deck = stored.begin(context.table, key=f"file {key}", device=context.device)
    if not deck.name:
        images = [
            ReferenceImage(key=f"file {place}", code=code, jpeg=image.jpeg())
            for place, (code, image) in enumerate(file.views)
        ]
        stored.add_images(session, images, deck_id=deck.id)
        name = _free_name(session, file.name, besides=deck.id, may_number=True)
        stored.keep(session, deck.id, name=name)
    stored.choose(context.table, deck.id)


@action("learn", by=SCORERS, of="table", over_http=False)
def set_learning(context: ActionContext, *, learns: bool) -> None:
    """Says whether cards that somebody names at this table are added to its deck."""
    chosen = stored.table_deck(context.table)
    if chosen is not None:
        _changed(context, chosen.deck_id)
        stored.choose(context.table, chosen.deck_id, learns=learns)


@action("unlearn", by=SCORERS, of="table", over_http=False)
def forget_learnt(context: ActionContext, deck: int) -> None:
    """Takes back all that a deck has learnt at the table."""
    stored.drop_images(_changed(context, deck), deck, start=LEARNT)


def may_change(deck: Deck, code: str, role: Role) -> bool:
    """Whether somebody with this role at the table `code` may change a deck."""
    return role is Role.ORGANISER or (role.may_write and deck.code == code)


def _changed(context: ActionContext, deck: int) -> Session:
    """The session in which a deck is changed.

    Raises:
        OthersDeckError: Another table enrolled it.
    """
    session = session_of(context.table)
    found = stored.deck(session, deck)
    if not may_change(found, context.table.code, context.role):
        raise OthersDeckError(found.name)
    return session


def _free_name(session: Session, name: str, *, besides: int, may_number: bool = False) -> str:
    """A name that no other deck has."""
    wanted = clean_name(name)[:MOST_NAME]
    taken = {deck.name.casefold() for deck in stored.offered(session) if deck.id != besides}
    names = [wanted, *(f"{wanted} {number}" for number in range(2, 100) if may_number)]
    free = next((one for one in names if one and one.casefold() not in taken), None)
    if free is None:
        raise DeckNameError(wanted)
    return free


# What the server does by itself


def read_waiting(store: Store, code: str, *, deck: int, reader: Callable[[], ReadsDecks]) -> int:
    """Reads the photos of a table's deck that wait; gives how many. Refused ones say why.

    Raises:
        ModelError: The networks do not work; the photos go on waiting.
    """
    number = 0
    while True:
        with store.reading() as session:
            waiting = stored.waiting(session, deck)
        if waiting is None:
            return number
        photo, data = waiting
        refusal, images = None, []
        try:
            cards = laid_out(reader().open_photo(data, photo.name), reader())
        except (PhotoError, LayoutError) as error:
            plain = {k: v for k, v in vars(error).items() if isinstance(v, str | int)}
            refusal = {"error": type(error).__name__, **plain}
        else:
            images = [
                ReferenceImage(
                    key=f"{photo.id} {place}",
                    code=card.guess,
                    jpeg=card.view.jpeg(),
                    is_sure=card.is_sure,
                    is_covered=card.is_covered,
                )
                for place, card in enumerate(cards)
            ]
        with store.write(code) as table:
            stored.settle_photo(session_of(table), photo.id, images=images, refusal=refusal)
        number += 1


def learn_cards(store: Store, view: TableView) -> int:
    """Adds to the table's deck the cards of the hand before that somebody named; gives how many.

    That hand is confirmed, so its answers are right. Where a table does not want it, or its photos
    are deleted, nothing is learnt; called again, none is added twice.
    """
    before = view.hand_no - 1
    with store.read(view.code) as table:
        chosen = stored.table_deck(table)
        if chosen is None or not chosen.learns or view.editing is not None or not before:
            return 0
        known = stored.images(session_of(table), chosen.deck_id)
        drafts = piles.drafts(table, match_no=view.row.match_no, hand_no=before)
    keys = {image.key for image in known}
    count = Counter(image.code for image in known if image.key.startswith(LEARNT))
    learnt: list[ReferenceImage] = []
    for card in (card for draft in drafts for card in Pile.from_dict(draft.draft).detected):
        key = f"{LEARNT}{card.photo} {card.corners[0]}"
        if card.doubtful and card.answer in CODES and key not in keys:
            jpeg = _cut_out(store, card) if count[card.answer] < MOST_LEARNT else None
            if jpeg is not None:
                count[card.answer] += 1
                learnt.append(ReferenceImage(key=key, code=card.answer, jpeg=jpeg))
    if learnt:
        with store.write(view.code) as table:
            stored.add_images(session_of(table), learnt, deck_id=chosen.deck_id)
    return len(learnt)


def _cut_out(store: Store, card: PileCard) -> bytes | None:
    """The image of a card on a photo of a pile; None once the photo is deleted."""
    with store.reading() as session:
        if not piles.is_kept(session, card.photo):
            return None
        jpeg = piles.photo(session, card.photo)
    photo = open_photo(jpeg, name=str(card.photo))
    width, height = photo.size_wh
    return card_image(photo, [(x * width, y * height) for x, y in card.corners]).jpeg()


# Its images


def as_file(store: Store, deck: int) -> bytes:
    """A deck as one file, to be taken to another club."""
    with store.reading() as session:
        images, name = stored.images(session, deck), stored.deck(session, deck).name
    return packed(name, [(image.code, image.jpeg) for image in _named(images)])


def unnamed(images: Sequence[ReferenceImage]) -> tuple[ReferenceImage, ...]:
    """The images of which somebody should say which card they show."""
    return tuple(
        image
        for image in images
        if not image.is_out
        and not image.is_covered
        and (not image.is_sure or image.code not in CODES)
    )


def learnt_count(images: Sequence[ReferenceImage]) -> int:
    """How many images of a deck were learnt at the table."""
    return sum(image.key.startswith(LEARNT) for image in images)


def check_of(images: Sequence[ReferenceImage]) -> Check:
    """What the names of a deck's cards say: which are missing, which are there twice."""
    photos = defaultdict(list)
    for image in _named(images):
        photos[image.photo or -image.id].append(image.code)
    return names_checked(photos.values())


def _named(images: Sequence[ReferenceImage]) -> tuple[ReferenceImage, ...]:
    return tuple(
        image
        for image in images
        if image.code in CODES and not image.is_out and not image.is_covered
    )


def deck_of(store: Store, table: Table, *, reader: Callable[[], Embedder]) -> TaughtDeck | None:
    """The deck that a table plays with, ready to compare with; None where it chose none.

    Raises:
        ModelError: The networks do not work.
    """
    with store.read(table) as found:
        chosen = stored.table_deck(found)
    if chosen is None or not chosen.deck.cards:
        return None
    return _embedded(store, chosen.deck_id, chosen.deck.revision, reader)


@lru_cache(maxsize=64)
def looks_alike(
    store: Store, deck: int, revision: int, reader: Callable[[], Embedder]
) -> tuple[tuple[str, str], ...]:
    """The pairs of cards that a deck may take for one another, found once for each revision."""
    embedded = _embedded(store, deck, revision, reader)
    return confused(embedded, _references(store, deck), embedder=reader())


@lru_cache(maxsize=16)
def _embedded(
    store: Store,
    deck: int,
    revision: int,  # noqa: ARG001  of another revision it is another deck
    reader: Callable[[], Embedder],
) -> TaughtDeck:
    return TaughtDeck.from_references(_references(store, deck), reader())


def _references(store: Store, deck: int) -> list[Reference]:
    """The images that a deck is known by; one that is damaged is left out."""
    references: list[Reference] = []
    with store.reading() as session:
        images = stored.images(session, deck)
    for image in _named(images):
        with suppress(CardImageError):
            references.append((image.code, read_card_image(image.jpeg)))
    return references
