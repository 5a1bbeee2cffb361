"""The organiser in a real browser: a closed table takes nothing in, and its phones say so."""

import re

import pytest
from browser_driving import PHONE, TABLET, Windows, at_play, button, let_in, new_table, settle
from playing import read
from playwright.sync_api import Page, expect

from screens import state
from store import piles

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def turn(page: Page, code: str, *, then: str) -> None:
    """Close the table, or open it again, and wait until the club's list says so."""
    button(page, f"turn_{code}").click()
    page.get_by_text(then, exact=False).first.wait_for()


def test_phone_follows_closing_and_reopening_of_its_table(windows: Windows, base: str) -> None:
    table = new_table()
    scopa = ".st-key-tally_0 .more"
    phone, laptop = windows.open(PHONE), windows.open(TABLET)
    at_play(phone, base, table, me=0)
    settle(phone)
    let_in(laptop, base)
    laptop.goto(f"{base}/club")

    turn(laptop, table.code, then="its scorers only look")
    expect(phone.locator(".now")).to_contain_text("Closed")
    expect(phone.locator(scopa)).to_have_count(0)

    turn(laptop, table.code, then="is open again")
    phone.locator(".step").click()
    phone.locator(scopa).click()
    phone.wait_for_function("document.querySelector('.tally b').innerText === '1'")
    settle(phone)

    phone.context.set_offline(True)
    phone.locator(scopa).click()
    turn(laptop, table.code, then="its scorers only look")
    phone.context.set_offline(False)
    told = re.compile("is closed. Nothing was changed|Closed: the organiser of the club")
    expect(phone.locator("body")).to_contain_text(told)  # on its screen, or on the board
    assert read(state.store(), piles.scope_counts, table.code) == (1, 0)
