"""Opening a table in a real browser: how many taps and seconds it takes, as distributions.

`SETTEBELLO_OPENINGS` says how often each story is played; letters are typed at the pace of a phone.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

import pytest
from browser_driving import PHONE, button, server, window
from playing import store_of_screens
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect
from servers import free_port

from scoring.presets import PRESETS
from table import opening

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]

OPENINGS = int(os.environ.get("SETTEBELLO_OPENINGS", "3"))
"""How often each story is played; an address may open 30 tables an hour."""

LETTER_MS = 150
"""Milliseconds for a letter: forty words a minute are 150 to 200."""

MOST_TAPS, MOST_S = 6, 15
NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Massimiliano")
LINK = "the-link-of-last-time"


class Finger:
    """Taps and types on a phone, and counts the taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.enters = page, 0, 0

    def tap(self, place: Locator) -> None:
        place.tap()
        self.taps += 1

    def write(self, text: str) -> None:
        self.page.keyboard.type(text, delay=LETTER_MS)

    def enter(self) -> None:
        """Enter leads on: a key of the phone's keyboard, counted by itself."""
        self.page.keyboard.press("Enter")
        self.enters += 1


def fields(page: Page) -> Locator:
    return page.locator(".seat:not([hidden]) input")


def two_new(finger: Finger) -> tuple[str, ...]:
    """Two names, Enter between them."""
    finger.tap(fields(finger.page).first)
    finger.write(NAMES[0])
    finger.enter()
    finger.write(NAMES[1])
    return NAMES[:2]


def four_new(finger: Finger) -> tuple[str, ...]:
    """Four are chosen, then their names with Enter between them, and another side deals."""
    finger.tap(finger.page.locator(".count-4"))
    finger.tap(fields(finger.page).first)
    for name in NAMES[:4]:
        finger.write(name)
        finger.enter()
    finger.tap(finger.page.locator(".deals").nth(2))
    return NAMES[:4]


def six_new(finger: Finger) -> tuple[str, ...]:
    """Six names with commas between them: the table grows by itself."""
    finger.tap(fields(finger.page).first)
    finger.write(", ".join(NAMES))
    return NAMES


def six_known(finger: Finger) -> tuple[str, ...]:
    """The names of last time by one tap each would be six: the button does all at once."""
    finger.tap(button(finger.page, "as_last_time"))
    return NAMES


def two_known(finger: Finger) -> tuple[str, ...]:
    """Two names of last time, a tap each."""
    for name in ("Carla", "Elena"):
        finger.tap(finger.page.locator(".chip", has_text=name))
    return "Carla", "Elena"


@pytest.mark.parametrize(
    ("story", "presses_open"),
    [(two_new, True), (four_new, True), (six_new, True), (two_known, True), (six_known, False)],
    ids=["two new", "four new", "six new", "two known", "six as last time"],
)
def test_a_table_is_open_in_six_taps_and_fifteen_seconds(
    story: Callable[[Finger], tuple[str, ...]],
    presses_open: bool,
    browser: Browser,
    home: Path,
) -> None:
    last = opening.open_table(
        store_of_screens(), NAMES, rules=PRESETS["silver-lake"], link=LINK, first_dealer=1
    )
    took: list[float] = []
    taps, enters = [0], [0]
    with server(home, free_port()) as base:
        context = phone(browser)
        if "known" in story.__name__:
            window_of(context).goto(f"{base}/join/{last.code}/{LINK}")
        for _ in range(OPENINGS):
            page = window_of(context)
            finger, begun = Finger(page), time.monotonic()
            page.goto(base)
            page.locator(".seat input").first.wait_for()
            names = story(finger)
            if presses_open:
                finger.tap(button(page, "open"))
            page.locator(".tally .more").nth(len(names) - 1).wait_for()
            took.append(time.monotonic() - begun)
            taps.append(finger.taps)
            enters.append(finger.enters)
            for side, name in enumerate(names):
                expect(page.locator(f".st-key-side_{side}")).to_contain_text(name)
            page.close()
            if "new" in story.__name__:
                context = phone(browser)
    told = f"{max(taps)} taps and {max(enters)} times Enter, {spread(took)}"
    print(f"\nopening, {story.__name__.replace('_', ' ')}: {told}")
    assert max(taps) <= MOST_TAPS
    assert max(took) <= MOST_S


def spread(seconds: list[float]) -> str:
    """Least, median, 95th percentile and most of some times."""
    cuts = quantiles(seconds, n=20, method="inclusive")
    return (
        f"{min(seconds):.1f} s least, {cuts[9]:.1f} median, {cuts[18]:.1f} 95th percentile, "
        f"{max(seconds):.1f} most of {len(seconds)}"
    )


def phone(browser: Browser) -> BrowserContext:
    """A phone that was here never before."""
    size: ViewportSize = {"width": PHONE["width"], "height": PHONE["height"]}
    return browser.new_context(viewport=size, locale="en-GB", has_touch=True, is_mobile=True)


def window_of(context: BrowserContext) -> Page:
    page = context.new_page()
    page.set_default_timeout(60_000)
    return page


def test_a_list_of_names_that_is_pasted_fills_the_table(browser: Browser, home: Path) -> None:
    with server(home, free_port()) as base:
        page = window(browser, PHONE)
        page.goto(base)
        fields(page).first.evaluate(
            """(field) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", "Anna\\nBruno\\r\\nCarla;  Dario\\n");
            field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            }"""
        )
        expect(fields(page)).to_have_count(4)
        assert fields(page).evaluate_all("(all) => all.map((one) => one.value)") == [*NAMES[:4]]


def test_names_are_completed_while_they_are_typed(browser: Browser, home: Path) -> None:
    last = opening.open_table(store_of_screens(), NAMES, rules=PRESETS["silver-lake"], link=LINK)
    with server(home, free_port()) as base:
        page = window(browser, PHONE)
        page.goto(f"{base}/join/{last.code}/{LINK}")
        page.locator(".st-key-me_0").wait_for()
        page.goto(base)
        chips = page.locator(".chip")
        expect(chips).to_have_count(len(NAMES))
        fields(page).first.click()
        page.keyboard.type("ma")
        expect(chips).to_have_text(["Massimiliano"])
        chips.first.click()
        expect(fields(page).first).to_have_value("Massimiliano")
        expect(fields(page).nth(1)).to_be_focused()
        expect(chips).to_have_count(len(NAMES) - 1)
        page.keyboard.type("x")
        expect(chips).to_have_count(0)
