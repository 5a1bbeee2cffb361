"""Clauses 3.x of docs/rules.md: the points of a hand. Sentences: test_explain."""

import pytest
from hand_scoring import COINS, NAMES, cards, codes, line, only, scored, why, won

from scoring.cards import DECK, mask_of
from scoring.errors import HandError
from scoring.hand import HandScore, Side, score_hand
from scoring.points import points_of
from scoring.presets import PRESETS
from scoring.record import HandRecord
from scoring.rules import Faces, MissingSuit, PrimieraForm, Rules, Ties

NOBODY = (None, 0)


def prime_of(pile: str, rules: Rules) -> int:
    return line(scored(pile, "", rules=rules), "primiera").figures[0]


def test_rule_3_1() -> None:
    for scope in ((0, 0), (1, 0), (2, 3)):
        assert scored("", "", rules=only(scopa=1), scope=scope).points == scope
    assert scored("", "", rules=only(scopa=2), scope=(2, 1)).points == (4, 2)


def test_rule_3_2() -> None:
    assert won("carte", "", "") == NOBODY
    assert won("carte", "1c 2c", "3c") == (0, 1)
    assert won("carte", "1c", "2c", "3c 4c") == (2, 1)
    assert won("carte", "1c 2c", "3c", rules=Rules(carte_needed=2)) == (0, 1)
    assert won("carte", "1c 2c", "3c", rules=Rules(carte_needed=3)) == NOBODY
    three = [codes(DECK[:20]), codes(DECK[20:30]), codes(DECK[30:])]
    assert won("carte", *three) == (0, 1)
    assert won("carte", *three, rules=PRESETS["scopa-online"]) == NOBODY
    assert won("carte", codes(DECK[:21]), codes(DECK[21:]), "", rules=PRESETS["scopa-online"])[1]


def test_rule_3_3() -> None:
    assert won("denari", "", "1c") == NOBODY
    assert won("denari", "1d 2d 1c", "3d") == (0, 1)
    assert won("denari", "1d 2d 1c", "3d", rules=Rules(denari_needed=6)) == NOBODY
    assert won("denari", "1d 2d 3d 4d 5d", "6d", "7d", rules=PRESETS["scopa-online"]) == NOBODY
    assert won("denari", "1d 2d 3d 4d 5d 6d", "7d", rules=PRESETS["scopa-online"]) == (0, 1)


def test_rule_3_4() -> None:
    assert won("settebello", "", "") == NOBODY
    assert won("settebello", "7c", "7d") == (1, 1)


def test_rule_3_5() -> None:
    assert won("carte", "1c 2c", "3c 4c", "5c") == NOBODY
    assert won("carte", "1c 2c", "3c", "5c") == (0, 1)
    assert won("primiera", "7d 7c 6s 6b", "6d 6c 7s 7b") == NOBODY
    assert won("primiera", "7d 7c 6s 4b", "1d 1c 7s 7b") == NOBODY


def test_rule_3_6() -> None:
    assert won("primiera", "", "") == NOBODY
    assert won("primiera", "7c 7d 6b 1s 2s", "6d 7s 1c 2b") == (0, 1)
    assert won("primiera", "5d 4c 3s 2b", "4d 3c 2s 10b") == (0, 1)
    assert prime_of("7c 7d 6b 1s 2s", Rules()) == 76
    found = [prime_of(f"{rank}d 1c 1s 1b", Rules()) - 48 for rank in range(1, 11)]
    assert found == [16, 12, 13, 14, 15, 18, 21, 10, 10, 10]


@pytest.mark.parametrize(
    ("faces", "counts"),
    [(Faces.TEN, [10, 10, 10]), (Faces.ZERO, [0, 0, 0]), (Faces.DESCENDING, [8, 9, 10])],
)
def test_rule_3_7(faces: Faces, counts: list[int]) -> None:
    rules = Rules(faces=faces)
    assert [prime_of(f"{rank}d 1c 1s 1b", rules) - 48 for rank in (8, 9, 10)] == counts
    assert prime_of("8d 9d 1c 1s 1b", rules) == 48 + max(counts[:2])


def test_rule_3_8() -> None:
    assert won("primiera", "7d 7c 7s", "7b 1d 1c 1s") == (1, 1)
    assert won("primiera", "7d 7c 7s", "7b 1d") == NOBODY
    for pile in ("7c 7s 7b", "7d 7s 7b", "7d 7c 7b"):
        assert won("primiera", pile, "") == NOBODY
    faces = Rules(faces=Faces.ZERO)
    assert won("primiera", "8d 8c 8s 8b", "7d 7c 7s", rules=faces) == (0, 1)


def test_rule_3_9() -> None:
    rules = Rules(missing_suit=MissingSuit.ADDS_NOTHING)
    assert won("primiera", "7d 7c 7s", "7b 1d 1c 1s", rules=rules) == (1, 1)
    assert won("primiera", "7d 7c 7s", "2d 2c 2s 2b", rules=rules) == (0, 1)
    assert won("primiera", "7d", "", rules=rules) == (0, 1)
    zero = rules.changed(faces=Faces.ZERO)
    assert won("primiera", "8d 8c 8s 8b", "", rules=zero) == NOBODY
    assert won("primiera", "1d", "8d 8c 8s 8b", rules=zero) == (0, 1)


def test_rule_3_10() -> None:
    rules = Rules(missing_suit=MissingSuit.LOSES)
    assert won("primiera", "", "", rules=rules) == NOBODY
    assert won("primiera", "7d 7c 7s", "2d 2c 2s 2b", rules=rules) == (1, 1)
    assert won("primiera", "7d 7c 7s", "7b 6d 6c", rules=rules) == (0, 1)


def test_rule_3_11() -> None:
    rules = PRESETS["american-sevens"]
    assert won("most-sevens", "", "", rules=rules) == NOBODY
    assert won("most-sevens", "7d 7c", "7s", rules=rules) == (0, 1)
    assert won("most-sevens", "7d 7c", "7s 7b", rules=rules) == NOBODY


CASCADE = [
    (("", ""), None), (("7d", "6d 6c"), 0), (("7d 6c", "7c 1c 1d"), 0), (("1d 1c", "1s 5d"), 0),
    (("5d", "4d 4c"), 0), (("4d", "3d 3c"), 0), (("3d", "2d 2c"), 0), (("2d", "10d 10c"), 0),
    (("8d 10c", "10d"), 0), (("7d 7c", "7s 6d", "7b 6c 6s"), 0),
    (("7d", "7s 6d", "7b 6c 6s"), 2), (("7d 1c", "7s 1s 5d", "6c 6s"), 1),
]  # fmt: skip


@pytest.mark.parametrize(("piles", "winner"), CASCADE)
def test_rule_3_12(piles: tuple[str, ...], winner: int | None) -> None:
    found = line(scored(*piles, rules=only(primiera=1, primiera_form="sevens")), "primiera")
    assert found.winner == winner
    assert found.figures == tuple(sum(c.rank == 7 for c in cards(pile)) for pile in piles)
    assert [set(held) for held in found.cards] == [set(cards(pile)) for pile in piles]


def test_rule_3_13() -> None:
    beside, instead = only(settanta=2), only(primiera=1, primiera_form=PrimieraForm.SETTANTA)
    for piles in (("", ""), ("7d 7c", "7s 7b"), ("7d 7c", "7s")):
        assert won("settanta", *piles, rules=beside) == NOBODY
        assert won("primiera", *piles, rules=instead) == NOBODY
    assert won("settanta", "7d 7c 7s", "7b", rules=beside) == (0, 2)
    assert won("primiera", "7d 7c 7s", "7b", rules=instead) == (0, 1)


def test_rule_3_14() -> None:
    escoba = PRESETS["escoba"]
    assert won("all-sevens", "7d 7c 7s", "7b", rules=escoba) == NOBODY
    assert won("all-sevens", "7d 7c 7s 7b", "", rules=escoba) == (0, 1)
    assert all(line.point != "primiera" for line in scored("", "", rules=escoba).lines)


RUNS = {"": 0, "1d 2d": 0, "2d 3d 4d": 0, "1d 2d 3d": 3, "1d 2d 3d 5d": 3, "1d 2d 3d 4d": 4}


@pytest.mark.parametrize(("pile", "amount"), [*RUNS.items(), (COINS, 10)])
def test_rule_3_15(pile: str, amount: int) -> None:
    winner = 0 if amount else None
    assert won("napola", pile, "1c", rules=only(napola=True)) == (winner, amount)


def test_rule_3_16() -> None:
    assert won("re-bello", "", "10d", rules=PRESETS["napoletana"]) == (1, 1)


def test_rule_3_17() -> None:
    rules = only(scopa=1, ponino=True)
    doubled = scored("9d 9c 9s 9b", "", rules=rules, scope=(2, 1))
    assert (doubled.points, doubled.lines[0].figures) == ((4, 1), (2, 1))
    assert doubled.lines[0].cards == (cards("9d 9c 9s 9b"), ())
    assert scored("9d 9c 9s", "9b", rules=rules, scope=(2, 1)).points == (2, 1)
    assert scored("9d 9c 9s 9b", "", rules=only(scopa=1), scope=(2, 1)).points == (2, 1)
    assert line(scored("9d", "", rules=rules, scope=(2,)), "scope").cards == ((), ())


def test_rule_3_18() -> None:
    trente = only(card_points={"1d": 1, "2d": 2, "3d": 3})
    assert scored("1d 3d", "2d", rules=trente).points == (4, 2)


def test_rule_3_19() -> None:
    frac = only(card_points={card.code: 1 for card in DECK if card.rank in {1, 8, 9, 10}})
    assert scored("1d 8c 9s 10b 7d", "1c", rules=frac).points == (4, 1)
    assert scored("1d", "7d", rules=frac).points == (1, 0)
    assert scored("", "", rules=frac).points == (0, 0)


@pytest.mark.parametrize(
    ("pile", "points"),
    [("", 0), ("1d 2d 3d", 3), ("1d 2d 3d 4d 5d 6d", 6), ("1d 2d 3d 4d 5d 6d 7d", 7),
     ("1d 2d 3d 4d 5d 6d 7d 8d", 7), ("8d 9d", 0), ("8d 9d 10d", 5)],
)  # fmt: skip
def test_rule_3_20(pile: str, points: int) -> None:
    rules = only(piccola=True, grande=5, declared=True)
    assert scored(pile, "", rules=rules).points == (points, 0)
    assert len(line(scored(pile, "", rules=rules), "piccola").cards[0]) <= 7
    declared = score_hand([Side("Anna", cards(pile), 0, 3), Side("Bruno", (), 1, 2)], rules)
    assert declared.points == (points + 3, 2)
    both = score_hand([Side("Anna", (), 0, 1), Side("Bruno", (), 1)], Rules(declared=True)).lines
    assert [line.point for line in both if line.amount] == ["declared", "scope"]


def test_rule_3_21() -> None:
    assert scored("", "").points == (0, 0)
    with pytest.raises(HandError, match=r"7d is there twice \(Anna and Bruno\)"):
        scored("7d", "7d")
    with pytest.raises(HandError, match=r"7d is there twice \(Anna\)"):
        scored("7d 7d", "")


def test_rule_3_23() -> None:
    both = only(denari=1, settebello=1, all_coins=1)
    assert scored(COINS, "1c", rules=both).points == (3, 0)
    assert scored("1d 2d 3d 4d 5d 6d 7d 8d 9d", "10d", rules=both).points == (2, 0)


@pytest.mark.parametrize(
    ("ties", "carte", "piles", "points"),
    [
        ("nobody", 2, ("1c", "2c"), (0, 0)),
        ("divided", 2, ("1c", "2c"), (1, 1)),
        ("divided", 1, ("1c", "2c"), (0, 0)),
        ("divided", 2, ("1c", "2c", ""), (1, 1, 0)),
        ("divided", 3, ("1c", "2c"), (1, 1)),
        ("divided", 2, ("1c 3c", "2c"), (2, 0)),
        ("each", 1, ("1c", "2c"), (1, 1)),
        ("each", 1, ("", ""), (0, 0)),
    ],
)
def test_rule_3_24(ties: str, carte: int, piles: tuple[str, ...], points: tuple[int, ...]) -> None:
    assert scored(*piles, rules=only(carte=carte, ties=ties)).points == points
    halves = codes(DECK[::2]), codes(DECK[1::2])
    shared = scored(*halves, rules=only(carte=carte, ties=ties)).points
    assert shared == {"nobody": (0, 0), "each": (1, 1)}.get(ties, (carte // 2,) * 2)


def test_rule_3_25() -> None:
    rules = only(card_points={"8s": 1, "10d": 2})
    assert rules.card_points == (("10d", 2), ("8s", 1))
    score = scored("8s 7d", "10d", rules=rules)
    assert score.points == (1, 2)
    assert [(line.point, why(line)) for line in score.lines] == [
        ("card-10d", "10d: Bruno has 10d"), ("card-8s", "8s: Anna has 8s"),
    ]  # fmt: skip
    assert why(scored("", "", rules=rules).lines[0]) == "10d: nobody has 10d"


def test_rule_3_27() -> None:
    milan = only(primiera=1, primiera_form="sevens-to-aces", ties="each")
    level = ("7d 7c 6d 6c 1d 1c 5d", "7s 7b 6s 6b 1s 1b")
    assert scored(*level, rules=milan).points == (1, 1)
    assert scored(*level, rules=milan.changed(ties="nobody")).points == (0, 0)
    assert won("primiera", *level, rules=milan.changed(primiera_form="sevens")) == (0, 1)
    assert won("primiera", "7d 1d", "7c 1s 1b", rules=milan) == (1, 1)


def test_rule_3_28() -> None:
    for most, amount in ((6, 6), (9, 8), (10, 8)):
        rules = only(napola=True, napola_most=most)
        assert won("napola", "1d 2d 3d 4d 5d 6d 7d 8d", "", rules=rules) == (0, amount)


def test_rule_3_30() -> None:
    made = [Side("Anna", (), 7, correction=-1, reason="talked"), Side("Bruno", (), 0)]
    score = score_hand(made, only(scopa=1))
    assert (score.points, why(score.lines[-1])) == (
        (6, 0), "corrected by hand: Anna -1 (talked)",
    )  # fmt: skip
    assert score_hand([made[1], Side("Carla", (), correction=-2)], Rules()).points == (0, -2)
    silent = score_hand([Side("Anna", (), correction=3), made[1]], Rules())
    assert (why(silent.lines[-1]), silent.points) == (
        "corrected by hand: Anna +3 (no reason given)", (3, 0),
    )  # fmt: skip


def said(anna: dict[str, int], bruno: dict[str, int], *, rules: Rules) -> HandScore:
    named = zip(NAMES, (anna, bruno), (1, 0), strict=False)
    sides = [Side(name, (), scope, counted=tuple(one.items())) for name, one, scope in named]
    assert [HandRecord.from_dict(HandRecord(tuple(sides)).to_dict()).sides] == [tuple(sides)]
    return score_hand(sides, rules)


ONE = Rules(settebello=0, scopa=0)


@pytest.mark.parametrize(
    ("anna", "bruno", "rules", "points"),
    [
        ({"carte": 1, "denari": 0}, {"carte": 0, "denari": 1}, ONE, (1, 1)),
        ({"carte": 1}, {"carte": 0}, ONE.changed(carte=2, carte_needed=21), (2, 0)),
        ({"carte": 1}, {"carte": 1}, ONE, (0, 0)),
        ({"carte": 1}, {"carte": 1}, ONE.changed(ties=Ties.EACH), (1, 1)),
        ({"napola": 3}, {"napola": 0}, ONE.changed(napola=True), (3, 0)),
        ({"napola": 2}, {"napola": 0}, ONE.changed(napola=True), (0, 0)),
        ({"card-8s": 1}, {"card-8s": 0}, ONE.changed(card_points=(("8s", 3),)), (3, 0)),
        ({"ponino": 1}, {"ponino": 0}, ONE.changed(scopa=1, ponino=True), (2, 0)),
        ({"carte": 1}, {"carte": 0}, ONE.changed(carte=0), (0, 0)),
    ],
)
def test_quick_hand_scores_its_answers_under_the_rules(
    anna: dict[str, int], bruno: dict[str, int], rules: Rules, points: tuple[int, int]
) -> None:
    score = said(anna, bruno, rules=rules)
    assert score.points == points
    assert {line.point for line in score.lines} <= {*anna, "scope"}, "no other was asked about"


def test_a_hand_counted_without_cards_may_win_the_match_at_once() -> None:
    rules = Rules(all_coins_win=True)
    assert said({"all-coins": 0}, {"all-coins": 1}, rules=rules).outright == 1
    assert said({"all-coins": 0}, {"all-coins": 0}, rules=rules).outright is None


def test_rule_3_31() -> None:
    answers = {"carte": (0, 1, 0), "denari": (1, 0, 0), "settebello": (1, 0, 0),
               "primiera": (0, 0, 0)}  # fmt: skip
    piles = [cards("1d 2d 3d 4d 5d 7d 7c"), (), ()]
    sides = [
        Side(name, pile, counted=tuple((point, said[at]) for point, said in answers.items()))
        for at, (name, pile) in enumerate(zip(("Anna", "Bruno", "Carla"), piles, strict=True))
    ]
    assert HandRecord.from_dict(HandRecord(tuple(sides)).to_dict()).sides == tuple(sides)
    score = score_hand(sides, Rules())
    assert score.points == (2, 1, 0)
    assert {one.point: why(one) for one in score.lines} == {
        "carte": "carte: Bruno, counted without cards (Anna 7)",
        "denari": "denari: Anna 6",
        "settebello": "settebello: Anna 7d",
        "primiera": "primiera: nobody, counted without cards",
        "scope": "scope: nobody made one",
    }
    assert line(score, "settebello").cards == (cards("7d"), (), ())
    known = [mask_of(pile) for pile in piles]
    decided = {point.name: point.decided(known) for point in points_of(Rules())}
    assert decided == {
        "carte": None,
        "denari": (1, 0, 0),
        "settebello": (1, 0, 0),
        "primiera": None,
    }
    rules = Rules(re_bello=1, card_points=(("8s", 1),), all_sevens=1)
    always = [point.name for point in points_of(rules) if not point.can_be_nobodys()]
    assert always == ["settebello", "re-bello", "card-8s"]
    settebello = next(point for point in points_of(rules) if point.name == "settebello")
    assert settebello.can_be_nobodys(absent=mask_of(cards("7d")))


def test_a_hand_whose_points_were_kept_as_one_sum_still_counts() -> None:
    score = score_hand([Side("Anna", (), 1, 3), Side("Bruno", (), 0, 1)], Rules())
    assert score.points == (4, 1)
    assert {line.point for line in score.lines} == {"declared", "scope"}


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
            [Side("Anna", DECK[:1]), Side("Bruno", (), 0, 2)],
            "Bruno: silver-lake knows",
        ),
    ],
)
def test_a_hand_that_cannot_be_is_refused(sides: list[Side], message: str) -> None:
    with pytest.raises(HandError, match=message):
        score_hand(sides, Rules())


def test_two_to_six_sides_can_be_scored() -> None:
    for count in range(2, 7):
        sides = [Side(NAMES[n], DECK[n::count]) for n in range(count)]
        assert len(score_hand(sides, Rules()).points) == count


def test_lines_show_the_cards_that_count_for_each_side() -> None:
    mixed = cards("1b 10d 2d 7s 1c")
    assert Side("Anna", (card for card in mixed)).pile == cards("2d 10d 1c 7s 1b")  # type: ignore[arg-type]
    score = scored("7d 1d 2c 3s 4b", "7c 6d 6s 6b", rules=PRESETS["american-sevens"])
    shown = {line.point: [" ".join(map(str, side)) for side in line.cards] for line in score.lines}
    assert shown["primiera"] == ["7d 2c 3s 4b", "6d 7c 6s 6b"]
    assert line(scored("7d 7c 7s 1b 2b", ""), "primiera").cards[0] == cards("7d 7c 7s 1b")
    assert shown["denari"] == ["1d 7d", "6d"]
    assert shown["settebello"] == ["7d", ""]
    assert shown["most-sevens"] == ["7d", "7c"]
    assert [line.point for line in score.of(0)] == ["carte", "denari", "settebello"]
