"""The screen of the hand in a browser: a scoreboard whose tiles are the buttons."""

import pytest
from browser_driving import PHONE, TABLET, Windows, at_play, new_table, settle
from playing import change_rules, read, until
from playwright.sync_api import Page, expect

from scoring.presets import PRESETS
from screens import state
from store import piles

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

NAMES = """() => [...document.querySelectorAll(".tally .name span")].map((name) => [
  getComputedStyle(name).fontSize, name.getBoundingClientRect().top])"""
"""Size and top of each name."""

ON_ITS_SIDE = {"width": 844, "height": 390}
LAPTOP = {"width": 1440, "height": 900}

TILES = """() => [...document.querySelectorAll(".tally")].map((tile) => {
  const box = tile.getBoundingClientRect();
  const score = parseFloat(getComputedStyle(tile.querySelector(".score")).fontSize);
  return { width: box.width, height: box.height, score };
})"""
"""Width and height of each side's tile, and the size of its score, in CSS px."""


def expect_scope(page: Page, side: int, dots: str) -> None:
    """Waits until a tile shows so many scope."""
    shown = page.locator(f".st-key-tally_{side} .scope b")
    expect(shown).to_have_attribute("data-dots", dots)


def test_the_whole_tile_adds_a_scopa_and_minus_takes_it_back(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE), new_table()
    at_play(page, base, table)
    tile = page.locator(".st-key-tally_0 .more")
    box = tile.bounding_box()
    assert box
    for x, y in ((12, 20), (box["width"] - 12, 20), (box["width"] / 2, box["height"] / 2)):
        tile.click(position={"x": x, "y": y})
    expect_scope(page, 0, "● ● ●")
    expect(tile).to_have_attribute("aria-label", "+ scopa: Anna, scope 3")
    less = page.locator(".st-key-tally_0 .less")
    said = page.locator(".st-key-tally_0 [role=status]")
    expect(said).to_have_text("Anna +1, scope 3")
    less.click()
    expect(said).to_have_text("Anna −1, scope 2")
    until(lambda: read(state.store(), piles.scope_counts, table.code) == (2, 0))
    for _ in range(4):
        tile.click()
    expect_scope(page, 0, "×6")
    size = less.bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= 48
    expect(page.locator(".st-key-tally_1 .less")).to_be_disabled()
    page.locator(".st-key-tally_1 .less").click(force=True)
    settle(page)
    assert read(state.store(), piles.scope_counts, table.code) == (6, 0)


@pytest.mark.parametrize("size", [PHONE, TABLET, LAPTOP], ids=["phone", "tablet", "laptop"])
def test_two_tiles_fill_the_window_with_their_scores(
    size: dict[str, int], windows: Windows, base: str
) -> None:
    page = windows.open(size)
    at_play(page, base, new_table())
    settle(page)
    tiles = page.evaluate(TILES)
    assert sum(tile["width"] * tile["height"] for tile in tiles) > (
        0.6 * size["width"] * size["height"]
    )
    for tile in tiles:
        widest = 1.15 * tile["width"]  # a digit fills the tile of a phone
        assert tile["score"] == pytest.approx(min(0.45 * tile["height"], widest), rel=0.03)


@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE], ids=["upright", "on its side"])
def test_tiles_of_six_are_big_enough_for_a_finger(
    size: dict[str, int], windows: Windows, base: str
) -> None:
    page = windows.open(size)
    at_play(page, base, new_table("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio"))
    settle(page)
    tiles = page.evaluate(TILES)
    assert len(tiles) == 6
    assert min(tile["height"] for tile in tiles) >= 56
    assert min(tile["score"] for tile in tiles) >= 40


def test_escoba_is_called_escoba(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, locale="it-IT"), new_table()
    change_rules(state.store(), table.code, PRESETS["escoba"], key="e", expected=1)
    at_play(page, base, table)
    expect(page.locator(".st-key-tally_0 .more")).to_have_text("+ escoba")


def test_two_names_have_one_size_and_stand_on_one_line(windows: Windows, base: str) -> None:
    page = windows.open(PHONE)
    at_play(page, base, new_table("Anna", "Massimiliano"))
    settle(page)
    anna, other = page.evaluate(NAMES)
    assert anna == other
    first, second = (
        page.locator(".tally .score small").nth(side).bounding_box() for side in range(2)
    )
    assert first
    assert second
    assert first["y"] == second["y"]
