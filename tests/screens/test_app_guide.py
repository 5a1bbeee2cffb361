"""Help with photos, and a sample hand to try the app."""

import pytest
from app_driving import (
    ANNA,
    BRUNO,
    Known,
    app,
    component_data,
    drafts,
    has_button,
    lay,
    open_table,
    send_photos,
    tap,
    visible,
)
from playing import store_of_screens

from screens import state
from screens.parts import guide
from table.access import SYSTEM
from table.hand.pile import Fault, Pile
from table.view import load_view
from vision.reading import PhotoProblemKind, Problem, Region

pytestmark = pytest.mark.slow

BLURRED = Problem(PhotoProblemKind.BLURRED, region=Region.TOP_LEFT)
CUT_OFF = Problem(PhotoProblemKind.CUT_OFF, region=Region.RIGHT)


def sample(name: str) -> tuple[str, bytes]:
    return name, (state.SAMPLES / name).read_bytes()


def test_a_picture_shows_how_to_spread_a_pile_that_nobody_has_shown() -> None:
    table = open_table()
    lay(table, ANNA)
    assert "Rows of five" in visible(app("settle", table=table.code, side=1))
    assert "Rows of five" not in visible(app("settle", table=table.code, side=0))


def test_the_picture_has_rows_of_five_cards_each_once() -> None:
    assert {len(row) for row in guide.SPREAD} == {5}
    shown = [code for row in guide.SPREAD for code in row]
    assert len(set(shown)) == len(shown)


def test_the_one_thing_to_change_about_a_photo_is_said_with_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Known(problems=(BLURRED, CUT_OFF))
    reader.photos = {}  # nothing is read on it
    monkeypatch.setattr(state, "reader", lambda: reader)
    table = open_table()
    lay(table, (), BRUNO)
    send_photos(table, sample("anna-1.jpg"))
    at = app("settle", table=table.code)
    assert "cut off by the edge" in visible(at)
    assert "blurred" not in visible(at), "one thing at a time"
    [shot] = drafts(table)[0].photos
    worst = guide.worst(load_view(store_of_screens(), table.code, credentials=SYSTEM))
    fault = Fault(photo=shot, kind=PhotoProblemKind.CUT_OFF, region=Region.RIGHT)
    assert worst == guide.BadPhoto(side=0, photo=shot, fault=fault)


def test_a_photo_that_came_out_badly_can_be_used_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doubts = dict.fromkeys(ANNA, ("x",))
    monkeypatch.setattr(state, "reader", lambda: Known(problems=(BLURRED,), doubts=doubts))
    table = open_table()
    lay(table, (), BRUNO)
    send_photos(table, sample("anna-1.jpg"))
    at = app("settle", table=table.code)
    [shot] = drafts(table)[0].photos
    camera = component_data(at, "snap")
    assert (camera["camera"], camera["replaces"], camera["context"]["side"]) == (
        "Take it again",
        shot,
        0,
    )
    at.button(key="advice_use").click().run()
    assert not at.exception
    assert not has_button(at, "advice_use")
    assert "blurred" not in visible(at)
    assert "7d" in drafts(table)[0].codes


def test_a_pile_without_faults_brings_no_advice() -> None:
    table = open_table()
    lay(table, Pile(by_hand=("7d",)))
    assert not has_button(app("settle", table=table.code), "advice_use")


def test_a_sample_hand_stands_at_its_points_two_taps_from_the_front_door() -> None:
    at = app()
    at.button(key="sample_hand").click().run()
    [table] = store_of_screens().list_tables()
    assert table.is_sample
    assert "screen=points" in component_data(at, "enter")["to"]
    assert not store_of_screens().uploads(table, hand_no=1), "nothing is left to read"
    points = app("points", table=table.code)
    assert "read beforehand" in visible(points)
    assert 'class="note ask"' not in "".join(str(one.value) for one in points.html)
    shown = app("settle", table=table.code)
    photo = drafts(table)[0].photos[0]
    assert len(component_data(shown, f"photo_{photo}")["cards"]) == 9
    assert not has_button(shown, "advice_use")
    tap(points, "confirm")
    match = store_of_screens().match_of(table).match
    assert [len(side.pile) for side in match.hands[0].sides] == [18, 22]
    assert [side.scope for side in match.hands[0].sides] == [2, 1]


def test_a_sample_hand_is_marked_on_every_screen_and_in_no_list_of_tables() -> None:
    at = app()
    at.button(key="sample_hand").click().run()
    [table] = store_of_screens().list_tables()
    for screen in ("play", "settle", "points", "history", "referee"):
        assert "counts in no season" in visible(app(screen, table=table.code)), screen
    assert not has_button(app(), "go_on")
    mine = open_table()
    assert not mine.is_sample
    assert "counts in no season" not in visible(app("play", table=mine.code))
