"""What the screens take of somebody's time, as distributions over many runs.

Few are made here; for figures, many, printed as a table at the end:

    SETTEBELLO_RUNS=30 pytest -s tests/screens/test_browser_figures.py
"""

import base64
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from app_driving import ANNA, BRUNO, ROOT, SAMPLES, Known
from browser_driving import (
    PHONE,
    TABLET,
    WAIT_MS,
    Windows,
    act,
    at_play,
    button,
    new_table,
    server,
    settle,
)
from PIL import Image
from playing import until
from playwright.sync_api import Browser, Page, ViewportSize, expect
from test_browser_open import Finger, two_new
from timing import MEASURED, RUNS

from assets.deck import card_svg
from scoring.cards import CODES
from screens import state
from table.access import SYSTEM
from table.hand.photos import add_photo
from table.view import load_view

pytestmark = [pytest.mark.browser, pytest.mark.timing, pytest.mark.timeout(3600)]

ALARMS = ".note.ask:visible, .note.stop:visible, .advice:visible, .st-key-answers .act:visible"
"""What asks or warns somebody on the screens of a hand."""

SHOWN_AT = """(place, text) => new Promise((done) => {
  const look = () => [...document.querySelectorAll(place)].some(
    (one) => one.checkVisibility() && one.textContent.includes(text));
  if (look()) return done(Date.now());
  const watch = new MutationObserver(() => look() && (watch.disconnect(), done(Date.now())));
  watch.observe(document.body, { subtree: true, childList: true, characterData: true,
    attributes: true });
})"""
"""When a text is seen in a place of the page, in milliseconds of the machine's clock."""


@pytest.fixture(scope="module", autouse=True)
def _table(browser: Browser) -> Iterator[None]:
    yield
    print(f"\n{MEASURED.table(browser.version)}")


@pytest.fixture
def opening_base(base: str, home: Path) -> Iterator[str]:
    """A server at which no table was opened yet: an address may open 30 an hour."""
    with ExitStack() as running:
        yield base if RUNS == 1 else running.enter_context(server(home))


def photo_of(windows: Windows, codes: Sequence[str], path: Path) -> str:
    """Return a good photo of a pile of our own drawn cards: rows of five on a green cloth."""
    chance = random.Random(len(codes))
    cards = ""
    for place, code in enumerate(codes):
        left, top = 90 + 203 * (place % 5), 80 + 340 * (place // 5)
        drawn = card_svg(code).replace("<svg ", "<svg width=170 height=320 ", 1)
        cards += (
            f'<div style="position:absolute;left:{left + chance.uniform(-8, 8):.0f}px;'
            f"top:{top + chance.uniform(-8, 8):.0f}px;width:170px;height:320px;overflow:hidden;"
            f"transform:rotate({chance.uniform(-4, 4):.1f}deg);box-shadow:2px 4px 8px #0008;"
            f'border-radius:9px;background:#fdfaf2">{drawn}</div>'
        )
    page = windows.open({"width": 1150, "height": 1850}, is_changed=True)
    page.set_content(f'<body style="margin:0;background:#55705c">{cards}</body>')
    page.screenshot(path=path, type="jpeg", quality=92)
    return str(path)


def test_the_first_screen(windows: Windows, base: str) -> None:
    seconds = []
    for _ in range(RUNS):
        page = windows.open(PHONE, is_changed=True)  # a new phone: nothing is cached
        began = time.monotonic()
        page.goto(base, wait_until="commit")
        page.locator(".st-key-open button").wait_for()
        seconds.append(time.monotonic() - began)
        page.context.close()
    MEASURED.seconds("first screen of a new phone", seconds, most=1.5)


@pytest.mark.models
def test_tap_is_shown_at_once_while_photos_are_read(windows: Windows, base: str) -> None:
    here, there, table = [], [], new_table()
    phone, board, snapping = (windows.open(size) for size in (PHONE, TABLET, PHONE))
    at_play(phone, base, table)
    board.goto(table.join(base, "board"))
    board.locator(".board").wait_for()
    snapping.goto(table.join(base, "settle", side=1))
    snapping.locator(".snap .files input").wait_for(state="attached")
    settle(phone)
    photos = [str(ROOT / "samples" / f"bruno-{number}.jpg") for number in (1, 2)]
    snapping.set_input_files(".snap .files input", photos)
    for number in range(1, 10 * RUNS + 1):
        board.evaluate(
            f"text => {{ window.at = ({SHOWN_AT})('[data-scope=\"0\"] b', text) }}", str(number)
        )
        began, shown = phone.evaluate(
            f"""async (text) => {{
              const began = Date.now();
              const shown = ({SHOWN_AT})('.st-key-tally_0 b', text);
              document.querySelector('.st-key-tally_0 .more').click();
              return [began, await shown];
            }}""",
            str(number),
        )
        here.append((shown - began) / 1000)
        there.append((board.evaluate("window.at") - began) / 1000)
        phone.wait_for_timeout(150)
    MEASURED.seconds("+ scopa until its number moves", here, most=0.1)
    MEASURED.seconds("+ scopa until the board shows it", there, most=0.3)


def hand_by_photos(page: Page, photos: Sequence[str]) -> tuple[int, int]:
    """A hand from its last card to the next hand open; gives the taps in the app, and alarms."""
    for name, photo in zip(("Anna", "Bruno"), photos, strict=True):
        camera = page.locator(".st-key-snap .camera")
        expect(camera).to_contain_text(name)  # the red button; the shutter is the phone's own
        camera.locator("input").set_input_files(photo)
    page.locator(".st-key-onward button:enabled").click()
    act(page, "confirm").wait_for()
    alarms = page.locator(ALARMS).count()
    act(page, "confirm").click()
    page.locator(".st-key-toast").wait_for()
    return len(photos) + 2, alarms


@pytest.mark.slow
@pytest.mark.models
def test_a_hand_with_two_good_photos(windows: Windows, base: str, tmp_path: Path) -> None:
    photos = [
        photo_of(windows, pile, tmp_path / f"{name}.jpg")
        for name, pile in (("anna", ANNA), ("bruno", BRUNO))
    ]
    seconds, counted = [], []
    phone = windows.open(PHONE)
    for _ in range(RUNS):
        at_play(phone, base, new_table())
        settle(phone)
        began = time.monotonic()
        counted.append(hand_by_photos(phone, photos))
        seconds.append(time.monotonic() - began)
    taps, alarms = zip(*counted, strict=True)
    MEASURED.seconds("two good photos until the next hand, without fingers", seconds, most=15)
    MEASURED.count("two good photos until the next hand, taps", taps, most=5)
    MEASURED.count("alarms on a right hand", alarms, most=0)


def test_a_quick_count(windows: Windows, base: str) -> None:
    seconds, taps = [], []
    phone = windows.open(PHONE)
    for _ in range(RUNS):
        at_play(phone, base, new_table())
        settle(phone)
        points = ("carte", "denari", "settebello", "primiera")
        chosen = [
            phone.locator(f".st-key-quick_{point} button").nth(number % 2)
            for number, point in enumerate(points)
        ]
        ways = [phone.locator(".st-key-other_ways a").last, *chosen, act(phone, "confirm")]
        began = time.monotonic()
        for way in ways:
            way.click()
        phone.locator(".st-key-toast").wait_for()
        seconds.append(time.monotonic() - began)
        taps.append(len(ways))
    MEASURED.seconds("quick count until the next hand, without fingers", seconds, most=8)
    MEASURED.count("quick count until the next hand, taps", taps, most=6)


def test_a_table_of_two_new_names(windows: Windows, opening_base: str) -> None:
    seconds, taps = [], []
    size: ViewportSize = {"width": PHONE["width"], "height": PHONE["height"]}
    for _ in range(RUNS):
        page = windows.browser.new_page(viewport=size, locale="en-GB", has_touch=True)
        page.set_default_timeout(WAIT_MS)
        page.set_default_navigation_timeout(WAIT_MS)
        page.goto(opening_base)
        page.locator(".seat input").first.wait_for()
        finger, began = Finger(page), time.monotonic()
        two_new(finger)
        finger.tap(button(page, "open"))
        page.locator(".tally .more").last.wait_for()
        seconds.append(time.monotonic() - began)
        taps.append(finger.taps)
        page.context.close()
    MEASURED.seconds("two new names typed until + scopa can be tapped", seconds, most=6)
    MEASURED.count("two new names until + scopa, taps", taps, most=6)


def test_the_sample_hand(windows: Windows, opening_base: str) -> None:
    seconds = []
    for _ in range(RUNS):
        page = windows.open(PHONE, is_changed=True)
        page.goto(opening_base)
        page.locator(".seat input").first.wait_for()
        settle(page)
        began = time.monotonic()
        page.locator(".st-key-sample_hand a").click()  # the one tap
        page.locator(".sample .outlines").wait_for()
        seconds.append(time.monotonic() - began)
        assert not page.locator(ALARMS).count()
        page.context.close()
    MEASURED.seconds("sample hand until its photo", seconds, most=3)


OWN_PHOTO_MS = """(jpeg) => new Promise((done) => {
  const input = document.querySelector(".snap .camera input");
  const file = new File([Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0))], "pile.jpg",
    { type: "image/jpeg" });
  const chosen = new DataTransfer();
  chosen.items.add(file);
  input.files = chosen.files;
  const began = performance.now();
  input.dispatchEvent(new Event("change", { bubbles: true }));
  const look = () => {
    const image = document.querySelector(".slide .shot.there > img");
    if (image) image.decode().then(() => done(performance.now() - began)); // it can be painted
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Takes a photo; gives the milliseconds until it is on the screen."""


def large_photo(path: Path) -> str:
    """A photo of three megabytes and twelve megapixels, as phones take them."""
    with Image.open(SAMPLES / "anna-1.jpg") as sample:
        picture = sample.convert("RGB").resize((4032, 3024), Image.Resampling.BICUBIC)
    grain = Image.effect_noise(picture.size, 30).convert("RGB")
    Image.blend(picture, grain, 0.16).save(path, "JPEG", quality=88)
    assert 2_700_000 < path.stat().st_size < 3_300_000
    return str(path)


def test_own_photo_is_seen_at_once_and_soon_sent(
    windows: Windows, base: str, tmp_path: Path
) -> None:
    photo, seen, sent = large_photo(tmp_path / "pile.jpg"), [], []
    jpeg = base64.b64encode(Path(photo).read_bytes()).decode()
    page = windows.open(PHONE, is_changed=True)
    line = page.context.new_cdp_session(page)
    for _ in range(RUNS):
        table = new_table()
        page.goto(table.join(base, "settle"))
        page.locator(".snap .camera input").wait_for(state="attached")
        settle(page)
        slow = {"offline": False, "latency": 80, "downloadThroughput": 93750}
        line.send("Network.emulateNetworkConditions", slow | {"uploadThroughput": 93750})
        seen.append(page.evaluate(OWN_PHOTO_MS, jpeg) / 1000)
        began = time.monotonic() - seen[-1]
        until(lambda code=table.code: load_view(  # type: ignore[misc]
            state.store(), code, credentials=SYSTEM).reading)  # fmt: skip
        sent.append(time.monotonic() - began)
        fast = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        line.send("Network.emulateNetworkConditions", fast)
    MEASURED.seconds("own photo of 12 megapixels on the screen", seen, most=0.1)
    MEASURED.seconds("photo of 3 MB sent at 750 kbit/s", sent, most=6)


def with_photos(*piles: Sequence[str]) -> str:
    """The code of a table at which anna-1.jpg was read as the pile of each side, as these cards."""
    table, store = new_table(), state.store()
    for side, pile in enumerate(piles):
        reader = Known()
        name = f"{side}-anna-1.jpg"
        reader.photos[name] = {**reader.photos["anna-1.jpg"], "cards": pile}
        view = replace(load_view(store, table.code, credentials=SYSTEM), side=side)
        data = (SAMPLES / "anna-1.jpg").read_bytes()
        add_photo(store, view, name=name, data=data, reader=lambda reader=reader: reader)  # type: ignore[misc]
    return table.join("", "settle", side=0)


def test_a_wrong_card_and_a_pile_photographed_twice(windows: Windows, base: str) -> None:
    right = Known().photos["anna-1.jpg"]["cards"]
    wrong = [next(code for code in CODES if code not in right), *right[1:]]
    page = windows.open(PHONE)
    seconds, taps, questions = [], [], []
    for _ in range(RUNS):
        page.goto(base + with_photos(wrong))
        card = page.locator(".outlines polygon[role=button]").first
        before = card.get_attribute("aria-label")
        assert before
        settle(page)
        ways = [card, page.locator(f"dialog.sheet [data-act=choose_{right[0]}]")]
        began = time.monotonic()
        for way in ways:
            way.click()
        expect(card).not_to_have_attribute("aria-label", before)
        seconds.append(time.monotonic() - began)
        taps.append(len(ways))

        page.goto(base + with_photos(right, right))
        answers, asked = page.locator(".st-key-answers .act:visible"), 0
        answers.first.wait_for()
        while answers.count():
            name = answers.first.get_attribute("data-act")
            answers.first.click()
            expect(page.locator(f"[data-act={name}]:visible")).to_have_count(0)
            settle(page)
            asked += 1
        questions.append(asked)
    MEASURED.seconds("a wrong card until it is right", seconds, most=2)
    MEASURED.count("a wrong card until it is right, taps", taps, most=2)
    MEASURED.count("questions after the same pile twice", questions, most=1)
