"""The cards that screens show: Italian or French ones, as the table has them."""

import re

import pytest
from app_driving import (
    ANNA,
    BRUNO,
    SAMPLES,
    Known,
    act_named,
    acts_of,
    app,
    component_data,
    has_act,
    label_of,
    lay,
    open_table,
    record,
    rules_unfolded,
    send_photos,
    sit_down,
    tap,
    visible,
)
from playing import find_table, put_drawing, query, write

from assets.deck import SIZE_MM, CardStyle
from scoring.cards import Card
from screens import state
from screens.parts.choosing import Chosen
from store import Table, tables
from table.access import ANONYMOUS

pytestmark = pytest.mark.slow

SCREENS = ("play", "settle", "points", "history", "referee")


def french() -> Table:
    """Return a table with French cards, a hand played, and piles of the next one laid."""
    table = open_table()
    record(table, scope=(1, 0))
    lay(table, ANNA, BRUNO, hand_no=2)
    put_drawing(state.store(), table, CardStyle.FRENCH)
    return table


def test_every_screen_of_a_table_shows_its_cards() -> None:
    table = french()
    for screen in SCREENS:
        page = app(screen, table=table.code, side=0)
        assert component_data(page, "page_script")["deck"] == "french", screen
    for page in (app("play", table=open_table().code), app()):  # the front door has our own
        assert component_data(page, "page_script")["deck"] == "italian"


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["seven of diamonds", "queen of spades"]),
        ("it", ["sette di quadri", "donna di picche"]),
    ],
    ids=["English", "Italian"],
)
def test_french_cards_are_called_as_the_language_calls_them(
    language: str, names: list[str]
) -> None:
    told = component_data(app("settle", table=french().code, side=0, lang=language), "forty")
    called = {one["code"]: one["name"] for one in told["cards"]}
    assert [called["7d"], called["9s"]] == names
    assert len(set(called.values())) == 40
    told = component_data(app("settle", table=open_table().code, side=0, lang=language), "forty")
    italian = {"en": "knight of swords", "it": "cavallo di spade"}[language]
    assert {one["code"]: one["name"] for one in told["cards"]}["9s"] == italian


@pytest.mark.parametrize(
    ("drawing", "seven"),
    [(CardStyle.FRENCH, "seven of diamonds"), (CardStyle.ITALIAN, "seven of coins")],
)
def test_a_question_shows_the_card_as_the_table_has_it(
    drawing: CardStyle, seven: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the deck on the photo: the deck of these photos is Italian."""
    monkeypatch.setattr(state, "reader", lambda: Known(doubts={"7d": ("7c",), "7c": ("7d",)}))
    table = open_table()
    put_drawing(state.store(), table, drawing)
    for side, name in enumerate(("anna", "bruno")):
        photos = [(f"{name}-{n}.jpg", (SAMPLES / f"{name}-{n}.jpg").read_bytes()) for n in (1, 2)]
        send_photos(table, *photos, side=side)
    at = app("settle", table=table.code, side=0)
    assert f"Is this the {seven}?" in visible(at)
    assert label_of(at, act_named(at, "answer_0_7d")) == f"Yes, {seven}"
    html = "".join(str(one.value) for one in at.html)
    [face] = re.findall(r'class="face f7d" style="width:(\d+)px;height:(\d+)px"', html)
    width, height = SIZE_MM[drawing]
    assert int(face[1]) / int(face[0]) == pytest.approx(height / width, abs=0.02)
    assert component_data(at, "page_script")["deck"] == drawing, "the style sheet has its drawings"


def test_points_name_french_cards_by_the_signs_in_their_corners() -> None:
    table = french()
    seen = visible(app("points", table=table.code))
    assert "Anna has 7♦" in seen
    assert "7d" not in seen
    put_drawing(state.store(), table, CardStyle.ITALIAN)
    assert "Anna has 7 seven of coins" in visible(app("points", table=table.code))


def test_the_referee_names_french_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [Card.from_code(code) for code in ("9s", "2c", "9b")]
    chosen = Chosen(table=tuple(cards[:2]), played=cards[2])
    monkeypatch.setattr("screens.parts.choosing.choosing", lambda _: chosen)
    table = french()
    seen = visible(app("referee", table=table.code))
    assert "queen of clubs" in seen
    assert "queen" in seen.split("Primiera", 1)[-1]
    assert not re.search(r"\b(9[bs]|2c)\b", seen)
    put_drawing(state.store(), table, CardStyle.ITALIAN)
    assert "knight of batons" in visible(app("referee", table=table.code))


def test_the_picture_of_a_match_shows_a_card_of_the_table() -> None:
    """It is drawn on a screen of the table, which knows its cards."""
    table = french()
    at = app("history", table=table.code)
    assert not at.exception
    [sent] = [one for one in at.get("bidi_component") if one.key == "picture"]
    assert "seven of diamonds" in sent.proto.json


def test_a_scorer_shows_the_other_cards_and_back() -> None:
    table = open_table()
    at = app("play", table=table.code)
    assert acts_of(at)["drawing_italian"][0]["pressed"]
    at = tap(at, "drawing_french")
    assert find_table(state.store(), table.code).drawing is CardStyle.FRENCH
    assert acts_of(at)["drawing_french"][0]["pressed"]
    tap(at, "drawing_italian")
    assert find_table(state.store(), table.code).drawing is CardStyle.ITALIAN


def test_the_cards_of_a_match_that_is_won_can_still_be_changed() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    assert find_table(state.store(), table.code).winner == 0
    tap(app("play", table=table.code), "drawing_french")
    assert find_table(state.store(), table.code).drawing is CardStyle.FRENCH


def test_whoever_may_only_look_is_not_offered_other_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    monkeypatch.setattr(state, "credentials", lambda: ANONYMOUS)
    assert not has_act(app("history", table=table.code), "drawing_french")


def test_table_uses_the_chosen_or_last_card_style(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sit_down(monkeypatch, "Anna", "Bruno")
    at = rules_unfolded(app())
    at.segmented_control(key="cards_en").select("French ♦ ♥ ♠ ♣").run()
    at.button(key="open").click().run()
    (table,) = query(state.store(), tables.newest)
    assert table.drawing is CardStyle.FRENCH
    write(state.store(), tables.put_link, table, "x", expected=table.link_hash)
    monkeypatch.setattr(state, "my_tables", lambda: (table.code,))
    at = rules_unfolded(app())
    assert at.segmented_control(key="cards_en").value == "French ♦ ♥ ♠ ♣"
    at.button(key="as_last_time").click().run()
    assert query(state.store(), tables.newest)[0].drawing is CardStyle.FRENCH
