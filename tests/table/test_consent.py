"""Photos that tables lend to teach the networks: which are written, with which labels."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from acting import act
from playing import Store

from scoring.cards import CODES, Card
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import Table
from table.access import ANONYMOUS, Credentials, NotAllowedError, hash_link
from table.consent import Exported, SharedFolderError, export
from table.pile import NOT_A_CARD, Pile, PileCard
from vision.evaluate import read_labels

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PHOTO = (SAMPLES / "anna-1.jpg").read_bytes()  # 1600 x 1200
LINK = "annas"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with closing(Store(database)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK))


def seen(photo: int, guess: str, answer: str | None = None, *, doubtful: bool = False) -> PileCard:
    corners = ((0.1, 0.2), (0.2, 0.2), (0.2, 0.5), (0.1, 0.5))
    return PileCard(photo=photo, guess=guess, doubtful=doubtful, corners=corners, answer=answer)


def play(store: Store, table: Table, *cards: PileCard, by_hand: tuple[str, ...] = ()) -> int:
    """A confirmed hand, Anna's pile as it was seen; gives the number of its photo."""
    number = store.put_photo(table, PHOTO, hand_no=1, side=0)
    draft = Pile(
        photos=(number,),
        detected=tuple(replace(one, photo=number) for one in cards),
        by_hand=by_hand,
    )
    store.put_drafts(table, {0: draft.to_dict()}, hand_no=1)
    pile = tuple(Card.from_code(code) for code in sorted(draft.codes))
    rest = tuple(Card.from_code(code) for code in CODES if code not in draft.codes)
    facts = HandRecord((Side("Anna", pile), Side("Bruno", rest)))
    store.record_hand(table, facts, key="hand", expected=store.match_of(table).revision)
    return number


def lend(store: Store, table: Table, *, lends: bool = True) -> None:
    credentials = Credentials({table.code: LINK})
    act(store, table.code, "share_photos", credentials=credentials, shares=lends)


def labels(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "labels.json").read_text())["photos"]
    return told


def test_a_table_lends_nothing_until_it_says_so(store: Store, table: Table, tmp_path: Path) -> None:
    play(store, table, seen(1, "7d"))
    assert not store.find_table(table.code).lends_photos
    assert export(store, tmp_path / "lent") == Exported(photos=0, cards=0, corrected=0)
    assert labels(tmp_path / "lent") == {}


def test_a_photo_is_written_with_what_was_read_and_what_was_answered(
    store: Store, table: Table, tmp_path: Path
) -> None:
    number = play(
        store,
        table,
        seen(1, "7d"),
        seen(1, "6c", "7c", doubtful=True),
        seen(1, "x"),
        seen(1, "1b", NOT_A_CARD, doubtful=True),
    )
    lend(store, table)
    assert export(store, tmp_path) == Exported(photos=1, cards=3, corrected=1)
    [photo] = read_labels(tmp_path)
    assert photo.path.name == f"photo-{number}.jpg"
    assert photo.path.read_bytes() == PHOTO
    assert photo.cards == ("7d", "7c", "x")
    assert photo.boxes[0][0] == pytest.approx((160, 240, 320, 600))
    assert table.code not in (tmp_path / "labels.json").read_text()


def test_a_pile_of_which_not_every_card_was_seen_is_not_lent(
    store: Store, table: Table, tmp_path: Path
) -> None:
    play(store, table, seen(1, "7d"), by_hand=("1d",))
    lend(store, table)
    assert export(store, tmp_path).photos == 0


@pytest.mark.parametrize(
    "odd",
    [
        seen(1, "1b", NOT_A_CARD),  # read for certain and taken out: it may lie there all the same
        seen(1, "x", doubtful=True),  # nobody knows what it is
    ],
)
def test_a_photo_with_something_unknown_on_it_is_not_lent(
    odd: PileCard, store: Store, table: Table, tmp_path: Path
) -> None:
    play(store, table, seen(1, "7d"), odd)
    lend(store, table)
    assert export(store, tmp_path).photos == 0


def test_a_hand_that_is_mended_otherwise_is_lent_no_more(
    store: Store, table: Table, tmp_path: Path
) -> None:
    number = play(store, table, seen(1, "7d"))
    lend(store, table)
    assert export(store, tmp_path).photos == 1
    facts = store.match_of(table).hands[0].facts
    (anna, bruno) = facts.sides
    other = replace(anna, pile=(*anna.pile, bruno.pile[0])), replace(bruno, pile=bruno.pile[1:])
    row = store.match_of(table)
    store.edit_hand(table, replace(facts, sides=other), hand_no=1, key="m", expected=row.revision)
    assert export(store, tmp_path).photos == 0
    assert not (tmp_path / f"photo-{number}.jpg").exists()


def test_what_was_lent_stays_until_the_table_takes_its_word_back(
    store: Store, table: Table, tmp_path: Path
) -> None:
    number = play(store, table, seen(1, "7d"))
    lend(store, table)
    export(store, tmp_path)
    store.forget_photos(table)
    assert export(store, tmp_path).photos == 1
    lend(store, table, lends=False)
    assert export(store, tmp_path).photos == 0
    assert not (tmp_path / f"photo-{number}.jpg").exists()


def test_other_labelled_photos_are_left_alone(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    for text in ('{"photos": {"a.jpg": {"cards": ["7d"]}}}', "no labels", "[]"):
        file.write_text(text)
        with pytest.raises(SharedFolderError, match="other labels"):
            export(store, tmp_path)
        assert file.read_text() == text


def test_a_folder_that_cannot_be_made_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SharedFolderError, match="name another folder"):
        export(store, tmp_path / "file" / "lent")


def test_whoever_only_looks_lends_nothing(store: Store, table: Table) -> None:
    with pytest.raises(NotAllowedError):
        act(store, table.code, "share_photos", credentials=ANONYMOUS, shares=True)
    assert store.lenders() == ()
