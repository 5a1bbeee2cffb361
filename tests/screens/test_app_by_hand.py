"""Points declared in play, corrections with a reason and the bell, on the screens of a hand."""

import pytest
from app_driving import ANNA, BRUNO, acts_of, app, board_words, lay, open_table, tap, visible
from playing import command, match_of
from streamlit.testing.v1 import AppTest

from scoring.presets import PRESETS
from scoring.record import HandRecord
from screens import state
from store import Table, tables

pytestmark = pytest.mark.slow


def cirulla() -> Table:
    table = open_table(rules="cirulla")
    lay(table, ANNA, BRUNO)
    return table


def recorded(table: Table) -> HandRecord:
    return match_of(state.store(), table).match.hands[-1]


def said(at: AppTest) -> str:
    return " ".join(visible(at).split())


def test_points_declared_in_cirulla_stand_at_the_table_and_count() -> None:
    table = cirulla()
    at = app("points", table=table.code)
    assert not at.exception
    at.button(key="declare_small_hand_0").click().run()
    at.button(key="declare_three_alike_1").click().run()
    at.button(key="declare_small_hand_0").click().run()
    other = app("points", table=table.code)  # another phone
    assert "Anna 6" in said(other)
    assert "Bruno 10" in said(other)
    tap(other, "confirm")
    assert [side.declared for side in recorded(table).sides] == [6, 10]
    edited = app("points", table=table.code, hand=1)
    assert "Anna 6" in said(edited), "what is edited keeps them"


def test_a_correction_with_its_reason_is_a_line_of_the_hand() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    at = app("points", table=table.code)
    before = match_of(state.store(), table).match.totals
    assert before == (0, 0)
    assert not [one for one in at.button if str(one.key).startswith("declare_")]
    at.number_input(key="by_hand_correction_1-1_1_0").set_value(-2).run()
    at.text_input(key="by_hand_reason_1-1_1_").set_value("talked\u202e").run()
    assert "Bruno -2 (talked" in said(at)
    tap(at, "confirm")
    side = recorded(table).sides[1]
    assert (side.correction, side.reason) == (-2, "talked?")
    assert match_of(state.store(), table).match.totals[1] == 1 - 2, "one for most cards"


def test_bell_ends_the_match_even_in_a_tie() -> None:
    rules = PRESETS["silver-lake"].changed(name="bell", bell=True, draw=True)
    table = command(state.store(), tables.open_table, ("Anna", "Bruno"), rules, device="")
    at = app("quick", table=table.code)
    for answer in ("carte_nobody", "denari_nobody", "settebello_0", "primiera_1"):
        tap(at, answer)
    at.toggle(key="bell_1-1").set_value(True).run()
    assert acts_of(at)["confirm"][0]["action"]["facts"]["is_last"] is True
    tap(at, "confirm")
    match = match_of(state.store(), table).match
    assert (match.is_over, match.winner) == (True, None)
    assert "The match ends in a tie" in board_words(table)
    assert "ended in a tie" in visible(app("play", table=table.code))
