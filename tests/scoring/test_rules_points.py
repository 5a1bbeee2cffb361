"""Clauses 3.x of docs/rules.md: the points of a hand."""

import pytest
from hand_scoring import NAMES, cards, line, only, scored, won

from scoring.cards import DECK
from scoring.errors import HandError
from scoring.hand import Line, Side, score_hand
from scoring.presets import PRESETS
from scoring.rules import Rules

COINS = "1d 2d 3d 4d 5d 6d 7d 8d 9d 10d"


@pytest.mark.parametrize(
    ("scope", "points"),
    [((0, 0), (0, 0)), ((1, 0), (1, 0)), ((2, 3), (2, 3))],
    ids=["none", "one", "both"],
)
def test_rule_3_1(scope: tuple[int, int], points: tuple[int, int]) -> None:
    score = scored("", "", rules=only(scopa=1), scope=scope)
    assert score.points == points
    assert scored("", "", rules=only(scopa=2), scope=(2, 1)).points == (4, 2)


def test_scope_lines_name_who_made_how_many() -> None:
    assert [line.why for line in scored("", "", scope=(2, 1)).lines[-2:]] == [
        "scope: Anna 2",
        "scope: Bruno 1",
    ]
    assert won(scored("", ""), "scope") == (None, 0, "scope: nobody made one")


@pytest.mark.parametrize(
    ("piles", "needed", "expected"),
    [
        (("", ""), 0, (None, 0, "carte: Anna 0, Bruno 0, nobody's point")),
        (("1c 2c", "3c"), 0, (0, 1, "carte: Anna 2, Bruno 1")),
        (("1c 2c", "3c"), 3, (None, 0, "carte: Anna 2, Bruno 1, nobody has the 3 needed")),
        (("1c", "2c", "3c 4c"), 0, (2, 1, "carte: Anna 1, Bruno 1, Carla 2")),
    ],
    ids=["empty", "most", "too few", "three"],
)
def test_rule_3_2(piles: tuple[str, ...], needed: int, expected: tuple[object, ...]) -> None:
    assert won(scored(*piles, rules=Rules(carte_needed=needed)), "carte") == expected


@pytest.mark.parametrize(
    ("piles", "needed", "expected"),
    [
        (("", "1c"), 0, (None, 0, "denari: Anna 0, Bruno 0, nobody's point")),
        (("1d 2d 1c", "3d"), 0, (0, 1, "denari: Anna 2, Bruno 1")),
        (("1d 2d 1c", "3d"), 6, (None, 0, "denari: Anna 2, Bruno 1, nobody has the 6 needed")),
    ],
    ids=["none", "most", "too few"],
)
def test_rule_3_3(piles: tuple[str, ...], needed: int, expected: tuple[object, ...]) -> None:
    score = scored(*piles, rules=Rules(denari_needed=needed))
    assert won(score, "denari") == expected
    assert line(score, "denari").cards[0] == tuple(c for c in cards(piles[0]) if c.suit == "d")


@pytest.mark.parametrize(
    ("piles", "expected"),
    [
        (("", ""), (None, 0, "settebello: nobody has 7d")),
        (("7c", "7d"), (1, 1, "settebello: Bruno has 7d")),
    ],
    ids=["nobody", "held"],
)
def test_rule_3_4(piles: tuple[str, ...], expected: tuple[object, ...]) -> None:
    assert won(scored(*piles), "settebello") == expected


def test_rule_3_5() -> None:
    assert won(scored("1c 2c", "3c 4c", "5c"), "carte") == (
        None,
        0,
        "carte: Anna 2, Bruno 2, Carla 1, a tie, nobody's point",
    )
    assert won(scored("1c 2c", "3c", "5c"), "carte")[0] == 0
    tie = won(scored("7d 7c 6s 6b", "6d 6c 7s 7b"), "primiera")
    assert tie == (
        None,
        0,
        "primiera: Anna 7d 7c 6s 6b = 78, Bruno 7s 7b 6d 6c = 78, a tie, nobody's point",
    )
    assert won(scored("7d 7c 6s 4b", "1d 1c 7s 7b"), "primiera")[0] is None


def test_rule_3_11() -> None:
    rules = PRESETS["american-sevens"]
    assert won(scored("", "", rules=rules), "most-sevens")[0] is None
    assert won(scored("7d 7c", "7s", rules=rules), "most-sevens") == (
        0,
        1,
        "most sevens: Anna 2, Bruno 1",
    )
    assert won(scored("7d 7c", "7s 7b", rules=rules), "most-sevens")[2] == (
        "most sevens: Anna 2, Bruno 2, a tie, nobody's point"
    )


def test_rule_3_14() -> None:
    escoba = PRESETS["escoba"]
    assert won(scored("7d 7c 7s", "7b", rules=escoba), "all-sevens") == (
        None,
        0,
        "all four sevens: nobody has all four sevens",
    )
    assert won(scored("7d 7c 7s 7b", "", rules=escoba), "all-sevens")[:2] == (0, 1)
    assert all(line.point != "primiera" for line in scored("", "", rules=escoba).lines)


@pytest.mark.parametrize(
    ("pile", "amount"),
    [("", 0), ("1d 2d", 0), ("2d 3d 4d", 0), ("1d 2d 3d", 3), ("1d 2d 3d 5d", 3),
     ("1d 2d 3d 4d", 4), (COINS, 10)],
    ids=["empty", "two", "no ace", "three", "a gap", "four", "ten"],
)  # fmt: skip
def test_rule_3_15(pile: str, amount: int) -> None:
    found = line(scored(pile, "1c", rules=only(napola=True)), "napola")
    assert (found.winner, found.amount) == (0 if amount else None, amount)
    if amount == 3:
        assert found.why == "napola: Anna has 1d 2d 3d"
    if not amount:
        assert found.why == "napola: nobody has 1d 2d 3d together"


def test_rule_3_16() -> None:
    assert won(scored("", "10d", rules=PRESETS["napoletana"]), "re-bello") == (
        1,
        1,
        "re bello: Bruno has 10d",
    )


def test_rule_3_17() -> None:
    rules = only(scopa=1, ponino=True)
    assert scored("9d 9c 9s 9b", "", rules=rules, scope=(2, 1)).points == (4, 1)
    assert scored("9d 9c 9s", "9b", rules=rules, scope=(2, 1)).points == (2, 1)
    doubled = line(scored("9d 9c 9s 9b", "", rules=rules, scope=(2,)), "scope")
    assert doubled.why == "scope: Anna 2, doubled by the four knights"
    assert [card.code for card in doubled.cards[0]] == ["9d", "9c", "9s", "9b"]
    assert scored("9d 9c 9s 9b", "", rules=only(scopa=1), scope=(2, 1)).points == (2, 1)
    assert line(scored("9d", "", rules=rules, scope=(2,)), "scope").cards == ((), ())


def test_nobodys_scope_is_told_in_both_languages() -> None:
    sides = [Side("Anna", ()), Side("Bruno", ())]
    nobody = Line("scope", None, 0, "scope: nessuno ne ha fatte", (0, 0), (0, 0))
    assert score_hand(sides, Rules(), lang="it").lines[-1] == nobody
    made = score_hand([Side("Anna", cards("9d 9c 9s 9b"), 2), sides[1]], only(scopa=1, ponino=True),
                      lang="it").lines[-1]  # fmt: skip
    assert made.why == "scope: Anna 2, raddoppiate dai quattro cavalli"
    assert made.figures == (2, 0)


def test_rule_3_18() -> None:
    score = scored("1d 3d", "2d", rules=only(trente=True))
    assert score.points == (4, 2)
    assert [line.why for line in score.lines] == [
        "asso di denari: Anna has 1d",
        "due di denari: Bruno has 2d",
        "tre di denari: Anna has 3d",
    ]


def test_rule_3_19() -> None:
    rules = only(frac=1)
    score = scored("1d 8c 9s 10b 7d", "1c", rules=rules)
    assert score.points == (4, 1)
    assert [line.why for line in score.lines] == [
        "frac: Anna has 1d 8c 9s 10b",
        "frac: Bruno has 1c",
    ]
    assert scored("", "", rules=rules).points == (0, 0)
    assert score.lines[0].figures == (4, 1)
    assert score.lines[0].cards == (cards("1d 8c 9s 10b"), cards("1c"))
    assert [one.point for one in score.lines] == ["frac", "frac"]
    assert won(scored("", "", rules=rules), "frac")[2] == "frac: Anna 0, Bruno 0, nobody's point"
    assert scored("1d", "7d", rules=rules).points == (1, 0)


@pytest.mark.parametrize(
    ("pile", "points"),
    [("", 0), ("1d 2d 3d", 3), ("1d 2d 3d 4d 5d 6d", 6), ("1d 2d 3d 4d 5d 6d 7d", 6),
     ("8d 9d", 0), ("8d 9d 10d", 5)],
    ids=["empty", "three", "six", "seven", "two faces", "grande"],
)  # fmt: skip
def test_rule_3_20(pile: str, points: int) -> None:
    rules = only(piccola=True, grande=5, declared=True)
    run = line(scored(pile, "", rules=rules), "piccola").cards[0]
    assert len(run) <= 6
    assert scored(pile, "", rules=rules).points == (points, 0)
    declared = score_hand([Side("Anna", (), 0, 3), Side("Bruno", ())], rules)
    assert declared.points == (3, 0)
    shown = Line("declared", 0, 3, "declared: Anna 3", (3, 0), (0, 0))
    assert declared.lines[-1] == shown
    sides = [Side("Anna", (), 0, 3), Side("Bruno", (), 0, 2)]
    italian = score_hand(sides, rules, lang="it").lines[-2:]
    assert [line.why for line in italian] == ["dichiarazioni: Anna 3", "dichiarazioni: Bruno 2"]


def test_rule_3_21() -> None:
    assert scored("", "").points == (0, 0)
    with pytest.raises(HandError, match=r"7d is there twice \(Anna and Bruno\)"):
        scored("7d", "7d")
    with pytest.raises(HandError, match=r"7d is there twice \(Anna\)"):
        scored("7d 7d", "")


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        ([], "expected 2 to 6 sides, got 0"),
        ([Side("Anna", ())], "expected 2 to 6 sides, got 1"),
        ([Side(name, ()) for name in (*NAMES, "Gino")], "expected 2 to 6 sides, got 7"),
        ([Side("Anna", ()), Side("Anna", ())], "a different name for each side, got Anna, Anna"),
        ([Side("Anna", (), -1), Side("Bruno", ())], "Anna: expected scope of 0 or more, got -1"),
        ([Side("Anna", ()), Side("Bruno", (), 0, -2)], "Bruno: expected scope of 0 or more"),
        (
            [Side("Anna", ()), Side("Bruno", (), 0, 2)],
            "Bruno: silver-lake knows no declared points",
        ),
    ],
    ids=["none", "one", "seven", "same name", "negative", "negative declared", "declared"],
)
def test_a_hand_that_cannot_be_is_refused(sides: list[Side], message: str) -> None:
    with pytest.raises(HandError, match=message):
        score_hand(sides, Rules())


def test_a_pile_is_kept_in_the_order_of_the_deck() -> None:
    mixed = cards("1b 10d 2d 7s 1c")
    assert Side("Anna", (card for card in mixed)).pile == cards("2d 10d 1c 7s 1b")  # type: ignore[arg-type]


@pytest.mark.parametrize("count", range(2, 7))
def test_two_to_six_sides_can_be_scored(count: int) -> None:
    sides = [Side(NAMES[n], DECK[n::count]) for n in range(count)]
    assert len(score_hand(sides, Rules()).points) == count


ITALIAN = [
    "carte: Anna 3, Bruno 3, pari, il punto non va a nessuno",
    "denari: Anna 2, Bruno 0",
    "settebello: Anna ha 7d",
    "primiera: Anna non ha spade né bastoni, Bruno non ha denari né bastoni, "
    "il punto non va a nessuno",
    "napola: nessuno ha 1d 2d 3d insieme",
    "re bello: nessuno ha il 10d",
    "scope: Bruno 1",
]


def test_the_sentences_are_there_in_italian() -> None:
    sides = [Side("Anna", cards("7d 1d 2c")), Side("Bruno", cards("1c 1s 2s"), 1)]
    score = score_hand(sides, PRESETS["napoletana"], lang="it")
    assert [line.why for line in score.lines] == ITALIAN


def test_lines_show_the_cards_that_count_for_each_side() -> None:
    score = scored("7d 1d 2c 3s 4b", "7c 6d 6s 6b", rules=PRESETS["american-sevens"])
    shown = {line.point: [" ".join(map(str, side)) for side in line.cards] for line in score.lines}
    assert shown["primiera"] == ["7d 2c 3s 4b", "6d 7c 6s 6b"]
    ace = line(scored("7d 7c 7s 1b 2b", ""), "primiera")
    assert ace.cards[0] == cards("7d 7c 7s 1b")
    assert shown["denari"] == ["1d 7d", "6d"]
    assert shown["settebello"] == ["7d", ""]
    assert shown["most-sevens"] == ["7d", "7c"]
    assert [line.point for line in score.of(0)] == ["carte", "denari", "settebello"]
