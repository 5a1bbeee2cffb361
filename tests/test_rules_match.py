"""Clauses 4.x and 5.x of docs/rules.md: the end of a match, and rule sets."""

from collections.abc import Sequence
from typing import Any

import pytest

from scoring.cards import Card
from scoring.ending import Ending, Reason
from scoring.errors import MatchError, RulesError
from scoring.facts import HandFacts
from scoring.hand import Side
from scoring.match import Match
from scoring.recompute import recompute
from scoring.rules import PRESETS, Rules, preset
from scoring.settings import Faces, MatchEnd

NAMES = ("Anna", "Bruno", "Carla")


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


def hand(*scope: int, piles: Sequence[str] = ()) -> HandFacts:
    """A hand in which each side makes so many scope, with empty piles unless given."""
    held = [*map(cards, piles), *[()] * len(scope)]
    return HandFacts(tuple(Side(NAMES[n], held[n], made) for n, made in enumerate(scope)))


def match(rules: Rules, *hands: HandFacts) -> Match:
    return Match(rules, NAMES[: len(hands[0].sides)] if hands else NAMES[:2], hands)


def ended(rules: Rules, *scope: tuple[int, ...]) -> tuple[int, int, str] | None:
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
    ids=["no hand", "under", "at", "twenty-one", "over", "one"],
)
def test_rule_4_1(
    target: int, scope: list[tuple[int, ...]], end: tuple[int, int, str] | None
) -> None:
    assert ended(Rules(target=target), *scope) == end


def test_rule_4_2() -> None:
    # Anna is across first as points are counted, but Bruno has more once the hand is scored.
    anna, bruno = "7d 1d 2d 3d 4d 5d 1c", "6d"
    both = match(Rules(), hand(9, 8), hand(0, 4, piles=(anna, bruno)))
    assert both.totals == (12, 12)
    assert both.winner is None
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
    ids=["tie", "both", "plays on", "three tie", "third wins"],
)
def test_rule_4_3(scope: list[tuple[int, ...]], end: tuple[int, int, str] | None) -> None:
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
    ids=["nobody", "one there", "both there", "equal", "next hand", "equal twice", "only there"],
)
def test_rule_4_4(scope: list[tuple[int, ...]], end: tuple[int, int, str] | None) -> None:
    assert ended(preset("scopa-online"), *scope) == end


@pytest.mark.parametrize(
    ("before", "piles", "scope", "winner"),
    [
        ((10, 10), ("1c 2c", "3c"), (0, 5), 0),
        ((10, 10), ("1c 2c", "3d"), (0, 5), 0),
        ((10, 9), ("1c", "1d 2d"), (9, 0), 1),
        ((9, 9), ("", ""), (2, 3), 1),
        ((9, 9), ("", ""), (2, 2), None),
    ],
    ids=["carte first", "carte before denari", "two points", "scope together", "tie"],
)
def test_rule_4_5(
    before: tuple[int, int], piles: tuple[str, str], scope: tuple[int, int], winner: int | None
) -> None:
    rules = Rules(end=MatchEnd.COUNTED)
    assert match(rules, hand(*before), hand(*scope, piles=piles)).winner == winner


def test_a_tie_in_the_count_is_broken_by_the_next_point() -> None:
    rules = Rules(end=MatchEnd.COUNTED)
    tie = match(rules, hand(11, 11), hand(0, 3, piles=("1c 2c", "3c")))
    assert tie.ending == Ending(0, 1, Reason.COUNTED)


@pytest.mark.parametrize(
    ("end", "hands", "expected"),
    [
        (MatchEnd.HIGHEST, [hand(11, 11), hand(0, 9, piles=("1c 2c", "3c"))], (0, 1)),
        (MatchEnd.HIGHEST, [hand(11, 11), hand(0, 0)], None),
        (MatchEnd.HIGHEST, [hand(11, 11), hand(2, 2), hand(0, 1)], (1, 2)),
        (MatchEnd.HIGHEST, [hand(11, 11, 2), hand(0, 1, 15)], (1, 1)),
        (MatchEnd.LAST_HAND, [hand(10, 9), hand(2, 2), hand(0, 1)], (1, 2)),
        (MatchEnd.HIGHEST, [hand(2, 11)], (1, 0)),
    ],
    ids=["carte", "nothing", "scope", "only the tied", "last hand", "no tie"],
)
def test_rule_4_6(end: MatchEnd, hands: list[HandFacts], expected: tuple[int, int] | None) -> None:
    ending = match(Rules(end=end, sudden_death=True), *hands).ending
    assert (ending and (ending.winner, ending.hand_no)) == expected
    if ending and ending.hand_no:
        assert ending.reason is Reason.SUDDEN_DEATH


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
    ids=["nothing", "six", "seven", "two hands", "one against", "three", "not played"],
)
def test_rule_4_7(
    cappotto: int, scope: list[tuple[int, ...]], end: tuple[int, int, str] | None
) -> None:
    assert ended(Rules(cappotto=cappotto), *scope) == end


COINS = "1d 2d 3d 4d 5d 6d 7d 8d 9d 10d"
OUTRIGHT: list[tuple[str, dict[str, Any], str, str]] = [
    ("all-coins", {"all_coins_win": True}, COINS, "all ten coins: Bruno wins"),
    ("napola-of-ten", {"napola_wins": True, "napola": True}, COINS, "napola of ten: Bruno wins"),
    ("trente-win", {"trente_wins": True, "trente": True}, "1d 2d 3d", "ace, two and three"),
]


def outright(settings: dict[str, Any], pile: str) -> Match:
    return match(Rules(target=99, **settings), hand(50, 0, piles=("1c", pile)))


def check_outright(case: tuple[str, dict[str, Any], str, str]) -> None:
    point, settings, pile, why = case
    won = outright(settings, pile)
    assert won.ending == Ending(1, 0, Reason.OUTRIGHT)
    last = won.scores[0].lines[-1]
    assert (last.point, last.amount) == (point, 0)
    assert last.why.startswith(why)
    assert last.cards == ((), cards(pile))
    assert outright(settings, pile.rpartition(" ")[0]).ending is None
    assert outright({"napola": True, "trente": True}, pile).ending is None


def test_rule_4_8() -> None:
    check_outright(OUTRIGHT[0])


def test_rule_4_9() -> None:
    check_outright(OUTRIGHT[1])


def test_rule_4_10() -> None:
    check_outright(OUTRIGHT[2])


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
    ids=["under", "one there", "tie", "plays on", "lowest tie", "three"],
)
def test_rule_4_11(scope: list[tuple[int, ...]], end: tuple[int, int, str] | None) -> None:
    assert ended(Rules(perdere=True), *scope) == end


def test_rule_4_12() -> None:
    won = match(Rules(), hand(6, 1), hand(6, 2))
    assert (won.winner, won.totals, won.standings) == (0, (12, 3), ((6, 1), (12, 3)))
    with pytest.raises(MatchError, match="Anna won with hand 2"):
        won.record(hand(1, 1))
    edited = won.edit(0, hand(12, 0))
    assert (edited.winner, edited.counted, edited.totals) == (0, 1, (12, 0))
    assert edited.edit(0, hand(6, 1)) == won
    assert won.undo().record(hand(6, 2)) == won
    assert won.hands[0].sides[0].scope == 6


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
        "name": "wikipedia", "forced": "always", "missing_suit": "adds-nothing",
    }  # fmt: skip
    assert told["american-sevens"] == {
        "name": "american-sevens", "forced": "same-rank", "faces": "0", "most_sevens": 1,
    }  # fmt: skip
    assert told["scopa-online"] == {
        "name": "scopa-online", "captures": "free", "last_card_scopa": True, "end": "last-hand",
    }  # fmt: skip
    assert told["napoletana"] == {
        "name": "napoletana", "forced": "always", "napola": True, "re_bello": 1,
    }  # fmt: skip
    assert told["scopone-scientifico"] == {
        "name": "scopone-scientifico", "forced": "always", "target": 21, "hand_cards": 10,
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
    ({"seatings": [[5, 1]]}, "seatings: the deck deals out evenly for none"),
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
    ({"table_cards": 2, "hand_cards": 19, "seatings": [[2, 1]]}, "void_kings: more kings"),
    ({"scopa": 0, "carte": 0, "denari": 0, "settebello": 0, "primiera": 0},
     "target: nothing makes a point"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=[str(one) for one, _ in REFUSED])
def test_a_contradiction_is_refused_in_a_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        Rules.from_dict(settings)
    assert message.startswith(caught.value.setting)


@pytest.mark.parametrize("given", [None, 7, ["escoba"]], ids=repr)
def test_rules_that_are_no_mapping_are_refused(given: Any) -> None:
    with pytest.raises(RulesError, match="expected a mapping of settings"):
        Rules.from_dict(given)


SINGLE_POINTS = [
    "scopa", "carte", "denari", "settebello", "primiera", "most_sevens", "all_sevens", "settanta",
    "re_bello", "grande", "frac",
]  # fmt: skip


@pytest.mark.parametrize("point", [*SINGLE_POINTS, "napola", "trente", "piccola"])
def test_any_point_alone_makes_a_rule_set(point: str) -> None:
    nothing = dict.fromkeys(("scopa", "carte", "denari", "settebello", "primiera"), 0)
    played: int | bool = 1 if point in SINGLE_POINTS else True
    assert Rules.from_dict({**nothing, point: played}).to_dict()[point] == played


def test_rule_5_2() -> None:
    ours = Rules.from_dict({"preset": "escoba", "target": 21, "name": "at the pool"})
    assert (ours.name, ours.target, ours.all_sevens) == ("at the pool", 21, 1)
    assert Rules.from_dict(ours.to_dict()) == ours
    assert Rules.from_dict({}) == Rules()
    assert ours.changed(faces="0").faces is Faces.ZERO
    edge = Rules(target=999, cappotto=99, carte=99, void_kings=4, carte_needed=40, denari_needed=10)
    assert Rules.from_dict(edge.to_dict()) == edge
    with pytest.raises(AttributeError):
        ours.target = 11  # type: ignore[misc]


def test_rule_5_3() -> None:
    first = hand(3, 1, piles=("9d 9c", "7d 7c 7s"))
    played = match(Rules(), first, hand(8, 0))
    changed = recompute(played, Rules(target=21, most_sevens=1))
    assert played.winner == 0
    assert changed.after.winner is None
    assert changed.before is played
    assert not changed.same
    (one,) = changed.hands
    assert (one.hand_no, one.counts) == (0, (True, True))
    assert one.points == ((3, 3), (3, 4))
    ((before, after),) = one.lines
    assert before is None
    assert after is not None
    assert (after.point, after.why) == ("most-sevens", "most sevens: Anna 0, Bruno 3")


def test_a_change_that_ends_the_match_earlier_says_which_hands_no_longer_count() -> None:
    played = match(Rules(target=21), hand(12, 0), hand(1, 1))
    (one,) = recompute(played, Rules()).hands
    assert (one.hand_no, one.counts, one.lines) == (1, (True, False), ())
    back = recompute(played.under(Rules()), Rules(target=21))
    assert [change.counts for change in back.hands] == [(False, True)]


def test_a_change_of_scope_is_shown_for_each_side() -> None:
    played = match(Rules(), hand(2, 1))
    (one,) = recompute(played, Rules(scopa=2), lang="it").hands
    amounts = [(old and old.amount, new and new.amount) for old, new in one.lines]
    assert amounts == [(2, 4), (1, 2)]


def test_the_same_rules_change_nothing() -> None:
    assert recompute(match(Rules(), hand(2, 1)), Rules()).same
    won = match(Rules(), hand(11, 0))
    assert not recompute(won, Rules(target=12)).same
