"""Clauses 4.x and 5.x of docs/rules.md: the end of a match, presets and rule sets."""

from dataclasses import replace
from typing import Any

import pytest
from hand_scoring import COINS, NAMES, SILENT, cards, hand, why

from scoring.errors import DroppedSettingError, MatchError, RulesCodeError, RulesError
from scoring.match import Ending, Match, Reason, needs
from scoring.presets import (
    DROPPED,
    PRESETS,
    dropped_settings,
    read_rules,
    read_stored_rules,
)
from scoring.record import HandRecord
from scoring.rules import Faces, MatchEnd, Rules

End = tuple[int | None, int, str] | None
"""The side that won, the hand that decided, the reason."""


def match(rules: Rules, *hands: HandRecord) -> Match:
    return Match(rules, NAMES[: len(hands[0].sides)] if hands else NAMES[:2], hands)


def ended(rules: Rules, *scope: tuple[int, ...]) -> End:
    ending = match(rules, *(hand(*made) for made in scope)).ending
    return None if ending is None else (ending.winner, ending.hand_no, ending.reason.value)


@pytest.mark.parametrize(
    ("target", "scope", "end"),
    [
        (11, [], None),
        (11, [(10, 0)], None),
        (11, [(11, 0)], (0, 0, "highest")),
        (21, [(11, 0)], None),
        (21, [(11, 0), (2, 21)], (1, 1, "highest")),
        (1, [(0, 1)], (1, 0, "highest")),
    ],
)
def test_rule_4_1(target: int, scope: list[tuple[int, ...]], end: End) -> None:
    assert ended(Rules(target=target), *scope) == end


def test_rule_4_2() -> None:
    # Anna is across first as points are counted, but Bruno has more once the hand is scored.
    both = match(Rules(), hand(9, 8), hand(0, 4, piles=("7d 1d 2d 3d 4d 5d 1c", "6d")))
    assert (both.totals, both.winner) == ((12, 12), None)
    assert match(Rules(end=MatchEnd.COUNTED), *both.hands).winner == 0


@pytest.mark.parametrize(
    ("scope", "end"),
    [
        ([(11, 11)], None),
        ([(12, 11)], (0, 0, "highest")),
        ([(11, 11), (1, 1), (0, 1)], (1, 2, "highest")),
        ([(11, 12, 12)], None),
        ([(11, 12, 12), (2, 0, 0)], (0, 1, "highest")),
    ],
)
def test_rule_4_3(scope: list[tuple[int, ...]], end: End) -> None:
    assert ended(Rules(), *scope) == end


@pytest.mark.parametrize(
    ("scope", "end"),
    [
        ([(10, 5)], None),
        ([(10, 5), (2, 1)], (0, 1, "last-hand")),
        ([(10, 5), (2, 6)], (1, 1, "last-hand")),
        ([(10, 9), (2, 2)], None),
        ([(10, 9), (2, 2), (0, 1)], (1, 2, "last-hand")),
        ([(10, 9), (2, 2), (1, 1), (3, 2)], (0, 3, "last-hand")),
        ([(10, 5, 0), (1, 3, 4)], (0, 1, "last-hand")),
    ],
)
def test_rule_4_4(scope: list[tuple[int, ...]], end: End) -> None:
    assert ended(PRESETS["scopa-online"], *scope) == end


@pytest.mark.parametrize(
    ("before", "piles", "scope", "winner"),
    [
        ((10, 10), ("1c 2c", "3c"), (0, 5), 0),
        ((10, 10), ("1c 2c", "3d"), (0, 5), 0),
        ((10, 9), ("1c", "1d 2d"), (9, 0), 1),
        ((9, 9), ("1c 2c 3c", "1d"), (0, 1), 1),
        ((9, 9), ("", ""), (2, 3), 1),
        ((9, 9), ("", ""), (2, 2), None),
        ((11, 11), ("1c 2c", "3c"), (0, 3), 0),
    ],
    ids=["carte", "before denari", "two points", "not yet", "scope together", "tie", "after a tie"],
)
def test_rule_4_5(
    before: tuple[int, int], piles: tuple[str, str], scope: tuple[int, int], winner: int | None
) -> None:
    played = match(Rules(end=MatchEnd.COUNTED), hand(*before), hand(*scope, piles=piles))
    assert played.ending == (None if winner is None else Ending(winner, 1, Reason.COUNTED))


@pytest.mark.parametrize(
    ("end", "hands", "expected"),
    [
        ("highest", [hand(11, 11), hand(0, 9, piles=("1c 2c", "3c"))], (0, 1, "sudden-death")),
        ("highest", [hand(11, 11), hand(0, 0)], None),
        ("highest", [hand(11, 11), hand(2, 2), hand(0, 1)], (1, 2, "sudden-death")),
        ("highest", [hand(11, 11, 2), hand(0, 1, 15)], (1, 1, "sudden-death")),
        ("last-hand", [hand(10, 9), hand(2, 2), hand(0, 1)], (1, 2, "sudden-death")),
        ("highest", [hand(2, 11)], (1, 0, "highest")),
        ("highest", [hand(11, 11, 5), hand(0, 0, 9)], (2, 1, "highest")),
        ("highest", [hand(11, 11, 5), hand(2, 2, 5)], None),
    ],
    ids=["carte", "none", "scope", "only tied", "last hand", "no tie", "overtaken", "tied on"],
)
def test_rule_4_6(end: str, hands: list[HandRecord], expected: End) -> None:
    ending = match(Rules(end=MatchEnd(end), sudden_death=True), *hands).ending
    assert (ending and (ending.winner, ending.hand_no, ending.reason.value)) == expected


@pytest.mark.parametrize(
    ("cappotto", "scope", "end"),
    [
        (7, [(0, 0)], None),
        (7, [(6, 0)], None),
        (7, [(7, 0)], (0, 0, "cappotto")),
        (7, [(3, 0), (4, 0)], (0, 1, "cappotto")),
        (7, [(3, 1), (4, 0)], None),
        (7, [(0, 0, 8)], (2, 0, "cappotto")),
        (0, [(7, 0)], None),
    ],
)
def test_rule_4_7(cappotto: int, scope: list[tuple[int, ...]], end: End) -> None:
    assert ended(Rules(cappotto=cappotto), *scope) == end


def check_outright(point: str, settings: dict[str, Any], pile: str, said: str) -> None:
    def played(settings: dict[str, Any], pile: str) -> Match:
        return match(Rules(target=99, **settings), hand(50, 0, piles=("1c", pile)))

    won = played(settings, pile)
    assert won.ending == Ending(1, 0, Reason.OUTRIGHT)
    last = won.scores[0].lines[-1]
    assert (last.point, last.amount, last.figures, last.cards) == (point, 0, (), ((), cards(pile)))
    assert why(last).startswith(said)
    assert "vince subito la partita" in why(last, lang="it")
    assert played(settings, pile.rpartition(" ")[0]).ending is None
    assert played({"napola": True}, pile).ending is None


def test_rule_4_8() -> None:
    check_outright("all-coins", {"all_coins_win": True}, COINS, "all ten coins: Bruno wins")


def test_rule_4_9() -> None:
    settings = {"napola_wins": True, "napola": True}
    check_outright("napola-of-ten", settings, COINS, "napola of ten: Bruno wins")


@pytest.mark.parametrize(
    ("scope", "end"),
    [
        ([(10, 0)], None),
        ([(11, 4)], (1, 0, "lowest")),
        ([(11, 11)], None),
        ([(11, 11), (1, 0)], (1, 1, "lowest")),
        ([(11, 5, 5)], None),
        ([(11, 5, 4)], (2, 0, "lowest")),
    ],
)
def test_rule_4_11(scope: list[tuple[int, ...]], end: End) -> None:
    assert ended(Rules(perdere=True), *scope) == end


def test_rule_4_12() -> None:
    won = match(Rules(), hand(6, 1), hand(6, 2))
    assert (won.winner, won.totals, won.standings) == (0, (12, 3), ((6, 1), (12, 3)))
    with pytest.raises(MatchError, match="Anna won with hand 2"):
        won.record(hand(1, 1))
    edited = won.edit(0, hand(12, 0))
    assert (edited.winner, edited.counted, edited.totals) == (0, 1, (12, 0))
    assert edited.edit(0, hand(6, 1)) == won
    three = match(Rules(), hand(1, 0), hand(2, 0), hand(3, 0))
    assert three.edit(1, hand(0, 5)).hands == (hand(1, 0), hand(0, 5), hand(3, 0))


HANDS = [(3, 2), (2, 2), (1, 3), (1, 2)]


@pytest.mark.parametrize(
    ("settings", "scope", "end"),
    [
        ({}, HANDS, (1, 3, "hands")),
        ({}, HANDS[:3], None),
        ({}, [*HANDS[:3], (2, 1)], None),
        ({}, [*HANDS[:3], (2, 1), (0, 1)], (1, 4, "hands")),
        ({"target": 7}, HANDS, (1, 2, "highest")),
        ({"perdere": True}, HANDS, (0, 3, "hands")),
        ({"draw": True}, [*HANDS[:3], (2, 1)], (None, 3, "hands")),
        ({"draw": True}, HANDS, (1, 3, "hands")),
    ],
    ids=["ahead", "not yet", "level", "one more", "target", "a perdere", "draw", "no draw"],
)
def test_rule_4_14(settings: dict[str, Any], scope: list[tuple[int, ...]], end: Any) -> None:
    assert ended(Rules(hands=4, **settings), *scope) == end


@pytest.mark.parametrize(
    ("rules", "rang", "end"),
    [
        (Rules(bell=True), None, None),
        (Rules(bell=True), 0, (0, 0, "bell")),
        (Rules(bell=True), 1, (0, 1, "bell")),
        (Rules(bell=True), 2, None),
        (Rules(), 1, None),
    ],
)
def test_rule_4_15(rules: Rules, rang: int | None, end: End) -> None:
    hands = [hand(*made) for made in ((3, 2), (2, 2), (1, 2))]
    if rang is not None:
        hands[rang] = replace(hands[rang], is_last=True)
    ending = match(rules, *hands).ending
    assert (ending and (ending.winner, ending.hand_no, ending.reason.value)) == end
    for one in hands:
        assert HandRecord.from_dict(one.to_dict()) == one


def test_rule_4_16() -> None:
    level = match(Rules(hands=1, draw=True), hand(4, 4))
    assert (level.is_over, level.winner, level.ending) == (
        True,
        None,
        Ending(None, 0, Reason.HANDS),
    )
    assert needs(level) == ()
    with pytest.raises(MatchError, match="it ended level with hand 1"):
        level.record(hand(1, 0))
    goes_on = replace(level, rules=Rules(hands=1))
    assert [need.points for need in needs(goes_on)] == [1, 1]
    rang = match(Rules(bell=True, draw=True), replace(hand(2, 2), is_last=True))
    assert rang.ending == Ending(None, 0, Reason.BELL)
    assert "is_over" not in level.to_dict()


def test_what_is_needed_knows_the_last_hand() -> None:
    last = needs(match(Rules(hands=2), hand(4, 1)))
    assert [need.points for need in last] == [0, 4]


# ---- rule sets


ESCOBA = {"captures": "fifteen", "void_kings": 0, "target": 15}
ASSI = {"ace_takes_ace": True, "void_kings": 0, "napola": True, "all_coins_win": True,
        "target": 31}  # fmt: skip


def test_rule_5_1() -> None:
    base = Rules().to_dict()
    assert [*PRESETS] == [rules.name for rules in PRESETS.values()]
    assert {
        name: {key: value for key, value in rules.to_dict().items() if value != base[key]}
        for name, rules in PRESETS.items()
    } == {
        "silver-lake": {},
        "scopa-online": {"name": "scopa-online", "captures": "free", "last_card_scopa": True,
                         "end": "last-hand", "carte_needed": 21, "denari_needed": 6},
        "wikipedia": {"name": "wikipedia", "missing_suit": "adds-nothing"},
        "american-sevens": {"name": "american-sevens", "forced": "same-rank", "faces": "0",
                            "most_sevens": 1},
        "napoletana": {"name": "napoletana", "napola": True, "re_bello": 1},
        "scopone-scientifico": {"name": "scopone-scientifico", "target": 21, "hand_cards": 10,
                                "table_cards": 0, "void_kings": 0, "seatings": [[2, 2]]},
        "escoba": ESCOBA | {"name": "escoba", "most_sevens": 1, "all_sevens": 1, "primiera": 0},
        "escoba-argentina": ESCOBA | {"name": "escoba-argentina", "dealt_fifteen": "dealer"},
        "escoba-brazil": ESCOBA | {"name": "escoba-brazil", "queen_eight": True, "all_coins": 1,
                                   "dealt_fifteen": "dealer", "target": 31, "most_sevens": 1,
                                   "all_sevens": 1, "primiera": 0},
        "rebello": {"name": "rebello", "re_bello": 1},
        "scopone": {"name": "scopone", "hand_cards": 9, "seatings": [[2, 2]],
                    "missing_suit": "loses-to-complete"},
        "scopa-d-assi": ASSI | {"name": "scopa-d-assi", "aces": "sweep"},
        "asso-piglia-tutto": ASSI | {"name": "asso-piglia-tutto", "aces": "sweep-scopa"},
        "cirulla": {"name": "cirulla", "captures": "single-first-or-fifteen", "void_kings": 0,
                    "aces": "sweep-scopa", "ace_takes_ace": True, "void_aces": 2,
                    "dealt_fifteen": "dealer", "seatings": [[2, 1], [3, 1], [2, 2]],
                    "carte_needed": 21, "denari_needed": 6, "piccola": True, "grande": 5,
                    "declared": True, "small_hand": 3, "three_alike": 10, "matta": True,
                    "all_coins_win": True, "target": 51},
        "a-perdere": {"name": "a-perdere", "perdere": True},
    }  # fmt: skip


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"preset": "poker"}, "preset: expected one of silver-lake, .*got 'poker'"),
    ({"preset": None}, "preset: expected one of"),
    ({"goal": 11}, "goal: no such setting"),
    ({"target": 0}, "target: expected a whole number from 1 to 999, got 0"),
    ({"target": 1000}, "target: expected a whole number from 1 to 999, got 1000"),
    ({"target": 11.0}, "target: expected a whole number"),
    ({"target": True}, "target: expected a whole number"),
    ({"carte": -1}, "carte: expected a whole number from 0 to 99, got -1"),
    ({"carte": 100}, "carte: expected a whole number from 0 to 99, got 100"),
    ({"napola": 1}, "napola: expected true or false, got 1"),
    ({"captures": "any"}, "captures: expected one of single-first, free, .*got 'any'"),
    ({"faces": []}, "faces: expected one of 10, 0, 10/9/8"),
    *[({"name": name}, "name: expected a name for the rules") for name in (" ", 7)],
    *[({"seatings": given}, "seatings: expected pairs")
      for given in ([], 7, [[2]], ["22"], [[2, "1"]], [[1, 2]], [[2, 0]], [[2, 4]], [[7, 1]])],
    ({"seatings": [[5, 1]]}, "seatings: the deck deals out evenly for none"),
    ({"hand_cards": 20, "table_cards": 0, "void_kings": 0, "seatings": [[2, 2]]},
     "seatings: the deck deals out evenly for none"),
    ({"ponino": True, "scopa": 0}, "ponino: knights double scope"),
    ({"napola_wins": True}, "napola_wins: napola is not played"),
    ({"piccola": True, "napola": True}, "piccola: piccola and napola"),
    ({"ace_takes_ace": True}, "ace_takes_ace: no ace sweeps"),
    ({"void_aces": 2, "table_cards": 0, "hand_cards": 10, "void_kings": 0},
     "void_aces: more aces than table cards"),
    ({"dealt_fifteen": "dealer"}, "dealt_fifteen: no card captures to fifteen"),
    ({"dealt_fifteen": "me", "captures": "fifteen"}, "dealt_fifteen: expected one of nobody, "),
    ({"cappotto": 12}, "cappotto: more than the target"),
    ({"perdere": True, "end": "counted"}, "end: a perdere the lowest wins"),
    ({"perdere": True, "sudden_death": True}, "end: a perdere the lowest wins"),
    *[({"perdere": True, **wins}, "perdere: a win outright contradicts")
      for wins in ({"cappotto": 7}, {"all_coins_win": True},
                   {"napola_wins": True, "napola": True})],
    ({"table_cards": 2, "hand_cards": 19, "seatings": [[2, 1]]}, "void_kings: more kings"),
    ({"first_ace": "barred"}, "first_ace: no ace sweeps"),
    ({"small_hand": 3}, "declared: points are not declared"),
    ({"matta": True, "declared": True}, "matta: no dealt cards"),
    ({"draw": True}, "draw: only so many hands"),
    *[({"card_points": given}, "card_points: expected codes with 1 to 99 points")
      for given in (7, ["8s"], [["8s", 0]], [["8x", 1]], [["8s", 1], ["8s", 2]], {"8s": "1"})],
    (SILENT, "target: nothing makes a point"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=[str(one) for one, _ in REFUSED])
def test_a_contradiction_is_refused_in_a_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        read_rules(settings)
    assert message.startswith(caught.value.setting)


@pytest.mark.parametrize(("given", "came"), [(None, "nothing"), (7, "int"), (["escoba"], "list")])
def test_rules_that_are_no_rules_are_refused(given: Any, came: str) -> None:
    message = f"rules: expected a preset such as silver-lake, or settings, got {came}"
    with pytest.raises(RulesError, match=message) as caught:
        read_rules(given)
    assert caught.value.setting == ""


def test_rules_read_again_are_those_read_before() -> None:
    ours = {"target": 21, "seatings": [[2, 1]]}
    read = read_rules(ours)
    assert read_rules(dict(reversed(ours.items()))) is read
    ours["target"] = 16
    assert (read.target, read_rules(ours).target) == (21, 16)
    with pytest.raises(RulesError, match="target: expected a whole number"):
        read_rules({"target": object()})


DROPPED_PLAYED = {
    "most_taken": 3, "ace_takes_itself": True, "void_sum": 9, "pips": "face-value",
    "trente": True, "frac": 1, "clear_by": 2, "trente_wins": True,
}  # fmt: skip


def test_a_dropped_setting_at_its_default_is_ignored() -> None:
    assert DROPPED.keys() == DROPPED_PLAYED.keys()
    assert read_rules({"preset": "escoba", **DROPPED}) == PRESETS["escoba"]
    assert dropped_settings(DROPPED) == ()


@pytest.mark.parametrize("name", DROPPED)
def test_a_dropped_setting_that_is_played_is_refused(name: str) -> None:
    played = {**DROPPED, name: DROPPED_PLAYED[name]}
    with pytest.raises(DroppedSettingError, match=f"{name}: no longer a setting") as caught:
        read_rules(played)
    assert caught.value.setting == name
    assert dropped_settings(played) == (name,)


@pytest.mark.parametrize("name", sorted(DROPPED.keys() - {"frac", "trente"}))
def test_stored_rules_are_read_without_a_dropped_setting(name: str) -> None:
    assert read_stored_rules({"target": 16, name: DROPPED_PLAYED[name]}) == Rules(target=16)


def test_stored_frac_and_trente_become_card_points() -> None:
    played = {"frac": 2, "trente": True, "card_points": [["8s", 1], ["7c", 98]]}
    points = dict(read_stored_rules(played).card_points)
    assert (points["1d"], points["2d"], points["3d"], points["8s"]) == (3, 2, 3, 3)
    assert (points["1c"], points["9b"], points["7c"], len(points)) == (2, 2, 98, 19)


def test_any_point_alone_makes_a_rule_set() -> None:
    numbers = (*SILENT, "most_sevens", "all_sevens", "settanta", "re_bello", "grande",
               "all_coins")  # fmt: skip
    for played in ({name: 1} for name in numbers):
        assert played.items() <= read_rules(SILENT | played).to_dict().items()
    assert read_rules(SILENT | {"card_points": {"8s": 1}}).card_points == (("8s", 1),)
    for point in ("napola", "piccola"):
        assert read_rules(SILENT | {point: True}).to_dict()[point] is True


def test_rule_5_2() -> None:
    ours = read_rules({"preset": "escoba", "target": 21, "name": "at the pool"})
    assert (ours.name, ours.target, ours.all_sevens) == ("at the pool", 21, 1)
    assert read_rules(ours.to_dict()) == ours
    assert read_rules({}) == Rules()
    assert ours.changed(faces="0").faces is Faces.ZERO
    kinds = {type(setting) for rules in PRESETS.values() for setting in rules.to_dict().values()}
    assert kinds == {str, int, bool, list}
    edge = Rules(target=999, cappotto=99, carte=99, void_kings=4, carte_needed=40, denari_needed=10)
    assert read_rules(edge.to_dict()) == edge
    assert Rules(cappotto=11, target=11).cappotto == 11
    with pytest.raises(AttributeError):
        ours.target = 11  # type: ignore[misc]


def test_rule_5_3() -> None:
    first = hand(3, 1, piles=("9d 9c", "7d 7c 7s"))
    played = match(Rules(), first, hand(8, 0))
    counted = replace(played, rules=Rules(target=21, most_sevens=1))
    assert (played.winner, counted.winner) == (0, None)
    assert (played.score(0).points, counted.score(0).points) == ((3, 3), (3, 4))
    assert counted.hands == played.hands
    assert replace(counted, rules=played.rules) == played
    ended = replace(match(Rules(target=21), hand(12, 0), hand(1, 1)), rules=Rules())
    assert (ended.winner, ended.counted, ended.standings) == (0, 1, ((12, 0),))


def test_rule_5_4() -> None:
    ours = Rules(name="ours", target=21)
    assert read_rules(ours.to_dict()) == ours
    assert read_rules({"name": "ours", "target": 21}) == ours
    for code in ("S1AV21-YZ", "s1-io"):
        with pytest.raises(RulesCodeError):
            read_rules(code)
