"""Every screen with the longest names, in the language of the longest words: nothing is cut, and
axe-core finds nothing at all, and a keyboard reaches everything.

Each screen is opened once, and looked at in several sizes of window and letters, and in each theme.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin
from uuid import uuid4

import pytest
from app_driving import ANNA, BRUNO, SAMPLES, Known, facts, lay, open_table, record
from axe_playwright_python.sync_playwright import Axe
from browser_driving import (
    NARROW,
    PHONE,
    TABLET,
    Windows,
    act,
    at_play,
    button,
    card,
    covered_buttons,
    let_in,
    make_scope,
    new_table,
    settle,
    tap_cards,
    to_cards,
    turn,
)
from earlier import propose
from evening_playing import draw, opened, play
from playing import command, find_table, match_of, record_hand, write
from playwright.sync_api import CDPSession, Page, expect

from scoring.presets import PRESETS
from screens import state
from screens.look import static_text
from store import Table, piles, tables
from table.access import SYSTEM
from table.hand.photos import add_photo
from table.hand.pile import Pile
from table.view import load_view

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

LONG = (
    "Mmmmmmmmmmmmmmmmmmmmmmmm",
    "Massimiliano Bartolomeo!",
    "Wwwwwwwwwwwwwwwwwwwwwwww",
    "Giuseppina-Maddalena-Ada",
)
"""Names as long as a table takes them, with and without a place to break them."""
TEXT_PX, LARGE_TEXT_PX = 16, 32
"""Size of letters that browsers start with, and what somebody with weak eyes sets."""
ON_ITS_SIDE = {"width": 844, "height": 390}
LAPTOP = {"width": 1440, "height": 900}
LOOKS = [
    *((NARROW, size_px) for size_px in (TEXT_PX, LARGE_TEXT_PX)),
    *((size, TEXT_PX) for size in (PHONE, ON_ITS_SIDE, TABLET, LAPTOP)),
]
"""The windows in which every screen is looked at, and the size of letters."""
LANGUAGE = "de"
"""The language of the longest words; what others say is compared with their catalogues."""
SUNLIGHT = static_text("themes/sunlight.css")
"""The colours of the theme that no window starts with: its rules replace those of the light one."""
COLOURS = ("color-contrast",)
"""The rules of axe-core that another theme may break."""
SEEN_PX = 0.5
"""So far beyond the window something is seen to reach: less is rounding, and nothing scrolls."""
OPEN_ALL = "(all) => all.filter((one) => one.checkVisibility()).forEach((one) => one.click())"
STILL = """() => new Promise((done) => {
  let height = -1, since = performance.now();
  const look = () => {
    const all = [...document.querySelectorAll("details")];
    const now = all.reduce((sum, one) => sum + one.scrollHeight, 0);
    if (now !== height) [height, since] = [now, performance.now()];
    if (performance.now() - since > 300) done();
    else setTimeout(look, 30);
  };
  look();
})"""
"""Waits until nothing unfolds any more."""
CUT_TEXTS = Path(__file__).with_name("cut_texts.js").read_text(encoding="utf-8")
FOLDED = "details:not([open]) > summary"
"""What unfolds."""


BROKEN_WORDS = """() => {
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, element = node.parentElement;
    if (element.closest("style, script, noscript, title") || !element.checkVisibility()) continue;
    for (const { 0: word, index } of node.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter((line) => line.width > 0.5);
      if (new Set(lines.map((line) => Math.round(line.top))).size > 1) found.push(word);
    }
  }
  return found;
}"""
"""Words that go on in the next line."""
PARTED_SIGNS = """() => [...document.querySelectorAll(".sign")]
  .filter((sign) => sign.checkVisibility() && sign.textContent.trim())
  .map((sign) => {
    const texts = document.createTreeWalker(sign.parentElement, NodeFilter.SHOW_TEXT);
    texts.currentNode = sign.lastChild;
    while (texts.nextNode() && !texts.currentNode.textContent.trim());
    const name = document.createRange(), node = texts.currentNode;
    name.setStart(node, node.textContent.search(/\\S/));
    name.setEnd(node, node.length);
    const [a, b] = [sign.getBoundingClientRect(), name.getClientRects()[0]];
    return !sign.contains(node) && b && (a.bottom <= b.top || b.bottom <= a.top)
      && node.textContent.trim();
  })
  .filter(Boolean)"""
"""Names that stand in another line than the sign before them."""


@dataclass(frozen=True)
class Screen:
    """A screen to look at: its address, what it shows once drawn, and what is opened on it."""

    address: str
    landmark: str
    opened: str = ""
    language: str = LANGUAGE


def two_sides() -> Table:
    """Return a table with a hand played and one in doubt: photos read, a card in two piles."""
    table = open_table(*LONG[:2])
    record(table, scope=(2, 1))
    reader = Known(doubts={"6s": ("5s", "7s"), "3c": ("2c",)}, unread=("4c",))
    for name in ("anna-1.jpg", "anna-2.jpg"):
        view = load_view(state.store(), table.code, credentials=SYSTEM)
        data = (SAMPLES / name).read_bytes()
        add_photo(state.store(), view, name=name, data=data, reader=lambda: reader)
    bruno = Pile(by_hand=(*BRUNO[:12], "7d"))
    write(state.store(), piles.put_drafts, table, {1: bruno.to_dict()}, hand_no=2)
    return table


def four_sides() -> Table:
    """Return a table of four with a hand played, another laid out, and cards that nobody has."""
    table = open_table(*LONG, rules="wikipedia")
    spread = [ANNA[:10], ANNA[10:], BRUNO[:10], BRUNO[10:]]
    hand = facts(*spread, names=LONG, scope=(4, 3, 0, 1))
    store = state.store()
    record_hand(store, table, hand, key="first", expected=match_of(store, table).revision)
    drafts = {n: Pile(by_hand=tuple(pile[1:])).to_dict() for n, pile in enumerate(spread)}
    write(store, piles.put_drafts, table, drafts, hand_no=2)
    return table


def ready() -> Table:
    """A table with a hand that can be saved."""
    table = open_table(*LONG[:2])
    lay(table, ANNA, BRUNO)
    return table


def won() -> Table:
    """Return a table whose match is won, and whose last hand two phones sent."""
    table = open_table(*LONG[:2])
    record(table, scope=(9, 1), device=LONG[0])
    second = facts(BRUNO, ANNA, names=LONG[:2], scope=(0, 3))
    propose(state.store(), table, second, device=LONG[1])
    return table


def screens() -> Iterator[Screen]:
    """Yield every screen of the app, in all that can make it wide."""
    two, four, over = two_sides().code, four_sides().code, won().code
    yield Screen("/?", ".st-key-open", ".add, .st-key-opening_rules button")
    yield Screen("/?", ".st-key-open", language="it")  # of the longest usual names
    yield Screen(f"/?table={four}", ".st-key-me_0")
    yield Screen("/club?", ".passphrase")
    yield Screen(f"/referee?table={two}", ".forty button")
    yield Screen("/house?", ".st-key-house_save", FOLDED)
    yield Screen(f"/rules?table={two}", ".rules .example .face")
    yield Screen(f"/match?table={four}", ".st-key-match_save")
    yield Screen(f"/quick?table={four}", ".st-key-quick_left")
    yield Screen(f"/invite?table={four}", ".st-key-renew_ask", ".st-key-renew_ask button")
    for code in (two, four, over):
        yield Screen(f"/play?table={code}", ".tally, .end")
        yield Screen(f"/board/{code}?", ".board")
    for code in (four, over):
        yield Screen(f"/history?table={code}", ".st-key-to_play", FOLDED)
    yield Screen(f"/season?table={over}", ".st-key-bar")
    for code in (two, four):
        yield Screen(f"/settle?table={code}", ".st-key-steps")
        yield Screen(f"/settle?table={code}&side=1&by=hand", "[data-card='10b']")
        yield Screen(f"/points?table={code}", ".st-key-instead")
    yield Screen(f"/points?table={ready().code}", ".st-key-confirm")
    yield Screen(f"/settle?table={two}&side=0", ".outlines", "[data-act^=other_] >> nth=0")
    yield from sample_and_evening(*LONG)


def evening(*names: str) -> str:
    """Return the code of an evening in its second round, of which a table is done."""
    store = state.store()
    code = opened(store, *names, link=uuid4().hex)
    for number in range(2):
        first, second = draw(store, code)
        play(store, first.code, 11, 3)
        if not number:
            play(store, second.code, 11, 5)
    return code


def sample_and_evening(*names: str) -> Iterator[Screen]:
    """Yield the sample hand, and the screens of an evening of four and its board in the hall."""
    code = evening(*names)
    yield Screen("/sample?", ".brings")
    yield Screen("/evening?", ".st-key-evening_open", FOLDED)
    yield Screen(f"/evening?table={code}", ".st-key-evening_steps", FOLDED)
    yield Screen(f"/board/{code}?", ".tonight")


def sideways_px(page: Page) -> float:
    """Return how far the page or anything on it reaches beyond the window's right edge."""
    return float(
        page.evaluate(
            """() => Math.max(document.documentElement.scrollWidth,
            ...[...document.querySelectorAll('[data-testid=stApp] *, main *, .menu *')]
            .filter((e) => !e.closest('.joy, .slide') && e.checkVisibility())
            .map((e) => e.getBoundingClientRect().right)) - innerWidth"""
        )
    )


def small_targets(page: Page) -> list[str]:
    """Labels of visible buttons under 48 px (cards of the picker: 44 px) in either direction."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('button, .snap label, .way, .step,'
        + ' .menu summary, [data-testid=stPageLink] a')]
        .map((e) => [e.innerText || e.ariaLabel, e.getBoundingClientRect(), e])
        .filter(([, box, e]) => box.width && e.tabIndex >= 0 && e.checkVisibility()
          && !e.closest('.picker, .sheet, [data-testid=stTooltipIcon], [data-testid=stSelectbox]')
          && (box.width < 44 || box.height < 47.5))
        .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
    )
    return [str(label) for label in found]


def cut_texts(page: Page) -> list[str]:
    """Return texts that reach beyond the window, their box or what clips them."""
    return [str(text) for text in page.evaluate(CUT_TEXTS)]


STRETCHED = """() => {
  const box = (name) => document.querySelector(name)?.getBoundingClientRect();
  const left = box(".st-key-fold .st-key-steps");
  const beside = ".st-key-beside, .st-key-pile_photos, .st-key-pile_cards, .st-key-quick_points";
  const right = box(`${beside}, .lines`);
  if (!left || !right) return box(".st-key-ways_to_count") ? ["counted in one column"] : [];
  return [
    left.width > 380 && `one action bar of ${left.width} px`,
    (left.bottom > innerHeight || left.left > 100) && "the action bar is not at the lower left",
    (right.left < left.right || right.top > 200) && "nothing beside the match",
  ].filter(Boolean);
}"""


def stretched(page: Page) -> list[str]:
    """What a laptop does not show in two columns: the match, and what the hand is counted by."""
    return [str(fault) for fault in page.evaluate(STRETCHED)]


def show(page: Page, screen: Screen) -> None:
    """Open a screen with everything on it that can be opened."""
    address = f"{screen.address}&lang={screen.language}"
    if "/board/" in screen.address + page.url:
        page.goto(urljoin(page.url, address))
        settle(page)
    else:
        turn(page, address)
    page.locator(screen.landmark).first.wait_for()
    if screen.opened:
        page.locator(screen.opened).evaluate_all(OPEN_ALL)
        settle(page)
        page.evaluate(STILL)


def resize(page: Page, letters: CDPSession, *, size: dict[str, int], text_px: int) -> None:
    """Return the window another size, and letters another one, as in the browser's settings."""
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": text_px, "fixed": text_px}})
    page.wait_for_timeout(150)


def axe_faults(page: Page, *rules: str) -> list[str]:
    """What axe-core finds, by rules or all, each with its first element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"], **({"runOnly": [*rules]} if rules else {})}
    found = page.evaluate("(options) => axe.run(options).then((all) => all.violations)", options)
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}" for one in found]


BEYOND_KEYS = """() => ["button", "a[href]", "summary", "input", "[role=button]"]
  .flatMap((kind) => [...document.querySelectorAll(`${kind}:not([type=radio])`)])
  .filter((e) => e.checkVisibility() && !e.disabled && e.tabIndex < 0)
  .filter((e) => !["stNumberInput", "stSelectbox", "stMultiSelect", "stDateInput"]
    .some((kind) => e.closest(`[data-testid=${kind}]`)))
  .map((e) => `no key reaches ${e.ariaLabel || e.innerText || e.outerHTML.slice(0, 90)}`)"""
"""What a finger reaches and keys do not. In choices, numbers, dates and lists arrow keys move."""


OUT_OF_SIGHT = """(name) => {
  const foot = document.querySelector(".st-key-steps").getBoundingClientRect();
  const end = foot.left > 100 ? innerHeight : foot.top;
  const all = [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect().bottom);
  return [all.length, all.filter((bottom) => bottom > end + 1).length];
}"""
"""How many elements there are, and how many of them are seen only after a scroll."""
DRAWN_MS = 15_000
"""A screen that is drawn, and its notes of a busy server, need no longer than this."""


def all_in_sight(page: Page, name: str, count: int) -> None:
    """Wait until there are so many elements, and all are seen without a scroll."""
    seen = f"(name) => ({OUT_OF_SIGHT})(name).join() === '{count},0'"
    page.wait_for_function(seen, arg=name, timeout=DRAWN_MS)


def test_six_long_names_and_forty_cards_fit_small_phones(windows: Windows, base: str) -> None:
    six = ("Massimiliano Bartolo", "Giuseppina Maddalena", "Alessandra Annamaria",
           "Bartolomeo Ferdinand", "Franceschina Antonia", "Mariantonietta Elena")  # fmt: skip
    page = windows.open(NARROW, locale="it-IT")
    at_play(page, base, new_table(*six))
    all_in_sight(page, ".tally .more", 6)
    for names in (("Anna", "Bruno"), ("Anna", "Bruno", "Carla", "Dario", "Elena", "Franca")):
        at_play(page, base, new_table(*names))
        to_cards(page)
        page.set_viewport_size({"width": 844, "height": 390})  # ON_ITS_SIDE
        all_in_sight(page, ".card", 40)


def test_the_forty_cards_have_the_colour_of_their_side(windows: Windows, base: str) -> None:
    page, frames = windows.open(PHONE), list[str]()
    at_play(page, base, table := new_table())
    for side in (0, 1):
        page.goto(f"{base}/settle?table={table.code}&side={side}&by=hand")
        tap_cards(page, ("7d",))
        frames.append(card(page, "7d").evaluate("(e) => getComputedStyle(e).borderTopColor"))
    assert frames[0] != frames[1]


COLUMNS = """() => [...document.querySelectorAll(".st-key-sheet summary strong")]
  .map((total) => Math.round(total.getBoundingClientRect().right))"""
"""Where the totals of the score sheet end, in CSS px."""


def test_five_hands_and_totals_fit_in_steady_columns(windows: Windows, base: str) -> None:
    rules = PRESETS["silver-lake"].changed(target=21)
    table = command(state.store(), tables.open_table, ("Anna", "Bruno"), rules)
    for _ in range(5):
        record(table)
    page = windows.open(PHONE)
    let_in(page, base)
    page.goto(f"{base}/history?table={table.code}")
    page.locator(".st-key-hand_5").wait_for()
    settle(page)
    foot = page.locator(".sheet-row.foot").bounding_box()
    bar = button(page, "to_play").bounding_box()
    assert foot
    assert bar
    assert foot["y"] + foot["height"] < bar["y"]
    closed = page.evaluate(COLUMNS)
    assert len(closed) == 10
    assert len(set(closed)) == 2
    page.locator(".st-key-hand_2 summary").first.click()
    act(page, "edit_2").wait_for()
    assert page.evaluate(COLUMNS) == closed
    for shown in ("h2", ".st-key-sheet strong", ".sheet-row.foot b", ".band"):
        expect(page.locator(shown).first).to_have_css(
            "font-variant-numeric", "lining-nums tabular-nums"
        )


def test_start_is_in_sight_and_six_people_are_offered(windows: Windows, base: str) -> None:
    for names in (("Anna + Carla", "Bruno + Dario"), ("Elena", "Fabio", "Gina", "Hugo")):
        command(state.store(), tables.open_table, names, PRESETS["silver-lake"])
    page = windows.open(PHONE)
    let_in(page, base)
    page.goto(base)
    chips = page.locator(".known .chip")
    expect(chips).to_have_count(6)
    assert not [name for name in chips.all_inner_texts() if " + " in name]
    button(page, "opening_rules").click()
    page.locator(".st-key-unfolded").wait_for()
    settle(page)
    start = button(page, "open").bounding_box()
    assert start
    assert start["y"] + start["height"] <= 640


def test_only_the_chosen_way_to_count_is_heavy(windows: Windows, base: str) -> None:
    page = windows.open(PHONE)
    page.goto(new_table().join(base, "settle"))
    ways = page.locator(".st-key-ways_to_count a")
    expect(ways).to_have_count(3)
    settle(page)
    strokes = "(all) => all.map((one) => getComputedStyle(one).webkitTextStrokeWidth !== '0px')"
    weights = "(all) => all.map((one) => getComputedStyle(one).fontWeight)"
    assert ways.evaluate_all(strokes) == [True, False, False]
    assert page.locator(".st-key-ways_to_count p").evaluate_all(weights) == ["400"] * 3


def test_scope_stands_once_beside_its_buttons(windows: Windows, base: str) -> None:
    table, page = new_table(), windows.open(LAPTOP)
    at_play(page, base, table)
    make_scope(page, 1)
    for screen in ("quick", "settle"):
        turn(page, f"/{screen}?table={table.code}")
        page.locator(".standing").wait_for()
        expect(page.locator(".standing [data-scope]:visible, .tally .scope:visible")).to_have_count(
            2 if screen == "quick" else 1
        )


def test_a_fault_of_axe_would_be_found(windows: Windows) -> None:
    page = windows.open(PHONE)
    page.set_content(
        '<html lang="en"><title>t</title><main><h1>t</h1><img src="x.jpg">'
        '<p style="color: #bbb">pale</main>'
    )
    assert [fault.split(":")[0] for fault in axe_faults(page)] == ["color-contrast", "image-alt"]
    assert [fault.split(":")[0] for fault in axe_faults(page, *COLOURS)] == ["color-contrast"]


def whole(page: Page) -> list[str]:
    """Return words that break, and names that lost their sign.

    An evening offers the names of other tests: those as long as a table takes them may break.
    """
    broken = [word for word in page.evaluate(BROKEN_WORDS) if word not in LONG]
    return [*broken, *page.evaluate(PARTED_SIGNS)]


@pytest.mark.parametrize(
    ("size", "text_px"), [(NARROW, TEXT_PX), (NARROW, LARGE_TEXT_PX), (PHONE, LARGE_TEXT_PX)]
)
def test_words_and_names_of_eight_letters_break_nowhere(
    size: dict[str, int], text_px: int, windows: Windows, base: str
) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table("Anna", "Bartolom")
    resize(page, page.context.new_cdp_session(page), size=size, text_px=text_px)
    page.goto(base)
    page.locator(".drawn").wait_for()
    faults = {"/": whole(page)}
    found = find_table(state.store(), table.code)
    record(found)
    lay(found, ANNA, BRUNO, hand_no=2)
    let_in(page, base)
    page.goto(table.join(base))
    page.locator(".tally").first.wait_for()
    names = ("play", "settle", "points", "quick", "history")
    for screen in (
        *(Screen(f"/{name}?table={table.code}", ".st-key-bar") for name in names),
        *sample_and_evening("Anna", "Bartolom", "Carla", "Dario"),
    ):
        show(page, screen)
        faults[screen.address] = whole(page)
    assert not {name: found for name, found in faults.items() if found}


def test_a_broken_word_would_be_found(windows: Windows) -> None:
    page = windows.open(PHONE)
    page.set_content('<p style="width: 3ch; overflow-wrap: anywhere">one Bartolom</p>')
    assert page.evaluate(BROKEN_WORDS) == ["Bartolom"]


def test_buttons_of_a_seat_lie_beside_its_name(windows: Windows, base: str) -> None:
    page = windows.open(NARROW)
    page.goto(base)
    page.locator(".add").click()
    fields = page.locator(".seat:not([hidden])")
    expect(fields).to_have_count(3)
    edges = [fields.last.locator(name).bounding_box() for name in ("input", ".grip", ".gone-seat")]
    name, grip, gone = (edge for edge in edges if edge)
    assert name["x"] + name["width"] <= grip["x"]
    assert grip["x"] + grip["width"] <= gone["x"]
    assert min(grip["width"], grip["height"], gone["width"], gone["height"]) >= 48


@pytest.mark.parametrize(
    ("size", "names"), [(ON_ITS_SIDE, LONG), (PHONE, ())], ids=["on its side", "upright"]
)
def test_start_is_in_sight_beside_a_match_that_goes_on(
    size: dict[str, int], names: tuple[str, ...], windows: Windows, base: str
) -> None:
    page, table = windows.open(size), new_table(*names)
    at_play(page, base, table)
    page.goto(base)
    button(page, "go_on").wait_for()
    settle(page)
    for name in ("go_on", "open"):
        expect(button(page, name)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_faded_toast_leaves_every_button_free(
    motion: Literal["no-preference", "reduce"], windows: Windows, base: str
) -> None:
    page, table = windows.open(PHONE), new_table()
    page.emulate_media(reduced_motion=motion)
    lay(find_table(state.store(), table.code), ANNA, BRUNO)
    page.goto(table.join(base, "points"))
    act(page, "confirm").click()
    toast = page.locator(".st-key-toast")
    expect(toast.locator("[data-act=undo]")).to_be_visible()
    note, undo = toast.bounding_box(), toast.locator("[data-act=undo]").bounding_box()
    assert note
    assert undo
    assert undo["width"] < note["width"] / 2
    settle(page)
    assert not covered_buttons(page)
    expect(toast).to_be_hidden()
    expect(page.locator(".st-key-other_ways a")).to_have_count(2)
    expect(page.locator(".st-key-other_ways a").first).to_be_visible()


def test_a_button_that_no_key_reaches_would_be_found(windows: Windows) -> None:
    page = windows.open(PHONE)
    page.set_content('<button>Save</button><button tabindex="-1">Undo</button>')
    assert page.evaluate(BEYOND_KEYS) == ["no key reaches Undo"]


def test_a_covered_button_would_be_found(windows: Windows) -> None:
    page = windows.open(PHONE)
    page.set_content(
        '<button>Save</button><div class="veil" style="position: fixed; inset: 0"></div>'
    )
    assert covered_buttons(page) == ["Save | under veil"]


FOLLOWS_MS = 1500
"""Streamlit follows the device's scheme a little later than our styles."""


def to_scheme(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Set the device to light or dark: the app and Streamlit follow where no theme was chosen."""
    page.emulate_media(color_scheme=scheme)
    paper = "rgb(250, 246, 236)" if scheme == "light" else "rgb(19, 27, 23)"
    ground = page.locator("[data-testid=stApp], body:not(:has([data-testid=stApp]))")
    expect(ground).to_have_css("background-color", paper)


def misfits(page: Page, size: dict[str, int]) -> list[str]:
    """Return what does not fit a screen, and on a phone what eyes and fingers miss there."""
    found = [f"{px} px sideways" for px in [sideways_px(page)] if px >= SEEN_PX]
    found += [*cut_texts(page), *small_targets(page)]
    if size is LAPTOP:
        found += stretched(page)
    if size is PHONE:
        found += [*axe_faults(page), *covered_buttons(page), *page.evaluate(BEYOND_KEYS)]
    return found


def faults_in_other_themes(page: Page) -> list[str]:
    """Return what axe-core says of the colours of a screen in sunlight and in the dark."""
    theme = page.add_style_tag(content=SUNLIGHT)
    faults = [f"sunlight: {one}" for one in axe_faults(page, *COLOURS)]
    theme.evaluate("(tag) => tag.remove()")
    to_scheme(page, "dark")
    found = axe_faults(page, *COLOURS)
    if found:
        page.wait_for_timeout(FOLLOWS_MS)
        found = axe_faults(page, *COLOURS)
    to_scheme(page, "light")
    return [*faults, *(f"dark: {one}" for one in found)]


def test_axe_finds_nothing_on_the_sample_and_an_evening(windows: Windows, base: str) -> None:
    page, faults = windows.open(PHONE, is_changed=True), []
    page.emulate_media(reduced_motion="reduce")
    let_in(page, base)
    page.goto(base)
    for screen in sample_and_evening(*LONG):
        show(page, screen)
        found = [*axe_faults(page), *covered_buttons(page), *page.evaluate(BEYOND_KEYS)]
        faults += [f"{screen.address} {one}" for one in (*found, *faults_in_other_themes(page))]
    assert not faults, "\n".join(faults)


@pytest.mark.long
def test_longest_names_fit_every_screen(
    windows: Windows, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide_codes = map("".join, product("WM", repeat=4))  # W is the widest letter of a code
    with monkeypatch.context() as making:
        making.setattr("store.tables.make_code", lambda: next(wide_codes))
        shown, faults = list(screens()), []
    page = windows.open(PHONE, is_changed=True)
    page.emulate_media(reduced_motion="reduce")  # what pops up is looked at where it ends
    let_in(page, base)
    page.goto(base)
    letters = page.context.new_cdp_session(page)
    for screen in shown:
        for number, (size, text_px) in enumerate(LOOKS):
            resize(page, letters, size=size, text_px=text_px)
            if not number:
                show(page, screen)
            found = misfits(page, size)
            if found:  # a busy machine lays the page out later
                page.wait_for_timeout(FOLLOWS_MS)
                found = misfits(page, size)
            where = f"{screen.address} {size['width']} px, letters {text_px} px"
            faults += [f"{where}: {fault}" for fault in found]
        resize(page, letters, size=PHONE, text_px=TEXT_PX)  # where axe-core has less to do
        faults += [f"{screen.address} {one}" for one in faults_in_other_themes(page)]
    print(f"\n{len(shown)} screens, {len(faults)} faults")
    assert not faults, "\n".join(faults)
