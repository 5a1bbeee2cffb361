"""What the piles' screen says and asks while the sample hands are photographed, and what is red."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from app_driving import (
    Known,
    act_named,
    acts_of,
    app,
    camera_of,
    component_data,
    drafts,
    follow,
    has_act,
    label_of,
    open_table,
    queue_photo,
    read_all,
    tap,
    tap_card,
    visible,
)
from streamlit.testing.v1 import AppTest

from screens import state
from store import Table
from vision.reading import CardReading, PhotoProblemKind, Problem, Region, Status

pytestmark = pytest.mark.slow

TWO: tuple[tuple[str, ...], ...] = (("anna-1", "anna-2"), ("bruno-1", "bruno-2"))
THREE: tuple[tuple[str, ...], ...] = (
    ("carla",),
    ("dario-1", "dario-2"),
    ("elena-1", "elena-2"),
)
NAMES = {TWO: ("Anna", "Bruno"), THREE: ("Carla", "Dario", "Elena")}
FAULTS = tuple(
    Problem(kind, region=Region.LEFT)
    for kind in (PhotoProblemKind.COVERED, PhotoProblemKind.WASHED_OUT)
)
"""The faults of every photo here, although its cards can be read."""
PHONE = CardReading("1d", Status.DOUBTFUL, 0.4, ((5, 5), (60, 5), (60, 100), (5, 100)), {"x": 0.4})
"""A phone beside the cards that may be the ace of coins."""


@dataclass(frozen=True)
class Shown:
    """What a screen says beside the piles themselves."""

    sheets: int
    """Questions."""
    advice: int
    """Sentences and buttons about a bad photo."""
    red: tuple[str, ...]
    """The labels of the red buttons."""


def shown(at: AppTest) -> Shown:
    html = "".join(str(one.value) for one in at.html)
    again = [one.key for one in at.get("bidi_component") if one.key == "more"]
    takes_again = [k for k in again if camera_of(at, k)["label"] == "Take it again"]
    camera = camera_of(at)["label"]
    red = [camera] if camera else []
    red += [button.label for button in at.button if button.proto.type == "primary"]
    red += [act["label"] for act, _ in acts_of(at).values() if act["kind"] == "primary"]
    return Shown(
        html.count('class="pair"'), html.count('class="advice"') + len(takes_again), tuple(red)
    )


def silent(*red: str) -> Shown:
    return Shown(sheets=0, advice=0, red=red)


def reads(monkeypatch: pytest.MonkeyPatch, **how: Any) -> None:
    reader = Known(**{"problems": FAULTS, **how})
    monkeypatch.setattr(state, "reader", lambda: reader)


def opened(hand: Sequence[Sequence[str]]) -> Table:
    return open_table(*NAMES.get(tuple(map(tuple, hand)), NAMES[TWO]))


def snap(table: Table, side: int, *photos: str) -> None:
    """Send photos; the worker has not read them yet."""
    for photo in photos:
        data = (state.SAMPLES / f"{photo}.jpg").read_bytes()
        queue_photo(table, f"{photo}.jpg", data, side=side)


def settle(table: Table, side: int = 0) -> AppTest:
    return app("settle", table=table.code, side=side)


def read(table: Table, side: int, *photos: str) -> Shown:
    """Photograph a pile; return what its screen shows then."""
    snap(table, side, *photos)
    read_all()
    return shown(settle(table, side))


def both_orders(hand: Sequence[Any]) -> Iterable[tuple[int, ...]]:
    forward = tuple(range(len(hand)))
    return forward, forward[::-1]


ORDERS = [(hand, order) for hand in (TWO, THREE) for order in both_orders(hand)]


@pytest.mark.parametrize(("hand", "order"), ORDERS)
def test_good_photos_bring_no_word_and_one_red_button(
    hand: tuple[tuple[str, ...], ...], order: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch)
    table, names = opened(hand), NAMES[hand]
    for number, side in enumerate(order):
        left = sorted(order[number + 1 :])
        for photo in hand[side]:
            after = read(table, side, photo)
            if left:
                assert after == silent(f"{names[left[0]]}'s pile")
    assert [shown(settle(table, side)) for side in order] == [silent("Points")] * len(order)
    at = settle(table)
    at.button(key="onward").click().run()
    assert has_act(app("points", table=table.code), "confirm"), "no tap but Points and Save"


@pytest.mark.parametrize("hand", [TWO, THREE], ids=["two", "three"])
def test_photos_sent_all_at_once_bring_no_word(
    hand: tuple[tuple[str, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch)
    table = opened(hand)
    for side, photos in enumerate(hand):
        snap(table, side, *photos)
    waiting = shown(settle(table))
    assert waiting == silent(f"Photos of {', '.join(NAMES[hand])} are being read")
    read_all()
    assert shown(settle(table)) == silent("Points")


def test_doubts_are_silent_until_the_last_pile_is_in(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, doubts=dict.fromkeys(("7d", "1c", "10s", "4b", "2d"), ("x",)))
    table = opened(TWO)
    assert read(table, 0, *TWO[0]) == silent("Bruno's pile")
    assert "13 of 18" in visible(settle(table))
    after = read(table, 1, *TWO[1])
    assert after == silent("Next: Anna's pile")
    here = shown(settle(table))
    assert (here.sheets, here.red) == (1, ()), "one sheet at a time"
    assert here.advice == 2, "a sentence and its button, as half the photo is open"


def test_a_question_about_another_pile_leads_there_from_play_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, doubts={"7d": ("7c",), "7c": ("7d",)})
    table = opened((TWO[1], TWO[0]))
    read(table, 0, *TWO[1])
    read(table, 1, *TWO[0])
    at = app("play", table=table.code, me=1)
    assert "17 of 18" in pile_on_play(at, 1)
    at.button(key="go_on").click().run()
    assert shown(follow(at, "settle")).sheets == 1


def pile_on_play(at: AppTest, side: int) -> str:
    return str(component_data(at, f"tally_{side}")["seat"]["pile"])


@pytest.mark.parametrize("side", [0, 1])
def test_the_same_pile_twice_is_one_question_without_advice(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch)
    table, name = opened(TWO), NAMES[TWO][side]
    assert read(table, 0, TWO[side][0]) == silent("Bruno's pile")
    assert read(table, 1, TWO[side][0]) == Shown(sheets=1, advice=0, red=())
    assert "0 of " in pile_on_play(app("play", table=table.code), 0)
    at = tap(settle(table, 1), "same_mine" if side else "same_theirs")
    read_all()
    at.run()
    other = NAMES[TWO][1 - side]
    assert shown(at) == silent(f"{other}'s pile")
    assert read(table, 1 - side, *TWO[1 - side]).red == (f"{name}'s pile",)
    assert read(table, side, TWO[side][1]) == silent("Points")


def test_the_same_pile_twice_waits_for_the_third_pile(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch)
    table = opened(THREE)
    read(table, 0, "carla")
    assert read(table, 1, "carla") == silent("Elena's pile")
    assert read(table, 2, *THREE[2]) == silent("Next: Dario's pile")
    assert shown(settle(table, 1)) == Shown(sheets=1, advice=0, red=())


@pytest.mark.parametrize(("hand", "order"), ORDERS)
def test_half_a_pile_leads_to_its_camera(
    hand: tuple[tuple[str, ...], ...], order: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch)
    table, names = opened(hand), NAMES[hand]
    half = order[0] if len(hand[order[0]]) > 1 else order[1]
    for side in order:
        read(table, side, *hand[side][: 1 if side == half else None])
    for side in order:
        assert shown(settle(table, side)) == silent(f"{names[half]}'s pile")
    at = settle(table, order[-1])
    assert "cards lie in no pile" in visible(at)
    assert [name for name in acts_of(at) if name.startswith("all_")] == [
        f"all_{side}" for side in range(len(hand))
    ]
    assert {acts_of(at)[f"all_{side}"][0]["kind"] for side in order} == {"quiet"}
    assert camera_of(at)["side"] == half
    assert camera_of(app("play", table=table.code))["side"] == half
    assert read(table, half, *hand[half][1:]) == silent("Points")


def test_advice_on_a_short_pile_is_no_red_button(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, unread=Known().photos["anna-1.jpg"]["cards"][:5])
    table = opened(TWO)
    read(table, 0, "anna-1")
    assert read(table, 1, *TWO[1]) == silent("Anna's pile")
    at = settle(table)
    assert shown(at) == Shown(sheets=0, advice=1, red=("Anna's pile",)), "one camera"
    assert "4 of 9" in visible(at), "five could not be read"


def test_half_a_pile_can_be_given_without_its_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch)
    table = opened(TWO)
    read(table, 1, *TWO[1])
    read(table, 0, "anna-1")
    assert shown(tap(settle(table), "all_0")) == silent("Points")


def test_piles_under_each_others_names_bring_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch)
    table = opened(TWO)
    assert read(table, 0, *TWO[1]) == silent("Bruno's pile")
    assert read(table, 1, *TWO[0]) == silent("Points")
    assert "wrong pile" not in visible(app("points", table=table.code))


def test_a_pile_under_a_wrong_name_is_found_by_its_own_photo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch)
    table = opened(TWO)
    read(table, 0, "bruno-1")
    assert read(table, 1, "bruno-1") == Shown(sheets=1, advice=0, red=())
    at = tap(settle(table, 1), "same_mine")
    read_all()
    assert shown(at.run()) == silent("Anna's pile")


def test_a_photo_under_a_wrong_name_is_said_on_the_points_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch)
    table = opened(TWO)
    read(table, 0, "anna-2")
    assert read(table, 1, "anna-1", *TWO[1]) == silent("Points")
    assert "wrong pile" not in visible(settle(table)) + visible(app("play", table=table.code))
    assert visible(app("points", table=table.code)).count("wrong pile") == 1


def test_a_thing_that_may_be_a_card_does_not_count_as_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, extra=(PHONE,))
    table = opened(TWO)
    assert read(table, 0, "carla") == silent("Bruno's pile")
    at = settle(table)
    assert "13 of 14" in visible(at)
    assert "14 cards ✓" not in visible(at)
    assert pile_on_play(app("play", table=table.code), 0) == "13 of 14"
    quick = visible(app("quick", table=table.code))
    assert ("Anna 13" in quick, "Anna 14" in quick) == (True, False)
    assert label_of(at, "rest") == "The rest is Bruno's", "it may be one card more"
    tap(at, "rest")
    assert drafts(table)[1].counted is None
    assert "Is this the ace of coins?" in visible(at)
    tap(at, act_named(at, "answer_13_none"))
    assert "Does Bruno have 27 cards?" in visible(at)
    assert shown(tap(at, "count_27")) == silent("Points")
    assert ("13 cards ✓" in visible(at), "27 cards ✓" in visible(at)) == (True, True)


def test_a_thing_that_may_be_a_card_is_settled_by_the_other_pile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads(monkeypatch, extra=(PHONE,))
    table = opened(TWO)
    read(table, 0, *TWO[0])
    reads(monkeypatch)
    assert read(table, 1, *TWO[1]) == silent("Points")
    assert "18 cards ✓" in visible(settle(table))


def striped(monkeypatch: pytest.MonkeyPatch, *lost: str) -> None:
    """All photos are taken under a flickering lamp, and some cards are not found on them."""
    reads(monkeypatch, problems=(Problem(PhotoProblemKind.STRIPED),), lost=lost)


@pytest.mark.parametrize("lost", [("7d", "1c"), ()])
def test_under_a_flickering_lamp_the_rest_is_counted_once(
    lost: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    striped(monkeypatch, *lost)
    table = opened(TWO)
    assert read(table, 0, *TWO[0]) == silent("Bruno's pile")
    at = settle(table)
    assert label_of(at, "rest") == "The rest is Bruno's"
    assert shown(tap(at, "rest")) == Shown(sheets=1, advice=0, red=())
    assert f"Does Bruno have {22 + len(lost)} cards?" in visible(at)
    tap(at, "count_22")
    for code in lost:
        assert "not seen" in visible(at)
        tap_card(at, code)
    assert shown(at) == silent("Points")


def test_the_rest_is_counted_if_a_card_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reads(monkeypatch, problems=(), unread=("7d",))
    table = opened(TWO)
    assert read(table, 0, *TWO[0]) == silent("Bruno's pile")
    assert label_of(settle(table), "rest") == "The rest is Bruno's"


def test_forty_cards_under_a_flickering_lamp_bring_no_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    striped(monkeypatch)
    table = opened(TWO)
    assert read(table, 0, *TWO[0]) == silent("Bruno's pile")
    assert read(table, 1, *TWO[1]) == silent("Points")


@pytest.mark.models
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_real_networks_bring_no_word_on_the_sample_hand(order: tuple[int, int]) -> None:
    table = opened(TWO)
    with closing(state.reader()):
        first, last = order
        assert read(table, first, *TWO[first]) == silent(f"{NAMES[TWO][last]}'s pile")
        assert read(table, last, *TWO[last]) == silent("Points")
