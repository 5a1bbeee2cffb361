"""How the tests start a real server, open windows of a real browser and wait for a screen."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from servers import running

from web.auth import LINKS_COOKIE, read_links

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 1180, "height": 820}
PASSPHRASE = "sette bello di denari"
"""The organiser's, on every server of the tests."""
WAIT_MS = 60_000
"""Patience with a busy machine; what must be fast is measured by itself."""


@contextmanager
def server(home: Path, port: int) -> Iterator[str]:
    """The app as its command starts it, on a port of its own."""
    with running(home, port=port, passphrase=PASSPHRASE) as started:
        yield started.address


expect.set_options(timeout=WAIT_MS)


def window(browser: Browser, size: dict[str, int], *, locale: str = "en-GB") -> Page:
    viewport: ViewportSize = {"width": size["width"], "height": size["height"]}
    page = browser.new_page(viewport=viewport, locale=locale)
    page.set_default_timeout(WAIT_MS)
    page.set_default_navigation_timeout(WAIT_MS)
    return page


def button(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} button").first


def act(page: Page, name: str) -> Locator:
    """A button that works on the phone."""
    return page.locator(f"[data-act='{name}']").first


def card(page: Page, code: str) -> Locator:
    """One of the forty cards."""
    return page.locator(f"[data-card='{code}']")


def press(page: Page, key: str, *, then: str) -> None:
    """Presses a button and waits for what must follow."""
    button(page, key).click()
    page.locator(then).first.wait_for()


def open_table(page: Page, base: str, *, names: tuple[str, ...]) -> str:
    page.goto(base)
    page.locator(f".count-{len(names)}").click()
    for side, name in enumerate(names):
        page.locator(".seat input").nth(side).fill(name)
    press(page, "open", then=".st-key-tally_0 .more")
    expect(page.locator(".st-key-side_0")).to_contain_text(names[0])
    page.wait_for_function("document.querySelector('.tally').onPhone")
    return page.url.split("table=")[1][:4]


def invitation(page: Page, base: str) -> str:
    """The scorers' link of the table that a phone was at last, as its screen "Invite" shows it."""
    [held] = [one["value"] for one in page.context.cookies() if one["name"] == LINKS_COOKIE]
    code, link = next(iter(read_links(held).items()))
    return f"{base}/join/{code}/{link}"


def let_in(page: Page, base: str) -> None:
    """Lets a browser in as the organiser, who may write at every table."""
    assert page.request.post(f"{base}/door/organiser", data=PASSPHRASE).ok


def settle(page: Page) -> None:
    """Waits until a tap has been answered: the script is idle for a while."""
    for _ in range(2):
        page.wait_for_timeout(200)
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def wrong_cards(page: Page, right: tuple[str, ...]) -> list[str]:
    """Codes of the cards that the picker shows elsewhere than they are, or asks about."""
    labels = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.card')]
        .map((e) => [e.dataset.card, e.dataset.state]))"""
    )
    return [c for c, where in labels.items() if (where == "here") != (c in right)]


def correct(page: Page, right: tuple[str, ...]) -> int:
    """Answers every question and taps every card that is wrong; gives the number of taps."""
    taps = 0
    while taps < 120:
        settle(page)
        expect(page.locator(".act[aria-busy=true]")).to_have_count(0)  # what was answered is drawn
        asked = page.locator("[class*=st-key-answers_]:not(.st-key-answers_count) .act:visible")
        wrong = wrong_cards(page, right)
        if asked.count():
            asked.first.click()
        elif wrong:
            card(page, wrong[0]).click()
        else:
            return taps
        taps += 1
    raise AssertionError(f"after 120 taps still wrong: {wrong_cards(page, right)}")


def tap_cards(page: Page, codes: tuple[str, ...]) -> None:
    """Puts cards into the pile on the screen."""
    for code in codes:
        card(page, code).click()
        expect(card(page, code)).to_have_attribute("data-state", "here")
