"""Questions wait until they can matter: while a pile is out that may settle a doubt."""

from collections.abc import Sequence

import pytest

from scoring.cards import CODES
from scoring.presets import PRESETS
from table.draft import Draft
from table.next_question import Agenda, AnswerDoubts, AwaitPhotos, NothingLeft, ShowPiles, agenda
from table.piles import renewed, with_rest
from table.seen import Seen, SeenAt

RULES = PRESETS["silver-lake"]
ANNA = tuple(code for code in CODES if code[-1] in "dc" and code != "7d")
BRUNO = tuple(code for code in CODES if code[-1] in "sb")
DOUBT = SeenAt(0, 0)


def pile(
    codes: Sequence[str] = (), *doubts: tuple[str, ...], photos: Sequence[int] = (1,)
) -> Draft:
    """A pile of certain cards and doubtful ones: each a guess and what else it may be."""
    seen = tuple(
        Seen(photo=1, guess=guess, doubtful=True, corners=((n, 0.0),) * 4, alternatives=others)
        for n, (guess, *rest) in enumerate(doubts)
        for others in [tuple(rest)]
    )
    return Draft(by_hand=tuple(codes), seen=seen, photos=tuple(photos) if codes or doubts else ())


def open_now(*piles: Draft, reading: Sequence[int] = (), at_once: bool = False) -> Agenda:
    return agenda(renewed(piles), RULES, reading=reading, at_once=at_once)


ANNAS = pile(ANNA, ("7d", "7s"))


def test_nothing_waits_where_nothing_is_doubtful() -> None:
    assert open_now(pile(ANNA), pile()) == Agenda(
        awaited=(1,), missing=tuple(code for code in CODES if code not in ANNA)
    )


def test_a_doubt_waits_for_the_pile_that_is_out_and_is_settled_by_it() -> None:
    waits = open_now(ANNAS, pile())
    assert (waits.held, waits.doubts, waits.next) == ((DOUBT,), (), ShowPiles((1,)))
    both = open_now(ANNAS, pile([code for code in BRUNO if code != "1s"]))
    assert (both.held, both.out) == ((), ())
    assert DOUBT not in both.doubts
    piles = renewed((ANNAS, pile(BRUNO)))
    assert not open_now(*piles).doubts
    assert piles[0].codes == {*ANNA, "7d"}


def test_a_doubt_that_the_last_pile_does_not_settle_is_asked_about_then() -> None:
    bruno = pile([code for code in BRUNO if code != "7s"])
    both = open_now(ANNAS, bruno)
    assert both.next == AnswerDoubts((DOUBT,))


def test_where_the_pile_out_is_what_the_others_leave_the_questions_come() -> None:
    deduced = agenda(with_rest((ANNAS, Draft()), 1), RULES)
    assert deduced.held == ()
    assert deduced.next == AnswerDoubts((DOUBT,))


def test_of_three_sides_the_doubts_wait_for_the_last() -> None:
    rules = PRESETS["wikipedia"]
    carla = pile(BRUNO[:10])
    two_in = agenda((ANNAS, pile(), carla), rules)
    assert (two_in.held, two_in.out, two_in.doubts) == ((DOUBT,), (1,), ())
    assert agenda((ANNAS, pile(BRUNO[11:]), carla), rules).held == ()


def test_whoever_wants_to_may_answer_at_once() -> None:
    now = open_now(ANNAS, pile(), at_once=True)
    assert (now.held, now.doubts) == ((), (DOUBT,))
    assert now.next == ShowPiles((1,)), "the pile is wanted all the same"


@pytest.mark.parametrize("side", [0, 1])
def test_doubts_wait_while_photos_are_being_read(side: int) -> None:
    bruno = pile([code for code in BRUNO if code != "7s"])
    read = open_now(ANNAS, bruno, reading=[side, side])
    assert (read.held, read.next) == ((DOUBT,), AwaitPhotos((side,)))
    assert open_now(ANNAS, bruno, reading=[side], at_once=True).next == AnswerDoubts((DOUBT,))


def test_nobody_is_asked_for_cards_that_may_lie_on_a_photo_that_is_being_read() -> None:
    assert open_now(pile(ANNA), pile(BRUNO), reading=[1]).next == AwaitPhotos((1,))
    assert open_now(pile((*ANNA, "7d")), pile(BRUNO), reading=[1]).next == NothingLeft()
