"""Questions wait until they can matter: while a pile is out that may settle a doubt."""

from collections.abc import Sequence

import pytest

from scoring.cards import CODES
from scoring.presets import PRESETS
from table.pile import CardRef, Pile, PileCard
from table.piles import updated, with_rest
from table.questions import (
    AnswerDoubts,
    AwaitPhotos,
    NothingLeft,
    OpenQuestions,
    ShowPiles,
    open_questions,
)

RULES = PRESETS["silver-lake"]
ANNA = tuple(code for code in CODES if code[-1] in "dc" and code != "7d")
BRUNO = tuple(code for code in CODES if code[-1] in "sb")
DOUBT = CardRef(0, 0)


def pile(codes: Sequence[str] = (), *doubts: tuple[str, ...], photos: Sequence[int] = (1,)) -> Pile:
    """A pile of certain cards and doubtful ones: each a guess and what else it may be."""
    seen = tuple(
        PileCard(photo=1, guess=guess, doubtful=True, corners=((n, 0.0),) * 4, alternatives=others)
        for n, (guess, *rest) in enumerate(doubts)
        for others in [tuple(rest)]
    )
    return Pile(
        by_hand=tuple(codes), detected=seen, photos=tuple(photos) if codes or doubts else ()
    )


def open_now(*piles: Pile, reading: Sequence[int] = (), at_once: bool = False) -> OpenQuestions:
    return open_questions(updated(piles), RULES, reading=reading, at_once=at_once)


ANNAS = pile(ANNA, ("7d", "7s"))


def test_nothing_waits_where_nothing_is_doubtful() -> None:
    assert open_now(pile(ANNA), pile()) == OpenQuestions(
        missing_piles=(1,), missing=tuple(code for code in CODES if code not in ANNA)
    )


def test_a_doubt_waits_for_the_pile_that_is_out_and_is_settled_by_it() -> None:
    waits = open_now(ANNAS, pile())
    assert (waits.deferred, waits.doubts, waits.next_step) == ((DOUBT,), (), ShowPiles((1,)))
    both = open_now(ANNAS, pile([code for code in BRUNO if code != "1s"]))
    assert (both.deferred, both.pending) == ((), ())
    assert DOUBT not in both.doubts
    piles = updated((ANNAS, pile(BRUNO)))
    assert not open_now(*piles).doubts
    assert piles[0].codes == {*ANNA, "7d"}


def test_a_doubt_that_the_last_pile_does_not_settle_is_asked_about_then() -> None:
    bruno = pile([code for code in BRUNO if code != "7s"])
    both = open_now(ANNAS, bruno)
    assert both.next_step == AnswerDoubts((DOUBT,))


def test_where_the_pile_out_is_what_the_others_leave_the_questions_come() -> None:
    deduced = open_questions(with_rest((ANNAS, Pile()), 1), RULES)
    assert deduced.deferred == ()
    assert deduced.next_step == AnswerDoubts((DOUBT,))


def test_of_three_sides_the_doubts_wait_for_the_last() -> None:
    rules = PRESETS["wikipedia"]
    carla = pile(BRUNO[:10])
    two_in = open_questions((ANNAS, pile(), carla), rules)
    assert (two_in.deferred, two_in.pending, two_in.doubts) == ((DOUBT,), (1,), ())
    assert open_questions((ANNAS, pile(BRUNO[11:]), carla), rules).deferred == ()


def test_whoever_wants_to_may_answer_at_once() -> None:
    now = open_now(ANNAS, pile(), at_once=True)
    assert (now.deferred, now.doubts) == ((), (DOUBT,))
    assert now.next_step == ShowPiles((1,)), "the pile is wanted all the same"


@pytest.mark.parametrize("side", [0, 1])
def test_doubts_wait_while_photos_are_being_read(side: int) -> None:
    bruno = pile([code for code in BRUNO if code != "7s"])
    read = open_now(ANNAS, bruno, reading=[side, side])
    assert (read.deferred, read.next_step) == ((DOUBT,), AwaitPhotos((side,)))
    assert open_now(ANNAS, bruno, reading=[side], at_once=True).next_step == AnswerDoubts((DOUBT,))


def test_nobody_is_asked_for_cards_that_may_lie_on_a_photo_that_is_being_read() -> None:
    assert open_now(pile(ANNA), pile(BRUNO), reading=[1]).next_step == AwaitPhotos((1,))
    assert open_now(pile((*ANNA, "7d")), pile(BRUNO), reading=[1]).next_step == NothingLeft()
