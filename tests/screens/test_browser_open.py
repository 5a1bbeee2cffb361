"""Opening a table in a real browser: how many taps it takes; letters come as fast as on a phone."""

import pytest
from browser_driving import PHONE, WAIT_MS, Windows, button, new_table
from playwright.sync_api import Locator, Page, ViewportSize, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]

LETTER_MS = 150
"""Milliseconds for a letter: forty words a minute are 150 to 200."""

MOST_TAPS = 6
NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Massimiliano")


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


def names_in(page: Page) -> list[str]:
    names: list[str] = fields(page).evaluate_all("(all) => all.map((one) => one.value)")
    return names


def two_new(finger: Finger) -> tuple[str, ...]:
    """Return two names, Enter between them."""
    finger.tap(fields(finger.page).first)
    finger.write(NAMES[0])
    finger.enter()
    finger.write(NAMES[1])
    return NAMES[:2]


def four_new(finger: Finger) -> tuple[str, ...]:
    """Four are chosen, then their names with Enter between them, and another side deals."""
    for _ in range(2):
        finger.tap(finger.page.locator(".add"))
    finger.tap(fields(finger.page).first)
    for name in NAMES[:4]:
        finger.write(name)
        finger.enter()
    finger.tap(finger.page.locator(".st-key-opening_rules button"))
    finger.tap(finger.page.locator(".dealers button").nth(2))
    return NAMES[:4]


def six_new(finger: Finger) -> tuple[str, ...]:
    """Six names with commas between them: the table grows by itself."""
    finger.tap(fields(finger.page).first)
    finger.write(", ".join(NAMES))
    return NAMES


def six_known(finger: Finger) -> tuple[str, ...]:
    """Return the names of last time by one tap each would be six: the button does all at once."""
    finger.tap(button(finger.page, "as_last_time"))
    return NAMES


def two_known(finger: Finger) -> tuple[str, ...]:
    """Return two names of last time, a tap each."""
    for name in ("Carla", "Elena"):
        finger.tap(finger.page.locator(".chip", has_text=name))
    return "Carla", "Elena"


STORIES = [(four_new, True), (six_new, True), (two_known, True), (six_known, False)]
"""What is entered, and whether "Start" is pressed after it."""


def test_a_table_is_open_in_six_taps(windows: Windows, base: str) -> None:
    last = new_table(*NAMES)
    size: ViewportSize = {"width": PHONE["width"], "height": PHONE["height"]}
    context = windows.browser.new_context(
        viewport=size, locale="en-GB", has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(base)
    for story, presses_open in STORIES:
        finger = Finger(page)
        page.goto(f"{base}/_stcore/health")
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        context.clear_cookies()  # a phone that was at no table
        if "known" in story.__name__:
            assert page.request.get(last.join(base)).ok
        page.goto(base)
        page.locator(".seat input").first.wait_for()
        names = story(finger)
        if presses_open:
            finger.tap(button(page, "open"))
        page.locator(".tally .more").nth(len(names) - 1).wait_for()
        for side, name in enumerate(names):
            expect(page.locator(f".st-key-tally_{side}")).to_contain_text(name)
        assert finger.taps <= MOST_TAPS


def test_names_are_pasted_as_a_list_and_completed(windows: Windows, base: str) -> None:
    pasting, page = windows.open(PHONE), windows.open(PHONE)
    pasting.goto(base)
    fields(pasting).first.evaluate(
        """(field) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", "Anna\\nBruno\\r\\nCarla;  Dario\\n");
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }"""
    )
    expect(fields(pasting)).to_have_count(4)
    assert names_in(pasting) == [*NAMES[:4]]
    grips = pasting.locator(".seat:not([hidden]) .grip")
    grips.first.hover()
    pasting.mouse.down()
    grips.nth(2).hover()
    pasting.mouse.up()
    assert names_in(pasting) == ["Bruno", "Carla", "Anna", "Dario"], "dragged to seat order"
    grips.nth(3).press("ArrowUp")
    assert names_in(pasting) == ["Bruno", "Carla", "Dario", "Anna"]
    expect(grips.nth(2)).to_be_focused()

    page.goto(new_table(*NAMES).join(base))
    page.locator(".tally .more").first.wait_for()
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
