"""The board in a real browser: it fills a tablet, stays awake, and comes back after a sleep."""

import re
from contextlib import closing
from pathlib import Path

import pytest
from app_driving import ANNA, BRUNO, facts, open_table, record
from browser_driving import PHONE, TABLET, Windows, button, let_in, server, settle
from playing import command, match_of, record_hand, write
from playwright.sync_api import Locator, Page, expect
from proxies import Proxy, html

from scoring.presets import PRESETS
from screens import state
from store import piles, tables

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Massimiliano")
COUNT_WAKE_LOCKS = """
window.locks = 0;
Object.defineProperty(navigator, "wakeLock", { configurable: true, value: {
  request: async () => (window.locks++, { released: false, release: async () => {} }) } });
window.counted = [];
new MutationObserver(() => {
  const score = document.querySelector(".big[data-total='1']");
  if (score && score.textContent !== window.counted.at(-1)) window.counted.push(score.textContent);
}).observe(document, { childList: true, characterData: true, subtree: true });
"""


def table_of(count: int) -> str:
    """Return a table of so many sides after a hand, with the code of it."""
    names, whole = NAMES[:count], (*ANNA, *BRUNO)
    size = len(whole) // count
    piles = [whole[side * size : (side + 1) * size] for side in range(count)]
    store = state.store()
    table = command(store, tables.open_table, names, PRESETS["silver-lake"].changed(target=21))
    hand = facts(*piles, names=names, scope=(9, *[0] * (count - 1)))
    record_hand(store, table, hand, key="first", expected=match_of(store, table).revision)
    return table.code


def letters_px(element: Locator) -> float:
    return float(element.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)"))


def test_board_fills_a_tablet_with_large_scores(windows: Windows, base: str) -> None:
    page, codes = windows.open(TABLET), {count: table_of(count) for count in range(2, 7)}
    for count, code in codes.items():
        page.goto(f"{base}/board/{code}")
        page.locator(".join").wait_for()
        settle(page)
        check_tablet(page, count)
    let_in(page, base)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    for count in (2, 4):
        page.goto(f"{base}/board/{codes[count]}")
        expect(page.locator(".step")).to_be_in_viewport(ratio=1)  # the way back to the game
        assert letters_px(page.locator(".big").first) >= 80


def check_tablet(page: Page, count: int) -> None:
    """The board of so many sides fills a tablet, and is large."""
    boxes = page.locator(".box").all()
    assert len(boxes) == count
    for box in boxes:
        expect(box).to_be_in_viewport(ratio=1)
        expect(box.locator("h2")).to_be_in_viewport(ratio=1)
        big = box.locator(".big")
        assert letters_px(big) >= 160, f"{count} sides: {letters_px(big)} px"
        inner, outer = big.bounding_box(), box.bounding_box()
        assert inner
        assert outer
        assert outer["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    whole = page.locator(".whole")
    assert whole.evaluate("(e) => e.scrollHeight <= e.clientHeight"), "the board scrolls"
    used = page.locator(".board").bounding_box()
    assert used
    assert used["width"] * used["height"] > 0.5 * TABLET["width"] * TABLET["height"]
    expect(page.locator(".mark")).to_have_count(5)
    for mark in page.locator(".mark").all():
        expect(mark).to_be_in_viewport(ratio=1)
    assert letters_px(page.locator(".strip")) >= 28, "the last hand is read from eight metres"
    per_row = {2: 2, 3: 3, 4: 2, 5: 3, 6: 3}[count]
    feet = [found["y"] + found["height"] for big in page.locator(".big").all()
            if (found := big.bounding_box())]  # fmt: skip
    for first in range(0, count, per_row):
        row = feet[first : first + per_row]
        assert max(row) - min(row) < 1, f"the scores of {count} stand on one line: {row}"
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert letters_px(page.locator(".strip")) >= 39
    page.set_viewport_size({"width": TABLET["width"], "height": TABLET["height"]})


def test_board_stays_awake_or_names_the_setting(windows: Windows, base: str) -> None:
    page = windows.open(TABLET, is_changed=True)
    page.add_init_script(COUNT_WAKE_LOCKS)
    let_in(page, base)
    code = table_of(3)
    page.goto(f"{base}/board/{code}")
    page.wait_for_function("window.locks === 1")
    expect(page.locator(".sleeps")).to_be_hidden()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(200)
    assert page.evaluate("window.locks") == 1, "it holds one already"

    settle(page)
    expect(page.locator("button:visible, a:visible")).to_have_count(0)
    page.locator(".menu summary").click()
    for word in ("Hands", "Home", "Italiano", "Bright sun"):
        expect(page.get_by_text(word, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Hands", exact=True)).to_be_hidden()
    store = state.store()
    hand = facts(ANNA[:9], ANNA[9:], BRUNO, names=NAMES[:3], scope=(0, 4, 0))
    record_hand(store, code, hand, key="second", expected=match_of(store, code).revision)
    page.wait_for_function("window.counted.length > 3")  # from what stood there before
    page.locator(".menu summary").click()
    page.get_by_text("Play", exact=True).click()
    page.locator(".tally").first.wait_for()
    page.wait_for_function("window.locks === 1")  # the phone of a scorer stays awake too

    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined })")
    page.goto(f"{base}/board/{code}")
    note = page.locator(".sleeps")
    expect(note).to_contain_text("energy settings")
    note.click()
    expect(note).to_be_hidden()
    page.reload()
    page.locator(".join").wait_for()
    settle(page)
    expect(note).to_be_hidden()


def test_board_catches_up_after_a_sleep(windows: Windows, base: str) -> None:
    table = open_table()
    with closing(Proxy.to(base)) as line:
        page = windows.open(TABLET, is_changed=True)
        page.clock.install()
        page.goto(f"{line.address}/board/{table.code}")
        page.locator(".join").wait_for()
        settle(page)
        line.rule = lambda _method, _path: html(502)
        line.fall_silent()
        record(table, scope=(2, 0))
        page.wait_for_timeout(1500)
        expect(page.locator(".mark")).to_have_count(0)  # this tablet cannot know
        page.clock.fast_forward("20:00")  # as a tablet that slept
        page.wait_for_timeout(1500)
        line.rule = lambda _method, _path: None  # the lines of before stay dead
        expect(page.locator(".mark")).to_have_count(5)
        expect(page.locator(".big").first).to_contain_text("5")
        line.rule = lambda _method, _path: html(502)  # else it would be put right by the server's
        page.clock.fast_forward("50:00")
        expect(page.locator(".clock time")).to_have_text(re.compile("^5[0-3] min$"))


def background(page: Page) -> str:
    ground = page.locator("[data-testid=stApp], body:not(:has([data-testid=stApp]))")
    return str(ground.evaluate("(e) => getComputedStyle(e).backgroundColor"))


def test_a_theme_is_kept_on_the_device_and_holds_on_every_screen(
    windows: Windows, base: str
) -> None:
    code = table_of(2)
    page, other = windows.open(PHONE), windows.open(PHONE)
    let_in(page, base)
    page.goto(base)
    for theme, colour in (("sunlight", "rgb(255, 255, 255)"), ("dark", "rgb(19, 27, 23)")):
        button(page, "menu_open").click()
        page.locator(f".theme-{theme}").click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        page.locator(".hero").wait_for()
        assert background(page) == colour
    words = page.locator(".st-key-code input").evaluate("(e) => getComputedStyle(e).color")
    assert words == "rgb(243, 238, 225)", "Streamlit's own words follow"
    for screen, landmark in (("play", ".tally .more"), ("board", ".join"), ("history", "h2")):
        page.goto(f"{base}/{screen}?table={code}")
        page.locator(landmark).first.wait_for()
        assert background(page) == colour, screen
    page.goto(f"{base}/_stcore/health")  # no screen of the app is open to keep it again
    page.evaluate("localStorage.clear()")  # as of a page that came with an update
    page.goto(f"{base}/house")
    label = page.locator("[data-testid=stWidgetLabel] p").first
    expect(label).to_have_css("color", "rgb(243, 238, 225)")
    other.goto(base)
    other.locator(".hero").wait_for()
    assert background(other) == "rgb(250, 246, 236)", "another device has its own"


def test_a_theme_is_chosen_on_the_board_too(windows: Windows, base: str) -> None:
    page = windows.open(TABLET)
    page.goto(f"{base}/board/{table_of(2)}")
    for theme, colour in (("dark", "rgb(19, 27, 23)"), ("sunlight", "rgb(255, 255, 255)")):
        page.locator(".menu summary").click()
        page.locator(f".menu [value={theme}]").click()
        assert background(page) == colour
        page.reload()
        assert background(page) == colour
    expect(page.locator(".menu [value=sunlight]")).to_have_attribute("aria-pressed", "true")


def test_board_change_keeps_open_parts_open(windows: Windows, base: str) -> None:
    code, store = table_of(2), state.store()
    page = windows.open(TABLET)
    page.goto(f"{base}/board/{code}")
    page.locator(".mark summary").first.click()
    page.evaluate("document.querySelector('.plus').dataset.old = 'yes'")
    write(store, piles.add_scope, code, 1)
    expect(page.locator("[data-scope='1'] b")).to_have_text("1")
    expect(page.locator(".mark[open]")).to_have_count(1)
    assert page.evaluate("document.getAnimations().length") <= 2, "two gains, shown once"
    hand = facts(ANNA, BRUNO, names=NAMES[:2], scope=(0, 1))
    record_hand(store, code, hand, key="second", expected=match_of(store, code).revision)
    expect(page.locator(".last h3")).to_contain_text("2")
    expect(page.locator(".mark[open]")).to_have_count(0)  # those of another hand
    expect(page.locator(".plus[data-old]")).to_have_count(0)


def test_a_board_outlives_a_restart_of_its_server(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_port: int
) -> None:
    monkeypatch.setenv("SETTEBELLO_HOME", str(tmp_path / "restarted"))
    page = windows.open(TABLET, is_changed=True)
    with server(tmp_path / "restarted", free_port) as address:
        table = open_table()
        page.goto(f"{address}/board/{table.code}")
        page.evaluate("window.isSame = true")
    record(table, scope=(2, 0))
    expect(page.locator(".silent")).to_contain_text("No word from the table's computer since ")
    with server(tmp_path / "restarted", free_port):
        expect(page.locator(".big").first).to_have_text("5")
        expect(page.locator(".silent")).to_be_hidden()
        assert page.evaluate("window.isSame"), "it fetched the board, and did not reload"
