"""A table enrols its own deck once; from then on its photos are read by comparing with it.

A photo of the deck waits in the store until it is read, so a page that is closed or a server that
is killed loses none. A wrong name of a card is corrected by a tap; then the deck gets a name and is
offered to every table of the club. Only the table that enrolled it, and the organiser, change it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from scoring.cards import CODES
from scoring.errors import ScoringError
from store import Deck, DeckPhoto, ReferenceImage, Session, Store, Table, piles, session_of
from store import decks as stored
from table.access import Role, authorize
from table.pile import Pile, PileCard
from table.view import TableView
from vision.decks.embeddings import Embedder, TaughtDeck
from vision.decks.enrol import Check, ReadsOne, confused, laid_out, names_checked
from vision.decks.references import (
    MOST_NAME,
    Reference,
    card_image,
    packed,
    read_card_image,
    unpacked,
)
from vision.errors import CardImageError, LayoutError, PhotoError
from vision.photo import open_photo

LEAST_CARDS = 10
"""A deck of which fewer cards are known is not kept: it would help with too few."""
LEARNT = "learnt "
"""How the keys of views begin that were learnt at the table."""
MOST_LEARNT = 4
"""No more views of a card are learnt at the table."""


class ReadsDecks(ReadsOne, Embedder, Protocol):
    """What reads photos of a deck and looks at its cards: `vision.reader.Reader`."""


GivesDeckReader = Callable[[], ReadsDecks]
"""Gives it. Loading its networks may raise ModelError, as reading may."""


GivesLooks = Callable[[], Embedder]
"""Gives what looks at cards alone."""


class DeckNotReadyError(ScoringError):
    """A deck cannot be kept yet: it knows too few `cards`, some are `open`, some there `twice`."""

    def __init__(self, *, cards: int, open_cards: int, twice: Sequence[str]) -> None:
        self.cards, self.open, self.twice = cards, open_cards, " ".join(twice)
        super().__init__(
            f"expected at least {LEAST_CARDS} cards, each named once, got {cards}, {open_cards} "
            f"without a name, twice: {self.twice or 'none'}; mend the names, or add a photo"
        )


class DeckNameError(ScoringError):
    """A name that a deck cannot have: none, or that of another deck."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name!r}: expected a name that no other deck has; choose another")


class OthersDeckError(ScoringError):
    """A table tried to change a deck that another table taught."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"{name}: expected the table that taught it, got another; teach a deck of your own"
        )


P = ParamSpec("P")
R = TypeVar("R")

SCORERS_ONLY: list[str] = []
"""The functions of this module that only scorers may call, by name."""


def scorers_only(
    function: Callable[Concatenate[Store, TableView, P], R],
) -> Callable[Concatenate[Store, TableView, P], R]:
    """Makes a function refuse viewers, as `authorize` does."""
    SCORERS_ONLY.append(function.__name__)

    @wraps(function)
    def checked(store: Store, view: TableView, /, *args: P.args, **kwargs: P.kwargs) -> R:
        authorize(view.code, view.role)
        return function(store, view, *args, **kwargs)

    return checked


@scorers_only
def begin(store: Store, view: TableView, *, key: str) -> Deck:
    """Begins a deck, once for each key; one that this table is teaching already goes on."""
    with store.write(view.code) as table:
        return stored.unfinished(table) or stored.begin(table, key=key, device=view.device)


@scorers_only
def add_photo(store: Store, view: TableView, *, deck: int, name: str, data: bytes) -> None:
    """Keeps a photo of the deck laid out, to be read; the same photo again counts once."""
    key = sha256(data).hexdigest()
    with _changing(store, view, deck) as session:
        stored.add_photo(session, data, deck_id=deck, key=key, name=name)


@scorers_only
def read_waiting(store: Store, view: TableView, *, deck: int, reader: GivesDeckReader) -> int:
    """Reads the photos of a deck that wait; gives how many it were. Refused ones say why.

    Raises:
        ModelError: The networks do not work; the photos go on waiting.
    """
    number = 0
    while (waiting := _waiting(store, deck)) is not None:
        row, data = waiting
        refusal, cards = None, []
        try:
            laid = laid_out(open_photo(data, name=row.name), reader())
        except (PhotoError, LayoutError) as error:
            said = {k: v for k, v in vars(error).items() if isinstance(v, str | int)}
            refusal = {"error": type(error).__name__, **said}
        else:
            cards = [
                ReferenceImage(
                    key=f"{row.id} {place}",
                    code=card.guess,
                    jpeg=card.view.jpeg(),
                    is_sure=card.is_sure,
                    is_covered=card.is_covered,
                )
                for place, card in enumerate(laid)
            ]
        with store.write(view.code) as table:
            stored.settle_photo(session_of(table), row.id, images=cards, refusal=refusal)
        number += 1
    return number


@scorers_only
def name_card(store: Store, view: TableView, *, deck: int, picture: int, code: str | None) -> None:
    """Says which card a picture of the deck shows; None: none of this deck, it is taken out."""
    with _changing(store, view, deck) as session:
        stored.name_image(session, picture, deck_id=deck, code=code)


@scorers_only
def drop_photo(store: Store, view: TableView, *, deck: int, photo: int) -> None:
    """Takes a photo out of the deck, with the cards on it."""
    with _changing(store, view, deck) as session:
        stored.drop_photo(session, photo, deck_id=deck)


@scorers_only
def keep(store: Store, view: TableView, *, deck: int, name: str) -> None:
    """Names a deck, offers it to every table, and chooses it for this one.

    Raises:
        DeckNotReadyError: Too few cards are known, one has no name, or two have the same.
        DeckNameError: It has no name, or that of another deck.
    """
    with store.write(view.code) as table:
        session = session_of(table)
        _own(session, view, deck)
        views = stored.images(session, deck)
        check, left = check_of(views), unnamed(views)
        known = len(CODES) - len(check.missing)
        if known < LEAST_CARDS or left or check.twice:
            raise DeckNotReadyError(cards=known, open_cards=len(left), twice=check.twice)
        stored.keep(session, deck, name=_free_name(session, name, besides=deck))
        stored.choose(table, deck)


@scorers_only
def choose(store: Store, view: TableView, *, deck: int | None) -> None:
    """Says which deck this table plays with; None: none that was taught."""
    with store.write(view.code) as table:
        stored.choose(table, deck)


@scorers_only
def forget(store: Store, view: TableView, *, deck: int) -> None:
    """Offers a deck no more and deletes its pictures."""
    with _changing(store, view, deck) as session:
        stored.forget(session, deck)


@scorers_only
def bring_in(store: Store, view: TableView, *, name: str, data: bytes) -> Deck:
    """Keeps the deck of a file, and chooses it for this table; the same file again, once.

    Raises:
        DeckFileError: The file is damaged or something else.
    """
    brought = unpacked(data, path=Path(name))
    cards = [
        ReferenceImage(key=f"file {place}", code=code, jpeg=picture.jpeg())
        for place, (code, picture) in enumerate(brought.views)
    ]
    with store.write(view.code) as table:
        session = session_of(table)
        key = f"file {sha256(data).hexdigest()}"
        deck = stored.begin(table, key=key, device=view.device)
        if not deck.name:
            stored.add_images(session, cards, deck_id=deck.id)
            free = _free_name(session, brought.name, besides=deck.id, may_number=True)
            stored.keep(session, deck.id, name=free)
        stored.choose(table, deck.id)
        return deck


@scorers_only
def set_learning(store: Store, view: TableView, *, learns: bool) -> None:
    """Says whether cards that somebody names at this table are added to its deck."""
    with store.write(view.code) as table:
        chosen = stored.table_deck(table)
        if chosen is not None:
            _own(session_of(table), view, chosen.deck_id)
            stored.choose(table, chosen.deck_id, learns=learns)


@scorers_only
def forget_learnt(store: Store, view: TableView, *, deck: int) -> int:
    """Takes back all that a deck has learnt at the table; gives how many cards it were."""
    with _changing(store, view, deck) as session:
        return stored.drop_images(session, deck, start=LEARNT)


@scorers_only
def learn_cards(store: Store, view: TableView) -> int:
    """Adds to the table's deck the cards of the hand before that the camera left to somebody.

    That hand is confirmed, so its answers stand. Where a table does not want it, or its photos are
    deleted, nothing is learnt. Gives how many cards it were; asked again, none is added twice.
    """
    before = view.hand_no - 1
    with store.read(view.code) as table:
        chosen = stored.table_deck(table)
        if chosen is None or not chosen.learns or view.editing is not None or not before:
            return 0
        known = stored.images(session_of(table), chosen.deck_id)
        rows = piles.drafts(table, match_no=view.row.match_no, hand_no=before)
    keys = {picture.key for picture in known}
    often = Counter(picture.code for picture in known if picture.key.startswith(LEARNT))
    found: list[ReferenceImage] = []
    for card in (card for row in rows for card in Pile.from_dict(row.draft).detected):
        key = f"{LEARNT}{card.photo} {card.corners[0]}"
        if card.doubtful and card.answer in CODES and key not in keys:
            jpeg = _cut(store, card) if often[card.answer] < MOST_LEARNT else None
            if jpeg is not None:
                often[card.answer] += 1
                found.append(ReferenceImage(key=key, code=card.answer, jpeg=jpeg))
    if found:
        with store.write(view.code) as table:
            stored.add_images(session_of(table), found, deck_id=chosen.deck_id)
    return len(found)


def as_file(store: Store, deck: int) -> bytes:
    """A deck as one file, to be taken to another house."""
    with store.reading() as session:
        images, name = stored.images(session, deck), stored.deck(session, deck).name
    return packed(name, [(image.code, image.jpeg) for image in teaching(images)])


def may_change(view: TableView, deck: Deck) -> bool:
    """Whether whoever looks at a table may change a deck."""
    own = view.role.may_write and deck.code == view.code
    return own or view.role is Role.ORGANISER


def teaching(views: Sequence[ReferenceImage]) -> tuple[ReferenceImage, ...]:
    """The views of a deck from which its faces are learnt."""
    return tuple(
        view for view in views if view.code in CODES and not view.is_out and not view.is_covered
    )


def unnamed(views: Sequence[ReferenceImage]) -> tuple[ReferenceImage, ...]:
    """The views of which somebody should say which card they show."""
    return tuple(
        view
        for view in views
        if not view.is_out and not view.is_covered and (not view.is_sure or view.code not in CODES)
    )


def learnt(views: Sequence[ReferenceImage]) -> int:
    """How many views of a deck were learnt at the table."""
    return sum(view.key.startswith(LEARNT) for view in views)


def check_of(views: Sequence[ReferenceImage]) -> Check:
    """What the names of a deck's cards say: which are missing, which are there twice."""
    photos = defaultdict(list)
    for view in teaching(views):
        photos[view.photo or -view.id].append(view.code)
    return names_checked(photos.values())


def looks_alike(store: Store, deck: Deck, *, reader: GivesLooks) -> tuple[tuple[str, str], ...]:
    """The pairs of cards that a deck may take for one another, found once for each revision."""
    return _alike(store, deck.id, revision=deck.revision, reader=reader)


def deck_of(store: Store, table: Table, *, reader: GivesLooks) -> TaughtDeck | None:
    """The faces of the deck that a table plays with; None where it did not say so.

    Raises:
        ModelError: The networks do not work.
    """
    with store.read(table) as found:
        chosen = stored.table_deck(found)
    if chosen is None or not chosen.deck.cards:
        return None
    return _faces(store, chosen.deck_id, _revision=chosen.deck.revision, reader=reader)


@lru_cache(maxsize=16)
def _faces(store: Store, deck: int, *, _revision: int, reader: GivesLooks) -> TaughtDeck:
    """The faces of a deck at a revision: they never change, so any number of tables share them."""
    return TaughtDeck.from_references(_views(store, deck), reader())


@lru_cache(maxsize=64)
def _alike(
    store: Store, deck: int, *, revision: int, reader: GivesLooks
) -> tuple[tuple[str, str], ...]:
    faces = _faces(store, deck, _revision=revision, reader=reader)
    return confused(faces, _views(store, deck), embedder=reader())


def _views(store: Store, deck: int) -> list[Reference]:
    """What teaches a deck; a picture that is damaged teaches nothing."""
    views: list[Reference] = []
    with store.reading() as session:
        images = stored.images(session, deck)
    for view in teaching(images):
        with suppress(CardImageError):
            views.append((view.code, read_card_image(view.jpeg)))
    return views


def _cut(store: Store, card: PileCard) -> bytes | None:
    """The view of a card that was seen on a photo of a pile; None once the photo is deleted."""
    with store.reading() as session:
        if not piles.is_kept(session, card.photo):
            return None
        jpeg = piles.photo(session, card.photo)
    photo = open_photo(jpeg, name=str(card.photo))
    width, height = photo.size_wh
    return card_image(photo, [(x * width, y * height) for x, y in card.corners]).jpeg()


def _waiting(store: Store, deck: int) -> tuple[DeckPhoto, bytes] | None:
    with store.reading() as session:
        return stored.waiting(session, deck)


@contextmanager
def _changing(store: Store, view: TableView, deck: int) -> Iterator[Session]:
    """A transaction that changes a deck, whose table's screens hear of it; raises as `_own`."""
    with store.write(view.code) as table:
        session = session_of(table)
        _own(session, view, deck)
        yield session


def _own(session: Session, view: TableView, deck: int) -> None:
    """Refuses whoever may not change a deck.

    Raises:
        OthersDeckError: Another table taught it.
    """
    found = stored.deck(session, deck)
    if not may_change(view, found):
        raise OthersDeckError(found.name)


def _free_name(session: Session, name: str, *, besides: int, may_number: bool = False) -> str:
    """A name that no other deck has."""
    wanted = " ".join(name.split())[:MOST_NAME]
    taken = {deck.name.casefold() for deck in stored.offered(session) if deck.id != besides}
    names = [wanted, *(f"{wanted} {number}" for number in range(2, 100) if may_number)]
    free = next((one for one in names if one and one.casefold() not in taken), None)
    if free is None:
        raise DeckNameError(wanted)
    return free
