"""The board in a real browser: it fills a tablet, stays awake, and comes back after a sleep."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from app_driving import ANNA, BRUNO, facts, open_table, record
from browser_driving import PHONE, TABLET, button, let_in, server, settle, window
from playing import Store, store_of_screens
from playwright.sync_api import Browser, Page, expect
from servers import free_port

from scoring.presets import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Massimiliano")
STUB_WAKE_LOCK = """
window.locks = 0;
Object.defineProperty(navigator, "wakeLock", { value: {
  request: async () => (window.locks++, { released: false, release: async () => {} }) } });
"""


def table_of(count: int) -> str:
    """A table of so many sides after a hand, with the code of it."""
    names, whole = NAMES[:count], (*ANNA, *BRUNO)
    size = len(whole) // count
    piles = [whole[side * size : (side + 1) * size] for side in range(count)]
    store = store_of_screens()
    table = store.open_table(names, PRESETS["silver-lake"].changed(target=21))
    hand = facts(*piles, names=names, scope=(9, *[0] * (count - 1)))
    store.record_hand(table, hand, key="first", expected=store.match_of(table).revision)
    return table.code


@pytest.mark.parametrize("count", range(2, 7))
def test_the_board_fills_a_tablet_and_its_scores_are_read_from_three_metres(
    count: int, browser: Browser, home: Path
) -> None:
    code = table_of(count)
    with server(home, free_port()) as base:
        page = window(browser, TABLET)
        page.goto(f"{base}/board?table={code}")
        page.locator(".join").wait_for()
        settle(page)
        boxes = page.locator(".box").all()
        assert len(boxes) == count
        for box in boxes:
            expect(box).to_be_in_viewport(ratio=1)
            name, big = box.locator("h2"), box.locator(".big")
            size = big.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
            assert size >= 160, f"{count} sides: {size} px"
            inner, outer = big.bounding_box(), box.bounding_box()
            assert inner
            assert outer
            assert outer["x"] <= inner["x"]
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
            assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
            expect(name).to_be_in_viewport(ratio=1)
        whole = page.locator(".whole")
        assert whole.evaluate("(e) => e.scrollHeight <= e.clientHeight"), "the board scrolls"
        used = page.locator(".board").bounding_box()
        assert used
        assert used["width"] * used["height"] > 0.5 * TABLET["width"] * TABLET["height"]
        expect(page.locator(".tile")).to_have_count(5)
        for tile in page.locator(".tile").all():
            expect(tile).to_be_in_viewport(ratio=1)


def test_nothing_on_the_board_needs_a_hand_and_the_rest_folds_away(
    browser: Browser, home: Path
) -> None:
    code = table_of(3)
    with server(home, free_port()) as base:
        page = window(browser, TABLET)
        let_in(page, base)
        page.goto(f"{base}/board?table={code}")
        page.locator(".join").wait_for()
        shown = page.locator("button:visible, a:visible")
        expect(shown).to_have_count(1)
        shown.click()
        for word in ("Hands", "Home", "Italiano", "Sunlight"):
            expect(page.get_by_text(word, exact=True)).to_be_visible()
        page.get_by_text("Play hand", exact=False).last.click()
        page.locator(".st-key-tally_0 .more").wait_for()


def test_on_a_phone_the_way_back_to_the_game_is_in_reach(browser: Browser, home: Path) -> None:
    code = table_of(2)
    with server(home, free_port()) as base:
        page = window(browser, PHONE)
        let_in(page, base)
        page.goto(f"{base}/board?table={code}")
        expect(button(page, "next")).to_be_in_viewport(ratio=1)
        size = page.locator(".big").first.evaluate(
            "(e) => parseFloat(getComputedStyle(e).fontSize)"
        )
        assert size >= 80


def test_the_board_asks_not_to_fall_asleep_again_whenever_it_is_seen(
    browser: Browser, home: Path
) -> None:
    code = table_of(2)
    with server(home, free_port()) as base:
        page = window(browser, TABLET)
        page.add_init_script(STUB_WAKE_LOCK)
        page.goto(f"{base}/board?table={code}")
        page.wait_for_function("window.locks === 1")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(200)
        assert page.evaluate("window.locks") == 1, "it holds one already"
        let_in(page, base)
        page.goto(f"{base}/play?table={code}")
        page.locator(".st-key-tally_0 .more").wait_for()
        page.wait_for_timeout(300)
        assert page.evaluate("window.locks") == 0, "only the board stays awake"


class Line:
    """Passes bytes to a server, and can die without a word to either end, as in a sleep."""

    def __init__(self, port: int) -> None:
        self.port, self.is_dead, self.sockets = port, threading.Event(), list[socket.socket]()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def run(self) -> None:
        """Takes connections as long as it listens; those of a dead line are closed at once."""
        with suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                self.sockets.append(near)
                if self.is_dead.is_set():
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.port))
                self.sockets.append(far)
                for ends in ((near, far), (far, near)):
                    told = (*ends, self.is_dead)
                    threading.Thread(target=self.carry, args=told, daemon=True).start()

    def carry(self, one: socket.socket, other: socket.socket, is_dead: threading.Event) -> None:
        """Carries bytes one way; what comes after the line's death is lost."""
        with suppress(OSError):
            while data := one.recv(65536):
                if not is_dead.is_set():
                    other.sendall(data)
            if not is_dead.is_set():
                other.shutdown(socket.SHUT_WR)

    def mend(self) -> None:
        """Lets new connections through; those of before stay dead."""
        self.is_dead = threading.Event()


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    line = Line(port)
    listening = threading.Thread(target=line.run, daemon=True)
    listening.start()
    try:
        yield line
    finally:
        line.listening.shutdown(socket.SHUT_RDWR)  # closing alone would leave it waiting
        listening.join()
        line.listening.close()
        for one in line.sockets:
            one.close()


def test_after_a_sleep_with_dead_lines_the_board_shows_how_things_stand(
    browser: Browser, home: Path
) -> None:
    table, port = open_table(), free_port()
    with server(home, port), line_to(port) as line:
        page = window(browser, TABLET)
        page.clock.install()
        page.goto(f"{line.address}/board?table={table.code}")
        page.locator(".join").wait_for()
        settle(page)
        line.is_dead.set()
        record(table, scope=(2, 0))
        page.wait_for_timeout(1500)
        expect(page.locator(".tile")).to_have_count(0)  # nobody told this tablet
        page.clock.fast_forward("20:00")  # as a tablet that slept
        page.wait_for_timeout(1500)
        line.mend()
        expect(page.locator(".tile")).to_have_count(5)
        expect(page.locator(".big").first).to_contain_text("5")


def background(page: Page) -> str:
    return str(
        page.locator("[data-testid=stApp]").evaluate("(e) => getComputedStyle(e).backgroundColor")
    )


def test_a_theme_is_kept_on_the_device_and_holds_on_every_screen(
    browser: Browser, home: Path
) -> None:
    code = table_of(2)
    with server(home, free_port()) as base:
        page, other = window(browser, PHONE), window(browser, PHONE)
        for theme, colour, on_input in (
            ("dark", "rgb(19, 27, 23)", "rgb(243, 238, 225)"),
            ("sunlight", "rgb(255, 255, 255)", ""),
        ):
            let_in(page, base)
            page.goto(base)
            page.locator(f".theme-{theme}").click()
            expect(page.locator(f".theme-{theme}")).to_have_attribute("aria-pressed", "true")
            assert background(page) == colour
            words = page.locator(".st-key-code input").evaluate("(e) => getComputedStyle(e).color")
            assert words == on_input or not on_input, "Streamlit's own words follow"
            for screen, landmark in (
                ("play", ".tally .more"),
                ("board", ".join"),
                ("history", "h2"),
            ):
                page.goto(f"{base}/{screen}?table={code}")
                page.locator(landmark).first.wait_for()
                assert background(page) == colour, screen
        other.goto(base)
        other.locator(".theme-dark").wait_for()
        assert background(other) == "rgb(250, 246, 236)", "another device has its own"


def test_the_clock_of_a_match_goes_on_by_itself(browser: Browser, home: Path) -> None:
    code = table_of(2)
    with server(home, free_port()) as base:
        page = window(browser, TABLET)
        page.clock.install()
        page.goto(f"{base}/board?table={code}")
        page.locator(".clock time").wait_for()
        settle(page)
        for _ in range(62):
            page.clock.run_for(60_000)
        expect(page.locator(".clock time")).to_have_text(re.compile("1:0[1-3]"))


COUNT_DRAWINGS = """() => {
  const page = document.querySelector("[data-testid=stApp]");
  window.drawings = 0;
  new MutationObserver(() => {
    if (page.dataset.testScriptState === "running") window.drawings++;
  }).observe(page, { attributes: true, attributeFilter: ["data-test-script-state"] });
}"""


def test_a_board_is_drawn_anew_only_for_what_it_does_not_show_by_itself(
    browser: Browser, home: Path
) -> None:
    code = table_of(2)
    with server(home, free_port()) as base, closing(Store()) as store:
        page = window(browser, TABLET)
        page.goto(f"{base}/board?table={code}")
        page.locator(".join").wait_for()
        settle(page)
        page.evaluate(COUNT_DRAWINGS)
        store.add_scope(code, 1)
        expect(page.locator("[data-scope='1'] b")).to_have_text("1")
        page.wait_for_timeout(2_500)
        assert page.evaluate("window.drawings") == 0
        hand = facts(ANNA, BRUNO, names=NAMES[:2], scope=(0, 1))
        store.record_hand(code, hand, key="second", expected=store.match_of(code).revision)
        expect(page.locator(".last h3")).to_contain_text("2", timeout=10_000)
        assert page.evaluate("window.drawings") > 0
