"""Clauses 5.x of docs/rules.md: presets, custom rule sets and their change."""

from typing import Any

import pytest

from scoring.cards import Card
from scoring.errors import RulesError
from scoring.hand import Side
from scoring.match import Match
from scoring.presets import PRESETS, read_rules
from scoring.record import HandRecord
from scoring.rules import Faces, Rules

NAMES = ("Anna", "Bruno")


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


def hand(anna: int, bruno: int, *, piles: tuple[str, str] = ("", "")) -> HandRecord:
    sides = zip(NAMES, piles, (anna, bruno), strict=True)
    return HandRecord(tuple(Side(name, cards(pile), made) for name, pile, made in sides))


def match(rules: Rules, *hands: HandRecord) -> Match:
    return Match(rules, NAMES, hands)


def test_rule_5_1() -> None:
    assert [*PRESETS] == [
        "silver-lake", "scopa-online", "wikipedia", "american-sevens", "napoletana",
        "scopone-scientifico", "escoba",
    ]  # fmt: skip
    assert all(rules.name == name for name, rules in PRESETS.items())
    assert PRESETS["silver-lake"] == Rules()
    told = {
        name: {k: v for k, v in rules.to_dict().items() if v != Rules().to_dict()[k]}
        for name, rules in PRESETS.items()
    }
    assert told["wikipedia"] == {
        "name": "wikipedia", "missing_suit": "adds-nothing",
    }  # fmt: skip
    assert told["american-sevens"] == {
        "name": "american-sevens", "forced": "same-rank", "faces": "0", "most_sevens": 1,
    }  # fmt: skip
    assert told["scopa-online"] == {
        "name": "scopa-online", "captures": "free", "last_card_scopa": True, "end": "last-hand",
    }  # fmt: skip
    assert told["napoletana"] == {
        "name": "napoletana", "napola": True, "re_bello": 1,
    }  # fmt: skip
    assert told["scopone-scientifico"] == {
        "name": "scopone-scientifico", "target": 21, "hand_cards": 10,
        "table_cards": 0, "void_kings": 0, "seatings": [[2, 2]],
    }  # fmt: skip
    assert told["escoba"] == {
        "name": "escoba", "captures": "fifteen", "primiera": 0, "most_sevens": 1,
        "all_sevens": 1, "target": 15,
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
    ({"name": " "}, "name: expected a name for the rules"),
    ({"name": 7}, "name: expected a name for the rules"),
    ({"seatings": []}, "seatings: expected pairs"),
    ({"seatings": 7}, "seatings: expected pairs"),
    ({"seatings": [[2]]}, "seatings: expected pairs"),
    ({"seatings": ["22"]}, "seatings: expected pairs"),
    ({"seatings": [[2, "1"]]}, "seatings: expected pairs"),
    ({"seatings": [[1, 2]]}, "seatings: expected pairs"),
    ({"seatings": [[2, 0]]}, "seatings: expected pairs"),
    ({"seatings": [[2, 4]]}, "seatings: expected pairs"),
    ({"seatings": [[7, 1]]}, "seatings: expected pairs"),
    ({"seatings": [[5, 1]]}, "seatings: the deck deals out evenly for none"),
    ({"hand_cards": 20, "table_cards": 0, "void_kings": 0, "seatings": [[2, 2]]},
     "seatings: the deck deals out evenly for none"),
    ({"ponino": True, "scopa": 0}, "ponino: knights double scope"),
    ({"napola_wins": True}, "napola_wins: napola is not played"),
    ({"trente_wins": True}, "trente_wins: trente is not played"),
    ({"piccola": True, "napola": True}, "piccola: piccola and napola"),
    ({"ace_takes_ace": True}, "ace_takes_ace: no ace sweeps"),
    ({"cappotto": 12}, "cappotto: more than the target"),
    ({"perdere": True, "end": "counted"}, "end: a perdere the lowest wins"),
    ({"perdere": True, "sudden_death": True}, "end: a perdere the lowest wins"),
    ({"perdere": True, "cappotto": 7}, "perdere: a win outright contradicts"),
    ({"perdere": True, "all_coins_win": True}, "perdere: a win outright contradicts"),
    ({"perdere": True, "napola_wins": True, "napola": True}, "perdere: a win outright"),
    ({"perdere": True, "trente_wins": True, "trente": True}, "perdere: a win outright"),
    ({"table_cards": 2, "hand_cards": 19, "seatings": [[2, 1]]}, "void_kings: more kings"),
    ({"scopa": 0, "carte": 0, "denari": 0, "settebello": 0, "primiera": 0},
     "target: nothing makes a point"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=[str(one) for one, _ in REFUSED])
def test_a_contradiction_is_refused_in_a_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        read_rules(settings)
    assert message.startswith(caught.value.setting)


@pytest.mark.parametrize("given", [None, 7, ["escoba"]], ids=repr)
def test_rules_that_are_no_mapping_are_refused(given: Any) -> None:
    came = type(given).__name__
    with pytest.raises(RulesError, match=f"expected a mapping of settings, got {came}") as caught:
        read_rules(given)
    assert caught.value.setting == ""


SINGLE_POINTS = [
    "scopa", "carte", "denari", "settebello", "primiera", "most_sevens", "all_sevens", "settanta",
    "re_bello", "grande", "frac",
]  # fmt: skip


@pytest.mark.parametrize("point", [*SINGLE_POINTS, "napola", "trente", "piccola"])
def test_any_point_alone_makes_a_rule_set(point: str) -> None:
    nothing = dict.fromkeys(("scopa", "carte", "denari", "settebello", "primiera"), 0)
    played: int | bool = 1 if point in SINGLE_POINTS else True
    assert read_rules({**nothing, point: played}).to_dict()[point] == played


def test_rule_5_2() -> None:
    ours = read_rules({"preset": "escoba", "target": 21, "name": "at the pool"})
    assert (ours.name, ours.target, ours.all_sevens) == ("at the pool", 21, 1)
    assert read_rules(ours.to_dict()) == ours
    assert read_rules({}) == Rules()
    assert ours.changed(faces="0").faces is Faces.ZERO
    assert Rules(cappotto=11, target=11).cappotto == 11
    kinds = {type(setting) for rules in PRESETS.values() for setting in rules.to_dict().values()}
    assert kinds == {str, int, bool, list}
    edge = Rules(target=999, cappotto=99, carte=99, void_kings=4, carte_needed=40, denari_needed=10)
    assert read_rules(edge.to_dict()) == edge
    with pytest.raises(AttributeError):
        ours.target = 11  # type: ignore[misc]


def test_rule_5_3() -> None:
    first = hand(3, 1, piles=("9d 9c", "7d 7c 7s"))
    played = match(Rules(), first, hand(8, 0))
    counted = played.under(Rules(target=21, most_sevens=1))
    assert (played.winner, counted.winner) == (0, None)
    assert (played.score(0).points, counted.score(0).points) == ((3, 3), (3, 4))
    assert counted.hands == played.hands
    assert counted.under(played.rules) == played
    ended = match(Rules(target=21), hand(12, 0), hand(1, 1)).under(Rules())
    assert (ended.winner, ended.counted, ended.standings) == (0, 1, ((12, 0),))
