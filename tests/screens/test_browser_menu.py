"""The menu in a browser: a sheet that closes in four ways, none of which is a step of Back."""

from collections.abc import Callable

import pytest
from browser_driving import PHONE, Windows, at_play, button, new_table, settle
from playing import read
from playwright.sync_api import Page, expect
from test_browser_fit import axe_faults, cut_texts, faults_in_other_themes, small_targets

from screens import state
from store import piles

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SHEET = "[role=dialog]:has(.st-key-ways)"

SWIPE = """(sheet) => {
  const touch = (clientY) => new Touch({ identifier: 1, target: sheet, clientX: 100, clientY });
  const fire = (type, y) => sheet.dispatchEvent(new TouchEvent(type,
    { touches: type === "touchend" ? [] : [touch(y)], changedTouches: [touch(y)], bubbles: true,
      cancelable: true }));
  fire("touchstart", 500);
  fire("touchmove", 540);
  fire("touchmove", 620);
  fire("touchend", 620);
}"""
"""A finger that moves down by 120 px."""

CLOSINGS: dict[str, Callable[[Page], object]] = {
    "shade": lambda page: page.mouse.click(100, 20),
    "escape": lambda page: page.keyboard.press("Escape"),
    "back": lambda page: page.go_back(),
    "swipe": lambda page: page.locator(SHEET).evaluate(SWIPE),
}


def open_menu(page: Page) -> None:
    button(page, "menu_open").click()
    page.locator(SHEET).wait_for()
    page.wait_for_function("history.state?.isMenu")


@pytest.mark.parametrize("closing", CLOSINGS)
def test_the_menu_closes_and_the_screen_stays(closing: str, windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE), new_table()
    page.goto(base)
    at_play(page, base, table)
    settle(page)
    before = page.url
    open_menu(page)
    CLOSINGS[closing](page)
    expect(page.locator(SHEET)).to_have_count(0)
    page.wait_for_function("!history.state?.isMenu")
    settle(page)
    assert page.url == before
    assert read(state.store(), piles.scope_counts, table.code) == (0, 0), "no tap reaches the tiles"
    page.go_back()
    page.locator(".st-key-open").wait_for()


CHOICES = {
    "theme": ".themes .theme-dark",
    "this screen": ".st-key-way_history a",
}
"""What keeps the user on the screen whose menu it is."""


@pytest.mark.parametrize("choice", [*CHOICES, "reload"])
def test_back_after_a_choice_leaves_the_screen(choice: str, windows: Windows, base: str) -> None:
    page = windows.open(PHONE, is_changed=True)
    page.goto(base)
    page.goto(new_table().join(base, "history"))
    settle(page)
    open_menu(page)
    if choice == "reload":
        page.reload()
    else:
        page.locator(CHOICES[choice]).click()
    expect(page.locator(SHEET)).to_have_count(0)
    page.locator(".st-key-to_play").wait_for()
    page.wait_for_function("!history.state?.isMenu")
    settle(page)
    root = page.locator("html")
    if choice == "theme":
        expect(root).to_have_attribute("data-theme", "dark")
    open_menu(page)
    page.go_back()
    expect(page.locator(SHEET)).to_have_count(0)
    page.go_forward()  # to the entry of the closed menu
    page.wait_for_function("!history.state?.isMenu")
    settle(page)
    page.go_back()
    page.locator(".st-key-open").wait_for()


def test_a_link_of_the_menu_is_one_step_of_back(windows: Windows, base: str) -> None:
    page = windows.open(PHONE)
    at_play(page, base, new_table())
    settle(page)
    for name, landmark in (("history", ".st-key-to_play"), ("board", ".board")):
        open_menu(page)
        page.locator(f".st-key-way_{name} a").click()
        page.locator(landmark).first.wait_for()
        page.go_back()
        page.locator(".tally").first.wait_for()
        settle(page)


def test_the_settings_are_named_and_the_theme_in_force_ticked(windows: Windows, base: str) -> None:
    page = windows.open(PHONE, is_changed=True)
    page.emulate_media(color_scheme="dark")
    at_play(page, base, new_table(), lang="de")
    settle(page)
    open_menu(page)
    expect(page.locator(f"{SHEET} small.quiet")).to_have_text(
        ["Karten auf den Bildschirmen", "Sprache", "Look"]
    )
    expect(page.locator(".themes [aria-pressed=true]")).to_have_text("Dunkel")
    french = page.locator(".st-key-drawing button").nth(1).text_content()
    assert french == "Französisch ♦\u00a0♥\u00a0♠\u00a0♣"  # no suit stands alone on a line


def test_the_menu_has_six_rows_and_marks_the_open_screen(windows: Windows, base: str) -> None:
    page = windows.open(PHONE)
    page.goto(new_table().join(base, "history"))
    settle(page)
    open_menu(page)
    rows = page.locator(".st-key-ways a")
    expect(rows).to_have_text(["Board", "Hands", "Season", "Invite", "Edit match", "Home"])
    expect(page.locator(".st-key-ways a[aria-current=page]")).to_have_text(["Hands"])
    box = page.locator(SHEET).bounding_box()
    assert box
    assert box["y"] + box["height"] == pytest.approx(PHONE["height"], abs=1)


@pytest.mark.parametrize("screen", ["home", "play"])
def test_axe_finds_nothing_in_the_open_menu(screen: str, windows: Windows, base: str) -> None:
    page = windows.open(PHONE, is_changed=True)
    page.emulate_media(reduced_motion="reduce")
    page.goto(base if screen == "home" else new_table().join(base, screen))
    button(page, "menu_open").wait_for()
    settle(page)
    open_menu(page)
    faults = [*axe_faults(page), *faults_in_other_themes(page)]
    assert not [*faults, *cut_texts(page), *small_targets(page)]
