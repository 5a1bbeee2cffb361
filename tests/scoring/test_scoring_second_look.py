"""Faults that a review of the scorer found."""

import io
import json
import sys
from typing import Any

import pytest

from scoring.cards import DECK, Card
from scoring.cli import main
from scoring.errors import DoubtError, InputError
from scoring.hand import Side, score_hand
from scoring.match import Match
from scoring.record import HandRecord
from scoring.rules import MissingSuit, Rules
from scoring.uncertain import Doubt, UncertainHand, analyse


def hand(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "pile": [], "scope": place} for place, name in enumerate(names)]


@pytest.mark.parametrize("names", [("Bruno", "Ana"), ("Bruno", "Bruno"), ("X", "X")])
def test_a_hand_that_names_some_other_sides_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"hands\[1\]: expected the sides Anna, Bruno"):
        Match.from_dict({"rules": "silver-lake", "hands": [hand("Anna", "Bruno"), hand(*names)]})


def test_quite_other_names_mean_the_sides_in_their_order() -> None:
    match = Match.from_dict(
        {"rules": "silver-lake", "names": ["Anna", "Bruno"], "hands": [hand("X", "Y")]}
    )
    assert match.totals == (0, 1)


@pytest.mark.parametrize(("seat", "turned"), [(0, 1), (1, 0), (2, 3), (3, 2)])
def test_the_dealers_seat_goes_with_its_side(seat: int, turned: int) -> None:
    facts = HandRecord((Side("A", ()), Side("B", ())), dealer=seat)
    assert facts.seated_as(["B", "A"]).dealer == turned


def test_a_card_that_is_nobodys_counts_once_and_lies_in_no_pile() -> None:
    six, seven = Card.from_code("6d"), Card.from_code("7d")
    others = [card for card in DECK if card not in {six, seven}]
    sides = (Side("Anna", tuple(others[:19])), Side("Bruno", tuple(others[19:])))
    once, twice = (
        analyse(UncertainHand(sides=sides, absent=(seven,) * n), Rules()) for n in (1, 2)
    )
    assert once == twice
    assert not once.settled
    lies = UncertainHand(sides=(Side("Anna", (seven,)), sides[1]), absent=(seven,))
    with pytest.raises(DoubtError, match="said to be in none"):
        analyse(lies, Rules())
    doubt = Doubt("a", 0, {six: 0.5, seven: 0.5})
    told = analyse(UncertainHand(sides=sides, doubts=(doubt,), absent=(seven,)), Rules())
    assert told.settled, "it can be the six alone"


def test_a_prime_that_loses_for_want_of_a_suit_says_so() -> None:
    rules = Rules(missing_suit=MissingSuit.LOSES)
    piles = (["10d", "10c", "10s", "10b"], ["7d", "7c", "7s"])
    sides = [
        Side(name, tuple(map(Card.from_code, pile)))
        for name, pile in zip(("Anna", "Bruno"), piles, strict=True)
    ]
    [why] = [line.why for line in score_hand(sides, rules).lines if line.point == "primiera"]
    assert why.endswith("against Bruno, who lacks bastoni")


def test_declared_points_are_counted_before_scope() -> None:
    sides = [Side("Anna", (), 0, 1), Side("Bruno", (), 1)]
    lines = score_hand(sides, Rules(declared=True)).lines
    made = [line.point for line in lines if line.amount]
    assert made == ["declared", "scope"]


@pytest.mark.parametrize("depth", [900, 985, 987, 1000, 5000])
def test_lists_within_lists_are_refused_in_one_line(
    depth: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '{"sides":[],"rules":{"captures":' + "[" * depth + "]" * depth + "}}"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["score", "-"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_standard_input_is_utf8_whatever_the_system_thinks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [{"name": "Zoë", "pile": ["7♦"], "scope": 0}, {"name": "Bo", "pile": [], "scope": 0}]
    data = json.dumps({"rules": "silver-lake", "sides": sides}, ensure_ascii=False).encode(
        "utf-8-sig"
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="latin-1"))
    assert main(["score", "-"]) == 0
    assert "settebello: Zoë has 7d" in capsys.readouterr().out
