"""What the rules say of one card played: every capture, whether it is a scopa, and why."""

from typing import Any

import pytest

from scoring.captures import Ruling, legal_captures, may_lay, rule_on
from scoring.cards import Card
from scoring.errors import PlayError
from scoring.presets import PRESETS
from scoring.rules import Aces, Captures, Forced, Rules


def ruled(table: str, played: str, *, last_card: bool = False, **settings: Any) -> Ruling:
    lying = [Card.from_code(code) for code in table.split()]
    rules = Rules().changed(**settings)
    return rule_on(lying, Card.from_code(played), rules=rules, last_card=last_card)


def taken(ruling: Ruling) -> list[str]:
    return [" ".join(card.code for card in way.taken) for way in ruling.ways]


@pytest.mark.parametrize(
    ("table", "played", "settings", "ways", "why"),
    [
        ("", "7d", {}, [], "the table is empty"),
        ("3c", "7d", {}, [], "nothing on the table fits"),
        ("7c 5s 2b", "7d", {}, ["7c"], "only where there is none"),
        ("7c 5s 2b", "7d", {"captures": Captures.FREE}, ["7c", "5s 2b"], "as you like"),
        ("7c 7s", "7d", {}, ["7c", "7s"], "the player picks one"),
        ("8c", "7d", {"captures": Captures.FIFTEEN}, ["8c"], "make fifteen"),
        ("3c 5s", "1d", {"aces": Aces.SWEEP}, ["3c 5s"], "an ace takes the whole table"),
    ],
    ids=[
        "empty",
        "nothing",
        "single first",
        "free",
        "two singles",
        "fifteen",
        "an ace that sweeps",
    ],
)
def test_a_ruling_lists_the_captures_and_says_why(
    table: str, played: str, settings: dict[str, Any], ways: list[str], why: str
) -> None:
    ruling = ruled(table, played, **settings)
    assert taken(ruling) == ways
    assert why in " | ".join(ruling.why)


def test_a_ruling_names_the_sums_that_wait_for_the_single_card() -> None:
    ruling = ruled("7c 5s 2b", "7d")
    assert [[card.code for card in cards] for cards in ruling.barred] == [["5s", "2b"]]
    assert not ruled("7c 5s 2b", "7d", captures=Captures.FREE).barred
    assert not ruled("5s 2b", "7d").barred


@pytest.mark.parametrize(
    ("last_card", "counts", "is_scopa"),
    [(False, False, True), (True, False, False), (True, True, True)],
    ids=["in mid-hand", "the last card", "the last card counts"],
)
def test_a_ruling_says_whether_it_is_a_scopa(last_card: bool, counts: bool, is_scopa: bool) -> None:
    ruling = ruled("5s 2b", "7d", last_card=last_card, last_card_scopa=counts)
    assert [way.is_scopa for way in ruling.ways] == [is_scopa]
    assert ("the last card makes no scopa" in ruling.why) is (last_card and not counts)


@pytest.mark.parametrize("forced", Forced)
def test_a_ruling_says_whether_the_card_may_be_laid(forced: Forced) -> None:
    assert ruled("5s 2b", "7d", forced=forced).may_lay is (forced is not Forced.ALWAYS)
    assert ruled("", "7d", forced=forced).may_lay


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruling_is_what_the_rules_of_captures_say(preset: str) -> None:
    rules = PRESETS[preset]
    table = [Card.from_code(code) for code in ("1c", "7c", "5s", "2b", "8d")]
    for code in ("7d", "1d", "8s", "10b", "3c"):
        card = Card.from_code(code)
        ruling = rule_on(table, card, rules=rules)
        assert tuple(way.taken for way in ruling.ways) == legal_captures(table, card, rules=rules)
        assert ruling.may_lay is may_lay(table, card, rules=rules)
        assert ruling.why


def test_a_ruling_refuses_a_card_that_is_there_twice() -> None:
    with pytest.raises(PlayError):
        ruled("7d", "7d")
