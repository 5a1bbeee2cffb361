"""Nothing moves under a finger: a tapped button is where it was, on every screen.

Buttons that open another screen are left out: `TAPS` names those that stay.
"""

import pytest
from app_driving import ANNA, BRUNO, SAMPLES, Known, lay, record
from browser_driving import NARROW, PHONE, Windows, act, let_in, new_table, settle
from playing import find_table
from playwright.sync_api import FloatRect, Locator, Page, expect

from scoring.cards import CODES
from screens import state
from table.access import SYSTEM
from table.hand.photos import add_photo
from table.view import load_view

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

MOST_PX = 1.0
"""The most that a tapped button may move."""
TAPPED_MS = 20_000
"""A button that is not there by then is missing."""

FORTY = tuple(f".picker .card >> nth={number}" for number in (0, 2, 9, 2, 0))
"""Of the forty cards the first, third and tenth, and two of them back."""
TAPS = {
    "/?": (
        ".st-key-opening_rules button",
        ".dealers button >> nth=1",
        "[class*=st-key-target_] [role=radio] >> nth=1",
        "[class*=st-key-best_of] [role=radio] >> nth=1",
        "[class*=st-key-cards_] [role=radio] >> nth=1",
        ".st-key-opening_rules button",
    ),
    "/play?table={played}": (
        ".st-key-tally_0 .more",
        ".st-key-tally_0 .less",
        ".st-key-tally_1 .more",
    ),
    "/match?table={played}": (
        "[class*=st-key-match_target] [role=radio] >> nth=1",
        "[class*=st-key-match_best_of] [role=radio] >> nth=1",
        "[class*=st-key-match_dealer] [role=radio] >> nth=0",
    ),
    "/quick?table={played}": ("[data-act=carte_0]", "[data-act=denari_1]", "[data-act=carte_1]"),
    "/settle?table={played}&side=0&by=hand": FORTY,
    "/settle?table={three}&side=0&by=hand&lang=it": FORTY,
    "/settle?table={blank}&side=0&by=hand": FORTY,
    "/points?table={laid}": (
        ".line summary >> nth=0",
        ".help summary >> nth=0",
        ".line summary >> nth=3",
        ".st-key-tally_0 .more",
    ),
    "/history?table={played}": (
        ".st-key-hand_2 summary >> nth=0",
        ".st-key-hand_1 summary >> nth=0",
        ".st-key-hand_1 summary >> nth=0",
    ),
    "/referee?table={played}": (
        "details:has(> summary p) > summary >> nth=0",
        ".forty [data-code='7d']",
        ".mode-played",
        ".forty [data-code='7c']",
        ".clear",
    ),
    "/house?": (
        "details:has(> summary p) > summary >> nth=1",
        "details:has(> summary p) > summary >> nth=0",
    ),
    "/invite?table={played}": (".st-key-renew_ask button >> nth=0",),
}
"""Buttons that are tapped one after the other, by the address of their screen."""


@pytest.fixture
def addresses(base: str) -> dict[str, str]:  # noqa: ARG001  whose tables they are
    """Codes of tables: two hands played, piles laid for two and three, a photo without a card."""
    names = ((), (), ("Anna", "Bruno", "Carla"), ())
    played, laid, three, blank = (new_table(*some) for some in names)
    for _ in range(2):
        record(find_table(state.store(), played.code))
    lay(find_table(state.store(), laid.code), ANNA[:-1], BRUNO)
    lay(find_table(state.store(), three.code), *(CODES[side::3] for side in range(3)))
    view = load_view(state.store(), blank.code, credentials=SYSTEM)
    data = (SAMPLES / "anna-1.jpg").read_bytes()
    add_photo(state.store(), view, name="blank.jpg", data=data, reader=Known)
    return {"played": played.code, "laid": laid.code, "three": three.code, "blank": blank.code}


def place(button: Locator) -> FloatRect:
    """Return where a button is, once it has kept still for a while."""
    before = None
    for _ in range(20):
        now = button.bounding_box()
        if now and now == before:
            return now
        before = now
        button.page.wait_for_timeout(300)
    raise AssertionError(f"expected {button} to stand still")


def moved(page: Page, name: str) -> float:
    """Tap a button and return by how many px it moved; 0 if it is gone."""
    button = page.locator(name).first
    button.click(trial=True)  # it is scrolled into sight
    before = place(button)
    button.click()
    settle(page)
    after = place(button) if button.count() else before
    return max(abs(after["x"] - before["x"]), abs(after["y"] - before["y"]))


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        *((screen, PHONE) for screen in TAPS),
        *((screen, NARROW) for screen, taps in TAPS.items() if taps is FORTY),
    ],
)
def test_a_tapped_button_stays_where_it_is(
    screen: str, size: dict[str, int], addresses: dict[str, str], windows: Windows, base: str
) -> None:
    page = windows.open(size, is_changed=True)
    page.set_default_timeout(TAPPED_MS)
    let_in(page, base)
    page.goto(base + screen.format(**addresses))
    page.locator(TAPS[screen][0]).first.wait_for()
    settle(page)
    found = {name: moved(page, name) for name in TAPS[screen]}
    assert not {name: px for name, px in found.items() if px > MOST_PX}


def test_a_note_of_a_changed_hand_moves_nothing(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE), new_table()
    for _ in range(3):
        record(find_table(state.store(), table.code))
    page.goto(table.join(base, "history"))
    page.locator(".st-key-hand_2 summary").first.click()
    settle(page)
    row, toast = page.locator(".st-key-hand_2"), page.locator(".st-key-toast")
    before = place(row)["y"]
    act(page, "out_2").click()
    act(page, "out_yes_2").click()
    expect(toast).to_contain_text("Hand 2 counts nothing now.")
    assert place(row)["y"] == before
    toast.locator("[data-act=undo]").click()
    expect(toast).to_contain_text("Undone: hand 2 is as before.")
    assert place(row)["y"] == before
    assert not toast.locator("[data-act=undo]").count()
    assert not page.locator(".note").count()
    expect(toast).to_be_hidden()
    assert place(row)["y"] == before


def test_a_move_would_be_found(windows: Windows, base: str) -> None:
    page = windows.open(PHONE)
    page.goto(base)
    page.locator(".st-key-open").wait_for()
    settle(page)
    page.evaluate(
        """() => document.querySelector(".add").addEventListener("click",
          ({ target }) => (target.style.marginLeft = "7px"))"""
    )
    assert moved(page, ".seats .add") >= 7
