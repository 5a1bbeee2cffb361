"""Help with photos, and a sample hand to try the app."""

import pytest
from app_driving import (
    ANNA,
    Known,
    app,
    camera_of,
    component_data,
    drafts,
    follow,
    has_button,
    lay,
    open_table,
    send_photos,
    visible,
)
from playing import query
from streamlit.testing.v1 import AppTest

from scoring.cards import CODES
from screens import state
from screens.parts import guide
from store import tables
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


def test_guide_shows_how_to_spread_a_pile() -> None:
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
    at = send_photos(table, sample("bruno-1.jpg"), side=1)
    shots = [drafts(table)[side].photos[0] for side in (0, 1)]
    for screen in ("settle", "play"):
        cameras = component_data(app(screen, table=table.code), "snap")["cameras"]
        assert [camera["replaces"] for camera in cameras] == [*shots, None], "also without a line"
    assert "cut off" not in visible(app("settle", table=table.code, side=2))


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


def test_sample_shows_photo_and_points_and_stores_nothing() -> None:
    at = app("sample")
    html = component_data(at, "sample")["html"]
    assert html.count("data-card=") == 9 + 6 + 1 + 4, "outlines, then coins, settebello, primiera"
    assert "/door/samples/anna-1.jpg" in html
    at.button(key="sample_start").click().run()
    assert has_button(follow(at, "home"), "open")
    assert not query(state.store(), tables.newest)


def test_the_drawing_of_the_app_is_for_guests() -> None:
    assert 'class="drawn"' in html_of(app())
    open_table()
    assert 'class="drawn"' not in html_of(app())
