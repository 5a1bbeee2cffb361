"""Screens of a hand whose photos were deleted: the cards stand, and what is gone is said."""

import pytest
from app_driving import Known, app, component_data, drafts, lay, open_table, read_all, tap, visible
from playing import read, write

from scoring.cards import CODES
from screens import photos, state
from store import Table, piles, retention, uploads
from table.hand.pile import Pile, PileCard

pytestmark = pytest.mark.slow

CORNERS = ((0.1, 0.1), (0.4, 0.1), (0.4, 0.6), (0.1, 0.6))
SAMPLE = (state.SAMPLES / "anna-1.jpg").read_bytes()


@pytest.fixture
def table() -> Table:
    """A table with a pile of two photos, on one of which a card is in doubt, and one tapped in."""
    table = open_table()
    store = state.store()
    numbers = [
        write(
            store,
            piles.add_photo,
            table,
            SAMPLE[:-2] + bytes([number]) + SAMPLE[-2:],
            hand_no=1,
            side=0,
        )
        for number in range(2)
    ]
    doubt = PileCard(
        photo=numbers[0], guess="7d", doubtful=True, corners=CORNERS, alternatives=("6d",)
    )
    sure = PileCard(photo=numbers[1], guess="7c", doubtful=False, corners=CORNERS)
    others = Pile(by_hand=tuple(code for code in CODES if code not in {"7d", "6d", "7c"}))
    lay(table, Pile(photos=tuple(numbers), detected=(doubt, sure)), others)
    return table


def pictures(at) -> int:  # type: ignore[no-untyped-def]
    """Return how many photos are on the screen, with their outlines."""
    return sum(photo["src"] != "" for photo in component_data(at, "photos")["photos"])


def test_photos_that_are_kept_are_shown(table: Table) -> None:
    at = app("settle", table=table.code, side=0)
    assert pictures(at) == 2
    assert "deleted" not in visible(at)


@pytest.mark.parametrize(
    ("lang", "sentence", "crop"),
    [
        ("en", "2 photos were deleted; the cards seen on them stay.", "photo deleted"),
        ("it", "2 foto sono state cancellate; le carte viste lì restano.",
         "foto cancellata"),
    ],
)  # fmt: skip
def test_photos_that_are_gone_are_said_to_be(
    table: Table, lang: str, sentence: str, crop: str
) -> None:
    shown = app("settle", table=table.code, side=0, lang=lang)
    assert pictures(shown) == 2
    write(state.store(), retention.delete_photos, table)
    shown.run()
    assert sentence in visible(shown)
    assert crop in visible(shown), "the question is asked without its cut-out"
    assert pictures(shown) == 0
    assert photos._photo.cache_info().currsize == 0, "nothing is left in the server's memory"
    assert photos._cropped_card.cache_info().currsize == 0
    assert not shown.exception


def test_cards_of_a_deleted_photo_can_be_answered(table: Table) -> None:
    write(state.store(), retention.delete_photos, table)
    at = app("settle", table=table.code, side=0)
    tap(at, "answer_0_6d")
    assert drafts(table)[0].codes == {"6d", "7c"}


def test_a_new_photo_is_read_beside_one_that_is_gone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "reader", Known)
    write(state.store(), retention.delete_photos, table)
    write(
        state.store(),
        uploads.add,
        table,
        SAMPLE,
        key="k",
        name="anna-1.jpg",
        match_no=1,
        hand_no=1,
        side=0,
    )
    read_all()
    draft = drafts(table)[0]
    assert len(draft.photos) == 3
    assert "7d" in draft.codes
    assert read(state.store(), uploads.of_hand, table, hand_no=1) == ()


def test_a_photo_that_is_gone_can_be_taken_out_with_its_cards(table: Table) -> None:
    write(state.store(), retention.delete_photos, table)
    at = app("settle", table=table.code, side=0)
    tap(at, "drop_2")
    assert len(drafts(table)[0].photos) == 1
    assert "7c" not in drafts(table)[0].codes
