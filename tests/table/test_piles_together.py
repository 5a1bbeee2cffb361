"""What the piles of a hand tell of one another's doubts, and a photo read anew."""

from dataclasses import replace

import pytest

from table.pile import NOT_A_CARD, CardRef, Fault, Pile, PileCard
from table.piles import deduced
from table.questions import can_all_be, with_answers
from vision.reading import CardReading, PhotoProblemKind, Problem, Reading, Region, Status


def box(x: float) -> tuple[tuple[float, float], ...]:
    return ((x, 0.1), (x + 0.1, 0.1), (x + 0.1, 0.3), (x, 0.3))


def doubt(guess: str, *others: str, x: float = 0.1) -> PileCard:
    return PileCard(photo=1, guess=guess, doubtful=True, corners=box(x), alternatives=others)


def read(*cards: tuple[str, Status, float]) -> Reading:
    """Cards of a photo of 1000 x 1000 pixels, each at its x."""
    found = [
        CardReading(code, status, 0.9, tuple((1000 * a, 1000 * b) for a, b in box(x)), {})
        for code, status, x in cards
    ]
    return Reading("1", (1000, 1000), tuple(found), ())


@pytest.mark.parametrize(("before", "after"), [
    (doubt("7d", "6d"), doubt("7d", "6d")),
    (doubt("1s", "6d"), doubt("6d", "1s", "x")),
    (doubt("1s", "2s", "x", "6d"), doubt("6d", "1s", "2s", "x")),
    (doubt("7d", "1s"), doubt("7d", "1s")),
    (doubt("1s", "2s", "x"), replace(doubt("1s", "2s", "x"), answer=NOT_A_CARD)),
    (doubt("1s"), replace(doubt("1s"), answer=NOT_A_CARD)),
    (replace(doubt("1s", "6d"), answer="1s"), replace(doubt("1s", "6d"), answer="1s")),
    (replace(doubt("1s"), doubtful=False), replace(doubt("1s"), doubtful=False)),
    (doubt("x", "1s"), doubt("x", "1s")),
], ids=lambda seen: f"{seen.guess}{seen.alternatives}{seen.answer or ''}")  # fmt: skip
def test_a_doubt_is_none_of_the_certain_cards(before: PileCard, after: PileCard) -> None:
    other = Pile(by_hand=("1s", "2s"))
    assert deduced([Pile(detected=(before,)), other]) == (Pile(detected=(after,)), other)


def test_a_doubt_with_the_name_of_a_card_beside_it_may_be_a_bad_box_of_that_card() -> None:
    beside = PileCard(photo=1, guess="6d", doubtful=False, corners=box(0.5))
    doubted, plain = doubt("7d", "6d"), replace(doubt("7d", "6d"), photo=2)
    seen = deduced([Pile(detected=(beside, doubted, plain))])[0].detected
    assert seen == (beside, doubt("7d", "6d", "x"), plain)


def test_two_doubts_about_one_card_leave_it_open() -> None:
    piles = (Pile(detected=(doubt("7d", "6d"),)), Pile(detected=(doubt("7d", "6d"),)))
    assert deduced(piles) == piles


def test_guesses_that_name_one_card_twice_cannot_all_be_right() -> None:
    piles = (Pile(detected=(doubt("7d", "6d"), doubt("7d", "5d"), doubt("4d", "5d"))), Pile())
    assert can_all_be(piles, [CardRef(0, 0), CardRef(0, 2)])
    assert not can_all_be(piles, [CardRef(0, 0), CardRef(0, 1)])


def test_what_somebody_agreed_to_is_what_was_shown() -> None:
    piles = (Pile(detected=(doubt("6d", "7d"),)), Pile(by_hand=("1s",)))
    assert with_answers(piles, {CardRef(0, 0): "7d"})[0].certain == {"7d"}


def test_a_photo_read_anew_keeps_answers_and_places() -> None:
    gone, told, open_still = doubt("5d", "4d", x=0.7), doubt("7d", "6d"), doubt("1s", "2s", x=0.4)
    draft = Pile(photos=(1,), detected=(gone, replace(told, answer="6d"), open_still))
    again = draft.reread(
        read(("9b", Status.SURE, 0.1), ("1s", Status.SURE, 0.4), ("3c", Status.SURE, 0.85)), 1
    )
    assert again.detected[:2] == draft.detected[:2]
    assert [seen.code for seen in again.detected[2:]] == ["1s", "3c"]
    assert again.questions == (0,)
    assert again.photos == (1,)


def test_a_photo_read_anew_leaves_the_others_alone() -> None:
    other = replace(doubt("1s", "2s"), photo=2)
    draft = Pile(photos=(1, 2), detected=(doubt("7d", "6d"), other))
    again = draft.reread(read(("7d", Status.SURE, 0.1)), 1)
    assert again.detected[1] == other
    assert again.certain == {"7d"}


CUT_OFF = Problem(PhotoProblemKind.CUT_OFF, region=Region.LEFT)


def test_the_faults_of_a_photo_read_anew_are_those_found_now() -> None:
    dark = Fault(photo=1, kind=PhotoProblemKind.DARK)
    blurred = Fault(photo=2, kind=PhotoProblemKind.BLURRED, region=Region.TOP)
    draft = Pile(photos=(1, 2), faults=(dark, blurred))
    fresh = replace(read(), problems=(CUT_OFF,))
    cut_off = Fault(photo=1, kind=PhotoProblemKind.CUT_OFF, region=Region.LEFT)
    assert draft.reread(fresh, 1).faults == (blurred, cut_off)
