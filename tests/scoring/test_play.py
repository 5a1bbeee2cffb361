"""Clauses 1.x and 2.x of docs/rules.md: deal, captures and play."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hand_scoring import NAMES, card, cards, codes, without

from scoring.captures import Ruling, is_scopa, legal_captures, may_lay, rule_on
from scoring.cards import DECK, Card, parse_card
from scoring.check import check_piles
from scoring.errors import PlayError
from scoring.play import (
    Move,
    Play,
    deal_fault,
    deal_ruling,
    dealer_of,
    deals,
    dealt_scope,
    declared_points,
    next_seat,
    random_hand,
    random_play,
    start_play,
)
from scoring.presets import PRESETS
from scoring.rules import Aces, Captures, DealtFifteen, FirstAce, Forced, Rules

TWO = NAMES[:2]


def taken(table: str, played: str, rules: Rules) -> list[str]:
    return [codes(capture) for capture in legal_captures(cards(table), card(played), rules=rules)]


def play(hands: tuple[str, str], table: str, rules: Rules | None = None, **state: Any) -> Play:
    """Return a hand of two in progress; Anna's turn, no card left to deal."""
    start: dict[str, Any] = {
        "rules": rules or Rules(), "names": TWO, "dealer": 0, "turn": 0,
        "hands": (cards(hands[0]), cards(hands[1])), "table": cards(table), "stock": (),
        "piles": ((), ()), "scope": (0, 0),
    }  # fmt: skip
    return Play(**(start | state))


def moves(rules: Rules, table: str, held: str) -> set[str]:
    return {f"{move.card}:{codes(move.taken)}" for move in play((held, "10b"), table, rules).moves}


# ---- the deal


def test_rule_1_1() -> None:
    assert len(DECK) == 40
    assert [int(card.rank) for card in DECK[:10]] == list(range(1, 11))
    assert (str(DECK[6]), str(DECK[29])) == ("7d", "10s")


def test_rule_1_2() -> None:
    assert {parse_card(text).code for text in ("queen of diamonds", "cavallo di denari")} == {"9d"}


@pytest.mark.parametrize(("players", "times"), [(2, 6), (3, 4), (4, 3), (6, 2)])
def test_rule_1_3(players: int, times: int) -> None:
    assert deals(Rules(), players=players) == times
    sizes = []
    for step in random_play(Rules(), Random(1), names=NAMES[:players]):
        assert len(step.hands) == players
        if {len(held) for held in step.hands} == {3}:
            sizes.append(len(step.stock))
    assert sizes == [36 - 3 * players * (deal + 1) for deal in range(times)]


KINGS = "{} kings among the first 4 table cards: no scopa could be made, deal again"
DEALS: list[tuple[str, Rules, str | None]] = [
    ("", Rules(), "4 cards go on the table first, 0 lie there"),
    ("", PRESETS["scopone-scientifico"], None),
    ("1d", PRESETS["scopone-scientifico"], "0 cards go on the table first, 1 lie there"),
    ("10d 10c 1s 2b", Rules(), None),
    ("10d 10c 10s 2b", Rules(), KINGS.format(3)),
    ("10d 10c 10s 10b", Rules(), KINGS.format(4)),
    ("10d 10c 10s 2b", Rules(void_kings=4), None),
    ("10d 10c 10s 10b", Rules(void_kings=0), None),
    # Where fives or sweeping aces take a king, kings bar no scopa.
    ("10d 10c 10s 2b", PRESETS["escoba"], None),
    ("10d 10c 10s 2b", Rules(captures=Captures.FIFTEEN), None),
    ("10d 10c 10s 2b", Rules(captures=Captures.VALUE_OR_FIFTEEN), None),
    ("10d 10c 10s 2b", Rules(aces=Aces.SWEEP), None),
    ("10d 10c 10s 2b", Rules(aces=Aces.SWEEP_SCOPA), None),
    ("10d 10c 10s 2b", Rules(captures=Captures.FREE), KINGS.format(3)),
]


@pytest.mark.parametrize(("table", "rules", "why"), DEALS)
def test_rule_1_4(table: str, rules: Rules, why: str | None) -> None:
    assert deal_fault(cards(table), rules) == why
    assert (deal_fault(cards(table), rules, lang="it") is None) == (why is None)


CIRULLA = Rules(
    captures=Captures.VALUE_OR_FIFTEEN, aces=Aces.SWEEP_SCOPA, ace_takes_ace=True, void_aces=2,
    dealt_fifteen=DealtFifteen.DEALER,
)  # fmt: skip


@pytest.mark.parametrize(
    ("table", "least", "why"),
    [
        ("1c 1s 5d 9b", 2, "2 aces among the first 4 table cards: deal again"),
        ("1c 1s 1d 9b", 2, "3 aces among the first 4 table cards: deal again"),
        ("1c 2s 5d 9b", 2, None),
        ("1c 2s 5d 9b", 1, "1 ace among the first 4 table cards: deal again"),
        ("1c 1s 5d 9b", 0, None),
        ("1c 1s 5d 8b", 2, None),  # fifteen go before
    ],
)
def test_rule_1_8(table: str, least: int, why: str | None) -> None:
    assert deal_fault(cards(table), CIRULLA.changed(void_aces=least)) == why


def test_the_matta_makes_a_first_table_of_fifteen() -> None:
    cirulla = PRESETS["cirulla"]
    assert dealt_scope(cards("7c 2s 1b 3d"), cirulla) == 1
    assert dealt_scope(cards("7c 10s 9b 8d"), cirulla) == 2
    assert dealt_scope(cards("7c 2s 1b 3d"), cirulla.changed(matta=False)) == 0
    assert dealt_scope(cards("7c 1s 1b 1d"), cirulla) == 0, "3 and a card of ten at most"


@pytest.mark.parametrize(
    ("held", "points"),
    [("", 0), ("7c 2d", 0), ("7c 2d 2s", 10), ("7c 4d 3s", 3), ("4c 4d 4s", 10), ("2d 3c 4s", 3),
     ("2d 3c 5s", 0), ("7c 8d 8s", 10), ("7s 7d 2d", 0), ("7c 5d 4d", 0), ("7c 5d 3d", 3)],
)  # fmt: skip
def test_rule_3_29(held: str, points: int) -> None:
    cirulla = PRESETS["cirulla"]
    assert declared_points(cards(held), cirulla) == points
    assert declared_points(cards(held), Rules(declared=True)) == 0
    if "7c" in held:
        assert declared_points(cards(held), cirulla.changed(matta=False)) == 0


TAKEN = "the first table cards make {}: the {} takes them, {} {}"
DEALT: list[tuple[str, Rules, int, str]] = [
    ("1c 1s 5d 8b", CIRULLA, 1, TAKEN.format(15, "dealer", 1, "scopa")),
    ("10d 9c 8s 3b", CIRULLA, 2, TAKEN.format(30, "dealer", 2, "scope")),
    ("7d 5c 2s 1b", Rules(captures=Captures.FIFTEEN, dealt_fifteen=DealtFifteen.FIRST), 1,
     TAKEN.format(15, "first player", 1, "scopa")),
    ("10d 5c 8s 7b", Rules(captures=Captures.FIFTEEN, dealt_fifteen=DealtFifteen.FIRST), 2,
     TAKEN.format(30, "first player", 2, "scope")),
    # By captures to fifteen alone, thirty must be two fifteens.
    ("10d 9c 8s 3b", Rules(captures=Captures.FIFTEEN, dealt_fifteen=DealtFifteen.FIRST), 0,
     "the deal is fine"),
    ("7d 5c 2s 1b", PRESETS["escoba"], 0, "the deal is fine"),
    ("7d 5c 2s 2b", CIRULLA, 0, "the deal is fine"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "rules", "scope", "why"), DEALT)
def test_rule_1_9(table: str, rules: Rules, scope: int, why: str) -> None:
    lying = cards(table)
    assert deal_ruling(lying, rules) == (True, why)
    play = start_play([*lying, *without(table)], rules, names=TWO, dealer=1)
    taker = 1 if rules.dealt_fifteen is DealtFifteen.DEALER else 0
    if scope:
        assert (play.scope[taker], set(play.piles[taker])) == (scope, set(lying))
        assert (play.table, play.last_taker, play.turn) == ((), taker, 0)
    else:
        assert (play.scope, play.table, play.last_taker) == ((0, 0), lying, None)


def test_rule_1_11() -> None:
    rules = Rules(aces=Aces.SWEEP, hand_cards=9, seatings=((2, 2),))
    deck = [*cards("3d 1s 5c 9b"), *cards("1d 7c 8c"), *without("3d 1s 5c 9b 1d 7c 8c")]

    def first(ace: FirstAce) -> set[str]:
        play = start_play(deck, rules.changed(first_ace=ace), names=TWO, team=2, dealer=3)
        return {codes(move.taken) for move in play.moves if move.card == card("1d")}

    assert first(FirstAce.ANY) == {"3d 5c 1s 9b"}
    assert first(FirstAce.BARRED) == set()
    assert first(FirstAce.TAKES_ACE) == {""}
    own = rules.changed(first_ace=FirstAce.TAKES_ACE, ace_takes_ace=True)
    play = start_play(deck, own, names=TWO, team=2, dealer=3)
    assert Move(card("1d"), cards("1s")) in play.moves
    later = play.played(Move(card("7c")))
    assert later.moves
    last = replace(later, hands=(cards("1c"), *later.hands[1:]), turn=0)
    assert [move.card for move in last.moves] == [card("1c")]


def test_why_a_deal_is_void_is_said_in_italian_too() -> None:
    assert deal_fault((), Rules(), lang="it") == "sul tavolo vanno prima 4 carte, ce ne sono 0"
    kings = deal_fault(cards("10d 10c 10s 2b"), Rules(), lang="it")
    assert str(kings).startswith("3 re tra le prime 4 carte in tavola")
    aces = deal_fault(cards("1c 1s 5d 9b"), CIRULLA, lang="it")
    assert aces == "2 assi tra le prime 4 carte in tavola: si ridà"
    assert deal_ruling(cards("10d 9c 8s 3b"), CIRULLA, lang="it") == (
        True, "le prime carte in tavola fanno 30: le prende chi ha dato, 2 scope",
    )  # fmt: skip


def test_a_card_that_is_there_twice_is_refused() -> None:
    seven = card("7b")
    with pytest.raises(PlayError, match="10d is there twice"):
        deal_fault(cards("10d 10d"), Rules())
    with pytest.raises(PlayError, match="7b is there twice"):
        is_scopa((seven,), seven, taken=(), rules=Rules(), last_card=False)
    with pytest.raises(PlayError, match="7b is there twice"):
        legal_captures((seven,), seven, rules=Rules())
    with pytest.raises(PlayError, match="1c is there twice"):
        may_lay(cards("1c 1c"), seven, rules=Rules())
    with pytest.raises(PlayError):
        rule_on((seven,), seven, rules=Rules())


def test_rule_1_5() -> None:
    left = Rules(clockwise=True)
    assert [next_seat(seat, Rules(), players=3) for seat in range(3)] == [1, 2, 0]
    assert [next_seat(seat, left, players=3) for seat in range(3)] == [2, 0, 1]
    assert [dealer_of(hand, Rules(), first=2, players=3) for hand in range(4)] == [2, 0, 1, 2]
    assert [dealer_of(hand, left, first=0, players=3) for hand in range(3)] == [0, 2, 1]
    assert start_play(DECK, Rules(), names=NAMES[:3], dealer=2).turn == 0
    assert start_play(DECK, left, names=NAMES[:3], dealer=0).turn == 2


def test_rule_1_6() -> None:
    *_, last = random_play(Rules(), Random(3), names=("North", "East"), team=3)
    assert (len(last.hands), len(last.piles)) == (6, 2)
    mates = play(("", ""), "3d", turn=2)
    mates = replace(mates, hands=((), (), cards("3c"), cards("1c")))
    after = mates.played(Move(card("3c"), cards("3d")))
    assert (after.turn, after.piles) == (3, (cards("3d 3c"), ()))
    with pytest.raises(PlayError, match="do not deal out evenly for 5"):
        deals(Rules(), players=5)
    fives = Rules(hand_cards=4, table_cards=0, void_kings=0, seatings=((5, 1),))
    assert deals(fives, players=5) == 2
    assert Rules().for_sides(5) == fives
    for sides in (2, 3, 4, 6):
        assert Rules().for_sides(sides) == Rules()
    assert PRESETS["scopone-scientifico"].for_sides(5) is None


def test_rule_1_7() -> None:
    scopone = Rules(hand_cards=9, seatings=((2, 2),)), 4, 9
    for rules, on_table, each in (scopone, (PRESETS["scopone-scientifico"], 0, 10)):
        first = next(random_play(rules, Random(1), names=("North", "East"), team=2))
        assert (len(first.table), [*map(len, first.hands)]) == (on_table, [each] * 4)
        assert first.stock == ()
    with pytest.raises(PlayError, match=r"^10 cards each and 0 on the table do not deal out even"):
        deals(PRESETS["scopone-scientifico"], players=6)


# ---- captures


@pytest.mark.parametrize(
    ("table", "found"), [("", []), ("2c 3c", []), ("7c", ["7c"]), ("7c 7s 2d", ["7c", "7s"])]
)
def test_rule_2_1(table: str, found: list[str]) -> None:
    assert taken(table, "7b", Rules()) == found


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("1c 5c 6s", ["1c 6s"]),
        ("1c 6s 7c", ["7c"]),
        ("1d 2c 3s 4b 6s", ["1d 6s", "3s 4b", "1d 2c 4b"]),
    ],
)
def test_rule_2_2(table: str, found: list[str]) -> None:
    assert taken(table, "7b", Rules()) == found


def test_rule_2_3() -> None:
    assert taken("1c 6s 7c", "7b", Rules(captures=Captures.FREE)) == ["7c", "1c 6s"]


@pytest.mark.parametrize(
    ("table", "played", "found"),
    [
        ("", "7b", []), ("7c", "7b", []), ("8d", "7b", ["8d"]),
        ("5c 3c 8d", "7b", ["8d", "3c 5c"]), ("5c", "10b", ["5c"]),
    ],
)  # fmt: skip
def test_rule_2_4(table: str, played: str, found: list[str]) -> None:
    assert taken(table, played, PRESETS["escoba"]) == found


def test_rule_2_5() -> None:
    rules = Rules(captures=Captures.VALUE_OR_FIFTEEN)
    assert taken("7c 8d 1c 6s", "7b", rules) == ["8d", "7c", "1c 7c", "1c 6s"]
    assert taken("", "7b", rules) == []


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "american-sevens"])
def test_rule_2_6(name: str) -> None:
    to_fifteen = PRESETS[name].captures is Captures.FIFTEEN
    table, pair = ("8c", "3c 5c") if to_fifteen else ("7c", "3c 4c")
    if name == "escoba-brazil":
        table, pair = "9c", "3c 5c"
    assert moves(PRESETS[name], table, "7b 2b") == {f"7b:{table}", "2b:"}
    assert moves(PRESETS[name], pair, "7b") == {f"7b:{pair}"}


def test_rule_2_7() -> None:
    assert moves(Rules(forced=Forced.NEVER), "7c", "7b 2b") == {"7b:7c", "7b:", "2b:"}


def test_rule_2_8() -> None:
    american = PRESETS["american-sevens"]
    assert moves(american, "7c 3c 4c", "7b") == {"7b:7c"}
    assert moves(american, "3c 4c", "7b") == {"7b:3c 4c", "7b:"}


@pytest.mark.parametrize("forced", Forced)
def test_a_card_that_takes_nothing_may_always_be_laid(forced: Forced) -> None:
    for table in ("", "2c"):
        assert may_lay(cards(table), card("7b"), rules=Rules(forced=forced))


@pytest.mark.parametrize("aces", [Aces.SWEEP, Aces.SWEEP_SCOPA])
def test_rule_2_9(aces: Aces) -> None:
    rules, ace, lying, one = Rules(aces=aces), card("1b"), cards("5c 10d"), cards("1s")
    assert taken("", "1b", rules) == []
    assert may_lay((), ace, rules=rules)
    assert taken("5c 10d 1s", "1b", rules) == ["10d 5c 1s"]
    assert taken("5c 10d", "2b", rules) == []
    swept = is_scopa(lying, ace, taken=lying, rules=rules, last_card=False)
    assert swept == (aces is Aces.SWEEP_SCOPA)
    assert is_scopa(one, ace, taken=one, rules=rules, last_card=False)


def test_rule_2_10() -> None:
    rules = Rules(aces=Aces.SWEEP, ace_takes_ace=True)
    assert taken("5c 1d 1s", "1b", rules) == ["1d", "1s"]
    assert taken("5c 6d", "1b", rules) == ["6d 5c"]


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("1c 10s 3b", ["1c", "1c 10s 3b"]),
        ("10s 4b", ["10s 4b"]),
        ("1c 10s 4b", ["1c", "10s 4b"]),
        ("1c 10s 2b", ["1c"]),
        ("1c", ["1c"]),
    ],
)
def test_rule_2_14(table: str, found: list[str]) -> None:
    assert taken(table, "1d", CIRULLA) == found
    everything = cards(table)
    if table == found[-1]:
        assert is_scopa(everything, card("1d"), taken=everything, rules=CIRULLA, last_card=False)
    ruling = rule_on(everything, card("1d"), rules=CIRULLA)
    fifteens = "a card takes its value, a sum of it, or cards that make fifteen with it"
    assert (fifteens in ruling.why) is (len(found) > 1)
    by_value = CIRULLA.changed(captures=Captures.FREE, dealt_fifteen=DealtFifteen.NOBODY)
    assert taken("1c 10s 3b", "1d", by_value) == ["1c"]


@pytest.mark.parametrize(
    ("table", "played", "settings", "found"),
    [
        ("1c 4s 1s 2d 8s 8d", "10b", {}, ["2d 8d", "2d 8s"]),
        ("1c 3s 4d", "4b", {}, ["4d"]),
        ("1c 3s 4d", "4b", {"captures": "free"}, ["4d"]),
        ("1c 2s", "4b", {}, []),
        # Each figure by itself: four cards to seven, and one to fifteen.
        ("1c 2s 4d 8s", "7b", {"captures": "value-or-fifteen"}, ["8s", "4d 1c 2s"]),
    ],
)
def test_rule_2_15(table: str, played: str, settings: dict[str, Any], found: list[str]) -> None:
    rules = Rules(fewest_cards=True, **settings)
    assert taken(table, played, rules) == found


def test_rule_2_17() -> None:
    brazil = PRESETS["escoba-brazil"]
    assert taken("6c", "8d", brazil) == ["6c"], "jack 9 and six make fifteen"
    assert taken("6c", "8d", PRESETS["escoba"]) == []
    assert taken("7c", "9d", brazil) == ["7c"]
    assert taken("9c 1s", "8d", Rules(queen_eight=True)) == ["9c 1s"], "8 and 1"
    piles = [cards("8d 6c"), without("8d 6c")]
    assert check_piles(piles, rules=brazil) == ()
    assert check_piles([cards("8d 6c"), cards("1d 1c"), without("8d 6c 1d 1c")], rules=brazil)
    assert deal_ruling(cards("8d 6c 7s 8s"), brazil.changed(void_kings=0))[0]


def test_rule_2_18() -> None:
    found = taken("3c 5s 6b 7c 1s", "7d", PRESETS["cirulla"])
    assert found == ["7c", "3c 5s", "7c 1s"]
    assert "1s 6b" in taken("3c 5s 6b 7c 1s", "7d", CIRULLA)
    assert taken("6b 1s", "7d", PRESETS["cirulla"]) == ["1s 6b"]


def test_rule_2_11() -> None:
    seven, lying = card("7b"), cards("1c 6s")
    assert is_scopa(lying, seven, taken=lying, rules=Rules(), last_card=False)
    assert not is_scopa((*lying, card("2d")), seven, taken=lying, rules=Rules(), last_card=False)
    assert not is_scopa((), seven, taken=(), rules=Rules(), last_card=False)


@pytest.mark.parametrize("name", ["silver-lake", "scopa-online"])
def test_rule_2_12(name: str) -> None:
    counts, seven = name == "scopa-online", Move(card("7b"), cards("7c"))
    last = play(("7b", ""), "7c", PRESETS[name])
    assert last.makes_scopa(seven) is counts
    assert last.played(seven).scope == (int(counts), 0)
    for hands, stock in ((("7b", "2c"), ""), (("7b", ""), "2c 3c"), (("7b 2d", "2c"), "3c")):
        earlier = play(hands, "7c", PRESETS[name], stock=cards(stock))
        assert earlier.played(seven).scope == (1, 0)


def test_rule_2_13() -> None:
    ending = play(("2b", ""), "7c", piles=((), cards("5c 5d")), last_taker=1)
    after = ending.played(Move(card("2b")))
    assert (after.over, after.moves, after.table, after.scope) == (True, (), (), (0, 0))
    assert set(after.piles[1]) == set(cards("5c 5d 7c 2b"))
    assert play(("2b", ""), "").played(Move(card("2b"))).table == cards("2b"), "nobody captured"
    both = play(("7b 3b", "5s 8b"), "7c 5c 9d")
    for played, took in (("7b", "7c"), ("5s", "5c"), ("3b", ""), ("8b", "")):
        both = both.played(Move(card(played), cards(took)))
    assert [*map(set, both.piles)] == [set(cards("7b 7c")), set(cards("5s 5c 9d 3b 8b"))]


# ---- a ruling


def ruled(table: str, played: str, *, last_card: bool = False, **settings: Any) -> Ruling:
    rules = Rules().changed(**settings)
    return rule_on(cards(table), card(played), rules=rules, last_card=last_card)


RULINGS: list[tuple[str, str, dict[str, Any], list[str], str]] = [
    ("", "7d", {}, [], "the table is empty"),
    ("3c", "7d", {}, [], "nothing on the table fits"),
    ("7c 5s 2b", "7d", {}, ["7c"], "only where there is none"),
    ("7c 5s 2b", "7d", {"captures": "free"}, ["7c", "5s 2b"], "as you like"),
    ("7c 7s", "7d", {}, ["7c", "7s"], "the player picks one"),
    ("8c", "7d", {"captures": "fifteen"}, ["8c"], "make fifteen"),
    ("3c 5s", "1d", {"aces": "sweep"}, ["3c 5s"], "an ace takes the whole table"),
]


@pytest.mark.parametrize(("table", "played", "settings", "ways", "why"), RULINGS)
def test_a_ruling_lists_the_captures_and_says_why(
    table: str, played: str, settings: dict[str, Any], ways: list[str], why: str
) -> None:
    ruling = ruled(table, played, **settings)
    assert [codes(way.taken) for way in ruling.ways] == ways
    assert why in " | ".join(ruling.why)
    waiting = ["5s 2b"] if table == "7c 5s 2b" and not settings else []
    assert [codes(barred.taken) for barred in ruling.barred] == waiting


BARRED = [
    ("7c 5s 2b", "7d", {}, {"5s 2b": "of the same value"}),
    ("5s 2b 1d 4c", "7d", {"fewest_cards": True}, {"1d 4c 2b": "fewer cards"}),
    ("8c 5s 2b 1d 7c", "7d", {"captures": "single-first-or-fifteen", "fewest_cards": True},
     {"5s 2b": "of the same value", "1d 7c": "fewer cards", "1d 5s 2b": "fewer cards"}),
]  # fmt: skip


@pytest.mark.parametrize(("table", "played", "settings", "barred"), BARRED)
def test_a_ruling_says_why_cards_that_add_up_may_not_be_taken(
    table: str, played: str, settings: dict[str, Any], barred: dict[str, str]
) -> None:
    found = {codes(one.taken): one.why for one in ruled(table, played, **settings).barred}
    assert {*found} == {*barred}
    assert [why for taken, why in barred.items() if why not in found[taken]] == []


def test_a_ruling_says_whether_it_is_a_scopa_and_may_be_laid() -> None:
    for last, counts, scopa in ((False, False, True), (True, False, False), (True, True, True)):
        ruling = ruled("5s 2b", "7d", last_card=last, last_card_scopa=counts)
        assert [way.is_scopa for way in ruling.ways] == [scopa]
        assert ("the last card makes no scopa" in ruling.why) is (last and not counts)
    for forced in Forced:
        assert ruled("5s 2b", "7d", forced=forced).may_lay is (forced is not Forced.ALWAYS)
        assert ruled("", "7d", forced=forced).may_lay


# ---- whole hands


def test_what_a_hand_records_is_what_was_played() -> None:
    rules = PRESETS["wikipedia"]
    *_, last = random_play(rules, Random(0), names=TWO, dealer=1)
    facts = last.facts()
    assert [(side.name, side.scope, set(side.pile)) for side in facts.sides] == [
        (name, made, set(pile))
        for name, made, pile in zip(last.names, last.scope, last.piles, strict=True)
    ]
    assert (last.scope, last.dealer, facts.dealer) == ((2, 1), 1, 1)
    assert facts == random_hand(rules, Random(0), names=TWO, dealer=1)
    assert facts != random_hand(rules, Random(1), names=TWO, dealer=1)


def test_the_first_seat_deals_and_each_plays_alone_by_default() -> None:
    rules = Rules()
    assert start_play(DECK, rules, names=TWO).dealer == 0
    assert next(random_play(rules, Random(1), names=TWO)).dealer == 0
    alone = random_hand(rules, Random(1), names=TWO, team=1, dealer=0)
    assert random_hand(rules, Random(1), names=TWO) == alone
    scopone = PRESETS["scopone-scientifico"]
    teams = random_hand(scopone, Random(1), names=TWO, team=2, dealer=3)
    *_, last = random_play(scopone, Random(1), names=TWO, team=2, dealer=3)
    assert (len(last.hands), teams) == (4, last.facts())
    for rules, names, team in ((scopone, TWO, 1), (scopone, NAMES[:3], 1), (Rules(), TWO, 4)):
        with pytest.raises(PlayError, match=r"is not for \d sides of"):
            start_play(DECK, rules, names=names, team=team)


def test_a_move_that_is_not_legal_is_refused() -> None:
    start = start_play(DECK, Rules(), names=TWO)
    with pytest.raises(PlayError, match="10b taking nothing is no legal move"):
        start.played(Move(card("10b")))
    with pytest.raises(PlayError, match="9d taking 1d 2d is no legal move"):
        start.played(Move(card("9d"), cards("1d 2d")))


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (DECK[:39], "expected the forty cards once each, got 39"),
        ((*DECK[:39], DECK[0]), "expected the forty cards once each, got 40"),
        (sorted(DECK, reverse=True), "4 kings among the first 4"),
    ],
    ids=["short", "doubled", "void"],
)
def test_a_deck_that_cannot_be_dealt_is_refused(deck: list[Card], message: str) -> None:
    with pytest.raises(PlayError, match=message):
        start_play(deck, Rules(), names=TWO)


@pytest.mark.parametrize(
    "rules",
    [
        *PRESETS.values(),
        PRESETS["asso-piglia-tutto"].changed(
            name="odd",
            first_ace="takes-ace",
            fewest_cards=True,
            queen_eight=True,
            table_cards=4,
            hand_cards=9,
            seatings=((2, 2),),
        ),
    ],
    ids=lambda r: r.name,
)
def test_random_hands_keep_every_rule(rules: Rules) -> None:
    for seed in range(len(rules.seatings)):
        sides, team = rules.seatings[seed % len(rules.seatings)]
        random, dealer = Random(seed), seed % sides
        steps = list(random_play(rules, random, names=NAMES[:sides], team=team, dealer=dealer))
        for step in steps:
            everywhere = [*step.table, *step.stock]
            for held in (*step.hands, *step.piles):
                everywhere += held
            assert len(everywhere) == 40
            assert {*everywhere} == {*DECK}
        assert len(steps) == 41 - rules.table_cards
        if not steps[-1].table:
            facts = steps[-1].facts()
            made = [side.scope for side in facts.sides]
            assert check_piles([side.pile for side in facts.sides], made, rules=rules) == ()


def test_a_void_deal_is_dealt_again() -> None:
    for seed in range(20):
        first = next(random_play(Rules(void_kings=1), Random(seed), names=TWO))
        assert all(card.rank != 10 for card in first.table)
