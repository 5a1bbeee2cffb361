"""A photo from the phone to its pile: seen at once, sent, moved, removed, also without a line."""

from pathlib import Path

import pytest
from app_driving import ROOT, Known
from browser_driving import (
    NARROW,
    PHONE,
    BusyLine,
    NewTable,
    Windows,
    at_play,
    new_table,
    server,
    settle,
)
from playing import until
from playwright.sync_api import Locator, Page, Route, expect
from servers import free_port

from screens import state
from table.access import SYSTEM
from table.hand.photos import add_photo
from table.view import TableView, load_view
from vision.reading import PhotoProblemKind, Problem

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ANNAS, BRUNOS = (ROOT / "samples" / f"{name}-1.jpg" for name in ("anna", "bruno"))


def at_pile(page: Page, base: str, table: NewTable, side: int = 0) -> None:
    page.request.get(table.join(base))
    page.goto(f"{base}/settle?table={table.code}&side={side}")
    page.locator(".snap .camera").wait_for(state="attached")
    settle(page)


def shape(image: Locator) -> float:
    box = image.bounding_box()
    assert box is not None
    return box["width"] / box["height"]


def view_of(table: NewTable) -> TableView:
    return load_view(state.store(), table.code, credentials=SYSTEM)


def read(table: NewTable, side: int, *names: str) -> None:
    """Has the photos of a pile read, by a reader that knows them."""
    for name in names:
        view = load_view(state.store(), table.code, credentials=SYSTEM, side=side)
        data = (ROOT / "samples" / name).read_bytes()
        add_photo(state.store(), view, name=name, data=data, reader=Known)


@pytest.mark.models
@pytest.mark.parametrize("size", [PHONE, NARROW], ids=["phone", "narrow"])
def test_own_photo_is_shown_until_it_is_outlined(
    size: dict[str, int], windows: Windows, base: str
) -> None:
    held: list[Route] = []
    page = windows.open(size, is_changed=True)
    at_pile(page, base, new_table())
    expect(page.locator(".spread")).to_be_visible()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/door/*/photos/*", hold)  # a slow line
    page.set_input_files(".snap .camera input", ANNAS)
    photo, ring = page.locator(".slide img"), page.locator(".slide .ring")
    expect(page.locator(".slide .shot.there")).to_be_visible()
    assert shape(photo) == pytest.approx(4 / 3, rel=0.02)
    expect(ring).to_be_visible()
    expect(page.locator(".spread")).to_be_hidden()
    expect(page.locator(".snap .camera")).to_have_text("Bruno's pile")
    page.wait_for_timeout(1500)  # by then a tap would be said to be on its way
    assert not page.locator(".messenger .way:visible").count(), "nothing lies over the band"
    photo.evaluate("image => (window.seen = image)")
    [route] = held
    route.continue_()
    page.locator(".outlines .sure").first.wait_for()
    assert page.evaluate("window.seen.isConnected"), "it was never gone"
    expect(ring).to_be_hidden()
    expect(page.locator(".slide .count")).to_have_text("9 ✓")


def test_both_piles_may_be_taken_before_the_next_screen_is_there(
    windows: Windows, base: str
) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    line = BusyLine(page)
    at_play(page, base, table)
    settle(page)
    line.holds_drawings = True
    camera = page.locator(".st-key-snap .camera")
    for name, photo in (("Anna", ANNAS), ("Bruno", BRUNOS)):
        expect(camera).to_contain_text(name)
        page.set_input_files(".st-key-snap .camera input", photo)
        page.wait_for_timeout(2000)  # the server has left the screen that the phone still shows
    line.holds_drawings = False
    line.release()
    page.wait_for_url("**/settle?*side=1")
    settle(page)
    expect(page.locator(".photos .slide")).to_have_count(1)


def test_offline_photos_wait_move_and_lead_to_the_next_camera(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    at_pile(page, base, table)
    page.context.set_offline(True)
    camera, slides = page.locator(".snap .camera"), page.locator(".slide")
    page.set_input_files(".snap .camera input", ANNAS)
    expect(camera).to_have_text("Bruno's pile")
    page.set_input_files(".snap .camera input", BRUNOS)
    expect(slides).to_have_count(2)
    expect(slides.last.locator("bdi")).to_have_text("Bruno")
    expect(camera).to_be_hidden()
    page.locator(".lost").wait_for()
    last = slides.last
    last.locator(".drop").click()
    expect(slides).to_have_count(1)
    expect(camera).to_be_visible()
    page.locator(".photos .undo .act").click()
    expect(slides).to_have_count(2)
    expect(camera).to_be_hidden()
    page.locator(".photos .undo").wait_for(state="hidden")

    first = slides.first
    first.locator(".whose").click()
    page.locator("dialog.sheet").get_by_text("This is Bruno's").click()
    expect(camera).to_have_text("Anna's pile")
    expect(slides.first.locator("bdi")).to_have_text("Bruno")
    page.context.set_offline(False)
    until(lambda: len(view_of(table).piles[1].photos) == 2)
    assert view_of(table).piles[0].is_empty


def test_a_photo_on_its_way_ends_the_offer_of_the_rest(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    read(table, 0, "anna-1.jpg")
    at_pile(page, base, table, side=1)
    offer = page.locator(".st-key-rest [data-act=rest]")
    expect(offer).to_have_text("The other 31 are Bruno's")
    page.route("**/door/*/photos/*", lambda _: None)  # the upload is held
    page.set_input_files(".snap .camera input", BRUNOS)
    expect(page.locator(".slide .ring")).to_be_visible()
    expect(offer).to_have_count(0)
    settle(page)
    expect(offer).to_have_count(0)
    page.reload()
    expect(page.locator(".slide .ring")).to_be_visible()
    expect(offer).to_have_count(0)


def test_moving_or_removing_a_photo_can_be_undone(windows: Windows, base: str) -> None:
    table = new_table()
    read(table, 0, "anna-1.jpg", "bruno-1.jpg")
    phone, other = windows.open(PHONE), windows.open(PHONE)
    at_pile(phone, base, table)
    at_pile(other, base, table, side=1)
    slides, undo = phone.locator(".slide"), phone.locator(".photos .undo .act")
    expect(slides).to_have_count(2)
    drop = slides.last.locator(".drop")
    expect(drop).to_have_text("×")
    expect(drop).to_have_attribute("aria-label", "Remove photo 2")
    box = drop.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 48
    drop.click()
    expect(slides).to_have_count(1)
    until(lambda: len(view_of(table).piles[0].photos) == 1)
    assert not phone.locator("dialog[open]").count(), "nothing is asked"
    undo.click()
    expect(slides).to_have_count(2)
    expect(slides.locator(".outlines .sure").first).to_be_attached()

    slides.last.locator(".outlines").click(
        button="right", position={"x": 5, "y": 100}
    )  # a long press
    phone.locator("dialog.sheet [data-act=owner_1]").click()
    expect(slides).to_have_count(1)
    expect(other.locator(".slide")).to_have_count(1)
    assert len(view_of(table).piles[1].codes) == len(Known().photos["bruno-1.jpg"]["cards"])
    expect(undo).to_be_visible()
    undo.click()
    expect(slides).to_have_count(2)
    expect(other.locator(".slide")).to_have_count(0)


def test_offline_page_says_what_waits_and_recovers(windows: Windows, home: Path) -> None:
    page, table, port = windows.open(PHONE, is_changed=True), new_table(), free_port()
    with server(home, port) as base:
        at_play(page, base, table)
        page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        page.wait_for_function("navigator.serviceWorker.controller")
    for _ in range(3):
        page.locator(".st-key-tally_0 .more").click()
    page.reload()
    expect(page.locator("[role=status]")).to_have_text(
        "No connection to the table's computer. This page goes on by itself. "
        "Waiting on this phone: 3."
    )
    with server(home, port):
        expect(page.locator(".st-key-tally_0 b")).to_have_text("3")
        page.goto(f"{base}/")
        page.locator(".st-key-open").wait_for()
        assert page.evaluate("caches.keys().then((names) => names.length)") == 1


@pytest.mark.parametrize("place", [".slide", ".snap"], ids=["under the photo", "red"])
@pytest.mark.parametrize("way", [".camera, .another", ".files"], ids=["camera", "files"])
def test_a_photo_without_a_card_goes_once_another_is_taken(
    place: str, way: str, windows: Windows, base: str
) -> None:
    table, nothing = new_table(), Problem(PhotoProblemKind.NOTHING_FOUND)
    reader = Known(problems=(nothing,))
    data = ANNAS.read_bytes()
    add_photo(state.store(), view_of(table), name="blank", data=data, reader=lambda: reader)
    [blank] = view_of(table).piles[0].photos
    page = windows.open(PHONE)
    at_pile(page, base, table)
    page.set_input_files(f"{place} :is({way}) input", BRUNOS)
    until(lambda: blank not in view_of(table).piles[0].photos)
    expect(page.locator(".slide")).to_have_count(1)
    assert not page.locator(".photos .undo:visible").count()
