"""A table teaches its deck: what is kept, who may change it, which deck a photo is read with."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

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
from table.access import ANONYMOUS, SYSTEM, Credentials, NotAllowedError, hash_link
from table.photos import add_photo
from table.view import TableView, load_view
from vision.classify import EMBEDDING_SIZE, Embeddings
from vision.decks.embeddings import TaughtDeck
from vision.errors import DeckFileError, ModelError
from vision.photo import Photo, Pixels
from vision.reading import CardReading, Reading, Status

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PHOTO, OTHER = ((SAMPLES / name).read_bytes() for name in ("anna-1.jpg", "bruno-1.jpg"))
SOON = datetime(2100, 1, 1, tzinfo=UTC)
DOUBTFUL = "7d"
"""The stand-in is in doubt about this card."""


class LaysOut:
    """Reads in every photo the same cards, side by side."""

    def __init__(self, codes: Sequence[str]) -> None:
        self.codes = tuple(codes)
        self.decks: list[TaughtDeck | None] = []
        self.looked = 0

    def read(self, photo: Photo) -> Reading:
        """The reading of one photo."""
        return self.read_together([photo], [0])[0]

    def read_together(
        self, photos: Sequence[Photo], piles: Sequence[int], *, deck: TaughtDeck | None = None
    ) -> list[Reading]:
        """The readings."""
        assert len(photos) == len(piles)
        self.decks.append(deck)
        cards = tuple(self._card(code, at) for at, code in enumerate(self.codes))
        return [Reading(photo.name, photo.size_wh, cards, ()) for photo in photos]

    def embed(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Embeddings:
        """Every card looks different."""
        self.looked += 1
        whole = np.eye(len(crops), EMBEDDING_SIZE, dtype=np.float32)
        ends = np.eye(len(corners), EMBEDDING_SIZE, dtype=np.float32)
        ones = np.ones(len(corners), np.float32)
        return Embeddings(whole, ends, ones, crops, ones[::2])

    def _card(self, code: str, at: int) -> CardReading:
        x, y = 100 * (at % 10), 160 * (at // 10)
        status = Status.DOUBTFUL if code in {DOUBTFUL, "x"} else Status.SURE
        corners = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
        return CardReading(code, status, 0.9, corners)


ALL = LaysOut(CODES)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_link("annas"))


@pytest.fixture
def other(store: Store) -> Table:
    return store.open_table(("Carla", "Dario"), Rules(), link_hash=hash_link("carlas"))


def at(store: Store, table: Table, held: Credentials | None = None) -> TableView:
    """The table as a scorer of it sees it, or somebody else."""
    links = {table.code: "annas" if table.side_names[0] == "Anna" else "carlas"}
    return load_view(
        store, table.code, credentials=Credentials(links=links) if held is None else held
    )


def taught(store: Store, table: Table, reader: LaysOut = ALL, *, photo: bytes = PHOTO) -> int:
    """A deck of which one photo was read; gives its number."""
    view = at(store, table)
    deck = decks.begin(store, view, key="k").id
    decks.add_photo(store, view, deck=deck, name="deck.jpg", data=photo)
    assert decks.read_waiting(store, view, deck=deck, reader=lambda: reader) == 1
    return deck


def named(store: Store, table: Table, name: str = "Nonna's") -> Deck:
    """A deck that was taught, mended and kept."""
    deck = taught(store, table)
    for image in decks.unnamed(store.decks.views(deck)):
        decks.name_card(store, at(store, table), deck=deck, picture=image.id, code=image.code)
    decks.keep(store, at(store, table), deck=deck, name=name)
    return store.decks.deck(deck)


def test_a_house_without_decks_offers_none(store: Store, table: Table) -> None:
    assert store.decks.offered() == ()
    assert store.decks.unfinished(table) is None
    assert decks.deck_of(store, table, reader=lambda: ALL) is None


def test_a_photo_of_the_deck_survives_until_it_is_read(
    store: Store, table: Table, database: str
) -> None:
    deck = decks.begin(store, at(store, table), key="k").id
    for _ in range(2):  # the same photo sent twice
        decks.add_photo(store, at(store, table), deck=deck, name="deck.jpg", data=PHOTO)

    def broken() -> LaysOut:
        raise ModelError(Path("locate.onnx"), expected="a network", got="none")

    with pytest.raises(ModelError):
        decks.read_waiting(store, at(store, table), deck=deck, reader=broken)
    with closing(Store(database)) as again:
        [photo] = again.decks.photos(deck)
        assert photo.state is UploadState.WAITING
        assert again.decks.waiting(deck) == (photo, PHOTO)
        assert decks.begin(again, at(again, table), key="another").id == deck
        decks.read_waiting(again, at(again, table), deck=deck, reader=lambda: ALL)
        assert again.decks.waiting(deck) is None
        assert len(again.decks.views(deck)) == len(CODES)


def test_a_photo_that_shows_no_card_is_refused_with_the_reason(store: Store, table: Table) -> None:
    deck = taught(store, table, LaysOut([]))
    decks.add_photo(store, at(store, table), deck=deck, name="text.jpg", data=b"hello")
    decks.read_waiting(store, at(store, table), deck=deck, reader=lambda: ALL)
    refusals = [photo.refusal for photo in store.decks.photos(deck)]
    assert [said["error"] for said in refusals if said] == ["NothingLaidOutError", "NotAPhotoError"]
    assert store.decks.views(deck) == ()


def test_names_are_mended_and_the_deck_is_offered_to_every_table(
    store: Store, table: Table, other: Table
) -> None:
    deck = named(store, table)
    assert (deck.name, deck.code, deck.cards) == ("Nonna's", table.code, 40)
    assert store.decks.offered() == (deck,)
    seat = store.decks.seat(table)
    assert seat is not None
    assert seat.deck == deck
    assert store.decks.seat(other) is None
    decks.choose(store, at(store, other), deck=deck.id)
    faces = decks.deck_of(store, other, reader=lambda: ALL)
    assert faces is not None
    assert faces.missing == ()
    decks.choose(store, at(store, other), deck=None)
    assert store.decks.seat(other) is None


def test_a_deck_is_not_kept_before_every_card_is_named_once(store: Store, table: Table) -> None:
    deck = taught(store, table, LaysOut([*CODES[:20], "1d", "x"]))
    with pytest.raises(decks.DeckNotReadyError) as caught:
        decks.keep(store, at(store, table), deck=deck, name="Nonna's")
    assert (caught.value.cards, caught.value.open, caught.value.twice) == (20, 2, "1d")
    views = store.decks.views(deck)
    for image in views:
        if image.code == "x" or image is views[20]:  # of another deck
            decks.name_card(store, at(store, table), deck=deck, picture=image.id, code=None)
        elif not image.is_sure:
            decks.name_card(store, at(store, table), deck=deck, picture=image.id, code=image.code)
    decks.keep(store, at(store, table), deck=deck, name="Nonna's")
    assert store.decks.deck(deck).cards == 20
    assert decks.check_of(store.decks.views(deck)).missing == CODES[20:]


def test_too_few_cards_are_refused(store: Store, table: Table) -> None:
    deck = taught(store, table, LaysOut(["1d", "2d"]))
    with pytest.raises(decks.DeckNotReadyError, match="at least 10 cards"):
        decks.keep(store, at(store, table), deck=deck, name="Nonna's")
    assert store.decks.offered() == ()


@pytest.mark.parametrize("name", ["", "  ", "nonna's "])
def test_a_name_belongs_to_one_deck(name: str, store: Store, table: Table, other: Table) -> None:
    named(store, table)
    deck = taught(store, other, LaysOut(CODES[10:]))
    with pytest.raises(decks.DeckNameError):
        decks.keep(store, at(store, other), deck=deck, name=name)


def test_a_better_photo_of_a_card_is_one_more_view(store: Store, table: Table) -> None:
    deck = named(store, table)
    one = decks.deck_of(store, table, reader=lambda: ALL)
    decks.add_photo(store, at(store, table), deck=deck.id, name="one.jpg", data=OTHER)
    decks.read_waiting(store, at(store, table), deck=deck.id, reader=lambda: LaysOut(["1d"]))
    two = decks.deck_of(store, table, reader=lambda: ALL)
    assert one is not None
    assert two is not None
    assert (one.views["1d"], two.views["1d"]) == (1, 2)
    assert one.key != two.key
    photo = store.decks.photos(deck.id)[-1]
    decks.drop_photo(store, at(store, table), deck=deck.id, photo=photo.id)
    back = decks.deck_of(store, table, reader=lambda: ALL)
    assert back is not None
    assert back.key == one.key


def test_faces_are_found_once_for_all_readings(store: Store, table: Table) -> None:
    named(store, table)
    reader = LaysOut(CODES)

    def give() -> LaysOut:
        return reader

    first = decks.deck_of(store, table, reader=give)
    assert decks.deck_of(store, table, reader=give) is first
    assert reader.looked == 1


def test_photos_of_a_table_are_read_with_its_deck(store: Store, table: Table, other: Table) -> None:
    named(store, table)
    reader = LaysOut(CODES[:9])
    for one in (table, other):
        view = load_view(store, one.code, credentials=SYSTEM)
        add_photo(store, view, name="a.jpg", data=PHOTO, reader=lambda: reader)
    with_deck, without = reader.decks
    assert with_deck is not None
    assert with_deck.missing == ()
    assert without is None


def test_a_damaged_picture_teaches_nothing_and_holds_nothing_up(store: Store, table: Table) -> None:
    deck = decks.begin(store, at(store, table), key="k").id
    store.decks.add_views(
        table,
        [ReferenceImage(key="a", code="1d", jpeg=b"damaged")],
        deck=deck,
    )
    store.decks.sit_down(table, deck)
    faces = decks.deck_of(store, table, reader=lambda: LaysOut([]))
    assert faces is not None
    assert faces.views == {}


def test_a_deck_goes_to_another_house_as_a_file(store: Store, table: Table, other: Table) -> None:
    deck = named(store, table)
    file = decks.as_file(store, deck.id)
    for _ in range(2):
        brought = decks.bring_in(store, at(store, other), name="deck.zip", data=file)
        assert (brought.name, brought.code, brought.cards) == ("Nonna's 2", other.code, 40)
    assert len(store.decks.offered()) == 2
    with pytest.raises(DeckFileError):
        decks.bring_in(store, at(store, other), name="deck.zip", data=file[:-100])


def test_a_forgotten_deck_leaves_no_picture(store: Store, table: Table, other: Table) -> None:
    deck = named(store, table)
    decks.choose(store, at(store, other), deck=deck.id)
    decks.forget(store, at(store, table), deck=deck.id)
    assert store.decks.offered() == ()
    assert store.decks.views(deck.id) == ()
    assert store.decks.photos(deck.id) == ()
    assert store.decks.seat(other) is None
    named(store, other)  # its name is free


def test_a_photo_of_a_deck_that_nobody_reads_goes_with_those_of_its_table(
    store: Store, table: Table
) -> None:
    deck = decks.begin(store, at(store, table), key="k").id
    for is_asked_for in (True, False):
        decks.add_photo(store, at(store, table), deck=deck, name="deck.jpg", data=PHOTO)
        assert store.decks.waiting(deck) is not None
        if is_asked_for:
            store.evidence.forget(table)
        else:
            store.evidence.purge(before=SOON)
        assert store.decks.waiting(deck) is None


# Who may


def test_whoever_only_looks_changes_nothing(store: Store, table: Table) -> None:
    deck = named(store, table)
    looks = at(store, table, ANONYMOUS)
    for tried in (
        lambda: decks.begin(store, looks, key="b"),
        lambda: decks.add_photo(store, looks, deck=deck.id, name="a.jpg", data=PHOTO),
        lambda: decks.name_card(store, looks, deck=deck.id, picture=1, code="1d"),
        lambda: decks.keep(store, looks, deck=deck.id, name="Mine"),
        lambda: decks.choose(store, looks, deck=None),
        lambda: decks.forget(store, looks, deck=deck.id),
        lambda: decks.bring_in(store, looks, name="deck.zip", data=b""),
    ):
        with pytest.raises(NotAllowedError):
            tried()
    assert store.decks.deck(deck.id) == deck


def test_only_the_table_that_taught_a_deck_and_the_organiser_change_it(
    store: Store, table: Table, other: Table
) -> None:
    deck = named(store, table)
    view = store.decks.views(deck.id)[0].id
    with pytest.raises(decks.OthersDeckError):
        decks.name_card(store, at(store, other), deck=deck.id, picture=view, code="2d")
    with pytest.raises(decks.OthersDeckError):
        decks.forget(store, at(store, other), deck=deck.id)
    decks.forget(store, at(store, other, SYSTEM), deck=deck.id)
    assert store.decks.offered() == ()


def test_a_deck_that_there_is_not_is_refused(store: Store, table: Table) -> None:
    with pytest.raises(UnknownPlaceError):
        decks.choose(store, at(store, table), deck=7)


# Learning from answers


def answered_hand(store: Store, table: Table, *, learns: bool) -> LaysOut:
    """A hand with a doubt that somebody answered, which is confirmed; gives its reader."""
    named(store, table)
    decks.set_learning(store, at(store, table), learns=learns)
    reader = LaysOut([DOUBTFUL, "1d"])
    add_photo(store, at(store, table), name="a.jpg", data=PHOTO, reader=lambda: reader)
    [doubt, _] = at(store, table).piles[0].detected
    shown = {"photo": doubt.photo, "corners": doubt.corners}
    act(store, table.code, "answer", code="6d", seen=shown)
    half = len(CODES) // 2
    piles = [tuple(Card.from_code(code) for code in part) for part in (CODES[:half], CODES[half:])]
    sides = [Side(name, pile) for name, pile in zip(table.side_names, piles, strict=True)]
    facts = HandRecord(tuple(sides))
    revision = store.match_of(table).revision
    store.record_hand(table, facts, key="hand", expected=revision)
    return reader


def learnt_by(store: Store, table: Table) -> list[str]:
    """The cards that the table's deck learnt at the table."""
    seat = store.decks.seat(table)
    assert seat is not None
    views = store.decks.views(seat.deck.id)
    return [view.code for view in views if view.key.startswith(decks.LEARNT)]


def test_a_card_that_somebody_named_is_learnt_once_its_hand_is_confirmed(
    store: Store, table: Table
) -> None:
    reader = answered_hand(store, table, learns=True)
    assert learnt_by(store, table) == []
    for photo in (OTHER, PHOTO):
        add_photo(store, at(store, table), name="b.jpg", data=photo, reader=lambda: reader)
        assert learnt_by(store, table) == ["6d"]
    faces = reader.decks[-1]
    assert faces is not None
    assert faces.views["6d"] == 2


def test_nothing_is_learnt_where_the_table_does_not_want_it(store: Store, table: Table) -> None:
    reader = answered_hand(store, table, learns=False)
    add_photo(store, at(store, table), name="b.jpg", data=OTHER, reader=lambda: reader)
    assert learnt_by(store, table) == []


def test_what_was_learnt_is_taken_back(store: Store, table: Table, other: Table) -> None:
    answered_hand(store, table, learns=True)
    assert decks.learn_cards(store, at(store, table)) == 1
    assert decks.learn_cards(store, at(store, table)) == 0
    seat = store.decks.seat(table)
    assert seat is not None
    with pytest.raises(decks.OthersDeckError):
        decks.forget_learnt(store, at(store, other), deck=seat.deck.id)
    assert decks.forget_learnt(store, at(store, table), deck=seat.deck.id) == 1
    assert learnt_by(store, table) == []
    assert len(store.decks.views(seat.deck.id)) == len(CODES)


def test_another_table_does_not_change_a_deck_by_playing(
    store: Store, table: Table, other: Table
) -> None:
    deck = named(store, table)
    decks.choose(store, at(store, other), deck=deck.id)
    with pytest.raises(decks.OthersDeckError):
        decks.set_learning(store, at(store, other), learns=True)


def test_nothing_is_learnt_from_a_photo_that_was_deleted(store: Store, table: Table) -> None:
    answered_hand(store, table, learns=True)
    store.evidence.forget(table)
    assert decks.learn_cards(store, at(store, table)) == 0
