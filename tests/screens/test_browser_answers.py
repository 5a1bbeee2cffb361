"""The server's answer to a phone is late or lost: what it has taken is shown once all the same."""

from collections.abc import Callable

import pytest
from app_driving import ANNA, BRUNO, ROOT, lay
from browser_driving import PHONE, NewTable, Windows, at_play, new_table, settle
from playing import find_table, write
from playwright.sync_api import APIResponse, Page, Route, expect

from screens import look, state
from store import piles

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

WATCH = """(selector) => {
  window.shown = [];
  const note = () => {
    const texts = [...document.querySelectorAll(selector)].map((one) => one.textContent);
    if (texts.length && texts.join() !== shown.at(-1)) shown.push(texts.join());
  };
  addEventListener("DOMContentLoaded", note);
  new MutationObserver(note).observe(document,
    { childList: true, subtree: true, characterData: true });
  note();
}"""
"""Notes all that places on the screen show from now on."""

TAKEN = """async ([outbox, code]) => !(await import(outbox)).waiting(code).length"""


class Line:
    """A line that brings actions to the server, and holds back its answers."""

    def __init__(self, page: Page, table: NewTable) -> None:
        self.page, self.table, self.held = page, table, list[tuple[Route, APIResponse]]()
        page.route(f"**/door/{table.code}", self._hold)
        page.route(f"**/door/{table.code}/photos/*", self._hold)

    def _hold(self, route: Route) -> None:
        self.held.append((route, route.fetch()))

    def redraw(self) -> None:
        """Have another phone tap, and wait until this phone's screen is drawn after that."""
        while not self.held:
            self.page.wait_for_timeout(20)
        write(state.store(), piles.add_scope, self.table.code, 1)
        revision = find_table(state.store(), self.table.code).revision
        drawn = "(now) => document.querySelector('.messenger')?.onPhone?.data.revision >= now"
        self.page.wait_for_function(drawn, arg=revision)
        settle(self.page)

    def answer(self) -> None:
        """Let all answers through."""
        for route, response in self.held:
            route.fulfill(response=response)
        self._pass()

    def lose(self) -> None:
        """Lose the answers, so that the phone sends again."""
        for route, _ in self.held:
            route.abort()
        self._pass()

    def _pass(self) -> None:
        self.page.unroute_all()
        sent = [look.address("outbox.js"), self.table.code]
        self.page.wait_for_function(TAKEN, arg=sent)
        settle(self.page)

    def shown(self) -> list[str]:
        shown: list[str] = self.page.evaluate("window.shown")
        return shown


@pytest.mark.parametrize("end", [Line.answer, Line.lose], ids=["late", "lost"])
@pytest.mark.parametrize(("button", "after"), [("more", "3"), ("less", "1")])
def test_a_tap_without_its_answer_counts_once(
    button: str, after: str, end: Callable[[Line], None], windows: Windows, base: str
) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    write(state.store(), piles.add_scope, table.code, 0, delta=2)
    at_play(page, base, table)
    settle(page)
    line = Line(page, table)
    page.evaluate(WATCH, ".st-key-tally_0 .scope b")
    page.locator(f".st-key-tally_0 .{button}").click()
    line.redraw()
    end(line)
    assert line.shown() == ["2", after]
    expect(page.locator(".st-key-tally_1 .scope b")).to_have_text("1")


def test_a_tap_counts_once_after_a_reload(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    at_play(page, base, table)
    settle(page)
    line = Line(page, table)
    page.locator(".st-key-tally_0 .more").click()
    line.redraw()
    page.add_init_script(f"({WATCH})('.st-key-tally_0 .scope b')")
    page.reload()
    page.locator(".tally").first.wait_for()
    before = len(line.held)
    while len(line.held) == before:
        page.wait_for_timeout(20)
    line.redraw()
    assert set(line.shown()) <= {"", "1"}
    line.lose()
    assert set(line.shown()) <= {"", "1"}


def test_points_count_a_tap_once(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    lay(find_table(state.store(), table.code), ANNA, BRUNO)
    at_play(page, base, table)
    page.goto(f"{base}/points?table={table.code}")
    settle(page)
    line = Line(page, table)
    page.evaluate(WATCH, ".sum div:first-child [data-points]")
    page.locator(".st-key-tally_0 .more").click()
    line.redraw()
    line.answer()
    before, *after = map(int, line.shown())
    assert after == [before + 1]


@pytest.mark.models
def test_a_read_photo_is_shown_once(windows: Windows, base: str) -> None:
    page, table = windows.open(PHONE, is_changed=True), new_table()
    page.request.get(table.join(base))
    page.goto(f"{base}/settle?table={table.code}&side=0")
    page.locator(".snap .camera").wait_for(state="attached")
    settle(page)
    line = Line(page, table)
    page.evaluate(WATCH, ".slide bdi")
    page.set_input_files(".snap .camera input", ROOT / "samples" / "anna-1.jpg")
    line.redraw()
    page.locator(".outlines .sure").first.wait_for()
    assert line.shown() == ["Anna"]
    line.answer()
    assert line.shown() == ["Anna"]
