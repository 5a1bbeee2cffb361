"""Clauses 4.x of docs/rules.md: the end of a match."""

from collections.abc import Sequence
from typing import Any

import pytest

from scoring.cards import Card
from scoring.errors import MatchError
from scoring.hand import Side
from scoring.match import Ending, Match, Reason
from scoring.presets import PRESETS
from scoring.record import HandRecord
from scoring.rules import MatchEnd, Rules

NAMES = ("Anna", "Bruno", "Carla")


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


def hand(*scope: int, piles: Sequence[str] = ()) -> HandRecord:
    """A hand in which each side makes so many scope, with empty piles unless given."""
    held = [*map(cards, piles), *[()] * len(scope)]
    return HandRecord(tuple(Side(NAMES[n], held[n], made) for n, made in enumerate(scope)))


def match(rules: Rules, *hands: HandRecord) -> Match:
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
    ],
    ids=[
        "carte first",
        "carte before denari",
        "two points",
        "not yet across",
        "scope together",
        "tie",
    ],
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
def test_rule_4_6(end: MatchEnd, hands: list[HandRecord], expected: tuple[int, int] | None) -> None:
    ending = match(Rules(end=end, sudden_death=True), *hands).ending
    assert (ending and (ending.winner, ending.hand_no)) == expected
    if ending and ending.hand_no:
        assert ending.reason is Reason.SUDDEN_DEATH


def test_who_overtakes_the_tied_while_they_gain_nothing_has_won() -> None:
    rules = Rules(sudden_death=True)
    assert ended(rules, (11, 11, 5), (0, 0, 9)) == (2, 1, "highest")
    assert ended(rules, (11, 11, 5), (2, 2, 5)) is None


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
    assert last.figures == ()
    assert "vince subito la partita" in won.score(0, lang="it").lines[-1].why
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
    three = match(Rules(), hand(1, 0), hand(2, 0), hand(3, 0))
    assert three.edit(1, hand(0, 5)).hands == (hand(1, 0), hand(0, 5), hand(3, 0))
    assert three.undo().hands == (hand(1, 0), hand(2, 0))
    assert won.hands[0].sides[0].scope == 6
