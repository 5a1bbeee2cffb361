"""Everything wrong with piles, all at once."""

import pytest

from scoring.cards import DECK, Card
from scoring.piles import ProblemKind, check_piles
from scoring.rules import PRESETS, Rules
from scoring.rules.choices import Aces, Captures


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


def without(codes: str) -> tuple[Card, ...]:
    return tuple(card for card in DECK if card not in cards(codes))


def kinds(*piles: tuple[Card, ...], scope: tuple[int, ...] = ()) -> list[str]:
    return [problem.kind.value for problem in check_piles(piles, scope)]


def test_no_piles_at_all_miss_forty_cards() -> None:
    problems = check_piles([])
    assert [problem.cards for problem in problems] == [(card,) for card in DECK]
    assert {problem.kind for problem in problems} == {ProblemKind.MISSING}


def test_a_whole_deck_has_no_problem() -> None:
    assert check_piles([DECK[:20], DECK[20:]], [10, 3]) == ()
    assert check_piles([DECK, ()]) == ()


def test_every_problem_is_listed_at_once_with_names() -> None:
    anna, bruno = (*DECK[:20], DECK[30]), (*DECK[21:39], DECK[22])
    problems = check_piles([anna, bruno], [11, 1], names=("Anna", "Bruno"))
    assert [p.cards for p in problems] == [*map(cards, ("3s", "1b", "1s", "10b")), ()]
    assert [(p.kind.value, p.sides, p.message, p.blocks) for p in problems] == [
        ("duplicate", (1,), "3s is there 2 times (Bruno): keep it once", True),
        ("duplicate", (0, 1), "1b is there 2 times (Anna and Bruno): keep it once", True),
        ("missing", (), "1s is in no pile: add it to the pile it lies in", False),
        ("missing", (), "10b is in no pile: add it to the pile it lies in", False),
        ("impossible", (0,), "Anna has 11 scope, but 21 cards allow 10", False),
    ]


@pytest.mark.parametrize(
    ("piles", "scope", "expected"),
    [
        ((without("7d"), cards("7d")), (), ["impossible"]),
        ((without("7d"), cards("7d")), (0, 1), ["impossible", "impossible"]),
        ((DECK, ()), (0, 1), ["impossible"]),
        ((DECK, ()), (20, 0), []),
        ((DECK, ()), (21, 0), ["impossible"]),
    ],
    ids=["one card", "one card and scope", "scope and no card", "most", "too many"],
)
def test_what_no_play_can_bring_about(
    piles: tuple[tuple[Card, ...], ...], scope: tuple[int, ...], expected: list[str]
) -> None:
    assert kinds(*piles, scope=scope) == expected


@pytest.mark.parametrize(
    ("rules", "pile", "found"),
    [
        (Rules(), "7d 7c", False),
        (Rules(), "7d 6c", True),
        (PRESETS["escoba"], "7d 8c", False),
        (PRESETS["escoba"], "7d 7c", True),
        (Rules(aces=Aces.SWEEP), "7d 6c", False),
        (Rules(captures=Captures.VALUE_OR_FIFTEEN), "7d 6c", False),
    ],
    ids=["even", "odd", "fifteen", "not fifteen", "sweeping ace", "either"],
)
def test_sums_that_captures_cannot_make_are_told(rules: Rules, pile: str, *, found: bool) -> None:
    third = cards("10c 10s 10b")
    rest = without(f"{pile} 10c 10s 10b")
    problems = check_piles([cards(pile), rest, third], rules=rules)
    assert [problem.kind.value for problem in problems] == ["sum"] * found


def test_a_pile_that_no_play_makes_is_told_in_a_sentence() -> None:
    many, one = check_piles([without("7d"), cards("7d")], [20, 0])
    assert one.message == "side 2 has one card, but a capture makes two: look for the others"
    assert (one.cards, one.sides) == (cards("7d"), (1,))
    assert many.message == "side 1 has 20 scope, but 39 cards allow 19"
    assert (many.cards, many.sides) == ((), (0,))


def test_the_sentence_on_sums_names_them() -> None:
    (odd,) = check_piles([cards("7d 6c"), without("7d 6c")], names=("A", "B"), rules=Rules())
    assert odd.message == "values add up to A 13, B 207, but captures make them even: look again"
    assert (odd.cards, odd.sides, odd.blocks) == ((), (0, 1), False)
    (five,) = check_piles(
        [cards("7d 7c"), cards("1d 1c"), without("7d 7c 1d 1c")], rules=PRESETS["escoba"]
    )
    assert five.message.endswith("but captures make them all but one a multiple of 15: look again")


def test_sums_are_not_looked_at_before_the_piles_are_whole() -> None:
    assert [p.kind.value for p in check_piles([cards("7d 6c"), without("7d 6c 1d")], rules=Rules())
            ] == ["missing"]  # fmt: skip
    doubled = check_piles([cards("7d 6c"), DECK], rules=Rules())
    assert {problem.kind.value for problem in doubled} == {"duplicate"}
