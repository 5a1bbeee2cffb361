"""Learning in a real browser: cards move, every tap is answered, the rules print on one page."""

import re
from pathlib import Path

import pytest
from browser_driving import PHONE, Windows
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def go(page: Page, label: str) -> None:
    page.locator(".learn .go button", has_text=label).click()


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_ten_minutes_make_a_player(windows: Windows, base: str, tmp_path: Path) -> None:
    page = windows.open(PHONE, is_changed=True)
    page.goto(f"{base}/learn?rules=asso-piglia-tutto")
    learn, head = page.locator(".learn"), page.locator(".learn h3")
    expect(head).to_have_text("1/5 · A card takes a card")
    # The cards that go together are marked, and then go to the pile.
    expect(learn.locator(".goes")).to_have_count(2)
    expect(learn.locator(".pile .face")).to_have_count(2)
    expect(learn.locator(".lying .face")).to_have_count(2)
    page.emulate_media(reduced_motion="reduce")
    go(page, "Next")
    expect(head).to_have_text("2/5 · A card takes several")
    expect(learn.locator(".pile .face")).to_have_count(3)
    go(page, "Next")
    expect(learn.locator(".pile .crosswise")).to_have_count(1)
    go(page, "Next")  # an ace, which takes the table
    expect(learn.locator(".pile .crosswise.f1b")).to_have_count(1)
    expect(head).to_have_text("3/5 · Scopa!")
    go(page, "Next")
    expect(head).to_have_text("4/5 · The last cards")
    expect(learn.locator(".lying .face")).to_have_count(0)
    go(page, "Next")
    go(page, "Next")
    expect(head).to_have_text("5/5 · The count")
    expect(learn.locator(".held .face")).to_have_count(40)
    go(page, "Next")

    note = learn.locator(".note")
    expect(head).to_contain_text("You play the seven of coins")
    go(page, "Lay it down")
    expect(note).to_have_text("No. A card that can capture must capture.")
    for code in ("5s", "2b"):
        learn.locator(f".lying .f{code}").click()
    go(page, "Take these")
    expect(note).to_contain_text("goes first")
    for code in ("5s", "2b", "7c"):
        learn.locator(f".lying .f{code}").click()
    go(page, "Take these")
    expect(note).to_contain_text("Right.")

    learn.locator(".parts button", has_text="Count").click()
    go(page, "Anna")
    expect(note).to_contain_text("No.")
    go(page, "Bruno")
    expect(note).to_have_text("Right. 7s 7b 6d 6c = 78 against 76.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    for name in ("asso-piglia-tutto", "cirulla"):
        page.goto(f"{base}/learn?rules={name}")
        page.evaluate("window.print = () => {}")
        for paper in ("A4", "A5"):
            page.locator(f".st-key-print_{paper} button").click()
            pdf = page.pdf(prefer_css_page_size=True, print_background=True)
            (tmp_path / f"{name}-{paper}.pdf").write_bytes(pdf)
            assert pages_of(pdf) == 1, f"{name} on {paper}"
