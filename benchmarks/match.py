"""`python -m benchmarks.match [FOLDER]`: play a match of two and one of four, and time each hand.

Chromium plays to 11 on a separate server, tapping as a thumb would. In the match of two, the first
hand is counted from the sample photos; every other hand is counted by quick count. Screenshots at
390 x 844, of Play and the board also at 1180 x 820, go into FOLDER (match/ by default). For each
hand it prints the taps from the last card to the saved hand, those that did nothing, the seconds,
and the advice, questions and warnings that were shown.
"""

import os
import re
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "screens")]

from browser_driving import PHONE, TABLET, settle  # noqa: E402
from servers import running  # noqa: E402  the tests' own server

SAMPLES = ROOT / "samples"
PILES = (("anna-1.jpg", "anna-2.jpg"), ("bruno-1.jpg", "bruno-2.jpg"))
POINTS = ("carte", "denari", "settebello", "primiera")
MOST_HANDS = 12
WAIT_MS = 60_000
NEEDLESS = ".note.ask, .note.stop, .advice, .st-key-answers .act"
"""What a good hand never shows."""
CHANGED = """(before) => document.body.innerText + document.querySelectorAll(
  "[aria-pressed=true], [aria-checked=true]").length !== before"""
SEEN = """() => document.body.innerText + document.querySelectorAll(
  "[aria-pressed=true], [aria-checked=true]").length"""


@dataclass
class Hand:
    """What the user had to do from the last card of a hand to its saved points."""

    way: str
    taps: int = 0
    idle: int = 0
    """Taps after which nothing on the screen changed."""
    seconds: float = 0.0
    needless: set[str] = field(default_factory=set)


class Match:
    """A match that a phone plays."""

    def __init__(self, browser: Browser, base: str, folder: Path, names: tuple[str, ...]) -> None:
        self.names, self.folder, self.base = names, folder, base
        self.phone = browser.new_page(viewport=size(PHONE), locale="en-GB")
        self.phone.set_default_timeout(WAIT_MS)
        self.tablet = browser.new_page(viewport=size(TABLET), locale="en-GB")
        self.hands: list[Hand] = []
        self.shots = 0

    def picture(self, name: str, page: Page | None = None) -> None:
        """Photograph a screen into the folder."""
        page = page or self.phone
        width = (page.viewport_size or PHONE)["width"]
        self.shots += 1
        file = f"{len(self.names)}-{self.shots:02}-{name}-{width}.png"
        page.screenshot(path=self.folder / file)

    def tap(self, button: Locator, hand: Hand) -> None:
        """Tap a button, and note whether the screen changes within 3 seconds."""
        before = self.phone.evaluate(SEEN)
        button.click()
        hand.taps += 1
        try:
            self.phone.wait_for_function(CHANGED, arg=before, timeout=3000)
        except Exception:  # noqa: BLE001  it counts as a tap that did nothing
            hand.idle += 1

    def look(self, hand: Hand, name: str) -> None:
        """Save a screenshot, and note the needless text on the screen (`NEEDLESS`)."""
        settle(self.phone)
        shown = self.phone.locator(NEEDLESS)
        hand.needless |= {one.inner_text() for one in shown.all() if one.is_visible()}
        self.picture(name)

    def open(self) -> None:
        """Open a table on the start page, and its board."""
        page = self.phone
        page.goto(self.base)
        page.locator(".seat input").first.wait_for()
        settle(page)
        self.picture("home")
        page.locator(".seat input").first.fill(", ".join(self.names))
        page.keyboard.press("Tab")
        settle(page)
        page.locator(".st-key-open button").click()
        page.locator(".tally").first.wait_for()
        settle(page)
        self.picture("play")
        self.tablet.goto(page.url.split("?")[0].replace("/play", f"/board/{self.code}"))
        self.tablet.locator(".board").wait_for()

    @property
    def code(self) -> str:
        """The code of the table."""
        found = re.search(r"table=(\w+)", self.phone.url)
        assert found, self.phone.url
        return found[1]

    def scope(self, number: int) -> None:
        """Tap some scope, for different sides each hand."""
        for side in range(len(self.names)):
            for _ in range((number + side) % 2):
                self.phone.locator(f".st-key-tally_{side} .more").click()
        settle(self.phone)

    def by_photo(self, hand: Hand) -> None:
        """Count a hand by the sample photos."""
        page = self.phone
        for name, files in zip(self.names, PILES, strict=True):
            page.locator(".snap .camera", has_text=name).wait_for()
            settle(page)
            camera = page.locator(".snap .files input").first
            camera.set_input_files([str(SAMPLES / name) for name in files])
            hand.taps += 1  # two photos of a pile: one tap on the camera, and the shutter
            page.locator(".st-key-chips").wait_for()
        page.locator(".st-key-onward button:enabled").wait_for()
        self.look(hand, "settle")
        self.tap(page.locator(".st-key-onward button"), hand)
        page.locator("[data-act=confirm]").wait_for()
        self.look(hand, "points")

    def by_quick(self, hand: Hand, number: int) -> None:
        """Count a hand by quick count; two of the points go to a different side each hand."""
        page = self.phone
        self.tap(page.locator(".st-key-other_ways a").last, hand)
        page.locator(f"[data-act={POINTS[0]}_0]").wait_for()
        for place, point in enumerate(POINTS):
            side = (number + place) % len(self.names) if place % 2 else 0
            self.tap(page.locator(f"[data-act={point}_{side}]"), hand)
        page.locator("[data-act=confirm]").wait_for()
        self.look(hand, "quick")

    def play(self) -> None:
        """Play hands until one wins, then look at the other screens."""
        self.open()
        page = self.phone
        for number in range(1, MOST_HANDS + 1):
            self.scope(number)
            is_snapped = number == 1 and len(self.names) == len(PILES)
            hand = Hand("photos" if is_snapped else "quick")
            self.hands.append(hand)
            began = time.monotonic()
            if is_snapped:
                self.by_photo(hand)
            else:
                self.by_quick(hand, number)
            self.tap(page.locator("[data-act=confirm]"), hand)
            page.locator(".st-key-toast, .end").first.wait_for()
            hand.seconds = time.monotonic() - began
            settle(page)
            if page.locator(".end").count():
                break
            if number == 1:
                self.picture("saved")
                page.set_viewport_size(size(TABLET))
                self.picture("play")
                page.set_viewport_size(size(PHONE))
        self.picture("end")
        self.picture("board", self.tablet)
        for screen in ("history", "invite", "match", "season", "referee", "rules"):
            page.goto(f"{self.base}/{screen}?table={self.code}")
            page.locator(".st-key-bar").wait_for()
            settle(page)
            self.picture(screen)
        page.locator(".st-key-menu_open button").click()
        page.locator(".st-key-ways").wait_for()
        self.picture("menu")


def size(wanted: dict[str, int]) -> ViewportSize:
    """Return the size of a window as Playwright types it."""
    return {"width": wanted["width"], "height": wanted["height"]}


def main() -> None:
    """Play both matches and print their figures."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "match")
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        os.environ["SETTEBELLO_HOME"] = place
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with running(Path(place)) as server:
            for names in (("Anna", "Bruno"), ("Anna", "Bruno", "Carla", "Dario")):
                match = Match(browser, server.address, folder, names)
                match.play()
                print(f"{len(names)} players: {len(match.hands)} hands, {match.shots} pictures")
                for number, hand in enumerate(match.hands, start=1):
                    print(
                        f"  hand {number}: {hand.way:6} {hand.taps} taps, {hand.idle} without"
                        f" effect, {hand.seconds:5.1f} s, needless: {sorted(hand.needless)}"
                    )
        browser.close()


if __name__ == "__main__":
    main()
