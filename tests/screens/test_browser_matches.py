"""Whole matches in a real browser: several phones and a board at one table."""

import json
from pathlib import Path

import pytest
from app_driving import ANNA, BRUNO, ROOT, facts
from browser_driving import (
    PHONE,
    TABLET,
    act,
    button,
    correct,
    invitation,
    open_table,
    press,
    server,
    settle,
    tap_cards,
    window,
)
from playing import store_of_screens
from playwright.sync_api import Browser, Page, expect, sync_playwright
from servers import free_port

from scoring.hand import score_hand
from scoring.rules import Rules

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

SAMPLE = json.loads((ROOT / "samples" / "expected.json").read_text(encoding="utf-8"))["hands"][0]
"""A hand of two sides whose piles are photographed in samples/."""


def totals(code: str) -> tuple[int, ...]:
    """The totals of a table's match, as the store holds them."""
    return store_of_screens().find_table(code).totals


def snap_own_pile(page: Page, side: int) -> None:
    """Sends the photos of a side's pile from the phone of that side, and waits for its cards."""
    press(page, "snap", then=".st-key-by_hand")
    expect(page.locator("h2")).to_contain_text(SAMPLE["sides"][side]["name"])  # its own comes first
    photos = [str(ROOT / "samples" / name) for name in SAMPLE["sides"][side]["photos"]]
    page.set_input_files(".snap .files input", photos)


def make_scope(page: Page, *made: int) -> None:
    """Taps scope for each side."""
    for side, count in enumerate(made):
        for _ in range(count):
            page.locator(f".st-key-tally_{side} .more").click()
        if count:
            expect(page.locator(f".st-key-tally_{side} b")).to_have_text(str(count))


def play_by_hand(page: Page, base: str, *, code: str, scope: tuple[int, int]) -> None:
    """Plays a hand without a photo: Anna's cards are tapped, Bruno has the rest."""
    page.goto(f"{base}/play?table={code}")
    page.locator(".st-key-tally_1 .more").wait_for()
    make_scope(page, *scope)
    press(page, "snap", then=".st-key-by_hand")
    press(page, "by_hand", then="[data-card='7d']")
    tap_cards(page, ANNA)
    act(page, "rest").click()
    act(page, f"count_{len(BRUNO)}").click()
    press(page, "onward", then=".st-key-confirm")
    act(page, "confirm").click()
    page.locator(".board").wait_for()


@pytest.mark.slow
@pytest.mark.models
def test_two_phones_and_a_board_play_a_match_to_its_end(browser: Browser, home: Path) -> None:
    """Photos on both phones, a corrected hand, a tie at the target, a winner, a rematch."""
    points = score_hand(facts(ANNA, BRUNO, names="AB", scope=(0, 0)).sides, Rules()).points
    with server(home, free_port()) as base:
        anna, bruno = window(browser, PHONE), window(browser, PHONE, locale="it-IT")
        board = window(browser, TABLET)
        code = open_table(anna, base, names=("Anna", "Bruno"))
        anna.goto(f"{base}/?table={code}&me=0")
        anna.locator(".st-key-tally_0 .more").wait_for()
        bruno.goto(invitation(anna, base))
        press(bruno, "me_1", then=".st-key-tally_1 .more")
        board.goto(f"{invitation(anna, base)}?screen=board")
        make_scope(anna, 2, 0)
        expect(bruno.locator(".st-key-tally_0 b")).to_have_text("2")
        make_scope(bruno, 0, 1)

        for page, side in ((anna, 0), (bruno, 1)):
            snap_own_pile(page, side)
        anna.goto(f"{base}/review?table={code}&side=0")
        bruno.goto(f"{base}/review?table={code}&side=1")
        expect(anna.locator(".elsewhere")).to_have_text("Bruno's phone is at Bruno's pile")
        expect(bruno.locator(".elsewhere")).to_contain_text("Il telefono di Anna")
        for page, side in ((anna, 0), (bruno, 1)):
            page.locator(".outlines").nth(1).wait_for()
            correct(page, tuple(SAMPLE["sides"][side]["pile"]))
        press(anna, "onward", then=".st-key-confirm")
        act(anna, "confirm").click()
        expect(board.locator(".last")).to_contain_text("Primiera")
        expect(bruno.locator(".board, .note")).not_to_have_count(0)  # it hears that it is over
        first = totals(code)

        anna.goto(f"{base}/history?table={code}")
        anna.locator(".st-key-hand_1 summary").click()
        act(anna, "edit_1").click()
        anna.locator(".st-key-confirm, .st-key-onward").first.wait_for()
        if anna.locator(".st-key-onward").count():
            press(anna, "onward", then=".st-key-scope_rows")
        anna.locator(".st-key-tally_1 .more").click()
        act(anna, "confirm").click()
        expect(board.locator("[data-total='1']").first).to_have_text(str(first[1] + 1))
        assert totals(code) == (first[0], first[1] + 1)

        level = max(11, first[0] + points[0], first[1] + 1 + points[1])
        scope = (level - first[0] - points[0], level - first[1] - 1 - points[1])
        play_by_hand(anna, base, code=code, scope=scope)
        assert totals(code) == (level, level)
        expect(board.locator(".now")).to_contain_text("hand 3")  # nobody has won: it goes on
        play_by_hand(anna, base, code=code, scope=(3, 0))
        expect(board.locator(".winner h1")).to_contain_text("Anna")
        press(board, "board_menu", then="[data-testid=stPopoverBody]")
        expect(board.locator("body")).not_to_contain_text("Traceback")

        anna.goto(f"{base}/play?table={code}")
        act(anna, "rematch_ask").click()
        act(anna, "rematch").click()
        anna.locator(".st-key-tally_0 .more").wait_for()
        expect(board.locator(".now")).to_contain_text("Bruno deals")
        assert totals(code) == (0, 0)


def test_the_other_phone_is_told_of_until_its_line_is_gone(browser: Browser, home: Path) -> None:
    with server(home, free_port()) as base:
        anna, other = window(browser, PHONE), window(browser, PHONE)
        code = open_table(anna, base, names=("Anna", "Bruno"))
        other.goto(invitation(anna, base))
        press(other, "me_1", then=".st-key-tally_1 .more")
        press(anna, "snap", then=".st-key-by_hand")
        expect(anna.locator(".elsewhere")).to_have_count(0)
        press(other, "snap", then=".st-key-by_hand")
        expect(anna.locator(".elsewhere")).to_have_text("Bruno's phone is at Bruno's pile")
        button(other, "turn_0").click()
        expect(anna.locator(".elsewhere")).to_have_text("Bruno's phone is at Anna's pile")
        other.close()
        expect(anna.locator(".elsewhere")).to_have_count(0)
        watcher = window(browser, PHONE)
        assert watcher.request.get(f"{base}/board?table={code}").ok
        watcher.goto(f"{base}/board?table={code}")
        watcher.evaluate(
            f"new EventSource('/door/{code}/changes?phone=x&pile=0&me=1') && undefined"
        )
        watcher.wait_for_timeout(1000)
        expect(anna.locator(".elsewhere")).to_have_count(0)  # whoever may only look is nowhere


def test_the_language_is_switched_and_the_page_loaded_anew_in_the_middle_of_a_pile(
    browser: Browser, home: Path
) -> None:
    with server(home, free_port()) as base:
        phone = window(browser, PHONE)
        open_table(phone, base, names=("Anna", "Bruno"))
        make_scope(phone, 2, 0)
        press(phone, "snap", then=".st-key-by_hand")
        press(phone, "by_hand", then="[data-card='7d']")
        tap_cards(phone, ANNA[:7])
        button(phone, "other_language").click()
        expect(phone.locator(".counts")).to_contain_text("7 qui")
        phone.reload()
        expect(phone.locator(".counts")).to_contain_text("7 qui")
        tap_cards(phone, ANNA[7:9])
        expect(phone.locator(".counts")).to_contain_text("9 qui")
        assert phone.evaluate("document.documentElement.lang") == "it"


@pytest.mark.parametrize("sides", [3, 4, 6], ids=["three sides", "four sides", "six sides"])
def test_more_than_two_sides_play_a_hand(sides: int, browser: Browser, home: Path) -> None:
    names = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")[:sides]
    share = 40 // sides
    piles = [ANNA[:share], *(BRUNO[n * share : (n + 1) * share] for n in range(sides - 2))]
    with server(home, free_port()) as base:
        phone, board = window(browser, PHONE), window(browser, TABLET)
        code = open_table(phone, base, names=names)
        board.goto(f"{invitation(phone, base)}?screen=board")
        press(phone, "snap", then=".st-key-by_hand")
        press(phone, "by_hand", then="[data-card='7d']")
        for side, pile in enumerate(piles):
            phone.goto(f"{base}/review?table={code}&side={side}")
            phone.locator("[data-card='7d']").wait_for()
            tap_cards(phone, tuple(pile))
        settle(phone)
        act(phone, "rest").click()
        left = 40 - sum(map(len, piles))
        act(phone, f"count_{left}").click()
        press(phone, "onward", then=".st-key-confirm")
        act(phone, "confirm").click()
        expect(board.locator(".last")).to_contain_text("Primiera")
        assert len(totals(code)) == sides
        assert max(totals(code)) > 0


def test_the_live_camera_sends_what_it_sees_even_while_the_server_is_gone(
    chromium: str, home: Path
) -> None:
    flags = ["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    port = free_port()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=flags)
        phone = window(browser, PHONE)
        with server(home, port) as base:
            code = open_table(phone, base, names=("Anna", "Bruno"))
            press(phone, "snap", then=".st-key-live")
            phone.locator(".live button").first.click()
            phone.wait_for_function("document.querySelector('.live video').videoWidth > 0")
        phone.locator(".live button").nth(1).click()
        expect(phone.locator(".snap")).to_contain_text("Photo 1.jpg: sending")
        with server(home, port):
            expect(phone.locator(".snap .sending")).to_have_count(0)
            row = store_of_screens().find_table(code)
            [upload] = store_of_screens().uploads(row, hand_no=1) or [None]
            kept = store_of_screens().drafts(row, hand_no=1)
            assert upload is not None or any(draft.draft.get("photos") for draft in kept)
        browser.close()
