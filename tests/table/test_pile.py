"""A pile before it is confirmed: what taps, answers and photos make of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from scoring.cards import CODES, Card
from scoring.hand import Side, score_hand
from scoring.rules import Rules
from table.pile import NOT_A_CARD, CardRef, Fault, Pile, PileCard
from table.piles import deduced, duplicated, missing, tapped, with_rest, with_rest_updated
from table.questions import MAX_UNNAMED, CountPile, NothingLeft, OpenQuestions, open_questions
from vision.reading import CardReading, PhotoProblemKind, Problem, Reading, Region, Status

ANNA = (
    *("1d", "2d", "3d", "7d", "10d", "4d", "1c", "7c", "1s"),
    *("6b", "5s", "4s", "3b", "2b", "5c", "6c", "8c", "9c"),
)
"""A pile of 18 cards; Bruno has the others."""
BRUNO = tuple(code for code in CODES if code not in ANNA)

BOX = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.3), (0.1, 0.3))


def seen(guess: str, *, doubtful: bool = False, others: tuple[str, ...] = ()) -> PileCard:
    return PileCard(photo=1, guess=guess, doubtful=doubtful, corners=BOX, alternatives=others)


FULL = Pile(
    photos=(1, 2),
    detected=(seen("7d"), seen("6s", doubtful=True, others=("7s", "x")), seen("back")),
    by_hand=("1c",),
    rest=("2c", "3c"),
    faults=(Fault(photo=2, kind=PhotoProblemKind.DARK, region=Region.TOP_LEFT),),
    counted=22,
    scope=2,
)


def test_a_hand_laid_out_to_be_mended_leaves_a_guess_a_guess() -> None:
    waiting = Pile(detected=(seen("7d"), seen("6s", doubtful=True, others=("7s",))))
    assert waiting.holding(waiting.codes) == waiting
    mended = waiting.holding(["6s", "1c"])
    assert mended.certain == {"1c"}
    assert mended.asked_codes == {"6s"}


@pytest.mark.parametrize("draft", [Pile(), FULL], ids=["empty", "full"])
def test_a_draft_survives_the_way_through_json(draft: Pile) -> None:
    assert Pile.from_dict(draft.to_dict()) == draft


def test_face_down_and_foreign_cards_count_for_nobody() -> None:
    draft = Pile(detected=(seen("back"), seen("x"), seen("7d")))
    assert draft.codes == {"7d"}
    assert (draft.count("back"), draft.count("x")) == (1, 1)


def test_what_cannot_be_read_is_told_apart_from_a_foreign_card_and_counts_once_named() -> None:
    draft = Pile(detected=(seen("x"), seen("x", doubtful=True, others=("6s", "7s")), seen("7d")))
    assert (draft.count("x"), draft.unread, draft.questions) == (1, 1, ())
    assert draft.codes == {"7d"}
    named = draft.answered(1, "6s")
    assert named.codes == {"7d", "6s"}
    assert named.unread == 0


def test_a_doubtful_card_is_a_question_until_somebody_answers() -> None:
    draft = Pile(detected=(seen("6s", doubtful=True, others=("7s",)),))
    assert draft.questions == (0,)
    assert draft.asked_codes == {"6s"}
    answered = draft.answered(0, "7s")
    assert answered.questions == ()
    assert answered.codes == {"7s"}
    assert draft.answered(0, NOT_A_CARD).codes == frozenset()


def test_a_card_put_in_by_hand_is_the_doubtful_one_that_it_may_be() -> None:
    draft = Pile(detected=(seen("7d", doubtful=True, others=("4d",)),)).put("4d")
    assert draft.codes == {"4d"}
    assert draft.questions == ()


@pytest.mark.parametrize(
    ("piles", "after"),
    [
        ((Pile(), Pile()), ({"7d"}, set())),
        ((Pile(by_hand=("7d",)), Pile()), (set(), set())),
        ((Pile(), Pile(by_hand=("7d",))), ({"7d"}, set())),
        ((Pile(detected=(seen("7d"),)), Pile()), (set(), set())),
        ((Pile(detected=(seen("7d", doubtful=True),)), Pile()), ({"7d"}, set())),
    ],
    ids=["comes in", "goes out", "moves over", "seen goes out", "question is answered yes"],
)
def test_a_tap_on_a_card(piles: tuple[Pile, ...], after: tuple[set[str], ...]) -> None:
    changed = tapped(piles, 0, code="7d")
    assert tuple(set(draft.codes) for draft in changed) == after
    assert not any(draft.questions for draft in changed)


def test_a_card_taken_out_and_put_back_is_the_one_on_the_photo() -> None:
    draft = Pile(detected=(seen("7d"),)).take("7d").put("7d")
    assert draft.by_hand == ()
    assert draft.codes == {"7d"}


def test_putting_a_card_in_never_undoes_an_answer_about_another() -> None:
    draft = Pile(detected=(seen("6s", doubtful=True),)).answered(0, "7s").put("6s")
    assert draft.codes == {"6s", "7s"}


def test_missing_and_doubled_cards_are_named() -> None:
    piles = (Pile(by_hand=ANNA), Pile(by_hand=(*BRUNO[1:], "7d")))
    assert missing(piles) == (BRUNO[0],)
    assert duplicated(piles) == ("7d",)


def test_the_rest_follows_what_the_other_pile_becomes() -> None:
    asked = Pile(by_hand=ANNA[1:], detected=(seen(ANNA[0], doubtful=True, others=("7s",)),))
    piles = with_rest((asked, Pile()), 1)
    assert piles[1].codes == set(BRUNO)
    piles = with_rest_updated((piles[0].answered(0, "7s"), piles[1]))
    assert "7s" not in piles[1].codes
    assert ANNA[0] in piles[1].codes
    assert not missing(piles)


def test_taking_a_card_out_of_the_rest_keeps_it_out() -> None:
    piles = tapped(with_rest((Pile(by_hand=ANNA), Pile()), 1), 1, code=BRUNO[0])
    assert missing(with_rest_updated(piles)) == (BRUNO[0],)


def test_a_reading_brings_cards_and_advice_but_not_what_the_screen_says_itself() -> None:
    found = CardReading("7d", Status.DOUBTFUL, 0.6, ((10, 10), (20, 10), (20, 30), (10, 30)), {})
    problems = (Problem(PhotoProblemKind.DARK), Problem(PhotoProblemKind.FACE_DOWN))
    draft = Pile(by_hand=("1c",)).add(Reading("a.jpg", (100, 50), (found,), problems), 7)
    assert draft.photos == (7,)
    assert draft.faults == (Fault(photo=7, kind=PhotoProblemKind.DARK),)
    assert draft.detected[0].corners[2] == (0.2, 0.6)
    assert draft.codes == {"7d", "1c"}
    assert draft.without_photo(7).codes == {"1c"}
    assert draft.without_photo(7).faults == ()


def test_the_piles_of_a_confirmed_hand_come_back_with_their_photos() -> None:
    draft = FULL.holding(["7d", "9b"])
    assert draft.codes == {"7d", "9b"}
    assert draft.photos == (1, 2)
    assert draft.questions == ()


NAMES = ("Anna", "Bruno")


def asked(piles: Sequence[Pile], *, rules: Rules | None = None) -> OpenQuestions:
    return open_questions(piles, rules or Rules())


def uncounted(piles: Sequence[Pile]) -> int | None:
    open_now = asked(piles)
    assert isinstance(open_now.next_step, CountPile) == (open_now.uncounted is not None)
    return open_now.uncounted


def test_a_doubt_that_changes_no_point_need_not_be_answered() -> None:
    anna = Pile(
        by_hand=tuple(code for code in ANNA if code != "8c"),
        detected=(seen("8c", doubtful=True, others=("9s",)),),
    )
    assert not asked(with_rest((anna, Pile()), 1)).doubts


def test_a_doubt_about_the_settebello_is_asked() -> None:
    anna = Pile(
        by_hand=tuple(code for code in ANNA if code != "7d"),
        detected=(seen("7d", doubtful=True, others=("6d",)),),
    )
    assert asked(with_rest((anna, Pile()), 1)).doubts == (CardRef(0, 0),)


def test_beside_a_rest_a_doubt_whether_it_is_a_card_at_all_is_asked() -> None:
    anna = Pile(
        by_hand=tuple(code for code in ANNA if code != "8c"),
        detected=(seen("8c", doubtful=True, others=("x",)),),
    )
    assert asked(with_rest((anna, Pile()), 1)).doubts == (CardRef(0, 0),)


def counted(number: int | None) -> tuple[Pile, ...]:
    """A pile that was photographed, and the rest, counted or not."""
    anna, bruno = with_rest((Pile(photos=(1,), by_hand=ANNA), Pile()), 1)
    return anna, replace(bruno, counted=number)


@pytest.mark.parametrize(
    ("number", "asks"), [(None, 1), (len(BRUNO), None), (len(BRUNO) - 1, 1), (len(BRUNO) + 1, 1)]
)
def test_what_photos_leave_must_be_counted(number: int | None, asks: int | None) -> None:
    assert uncounted(counted(number)) == asks


def test_a_count_holds_for_as_many_cards_only() -> None:
    piles = with_rest_updated(tapped(counted(len(BRUNO)), 0, code=BRUNO[0]))
    assert uncounted(piles) == 1
    assert uncounted(with_rest_updated(tapped(counted(len(BRUNO) - 1), 0, code=BRUNO[0]))) is None


@pytest.mark.parametrize(
    "piles",
    [
        with_rest((Pile(photos=(1,), by_hand=ANNA), Pile(photos=(2,), by_hand=BRUNO[2:])), 1),
        (Pile(photos=(1,), by_hand=ANNA), Pile(by_hand=BRUNO)),
    ],
    ids=["both on photos", "no rest"],
)
def test_piles_that_somebody_saw_need_no_count(piles: tuple[Pile, ...]) -> None:
    assert uncounted(piles) is None


RICH = tuple(code for code in CODES if code[-1] in "dc" or code in ("1s", "2s", "3s", "1b"))
"""A pile whose every point stands with two cards less."""
POOR = tuple(code for code in CODES if code not in RICH)


@pytest.mark.parametrize(
    ("lost", "told"),
    [(("8b",), ()), (("8b", "9s"), ()), (("8b", "7b"), ()), (("7d", "8b"), ("7d",))],
    ids=["a face", "two faces", "a seven of the poorer prime", "the settebello"],
)
def test_only_lost_cards_that_could_change_a_point_are_asked(
    lost: tuple[str, ...], told: tuple[str, ...]
) -> None:
    piles = tuple(
        Pile(by_hand=tuple(code for code in pile if code not in lost)) for pile in (RICH, POOR)
    )
    assert asked(piles).missing == told
    assert not asked(piles).doubts


def test_a_doubt_is_asked_before_lost_cards_settle_it() -> None:
    lost = {"4d", "5d", "8b", "9b"}
    anna = Pile(by_hand=tuple(code for code in RICH if code not in lost | {"7d"}))
    bruno = Pile(
        by_hand=tuple(code for code in POOR if code not in lost),
        detected=(seen("7d", doubtful=True, others=("4d", "5d")),),
    )
    assert CardRef(1, 0) in asked((anna, bruno)).doubts


def test_with_many_lost_cards_the_doubts_that_may_be_one_are_asked_first() -> None:
    few = POOR[: -MAX_UNNAMED - 2]
    may_be_lost = seen(POOR[-1], doubtful=True, others=(POOR[-2],))
    piles = (Pile(by_hand=RICH), Pile(by_hand=few, detected=(may_be_lost,)))
    assert asked(piles).doubts == (CardRef(1, 0),)
    assert asked(piles).missing == missing(piles)


def test_many_lost_cards_that_could_change_no_point_are_not_asked() -> None:
    piles = (Pile(by_hand=RICH), Pile(by_hand=POOR[: -MAX_UNNAMED - 2]))
    assert isinstance(asked(piles, rules=Rules(carte=0)).next_step, NothingLeft)


@pytest.mark.parametrize(
    ("others", "places"),
    [(("9b",), set()), (("9b", "8b"), {(1, 0), (1, 1)})],
    ids=["they share out two cards", "one may be the lost card"],
)
def test_doubts_are_asked_where_they_may_be_a_lost_card_or_another_then_may(
    others: tuple[str, ...], places: set[tuple[int, int]]
) -> None:
    pair = (seen("9b", doubtful=True, others=("10b",)), seen("10b", doubtful=True, others=others))
    sure = tuple(code for code in POOR if code not in ("8b", "9b", "10b"))
    piles = (
        Pile(by_hand=tuple(code for code in RICH if code != "7d")),
        Pile(by_hand=sure, detected=pair),
    )
    told = asked(piles)
    assert set(told.doubts) == places
    assert "7d" in told.missing


def test_of_doubts_that_contradict_the_sure_cards_only_those_are_asked() -> None:
    impossible = seen(RICH[1], doubtful=True, others=(RICH[2],))
    fine = tuple(seen(code, doubtful=True, others=(RICH[0],)) for code in ("9b", "10b"))
    sure = tuple(code for code in POOR if code not in ("9b", "10b"))
    piles = (Pile(by_hand=RICH), Pile(by_hand=sure, detected=(impossible, *fine)))
    assert asked(piles).doubts == (CardRef(1, 0),)


def test_a_doubt_read_as_a_card_that_lies_elsewhere_is_asked() -> None:
    here = Pile(by_hand=POOR[1:], detected=(seen(POOR[1], doubtful=True, others=(POOR[0],)),))
    assert CardRef(1, 0) in asked((Pile(by_hand=RICH), here)).doubts


@st.composite
def doubtful_hands(draw: st.DrawFn) -> tuple[tuple[Pile, ...], tuple[frozenset[str], ...]]:
    """What the camera made of a hand, and what truly lay there."""
    order = draw(st.permutations(CODES))
    cut = draw(st.integers(12, 28))
    truth = (frozenset(order[:cut]), frozenset(order[cut:]))
    odd = draw(st.lists(st.sampled_from(order), unique=True, max_size=5))
    lost = frozenset(odd[: draw(st.integers(0, 2))])
    doubted = tuple(code for code in odd if code not in lost)
    piles = []
    for pile in truth:
        questions = []
        for code in sorted(pile & set(doubted)):
            others = draw(st.lists(st.sampled_from([*odd, "x"]), unique=True, max_size=2))
            offered = draw(st.permutations(list(dict.fromkeys((code, *others)))))
            guess, *rest = sorted(offered, key=lambda one: one == "x")
            questions.append(seen(guess, doubtful=True, others=tuple(rest)))
        sure = tuple(sorted(pile - set(doubted) - lost))
        piles.append(Pile(by_hand=sure, detected=tuple(questions)))
    return tuple(piles), truth


@pytest.mark.parametrize("told", [tuple, deduced], ids=["as read", "deduced"])
@given(hand=doubtful_hands())
def test_where_nothing_is_asked_the_points_are_those_of_the_true_piles(
    hand: tuple[tuple[Pile, ...], tuple[frozenset[str], ...]],
    told: Callable[[tuple[Pile, ...]], tuple[Pile, ...]],
) -> None:
    piles, truth = told(hand[0]), hand[1]
    open_now = asked(piles)
    settled = isinstance(open_now.next_step, NothingLeft)
    event(f"settled: {settled}")
    if settled:
        shown, true = (
            score_hand(
                [Side(name, tuple(map(Card.from_code, codes))) for name, codes in held], Rules()
            )
            for held in (
                zip(NAMES, (draft.codes for draft in piles), strict=True),
                zip(NAMES, truth, strict=True),
            )
        )
        assert shown.points == true.points


def test_knights_in_doubt_are_asked_where_they_double_scope_that_were_made() -> None:
    knights = ("9d", "9c", "9s")
    anna = Pile(
        by_hand=tuple({*RICH, *knights} - {"9b"}),
        detected=(seen("9b", doubtful=True, others=("2b",)),),
    )
    bruno = Pile(by_hand=tuple(code for code in POOR if code not in {*knights, "9b", "2b"}))
    piles, rules = with_rest((anna, bruno), 1), Rules(ponino=True, carte=0, primiera=0)
    assert not open_questions(piles, rules, scope=(0, 0)).doubts
    assert open_questions(piles, rules, scope=(2, 0)).doubts == (CardRef(0, 0),)


@pytest.mark.parametrize("cards", [2, 12])
def test_missing_cards_of_tapped_piles_are_asked_about_once_few_are_left(cards: int) -> None:
    piles = (Pile(by_hand=RICH), Pile(by_hand=POOR[: len(POOR) - cards]))
    assert asked(piles, rules=Rules(carte_needed=21)).is_tapping is (cards == 12)
