"""Stories in a real browser with a real server: phones and a board at one table."""

import io
from pathlib import Path

import pytest
from app_driving import ANNA, BRUNO, ROOT, lay
from browser_driving import (
    PASSPHRASE,
    PHONE,
    TABLET,
    Windows,
    act,
    at_play,
    button,
    card,
    invitation,
    new_table,
    press,
    server,
    settle,
    speak,
    tap_cards,
    to_cards,
)
from PIL import Image
from playing import find_table, read, until
from playwright.sync_api import FilePayload, Page, expect
from servers import free_port
from test_browser_fit import cut_texts

from screens import state
from store import piles

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

MOST_TABS = 9
"""So often is Tab pressed until the red button of "Play": menu, then three buttons a side."""

TAP_FELT = """() => {
  const side = document.querySelector(".st-key-tally_0");
  side.querySelector(".more").click();
  return [window.felt, side.querySelector(".scope b").getAnimations().length > 0];
}"""
"""Taps on scope; gives how long the phone vibrated, and whether the number moves."""

LABEL = "(e) => e.ariaLabel || e.innerText"
COVERED = """(e) => {
  const top = document.querySelector(".st-key-steps").getBoundingClientRect().top;
  return e.getBoundingClientRect().bottom > top + 1 ? e.ariaLabel || e.innerText : "";
}"""
"""The label of an element that the bar at the foot of the screen lies over, else nothing."""

PHOTO = str(ROOT / "samples" / "anna-1.jpg")


def test_a_hand_from_the_first_tap_to_the_other_window_and_back(
    windows: Windows, base: str
) -> None:
    phone, board = windows.open(PHONE, is_changed=True), windows.open(TABLET)
    phone.add_init_script("navigator.vibrate = (ms) => (window.felt = ms)")
    table = new_table()
    at_play(phone, base, table)
    on_the_way = tab_to(phone, ".camera input")
    assert len(on_the_way) <= MOST_TABS, f"the red button comes late: {on_the_way}"
    board.goto(f"{invitation(phone, base)}?screen=board")
    board.locator(".board").wait_for()

    assert phone.evaluate(TAP_FELT) == [15, True], "a tap is felt, and its number moves"
    expect(board.locator(".board")).to_contain_text("scope 1")
    assert tab_to(phone, ".st-key-tally_1 .more", then="Enter")
    expect(phone.locator(".st-key-tally_1 .scope b")).to_have_text("1")

    for choice in (".snap .camera", ".snap .files"):
        expect(phone.locator(choice)).to_be_in_viewport(ratio=1)
    to_cards(phone)
    tap_cards(phone, (*ANNA[:-1], "10b"))
    tap_cards(phone, ANNA[-1:])
    expect(act(phone, "rest")).to_be_enabled()
    covered = tab_to(phone, ".st-key-steps *", what=COVERED)
    assert covered
    assert not any(covered), f"the bar hides what the keyboard is at: {covered}"
    expect(act(phone, "rest")).to_contain_text("21")
    phone.context.set_offline(True)
    card(phone, "10b").click()
    expect(phone.locator(".counts")).to_contain_text("18 here")
    expect(phone.locator(".counts")).to_be_in_viewport()  # also beside the last of the forty
    expect(act(phone, "rest")).to_be_disabled()  # as long as it says how many there were
    phone.context.set_offline(False)
    expect(act(phone, "rest")).to_contain_text("22")
    expect(board.locator(".now")).to_contain_text("still to snap: Bruno")
    act(phone, "rest").click()
    expect(phone.locator(".counts")).to_contain_text("22 Bruno")
    press(phone, "onward", then=".st-key-confirm")
    expect(phone.locator(".lines")).to_contain_text("1ace of swords = 76 against 74")

    act(phone, "confirm").click()
    expect(phone.locator(".st-key-toast")).to_contain_text("Hand 1 saved")
    assert not cut_texts(phone)
    expect(phone.locator(".band")).to_contain_text("hand 2")
    expect(board.locator(".last")).to_contain_text("Primiera", timeout=20_000)
    expect(board.locator(".big").first).to_contain_text("4")
    expect(board.locator(".menu summary")).to_be_in_viewport(ratio=1)

    phone.goto(f"{base}/history?table={table.code}")
    phone.locator(".st-key-hand_1 summary").first.click()
    act(phone, "undo").click()
    expect(board.locator(".board")).to_contain_text("11 to go")

    phone.add_init_script("navigator.share = async (what) => (window.shared = what)")
    phone.goto(f"{base}/invite?table={table.code}")
    link = phone.locator("[data-testid=stCode]").inner_text().strip()
    phone.locator(".share .copy").click()
    expect(phone.locator(".share [role=status]")).to_have_text("Copied.")
    phone.locator(".share .send").click()
    assert phone.evaluate("window.shared.url") == link


def tab_to(page: Page, place: str, *, what: str = LABEL, then: str = "") -> list[str]:
    """Press Tab until a place has the focus, then a key; return what is known of those before."""
    before: list[str] = []
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(place) => document.activeElement.matches(place)", place):
            if then:
                page.keyboard.press(then)
            page.evaluate("document.activeElement.blur()")
            return before
        before.append(str(page.evaluate(f"({what})(document.activeElement)")))
    raise AssertionError(f"Tab never leads to {place}: {before}")


def bare_table() -> FilePayload:
    """Return a photo on which no card lies."""
    picture = io.BytesIO()
    Image.effect_noise((1280, 960), 40).convert("RGB").save(picture, "JPEG")
    return {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture.getvalue()}


def photos_read(code: str) -> int:
    """Return how many photos of the one pile of the first hand were read."""
    [pile] = read(state.store(), piles.drafts, code, hand_no=1)
    return len(pile.draft["photos"])


@pytest.mark.long
def test_taps_without_a_server_arrive_when_it_is_back(windows: Windows, home: Path) -> None:
    """Taps, and photos from the camera and from a file; the loss is said in both languages."""
    port, table = free_port(), new_table()
    phone, italian = windows.open(PHONE), windows.open(PHONE, locale="it-IT")
    tally = phone.locator(".st-key-tally_0")
    with server(home, port) as base:
        at_play(phone, base, table)
        at_play(italian, base, table)
        settle(phone)
        for page in (phone, italian):
            expect(page.locator(".lost")).to_be_hidden()
    for page, sentence in ((phone, "does not answer just now"), (italian, "non risponde")):
        expect(page.locator(".lost .server")).to_contain_text(sentence)
        expect(page.locator(".lost .server")).to_be_visible()
        expect(page.locator(".lost .network")).to_be_hidden()
        assert not cut_texts(page)
    for _ in range(5):
        tally.locator(".more").click()
    tally.locator(".less").click()
    expect(tally.locator("b")).to_have_text("4")
    expect(phone.locator(".messenger")).to_contain_text("Waiting to be sent: 6")
    phone.wait_for_timeout(5000)  # by now Streamlit would have opened its own dialog
    assert "Streamlit" not in phone.locator("body").inner_text()
    expect(phone.locator("[role=dialog]:visible")).to_have_count(0)
    italian.close()

    with server(home, port):
        expect(phone.locator(".lost")).to_be_hidden()
        phone.reload()  # what is shown then, the server has
        expect(tally.locator("b")).to_have_text("4")
        phone.goto(f"{base}/settle?table={table.code}&side=0")
        expect(phone.locator(".snap .camera")).to_be_visible()
    phone.set_input_files(".snap .camera input", bare_table())
    expect(phone.locator(".snap .camera")).to_have_text("Bruno's pile")  # the phone knows
    phone.set_input_files(".slide .files input", PHOTO)
    expect(phone.locator(".slide img[src^=blob]")).to_have_count(2)

    with server(home, port):
        phone.locator(".outlines").first.wait_for()
        expect(phone.locator(".outlines").first).to_have_text("")  # no label lies over a card
        expect(phone.locator(".counts")).to_contain_text("9 here")
        expect(phone.locator(".slide .ring:visible")).to_have_count(0)
        until(lambda: photos_read(table.code) == 2)
        to_cards(phone)
        settle(phone)
        tap_cards(phone, ("10b",))
        settle(phone)
        expect(card(phone, "7d")).to_be_visible()  # what a link on a screen led to stays there
        phone.reload()
        expect(card(phone, "10b")).to_be_visible()
        expect(card(phone, "10b")).to_have_attribute("data-state", "here")
        phone.go_back()
        expect(card(phone, "7d")).to_be_hidden()
        expect(phone.locator(".band")).to_contain_text(table.code)


def test_language_follows_the_browser_until_chosen(windows: Windows, base: str) -> None:
    phone = windows.open(PHONE, locale="it-IT")
    phone.goto(base)
    expect(button(phone, "open")).to_contain_text("Inizia")
    speak(phone, "en")
    expect(button(phone, "open")).to_contain_text("Start")
    expect(phone.locator(".st-key-opening_rules")).to_contain_text("Scopa (standard)")
    for side, name in enumerate(("Bianca", "Rosa")):  # words of Italian, and names
        phone.locator(".seat input").nth(side).fill(name)
    press(phone, "open", then=".st-key-tally_0 .more")
    expect(phone.locator(".band")).to_contain_text("deals")
    expect(phone.locator("html")).to_have_attribute("lang", "en")
    expect(phone.locator(".tally .name span").first).to_have_attribute("translate", "no")
    code = phone.url.split("table=")[1][:4]

    to_cards(phone)
    tap_cards(phone, ANNA[:7])
    speak(phone, "it")
    expect(phone.locator(".counts")).to_contain_text("7 qui")
    expect(phone.locator("html")).to_have_attribute("lang", "it")
    phone.reload()
    expect(phone.locator(".counts")).to_contain_text("7 qui")
    tap_cards(phone, ANNA[7:9])
    expect(phone.locator(".counts")).to_contain_text("9 qui")

    phone.goto(f"{base}/?table={code}")
    expect(phone.locator(".st-key-me_0")).to_have_attribute("translate", "no")
    phone.goto(f"{base}/board/{code}")
    for kept in (".box h2", ".join b"):
        expect(phone.locator(kept).first).to_have_attribute("translate", "no")


SCOPA_AT_ONCE = """() => {
  document.querySelector(".st-key-tally_0 .more").click();
  const shown = (...places) => places.map((place) => document.querySelector(place).innerText);
  return shown(".lines [data-made]", ".sum [data-points]", ".sum [data-after]");
}"""
"""Taps "+ scopa"; gives what stands under scope, gain and total before the server has answered."""


def test_scopa_on_points_counts_at_once_in_one_place(windows: Windows, base: str) -> None:
    phone = windows.open(PHONE)
    table = new_table()
    lay(find_table(state.store(), table.code), ANNA, BRUNO)
    phone.goto(table.join(base, "points", me=0))
    phone.locator(".st-key-confirm .act").wait_for()
    settle(phone)
    numbers = phone.locator(".sum :is([data-points], [data-after])").all_inner_texts()
    before = [int(text) for text in numbers[:2]]
    assert phone.evaluate(SCOPA_AT_ONCE) == ["1", f"+{before[0] + 1}", str(before[1] + 1)]
    expect(phone.locator(".lines .line").last).to_contain_text("Anna +1")  # from the server
    expect(phone.locator(".sum [data-points]").first).to_have_text(f"+{before[0] + 1}")
    expect(phone.locator(".st-key-tally_0 .scope")).to_be_hidden()
    assert phone.evaluate(SCOPA_AT_ONCE) == ["2", f"+{before[0] + 2}", str(before[1] + 2)]


def test_right_to_left_name_keeps_numbers_in_order(windows: Windows, base: str) -> None:
    phone = windows.open(PHONE)
    at_play(phone, base, new_table("Anna", "\u05d3\u05df"), me=0)
    to_cards(phone)
    tap_cards(phone, ANNA[:3])
    expect(phone.locator(".counts")).to_have_text("3 here · 0 \u2068\u05d3\u05df\u2069 · 37 left")


def test_code_watches_link_scores_passphrase_organises(windows: Windows, base: str) -> None:
    phone, guest, laptop = (windows.open(size) for size in (PHONE, PHONE, TABLET))
    table = new_table()
    at_play(phone, base, table)
    guest.goto(base)
    guest.locator(".st-key-code input").fill(table.code.lower())
    button(guest, "join").click()
    guest.wait_for_url(f"{base}/board/{table.code}")
    assert guest.evaluate("scrollY") == 0, "who joins sees the board from its top"
    guest.goto(f"{base}/points?table={table.code}")
    expect(guest.locator(".board")).to_be_visible()
    tap = {"key": "k", "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
    assert guest.request.post(f"{base}/door/{table.code}", data=tap).status == 403

    guest.goto(invitation(phone, base))
    press(guest, "me_1", then=".st-key-tally_1 .more")
    guest.locator(".st-key-tally_1 .more").click()
    expect(phone.locator(".st-key-tally_1 b")).to_have_text("1")

    phone.goto(base)
    press(phone, "go_on", then=".st-key-tally_1 .more")
    phone.go_back()  # one step, and not to a screen in between
    button(phone, "go_on").wait_for()

    phone.goto(f"{base}/invite?table={table.code}")
    old = invitation(phone, base)
    press(phone, "renew_ask", then=".st-key-renew")
    button(phone, "renew").click()
    expect(guest.locator(".board")).to_be_visible()
    guest.goto(old)
    expect(guest.locator("body")).to_contain_text("This link no longer lets you score")

    laptop.goto(f"{base}/club")
    field = laptop.locator(".passphrase input")
    field.fill("a guess")
    laptop.locator(".passphrase button").click()
    expect(laptop.locator(".passphrase p")).to_contain_text("not the organiser's")
    assert table.code not in laptop.locator("body").inner_text()
    field.fill(PASSPHRASE)
    laptop.locator(".passphrase button").click()
    laptop.locator(f".st-key-acts_{table.code} .way").click()
    expect(laptop.locator(".board")).to_contain_text("Anna")
    laptop.goto(f"{base}/play?table={table.code}")  # the organiser may write at each
    laptop.locator(".st-key-tally_0 .more").wait_for()
