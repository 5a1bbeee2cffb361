"""Help with photos, and a sample hand to try the app."""

import pytest
from app_driving import (
    ANNA,
    Known,
    app,
    camera_of,
    component_data,
    drafts,
    has_button,
    lay,
    open_table,
    photo_of,
    send_photos,
    tap,
    visible,
)
from playing import store_of_screens
from streamlit.testing.v1 import AppTest

from scoring.cards import CODES
from screens import state
from screens.parts import guide
from table.hand.pile import Pile
from vision.reading import PhotoProblemKind, Problem, Region

pytestmark = pytest.mark.slow

BLURRED = Problem(PhotoProblemKind.BLURRED, region=Region.TOP_LEFT)
CUT_OFF = Problem(PhotoProblemKind.CUT_OFF, region=Region.RIGHT)


def html_of(at: AppTest) -> str:
    return "".join(str(one.value) for one in at.html)


def has_component(at: AppTest, key: str) -> bool:
    return any(one.key == key for one in at.get("bidi_component"))


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


def test_a_photo_without_a_card_is_replaced_by_the_red_camera(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Known(problems=(BLURRED, CUT_OFF))
    reader.photos = {}  # nothing is read on it
    monkeypatch.setattr(state, "reader", lambda: reader)
    table = open_table("Anna", "Bruno", "Carla")
    at = send_photos(table, sample("anna-1.jpg"))
    assert "cut off by the edge" in visible(at)
    assert "blurred" not in visible(at), "one thing at a time"
    [shot] = drafts(table)[0].photos
    for screen in ("settle", "play"):
        camera = camera_of(app(screen, table=table.code))
        assert camera == {"side": 0, "label": "Anna's pile", "replaces": shot}
    assert not has_component(at, "more")
    assert "cut off" not in visible(app("settle", table=table.code, side=1))


def test_a_photo_that_leaves_points_open_may_be_taken_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doubts = dict.fromkeys(ANNA, ("x",))
    monkeypatch.setattr(state, "reader", lambda: Known(problems=(BLURRED,), doubts=doubts))
    table = open_table()
    at = send_photos(table, sample("anna-1.jpg"), sample("anna-2.jpg"))
    assert "blurred" not in visible(at), "Bruno's pile may settle it"
    assert not has_component(at, "more")
    lay(table, drafts(table)[0], [c for c in CODES if c not in drafts(table)[0].codes])
    at = app("settle", table=table.code)
    again = {"side": 0, "label": "Take it again", "replaces": max(drafts(table)[0].photos)}
    assert camera_of(at, "more") == again
    assert not camera_of(at)["label"], "the red button is no advice"
    assert visible(at).count("blurred") == 1
    other = app("settle", table=table.code, side=1)
    assert "blurred" not in visible(other)
    assert other.button(key="next_pile").label == "Next: Anna's pile"


def test_a_pile_without_faults_brings_no_advice() -> None:
    table = open_table()
    lay(table, Pile(by_hand=("7d",)))
    assert 'class="advice"' not in html_of(app("settle", table=table.code))


def test_a_sample_hand_stands_at_its_points_two_taps_from_the_front_door() -> None:
    at = app()
    at.button(key="sample_hand").click().run()
    [table] = store_of_screens().list_tables()
    assert table.is_sample
    assert "screen=points" in component_data(at, "enter")["to"]
    assert not store_of_screens().uploads(table, hand_no=1), "nothing is left to read"
    points = app("points", table=table.code)
    assert "read beforehand" in visible(points)
    assert 'class="note ask"' not in html_of(points)
    shown = app("settle", table=table.code)
    photo = drafts(table)[0].photos[0]
    assert len(photo_of(shown, photo)["cards"]) == 9
    assert 'class="advice"' not in html_of(shown)
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
