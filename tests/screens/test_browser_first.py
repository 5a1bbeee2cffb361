"""The first evening in a browser: the sample hand, a table of three on a small phone, a rename."""

from typing import Literal

import pytest
from app_driving import ANNA, BRUNO, lay
from browser_driving import (
    PHONE,
    TABLET,
    Windows,
    act,
    at_play,
    button,
    let_in,
    new_table,
    press,
    settle,
    speak,
)
from playing import find_table, query
from playwright.sync_api import expect

from screens import state
from store import tables

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


MOST_BYTES, MOST_REQUESTS = 1_000_000, 41
"""What the first page may take over the line, and how many requests beside Streamlit's own."""


def test_first_page_is_small_and_needs_no_failed_request(windows: Windows, base: str) -> None:
    phone = windows.open(PHONE, is_changed=True)
    network = phone.context.new_cdp_session(phone)
    network.send("Network.enable")
    sent: list[float] = []
    network.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    answers: list[tuple[int, str]] = []
    phone.on("response", lambda answer: answers.append((answer.status, answer.url)))
    phone.goto(base, wait_until="commit")
    expect(phone.locator(".shell")).to_be_visible()
    phone.locator(".seat input").first.wait_for()
    expect(phone.locator(".shell")).to_be_hidden()
    settle(phone)
    assert sum(sent) < MOST_BYTES
    own = [url for _, url in answers if "/static/" not in url and url.startswith("http")]
    assert len(own) <= MOST_REQUESTS, own
    assert not [url for _, url in answers if ".woff2" in url and "/look/" not in url]
    phone.goto(f"{base}/board/{new_table().code}")
    phone.locator(".join").wait_for()
    assert not [answer for answer in answers if answer[0] >= 400]


FLIGHTS = """() => document.getAnimations()
  .filter((one) => one.effect.target?.matches(".brings .face"))
  .map((one) => one.effect.getComputedTiming().delay)"""
"""When each card of the sample begins to fly, in milliseconds."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_cards_of_the_sample_fly_into_their_points(
    motion: Literal["no-preference", "reduce"], windows: Windows, base: str
) -> None:
    phone = windows.open(PHONE)
    phone.emulate_media(reduced_motion=motion)
    phone.goto(base)
    phone.locator(".st-key-sample_hand a").click()
    phone.locator(".sample .outlines").wait_for()
    photo = phone.locator(".sample img")
    expect(photo).to_have_css("opacity", "1")
    shape = "(e) => e.decode().then(() => [e.width / e.height, e.naturalWidth / e.naturalHeight])"
    drawn, file = photo.evaluate(shape)
    assert abs(drawn - file) < 0.02, "its outlines lie on its cards"
    flights = phone.evaluate(FLIGHTS)
    if motion == "reduce":
        assert not flights
    else:
        assert len(flights) >= 5
        assert min(flights) >= 1500
    expect(phone.locator(".brings li").first).to_be_visible()
    before = query(state.store(), tables.newest)
    press(phone, "sample_start", then=".st-key-open")
    assert query(state.store(), tables.newest) == before


def test_a_point_says_why_and_what_it_is(windows: Windows, base: str) -> None:
    phone, table = windows.open(PHONE), new_table()
    lay(find_table(state.store(), table.code), ANNA, BRUNO)
    phone.goto(table.join(base, "points"))
    primiera = phone.locator(".help").nth(3)
    expect(primiera).to_be_hidden()
    phone.locator(".line summary").nth(3).click()
    primiera.locator("summary").click()
    expect(primiera.locator("p")).to_be_visible()
    link, sign = (
        one.evaluate("(e) => getComputedStyle(e).color")
        for one in (primiera.locator("a"), primiera.locator("summary"))
    )
    assert link == sign, "the link has a colour of the theme"


def test_typed_names_survive_theme_reload_and_language(windows: Windows, base: str) -> None:
    phone = windows.open(PHONE)
    phone.goto(base)
    phone.locator(".add").wait_for()
    settle(phone)
    for is_down in (True, False):
        phone.context.set_offline(is_down)
        expect(phone.locator(".lost .network")).to_be_visible(visible=is_down)
        expect(phone.locator(".lost .server")).to_be_hidden()
        dimmed = "none" if is_down else "auto"  # what only the server can do waits
        expect(phone.locator(".st-key-open button")).to_have_css("pointer-events", dimmed)
    phone.locator(".add").click()
    for side, name in enumerate(("Anna", "Bruno", "Carla")):
        phone.locator(".seat input").nth(side).fill(name)
    button(phone, "menu_open").click()
    phone.locator(".theme-sunlight").click()
    fields = phone.locator(".seat:not([hidden]) input")
    expect(fields).to_have_count(3)
    expect(fields.nth(2)).to_have_value("Carla")
    phone.reload()
    expect(fields.nth(2)).to_have_value("Carla")
    speak(phone, "it")
    expect(button(phone, "open")).to_contain_text("Inizia")
    expect(fields.nth(0)).to_have_value("Anna")
    phone.evaluate("window.taken = 0, addEventListener('click', () => window.taken++)")
    button(phone, "opening_rules").dblclick()
    assert phone.evaluate("window.taken") == 1, "the server has not answered the first tap"
    settle(phone)
    press(phone, "open", then=".st-key-tally_2 .more")
    expect(phone.locator(".st-key-tally_2")).to_contain_text("Carla")
    phone.goto(base)
    expect(phone.locator(".seat input").first).to_have_value("")


def test_renaming_shows_on_the_board_and_quick_takes_six_taps(windows: Windows, base: str) -> None:
    phone, board = windows.open(PHONE), windows.open(TABLET)
    table = new_table("Ana", "Bruno")
    at_play(phone, base, table)
    let_in(board, base)
    board.goto(f"{base}/board/{table.code}")
    expect(board.locator(".board")).to_contain_text("Ana")
    phone.goto(f"{base}/match?table={table.code}")
    field = phone.locator(".st-key-match_names input").first
    field.fill("Anna")
    field.press("Tab")
    press(phone, "match_save", then=".st-key-tally_0 .more")
    expect(board.locator(".board")).to_contain_text("Anna")

    settle(phone)
    phone.locator(".st-key-other_ways a").last.click()
    act(phone, "primiera_1").wait_for()
    settle(phone)
    phone.context.set_offline(offline=True)  # what is tapped while the line is down is not lost
    for number, point in enumerate(("carte", "denari")):
        act(phone, f"{point}_{number % 2}").click()
        expect(act(phone, f"{point}_{number % 2}")).to_have_attribute("aria-pressed", "true")
    phone.context.set_offline(offline=False)
    expect(phone.locator(".st-key-quick_left")).to_contain_text("2 points")
    phone.reload()
    expect(act(phone, "denari_1")).to_have_attribute("aria-pressed", "true")
    act(phone, "settebello_0").click()
    act(phone, "primiera_1").click()
    act(phone, "confirm").click()
    expect(phone.locator(".score span")).to_have_text(["2", "2"])
