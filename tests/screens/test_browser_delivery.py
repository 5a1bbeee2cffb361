"""Between a phone and its server: proxies that say no, full disks, storage that never answers."""

import base64
import io
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic

import psutil
import pytest
from browser_driving import PASSPHRASE, PHONE, Windows, at_play, new_table, settle
from PIL import ExifTags, Image
from playing import until, write
from playwright.sync_api import Page, expect
from proxies import LOGIN_PAGE, Answer, Proxy, Rule, html
from servers import Server, running
from test_browser_door import padded_jpeg, small_photo, taps_kept, uploads

from screens import look, state
from store import piles

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

ODD_PHONE = """
Reflect.deleteProperty(window, "SharedWorker"); // as on Android
const now = Date.now;
Date.now = () => now() - 3 * 3600 * 1000;
"""
"""A phone whose clock is three hours behind."""

DEAF_STORAGE = "IDBFactory.prototype.open = () => new EventTarget();"
"""A browser whose storage never answers."""

CHOOSE_LATER = """(name) => {
  const input = document.querySelector(".snap .files input"), send = input.onchange;
  input.onchange = () => { window.sendChosen = () => send.call(input); };
}"""
"""What is chosen is taken up when the test says so."""


SHRINK = """async ([module, jpeg, pixels]) => {
  const { fit, shrink } = await import(module);
  const photo = await (await fetch(`data:image/jpeg;base64,${jpeg}`)).blob();
  const small = await (pixels ? shrink(photo, pixels) : fit(photo));
  const { width, height } = await createImageBitmap(small, { imageOrientation: "none" });
  return [width, height];
}"""
"""Width and height of a photo that was made smaller, whatever its EXIF says."""


def turned_jpeg(width: int, height: int) -> str:
    """Return a photo of so many pixels that is to be shown turned by a quarter, in Base64."""
    kept, exif = io.BytesIO(), Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    Image.new("RGB", (width, height)).save(kept, "jpeg", exif=exif)
    return base64.b64encode(kept.getvalue()).decode()


def answers(answer: Answer, *parts: str) -> Rule:
    """Return a rule that gives an answer to all paths with one of these parts."""
    return lambda _method, path: answer if any(part in path for part in parts) else None


def pass_on(_method: str, _path: str) -> Answer | None:
    return None


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Server]]:
    """A server of these tests alone, and where it keeps its tables."""
    place = tmp_path_factory.mktemp("server")
    with running(place, passphrase=PASSPHRASE) as started:
        yield place, started


@pytest.fixture
def place(own: tuple[Path, Server], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where its tables lie; the test sees them."""
    monkeypatch.setenv("SETTEBELLO_HOME", str(own[0]))
    return own[0]


@pytest.fixture
def proxy(own: tuple[Path, Server]) -> Iterator[Proxy]:
    """What the windows of a test speak to in place of the server."""
    with closing(Proxy.to(own[1].address)) as opened:
        yield opened


def tap(page: Page, side: int = 0) -> None:
    page.locator(f".st-key-tally_{side} .more").click()


def test_proxy_errors_lose_no_tap_and_no_photo(
    windows: Windows, own: tuple[Path, Server], place: Path, proxy: Proxy, tmp_path: Path
) -> None:
    table = new_table()
    page = windows.open(PHONE, is_changed=True)
    page.add_init_script(ODD_PHONE)
    at_play(page, proxy.address, table, me=0)
    settle(page)
    way, band = page.locator(".messenger .way"), page.locator(".st-key-bar")

    def kept() -> int:
        return sum(taps_kept(place, 0))

    clock = page.locator(".messenger .clock-off")
    expect(clock).to_contain_text("180 minutes")
    clock.click()
    expect(clock).to_have_count(0)
    stood = band.bounding_box()

    # what is in the way of everything: all waits in order, and its reason is said
    door = f"/door/{table.code}"
    proxy.rule = answers(LOGIN_PAGE, door, "/health")
    tap(page)
    expect(way).to_contain_text("log in")
    proxy.rule = answers(html(502), door, "/health")
    tap(page)
    expect(way).to_have_text("Waiting to be sent: 2")
    assert kept() == 0
    assert band.bounding_box() == stood, "nothing moves under a finger"
    proxy.rule = pass_on
    until(lambda: kept() == 2)
    expect(way).to_have_count(0)

    server = psutil.Process(own[1].process.pid)
    _, most = server.rlimit(psutil.RLIMIT_FSIZE)
    server.rlimit(psutil.RLIMIT_FSIZE, (1, most))  # no file grows: the disk is full
    for _ in range(3):
        tap(page)
    expect(way).to_contain_text("disk is full")
    expect(page.locator(".st-key-tally_0 b")).to_have_text("5")
    server.rlimit(psutil.RLIMIT_FSIZE, (most, most))
    until(lambda: kept() == 5)
    expect(way).to_have_count(0)

    # what is in the way of one alone: it is set aside, and the next one passes
    seen = iter([html(403)])
    proxy.rule = lambda method, path: next(seen, None) if (method, path) == ("POST", door) else None
    for _ in range(2):
        tap(page)
    aside = page.locator(".messenger .aside")
    expect(aside).to_have_text(
        "A tap: something on the way does not let it through (403).Try againLet go"
    )
    until(lambda: kept() == 6)
    expect(page.locator(".st-key-tally_0 b")).to_have_text("6")
    aside.get_by_text("Try again").click()
    until(lambda: kept() == 7)
    expect(aside).to_have_count(0)

    page.goto(f"{proxy.address}/settle?table={table.code}&side=0")
    page.locator(".snap .files input").wait_for(state="attached")
    settle(page)
    proxy.rule, proxy.most_bytes = answers(html(413), "name=never"), 1_000_000
    names = ("changed", "never", "large", "good")
    for number, name in enumerate(names):
        (tmp_path / f"{name}.jpg").write_bytes(small_photo(number))
    (tmp_path / "large.jpg").write_bytes(padded_jpeg(1800, 1200, size=1_200_000))
    page.evaluate(CHOOSE_LATER)
    page.set_input_files(".snap .files input", [tmp_path / f"{name}.jpg" for name in names])
    (tmp_path / "changed.jpg").write_bytes(small_photo(4))
    os.utime(tmp_path / "changed.jpg", (1, 1))
    page.evaluate("window.sendChosen()")
    expect(aside).to_have_count(2)
    until(lambda: uploads(place).keys() == {"good.jpg", "large.jpg"})
    assert uploads(place)["large.jpg"][1] < 1_000_000, "made smaller for the proxy"
    expect(aside.first).to_contain_text("changed.jpg: this phone cannot read it any more")
    expect(aside.last).to_contain_text("never.jpg: too large for something on the way")
    for (width, height), pixels, small in (
        ((180, 120), 5400, [60, 90]),
        ((4032, 3024), None, [1500, 2000]),
        ((9000, 900), None, [667, 6667]),  # a panorama is read in parts of 2,000 pixels
    ):
        sent = [look.address("shrink.js"), turned_jpeg(width, height), pixels]
        assert page.evaluate(SHRINK, sent) == small, "upright, as it was taken"
    aside.first.get_by_text("Let go").click()
    proxy.rule = pass_on
    aside.get_by_text("Try again").click()
    until(lambda: uploads(place).keys() == {"good.jpg", "large.jpg", "never.jpg"})
    expect(aside).to_have_count(0)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_tried_again_when_it_says(
    status: int, windows: Windows, place: Path, proxy: Proxy, tmp_path: Path
) -> None:
    table = new_table()
    page = windows.open(PHONE, is_changed=True)
    at_play(page, proxy.address, table, me=0)
    settle(page)
    way = page.locator(".messenger .way")
    tries: list[tuple[str, float]] = []
    before = sum(taps_kept(place, 0))
    busy = (
        status,
        "application/json",
        '{"is": "refused", "error": "QueueFullError"}',
        "Retry-After: 5",
    )

    def refuses_once(method: str, path: str) -> Answer | None:
        if method not in {"POST", "PUT"} or not path.startswith("/door/"):
            return None
        tries.append((method, monotonic()))
        return busy if [one for one, _ in tries].count(method) == 1 else None

    proxy.rule = refuses_once
    tap(page)
    tap(page)
    expect(way).to_have_text("The table's computer is busy. Waiting on this phone: 2")
    page.evaluate("dispatchEvent(new Event('online'))")  # which wakes the outbox
    until(lambda: sum(taps_kept(place, 0)) == before + 2)
    expect(way).to_have_count(0)

    page.goto(f"{proxy.address}/settle?table={table.code}&side=0")
    photo = tmp_path / f"busy-{status}.jpg"
    photo.write_bytes(small_photo(1))
    page.set_input_files(".snap .files input", photo)
    expect(way).to_have_text("The table's computer is busy. Waiting on this phone: 1")
    until(lambda: photo.name in uploads(place))
    for sent in ("POST", "PUT"):
        first, second, *_ = (at for method, at in tries if method == sent)
        assert 5 <= second - first < 12, sent


def test_full_storage_sends_from_memory_and_says_so(
    windows: Windows, place: Path, proxy: Proxy
) -> None:
    page = windows.open(PHONE, is_changed=True)
    page.add_init_script(DEAF_STORAGE)
    at_play(page, proxy.address, new_table(), me=1)
    settle(page)
    tap(page, 1)
    until(lambda: taps_kept(place, 1) == [1])
    proxy.rule = answers(html(502), "/door/", "/health")
    tap(page, 1)
    unkept = page.get_by_text("This phone cannot keep what you do just now")
    expect(unkept).to_be_visible()
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload", "the browser asks first"
    asked.value.dismiss()
    proxy.rule = pass_on
    until(lambda: taps_kept(place, 1) == [1, 1])
    expect(unkept).to_have_count(0)


def test_what_keeps_the_app_from_working_is_said_in_words(windows: Windows, proxy: Proxy) -> None:
    page = windows.open(PHONE, is_changed=True)
    condition, drawn = page.locator(".condition"), page.locator(".st-key-open")
    proxy.rule = answers(html(403), "/_stcore/stream")
    page.goto(proxy.address)
    expect(condition).to_contain_text("blocks live connections (WebSockets)")
    proxy.rule = answers(LOGIN_PAGE, "/_stcore/", "/health")
    expect(condition).to_contain_text("a page of the network to log in")
    proxy.rule = answers(html(502), "/_stcore/", "/health")
    expect(condition).to_contain_text("does not answer just now")
    proxy.rule = pass_on
    drawn.wait_for()
    expect(condition).to_have_count(0)
    settle(page)
    proxy.fall_silent("/_stcore/stream")  # as a server that is busy
    page.locator(".st-key-opening_rules button").click()
    expect(page.locator(".late")).to_be_visible()

    page.goto(proxy.address)  # its server dies right after the first screen
    drawn.wait_for()
    proxy.rule = answers(html(502), "/_stcore/", "/health")
    page.evaluate("document.querySelector('[data-testid=stApp]').dataset.testConnectionState = ''")
    page.wait_for_timeout(6000)
    expect(condition).to_have_count(0)  # the screen says it once, and covers no button
    proxy.rule = pass_on

    proxy.prefix = "/scopa"
    page.goto(f"{proxy.address}/scopa/")
    expect(condition).to_contain_text("below a path of another address")
    proxy.prefix = ""
    tools = page.context.new_cdp_session(page)
    tools.send("Emulation.setDocumentCookieDisabled", {"disabled": True})
    page.goto(proxy.address)
    expect(condition).to_contain_text("keeps no cookies")


OVERTAKE = """async ([messenger, listener, markup, data]) => {
  const parentElement = document.body.appendChild(document.createElement("div")), asked = [];
  parentElement.innerHTML = markup;
  const { default: run } = await import(messenger);
  const { listening } = await import(listener);
  const setTriggerValue = (...what) => asked.push([...what, Date.now()]);
  const end = run({ data, parentElement, setTriggerValue });
  listening.tell({ code: data.code, revision: 2 });
  end();
  run({ data, parentElement, setTriggerValue });
  await new Promise((done) => setTimeout(done, 2500));
  const chosen = Date.now();
  document.body.dispatchEvent(new Event("change", { bubbles: true }));
  listening.tell({ code: data.code, revision: 3 });
  await new Promise((done) => setTimeout(done, 1500));
  return asked.map(([event, revision, at]) => [event, revision, at - chosen]);
}"""
"""A messenger whose call was overtaken by another, as Streamlit ends such a call; then a photo is
chosen. Gives what it asks for, and how many milliseconds after that."""


def test_received_change_is_drawn_after_another_run(windows: Windows, base: str) -> None:
    page = windows.open(PHONE)
    page.goto(f"{base}/_stcore/health")
    modules = [look.address("messenger.js"), look.address("listening.js")]
    nothing: dict[str, object] = dict.fromkeys(("pile", "evening", "holder"))
    data = {"code": "ABCD", "revision": 1, "names": [], "ways": {}, **nothing}
    asked = page.evaluate(OVERTAKE, [*modules, look.static_text("messenger.html"), data])
    assert {revision for _, revision, after_ms in asked if after_ms < 0} == {2}
    [after_ms, *_] = [after_ms for _, revision, after_ms in asked if revision == 3]
    assert after_ms > 600, "it would cut off the way to the pile"


LISTEN = """async ([listener, code]) => {
  const { listening } = await import(listener);
  const tell = ({ scopes }) => (window.scopes = scopes);
  listening.to({ code, query: "", tell, changed() {} });
}"""
"""A tab that hears of a table as the messenger does."""

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.usefixtures("place")
def test_board_reconnects_and_says_how_old_it_is(windows: Windows, proxy: Proxy) -> None:
    table = new_table()
    browser = windows.browser.new_context(locale="en-GB")
    page = browser.new_page()
    page.goto(table.join(proxy.address, "board"))
    scope, silent = page.locator("[data-scope='0']").first, page.locator(".silent")
    changes, made = f"/door/{table.code}/changes", 0

    def hears() -> None:
        nonlocal made
        made += 1
        write(state.store(), piles.add_scope, table.code, 0)
        expect(scope).to_contain_text(str(made))

    until(lambda: proxy.open_at("/changes") == 1)
    hears()
    for answer in (html(502), html(503), html(429), LOGIN_PAGE):
        proxy.rule, before = answers(answer, changes), len(proxy.answered)
        proxy.hang_up()
        until(lambda before=before: len(proxy.answered) > before)  # type: ignore[misc]
        proxy.rule = pass_on
        hears()

    proxy.fall_silent("/changes")
    proxy.rule = answers(html(502), changes)
    expect(silent).to_contain_text("No word from the table's computer since ")
    proxy.rule = pass_on
    expect(silent).to_be_hidden()
    hears()

    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    until(lambda: proxy.open_at("/changes") == 0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    hears()

    others = [new_table() for _ in range(2)]
    for other in others:
        page.request.get(other.join(proxy.address))
    tabs = [(browser.new_page(), [table, *others][number % 3]) for number in range(11)]
    for tab, its in tabs:
        tab.goto(f"{proxy.address}/_stcore/health")
        tab.evaluate(LISTEN, [look.address("listening.js"), its.code])
    until(lambda: proxy.open_at("/changes") == 2)
    assert tabs[-1][0].evaluate("async () => (await fetch('/health')).status") == 200
    for other in others:
        for _ in range(made + 1):
            write(state.store(), piles.add_scope, other.code, 0)
    hears()
    for tab, _ in tabs:
        tab.wait_for_function(f"window.scopes?.[0] === {made}")
    assert proxy.open_at("/changes") == 2, "the board's line, and one for eleven tabs"
    for tab in [page, *(tab for tab, _ in tabs)]:
        tab.evaluate(HIDE, True)
    until(lambda: proxy.open_at("/changes") == 0)
    page.evaluate(HIDE, False)
    hears()
