"""Make docs/pictures from the app itself, with our own drawn cards: `make pictures`."""

import os
import shutil
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from app_driving import ANNA, BRUNO, SAMPLES, facts
from browser_driving import PHONE, TABLET, let_in, server, settle
from made_up_season import matches
from PIL import Image
from playing import command, match_of, record_hand, write
from playwright.sync_api import Browser, sync_playwright

from scoring.presets import PRESETS
from screens.parts.match_picture import picture
from store import Store, Table, piles, tables
from store.database import FILE_NAME
from table.access import SYSTEM
from table.hand.photos import add_photo
from table.hand.pile import Pile
from table.view import load_view
from vision.reader import Reader

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
HEIGHT, GAP = 700, 20
"""Height of the picture of the screens, and what is between two of them, in pixels."""


def opened(store: Store, *names: str, rules: str, spread: tuple[tuple[str, ...], ...]) -> Table:
    """Return a table with a hand played and the same spread laid for the next one."""
    table = command(store, tables.open_table, names, PRESETS[rules], device="")
    scope = range(len(names))[::-1]
    hand = facts(*spread, names=names, scope=scope)
    record_hand(store, table, hand, key="first", expected=match_of(store, table).revision)
    write(
        store,
        piles.put_drafts,
        table,
        {side: Pile(by_hand=pile).to_dict() for side, pile in enumerate(spread)},
        hand_no=2,
    )
    return table


def screens(store: Store) -> dict[str, str]:
    """Return the addresses of the screens of a hand, each with what it shows once drawn."""
    laid = opened(store, "Anna", "Bruno", rules="silver-lake", spread=(ANNA, BRUNO))
    fresh, snapped = (
        command(store, tables.open_table, ("Anna", "Bruno"), PRESETS["silver-lake"], device="")
        for _ in range(2)
    )
    reader = Reader()
    view = load_view(store, snapped.code, credentials=SYSTEM)
    data = (SAMPLES / "anna-1.jpg").read_bytes()
    add_photo(store, view, name="anna-1.jpg", data=data, reader=lambda: reader)
    return {
        f"/play?table={fresh.code}": ".tally",
        f"/settle?table={snapped.code}": ".outlines",
        f"/points?table={laid.code}": ".tally",
        f"/board/{laid.code}": ".big",
    }


def take(browser: Browser, base: str, shown: dict[str, str]) -> Image.Image:
    """Return one picture of the screens side by side: phones, and the board of a tablet."""
    taken = []
    for address, landmark in shown.items():
        size = TABLET if "/board/" in address else PHONE
        page = browser.new_page(
            viewport={"width": size["width"], "height": size["height"]},
            locale="en-GB",
            reduced_motion="reduce",
        )
        let_in(page, base)
        page.goto(base + address)
        page.locator(landmark).first.wait_for()
        settle(page)
        shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
        taken.append(shot.resize((round(shot.width * HEIGHT / shot.height), HEIGHT)))
        page.context.close()
    width = sum(shot.width for shot in taken) + GAP * (len(taken) - 1)
    flow, left = Image.new("RGB", (width, HEIGHT), "white"), 0
    for shot in taken:
        flow.paste(shot, (left, 0))
        left += shot.width + GAP
    return flow


def main() -> None:
    with TemporaryDirectory() as place, sync_playwright() as playwright:
        os.environ["SETTEBELLO_HOME"] = place
        with closing(Store(f"sqlite:///{place}/{FILE_NAME}")) as store:
            shown = screens(store)
        with server(Path(place)) as base:
            chromium = shutil.which("chromium") or shutil.which("google-chrome")
            flow = take(playwright.chromium.launch(executable_path=chromium), base, shown)
    flow.save(PICTURES / "flow.jpg", quality=85, optimize=True)
    (PICTURES / "match.svg").write_text(f"{picture(matches()[5])}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
