"""How the tests start a real server, open windows of a real browser and wait for a screen."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import (
    Browser,
    Error,
    Locator,
    Page,
    ViewportSize,
    WebSocketRoute,
    expect,
)
from servers import running
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from scoring.presets import PRESETS
from screens import state
from table import opening
from web.auth import LINKS_COOKIE, read_links

NARROW = {"width": 320, "height": 640}
PHONE = {"width": 390, "height": 844}
TABLET = {"width": 1180, "height": 820}
PASSPHRASE = "sette bello di denari"
"""The organiser's, on every server of the tests."""
ANSWER_MS = 5_000
"""A window that takes longer to say what stands in it is not used again."""
WAIT_MS = 120_000
"""Patience with a busy machine; what must be fast is measured by itself."""

expect.set_options(timeout=WAIT_MS)


@contextmanager
def server(home: Path, port: int | None = None) -> Iterator[str]:
    """The app as its command starts it, killed at the end."""
    with running(home, port=port, passphrase=PASSPHRASE) as started:
        yield started.address


class Windows:
    """Windows of one browser, each with cookies of its own.

    The page of a window that is closed is kept for the next one: it has compiled Streamlit's
    scripts already, and loads a screen with half the work.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._parked: dict[str, list[Page]] = {}
        self._open: list[tuple[Page, str, bool]] = []

    def open(
        self, size: dict[str, int], *, locale: str = "en-GB", is_changed: bool = False
    ) -> Page:
        """Return a window of a device that was at no table.

        Args:
            size: Its width and height in CSS px.
            locale: The language of the device.
            is_changed: Scripts, a clock or the size of letters will be put into it: no other test
                gets it.
        """
        viewport: ViewportSize = {"width": size["width"], "height": size["height"]}
        parked = self._parked.get(locale, [])
        if parked and not is_changed:
            page = parked.pop()
            page.set_viewport_size(viewport)
        else:
            page = self.browser.new_page(viewport=viewport, locale=locale)
            page.set_default_timeout(WAIT_MS)
            page.set_default_navigation_timeout(WAIT_MS)
        self._open.append((page, locale, is_changed))
        return page

    def close_all(self, *, shared: str) -> None:
        """Close the windows; those at the address `shared` are used again."""
        for page, locale, is_changed in self._open:
            if is_changed or page.is_closed() or not page.url.startswith(shared):
                page.context.close()
                continue
            try:
                self._clear(page, shared)
            except Error:  # it does not answer
                page.context.close()
            else:
                self._parked.setdefault(locale, []).append(page)
        for context in self.browser.contexts:  # those that a test opened by itself
            if not any(page.context is context for kept in self._parked.values() for page in kept):
                context.close()
        self._open.clear()

    def show_texts(self) -> None:
        """Print what stands in each open window: pytest shows it for a test that failed."""
        for page, _, _ in self._open:
            if not page.is_closed():
                try:
                    text = page.locator("body").inner_text(timeout=ANSWER_MS)
                except Error as error:
                    text = f"does not answer: {error.message}"
                print(f"\n{page.url}\n{text}")

    def _clear(self, page: Page, address: str) -> None:
        """Leave the app and remove everything that it kept on the device."""
        context = page.context
        context.set_offline(False)
        page.unroute_all(behavior="ignoreErrors")
        page.emulate_media(media="null", reduced_motion="null")
        # a page of the same process, which keeps what it compiled
        page.goto(f"{address}/_stcore/health", timeout=4 * ANSWER_MS)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        context.clear_cookies()
        kept = {"origin": address, "storageTypes": "indexeddb,cache_storage"}
        tools = context.new_cdp_session(page)
        tools.send("Storage.clearDataForOrigin", kept)
        tools.detach()


class BusyLine:
    """The line of a page to a server that is busy: what is to be held comes late, in its order."""

    def __init__(self, page: Page) -> None:
        self.holds_asked = self.holds_drawings = False
        self._is_held = False
        self._held: list[Callable[[], None]] = []
        page.route_web_socket(re.compile("/_stcore/stream"), self._connect)

    def release(self) -> None:
        """Passes on what was held."""
        self._is_held, held, self._held = False, self._held, []
        for one in held:
            one()

    def _connect(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        page.on_message(lambda message: self._pass(partial(server.send, message), self.holds_asked))
        server.on_message(lambda message: self._answer(page, message))

    def _answer(self, page: WebSocketRoute, message: str | bytes) -> None:
        self._pass(partial(page.send, message), self._is_held)
        assert isinstance(message, bytes)
        kind = ForwardMsg.FromString(message).WhichOneof("type")
        self._is_held |= self.holds_drawings and kind == "new_session"  # all but that a run begins

    def _pass(self, send: Callable[[], None], is_held: bool) -> None:
        if is_held:
            self._held.append(send)
        else:
            send()


@dataclass(frozen=True)
class NewTable:
    """A table that was opened without a browser."""

    code: str
    link: str
    """The secret of its scorers."""

    def join(self, base: str, screen: str = "play", **query: object) -> str:
        """Return the address by which a device becomes a scorer and go on to a screen."""
        more = "".join(f"&{name}={value}" for name, value in query.items())
        return f"{base}/join/{self.code}/{self.link}?screen={screen}{more}"


def new_table(*names: str) -> NewTable:
    link = uuid4().hex
    rules = PRESETS["silver-lake"]
    names = names or ("Anna", "Bruno")
    return NewTable(opening.open_table(state.store(), names, rules=rules, link=link).code, link)


def at_play(page: Page, base: str, table: NewTable, **query: object) -> None:
    """Open the screen of the hand, as a scorer, and wait until taps are taken."""
    page.goto(table.join(base, "play", **query))
    page.locator(".st-key-tally_0 .more").wait_for()
    page.wait_for_function("document.querySelector('.tally').onPhone")


def invitation(page: Page, base: str) -> str:
    """The scorers' link of the table that a phone was at last, as its screen "Invite" shows it."""
    [held] = [one["value"] for one in page.context.cookies() if one["name"] == LINKS_COOKIE]
    code, link = next(iter(read_links(held).items()))
    return f"{base}/join/{code}/{link}"


def let_in(page: Page, base: str) -> None:
    """Let a browser in as the organiser, who may write at every table."""
    assert page.request.post(f"{base}/door/organiser", data=PASSPHRASE).ok


def button(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} button").first


def speak(page: Page, language: str) -> None:
    """Choose a language, in the menu, which folds away after it."""
    button(page, "menu_open").click()
    button(page, f"speak_{language}").click()
    settle(page)
    page.keyboard.press("Escape")


def act(page: Page, name: str) -> Locator:
    """Return a button that works on the phone."""
    return page.locator(f"[data-act='{name}']").first


def card(page: Page, code: str) -> Locator:
    """Return one of the forty cards."""
    return page.locator(f"[data-card='{code}']")


def press(page: Page, key: str, *, then: str) -> None:
    """Press a button and wait for what must follow."""
    button(page, key).click()
    page.locator(then).first.wait_for()


IDLE = """() => new Promise((done) => {
  let since = performance.now();
  const look = () => {
    const app = document.querySelector("[data-testid=stApp]");
    const isPlain = location.pathname.startsWith("/board/");
    if (!isPlain && app?.dataset.testScriptState !== "notRunning") since = performance.now();
    if (performance.now() - since > 200) done();
    else setTimeout(look, 20);
  };
  look();
})"""


def settle(page: Page) -> None:
    """Wait until a tap has been answered: the script is idle for a while."""
    page.evaluate(IDLE)


END_ANIMATIONS = """() => document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
  .forEach((one) => one.finish())"""

COVERED_BUTTONS = """() => {
  const cover = (button, block, margin = "") => {
    button.style.scrollMarginTop = margin;
    button.scrollIntoView({ block, inline: "center", behavior: "instant" });
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2) ?? document.body;
    return width && height && !button.contains(hit) ? hit : null;
  };
  const top = document.querySelector(":modal") ?? document;
  return [...top.querySelectorAll("button:enabled, a[href], .snap label, .photos label")]
    .filter((button) => button.tabIndex >= 0 || button.matches("label"))
    .filter((button) => button.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((button) => [button,
      cover(button, "center") && cover(button, "start") && cover(button, "start", "25vh")])
    .filter(([, hit]) => hit)
    .map(([button, hit]) => `${button.innerText || button.ariaLabel || button.className} | under `
      + (hit.dataset.testid ?? hit.className));
}"""


def covered_buttons(page: Page) -> list[str]:
    """Return the visible, enabled buttons and links whose centre something else covers.

    Fading notes are faded out first, as what is invisible must not swallow a tap. A button counts
    as covered if scrolling it to the middle, to the top or to a quarter of the window does not
    uncover it. While a dialog is open, only its buttons count.
    """
    page.evaluate(END_ANIMATIONS)
    return [str(button) for button in page.evaluate(COVERED_BUTTONS)]


def turn(page: Page, address: str) -> None:
    """Open another screen of the app that the page is at, as the browser's "back" does.

    The page is not loaded anew: that takes the longest.
    """
    page.evaluate(
        "(to) => (history.pushState({}, '', to), dispatchEvent(new PopStateEvent('popstate')))",
        address,
    )
    settle(page)


def make_scope(page: Page, *made: int) -> None:
    """Tap scope for each side."""
    for side, count in enumerate(made):
        for _ in range(count):
            page.locator(f".st-key-tally_{side} .more").click()
        if count:
            expect(page.locator(f".st-key-tally_{side} b")).to_have_text(str(count))


def to_cards(page: Page) -> None:
    """Go to the forty cards from where a hand is played or counted."""
    page.locator(".st-key-by_cards a, .st-key-other_ways a").first.click()
    card(page, "7d").wait_for()


def tap_cards(page: Page, codes: tuple[str, ...]) -> None:
    """Put cards into the pile on the screen."""
    for code in codes:
        card(page, code).click()
        expect(card(page, code)).to_have_attribute("data-state", "here")


def wrong_cards(page: Page, right: tuple[str, ...]) -> list[str]:
    """Codes of the cards that the picker shows elsewhere than they are, or asks about."""
    labels = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.card')]
        .map((e) => [e.dataset.card, e.dataset.state]))"""
    )
    return [c for c, where in labels.items() if (where == "here") != (c in right)]


def correct(page: Page, right: tuple[str, ...]) -> int:
    """Answer every question and tap every card that is wrong; return the number of taps."""
    taps = 0
    to_cards(page)
    while taps < 120:
        settle(page)
        expect(page.locator(".act[aria-busy=true]")).to_have_count(0)  # every answer is rendered
        questions = page.locator(".st-key-answers .act:visible")
        wrong = wrong_cards(page, right)
        if questions.count():
            questions.first.click()
        elif wrong:
            card(page, wrong[0]).click()
        else:
            return taps
        taps += 1
    raise AssertionError(f"after 120 taps still wrong: {wrong_cards(page, right)}")
