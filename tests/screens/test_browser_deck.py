"""A table teaches its deck with real photos, and a pile is then read with it."""

import json

import pytest
from app_driving import ROOT
from browser_driving import PHONE, Windows, button, new_table, press, settle
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.models, pytest.mark.timeout(900)]

SAMPLES = ROOT / "samples"
LAID_OUT = ("anna-1.jpg", "bruno-2.jpg")
"""Samples whose cards lie side by side."""
ODD = 1
"""Things on them that look like a card, and are asked about."""


def test_a_deck_is_taught_and_a_pile_is_read_with_it(windows: Windows, base: str) -> None:
    expected = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))["photos"]
    known = {code for name in LAID_OUT for code in expected[name]["cards"]}
    page, table = windows.open(PHONE), new_table()
    page.goto(table.join(base, "capture", side=1, lang="en"))
    page.get_by_text("Teach it your deck").click()
    press(page, "deck_begin", then=".laid")
    page.set_input_files(
        "[data-testid=stFileUploaderDropzoneInput]", [SAMPLES / name for name in LAID_OUT]
    )
    expect(page.locator(".tile")).to_have_count(len(known) + ODD)
    settle(page)
    page.reload()  # nothing of it lies in the page
    expect(page.locator(".tile")).to_have_count(len(known) + ODD)
    while page.locator(".tile[data-state=ask]").count():
        left = page.locator(".tile[data-state=ask]").count()
        page.locator(".tile[data-state=ask]").first.click()
        page.locator("dialog .act").first.click()  # it is that card; or it is none
        expect(page.locator(".tile[data-state=ask]")).to_have_count(left - 1)
    field = page.locator("[class*=st-key-deck_name] input")
    field.fill("The drawn one")
    field.press("Enter")
    settle(page)
    button(page, "deck_keep").click()
    page.get_by_text("The deck The drawn one is kept").wait_for()

    page.goto(f"{base}/capture?table={table.code}&side=1&lang=en")
    page.get_by_text("Deck: The drawn one").wait_for()
    page.set_input_files(".snap .files input", SAMPLES / "bruno-1.jpg")
    page.locator(".outlines").first.wait_for()
    settle(page)
    seen = page.locator(".card[data-state=here], .card[data-state=ask]")
    read = {str(one.get_attribute("data-card")) for one in seen.all()}
    assert len(read & set(expected["bruno-1.jpg"]["cards"])) >= 11
