"""Takes the pictures of the screens: `python -m docs.shots` makes those of README.md anew.

`python -m docs.shots --every FOLDER` takes every screen at the size of a phone and of a tablet, in
both languages and all three themes, to be looked at. A real server runs on a database of its own,
with matches played at random and our own sample photos, read by the real networks. It needs the
test extra and a Chromium.
"""

import argparse
import io
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random

from PIL import Image
from PIL.ImageFilter import GaussianBlur
from playwright.sync_api import Browser, Page, sync_playwright

from docs.season import matches
from load.server import running
from scoring.locale import LANGUAGES
from scoring.play import random_hand
from scoring.rules import PRESETS
from screens.state import THEME, THEMES
from store import ConflictError, Store, TableRow
from table.draft import Draft
from table.photos import Upload, take_in
from table.roles import HOUSE, new_link
from table.sample import open_sample
from table.sitting import sit
from vision.reader import MODELS, Reader

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

SIZES = {"phone": (390, 844), "narrow": (320, 640), "tablet": (1180, 820)}
"""Width and height of the windows, in CSS pixels."""

ORGANISER = "pictures of the screens"
"""The organiser's passphrase on the server that is photographed."""

PHONE_SCALE = 1.5
"""Pixels of a picture for each CSS pixel of a phone's window."""


@dataclass(frozen=True, kw_only=True)
class Shot:
    """A screen to take a picture of."""

    name: str
    """What the file is called."""
    address: str
    """Path and query of the screen."""
    landmark: str
    """What stands on it once it is drawn."""
    scroll_to: str = ""
    """What is scrolled to the top of the window, if anything."""
    press: str = ""
    """What is pressed first, if anything."""
    choose: tuple[str, ...] = ()
    """Cards that are chosen at the referee: those on the table, the last one played."""


README = (
    ("play", "phone"),
    ("review", "phone"),
    ("cards", "phone"),
    ("points", "phone"),
    ("board", "tablet"),
)
"""The pictures that README.md shows, and the window of each."""


def played(
    store: Store, names: Sequence[str], *, hands: int, seed: int, rules: str = "silver-lake"
) -> TableRow:
    """Opens a table and confirms so many hands played at random, or fewer if the match is won."""
    table, random = store.open_table(names, PRESETS[rules]), Random(seed)
    for number in range(hands):
        row = store.match_of(table)
        if row.match.winner is not None:
            break
        hand = random_hand(PRESETS[rules], random, names=names, dealer=number % len(names))
        store.record_hand(table, hand, key=f"shot-{number}", expected=row.revision)
    return table


def with_photos(store: Store, *, hands: int) -> TableRow:
    """Opens a table in whose last hand Anna has shown her pile, Bruno has the rest."""
    table, reader = played(store, ("Anna", "Bruno"), hands=hands, seed=4), Reader(MODELS)
    files = [ROOT / "samples" / f"anna-{number}.jpg" for number in (1, 2)]
    uploads = [Upload(file.name, file.read_bytes()) for file in files]
    take_in(store, sit(store, table.code, held=HOUSE), uploads=uploads, reader=lambda: reader)
    store.add_scope(table, 0)
    return table


def blurred(store: Store) -> str:
    """Opens a table in which Anna's photo came out badly, and gives its code."""
    table = store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"])
    with Image.open(ROOT / "samples" / "anna-1.jpg") as photo:
        half = photo.crop((0, 0, photo.width // 2, photo.height)).filter(GaussianBlur(14))
        photo.paste(half, (0, 0))
        file = io.BytesIO()
        photo.save(file, "jpeg")
    upload, reader = Upload("anna-1.jpg", file.getvalue()), Reader(MODELS)
    take_in(store, sit(store, table.code, held=HOUSE), uploads=[upload], reader=lambda: reader)
    return table.code


def laid_out(store: Store) -> TableRow:
    """Opens a table in whose last hand both piles are there."""
    table = played(store, ("Anna", "Bruno"), hands=2, seed=4)
    told = json.loads((ROOT / "samples" / "expected.json").read_text(encoding="utf-8"))
    sides = enumerate(told["hands"][0]["sides"])
    piles = {number: Draft(by_hand=tuple(side["pile"])).to_dict() for number, side in sides}
    store.put_drafts(table, piles, hand_no=3)
    store.add_scope(table, 0)
    return table


def disputed(store: Store) -> TableRow:
    """Opens a table whose first hand two phones sent, each with other scope."""
    table, rules = store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"]), Random(7)
    revision = store.match_of(table).revision
    hand = random_hand(PRESETS["silver-lake"], rules, names=table.side_names, dealer=0)
    other = replace(hand, sides=(replace(hand.sides[0], scope=3), *hand.sides[1:]))
    store.record_hand(table, hand, key="shot-one", expected=revision, device="Anna")
    with suppress(ConflictError):
        store.record_hand(table, other, key="shot-other", expected=revision, device="Bruno")
    return table


def screens(store: Store) -> Iterator[Shot]:
    """Lays tables out and gives every screen of the app."""
    yield Shot(name="home", address="/?", landmark=".st-key-open")
    yield Shot(name="club", address="/club?", landmark=".passphrase")
    yield Shot(
        name="house",
        address="/house?",
        landmark=".st-key-group_captures",
        press=".st-key-group_captures summary",
    )
    yield from of_a_hand(with_photos(store, hands=2).code)
    points = laid_out(store).code
    yield Shot(name="points", address=f"/points?table={points}", landmark=".tally .more")
    twice = disputed(store).code
    yield Shot(name="compare", address=f"/compare?table={twice}", landmark=".st-key-versions")
    yield from of_boards(store)
    yield from of_photos(store)
    for table in store.take_in(matches())[:1]:
        yield Shot(name="season", address=f"/season?table={table.code}", landmark=".season tbody")


def of_a_hand(code: str) -> Iterator[Shot]:
    """Gives the screens of a table in mid-hand."""
    review = f"/review?table={code}"
    referee = {"address": f"/referee?table={code}", "landmark": ".forty button"}
    yield Shot(name="join", address=f"/?table={code}", landmark=".st-key-me_0")
    yield Shot(name="play", address=f"/play?table={code}&me=0", landmark=".tally .more")
    yield Shot(name="invite", address=f"/invite?table={code}", landmark=".st-key-renew_ask")
    yield Shot(name="capture", address=f"/capture?table={code}&side=1", landmark=".snap .files")
    yield Shot(name="deck", address=f"/deck?table={code}", landmark=".st-key-deck_begin")
    yield Shot(name="review", address=review, landmark=".outlines", scroll_to=".st-key-shots")
    yield Shot(
        name="cards", address=review, landmark="[data-card='10b']", scroll_to=".st-key-cards"
    )
    yield Shot(name="referee", **referee, choose=("7c", "5s", "2b", "7d"))
    yield Shot(name="rules", **referee, press="[data-testid=stTab] >> nth=1")


def of_boards(store: Store) -> Iterator[Shot]:
    """Gives the board of two, three and six sides, won, with its menu; and a match's history."""
    six_names = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Massimiliano")
    won = played(store, ("Anna", "Bruno"), hands=40, seed=3).code
    three = played(store, ("Carla", "Dario", "Elena"), hands=2, seed=2).code
    boards = {
        "board-two": played(store, ("Anna", "Bruno"), hands=2, seed=4).code,
        "board": three,
        "board-six": played(store, six_names, hands=3, seed=5).code,
    }
    for name, code in boards.items():
        yield Shot(name=name, address=f"/board?table={code}", landmark=".join")
    menu = ".st-key-board_menu button"
    yield Shot(name="board-menu", address=f"/board?table={three}", landmark=".join", press=menu)
    yield Shot(name="board-won", address=f"/board?table={won}", landmark=".winner")
    yield Shot(name="history", address=f"/history?table={won}", landmark=".st-key-to_play")


def of_photos(store: Store) -> Iterator[Shot]:
    """Gives what helps with photos: how to spread a pile, the sample, advice about a bad one."""
    fresh = played(store, ("Anna", "Bruno"), hands=0, seed=0).code
    sample = open_sample(store, ROOT / "samples", link=new_link()).code
    yield Shot(name="guide", address=f"/capture?table={fresh}", landmark=".spread")
    yield Shot(name="sample", address=f"/play?table={sample}", landmark=".tally .more")
    yield Shot(name="advice", address=f"/review?table={blurred(store)}", landmark=".advice")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Opens a browser without its window."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def window(browser: Browser, size: str, *, theme: str, base: str) -> Page:
    """Opens a window of a size, on a device on which a theme was chosen."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1 if size == "tablet" else PHONE_SCALE,
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": THEME, "value": theme, "url": base}])
    page = context.new_page()
    page.request.post(f"{base}/door/organiser", data=ORGANISER)  # who may write at every table
    return page


def take(page: Page, shot: Shot, *, base: str, language: str, file: Path) -> None:
    """Opens a screen and keeps its picture."""
    page.goto(f"{base}{shot.address}&lang={language}")
    page.locator(shot.landmark).first.wait_for(timeout=60_000)
    for _ in range(2):
        page.wait_for_timeout(300)
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    for code in shot.choose:
        if code == shot.choose[-1]:
            page.locator(".mode-played").click()
        page.locator(f".forty .f{code}").click()
    page.wait_for_timeout(1200 if shot.choose else 0)
    if shot.press:
        page.locator(shot.press).first.click()
        page.wait_for_timeout(500)
    if shot.scroll_to:
        page.locator(shot.scroll_to).first.evaluate("(e) => e.scrollIntoView()")
        page.wait_for_timeout(200)
    page.screenshot(path=file, quality=82 if file.suffix == ".jpg" else None)


def main() -> None:
    """Takes the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=Path, metavar="FOLDER", help="every screen, into a folder")
    parser.add_argument("--only", nargs="*", metavar="WORD", help="words that file names hold")
    asked = parser.parse_args()
    out = asked.every or ROOT / "docs" / "pictures"
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        running(Path(home), passphrase=ORGANISER) as server,
        chromium() as browser,
    ):
        base, store = server.address, Store(server.database)
        shots = {shot.name: shot for shot in screens(store)}
        store.close()
        wanted = [(name, size, "en", "light", f"{name}.jpg") for name, size in README]
        if asked.every:
            every = product(shots, SIZES, LANGUAGES, THEMES)
            wanted = [(*of, "-".join(of) + ".png") for of in every]
        pages: dict[tuple[str, str], Page] = {}
        for name, size, language, theme, file in wanted:
            if asked.only and not all(word in file for word in asked.only):
                continue
            if (size, theme) not in pages:
                pages[size, theme] = window(browser, size, theme=theme, base=base)
            take(pages[size, theme], shots[name], base=base, language=language, file=out / file)


if __name__ == "__main__":
    main()
