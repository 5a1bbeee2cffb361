"""A table enrols its deck: what is kept, who may change it, which deck a photo is read with."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from acting import act
from playing import Store

from scoring.cards import CODES, Card
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Deck, ReferenceImage, Table, UnknownPlaceError, UploadState
from table import decks
from table.access import SYSTEM, Credentials, hash_link
from table.photos import add_photo
from table.view import TableView, load_view
from vision.classify import EMBEDDING_SIZE, Embeddings
from vision.decks.embeddings import TaughtDeck
from vision.decks.references import unpacked
from vision.errors import DeckFileError, ModelError
from vision.photo import Photo, Pixels, open_photo
from vision.reading import CardReading, Reading, Status

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PHOTO, OTHER = ((SAMPLES / name).read_bytes() for name in ("anna-1.jpg", "bruno-1.jpg"))
DOUBTFUL = "7d"
"""The stand-in is in doubt about this card."""


class LaidOut:
    """A reader that reads in every photo the same cards, side by side."""

    def __init__(self, codes: Sequence[str]) -> None:
        self.codes = tuple(codes)
        self.decks: list[TaughtDeck | None] = []
        self.embedded = 0

    def __call__(self) -> "LaidOut":
        return self

    def read(self, photo: Photo) -> Reading:
        return self.read_together([photo], [0])[0]

    def open_photo(self, data: bytes, name: str = "photo") -> Photo:
        return open_photo(data, name)

    def read_together(
        self, photos: Sequence[Photo], piles: Sequence[int], *, deck: TaughtDeck | None = None
    ) -> list[Reading]:
        assert len(photos) == len(piles)
        self.decks.append(deck)
        cards = tuple(self._card(code, place) for place, code in enumerate(self.codes))
        return [Reading(photo.name, photo.size_wh, cards, ()) for photo in photos]

    def embed(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Embeddings:
        """Every card looks different."""
        self.embedded += 1
        whole = np.eye(len(crops), EMBEDDING_SIZE, dtype=np.float32)
        ends = np.eye(len(corners), EMBEDDING_SIZE, dtype=np.float32)
        ones = np.ones(len(corners), np.float32)
        return Embeddings(whole, ends, ones, crops, ones[::2])

    def _card(self, code: str, place: int) -> CardReading:
        x, y = 100 * (place % 10), 160 * (place // 10)
        status = Status.DOUBTFUL if code in {DOUBTFUL, "x"} else Status.SURE
        corners = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
        return CardReading(code, status, 0.9, corners)


ALL = LaidOut(CODES)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_link("Anna"))


@pytest.fixture
def other(store: Store) -> Table:
    return store.open_table(("Carla", "Dario"), Rules(), link_hash=hash_link("Carla"))


def do(store: Store, table: Table, action: str, **payload: Any) -> None:
    """Does an action as a scorer of the table."""
    credentials = Credentials({table.code: table.side_names[0]})
    act(store, table.code, action, credentials=credentials, **payload)


def view_of(store: Store, table: Table) -> TableView:
    return load_view(store, table.code, credentials=SYSTEM)


def begin(store: Store, table: Table) -> int:
    do(store, table, "begin_deck", key="k")
    deck = store.unfinished_deck(table)
    assert deck is not None
    return deck.id


def read(store: Store, table: Table, deck: int, data: bytes, reader: LaidOut = ALL) -> None:
    """A photo of the deck that is kept and read."""
    do(store, table, "add_deck_photo", deck=deck, name="deck.jpg", data=data)
    assert decks.read_waiting(store, table.code, deck=deck, reader=reader) == 1


def enrolled(store: Store, table: Table, name: str = "Nonna's") -> Deck:
    """A deck whose doubtful cards were named, and that is offered to every table."""
    deck = begin(store, table)
    read(store, table, deck, PHOTO)
    for image in decks.unnamed(store.deck_images(deck)):
        do(store, table, "name_deck_card", deck=deck, image=image.id, code=image.code)
    do(store, table, "keep_deck", deck=deck, name=name)
    return store.deck(deck)


def chosen(store: Store, table: Table) -> int | None:
    found = store.table_deck(table)
    return None if found is None else found.deck_id


def embedded(store: Store, table: Table, reader: LaidOut = ALL) -> TaughtDeck:
    found = decks.deck_of(store, table, reader=reader)
    assert found is not None
    return found


def test_a_photo_of_the_deck_is_kept_until_it_is_read(
    store: Store, table: Table, database: str
) -> None:
    assert store.offered_decks() == ()
    assert decks.deck_of(store, table, reader=ALL) is None
    deck = begin(store, table)
    for _ in range(2):  # the same photo sent twice
        do(store, table, "add_deck_photo", deck=deck, name="deck.jpg", data=PHOTO)

    def broken() -> LaidOut:
        raise ModelError(Path("locate.onnx"), expected="a network", got="none")

    with pytest.raises(ModelError):
        decks.read_waiting(store, table.code, deck=deck, reader=broken)
    with closing(Store(database)) as again:
        [photo] = again.deck_photos(deck)
        assert photo.state is UploadState.WAITING
        assert again.waiting_deck_photo(deck) == (photo, PHOTO)
        assert begin(again, table) == deck
        assert decks.read_waiting(again, table.code, deck=deck, reader=ALL) == 1
        assert again.waiting_deck_photo(deck) is None
        assert len(again.deck_images(deck)) == len(CODES)


def test_a_photo_that_shows_no_card_is_refused_with_the_reason(store: Store, table: Table) -> None:
    deck = begin(store, table)
    read(store, table, deck, PHOTO, LaidOut([]))
    read(store, table, deck, b"hello")
    refusals = [photo.refusal for photo in store.deck_photos(deck)]
    assert [one["error"] for one in refusals if one] == ["NothingLaidOutError", "NotAPhotoError"]
    assert store.deck_images(deck) == ()


def test_a_deck_is_offered_to_every_table_and_photos_are_read_with_the_one_chosen(
    store: Store, table: Table, other: Table
) -> None:
    deck = enrolled(store, table)
    assert (deck.name, deck.code, deck.cards) == ("Nonna's", table.code, 40)
    assert store.offered_decks() == (deck,)
    assert (chosen(store, table), chosen(store, other)) == (deck.id, None)
    reader = LaidOut(CODES[:9])
    first = embedded(store, table, reader)
    assert first.missing == ()
    assert embedded(store, table, reader) is first
    assert reader.embedded == 1, "once for all readings"
    for one in (table, other):
        add_photo(store, view_of(store, one), name="a.jpg", data=PHOTO, reader=reader)
    assert reader.decks == [first, None]
    do(store, other, "choose_deck", deck=deck.id)
    assert embedded(store, other).missing == ()
    do(store, other, "choose_deck", deck=None)
    assert chosen(store, other) is None
    with pytest.raises(UnknownPlaceError):
        do(store, table, "choose_deck", deck=7)


def test_a_deck_is_not_kept_before_every_card_is_named_once(store: Store, table: Table) -> None:
    deck = begin(store, table)
    read(store, table, deck, PHOTO, LaidOut([*CODES[:20], "1d", "x"]))
    with pytest.raises(decks.DeckNotReadyError) as caught:
        do(store, table, "keep_deck", deck=deck, name="Nonna's")
    assert (caught.value.cards, caught.value.open, caught.value.twice) == (20, 2, "1d")
    images = store.deck_images(deck)
    for image in images:
        if image.code == "x" or image is images[20]:  # of another deck
            do(store, table, "name_deck_card", deck=deck, image=image.id, code=None)
        elif not image.is_sure:
            do(store, table, "name_deck_card", deck=deck, image=image.id, code=image.code)
    do(store, table, "keep_deck", deck=deck, name="Nonna's")
    assert store.deck(deck).cards == 20
    assert decks.check_of(store.deck_images(deck)).missing == CODES[20:]


def test_too_few_cards_and_a_name_that_is_taken_are_refused(
    store: Store, table: Table, other: Table
) -> None:
    few = begin(store, other)
    read(store, other, few, PHOTO, LaidOut(["1d", "2d"]))
    with pytest.raises(decks.DeckNotReadyError, match="at least 10 cards"):
        do(store, other, "keep_deck", deck=few, name="Nonna's")
    assert store.offered_decks() == ()
    enrolled(store, table)
    read(store, other, few, OTHER, LaidOut(CODES[10:20]))
    for name in ("", "  ", "nonna's "):
        with pytest.raises(decks.DeckNameError):
            do(store, other, "keep_deck", deck=few, name=name)


def test_a_better_photo_of_a_card_is_one_more_image(store: Store, table: Table) -> None:
    deck = enrolled(store, table).id
    before = embedded(store, table)
    read(store, table, deck, OTHER, LaidOut(["1d"]))
    after = embedded(store, table)
    assert (before.views["1d"], after.views["1d"]) == (1, 2)
    assert before.key != after.key
    do(store, table, "drop_deck_photo", deck=deck, photo=store.deck_photos(deck)[-1].id)
    assert embedded(store, table).key == before.key


def test_a_damaged_image_teaches_nothing_and_holds_nothing_up(store: Store, table: Table) -> None:
    deck = begin(store, table)
    store.add_deck_images(table, [ReferenceImage(key="a", code="1d", jpeg=b"damaged")], deck=deck)
    store.choose_deck(table, deck)
    assert embedded(store, table, LaidOut([])).views == {}


def test_a_deck_goes_to_another_club_as_a_file(store: Store, table: Table, other: Table) -> None:
    deck = enrolled(store, table)
    data = decks.as_file(store, deck.id)
    file = unpacked(data, path=Path("deck.zip"))
    for _ in range(2):
        do(store, other, "import_deck", file=file, key=sha256(data).hexdigest())
        copy = store.deck(chosen(store, other) or 0)
        assert (copy.name, copy.code, copy.cards) == ("Nonna's 2", other.code, 40)
    assert len(store.offered_decks()) == 2
    with pytest.raises(DeckFileError):
        unpacked(data[:-100], path=Path("deck.zip"))


def test_a_forgotten_deck_leaves_no_picture(store: Store, table: Table, other: Table) -> None:
    deck = enrolled(store, table).id
    do(store, other, "choose_deck", deck=deck)
    do(store, table, "forget_deck", deck=deck)
    assert store.offered_decks() == ()
    assert store.deck_images(deck) == ()
    assert store.deck_photos(deck) == ()
    assert chosen(store, other) is None
    enrolled(store, other)  # its name is free


@pytest.mark.parametrize(
    "delete",
    [Store.forget_photos, lambda store, _: store.purge(before=datetime(2100, 1, 1, tzinfo=UTC))],
    ids=["asked for", "too old"],
)
def test_a_photo_of_a_deck_that_nobody_reads_goes_with_those_of_its_table(
    store: Store, table: Table, delete: Callable[[Store, Table], int]
) -> None:
    deck = begin(store, table)
    do(store, table, "add_deck_photo", deck=deck, name="deck.jpg", data=PHOTO)
    assert store.waiting_deck_photo(deck) is not None
    delete(store, table)
    assert store.waiting_deck_photo(deck) is None


def test_only_the_table_that_enrolled_a_deck_and_the_organiser_change_it(
    store: Store, table: Table, other: Table
) -> None:
    deck = enrolled(store, table).id
    do(store, other, "choose_deck", deck=deck)
    tried: dict[str, dict[str, Any]] = {
        "add_deck_photo": {"deck": deck, "name": "a.jpg", "data": PHOTO},
        "name_deck_card": {"deck": deck, "image": store.deck_images(deck)[0].id, "code": "2d"},
        "drop_deck_photo": {"deck": deck, "photo": store.deck_photos(deck)[0].id},
        "keep_deck": {"deck": deck, "name": "Mine"},
        "forget_deck": {"deck": deck},
        "unlearn": {"deck": deck},
        "learn": {"learns": True},
    }
    for action, payload in tried.items():
        with pytest.raises(decks.OthersDeckError):
            do(store, other, action, **payload)
    act(store, other.code, "forget_deck", credentials=SYSTEM, deck=deck)
    assert store.offered_decks() == ()


# Learning from answers


def answered_hand(store: Store, table: Table, *, learns: bool) -> LaidOut:
    """A confirmed hand with a doubt that somebody answered; gives its reader."""
    enrolled(store, table)
    do(store, table, "learn", learns=learns)
    reader = LaidOut([DOUBTFUL, "1d"])
    add_photo(store, view_of(store, table), name="a.jpg", data=PHOTO, reader=reader)
    [doubt, _] = view_of(store, table).piles[0].detected
    shown = {"photo": doubt.photo, "corners": doubt.corners}
    do(store, table, "answer", code="6d", seen=shown)
    piles = [tuple(map(Card.from_code, codes)) for codes in (CODES[:20], CODES[20:])]
    facts = HandRecord(tuple(map(Side, table.side_names, piles)))
    store.record_hand(table, facts, key="hand", expected=store.match_of(table).revision)
    return reader


def learnt_by(store: Store, table: Table) -> list[str]:
    """The cards that the table's deck learnt at the table."""
    images = store.deck_images(chosen(store, table) or 0)
    return [image.code for image in images if image.key.startswith(decks.LEARNT)]


def test_a_card_that_somebody_named_is_learnt_once_its_hand_is_confirmed_and_taken_back(
    store: Store, table: Table
) -> None:
    reader = answered_hand(store, table, learns=True)
    assert learnt_by(store, table) == []
    for photo in (OTHER, PHOTO):
        add_photo(store, view_of(store, table), name="b.jpg", data=photo, reader=reader)
        assert learnt_by(store, table) == ["6d"]
    assert decks.learn_cards(store, view_of(store, table)) == 0
    last = reader.decks[-1]
    assert last is not None
    assert last.views["6d"] == 2
    do(store, table, "unlearn", deck=chosen(store, table))
    assert learnt_by(store, table) == []
    assert len(store.deck_images(chosen(store, table) or 0)) == len(CODES)


@pytest.mark.parametrize("learns", [False, True], ids=["not wanted", "photos deleted"])
def test_nothing_is_learnt_where_it_is_not_wanted_or_the_photo_is_gone(
    store: Store, table: Table, *, learns: bool
) -> None:
    answered_hand(store, table, learns=learns)
    if learns:
        store.forget_photos(table)
    assert decks.learn_cards(store, view_of(store, table)) == 0
    assert learnt_by(store, table) == []
