"""Piles before their hand is confirmed: what taps, answers and photos make of them."""

from dataclasses import replace

import pytest

from scoring.cards import CODES
from table.hand.pile import NOT_A_CARD, CardRef, Fault, Pile, PileCard
from table.hand.piles import (
    Piles,
    deduced,
    put_into,
    summarise,
    tapped,
    updated,
    with_rest,
    with_rest_updated,
)
from table.hand.questions import with_answers
from vision.reading import CardReading, PhotoProblemKind, Problem, Reading, Region, Status

ANNA, BRUNO = CODES[:18], CODES[18:]


def box(x: float) -> tuple[tuple[float, float], ...]:
    return ((x, 0.1), (x + 0.1, 0.1), (x + 0.1, 0.3), (x, 0.3))


def card(guess: str, x: float = 0.1, **fields: str | int | None) -> PileCard:
    """Return a card that was read for certain."""
    read = PileCard(photo=1, guess=guess, doubtful=False, corners=box(x))
    return replace(read, **fields)  # type: ignore[arg-type]


def doubt(guess: str, *others: str, x: float = 0.1, answer: str | None = None) -> PileCard:
    return replace(card(guess, x), doubtful=True, alternatives=others, answer=answer)


FULL = Pile(
    photos=(1, 2),
    detected=(card("7d"), doubt("6s", "7s", "x"), card("back")),
    by_hand=("1c",),
    rest=("2c", "3c"),
    claimed=("2c", "3c", "4c"),
    refused=("4c",),
    faults=(Fault(photo=2, kind=PhotoProblemKind.DARK, region=Region.TOP_LEFT),),
    counted=22,
    scope=2,
    removed=Pile(photos=(3,), detected=(card("8d"),)),
)


@pytest.mark.parametrize("pile", [Pile(), FULL], ids=["empty", "full"])
def test_a_pile_survives_the_way_through_json(pile: Pile) -> None:
    assert Pile.from_dict(pile.to_dict()) == pile


def test_saved_pile_reopens_with_photos_and_guesses() -> None:
    assert FULL.holding(["7d", "9b"]).codes == {"7d", "9b"}
    assert FULL.holding(["7d", "9b"]).photos == (1, 2)
    assert FULL.holding(["7d", "9b"]).questions == ()
    waiting = Pile(detected=(card("7d"), doubt("6s", "7s")))
    assert waiting.holding(waiting.codes) == waiting
    assert FULL.holding(["7d", "2c"]).rest == ("2c",), "no photo shows it yet"
    edited = waiting.holding(["6s", "1c"])
    assert edited.certain == {"1c"}
    assert edited.asked_codes == {"6s"}


def test_doubtful_card_counts_after_its_answer() -> None:
    pile = Pile(detected=(card("back"), card("x"), doubt("x", "6s"), card("7d"), doubt("5s", "4s")))
    assert pile.codes == {"7d", "5s"}
    assert pile.asked_codes == {"5s"}
    assert pile.questions == (4,)
    assert (pile.count("back"), pile.count("x"), pile.unread) == (1, 1, 1)
    assert pile.answered(2, "6s").codes == {"7d", "5s", "6s"}
    assert pile.answered(2, "6s").unread == 0
    assert pile.answered(4, "4s").codes == {"7d", "4s"}
    assert pile.answered(4, "4s").questions == ()
    assert pile.answered(4, NOT_A_CARD).codes == {"7d"}


@pytest.mark.parametrize(
    ("piles", "after"),
    [
        ((Pile(), Pile()), ({"7d"}, set())),
        ((Pile(by_hand=("7d",)), Pile()), (set(), set())),
        ((Pile(), Pile(by_hand=("7d",))), ({"7d"}, set())),
        ((Pile(detected=(card("7d"),)), Pile()), (set(), set())),
        ((Pile(detected=(doubt("7d"),)), Pile()), ({"7d"}, set())),
        ((Pile(detected=(doubt("4d", "7d"),)), Pile()), ({"7d"}, set())),
        ((Pile(detected=(doubt("7d", answer="7s"),)), Pile()), ({"7s", "7d"}, set())),
    ],
    ids=[
        "comes in",
        "goes out",
        "moves over",
        "one that was read goes out",
        "a question is answered yes",
        "a question is answered otherwise",
        "another answer stays",
    ],
)
def test_a_tap_on_a_card(piles: Piles, after: tuple[set[str], ...]) -> None:
    changed = tapped(piles, 0, code="7d")
    assert tuple(set(pile.codes) for pile in changed) == after
    assert not any(pile.questions for pile in changed)


def test_a_card_taken_out_and_put_back_is_the_one_on_the_photo() -> None:
    pile = Pile(detected=(card("7d"),)).take("7d").put("7d")
    assert pile.by_hand == ()
    assert pile.codes == {"7d"}


def test_rest_follows_the_other_pile() -> None:
    assert summarise((Pile(by_hand=ANNA), Pile(by_hand=BRUNO[1:]))).missing == (BRUNO[0],)
    assert summarise((Pile(by_hand=ANNA), Pile(by_hand=(*BRUNO, ANNA[0])))).duplicated == (ANNA[0],)
    asked = Pile(by_hand=ANNA[1:], detected=(doubt(ANNA[0], BRUNO[0]),))
    anna, bruno = with_rest((asked, Pile()), 1)
    assert bruno.codes == set(BRUNO)
    piles = with_rest_updated((anna.answered(0, BRUNO[0]), bruno))
    assert piles[1].codes == {ANNA[0], *BRUNO[1:]}
    assert not summarise(piles).missing
    assert summarise(with_rest_updated(tapped(piles, 1, code=BRUNO[1]))).missing == (BRUNO[1],)


CLAIMED = with_rest((Pile(photos=(1,), by_hand=("7d",)), Pile(photos=(2,), by_hand=("6d",))), 1)
"""All cards but one of Anna's were given to Bruno, whose photo shows one of them."""


@pytest.mark.parametrize(
    ("shown", "asked"),
    [(card("10d"), ()), (doubt("10d", "10b"), ((0, 0),))],
    ids=["certain", "doubtful"],
)
def test_card_on_a_photo_leaves_the_rest(
    shown: PileCard, asked: tuple[tuple[int, int], ...]
) -> None:
    anna, bruno = CLAIMED
    piles = updated((anna.with_photos(Pile(photos=(3,), detected=(shown,))), bruno))
    assert piles[0].codes == {"7d", "10d"}
    assert piles[1].codes == {*CODES} - {"7d", "10d"}
    assert not summarise(piles).duplicated
    assert tuple(summarise(piles).candidates) == asked
    for code in [code for _ in asked for code in ("10b", "10d")]:
        settled = updated(with_answers(piles, {CardRef(0, 0): code}))
        assert settled[0].codes == {"7d", code}
        assert not summarise(settled).missing


def test_photo_of_a_card_given_by_name_is_a_conflict() -> None:
    anna, bruno = put_into(CLAIMED, "10d", side=1)
    piles = updated((anna.with_photos(Pile(photos=(3,), detected=(card("10d"),))), bruno))
    assert summarise(piles).conflicting == ("10d",)


def test_card_removed_from_a_claim_stays_out_after_a_photo() -> None:
    anna, bruno = updated(tapped(CLAIMED, 1, code="10d"))
    piles = updated((anna, bruno.with_photos(Pile(photos=(3,), detected=(card("9d"),)))))
    assert summarise(piles).missing == ("10d",)
    assert "8d" in piles[1].codes, "the user gave it, and no photo shows it elsewhere"


def test_two_piles_hold_what_each_was_given() -> None:
    anna, bruno, carla = Pile(photos=(1,), by_hand=("7d",)), *CLAIMED[1:], Pile(photos=(3,))
    bruno = replace(bruno, rest=("8d",), claimed=("8d",))
    piles = updated(with_rest((anna, bruno, carla), 2))
    assert [pile.rest and len(pile.rest) for pile in piles] == [None, 1, 37]
    summary = summarise(piles)
    assert (summary.rest, summary.uncounted) == (2, 2)
    assert summary.certain[1] == {"6d", "8d"}


# Doubts of all piles


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (doubt("7d", "6d"), doubt("7d", "6d")),
        (doubt("1s", "6d"), doubt("6d", "1s", "x")),
        (doubt("1s", "2s", "x", "6d"), doubt("6d", "1s", "2s", "x")),
        (doubt("7d", "1s"), doubt("7d", "1s")),
        (doubt("1s", "2s", "x"), doubt("1s", "2s", "x", answer=NOT_A_CARD)),
        (doubt("1s"), doubt("1s", answer=NOT_A_CARD)),
        (doubt("1s", "6d", answer="1s"), doubt("1s", "6d", answer="1s")),
        (card("1s"), card("1s")),
        (doubt("x", "1s"), doubt("x", "1s")),
    ],
    ids=lambda one: f"{one.guess}{one.alternatives}{one.answer or ''}",
)
def test_a_doubt_is_none_of_the_certain_cards(before: PileCard, after: PileCard) -> None:
    other = Pile(by_hand=("1s", "2s"))
    assert deduced([Pile(detected=(before,)), other]) == (Pile(detected=(after,)), other)


def test_doubt_with_a_known_name_may_be_a_second_box() -> None:
    same, doubted = card("6d", 0.5), doubt("7d", "6d")
    elsewhere = replace(doubted, photo=2)
    detected = deduced([Pile(detected=(same, doubted, elsewhere))])[0].detected
    assert detected == (same, doubt("7d", "6d", "x"), elsewhere)


def test_two_doubts_about_one_card_leave_it_open() -> None:
    piles = (Pile(detected=(doubt("7d", "6d"),)), Pile(detected=(doubt("7d", "6d"),)))
    assert deduced(piles) == piles
    assert with_answers(piles, {CardRef(0, 0): "6d"})[0].certain == {"6d"}


# Two boxes of one photo


TWO_OF_COINS, SIX_OF_SWORDS = card("2d", 0.1), card("6s", 0.5)


def test_box_is_asked_about_when_another_is_said_to_be_its_card() -> None:
    piles = updated([Pile(detected=(TWO_OF_COINS, SIX_OF_SWORDS)).answered(0, "6s"), Pile()])
    assert piles[0].codes == {"6s"}
    assert summarise(piles).candidates == {CardRef(0, 1): ("6s", "x")}
    again = updated((piles[0].answered(1, "6s"), Pile()))
    assert summarise(again).candidates == {CardRef(0, 0): ("6s", "2d", "x")}
    settled = updated((again[0].answered(0, "2d"), Pile()))
    assert not summarise(settled).candidates
    assert settled[0].codes == {"2d", "6s"}


def test_box_is_certain_again_after_the_other_is_set_right() -> None:
    pile = Pile(detected=(TWO_OF_COINS, SIX_OF_SWORDS)).answered(0, "6s").answered(0, "2d")
    assert pile.questions == ()
    assert pile.certain == {"2d", "6s"}


def test_doubtful_box_of_the_same_card_stays_a_question() -> None:
    pile = Pile(detected=(TWO_OF_COINS, doubt("6s", x=0.5))).answered(0, "6s")
    assert deduced([pile])[0].questions == (1,)


def test_a_card_on_two_photos_is_one_card() -> None:
    pile = Pile(detected=(TWO_OF_COINS, replace(SIX_OF_SWORDS, photo=2))).answered(0, "6s")
    assert not pile.questions
    assert pile.codes == {"6s"}


# Readings


def reading(*cards: tuple[str, Status, float], problems: tuple[Problem, ...] = ()) -> Reading:
    """Return cards of a photo of 1000 x 1000 pixels, each at its x."""
    read = [
        CardReading(code, status, 0.9, tuple((1000 * a, 1000 * b) for a, b in box(x)), {})
        for code, status, x in cards
    ]
    return Reading("1", (1000, 1000), tuple(read), problems)


def test_cards_and_faults_go_with_their_photo() -> None:
    problems = (Problem(PhotoProblemKind.DARK), Problem(PhotoProblemKind.FACE_DOWN))
    pile = Pile(by_hand=("1c",)).add(reading(("7d", Status.DOUBTFUL, 0.1), problems=problems), 7)
    assert pile.photos == (7,)
    assert pile.faults == (Fault(photo=7, kind=PhotoProblemKind.DARK),), "screens say the other"
    assert pile.detected[0].corners == box(0.1)
    assert pile.codes == {"7d", "1c"}
    without = pile.without_photos({7})
    assert without == Pile(by_hand=("1c",), removed=pile.part({7}))
    assert without.codes == {"1c"}


def test_rereading_keeps_answers_and_other_photos() -> None:
    other = replace(doubt("1s", "2s"), photo=2)
    blurred = Fault(photo=2, kind=PhotoProblemKind.BLURRED, region=Region.TOP)
    gone, answered, still_open = doubt("5d", x=0.7), doubt("7d", answer="6d"), doubt("2s", x=0.4)
    pile = Pile(
        photos=(1, 2),
        detected=(gone, answered, still_open, other),
        faults=(Fault(photo=1, kind=PhotoProblemKind.DARK), blurred),
    )
    cards = (("9b", Status.SURE, 0.1), ("1s", Status.SURE, 0.4), ("3c", Status.SURE, 0.85))
    cut_off = Problem(PhotoProblemKind.CUT_OFF, region=Region.LEFT)
    again = pile.reread(reading(*cards, problems=(cut_off,)), 1)
    assert again.detected[:2] == (gone, answered)
    assert again.detected[3] == other
    assert [again.detected[index].code for index in (2, 4)] == ["1s", "3c"]
    assert again.questions == (0, 3)
    assert again.photos == (1, 2)
    fault = Fault(photo=1, kind=PhotoProblemKind.CUT_OFF, region=Region.LEFT)
    assert again.faults == (blurred, fault)
