"""The hands of any match on the screen: who and when, taken out, brought back, mended."""

import re

import pytest
from app_driving import (
    ANNA,
    BRUNO,
    SAMPLES,
    act_named,
    acts_of,
    app,
    component_data,
    facts,
    follow,
    has_act,
    label_of,
    open_table,
    record,
    tap,
    tap_scope,
)
from app_driving import visible as seen
from playing import edit_hand, match_of, rematch, write
from streamlit.testing.v1 import AppTest

from screens import state
from store import Table, piles, retention
from table.registry import ScreenChangedError

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Bruno")


def two_matches() -> Table:
    """Match 1 has one hand, mended by Bruno; match 2, which is played, has none."""
    table, store = open_table(), state.store()
    record(table, scope=(9, 0), device="Anna")
    mended = facts(ANNA, BRUNO, names=NAMES, scope=(10, 0))
    edit_hand(store, table, mended, hand_no=1, key="m", expected=2, device="Bruno")
    rematch(store, table, after=1)
    return table


def scope_of(table: Table, *, match_no: int) -> list[int]:
    hand = match_of(state.store(), table, match_no=match_no).match.hands[0]
    return [side.scope for side in hand.sides]


def test_hand_log_names_devices_and_times() -> None:
    text = seen(app("history", table=two_matches().code, match=1))
    assert "Hand 1 saved · Anna · " in text
    assert "· ● Anna +12 · ▲ Bruno +1" in text
    assert "Hand 1 changed · Bruno · " in text
    assert re.search(r"Match opened · \d{1,2} \w+ \d{4}", text)
    assert "somebody" not in text


def test_earlier_match_is_edited_on_the_same_screens() -> None:
    table = two_matches()
    at = app("history", table=table.code, match=1)
    tap(at, "edit_1")
    assert at.query_params["match"] == "1"
    assert "match 1, editing hand 1" in seen(at)
    follow(at, "settle").button(key="onward").click().run()
    tap(tap_scope(follow(at, "points"), 0, delta=-1), "confirm")
    assert scope_of(table, match_no=1) == [9, 0]
    assert match_of(state.store(), table).match.hands == ()


def test_a_hand_is_taken_out_and_brought_back() -> None:
    table = two_matches()
    at = app("history", table=table.code, match=1)
    tap(at, "out_yes_1")
    assert "Hand 1 counts nothing now" in seen(at)
    assert "taken out, counts nothing" in seen(at)
    assert not has_act(at, "out_yes_1")
    back = [name for name in acts_of(at) if name.startswith("stand_1_")]
    labels = [label_of(at, name) for name in back]
    assert ["+12" in label or "+13" in label for label in labels] == [True, True]
    tap(at, back[-1])
    assert "Hand 1 changed" in seen(at)
    assert scope_of(table, match_no=1) == [10, 0]


def test_a_changed_hand_is_undone_where_it_is_told() -> None:
    table = open_table()
    record(table)
    at = app("history", table=table.code)
    tap(at, "out_yes_1")
    assert [act["label"] for act in component_data(at, "undo")["acts"]] == ["Undo"]
    tap(at, "undo")
    assert "Undone: hand 1 is as before." in seen(at)
    assert not match_of(state.store(), table).match.hands[0].is_empty


def test_late_tap_does_not_overwrite_a_newer_edit() -> None:
    table = two_matches()
    at = app("history", table=table.code, match=1)
    other = facts(ANNA, BRUNO, names=NAMES, scope=(2, 2))
    edit_hand(state.store(), table, other, match_no=1, hand_no=1, key="o", expected=4)
    for name in ("out_yes_1", act_named(at, "stand_1_")):
        with pytest.raises(ScreenChangedError):
            tap(at, name)
    assert scope_of(table, match_no=1) == [2, 2]


def test_undo_is_offered_for_the_match_being_played_only() -> None:
    table = two_matches()
    record(table)
    assert has_act(app("history", table=table.code), "undo")
    at = app("history", table=table.code, match=1)
    assert not [name for name in acts_of(at) if name.startswith(("undo", "redo"))]


def test_photos_load_when_their_row_unfolds() -> None:
    table, store = open_table(), state.store()
    jpeg = (SAMPLES / "anna-1.jpg").read_bytes()
    photo = write(store, piles.add_photo, table, jpeg, hand_no=1, side=0)
    record(table)
    address = f'<img src="/door/{table.code}/pictures/{photo}" alt="" loading="lazy">'
    assert address in html_of(app("history", table=table.code))
    write(store, retention.delete_photos, table)
    gone = html_of(app("history", table=table.code))
    assert address not in gone
    assert "photo deleted" in gone


def html_of(at: AppTest) -> str:
    return "".join(str(getattr(one, "value", "")) for one in at.get("html"))


def test_a_match_that_is_not_there_is_said() -> None:
    at = app("history", table=open_table().code, match=7)
    assert not at.exception
    assert at.get("html")
