"""Matches as facts: recording, putting right, reading and writing."""

from typing import Any

import pytest

from scoring.cards import Card
from scoring.errors import InputError, MatchError
from scoring.hand import Side
from scoring.match import Match, needs
from scoring.presets import read_rules
from scoring.record import HandRecord
from scoring.rules import MatchEnd, Rules

NAMES = ("Anna", "Bruno")


def hand(*scope: int) -> HandRecord:
    names = ("Anna", "Bruno", "Carla")
    return HandRecord(tuple(Side(names[n], (), made) for n, made in enumerate(scope)))


def test_a_match_without_hands_stands_at_nothing() -> None:
    match = Match(Rules(), NAMES)
    assert (match.standings, match.totals, match.winner, match.counted) == ((), (0, 0), None, 0)
    with pytest.raises(MatchError, match=r"^no hand is recorded: there is nothing to undo$"):
        match.undo()
    with pytest.raises(MatchError, match="expected a hand from 0 to -1, got 0"):
        match.edit(0, hand(1, 1))


@pytest.mark.parametrize(
    "names",
    [(), ("Anna",), ("Anna", "Anna"), tuple("abcdefg")],
    ids=["none", "one", "same", "seven"],
)
def test_a_match_needs_two_to_six_different_names(names: tuple[str, ...]) -> None:
    came = ", ".join(names) or "none"
    with pytest.raises(MatchError, match=f"^expected 2 to 6 different names, got {came}$"):
        Match(Rules(), names)
    assert len(Match(Rules(), tuple("abcdef")).totals) == 6


def test_a_match_keeps_what_it_is_given_as_tuples() -> None:
    listed = HandRecord([*hand(1, 0).sides])  # type: ignore[arg-type]  # any sequence is taken
    match = Match(Rules(), [*NAMES], [listed])  # type: ignore[arg-type]
    assert match == Match(Rules(), NAMES, (hand(1, 0),))
    assert hash(match.hands) == hash((hand(1, 0),))


def test_a_hand_with_another_number_of_sides_is_refused() -> None:
    with pytest.raises(MatchError, match="hand 2: expected 2 sides, got 3"):
        Match(Rules(), NAMES).record(hand(1, 0)).record(hand(1, 0, 0))


@pytest.mark.parametrize("hand_no", [-1, 2])
def test_only_a_recorded_hand_can_be_edited(hand_no: int) -> None:
    match = Match(Rules(), NAMES, (hand(1, 0), hand(1, 0)))
    with pytest.raises(MatchError, match="expected a hand from 0 to 1"):
        match.edit(hand_no, hand(0, 0))


def test_the_names_of_the_match_are_spoken_of() -> None:
    match = Match(Rules(), ("Nord", "Sud"), (hand(1, 0),))
    assert match.score(0, lang="it").lines[-1].why == "scope: Nord 1"


def test_names_default_to_those_of_the_first_hand() -> None:
    data = {"rules": "escoba", "hands": [[{"name": "A", "pile": [], "scope": 0},
                                          {"name": "B", "pile": ["7d"], "scope": 2}]]}  # fmt: skip
    match = Match.from_dict(data)
    assert (match.names, match.totals) == (("A", "B"), (0, 6))


def test_hands_and_matches_are_told_in_plain_values_and_read_back() -> None:
    anna = Side("Anna", (Card.from_code("10s"), Card.from_code("7d")), 2, 1)
    facts = HandRecord((anna, Side("Bruno", ())), "k7", 1)
    told = {
        "sides": [
            {"name": "Anna", "pile": ["7d", "10s"], "scope": 2, "declared": 1},
            {"name": "Bruno", "pile": [], "scope": 0, "declared": 0},
        ],
        "id": "k7",
        "dealer": 1,
    }
    assert facts.to_dict() == told
    assert HandRecord.from_dict(told) == facts
    rules = Rules(declared=True)
    match = Match(rules, NAMES, (facts,))
    assert match.to_dict() == {"rules": rules.to_dict(), "names": [*NAMES], "hands": [told]}
    assert Match.from_dict(match.to_dict()) == match
    bare = HandRecord.from_dict([{"name": "Anna", "pile": [], "scope": 3}])
    assert bare == HandRecord((Side("Anna", (), 3),), "", None)
    assert HandRecord.from_dict({"sides": []}) == HandRecord(())
    with pytest.raises(InputError, match=r"^hand: expected a list"):
        HandRecord.from_dict(7)


def side(**changes: Any) -> dict[str, Any]:
    return {"name": "Anna", "pile": [], "scope": 0} | changes


BAD: list[tuple[Any, str]] = [
    (None, "match: expected"),
    ([], "match: expected"),
    ({"rules": "escoba"}, "match: expected"),
    ({"rules": "escoba", "hands": {}}, "match: expected"),
    ({"rules": "escoba", "hands": []}, "expected 2 to 6 different names, got none"),
    ({"rules": "escoba", "hands": [7]}, r"hands\[0\]: expected a list of .*, got 7"),
    ({"rules": "escoba", "hands": [{}]}, r"hands\[0\].sides: expected a list of .*got nothing"),
    ({"rules": "escoba", "hands": [[7]]}, r"hands\[0\]\[0\]: expected a mapping .*, got 7"),
    ({"rules": "escoba", "hands": [[side(name="")]]}, "name: expected the side's name, got ''"),
    ({"rules": "escoba", "hands": [[side(name=7)]]}, "name: expected the side's name, got 7"),
    (
        {"rules": "escoba", "hands": [[side(pile="7d")]]},
        "pile: expected a list of card codes, got '7d'",
    ),
    ({"rules": "escoba", "hands": [[side(pile=["x"])]]}, r"pile\[0\]: expected a card such as"),
    (
        {"rules": "escoba", "hands": [[side(scope=-1)]]},
        "scope: expected a whole number from 0 to 999",
    ),
    (
        {"rules": "escoba", "hands": [[side(scope=True)]]},
        "scope: expected a whole number from 0 to 999",
    ),
    ({"rules": "escoba", "hands": [[side(scope=None)]]}, "scope: .* got nothing"),
    ({"rules": "escoba", "hands": [[side(scope="x" * 58)]]}, r"got 'x{58}'$"),
    ({"rules": "escoba", "hands": [[side(scope="x" * 59)]]}, r"got 'x{56}\.\.\.$"),
    ({"rules": "escoba", "hands": [[side(declared=-1)]]}, r"hands\[0\]\[0\].declared: expected"),
    (
        {"rules": "escoba", "hands": [{"sides": [], "id": 7}]},
        r"hands\[0\].id: expected a text, got 7",
    ),
    ({"rules": "escoba", "hands": [{"sides": [], "dealer": "x"}]}, "dealer: expected a whole"),
    ({"rules": "escoba", "names": 7, "hands": []}, "names: expected a list of names, got 7"),
    ({"rules": "escoba", "names": [7, 8], "hands": []}, "names: expected a list of names"),
]


@pytest.mark.parametrize(("data", "message"), BAD, ids=[message for _, message in BAD])
def test_a_match_of_another_shape_is_refused(data: Any, message: str) -> None:
    with pytest.raises((InputError, MatchError), match=message) as caught:
        Match.from_dict(data)
    if isinstance(caught.value, InputError):
        assert caught.value.where
        assert str(caught.value).startswith(caught.value.where)


@pytest.mark.parametrize(
    ("rules", "hands", "expected"),
    [
        (Rules(), [], [11, 11]),
        (Rules(), [hand(7, 8)], [4, 3]),
        (Rules(), [hand(10, 2)], [1, 9]),
        (Rules(), [hand(14, 14)], [1, 1]),
        (Rules(), [hand(12, 12, 9)], [1, 1, 4]),
        (Rules(), [hand(11, 0)], []),
        (Rules(end=MatchEnd("last-hand")), [hand(7, 8)], [4, 3]),
        (Rules(end=MatchEnd("last-hand")), [hand(11, 10), hand(0, 0)], []),
        (Rules(end=MatchEnd("last-hand")), [hand(5, 10), hand(6, 6)], [1, 1]),
        (Rules(end=MatchEnd("counted")), [hand(7, 8)], [4, 3]),
        (Rules(perdere=True), [hand(7, 8)], [4, 3]),
        (Rules(perdere=True), [hand(11, 11)], [0, 0]),
    ],
)  # fmt: skip
def test_what_each_side_needs(rules: Rules, hands: list[HandRecord], expected: list[int]) -> None:
    names = ("Anna", "Bruno", "Carla")[: len(hands[0].sides) if hands else 2]
    found = needs(Match(rules, names, tuple(hands)))
    assert [need.points for need in found] == expected
    assert [need.side for need in found] == list(range(len(found)))


def test_after_a_tie_with_sudden_death_the_tied_need_the_first_point() -> None:
    match = Match(Rules(sudden_death=True), ("Anna", "Bruno", "Carla"), (hand(11, 11, 5),))
    assert [need.points for need in needs(match)] == [1, 1, 7]
    anna, _, carla = needs(match)
    assert anna.why == ("Anna wins with the first point counted that the others tied do not make")
    assert carla.why == "Carla wins this hand with 7 points or more, if that puts Carla ahead"
    assert needs(match, lang="it")[1].why.startswith("Bruno vince con il primo punto contato")
    for calm in (match.under(Rules()), Match(Rules(sudden_death=True), NAMES, (hand(10, 10),))):
        assert needs(calm)[0].why.endswith("if that puts Anna ahead")
    fresh = needs(Match(Rules(sudden_death=True), NAMES))
    assert [need.points for need in fresh] == [11, 11]


@pytest.mark.parametrize(
    ("settings", "lang", "why"),
    [
        ({}, "en", "Anna wins this hand with 1 point or more, if that puts Anna ahead"),
        ({}, "it", "Anna vince in questa mano con almeno 1 punto, se così è in testa"),
        ({"end": "last-hand"}, "en",
         "Anna wins this hand with 1 point or more, unless another there makes as many"),
        ({"end": "counted"}, "en",
         "Anna wins this hand with 1 point or more, if first across in the count"),
        ({"perdere": True}, "en",
         "Anna loses with 1 point or more this hand, unless another has more"),
    ],
)  # fmt: skip
def test_what_a_side_needs_is_said(settings: dict[str, Any], lang: str, why: str) -> None:
    match = Match(read_rules(settings), NAMES, (hand(10, 2),))
    assert needs(match, lang=lang)[0].why == why
    assert needs(match, lang=lang)[1].why == why.replace("Anna", "Bruno").replace(
        *("1 point", "9 points") if lang == "en" else ("1 punto", "9 punti")
    )
