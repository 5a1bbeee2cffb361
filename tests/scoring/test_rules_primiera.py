"""Clauses 3.6 to 3.10, 3.12 and 3.13 of docs/rules.md: every form of the primiera."""

import pytest
from hand_scoring import cards, line, only, scored, won

from scoring.rules import Faces, MissingSuit, PrimieraForm, Rules

PRIME_CASES = [
    (("", ""), None, "primiera: Anna without a card, Bruno without a card, nobody's point"),
    (
        ("7c 7d 6b 1s 2s", "6d 7s 1c 2b"),
        0,
        "primiera: 7d 7c 6b 1s = 76 against 67",
    ),
    (
        ("5d 4c 3s 2b", "4d 3c 2s 10b"),
        0,
        "primiera: 5d 4c 3s 2b = 54 against 49",
    ),
]


@pytest.mark.parametrize(
    ("piles", "winner", "why"), PRIME_CASES, ids=["empty", "seventy-six", "low cards"]
)
def test_rule_3_6(piles: tuple[str, ...], winner: int | None, why: str) -> None:
    found = line(scored(*piles), "primiera")
    assert (found.winner, found.why) == (winner, why)


def test_every_rank_counts_its_own_in_the_prime() -> None:
    found = [
        line(scored(f"{rank}d 1c 1s 1b", ""), "primiera").figures[0] - 48 for rank in range(1, 11)
    ]
    assert found == [16, 12, 13, 14, 15, 18, 21, 10, 10, 10]


@pytest.mark.parametrize(
    ("faces", "counts"),
    [(Faces.TEN, [10, 10, 10]), (Faces.ZERO, [0, 0, 0]), (Faces.DESCENDING, [8, 9, 10])],
    ids=str,
)
def test_rule_3_7(faces: Faces, counts: list[int]) -> None:
    rules = Rules(faces=faces)
    found = [
        line(scored(f"{rank}d 1c 1s 1b", "", rules=rules), "primiera").figures[0] - 48
        for rank in (8, 9, 10)
    ]
    assert found == counts
    both = line(scored("8d 9d 1c 1s 1b", "", rules=rules), "primiera")
    assert both.figures[0] == 48 + max(counts[:2])


def test_rule_3_8() -> None:
    three_sevens = ("7d 7c 7s", "7b 1d 1c 1s")
    expected = "primiera: 7b 1d 1c 1s = 69 against Anna, who lacks bastoni"
    assert won(scored(*three_sevens), "primiera") == (1, 1, expected)
    nobody = scored("7d 7c 7s", "7b 1d")
    assert won(nobody, "primiera") == (
        None,
        0,
        "primiera: Anna lacks bastoni, Bruno lacks coppe and spade, nobody's point",
    )
    for pile in ("7c 7s 7b", "7d 7s 7b", "7d 7c 7b"):
        assert won(scored(pile, ""), "primiera")[0] is None
    faces = Rules(faces=Faces.ZERO)
    assert won(scored("8d 8c 8s 8b", "7d 7c 7s", rules=faces), "primiera")[:2] == (0, 1)


def test_rule_3_9() -> None:
    rules = Rules(missing_suit=MissingSuit.ADDS_NOTHING)
    assert won(scored("7d 7c 7s", "7b 1d 1c 1s", rules=rules), "primiera") == (
        1,
        1,
        "primiera: 7b 1d 1c 1s = 69 against 63",
    )
    assert won(scored("7d 7c 7s", "2d 2c 2s 2b", rules=rules), "primiera")[0] == 0
    assert won(scored("7d", "", rules=rules), "primiera") == (
        0,
        1,
        "primiera: 7d = 21 against Bruno without a card",
    )
    zero = rules.changed(faces=Faces.ZERO)
    assert won(scored("8d 8c 8s 8b", "", rules=zero), "primiera")[2] == (
        "primiera: Anna 8d 8c 8s 8b = 0, Bruno without a card, nobody's point"
    )
    assert won(scored("1d", "8d 8c 8s 8b", rules=zero), "primiera")[2] == (
        "primiera: 1d = 16 against 0"
    )


@pytest.mark.parametrize(
    ("piles", "winner"),
    [(("", ""), None), (("7d 7c 7s", "2d 2c 2s 2b"), 1), (("7d 7c 7s", "7b 6d 6c"), 0)],
    ids=["empty", "complete wins", "among themselves"],
)
def test_rule_3_10(piles: tuple[str, ...], winner: int | None) -> None:
    rules = Rules(missing_suit=MissingSuit.LOSES)
    assert line(scored(*piles, rules=rules), "primiera").winner == winner


CASCADE = [
    (("", ""), None, "primiera: sevens: Anna 0, Bruno 0, a tie, nobody's point"),
    (("7d", "6d 6c"), 0, "primiera: sevens: Anna 1, Bruno 0"),
    (("7d 6c", "7c 1c 1d"), 0, "primiera: sixes: Anna 1, Bruno 0"),
    (("1d 1c", "1s 5d"), 0, "primiera: aces: Anna 2, Bruno 1"),
    (("5d", "4d 4c"), 0, "primiera: fives: Anna 1, Bruno 0"),
    (("4d", "3d 3c"), 0, "primiera: fours: Anna 1, Bruno 0"),
    (("3d", "2d 2c"), 0, "primiera: threes: Anna 1, Bruno 0"),
    (("2d", "10d 10c"), 0, "primiera: twos: Anna 1, Bruno 0"),
    (("8d 10c", "10d"), 0, "primiera: faces: Anna 2, Bruno 1"),
    (("7d 7c", "7s 6d", "7b 6c 6s"), 0, "primiera: sevens: Anna 2, Bruno 1, Carla 1"),
    (("7d", "7s 6d", "7b 6c 6s"), 2, "primiera: sixes: Anna 0, Bruno 1, Carla 2"),
    (("7d 1c", "7s 1s 5d", "6c 6s"), 1, "primiera: fives: Anna 0, Bruno 1, Carla 0"),
]


@pytest.mark.parametrize(
    ("piles", "winner", "why"), CASCADE, ids=[str(case[0]) for case in CASCADE]
)
def test_rule_3_12(piles: tuple[str, ...], winner: int | None, why: str) -> None:
    found = line(scored(*piles, rules=only(primiera=1, primiera_form="sevens")), "primiera")
    assert (found.winner, found.why) == (winner, why)
    counts = tuple(sum(c.rank == 7 for c in cards(pile)) for pile in piles)
    assert found.figures == counts
    assert [set(held) for held in found.cards] == [set(cards(pile)) for pile in piles]


@pytest.mark.parametrize(
    ("piles", "winner"),
    [
        (("", ""), None),
        (("7d 7c", "7s 7b"), None),
        (("7d 7c", "7s"), None),
        (("7d 7c 7s", "7b"), 0),
    ],
    ids=["none", "two each", "two and one", "three"],
)
def test_rule_3_13(piles: tuple[str, ...], winner: int | None) -> None:
    beside = scored(*piles, rules=only(settanta=2))
    instead = scored(*piles, rules=only(primiera=1, primiera_form=PrimieraForm.SETTANTA))
    assert line(beside, "settanta").winner == line(instead, "primiera").winner == winner
    assert line(beside, "settanta").amount == (0 if winner is None else 2)
