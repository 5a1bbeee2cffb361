"""An evening in a real browser: from the first name to the prize; how soon its board is right."""

import re
import time

import pytest
from browser_driving import PHONE, TABLET, Windows, button, invitation, settle
from evening_playing import NAMES, do, draw, now, opened, play
from playing import read
from playwright.sync_api import expect
from test_browser_fit import axe_faults, cut_texts, sideways_px, small_targets
from timing import MEASURED, RUNS

from screens import state
from store import piles
from table.evening.replay import Teams
from table.evening.view import seat_link

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

BEAMER = {"width": 1920, "height": 1080}


@pytest.mark.long
def test_an_evening_from_the_first_name_to_the_prize(windows: Windows, base: str) -> None:
    """The organiser taps once a round; a player scans the code of a table and scores there."""
    organiser, phone, beamer = windows.open(TABLET), windows.open(PHONE), windows.open(BEAMER)
    organiser.goto(f"{base}/evening")
    organiser.get_by_label("Name of the evening").fill("Scopa Sunday")
    organiser.get_by_label("Name of the evening").press("Enter")
    settle(organiser)
    button(organiser, "evening_open").click()
    organiser.wait_for_url(re.compile("table="))
    code = re.findall(r"table=(\w+)", organiser.url)[0]

    organiser.get_by_label("Names, with commas between them").fill("Anna, Bruno, Carla, Zoe")
    organiser.get_by_role("button", name="Add", exact=True).click()
    expect(organiser.get_by_text("4 players are here")).to_be_visible()
    beamer.goto(f"{base}/board/{code}")
    expect(beamer.locator(".tonight h1")).to_have_text("Scopa Sunday")
    viewer = windows.open(PHONE)
    viewer.goto(f"{base}/evening?table={code}")
    viewer.get_by_text("Zoe").wait_for()
    for page in (organiser, beamer, viewer):
        assert not axe_faults(page)

    store = state.store()
    for number in (1, 2):
        button(organiser, "evening_draw").click()  # the one tap of a round
        settle(organiser)
        seats = now(store, code).rounds[-1].seats
        expect(beamer.locator(".seats li")).to_have_count(2)
        if number == 1:
            place = seats[0].code
            link = seat_link(invitation(organiser, base).rpartition("/")[2], place)
            phone.goto(f"{base}/join/{place}/{link}?screen=play")
            phone.locator(".st-key-tally_0 .more").click()
            phone.wait_for_function("document.querySelector('.tally b').innerText === '1'")
            settle(phone)
            assert sum(read(store, piles.scope_counts, seats[0].code)) == 1, "the phone scores here"
        for at, seat in enumerate(seats):
            play(store, seat.code, 11, 3 + at)
            expect(beamer.locator(".seats li").nth(at)).to_contain_text(f"11 : {3 + at}")
    for page, sizes in ((beamer, (BEAMER, TABLET, PHONE)), (organiser, (TABLET, PHONE))):
        for size in sizes:
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            page.wait_for_timeout(250)
            assert sideways_px(page) <= size["width"]
            assert not small_targets(page)
            assert not cut_texts(page), size

    viewer.reload()
    viewer.locator(".ranks").wait_for()
    settle(viewer)
    for page in (organiser, beamer, viewer):
        assert not axe_faults(page)

    organiser.set_viewport_size({"width": TABLET["width"], "height": TABLET["height"]})
    button(organiser, "evening_end").click()
    first = now(store, code).standings[0]
    expect(beamer.locator(".tonight header")).to_contain_text(
        now(store, code).player(first.entrant).name
    )
    settle(organiser)
    for page in (organiser, beamer):
        assert not axe_faults(page)


@pytest.mark.timing
def test_the_board_of_six_tables_is_right_within_a_second(windows: Windows, base: str) -> None:
    """Twenty-four players; every hand of every table is seen on the board, and timed."""
    store, seconds = state.store(), []
    code = opened(store, *NAMES, teams=Teams.FIXED)
    do(store, code, "pairs", pairs=[(n, n + 1) for n in range(1, 24, 2)])
    board = windows.open(BEAMER)
    board.goto(f"{base}/board/{code}")
    board.locator(".tonight").wait_for()
    settle(board)
    for _ in range(min(4, RUNS)):
        seats = draw(store, code)
        board.locator(".seats li").nth(5).wait_for(state="attached")
        for hand, scope in enumerate(((4, 1), (3, 2), (4, 0))):
            for at, seat in enumerate(seats):
                totals = [(4, 1), (7, 3), (11, 3)][hand]
                place = board.locator(".seats li").nth(at).locator(".score")
                play(store, seat.code, *scope)
                started = time.monotonic()
                expect(place).to_have_text(f"{totals[0]} : {totals[1]}")
                seconds.append(time.monotonic() - started)
    MEASURED.seconds("a hand until the board of six tables shows it", seconds, most=1.0)
