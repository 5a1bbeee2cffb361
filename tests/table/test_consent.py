"""Photos that tables share to train the networks: which are written, with which labels."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from acting import act
from playing import Store

from scoring.cards import CODES, Card
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Table
from table.consent import Exported, SharedFolderError, export
from table.pile import NOT_A_CARD, Pile, PileCard
from vision.evaluate import read_labels

PHOTO = (Path(__file__).resolve().parents[2] / "samples" / "anna-1.jpg").read_bytes()  # 1600 x 1200


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules())


def card(guess: str, answer: str | None = None, *, doubtful: bool = False) -> PileCard:
    corners = ((0.1, 0.2), (0.2, 0.2), (0.2, 0.5), (0.1, 0.5))
    return PileCard(photo=1, guess=guess, doubtful=doubtful, corners=corners, answer=answer)


def play(store: Store, table: Table, *cards: PileCard, by_hand: tuple[str, ...] = ()) -> int:
    """A confirmed hand, Anna's pile as it was read; gives the number of its photo."""
    number = store.put_photo(table, PHOTO, hand_no=1, side=0)
    detected = tuple(replace(one, photo=number) for one in cards)
    draft = Pile(photos=(number,), detected=detected, by_hand=by_hand)
    store.put_drafts(table, {0: draft.to_dict()}, hand_no=1)
    pile = tuple(Card.from_code(code) for code in sorted(draft.codes))
    rest = tuple(Card.from_code(code) for code in CODES if code not in draft.codes)
    facts = HandRecord((Side("Anna", pile), Side("Bruno", rest)))
    store.record_hand(table, facts, key="hand", expected=store.match_of(table).revision)
    return number


def share(store: Store, table: Table, *, shares: bool = True) -> None:
    act(store, table.code, "share_photos", shares=shares)


def test_a_photo_is_written_with_what_was_read_and_answered_once_its_table_consents(
    store: Store, table: Table, tmp_path: Path
) -> None:
    cards = (card("7d"), card("6c", "7c", doubtful=True), card("x"))
    number = play(store, table, *cards, card("1b", NOT_A_CARD, doubtful=True))
    assert export(store, tmp_path) == Exported(photos=0, cards=0, corrected=0)
    share(store, table)
    assert export(store, tmp_path) == Exported(photos=1, cards=3, corrected=1)
    [photo] = read_labels(tmp_path)
    assert photo.path.name == f"photo-{number}.jpg"
    assert photo.path.read_bytes() == PHOTO
    assert photo.cards == ("7d", "7c", "x")
    assert photo.boxes[0][0] == pytest.approx((160, 240, 320, 600))
    assert table.code not in (tmp_path / "labels.json").read_text()
    store.forget_photos(table)
    assert export(store, tmp_path).photos == 1, "it stays when the store deletes its own"
    share(store, table, shares=False)
    assert export(store, tmp_path).photos == 0
    assert json.loads((tmp_path / "labels.json").read_text()) == {"photos": {}}
    assert not photo.path.exists()


@pytest.mark.parametrize(
    ("cards", "by_hand"),
    [
        ((), ("1d",)),
        ((card("1b", NOT_A_CARD),), ()),  # it may lie on the photo all the same
        ((card("x", doubtful=True),), ()),
    ],
    ids=["a card was tapped in", "one that was certain was taken out", "one is not known"],
)
def test_a_pile_of_which_not_every_card_is_known_is_not_shared(
    cards: tuple[PileCard, ...],
    by_hand: tuple[str, ...],
    store: Store,
    table: Table,
    tmp_path: Path,
) -> None:
    play(store, table, card("7d"), *cards, by_hand=by_hand)
    share(store, table)
    assert export(store, tmp_path).photos == 0


def test_a_hand_that_is_edited_otherwise_is_shared_no_more(
    store: Store, table: Table, tmp_path: Path
) -> None:
    number = play(store, table, card("7d"))
    share(store, table)
    assert export(store, tmp_path).photos == 1
    state = store.match_of(table)
    anna, bruno = state.hands[0].facts.sides
    sides = replace(anna, pile=(*anna.pile, bruno.pile[0])), replace(bruno, pile=bruno.pile[1:])
    store.edit_hand(table, HandRecord(sides), hand_no=1, key="m", expected=state.revision)
    assert export(store, tmp_path).photos == 0
    assert not (tmp_path / f"photo-{number}.jpg").exists()


@pytest.mark.parametrize("text", ['{"photos": {"a.jpg": {"cards": ["7d"]}}}', "no labels", "[]"])
def test_other_labels_are_left_alone_and_a_folder_that_cannot_be_made_is_refused(
    text: str, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "labels.json"
    file.write_text(text)
    with pytest.raises(SharedFolderError, match="other labels"):
        export(store, tmp_path)
    assert file.read_text() == text
    with pytest.raises(SharedFolderError, match="name another folder"):
        export(store, file / "shared")
