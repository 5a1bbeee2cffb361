"""The referee: captures with why, the deal, a photo of the table."""

from typing import Any

import pytest
from app_driving import app, component_data, open_table, visible
from streamlit.testing.v1 import AppTest

from scoring.cards import Card
from screens.parts import rules
from screens.parts.choosing import Chosen
from store import Table

pytestmark = pytest.mark.slow


def referee(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, lying: str = "", played: str = ""
) -> AppTest:
    """The referee of a table, with cards chosen as the component on the screen tells them."""
    chosen = Chosen(
        table=tuple(map(Card.from_code, lying.split())),
        played=Card.from_code(played) if played else None,
    )
    monkeypatch.setattr("screens.parts.choosing.choosing", lambda _: chosen)
    return app("referee", table=table.code)


@pytest.mark.parametrize(
    ("lying", "played", "said"),
    [
        ("7c 5s 2b", "7d", ["The seven of coins takes:", "goes first", "must capture"]),
        ("5s 2b", "7d", ["Scopa!"]),
        ("3c", "7d", ["The seven of coins takes nothing"]),
        ("7c 7s", "7d", ["takes one of these 2"]),
        ("10c 10s 10b 3d", "", ["3 kings among the first 4 table cards"]),
        ("10c 10s 2b 3d", "", ["The deal is fine."]),
        ("", "", ["Choose the cards on the table"]),
    ],
    ids=[
        "single first",
        "scopa",
        "nothing",
        "two ways",
        "void deal",
        "good deal",
        "nothing chosen",
    ],
)
def test_the_referee_says_what_the_rules_of_this_table_say(
    lying: str, played: str, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = referee(open_table(), monkeypatch, lying=lying, played=played)
    assert not at.exception
    for sentence in said:
        assert sentence in visible(at)


def test_the_last_card_of_the_hand_makes_no_scopa(monkeypatch: pytest.MonkeyPatch) -> None:
    at = referee(open_table(), monkeypatch, lying="5s 2b", played="7d")
    assert "Scopa!" in visible(at)
    at.toggle(key="last_card").set_value(True).run()
    assert "Scopa!" not in visible(at)
    assert "The last card makes no scopa" in visible(at)


def test_referee_photo_selects_cards_and_names_doubts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = {"is": "done", "photo": "1", "codes": ["7d", "6s"], "unread": 1}
    answers: list[Any] = [seen | {"doubts": {"6s": ["5s", "7s"], "7d": []}}, None]
    answers.append({"is": "refused", "error": "NotAPhotoError", "name": "note.jpg"})
    monkeypatch.setattr("screens.parts.sending.send_file", lambda *_, **__: answers.pop(0))
    at = app("referee", table=open_table().code)
    for _ in range(3):  # also in later runs, and after a photo that was refused
        assert component_data(at, "choosing")["seen"] == {"photo": "1", "table": ["7d", "6s"]}
        assert "Doubtful: six of swords, or five of swords, seven of swords." in visible(at)
        assert "Doubtful: seven of coins." in visible(at)
        if answers:
            at.run()
    assert "note.jpg: this program cannot read that kind of file." in visible(at)


def test_a_first_table_of_fifteen_is_ruled_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table(rules="cirulla")
    said = visible(referee(table, monkeypatch, lying="1c 1s 5d 8b"))
    assert "The first table cards make 15: the dealer takes them, 1 scopa." in said
    assert "2 aces among" in visible(referee(table, monkeypatch, lying="1c 1s 5d 9b"))


@pytest.mark.parametrize(
    ("way", "said"), [((2, 1), "2 players"), ((6, 1), "6 players"), ((2, 3), "2 teams of 3")]
)
def test_ways_to_sit_are_said_in_words(way: tuple[int, int], said: str) -> None:
    assert rules.seating(way) == said


def test_the_referee_is_one_link_away_during_play() -> None:
    table = open_table()
    links = app("play", table=table.code).get("page_link")
    assert any("referee" in str(link.proto) for link in links)
