"""The board in a real browser: it fills a tablet, stays awake, and comes back after a sleep."""

import re
from contextlib import closing

import pytest
from app_driving import ANNA, BRUNO, facts, open_table, record
from browser_driving import PHONE, TABLET, Windows, button, let_in, settle
from playing import store_of_screens
from playwright.sync_api import Locator, Page, expect
from proxies import Proxy, html

from scoring.presets import PRESETS

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
    """A table of so many sides after a hand, with the code of it."""
    names, whole = NAMES[:count], (*ANNA, *BRUNO)
    size = len(whole) // count
    piles = [whole[side * size : (side + 1) * size] for side in range(count)]
    store = store_of_screens()
    table = store.open_table(names, PRESETS["silver-lake"].changed(target=21))
    hand = facts(*piles, names=names, scope=(9, *[0] * (count - 1)))
    store.record_hand(table, hand, key="first", expected=store.match_of(table).revision)
    return table.code


def letters_px(element: Locator) -> float:
    return float(element.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)"))


def test_the_board_fills_a_tablet_and_its_scores_are_read_from_three_metres(
    windows: Windows, base: str
) -> None:
    page, codes = windows.open(TABLET), {count: table_of(count) for count in range(2, 7)}
    for count, code in codes.items():
        page.goto(f"{base}/board?table={code}")
        page.locator(".join").wait_for()
        settle(page)
        check_tablet(page, count)
    let_in(page, base)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    for count in (2, 4):
        page.goto(f"{base}/board?table={codes[count]}")
        expect(button(page, "next")).to_be_in_viewport(ratio=1)  # the way back to the game
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


def test_the_board_stays_awake_or_says_which_setting_does_it_and_what_needs_a_hand_folds_away(
    windows: Windows, base: str
) -> None:
    page = windows.open(TABLET, is_changed=True)
    page.add_init_script(COUNT_WAKE_LOCKS)
    let_in(page, base)
    code = table_of(3)
    page.goto(f"{base}/board?table={code}")
    page.wait_for_function("window.locks === 1")
    expect(page.locator(".sleeps")).to_be_empty()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(200)
    assert page.evaluate("window.locks") == 1, "it holds one already"

    settle(page)
    shown = page.locator("button:visible, a:visible")
    expect(shown).to_have_count(1)
    shown.click()
    for word in ("Hands", "Home", "Italiano", "Bright sun"):
        expect(page.get_by_text(word, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    store = store_of_screens()
    hand = facts(ANNA[:9], ANNA[9:], BRUNO, names=NAMES[:3], scope=(0, 4, 0))
    store.record_hand(code, hand, key="second", expected=store.match_of(code).revision)
    page.wait_for_function("window.counted.length > 3")  # from what stood there before
    expect(page.locator(".st-key-board_notes .note")).to_have_count(0)
    button(page, "menu_open").click()
    page.get_by_text("Play", exact=True).last.click()
    page.wait_for_function("window.locks === 2")  # the phone of a scorer stays awake too

    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined })")
    page.goto(f"{base}/board?table={code}")
    note = page.locator(".sleeps")
    expect(note).to_contain_text("energy settings")
    note.click()
    expect(note).to_be_hidden()
    page.reload()
    page.locator(".join").wait_for()
    settle(page)
    expect(note).to_be_hidden()


def test_after_a_sleep_with_dead_lines_the_board_shows_how_things_stand_and_its_clock_goes_on(
    windows: Windows, base: str
) -> None:
    table = open_table()
    with closing(Proxy.to(base)) as line:
        page = windows.open(TABLET, is_changed=True)
        page.clock.install()
        page.goto(f"{line.address}/board?table={table.code}")
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
        page.clock.fast_forward("50:00")
        expect(page.locator(".clock time")).to_have_text(re.compile("1:1[0-3]"))


def background(page: Page) -> str:
    return str(
        page.locator("[data-testid=stApp]").evaluate("(e) => getComputedStyle(e).backgroundColor")
    )


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
    page.evaluate("localStorage.clear()")  # as of a page that came with an update
    page.goto(f"{base}/house")
    label = page.locator("[data-testid=stWidgetLabel] p").first
    expect(label).to_have_css("color", "rgb(243, 238, 225)")
    other.goto(base)
    other.locator(".hero").wait_for()
    assert background(other) == "rgb(250, 246, 236)", "another device has its own"


COUNT_RERUNS = """() => {
  const page = document.querySelector("[data-testid=stApp]");
  window.reruns = 0;
  new MutationObserver(() => {
    if (page.dataset.testScriptState === "running") window.reruns++;
  }).observe(page, { attributes: true, attributeFilter: ["data-test-script-state"] });
}"""


def test_a_board_is_rerun_only_for_what_it_does_not_show_by_itself(
    windows: Windows, base: str
) -> None:
    code, store = table_of(2), store_of_screens()
    page = windows.open(TABLET)
    page.goto(f"{base}/board?table={code}")
    page.locator(".join").wait_for()
    settle(page)
    page.evaluate(COUNT_RERUNS)
    store.add_scope(code, 1)
    expect(page.locator("[data-scope='1'] b")).to_have_text("1")
    page.wait_for_timeout(2_500)
    assert page.evaluate("window.reruns") == 0
    hand = facts(ANNA, BRUNO, names=NAMES[:2], scope=(0, 1))
    store.record_hand(code, hand, key="second", expected=store.match_of(code).revision)
    expect(page.locator(".last h3")).to_contain_text("2")
    page.wait_for_function("window.reruns > 0", timeout=5_000)
