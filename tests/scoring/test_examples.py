"""The example of each house rule shows what its sentence says, under every preset."""

import pytest
from hand_scoring import cards, codes

from scoring.cards import CODES, Card
from scoring.examples import Play, example
from scoring.explain import described
from scoring.hand import Side, score_hand
from scoring.presets import PRESETS, read_rules
from scoring.rules import Rules

every_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)


def play(setting: str, **settings: object) -> Play:
    shown = example(setting, read_rules({"name": "test"} | settings))
    assert isinstance(shown, Play)
    return shown


@pytest.mark.parametrize(
    ("setting", "settings", "ways"),
    [
        ("captures", {}, ["7c"]),
        ("captures", {"captures": "free"}, ["7c", "2b 5s"]),
        ("captures", {"captures": "single-first-or-fifteen"}, ["7c", "3b 5s"]),
        ("captures", {"captures": "fifteen"}, ["3d 5c", "2b 6s"]),
        ("fewest_cards", {"fewest_cards": True}, ["1d 6s"]),
        ("fewest_cards", {"fewest_cards": True, "captures": "fifteen"}, ["2b 6s"]),
        ("queen_eight", {"queen_eight": True}, ["3b 5s"]),
        ("queen_eight", {"queen_eight": True, "captures": "fifteen"}, ["2b 5s"]),
        ("aces", {"aces": "sweep"}, ["2b 5s 7c"]),
        ("ace_takes_ace", {"aces": "sweep", "ace_takes_ace": True}, ["1c"]),
        ("scopa", {}, ["2b 5s"]),
    ],
)
def test_a_play_takes_what_its_rule_says(
    setting: str, settings: dict[str, object], ways: list[str]
) -> None:
    taken = [way.taken for way in play(setting, **settings).ruling.ways]
    assert [sorted(codes(way).split()) for way in taken] == [way.split() for way in ways]


@pytest.mark.parametrize("captures", ["single-first", "fifteen"])
def test_the_example_of_a_scopa_is_one(captures: str) -> None:
    assert [way.is_scopa for way in play("scopa", captures=captures).ruling.ways] == [True]


@pytest.mark.parametrize("counts", [True, False])
def test_the_last_card_is_played_as_the_last_card(counts: bool) -> None:
    [way] = play("last_card_scopa", last_card_scopa=counts).ruling.ways
    assert way.is_scopa is counts


@pytest.mark.parametrize("forced", ["never", "always"])
def test_the_example_of_a_forced_capture_may_be_laid_or_not(forced: str) -> None:
    ruling = play("forced", forced=forced).ruling
    assert ruling.ways
    assert ruling.may_lay is (forced == "never")


@pytest.mark.parametrize(
    ("setting", "point"),
    [
        ("settebello", "settebello"),
        ("re_bello", "re-bello"),
        ("most_sevens", "most-sevens"),
        ("all_sevens", "all-sevens"),
        ("settanta", "settanta"),
        ("grande", "grande"),
        ("all_coins", "ten-coins"),
    ],
)
def test_a_pile_of_the_cards_shown_wins_the_point(setting: str, point: str) -> None:
    rules = read_rules({"name": "test", setting: 1})
    shown = example(setting, rules)
    assert not isinstance(shown, Play)
    rest = tuple(card for card in map(Card.from_code, CODES) if card not in shown)
    lines = score_hand([Side("Anna", shown), Side("Bruno", rest)], rules).lines
    assert [line.winner for line in lines if line.point == point] == [0]


def test_as_many_kings_are_shown_as_void_the_deal() -> None:
    assert example("void_kings", read_rules({"name": "test", "void_kings": 3})) == cards(
        "10d 10c 10s"
    )


def test_named_cards_are_their_own_example() -> None:
    rules = read_rules({"name": "test", "card_points": {"8s": 2, "7c": 1}})
    assert example("card_points", rules) == cards("7c 8s")


@every_preset
def test_every_play_of_a_preset_has_a_capture(rules: Rules) -> None:
    shown = [example(name, rules) for group in described(rules).values() for name in group]
    plays = [one for one in shown if isinstance(one, Play)]
    assert plays
    assert all(play.ruling.ways for play in plays)
