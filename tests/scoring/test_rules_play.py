"""Clauses 1.x and 2.x of docs/rules.md: deal, captures and play."""

from random import Random

import pytest

from scoring.captures import is_scopa, legal_captures, may_lay
from scoring.cards import DECK, Card, parse_card
from scoring.check import check_piles
from scoring.errors import PlayError
from scoring.play import (
    Move,
    Play,
    deal_fault,
    dealer_of,
    deals,
    next_seat,
    random_hand,
    random_play,
    start_play,
)
from scoring.presets import PRESETS
from scoring.rules import Aces, Captures, Forced, Rules


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


def taken(table: str, card: str, rules: Rules) -> list[str]:
    found = legal_captures(cards(table), Card.from_code(card), rules=rules)
    return [" ".join(map(str, capture)) for capture in found]


def test_rule_1_1() -> None:
    assert len(DECK) == 40
    assert [int(card.rank) for card in DECK[:10]] == list(range(1, 11))
    assert (str(DECK[6]), str(DECK[29])) == ("7d", "10s")


def test_rule_1_2() -> None:
    assert {parse_card(text).code for text in ("queen of diamonds", "cavallo di denari")} == {"9d"}


@pytest.mark.parametrize(("players", "times"), [(2, 6), (3, 4), (4, 3), (6, 2)], ids=str)
def test_rule_1_3(players: int, times: int) -> None:
    assert repr(deals(Rules(), players=players)) == str(times)
    names = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")[:players]
    sizes = []
    for play in random_play(Rules(), Random(1), names=names):
        assert len(play.hands) == players
        if {len(hand) for hand in play.hands} == {3}:
            sizes.append(len(play.stock))
    assert sizes == [36 - 3 * players * (deal + 1) for deal in range(times)]


@pytest.mark.parametrize(
    ("table", "rules", "why"),
    [
        ("", Rules(), "4 cards go on the table first, 0 lie there"),
        ("", PRESETS["scopone-scientifico"], None),
        ("1d", PRESETS["scopone-scientifico"], "0 cards go on the table first, 1 lie there"),
        ("10d 10c 1s 2b", Rules(), None),
        ("10d 10c 10s 2b", Rules(),
         "3 kings among the first 4 table cards: no scopa could be made, deal again"),
        ("10d 10c 10s 10b", Rules(),
         "4 kings among the first 4 table cards: no scopa could be made, deal again"),
        ("10d 10c 10s 2b", Rules(void_kings=4), None),
        ("10d 10c 10s 10b", Rules(void_kings=0), None),
    ],
    ids=["empty", "none", "one too many", "two", "three", "four", "three pass", "never"],
)  # fmt: skip
def test_rule_1_4(table: str, rules: Rules, why: str | None) -> None:
    assert deal_fault(cards(table), rules) == why


def test_why_a_deal_does_not_stand_is_told_in_italian_too() -> None:
    assert deal_fault((), Rules(), lang="it") == "sul tavolo vanno prima 4 carte, ce ne sono 0"
    kings = deal_fault(cards("10d 10c 10s 2b"), Rules(), lang="it")
    assert kings is not None
    assert kings.startswith("3 re tra le prime 4 carte in tavola")


def test_a_doubled_table_card_is_refused() -> None:
    with pytest.raises(PlayError, match="10d is there twice"):
        deal_fault(cards("10d 10d"), Rules())
    with pytest.raises(PlayError, match="7b is there twice"):
        is_scopa(cards("7b"), Card.from_code("7b"), taken=(), rules=Rules(), last_card=False)
    with pytest.raises(PlayError, match="7b is there twice"):
        legal_captures(cards("7b"), Card.from_code("7b"), rules=Rules())
    with pytest.raises(PlayError, match="1c is there twice"):
        may_lay(cards("1c 1c"), Card.from_code("7b"), rules=Rules())


def test_rule_1_5() -> None:
    left = Rules(clockwise=True)
    assert [next_seat(seat, Rules(), players=3) for seat in range(3)] == [1, 2, 0]
    assert [next_seat(seat, left, players=3) for seat in range(3)] == [2, 0, 1]
    assert [dealer_of(hand, Rules(), first=2, players=3) for hand in range(4)] == [2, 0, 1, 2]
    assert [dealer_of(hand, left, first=0, players=3) for hand in range(3)] == [0, 2, 1]
    assert start_play(DECK, Rules(), names=("Anna", "Bruno", "Carla"), dealer=2).turn == 0
    assert start_play(DECK, left, names=("Anna", "Bruno", "Carla"), dealer=0).turn == 2


def test_rule_1_6() -> None:

    *_, last = random_play(Rules(), Random(3), names=("North", "East"), team=3)
    assert len(last.hands) == 6
    assert len(last.piles) == 2
    with pytest.raises(PlayError, match="do not deal out evenly for 5"):
        deals(Rules(), players=5)
    fives = Rules(hand_cards=4, table_cards=0, void_kings=0, seatings=((5, 1),))
    assert deals(fives, players=5) == 2
    assert Rules().for_sides(5) == fives
    for sides in (2, 3, 4, 6):
        assert Rules().for_sides(sides) == Rules()
    assert PRESETS["scopone-scientifico"].for_sides(5) is None


@pytest.mark.parametrize(
    ("rules", "on_table", "each"),
    [
        (Rules(hand_cards=9, seatings=((2, 2),)), 4, 9),
        (PRESETS["scopone-scientifico"], 0, 10),
    ],
    ids=["scopone", "scientifico"],
)
def test_rule_1_7(rules: Rules, on_table: int, each: int) -> None:
    play = next(random_play(rules, Random(1), names=("North", "East"), team=2))
    assert (len(play.table), [len(hand) for hand in play.hands]) == (on_table, [each] * 4)
    assert play.stock == ()


@pytest.mark.parametrize(
    ("table", "found"),
    [("", []), ("2c 3c", []), ("7c", ["7c"]), ("7c 7s 2d", ["7c", "7s"])],
    ids=["empty", "nothing fits", "one", "several"],
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
    ids=["a pair", "single first", "several sets"],
)
def test_rule_2_2(table: str, found: list[str]) -> None:
    assert taken(table, "7b", Rules()) == found


def test_rule_2_3() -> None:
    assert taken("1c 6s 7c", "7b", Rules(captures=Captures.FREE)) == ["7c", "1c 6s"]


@pytest.mark.parametrize(
    ("table", "card", "found"),
    [
        ("", "7b", []),
        ("7c", "7b", []),
        ("8d", "7b", ["8d"]),
        ("5c 3c 8d", "7b", ["8d", "3c 5c"]),
        ("5c", "10b", ["5c"]),
    ],
    ids=["empty", "its value", "eight", "several", "king"],
)
def test_rule_2_4(table: str, card: str, found: list[str]) -> None:
    assert taken(table, card, PRESETS["escoba"]) == found


def test_rule_2_5() -> None:
    rules = Rules(captures=Captures.VALUE_OR_FIFTEEN)
    assert taken("7c 8d 1c 6s", "7b", rules) == ["8d", "7c", "1c 7c", "1c 6s"]
    assert taken("", "7b", rules) == []


@pytest.mark.parametrize(
    ("forced", "table", "free"),
    [
        (Forced.NEVER, "", True),
        (Forced.NEVER, "7c", True),
        (Forced.ALWAYS, "", True),
        (Forced.ALWAYS, "2c", True),
        (Forced.ALWAYS, "7c", False),
        (Forced.ALWAYS, "1c 6c", False),
        (Forced.SAME_RANK, "7c", False),
        (Forced.SAME_RANK, "1c 6c", True),
    ],
)
def test_laying_is_free_or_not(forced: Forced, table: str, *, free: bool) -> None:
    assert may_lay(cards(table), Card.from_code("7b"), rules=Rules(forced=forced)) is free


def moves(rules: Rules, table: str, hand: str) -> set[str]:
    play = Play(
        rules=rules,
        names=("Anna", "Bruno"),
        dealer=1,
        turn=0,
        hands=(cards(hand), cards("10b")),
        table=cards(table),
        stock=(),
        piles=((), ()),
        scope=(0, 0),
    )
    return {f"{move.card}:{' '.join(map(str, move.taken))}" for move in play.moves}


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "american-sevens"])
def test_rule_2_6(name: str) -> None:
    table = "8c" if name == "escoba" else "7c"
    assert moves(PRESETS[name], table, "7b 2b") == {f"7b:{table}", "2b:"}


@pytest.mark.parametrize("name", ["silver-lake", "scopa-online"])
def test_a_set_must_be_captured_like_a_single_card(name: str) -> None:
    assert moves(PRESETS[name], "3c 4c", "7b") == {"7b:3c 4c"}


def test_rule_2_7() -> None:
    assert moves(Rules(forced=Forced.NEVER), "7c", "7b 2b") == {"7b:7c", "7b:", "2b:"}


def test_rule_2_8() -> None:
    american = PRESETS["american-sevens"]
    assert moves(american, "7c 3c 4c", "7b") == {"7b:7c"}
    assert moves(american, "3c 4c", "7b") == {"7b:3c 4c", "7b:"}


@pytest.mark.parametrize("aces", [Aces.SWEEP, Aces.SWEEP_SCOPA], ids=str)
def test_rule_2_9(aces: Aces) -> None:
    rules = Rules(aces=aces)
    ace = Card.from_code("1b")
    assert taken("", "1b", rules) == []
    assert may_lay((), ace, rules=rules.changed(forced=Forced.ALWAYS))
    assert taken("5c 10d 1s", "1b", rules) == ["10d 5c 1s"]
    assert taken("5c 10d", "2b", rules) == []
    lying = cards("5c 10d")
    swept = is_scopa(lying, ace, taken=lying, rules=rules, last_card=False)
    assert swept == (aces is Aces.SWEEP_SCOPA)
    one = cards("1s")
    assert is_scopa(one, ace, taken=one, rules=rules, last_card=False)


def test_rule_2_10() -> None:
    rules = Rules(aces=Aces.SWEEP, ace_takes_ace=True)
    assert taken("5c 1d 1s", "1b", rules) == ["1d", "1s"]
    assert taken("5c 6d", "1b", rules) == ["6d 5c"]


def test_rule_2_11() -> None:
    seven, lying = Card.from_code("7b"), cards("1c 6s")
    assert is_scopa(lying, seven, taken=lying, rules=Rules(), last_card=False)
    assert not is_scopa((*lying, *cards("2d")), seven, taken=lying, rules=Rules(), last_card=False)
    assert not is_scopa((), seven, taken=(), rules=Rules(), last_card=False)


def test_rule_2_12() -> None:
    seven, lying = Card.from_code("7b"), cards("7c")
    assert not is_scopa(lying, seven, taken=lying, rules=Rules(), last_card=True)
    assert is_scopa(lying, seven, taken=lying, rules=PRESETS["scopa-online"], last_card=True)


@pytest.mark.parametrize("rules", [Rules(), PRESETS["scopa-online"]], ids=lambda r: r.name)
def test_the_last_card_of_a_hand_is_known_as_such(rules: Rules) -> None:
    play = Play(
        rules=rules, names=("Anna", "Bruno"), dealer=0, turn=0, hands=(cards("7b"), ()),
        table=cards("7c"), stock=(), piles=((), ()), scope=(0, 0),
    )  # fmt: skip
    (capture,) = (move for move in play.moves if move.taken)
    assert play.makes_scopa(capture) == (rules.name == "scopa-online")
    assert play.played(capture).scope == ((1, 0) if rules.last_card_scopa else (0, 0))


def test_rule_2_13() -> None:
    play = Play(
        rules=Rules(), names=("Anna", "Bruno"), dealer=0, turn=0, hands=(cards("2b"), ()),
        table=cards("7c"), stock=(), piles=((), cards("5c 5d")), scope=(0, 0), last_taker=1,
    )  # fmt: skip
    after = play.played(Move(Card.from_code("2b")))
    assert after.over
    assert after.moves == ()
    assert after.table == ()
    assert set(after.piles[1]) == set(cards("5c 5d 7c 2b"))
    assert after.scope == (0, 0)


def test_what_nobody_captured_stays_on_the_table() -> None:
    play = Play(
        rules=Rules(), names=("Anna", "Bruno"), dealer=0, turn=0, hands=(cards("2b"), ()),
        table=(), stock=(), piles=((), ()), scope=(0, 0),
    )  # fmt: skip
    assert play.played(Move(Card.from_code("2b"))).table == cards("2b")


def test_the_last_taker_is_whoever_captured_last() -> None:
    play = Play(
        rules=Rules(), names=("Anna", "Bruno"), dealer=0, turn=0,
        hands=(cards("7b 3b"), cards("5s 8b")), table=cards("7c 5c 9d"), stock=(),
        piles=((), ()), scope=(0, 0),
    )  # fmt: skip
    for code, took in (("7b", "7c"), ("5s", "5c"), ("3b", ""), ("8b", "")):
        play = play.played(Move(Card.from_code(code), cards(took)))
    assert [set(pile) for pile in play.piles] == [set(cards("7b 7c")), set(cards("5s 5c 9d 3b 8b"))]


@pytest.mark.parametrize(
    ("hands", "stock"),
    [(("7b", "2c"), ""), (("7b", ""), "2c 3c"), (("7b 2d", "2c"), "3c")],
    ids=["another holds a card", "more are dealt", "in mid-hand"],
)
def test_a_sweep_before_the_last_card_is_a_scopa(hands: tuple[str, str], stock: str) -> None:
    play = Play(
        rules=Rules(), names=("Anna", "Bruno"), dealer=0, turn=0,
        hands=(cards(hands[0]), cards(hands[1])), table=cards("7c"), stock=cards(stock),
        piles=((), ()), scope=(0, 0),
    )  # fmt: skip
    assert play.played(Move(Card.from_code("7b"), cards("7c"))).scope == (1, 0)


def test_what_a_hand_records_is_what_was_played() -> None:
    rules = PRESETS["wikipedia"]
    *_, last = random_play(rules, Random(0), names=("Anna", "Bruno"), dealer=1)
    facts = last.facts()
    assert [(side.name, side.scope, set(side.pile)) for side in facts.sides] == [
        (name, made, set(pile))
        for name, made, pile in zip(last.names, last.scope, last.piles, strict=True)
    ]
    assert last.scope == (2, 1)
    assert facts == random_hand(rules, Random(0), names=("Anna", "Bruno"), dealer=1)
    assert (last.dealer, facts.dealer) == (1, 1)


def test_the_first_seat_deals_and_everybody_plays_alone_unless_it_is_said() -> None:
    names, rules = ("Anna", "Bruno"), Rules()
    assert start_play(DECK, rules, names=names).dealer == 0
    assert next(random_play(rules, Random(1), names=names)).dealer == 0
    assert random_hand(rules, Random(1), names=names).dealer == 0
    assert random_hand(rules, Random(1), names=names) == random_hand(
        rules, Random(1), names=names, team=1, dealer=0
    )
    scopone = PRESETS["scopone-scientifico"]
    teams = random_hand(scopone, Random(1), names=names, team=2, dealer=3)
    *_, last = random_play(scopone, Random(1), names=names, team=2, dealer=3)
    assert (len(last.hands), teams) == (4, last.facts())
    assert teams != random_hand(scopone, Random(1), names=names, dealer=3)
    with pytest.raises(PlayError, match=r"^10 cards each and 0 on the table do not deal out even"):
        deals(scopone, players=6)


def test_a_move_that_is_not_legal_is_refused() -> None:
    play = start_play(DECK, Rules(), names=("Anna", "Bruno"))
    with pytest.raises(PlayError, match="10b taking nothing is no legal move"):
        play.played(Move(Card.from_code("10b")))
    with pytest.raises(PlayError, match="9d taking 1d 2d is no legal move"):
        play.played(Move(Card.from_code("9d"), cards("1d 2d")))


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
        start_play(deck, Rules(), names=("Anna", "Bruno"))


@pytest.mark.parametrize("name", PRESETS)
def test_random_hands_keep_every_rule(name: str) -> None:
    rules = PRESETS[name]
    for seed in range(12):
        sides, team = rules.seatings[seed % len(rules.seatings)]
        names = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")[:sides]
        seen = list(random_play(rules, Random(seed), names=names, team=team, dealer=seed % sides))
        for play in seen:
            everywhere = [*play.table, *play.stock]
            for held in (*play.hands, *play.piles):
                everywhere += held
            assert sorted(everywhere) == sorted(DECK)
        assert len(seen) == 41 - rules.table_cards
        facts = seen[-1].facts()
        piles = [side.pile for side in facts.sides]
        made = [side.scope for side in facts.sides]
        if not seen[-1].table:
            assert check_piles(piles, made, rules=rules) == ()


def test_the_same_seed_plays_the_same_hand() -> None:
    one, other = (random_hand(Rules(), Random(5), names=("Anna", "Bruno")) for _ in range(2))
    assert one == other
    assert one != random_hand(Rules(), Random(6), names=("Anna", "Bruno"))


def test_a_void_deal_is_dealt_again() -> None:
    rules = Rules(void_kings=1)
    for seed in range(20):
        play = next(random_play(rules, Random(seed), names=("Anna", "Bruno")))
        assert all(card.rank != 10 for card in play.table)
