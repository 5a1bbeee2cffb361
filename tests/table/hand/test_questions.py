"""What a hand asks: only what can change a point, and not while a pending pile may settle it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from scoring.cards import CODES, Card
from scoring.hand import Side, score_hand
from scoring.presets import PRESETS
from scoring.rules import Rules
from table.hand.pile import FAULTS, CardRef, Fault, Pile, PileCard
from table.hand.piles import (
    Piles,
    deduced,
    summarise,
    tapped,
    updated,
    with_rest,
    with_rest_updated,
)
from table.hand.questions import (
    MAX_UNNAMED,
    AnswerDoubts,
    AwaitPhotos,
    CountPile,
    KeepTapping,
    NothingLeft,
    PlaceMissing,
    SettleRepeat,
    ShowMore,
    ShowPiles,
    open_questions,
    rest_number,
)
from vision.reading import PhotoProblemKind

ANNA = tuple(code for code in CODES if code[-1] in "dc" and code != "7d")
BRUNO = tuple(code for code in CODES if code[-1] in "sb")
RICH = tuple(code for code in CODES if code[-1] in "dc" or code in ("1s", "2s", "3s", "1b"))
"""A pile whose every point is settled with two cards less."""
POOR = tuple(code for code in CODES if code not in RICH)


def doubt(guess: str, *others: str, x: float = 0.1) -> PileCard:
    return PileCard(
        photo=1, guess=guess, doubtful=True, corners=((x, 0.1),) * 4, alternatives=others
    )


def pile(codes: Sequence[str], *doubts: PileCard, without: Sequence[str] = ()) -> Pile:
    """Return a pile on a photo: certain cards and doubtful ones."""
    return Pile(
        by_hand=tuple(code for code in codes if code not in without), detected=doubts, photos=(1,)
    )


# What waits

ANNAS = pile(ANNA, doubt("7d", "7s"))
DOUBT = CardRef(0, 0)
WITHOUT_7S = pile(BRUNO, without=("7s",))


@pytest.mark.parametrize(
    ("piles", "how", "step"),
    [
        ((ANNAS, Pile()), {}, ShowPiles((1,))),
        ((ANNAS, Pile(), pile(BRUNO[:10])), {}, ShowPiles((1,))),
        ((ANNAS, WITHOUT_7S), {}, AnswerDoubts((DOUBT,))),
        ((ANNAS, WITHOUT_7S), {"reading": [0, 0]}, AwaitPhotos((0,))),
        ((ANNAS, WITHOUT_7S), {"reading": [1, 1]}, AwaitPhotos((1,))),
        ((pile(ANNA), pile(BRUNO)), {"reading": [1]}, AwaitPhotos((1,))),
        ((pile((*ANNA, "7d")), pile(BRUNO)), {"reading": [1]}, NothingLeft()),
        (with_rest((ANNAS, Pile()), 1), {}, AnswerDoubts((DOUBT,))),
    ],
    ids=[
        "a pile is out",
        "one of three is out",
        "all are in",
        "its own photo is read",
        "the other's photo is read",
        "a missing card may be on the photo",
        "nothing is open",
        "the pile out is the rest",
    ],
)
def test_questions_wait_while_a_pending_pile_may_settle_them(
    piles: Piles, how: dict[str, object], step: object
) -> None:
    now = open_questions(summarise(updated(piles)), PRESETS["silver-lake"], **how)  # type: ignore[arg-type]
    assert now.next_step == step
    waits = isinstance(step, ShowPiles | AwaitPhotos) and ANNAS in piles
    assert (now.deferred, now.doubts) == (
        ((DOUBT,), ()) if waits else ((), (DOUBT,) if isinstance(step, AnswerDoubts) else ())
    )


def test_a_doubt_is_settled_by_the_pile_that_comes_in() -> None:
    piles = updated((ANNAS, pile(BRUNO)))
    assert piles[0].codes == {*ANNA, "7d"}
    assert open_questions(summarise(piles), Rules()).next_step == NothingLeft()


# What is asked


@pytest.mark.parametrize(
    ("piles", "doubts"),
    [
        (with_rest((pile(RICH, doubt("8c", "9s"), without=["8c"]), Pile()), 1), ()),
        (with_rest((pile(RICH, doubt("7d", "6b"), without=["7d"]), Pile()), 1), ((0, 0),)),
        (with_rest((pile(RICH, doubt("8c", "x"), without=["8c"]), Pile()), 1), ((0, 0),)),
        ((pile(RICH), pile(POOR[: -MAX_UNNAMED - 2], doubt(POOR[-1], POOR[-2]))), ((1, 0),)),
        (
            (
                pile(RICH, without=["7d"]),
                pile(POOR, doubt("9b", "10b"), doubt("10b", "9b"), without=["8b", "9b", "10b"]),
            ),
            (),
        ),
        (
            (
                pile(RICH, without=["7d"]),
                pile(
                    POOR, doubt("9b", "10b"), doubt("10b", "9b", "8b"), without=["8b", "9b", "10b"]
                ),
            ),
            ((1, 0), (1, 1)),
        ),
        (
            (
                pile(RICH),
                pile(
                    POOR,
                    doubt(RICH[1], RICH[2]),
                    doubt("9b", RICH[0]),
                    doubt("10b", RICH[0]),
                    without=["9b", "10b"],
                ),
            ),
            ((1, 0),),
        ),
        ((pile(RICH), pile(POOR[1:], doubt(POOR[1], POOR[0]))), ((1, 0),)),
        (
            (
                pile(RICH, without=["4d", "5d", "7d"]),
                pile(POOR, doubt("7d", "4d", "5d"), without=["8b", "9b"]),
            ),
            ((1, 0),),
        ),
    ],
    ids=[
        "changes no point",
        "the settebello",
        "may be no card beside a rest",
        "may be one of many lost cards",
        "they share two cards",
        "one may be the lost card and another then",
        "contradicts the certain cards",
        "read as a card that lies elsewhere",
        "before the lost cards settle it",
    ],
)
def test_a_doubt_is_asked_where_it_can_change_a_point(
    piles: Piles, doubts: tuple[tuple[int, int], ...]
) -> None:
    assert set(open_questions(summarise(piles), Rules()).doubts) == set(doubts)


@pytest.mark.parametrize(
    ("lost", "asked"),
    [(("8b",), ()), (("8b", "9s"), ()), (("8b", "7b"), ()), (("7d", "8b"), ("7d",))],
    ids=["a face", "two faces", "a seven of the poorer prime", "the settebello"],
)
def test_only_lost_cards_that_could_change_a_point_are_asked(
    lost: tuple[str, ...], asked: tuple[str, ...]
) -> None:
    now = open_questions(summarise((pile(RICH, without=lost), pile(POOR, without=lost))), Rules())
    assert (now.missing, now.doubts) == (asked, ())


def test_lost_cards_come_after_doubts_if_they_change_a_point() -> None:
    few = POOR[: -MAX_UNNAMED - 2]
    piles = (pile(RICH), pile(few, doubt(POOR[-1], POOR[-2])))
    assert open_questions(summarise(piles), Rules()).missing == summarise(piles).missing
    now = open_questions(summarise((pile(RICH), pile(few))), Rules(carte=0))
    assert now.next_step == NothingLeft()


def test_doubtful_knights_are_asked_where_they_double_scope() -> None:
    knights = ("9d", "9c", "9s")
    anna = pile((*RICH, "9s"), doubt("9b", "2b"))
    bruno = Pile(by_hand=tuple(code for code in POOR if code not in {*knights, "9b", "2b"}))
    piles, rules = with_rest((anna, bruno), 1), Rules(ponino=True, carte=0, primiera=0)
    assert not open_questions(summarise(piles), rules, scope=(0, 0)).doubts
    assert open_questions(summarise(piles), rules, scope=(2, 0)).doubts == (DOUBT,)


@pytest.mark.parametrize("cards", [3, 4, 12])
def test_tapped_piles_ask_about_the_last_few_missing_cards(cards: int) -> None:
    missing = POOR[:cards]
    piles = (Pile(by_hand=RICH), Pile(by_hand=POOR[cards:]))
    now = open_questions(summarise(piles), Rules(primiera=0, carte_needed=len(RICH) + 1))
    assert now.next_step == (PlaceMissing(missing) if cards == 3 else KeepTapping(missing))


@pytest.mark.parametrize("cards", [3, 4, 12])
def test_many_missing_cards_lead_to_the_smallest_pile(cards: int) -> None:
    missing = POOR[:cards]
    piles = (pile(RICH), pile(POOR[cards:]))
    now = open_questions(summarise(piles), Rules(primiera=0, carte_needed=len(RICH) + 1))
    assert now.next_step == (PlaceMissing(missing) if cards == 3 else ShowMore(1, missing))


def test_the_camera_comes_before_doubts_and_a_count_of_the_rest() -> None:
    short = (pile(RICH, doubt("7d", "7s"), without=["7d"]), pile(POOR[5:]))
    assert isinstance(open_questions(summarise(short), Rules()).next_step, ShowMore)
    anna, bruno = with_rest((pile(RICH), Pile()), 1)
    refused = replace(bruno, rest=POOR[5:], refused=POOR[:5])
    now = open_questions(summarise((anna, refused)), Rules(carte_needed=len(RICH) + 1))
    assert now.next_step == ShowMore(0, POOR[:5]), "the rest is on no photo"


def seen(codes: Sequence[str], photo: int) -> Pile:
    cards = (PileCard(photo=photo, guess=code, doubtful=False, corners=()) for code in codes)
    return Pile(photos=(photo,), detected=tuple(cards))


def test_same_pile_twice_is_asked_before_short_piles() -> None:
    twice = (seen(RICH, 1), seen(RICH, 2))
    repeat = SettleRepeat(side=1, photos=(2,), other=0, other_photos=(1,), count=len(RICH))

    def step(*piles: Pile, reading: Sequence[int] = ()) -> object:
        return open_questions(summarise(piles), Rules(), reading=reading).next_step

    assert step(*twice, Pile()) == ShowPiles((2,))
    assert step(*twice, Pile(), reading=[2]) == AwaitPhotos((2,))
    assert step(*twice) == step(*twice, seen(POOR, 3)) == repeat


def test_a_pile_of_two_photos_shown_twice_is_one_question() -> None:
    def two(first: int, second: int) -> Pile:
        return seen(RICH[:8], first).with_photos(seen(RICH[8:], second))

    repeat = open_questions(summarise((two(1, 2), two(3, 4))), Rules()).next_step
    assert repeat == SettleRepeat(1, (4, 3), 0, (2, 1), len(RICH))


def test_two_boxes_of_one_card_are_asked_about_whatever_the_points() -> None:
    rules = Rules(primiera=0, carte=0, denari=0, settebello=0)
    anna = seen(RICH, 1)
    poor = seen(POOR, 2).answered(0, POOR[1])
    assert open_questions(summarise((anna, poor)), rules).next_step == AnswerDoubts(
        (CardRef(1, 1),)
    )
    assert number_of_rest(poor, Pile()) is None


# A pile that has what the others leave


def uncounted(piles: Sequence[Pile]) -> int | None:
    now = open_questions(summarise(piles), Rules())
    assert isinstance(now.next_step, CountPile) == (now.uncounted is not None)
    return now.uncounted


def test_rest_must_be_counted_and_the_count_expires() -> None:
    anna, bruno = with_rest((pile(RICH), Pile()), 1)

    def counted(number: int | None) -> Piles:
        return (anna, replace(bruno, counted=number))

    right = len(POOR)
    asked = {number: uncounted(counted(number)) for number in (None, right, right - 1, right + 1)}
    assert asked == {None: 1, right: None, right - 1: 1, right + 1: 1}
    for number, asks in ((right, 1), (right - 1, None)):
        fewer = with_rest_updated(tapped(counted(number), 0, code=POOR[0]))
        assert uncounted(fewer) == asks
    assert uncounted(with_rest((pile(RICH), pile(POOR[2:])), 1)) is None, "both are on photos"
    assert uncounted((pile(RICH), Pile(by_hand=POOR))) is None, "it is no rest"


def in_light(codes: Sequence[str], kind: PhotoProblemKind | None = None) -> Pile:
    """Return a pile on a photo with this problem."""
    faults = () if kind is None else (Fault(photo=1, kind=kind),)
    return replace(seen(codes, 1), faults=faults)


def number_of_rest(*piles: Pile) -> int | None:
    return rest_number(summarise(piles), Rules(), (0,) * len(piles))


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_the_rest_of_a_photo_in_bad_light_must_be_counted(kind: PhotoProblemKind) -> None:
    is_hiding = kind.value in {"striped", "tinted", "blurred", "washed-out"}
    anna = in_light(RICH[:15], kind)
    assert number_of_rest(anna, Pile()) == (None if is_hiding else 25)
    assert number_of_rest(anna, in_light(RICH[15:]), Pile()) == (None if is_hiding else len(POOR))
    assert number_of_rest(in_light(RICH, kind), Pile()) == len(POOR), "Anna has every point"


def test_cards_hidden_by_bad_light_are_missing() -> None:
    striped = PhotoProblemKind.STRIPED

    def step(*piles: Sequence[str]) -> object:
        lit = [in_light(codes, striped) for codes in piles]
        return open_questions(summarise(lit), Rules()).next_step

    assert step(ANNA, BRUNO) == PlaceMissing(("7d",))
    assert step(RICH, POOR) == NothingLeft(), "forty cards, none twice"
    without = [code for code in RICH if code != "2c"]
    assert step(without, POOR) == NothingLeft(), "it changes no point"


@st.composite
def doubtful_hands(draw: st.DrawFn) -> tuple[Piles, tuple[frozenset[str], ...]]:
    """Return what the camera made of a hand, and what truly lay there."""
    order = draw(st.permutations(CODES))
    cut = draw(st.integers(12, 28))
    truth = (frozenset(order[:cut]), frozenset(order[cut:]))
    odd = draw(st.lists(st.sampled_from(order), unique=True, max_size=5))
    lost = frozenset(odd[: draw(st.integers(0, 2))])
    doubted = {code for code in odd if code not in lost}
    piles = []
    for codes in truth:
        questions = []
        for code in sorted(codes & doubted):
            others = draw(st.lists(st.sampled_from([*odd, "x"]), unique=True, max_size=2))
            offered = draw(st.permutations(list(dict.fromkeys((code, *others)))))
            questions.append(doubt(*sorted(offered, key=lambda one: one == "x")))
        certain = tuple(sorted(codes - doubted - lost))
        piles.append(Pile(by_hand=certain, detected=tuple(questions)))
    return tuple(piles), truth


@pytest.mark.parametrize("made", [tuple, deduced], ids=["as read", "deduced"])
@given(hand=doubtful_hands())
def test_unasked_hands_have_the_true_points(
    hand: tuple[Piles, tuple[frozenset[str], ...]], made: Callable[[Piles], Piles]
) -> None:
    piles, truth = made(hand[0]), hand[1]
    settled = open_questions(summarise(piles), Rules()).next_step == NothingLeft()
    event(f"settled: {settled}")
    if settled:
        shown, true = (
            score_hand(
                [Side(name, tuple(map(Card.from_code, codes))) for name, codes in held], Rules()
            ).points
            for held in (
                zip("ab", (pile.codes for pile in piles), strict=True),
                zip("ab", truth, strict=True),
            )
        )
        assert shown == true
