"""An evening on the screen: its organiser's page, a player's, and who signs up."""

from html import unescape

import pytest
from app_driving import app, component_data, visible
from evening_playing import NAMES, draw, now, opened, play
from playing import query

from screens import state
from store import evening, tables
from table.access import ANONYMOUS
from table.evening.replay import System, Teams

pytestmark = pytest.mark.slow

HTML = "<img src=x onerror=1>"


def test_an_evening_is_opened_with_what_was_chosen() -> None:
    at = app("evening")
    at.text_input(key="evening_name").set_value("Scopa Sunday").run()
    at.button(key="evening_open").click().run()
    [table] = query(state.store(), evening.newest)
    made = now(state.store(), table.code)
    assert made.plan.name == "Scopa Sunday"
    assert component_data(at, "enter")["to"].startswith(f"/join/{table.code}/")
    assert "screen=evening" in component_data(at, "enter")["to"]
    assert "Scopa Sunday" in visible(app("evening"))
    assert (made.plan.system, made.plan.teams) == (System.SWISS, Teams.SINGLE)


def test_the_organiser_adds_names_draws_and_sets_a_result() -> None:
    store = state.store()
    code = opened(store, HTML, "Bruno", "Carla")
    at = app("evening", table=code)
    at.text_input(key="evening_names").set_value("Dario, Elena , Fabio")
    [submit] = [one for one in at.button if one.label == "Add"]
    submit.click().run()
    assert [player.name for player in now(store, code).players][3:] == ["Dario", "Elena", "Fabio"]
    at.button(key="evening_draw").click().run()
    evening = now(store, code)
    assert [len(one.seats) for one in evening.rounds] == [3]
    assert "Round 1 · 0 of 3 tables done" in visible(at)
    assert not [one for one in at.button if one.key == "evening_draw"], "it is under way"
    assert "<img src=x" not in "".join(str(getattr(one, "value", "")) for one in at.get("html"))
    assert HTML in unescape(visible(at))
    at.button(key="fix_absent_1").click().run()
    at.button(key="evening_undo").click().run()
    assert not now(store, code).outcomes
    for seat in evening.rounds[0].seats:
        play(store, seat.code, 11, 3)
    at.run()
    assert at.button(key="evening_draw").label == "Draw round 2"
    at.button(key="evening_end").click().run()
    assert "The evening goes to" in visible(at)


def test_evening_viewer_sees_all_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = state.store()
    code = opened(store, *NAMES[:4])
    monkeypatch.setattr(state, "credentials", lambda: ANONYMOUS)
    assert "4 players are here" in visible(app("evening", table=code))
    first, _ = draw(store, code)
    play(store, first.code, 11, 3)
    at = app("evening", table=code)
    for word in ("Round 1", "11 : 3", "Standings", *NAMES[:4]):
        assert word in visible(at)
    assert not {str(one.key) for one in at.button if one.key} & {
        "evening_draw", "evening_undo", "fix_save", "evening_end"
    }  # fmt: skip


def test_a_table_is_no_evening_and_an_evening_opens_by_its_code() -> None:
    store = state.store()
    code = opened(store, *NAMES[:4])
    draw(store, code)
    table = query(store, tables.newest)[0].code
    at = app("evening", table=table)
    assert not at.exception
    assert f"There is no table {table}" in visible(at)
    assert "players are here" in visible(app(table=code))
