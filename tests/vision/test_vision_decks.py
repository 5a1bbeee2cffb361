"""A taught deck: its views, its faces, what they say, and how it is kept in a file."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.classify import EMBEDDING_SIZE, Embeddings
from vision.decide import SURE
from vision.decks import embeddings
from vision.decks.embeddings import (
    CAUTIOUS,
    FEWEST_MATCHES,
    Keypoints,
    TaughtDeck,
    agreeing,
    deck_of,
    keypoints_of,
)
from vision.decks.enrol import confused, laid_out, names_checked
from vision.decks.references import (
    MOST_VIEWS,
    VIEW_WH,
    CardImage,
    Reference,
    card_image,
    packed,
    read_card_image,
    unpacked,
)
from vision.errors import (
    CardImageError,
    DeckFileError,
    NothingLaidOutError,
    UnclearLayoutError,
)
from vision.geometry import CROP_PX, INDEX_PX
from vision.onnx import Tensor
from vision.photo import Photo, Pixels, open_photo
from vision.reader import Reader
from vision.reading import (
    CLASSES,
    DECK_SIZE,
    NOT_SCOPA,
    CardReading,
    PhotoProblemKind,
    Problem,
    Reading,
    Status,
)

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
NAMES = ("carla.jpg", "anna-1.jpg", "bruno-1.jpg")
"""Samples of the same deck: together they show most of its cards."""


def plain_view(shade: int) -> CardImage:
    """A view of a card that is all of one grey."""
    corner = np.full((INDEX_PX, INDEX_PX, 3), shade, np.uint8)
    return CardImage(np.full((CROP_PX, CROP_PX, 3), shade, np.uint8), (corner, corner))


class SeesShades:
    """Looks at cards of one grey: each grey is a direction of its own."""

    def embed(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Embeddings:
        """Features of which one number is 1."""
        whole = np.eye(256, EMBEDDING_SIZE, dtype=np.float32)[
            [int(crop[0, 0, 0]) for crop in crops]
        ]
        ends = np.eye(256, EMBEDDING_SIZE, dtype=np.float32)[
            [int(corner[0, 0, 0]) for corner in corners]
        ]
        ones = np.ones(len(corners), np.float32)
        return Embeddings(whole, ends, ones, crops, ones[::2])


LOOKS = SeesShades()


def grey_deck(*codes: str) -> TaughtDeck:
    """A deck whose cards are greys, in the order of the classes."""
    return TaughtDeck.from_references(
        [(code, plain_view(CLASSES.index(code))) for code in codes], LOOKS
    )


def seen(*codes: str) -> Embeddings:
    """What is seen of grey cards that lie in a photo."""
    views = [plain_view(CLASSES.index(code)) for code in codes]
    return LOOKS.embed([one.card for one in views], [c for one in views for c in one.corners])


def said(**shares: float) -> Tensor:
    """One row of class probabilities; names begin with an underscore, as they may be digits."""
    row = np.full(len(CLASSES), 1e-6, np.float32)
    for name, share in shares.items():
        row[CLASSES.index(name[1:])] = share
    return np.asarray((row / row.sum())[None], np.float32)


def test_a_deck_without_views_changes_nothing() -> None:
    nothing = TaughtDeck.from_references([], LOOKS)
    row = said(_7d=0.6, _6d=0.4)
    assert nothing.weighed(row, seen("6d")) is row
    assert len(nothing.missing) == DECK_SIZE


def test_networks_and_face_that_agree_make_an_answer_surer() -> None:
    row = grey_deck("6d", "7d").weighed(said(_7d=0.8, _6d=0.2), seen("7d"))
    assert row[0, CLASSES.index("7d")] > SURE
    assert row.sum() == pytest.approx(1.0, abs=1e-5)


def test_a_face_that_contradicts_the_networks_leaves_a_doubt() -> None:
    row = grey_deck("6d", "7d").weighed(said(_7d=0.6, _6d=0.4), seen("6d"))
    assert CLASSES[int(row[0].argmax())] == "6d"
    assert row.max() == pytest.approx(CAUTIOUS, abs=1e-3)
    assert CAUTIOUS < SURE


def test_an_answer_that_was_sure_is_never_replaced_by_a_sure_one() -> None:
    row = grey_deck("6d", "7d").weighed(said(_7d=0.97, _6d=0.03), seen("6d"))
    assert row[0, CLASSES.index("6d")] < SURE
    assert row[0, CLASSES.index("7d")] < SURE


def test_how_likely_there_is_no_scopa_card_stays_as_it_is() -> None:
    before = said(_7d=0.5, _x=0.5)
    after = grey_deck("6d", "7d").weighed(before, seen("7d"))
    at = CLASSES.index(NOT_SCOPA)
    assert after[0, at] == pytest.approx(before[0, at], abs=1e-5)


def test_a_card_that_was_not_taught_is_not_held_against_it() -> None:
    row = grey_deck("6d").weighed(said(_7d=0.9, _6d=0.1), seen("6d"))
    assert CLASSES[int(row[0].argmax())] == "7d"


def test_a_deck_is_known_by_its_content() -> None:
    one, again, more = grey_deck("6d", "7d"), grey_deck("7d", "6d"), grey_deck("6d", "7d", "1s")
    assert one.key == again.key != more.key
    assert one.views == {"6d": 1, "7d": 1}


def test_a_view_is_kept_as_a_picture() -> None:
    kept = read_card_image(plain_view(90).jpeg())
    assert kept.card.shape == (CROP_PX, CROP_PX, 3)
    assert [end.shape for end in kept.corners] == [(INDEX_PX, INDEX_PX, 3)] * 2
    assert abs(int(kept.card.mean()) - 90) <= 1
    assert (kept.turned.turned.card == kept.card).all()


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff", plain_view(9).jpeg()[:200]])
def test_a_damaged_view_is_refused(data: bytes) -> None:
    with pytest.raises(CardImageError, match=f"{VIEW_WH[0]} x {VIEW_WH[1]}"):
        read_card_image(data)


# What is drawn


def drawing(seed: int) -> Pixels:
    """A card with a drawing of its own: rings and bars."""
    rng = np.random.default_rng(seed)
    card = np.full((CROP_PX, CROP_PX, 3), 235, np.uint8)
    for _ in range(14):
        x, y, size = (int(one) for one in rng.integers((14, 14, 4), (114, 114, 13)))
        shade = [int(one) for one in rng.integers(0, 170, 3)]
        cv2.circle(card, (x, y), size, shade, int(rng.integers(1, 4)))
        cv2.rectangle(card, (x - size, y), (x + size // 2, y + 3), shade[::-1], -1)
    return card


def half_covered(card: Pixels) -> Pixels:
    """The same under another card: only the upper half shows."""
    return np.asarray(np.vstack([card[: CROP_PX // 2], drawing(99)[CROP_PX // 2 :]]), np.uint8)


def shifted(card: Pixels, by: int) -> Pixels:
    """The same cut out so many pixels too far to the left."""
    return np.asarray(np.roll(card, by, axis=1), np.uint8)


@pytest.mark.parametrize(
    "changed_card",
    [
        pytest.param(lambda card: card, id="as it is"),
        pytest.param(half_covered, id="half covered"),
        pytest.param(lambda card: card[::-1, ::-1], id="upside down"),
        pytest.param(lambda card: half_covered(card)[::-1, ::-1], id="half covered, upside down"),
        pytest.param(lambda card: shifted(card, 9), id="cut out beside its place"),
        pytest.param(lambda card: card // 2 + 20, id="in the shade"),
    ],
)
def test_a_drawing_is_known_by_what_shows_of_it(changed_card: Callable[[Pixels], Pixels]) -> None:
    known = [keypoints_of(drawing(seed)) for seed in range(5)]
    seen = keypoints_of(np.ascontiguousarray(changed_card(drawing(2))))
    counts = [agreeing(seen, one) for one in known]
    assert int(np.argmax(counts)) == 2
    assert counts[2] >= 3 * max(FEWEST_MATCHES, *counts[:2], *counts[3:])


def test_details_at_other_places_do_not_count() -> None:
    card = keypoints_of(drawing(2))
    moved = Keypoints(np.asarray(card.places * 0.4, np.float32), card.descriptors)
    assert agreeing(card, card) > 10 * max(1, agreeing(card, moved))


@pytest.mark.parametrize("card", [np.zeros((128, 128, 3), np.uint8), drawing(1)])
def test_a_card_without_details_agrees_with_none(card: Pixels) -> None:
    plain = keypoints_of(plain_view(90).card)
    assert agreeing(keypoints_of(card), plain) == agreeing(plain, keypoints_of(card)) == 0


def drawn_deck() -> TaughtDeck:
    """A deck whose cards the networks cannot tell apart, and drawings can."""
    corner = np.zeros((INDEX_PX, INDEX_PX, 3), np.uint8)
    views = [CardImage(drawing(at), (corner, corner)) for at in range(3)]
    return TaughtDeck.from_references(
        list(zip(("6d", "7d", "1s"), views, strict=True)), SeesNothing()
    )


class SeesNothing:
    """Looks at cards, and finds all of them alike."""

    def embed(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Embeddings:
        """The same features for every card."""
        whole, ends = (np.ones((len(one), EMBEDDING_SIZE), np.float32) for one in (crops, corners))
        ones = np.ones(len(corners), np.float32)
        return Embeddings(whole, ends, ones, crops, ones[::2])


def test_where_a_doubt_is_left_the_drawing_settles_it() -> None:
    features = SeesNothing().embed([half_covered(drawing(1))], [drawing(1)] * 2)
    row = drawn_deck().weighed(said(_7d=0.5, _6d=0.45, _1s=0.05), features)
    assert row[0, CLASSES.index("7d")] > SURE


def test_a_drawing_that_contradicts_the_networks_leaves_a_doubt() -> None:
    features = SeesNothing().embed([drawing(1)], [drawing(1)] * 2)
    row = drawn_deck().weighed(said(_6d=0.6, _7d=0.4), features)
    assert CLASSES[int(row[0].argmax())] == "7d"
    assert row.max() == pytest.approx(CAUTIOUS, abs=1e-3)


def test_drawings_are_compared_of_few_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[Pixels] = []

    def noted(crop: Pixels) -> Keypoints:
        compared.append(crop)
        return keypoints_of(crop)

    deck = drawn_deck()
    monkeypatch.setattr(embeddings, "keypoints_of", noted)
    rows = np.concatenate([said(_7d=1.0), said(_x=0.9, _7d=0.1), said(_7d=0.5, _6d=0.5)])
    features = SeesNothing().embed([drawing(1)] * 3, [drawing(1)] * 6)
    deck.weighed(rows, features)
    assert len(compared) == 1
    faint = replace(features, scores=np.full(3, 0.1, np.float32))
    deck.weighed(rows, faint)
    assert len(compared) == 1


# In a file


def test_a_deck_goes_into_a_file_and_comes_out_of_it() -> None:
    kept = packed("Nonna's deck", [("7d", plain_view(7).jpeg()), ("1s", plain_view(9).jpeg())])
    deck = unpacked(kept, path=Path("deck.zip"))
    assert deck.name == "Nonna's deck"
    assert [code for code, _ in deck.views] == ["7d", "1s"]


def changed(**values: object) -> bytes:
    """The file of a deck whose content says something else."""
    into = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed("deck", [("7d", plain_view(7).jpeg())]))) as archive:
        told = json.loads(archive.read("deck.json")) | values
        with zipfile.ZipFile(into, "w") as other:
            other.writestr("deck.json", json.dumps(told))
            other.writestr("000.jpg", archive.read("000.jpg"))
    return into.getvalue()


VIEW_TOLD = {"card": "7d", "picture": "000.jpg"}
DAMAGED = {
    "empty": (b"", "an empty file"),
    "text": (b"hello", "something else"),
    "cut": (packed("deck", [("7d", plain_view(7).jpeg())])[:-40], "something else"),
    "another form": (changed(form="b"), "another version"),
    "no view": (changed(views=[]), "a deck of 0 views"),
    "too many": (changed(views=[VIEW_TOLD] * (MOST_VIEWS + 1)), "a deck of 401 views"),
    "no card": (changed(views=[VIEW_TOLD | {"card": "11d"}]), "a card that no deck holds"),
    "no picture": (changed(views=[VIEW_TOLD | {"picture": "9.jpg"}]), "something else"),
    "another picture": (changed(views=[VIEW_TOLD | {"picture": "deck.json"}]), "a damaged picture"),
    "no list": (changed(views=7), "something else"),
    "no name": (changed(name=" "), "a deck of 1 views"),
}


@pytest.mark.parametrize(("data", "got"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_refused_in_a_sentence(data: bytes, got: str) -> None:
    with pytest.raises(DeckFileError, match=rf"deck.zip: expected .*{got}.*; export .* again"):
        unpacked(data, path=Path("deck.zip"))


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_that_lies_about_its_size_takes_no_memory(compression: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        archive.writestr("deck.json", bytes(100_000_000))
    data = bytearray(packed.getvalue())
    for header, size_at in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        at = data.rindex(header) + size_at
        data[at : at + 4] = (1000).to_bytes(4, "little")
    tracemalloc.start()
    try:
        with pytest.raises(DeckFileError):
            unpacked(bytes(data), path=Path("deck.zip"))
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckFileError, match="no such file"):
        deck_of(tmp_path / "deck.zip", LOOKS)
    assert deck_of(None, LOOKS) is None


# What is to be said of a deck


def test_the_names_say_what_is_missing_and_what_is_there_twice() -> None:
    whole = list(CLASSES[:DECK_SIZE])
    assert names_checked([whole]).is_whole
    assert names_checked([whole, ["7d"]]).is_whole  # one more photo of a card
    assert names_checked([whole[1:]]).missing == ("1d",)
    assert names_checked([[*whole, "7d"]]).twice == ("7d",)
    assert names_checked([whole, ["7d"]]).again == ()
    assert names_checked([whole[1:], ["7d"]]).again == ("7d",)  # perhaps the missing one
    assert len(names_checked([]).missing) == DECK_SIZE


def test_cards_that_look_alike_are_named() -> None:
    same = plain_view(7)
    views: list[Reference] = [("6d", same), ("7d", same), ("1s", plain_view(90))]
    assert confused(TaughtDeck.from_references(views, LOOKS), views, embedder=LOOKS) == (
        ("6d", "7d"),
    )
    assert confused(grey_deck(), [], embedder=LOOKS) == ()


# Laid out


class ReadsThese:
    """Reads the same cards in every photo."""

    def __init__(self, *found: CardReading, faults: Sequence[PhotoProblemKind] = ()) -> None:
        self.found, self.problems = found, tuple(map(Problem, faults))

    def read(self, photo: Photo) -> Reading:
        """The reading."""
        return Reading(photo.name, photo.size_wh, self.found, self.problems)


def card_at(code: str, x: float, y: float, status: Status = Status.SURE) -> CardReading:
    """A card of 60 x 90 pixels, its upper left corner at a place."""
    corners = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
    return CardReading(code, status, 0.9, corners)


@pytest.fixture
def table() -> Photo:
    """A photo that is sharp wherever somebody says that a card lies."""
    grain = np.random.default_rng(5).integers(0, 255, (900, 900, 3), np.uint8)
    return open_photo(cv2.imencode(".png", grain)[1].tobytes(), name="table.png")


def test_a_photo_without_a_card_is_refused(table: Photo) -> None:
    with pytest.raises(NothingLaidOutError, match="side by side"):
        laid_out(table, ReadsThese())


def test_a_blurred_photo_is_not_learnt_from(table: Photo) -> None:
    doubtful = [card_at("1d", 90, 100, Status.DOUBTFUL), card_at("2d", 190, 100, Status.DOUBTFUL)]
    sure = card_at("3d", 290, 100)
    with pytest.raises(UnclearLayoutError, match="hold the phone still"):
        laid_out(table, ReadsThese(sure, *doubtful, faults=[PhotoProblemKind.BLURRED]))
    assert len(laid_out(table, ReadsThese(sure, *doubtful))) == 3, "a deck new to the networks"
    covered = ReadsThese(sure, *doubtful, faults=[PhotoProblemKind.COVERED])
    assert len(laid_out(table, covered)) == 3, "no fault of the photo"
    one_bad = ReadsThese(sure, doubtful[0], faults=[PhotoProblemKind.BLURRED])
    assert len(laid_out(table, one_bad)) == 2, "most of it can be made out"


@pytest.mark.models
def test_a_really_blurred_sample_is_not_learnt_from(reader: Reader) -> None:
    sharp = open_photo(SAMPLES / "carla.jpg").working_bgr
    blurred = cv2.GaussianBlur(sharp, (0, 0), max(sharp.shape) / 100)
    jpeg = cv2.imencode(".jpg", blurred)[1].tobytes()
    with pytest.raises((UnclearLayoutError, NothingLaidOutError)):
        laid_out(open_photo(jpeg, name="blurred.jpg"), reader)


def test_the_cards_come_row_by_row(table: Photo) -> None:
    cards = laid_out(
        table,
        ReadsThese(
            card_at("4d", 310, 412), card_at("3d", 100, 400), card_at("2d", 400, 110),
            card_at("1d", 90, 100), card_at("back", 700, 700),
        ),
    )  # fmt: skip
    assert [card.guess for card in cards] == ["1d", "2d", "3d", "4d"]
    assert not any(card.is_covered for card in cards)


def test_what_is_covered_or_unsure_is_said(table: Photo) -> None:
    over = card_at("2d", 130, 100)
    cards = laid_out(
        table, ReadsThese(card_at("1d", 100, 100), over, card_at("x", 300, 100, Status.DOUBTFUL))
    )
    assert [card.is_covered for card in cards] == [True, True, False]
    assert [card.guess for card in cards] == ["1d", "2d", "x"]
    assert [card.is_sure for card in cards] == [True, True, False]


# With the networks


def sample_views(names: Sequence[str]) -> list[Reference]:
    """The cards of some samples, where they truly lie."""
    told = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    return [
        (code, card_image(open_photo(SAMPLES / name), np.array(quad, np.float32)))
        for name in names
        for code, quad in zip(told[name]["cards"], told[name]["corners"], strict=True)
    ]


@pytest.mark.models
@pytest.mark.slow
def test_the_faces_know_their_cards_whichever_end_is_up(reader: Reader) -> None:
    views = sample_views(NAMES)
    deck = TaughtDeck.from_references(views, reader)
    turned = [view.turned for _, view in views]
    features = reader.embed(
        [one.card for one in turned], [end for one in turned for end in one.corners]
    )
    likeness = deck.likeness(features)
    assert [CLASSES[at] for at in np.nanargmax(likeness, axis=1)] == [code for code, _ in views]


@pytest.mark.models
@pytest.mark.slow
def test_tables_with_other_decks_share_a_reader(reader: Reader) -> None:
    photo = open_photo(SAMPLES / "bruno-2.jpg")
    plain = reader.read(photo)
    misnamed = TaughtDeck.from_references(
        [("1s", view) for _, view in sample_views(["bruno-2.jpg"])], reader
    )
    other = reader.read(photo, deck=misnamed)
    assert [card.to_dict() for card in other.cards] != [card.to_dict() for card in plain.cards]
    assert reader.read(photo) == plain


@pytest.mark.models
@pytest.mark.slow
def test_a_deck_taught_wrongly_makes_nothing_sure_that_was_not(reader: Reader) -> None:
    photo = open_photo(SAMPLES / "bruno-2.jpg")
    names = [*CLASSES[1:DECK_SIZE], CLASSES[0]]  # each card is said to be the next
    wrong = [(names[CLASSES.index(code)], view) for code, view in sample_views(["bruno-2.jpg"])]
    plain = {card.card for card in reader.read(photo).cards if card.status is Status.SURE}
    read = reader.read(photo, deck=TaughtDeck.from_references(wrong, reader))
    assert {card.card for card in read.cards if card.status is Status.SURE} <= plain
