"""Long names keep their signs, and boxes and buttons have the width that they need."""

import pytest
from app_driving import ANNA, BRUNO, lay, record
from browser_driving import NARROW, PHONE, TABLET, Windows, act, let_in, new_table, settle, turn
from playing import change_rules, find_table, match_of
from playwright.sync_api import Page, expect

from scoring.cards import CODES
from scoring.presets import PRESETS
from screens import state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

LONG = ("Massimiliano Bartolo", "שרה רבקה בת אברהם הל")
"""Names of twenty letters, one from right to left."""

BROKEN = """() => [...document.querySelectorAll(
    ".sided, .tally .name, .band bdi, .st-key-chips strong, .lines .won > span, .act.of-side")]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const { fontSize, paddingTop, paddingBottom } = getComputedStyle(one);
    const range = document.createRange();
    range.selectNodeContents(one);
    const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8)));
    return [one.innerText || one.className, parseFloat(fontSize), lines.size];
  })
  .filter(([, size, lines]) => size < 14 || lines > 2)"""
"""Names whose letters are too small, or that take a second line."""

GRID = """(name) => {
  const boxes = [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
  return [boxes.length, ...["left", "top"]
    .map((edge) => new Set(boxes.map((box) => Math.round(box[edge]))).size)];
}"""
"""How many boxes there are, in how many columns and rows."""


@pytest.mark.parametrize("size", [NARROW, PHONE], ids=["narrow", "phone"])
def test_a_sign_stays_with_its_long_name(size: dict[str, int], windows: Windows, base: str) -> None:
    page, table = windows.open(size), new_table(*LONG)
    record(find_table(state.store(), table.code))
    lay(find_table(state.store(), table.code), ANNA, BRUNO, hand_no=2)
    let_in(page, base)
    page.goto(base)
    page.locator(".st-key-open").wait_for()
    for screen, shown in (
        ("play", ".tally"),
        ("settle", ".st-key-chips"),
        ("quick", ".asked"),
        ("points", ".sum"),
        ("history", ".sheet-row"),
    ):
        turn(page, f"/{screen}?table={table.code}")
        page.locator(shown).first.wait_for()
        assert page.locator(".sided, .tally .name, .st-key-chips strong").count() >= 2
        assert not page.evaluate(BROKEN), screen


def grid(page: Page, boxes: str) -> tuple[int, ...]:
    return tuple(page.evaluate(GRID, boxes))


@pytest.mark.parametrize("size", [NARROW, PHONE, TABLET], ids=["narrow", "phone", "tablet"])
def test_three_boxes_stand_in_one_row_or_column(
    size: dict[str, int], windows: Windows, base: str
) -> None:
    page, table = windows.open(size), new_table("Anna", "Bruno", "Carla")
    lay(find_table(state.store(), table.code), *(CODES[side::3] for side in range(3)))
    let_in(page, base)
    page.goto(base)
    page.locator(".seats .add").click()
    settle(page)
    assert grid(page, ".seats .seat:not([hidden])") in {(3, 3, 1), (3, 1, 3)}
    for address, boxes in (
        ("points", ".sum > div"),
        ("settle", ".st-key-chips > div"),
        ("match", ".st-key-match_names > div"),
    ):
        turn(page, f"/{address}?table={table.code}")
        page.locator(boxes).first.wait_for()
        assert grid(page, boxes) in {(3, 3, 1), (3, 1, 3)}, address
        if address == "points":
            expect(page.locator(".sum .sign").first).to_have_css("font-style", "normal")


def test_undo_on_hands_is_as_wide_as_its_words(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE), new_table()
    record(find_table(state.store(), table.code))
    rules = PRESETS["silver-lake"].changed(target=21)
    revision = match_of(state.store(), find_table(state.store(), table.code)).revision
    change_rules(state.store(), table.code, rules, key="undo", expected=revision)
    let_in(page, base)
    page.goto(f"{base}/history?table={table.code}")
    undo = act(page, "undo")
    undo.wait_for()
    settle(page)
    box = undo.bounding_box()
    assert box
    assert box["width"] < 0.7 * PHONE["width"]
