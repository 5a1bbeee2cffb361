"""Whole matches in a real browser: several phones and a board at one table."""

import base64
import io
import json
from typing import Any

import pytest
from app_driving import ANNA, BRUNO, ROOT, facts, lay
from browser_driving import (
    NARROW,
    PHONE,
    TABLET,
    BusyLine,
    Windows,
    act,
    at_play,
    button,
    correct,
    make_scope,
    new_table,
    press,
    settle,
    tap_cards,
    to_cards,
    turn,
)
from PIL import Image
from playing import find_table, read, record_hand, until, write
from playwright.sync_api import Page, expect

from scoring.hand import score_hand
from scoring.rules import Rules
from screens import state
from store import Step, log, piles

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

SAMPLE = json.loads((ROOT / "samples" / "expected.json").read_text(encoding="utf-8"))["hands"][0]
"""A hand of two sides whose piles are photographed in samples/."""


def totals(code: str) -> tuple[int, ...]:
    """Return the totals of a table's match, as the store holds them."""
    return find_table(state.store(), code).totals


def snap_own_pile(page: Page, side: int) -> None:
    """Send the photos of a side's pile from the phone of that side, and wait for its cards."""
    name = SAMPLE["sides"][side]["name"]
    expect(page.locator(".snap .camera")).to_contain_text(name)  # its own comes first
    photos = [str(ROOT / "samples" / name) for name in SAMPLE["sides"][side]["photos"]]
    page.set_input_files(".snap .files input", photos)
    page.locator(".st-key-chips").wait_for()


def play_by_hand(page: Page, base: str, *, code: str, scope: tuple[int, int]) -> None:
    """Play a hand without a photo: Anna's cards are tapped, Bruno has the rest."""
    page.goto(f"{base}/play?table={code}")
    page.locator(".st-key-tally_1 .more").wait_for()
    make_scope(page, *scope)
    to_cards(page)
    tap_cards(page, ANNA)
    act(page, "rest").click()
    press(page, "onward", then=".st-key-confirm")
    act(page, "confirm").click()
    page.locator(".st-key-toast, .end").first.wait_for()


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.models
def test_two_phones_and_a_board_play_a_match_to_its_end(windows: Windows, base: str) -> None:
    """Photos on both phones, a corrected hand, a tie at the target, a winner, a rematch."""
    points = score_hand(facts(ANNA, BRUNO, names="AB", scope=(0, 0)).sides, Rules()).points
    anna, bruno = windows.open(PHONE), windows.open(PHONE, locale="it-IT")
    board = windows.open(TABLET)
    table = new_table()
    code = table.code
    at_play(anna, base, table, me=0)
    at_play(bruno, base, table, me=1)
    board.goto(table.join(base, "board"))
    make_scope(anna, 2, 0)
    expect(bruno.locator(".st-key-tally_0 b")).to_have_text("2")
    make_scope(bruno, 0, 1)

    for page, side in ((anna, 0), (bruno, 1)):
        snap_own_pile(page, side)
    anna.goto(f"{base}/settle?table={code}&side=0")
    bruno.goto(f"{base}/settle?table={code}&side=1")
    expect(anna.locator(".elsewhere")).to_have_text("Bruno's phone is at Bruno's pile")
    expect(bruno.locator(".elsewhere")).to_contain_text("Il telefono di Anna")
    for page, side in ((anna, 0), (bruno, 1)):
        page.locator(".outlines").nth(1).wait_for()
        correct(page, tuple(SAMPLE["sides"][side]["pile"]))
    press(anna, "onward", then=".st-key-confirm")
    act(anna, "confirm").click()
    expect(board.locator(".last")).to_contain_text("Primiera")
    bruno.wait_for_url("**/play?*")  # it hears of it
    first = totals(code)

    anna.goto(f"{base}/history?table={code}")
    anna.locator(".st-key-hand_1 summary").first.click()
    act(anna, "edit_1").click()
    anna.locator(".st-key-confirm, .st-key-onward").first.wait_for()
    if anna.locator(".st-key-onward").count():
        press(anna, "onward", then=".st-key-scope_rows")
    settle(anna)
    anna.locator(".st-key-tally_1 .more").click()
    anna.wait_for_timeout(1000)  # a hand that has just changed is not saved unseen
    settle(anna)
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
    behind = board.locator(".joy").evaluate("(e) => getComputedStyle(e).zIndex")
    assert int(behind) < 0, "the coins fall behind the winner's name"
    board.locator(".menu summary").click()
    expect(board.locator(".menu nav")).to_be_visible()

    anna.goto(f"{base}/play?table={code}")
    expect(anna.locator(".end h2")).to_have_text("Anna wins!")
    act(anna, "rematch").click()
    anna.locator(".st-key-tally_0 .more").wait_for()
    expect(board.locator(".now")).to_contain_text("Bruno deals")
    assert totals(code) == (0, 0)


def test_second_save_waits_for_a_decision(windows: Windows, base: str) -> None:
    anna, bruno = windows.open(PHONE), windows.open(PHONE)
    table = new_table()
    code, store = table.code, state.store()
    lay(find_table(store, code), ANNA, BRUNO)
    at_play(anna, base, table, me=0)
    at_play(bruno, base, table, me=1)
    anna.goto(f"{base}/points?table={code}")
    anna.locator(".st-key-confirm").wait_for()
    settle(anna)
    anna.context.set_offline(True)
    act(anna, "confirm").click()  # with no scopa

    make_scope(bruno, 0, 1)
    until(lambda: read(store, piles.scope_counts, code) == (0, 1))
    bruno.goto(f"{base}/points?table={code}")
    act(bruno, "confirm").click()
    bruno.locator(".st-key-toast").wait_for()
    anna.context.set_offline(False)
    note = anna.locator(".messenger .note.ask")
    told = (
        "Hand 1 was saved from Bruno's phone: Anna 3 · Bruno 2. "
        "This phone's version: Anna 3 · Bruno 1."
    )
    expect(note).to_contain_text(told)
    anna.goto(f"{base}/play?table={code}")
    expect(note).to_contain_text(told)
    make_scope(anna, 1, 0)  # the next hand goes on, and what is sent is not held up
    until(lambda: read(store, piles.scope_counts, code) == (1, 0))
    anna.reload()
    expect(note).to_contain_text(told)
    assert totals(code) == (3, 2)
    note.get_by_text("Replace it").click()
    expect(note).to_have_count(0)
    until(lambda: totals(code) == (3, 1))
    assert [step.step for step in read(store, log.steps, code)][1:] == [Step.RECORD, Step.EDIT]
    anna.reload()
    settle(anna)
    expect(note).to_have_count(0)


def test_a_hand_saved_second_can_be_discarded(windows: Windows, base: str) -> None:
    anna = windows.open(PHONE)
    table = new_table()
    code, store = table.code, state.store()
    lay(find_table(store, code), ANNA, BRUNO)
    at_play(anna, base, table, me=0)
    anna.goto(f"{base}/points?table={code}")
    anna.locator(".st-key-confirm").wait_for()
    settle(anna)
    anna.context.set_offline(True)
    act(anna, "confirm").click()
    other = facts(BRUNO, ANNA, names=("Anna", "Bruno"), scope=(0, 0))
    record_hand(store, code, other, key="first", expected=1)
    anna.context.set_offline(False)
    note = anna.locator(".messenger .note.ask")
    expect(note).to_contain_text("Hand 1 was saved from another phone")
    note.get_by_text("Discard").click()
    expect(note).to_have_count(0)
    anna.reload()
    settle(anna)
    expect(note).to_have_count(0)
    assert [step.step for step in read(store, log.steps, code)][1:] == [Step.RECORD]


def test_link_works_though_the_table_changes_meanwhile(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    line = BusyLine(page)
    at_play(page, base, table)
    settle(page)
    line.holds_asked = True
    page.locator(".st-key-other_ways a").last.click()
    write(state.store(), piles.add_scope, table.code, 0)
    expect(page.locator(".st-key-tally_0 b")).to_have_text("1")
    page.wait_for_timeout(1500)  # more than it waits after a touch
    line.release()
    act(page, "primiera_1").wait_for()
    settle(page)
    assert "/quick?" in page.url


def test_no_screen_is_blank_on_a_busy_server(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    lay(find_table(state.store(), table.code), ANNA, BRUNO)
    line = BusyLine(page)
    at_play(page, base, table)
    settle(page)
    tools = page.context.new_cdp_session(page)
    pictures: list[bytes] = []

    def keep(event: dict[str, Any]) -> None:
        pictures.append(base64.b64decode(event["data"]))
        tools.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    tools.on("Page.screencastFrame", keep)
    tools.send("Page.startScreencast", {"format": "png"})
    line.holds_drawings = True
    steps = (
        (button(page, "onward"), ".st-key-confirm"),
        (act(page, "confirm"), ".st-key-snap"),
    )
    for tap, then in steps:
        tap.click()
        for _ in range(4):  # a screen that leads on is drawn too
            page.wait_for_timeout(600)
            line.release()
        page.locator(then).wait_for()
    tools.send("Page.stopScreencast")
    shown = [Image.open(io.BytesIO(one)).convert("L") for one in pictures]
    of_one_colour = [max(one.histogram()) / (one.width * one.height) for one in shown]
    assert len(shown) > len(steps)
    assert max(of_one_colour) < 0.99, "nothing but paper"


def test_other_phone_is_shown_while_it_is_connected(windows: Windows, base: str) -> None:
    anna, other = windows.open(PHONE), windows.open(PHONE)
    table = new_table()
    code = table.code
    at_play(anna, base, table)
    at_play(other, base, table, me=1)
    anna.goto(f"{base}/settle?table={code}&side=0")
    anna.locator(".st-key-chips").wait_for()
    expect(anna.locator(".elsewhere")).to_have_count(0)
    other.goto(f"{base}/settle?table={code}&side=1")
    expect(anna.locator(".elsewhere")).to_have_text("Bruno's phone is at Bruno's pile")
    line, band = (anna.locator(one).bounding_box() for one in (".elsewhere", ".st-key-bar"))
    assert line
    assert band
    assert line["y"] + line["height"] <= band["y"], "it covers nothing"
    button(other, "turn_0").click()
    expect(anna.locator(".elsewhere")).to_have_text("Bruno's phone is at Anna's pile")
    other.close()
    expect(anna.locator(".elsewhere")).to_have_count(0)
    watcher = windows.open(PHONE)
    assert watcher.request.get(f"{base}/board/{code}").ok
    watcher.goto(f"{base}/board/{code}")
    watcher.evaluate(f"new EventSource('/door/{code}/changes?phone=x&pile=0&me=1') && undefined")
    watcher.wait_for_timeout(1000)
    expect(anna.locator(".elsewhere")).to_have_count(0)  # who may only look is nowhere

    anna.route("**/door/**/photos/**", lambda _: None)  # a slow network: it never arrives
    anna.set_input_files(".snap .files input", ROOT / "samples" / "anna-1.jpg")
    ring = anna.locator(".slide .ring")
    expect(ring).to_have_attribute("aria-label", "Anna: sending")
    button(anna, "turn_1").click()
    expect(ring).to_have_count(0)
    expect(anna.locator(".snap .camera")).to_contain_text("Bruno's pile")  # nobody waits for it
    button(anna, "turn_0").click()
    expect(ring).to_be_visible()


@pytest.mark.parametrize(
    ("names", "size"),
    [
        (("Massimiliano", "Bruno", "Carla"), NARROW),
        (("Massimiliano", "Bartolomeo", "Carla", "Dario", "Elena", "Fabio"), PHONE),
    ],
    ids=["three sides", "six sides"],
)
def test_more_than_two_sides_fit_a_phone_and_play_a_hand(
    names: tuple[str, ...], size: dict[str, int], windows: Windows, base: str
) -> None:
    sides = len(names)
    share = 40 // sides
    piles = [ANNA[:share], *(BRUNO[n * share : (n + 1) * share] for n in range(sides - 2))]
    phone, board = windows.open(size), windows.open(TABLET)
    table = new_table(*names)
    code = table.code
    board.goto(table.join(base, "board"))
    at_play(phone, base, table)
    bar = phone.locator(".st-key-steps").bounding_box()
    assert bar is not None
    for side in range(sides):
        more = phone.locator(f".st-key-tally_{side} .more").bounding_box()
        assert more is not None
        assert more["height"] >= 48
        assert more["x"] + more["width"] <= size["width"]
        assert more["y"] + more["height"] <= bar["y"], f"side {side} of {sides}"
    for side, pile in enumerate(piles):
        turn(phone, f"/settle?table={code}&side={side}&by=hand")
        phone.locator("[data-card='7d']").wait_for()
        tap_cards(phone, tuple(pile))
    settle(phone)
    act(phone, "rest").click()
    press(phone, "onward", then=".st-key-confirm")
    act(phone, "confirm").click()
    expect(board.locator(".last")).to_contain_text("Primiera")
    assert len(totals(code)) == sides
    assert max(totals(code)) > 0
