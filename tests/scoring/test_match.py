"""Matches as facts: recording, editing, reading and writing, what each side needs."""

from dataclasses import replace
from typing import Any

import pytest
from hand_scoring import NAMES, card, hand

from scoring.errors import InputError, MatchError, RulesError
from scoring.explain import explain
from scoring.hand import Side
from scoring.match import Match, needs
from scoring.presets import read_rules
from scoring.record import HandRecord
from scoring.rules import Rules

TWO = NAMES[:2]


def test_a_match_without_hands_has_no_points() -> None:
    match = Match(Rules(), TWO)
    assert (match.standings, match.totals, match.winner, match.counted) == ((), (0, 0), None, 0)
    with pytest.raises(MatchError, match="expected a hand from 0 to -1, got 0"):
        match.edit(0, hand(1, 1))


@pytest.mark.parametrize("names", [(), ("Anna",), ("Anna", "Anna"), tuple("abcdefg")])
def test_a_match_needs_two_to_six_different_names(names: tuple[str, ...]) -> None:
    came = ", ".join(names) or "none"
    with pytest.raises(MatchError, match=f"^expected 2 to 6 different names, got {came}$"):
        Match(Rules(), names)
    assert len(Match(Rules(), tuple("abcdef")).totals) == 6


def test_a_match_keeps_what_it_is_given_as_tuples() -> None:
    listed = HandRecord([*hand(1, 0).sides])  # type: ignore[arg-type]  # any sequence is taken
    match = Match(Rules(), [*TWO], [listed])  # type: ignore[arg-type]
    assert match == Match(Rules(), TWO, (hand(1, 0),))
    assert hash(match.hands) == hash((hand(1, 0),))


def test_what_does_not_fit_the_match_is_refused() -> None:
    match = Match(Rules(), TWO, (hand(1, 0), hand(1, 0)))
    with pytest.raises(MatchError, match="hand 3: expected 2 sides, got 3"):
        match.record(hand(1, 0, 0))
    for hand_no in (-1, 2):
        with pytest.raises(MatchError, match="expected a hand from 0 to 1"):
            match.edit(hand_no, hand(0, 0))


def test_hands_and_matches_are_plain_values_and_read_back() -> None:
    facts = HandRecord((Side("Anna", (card("10s"), card("7d")), 2, 1), Side("Bruno", ())), "k7", 1)
    plain = {
        "sides": [
            {"name": "Anna", "pile": ["7d", "10s"], "scope": 2, "declared": 1},
            {"name": "Bruno", "pile": [], "scope": 0, "declared": 0},
        ],
        "id": "k7",
        "dealer": 1,
    }
    assert facts.to_dict() == plain
    assert HandRecord.from_dict(plain) == facts
    rules = Rules(declared=True)
    match = Match(rules, TWO, (facts,))
    assert match.to_dict() == {"rules": rules.to_dict(), "names": [*TWO], "hands": [plain]}
    assert Match.from_dict(match.to_dict()) == match
    bare = HandRecord.from_dict([{"name": "Anna", "pile": [], "scope": 3}])
    assert bare == HandRecord((Side("Anna", (), 3),), "", None)
    assert HandRecord.from_dict({"sides": []}) == HandRecord(())
    with pytest.raises(InputError, match=r"^hand: expected a list"):
        HandRecord.from_dict(7)


def side(**changes: Any) -> dict[str, Any]:
    return {"name": "Anna", "pile": [], "scope": 0} | changes


def named(*names: str) -> list[dict[str, Any]]:
    """Return a hand of sides with these names, with as many scope as sides before."""
    return [side(name=name, scope=place) for place, name in enumerate(names)]


def test_names_default_to_those_of_the_first_hand() -> None:
    match = Match.from_dict({"rules": "escoba", "hands": [named("A", "B")]})
    assert (match.names, match.totals) == (("A", "B"), (0, 1))
    ours = Match(Rules(), ("Nord", "Sud"), (hand(1, 0),))
    assert explain(ours.score(0).lines[-1], ours.names, lang="it") == "scope: Nord 1"


OTHERS = [("Bruno", "Ana"), ("Bruno", "Bruno"), ("X", "X"), ("X", "Y"), ("Anna", "Bruno Rossi")]


@pytest.mark.parametrize("names", OTHERS)
def test_a_hand_of_other_sides_is_refused(names: tuple[str, ...]) -> None:
    data = {"rules": "silver-lake", "hands": [named("Anna", "Bruno"), named(*names)]}
    with pytest.raises(InputError, match=r"hands\[1\]: expected the sides Anna, Bruno, got"):
        Match.from_dict(data)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Anna", "Bruno"), ("BRUNO", "anna")),
        (("Anna", "Bruno"), ("\uff22runo ", "Anna")),  # a wide B
        (("Anna", "Zo\u00eb"), ("Zoe\u0308", "ANNA")),
        (("Anna", "İpek"), ("ipek", "Anna")),
        (("Irmak", "Anna"), ("Anna", "ırmak")),
        (("Strauß", "Anna"), ("Anna", "STRAUSS")),
        (("ANNA", "Anna"), ("Anna", "ANNA")),  # two that differ in nothing else
    ],
)
def test_order_of_sides_in_a_hand_does_not_matter(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    data = {"rules": "silver-lake", "hands": [named(*first), named(*second)]}
    match = Match.from_dict(data)
    assert (match.names, match.totals) == (first, (1, 1))
    assert [side.name for side in match.hands[1].sides] == [*first]


def test_a_match_of_sides_that_its_rules_do_not_know_is_refused() -> None:
    data = {"rules": "scopone-scientifico", "hands": [named("Anna", "Bruno", "Carla")]}
    with pytest.raises(RulesError, match="seatings: scopone-scientifico is for 2 sides, got 3"):
        Match.from_dict(data)
    for count in range(2, 7):
        known = {"rules": "silver-lake", "hands": [named(*NAMES[:count])]}
        assert Match.from_dict(known).names == NAMES[:count]


@pytest.mark.parametrize(("seat", "turned"), [(0, 1), (1, 0), (2, 3), (3, 2)])
def test_the_dealers_seat_goes_with_its_side(seat: int, turned: int) -> None:
    facts = HandRecord((Side("A", ()), Side("B", ())), dealer=seat)
    assert facts.seated_as(["B", "A"]).dealer == turned


def in_hand(given: Any) -> dict[str, Any]:
    return {"rules": "escoba", "hands": [given]}


BAD: list[tuple[Any, str]] = [
    (None, "match: expected"),
    ([], "match: expected"),
    ({"rules": "escoba"}, "match: expected"),
    ({"rules": "escoba", "hands": {}}, "match: expected"),
    ({"rules": "escoba", "hands": []}, "expected 2 to 6 different names, got none"),
    ({"rules": "escoba", "names": 7, "hands": []}, "names: expected a list of names, got 7"),
    ({"rules": "escoba", "names": [7, 8], "hands": []}, "names: expected a list of names"),
    (in_hand(7), r"hands\[0\]: expected a list of .*, got 7"),
    (in_hand({}), r"hands\[0\].sides: expected a list of .*got nothing"),
    (in_hand([7]), r"hands\[0\]\[0\]: expected a mapping .*, got 7"),
    (in_hand([side(name="")]), "name: expected the side's name, got ''"),
    (in_hand([side(name=7)]), "name: expected the side's name, got 7"),
    (in_hand([side(pile="7d")]), "pile: expected a list of card codes, got '7d'"),
    (in_hand([side(pile=["x"])]), r"pile\[0\]: expected a card such as"),
    (in_hand([side(scope=-1)]), "scope: expected a whole number from 0 to 999"),
    (in_hand([side(scope=True)]), "scope: expected a whole number from 0 to 999"),
    (in_hand([side(scope=None)]), "scope: .* got nothing"),
    (in_hand([side(scope="x" * 58)]), r"got 'x{58}'$"),
    (in_hand([side(scope="x" * 59)]), r"got 'x{56}\.\.\.$"),
    (in_hand([side(counted=["carte"])]), "counted: expected figures by"),
    (in_hand([side(counted={"carte": -1})]), "counted: expected a whole"),
    (in_hand([side(declared=-1)]), r"hands\[0\]\[0\].declared: expected"),
    (in_hand({"sides": [], "id": 7}), r"hands\[0\].id: expected a text, got 7"),
    (in_hand({"sides": [], "dealer": "x"}), "dealer: expected a whole"),
]


@pytest.mark.parametrize(("data", "message"), BAD, ids=[message for _, message in BAD])
def test_a_match_of_another_shape_is_refused(data: Any, message: str) -> None:
    with pytest.raises((InputError, MatchError), match=message) as caught:
        Match.from_dict(data)
    if isinstance(caught.value, InputError):
        assert caught.value.where
        assert str(caught.value).startswith(caught.value.where)


@pytest.mark.parametrize(
    ("settings", "hands", "expected"),
    [
        ({}, [], [11, 11]),
        ({}, [hand(7, 8)], [4, 3]),
        ({}, [hand(10, 2)], [1, 9]),
        ({}, [hand(14, 14)], [1, 1]),
        ({}, [hand(12, 12, 9)], [1, 1, 4]),
        ({}, [hand(11, 0)], []),
        ({"end": "last-hand"}, [hand(7, 8)], [4, 3]),
        ({"end": "last-hand"}, [hand(11, 10), hand(0, 0)], []),
        ({"end": "last-hand"}, [hand(5, 10), hand(6, 6)], [1, 1]),
        ({"end": "counted"}, [hand(7, 8)], [4, 3]),
        ({"perdere": True}, [hand(7, 8)], [4, 3]),
        ({"perdere": True}, [hand(11, 11)], [0, 0]),
        ({"sudden_death": True}, [], [11, 11]),
        ({"sudden_death": True}, [hand(11, 11, 5)], [1, 1, 7]),
    ],
)
def test_what_each_side_needs(
    settings: dict[str, Any], hands: list[HandRecord], expected: list[int]
) -> None:
    names = NAMES[: len(hands[0].sides) if hands else 2]
    found = needs(Match(read_rules(settings), names, tuple(hands)))
    assert [need.points for need in found] == expected
    assert [need.side for need in found] == list(range(len(found)))


@pytest.mark.parametrize(
    ("settings", "lang", "why"),
    [
        ({}, "en", "{0} wins this hand with {1} or more, if that puts {0} ahead"),
        ({"sudden_death": True}, "en",
         "{0} wins this hand with {1} or more, if that puts {0} ahead"),
        ({}, "it", "{0} vince in questa mano con almeno {1}, se così è in testa"),
        ({"end": "last-hand"}, "en",
         "{0} wins this hand with {1} or more, unless another there makes as many"),
        ({"end": "counted"}, "en",
         "{0} wins this hand with {1} or more, if first across in the count"),
        ({"perdere": True}, "en",
         "{0} loses with {1} or more this hand, unless another has more"),
    ],
)  # fmt: skip
def test_what_a_side_needs_is_a_sentence(settings: dict[str, Any], lang: str, why: str) -> None:
    points = ("1 point", "9 points") if lang == "en" else ("1 punto", "9 punti")
    found = needs(Match(read_rules(settings), TWO, (hand(10, 2),)), lang=lang)
    assert [need.why for need in found] == [*map(why.format, TWO, points)]


def test_sudden_death_after_a_tie_needs_one_point() -> None:
    match = Match(Rules(sudden_death=True), NAMES[:3], (hand(11, 11, 5),))
    anna, _, carla = needs(match)
    assert anna.why == "Anna wins with the first point counted that the others tied do not make"
    assert carla.why == "Carla wins this hand with 7 points or more, if that puts Carla ahead"
    assert needs(match, lang="it")[1].why.startswith("Bruno vince con il primo punto contato")
    assert needs(replace(match, rules=Rules()))[0].why.endswith("if that puts Anna ahead")
