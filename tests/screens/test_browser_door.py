"""Nothing is lost on the way: taps and photos from real browsers, lines cut, servers killed.

Each test prints its figure. They are small here; more is done when wanted:

    SETTEBELLO_TAPS=1000 SETTEBELLO_PHOTOS=100 pytest -s tests/screens/test_browser_door.py
"""

import io
import os
import random
import sqlite3
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from app_driving import ROOT
from browser_driving import PHONE, Windows, at_play, new_table, server, settle
from PIL import Image
from playing import until
from playwright.sync_api import Page, expect
from servers import free_port

pytestmark = [pytest.mark.browser, pytest.mark.timeout(3600)]

TAPS = int(os.environ.get("SETTEBELLO_TAPS", "54"))
"""Taps on scope, from three phones together."""
PHOTOS = int(os.environ.get("SETTEBELLO_PHOTOS", "3"))
"""Photos chosen while the line is down."""
CUTS = random.Random(7)
"""When lines are cut; the same in every run."""

TAP_ALL = """async ([side, deltas]) => {
  window.tapped = 0;
  for (const delta of deltas) {
    const row = document.querySelector(`.st-key-tally_${side}`);
    row.querySelector(delta > 0 ? '.more' : '.less').click();
    window.tapped += 1;
    await new Promise((next) => setTimeout(next, 100 + 300 * Math.random()));
  }
}"""
"""Taps as fingers do, one after the other; a tap that was not shown at once would be missing."""


def taps_kept(home: Path, side: int) -> list[int]:
    """Return the taps of a side as the store holds them, in the order in which they came."""
    with closing(sqlite3.connect(home / "settebello.db")) as database:
        query = "SELECT delta FROM scope_taps WHERE side = ? ORDER BY id"
        return [delta for (delta,) in database.execute(query, (side,))]


def plan(count: int) -> list[int]:
    """Scope added and taken back; below zero for a moment if two of them changed places."""
    return [(1, -1, 1, 1, -1, -1)[number % 6] for number in range(count)]


def cut_lines(phones: list[Page], *, for_s: float) -> int:
    """Cut lines at random moments for a while and mends them all; return how often."""
    cuts, end = 0, time.monotonic() + for_s
    while time.monotonic() < end:
        phone = CUTS.choice(phones)
        phone.context.set_offline(True)
        phone.wait_for_timeout(CUTS.uniform(100, 900))
        phone.context.set_offline(False)
        phone.wait_for_timeout(CUTS.uniform(50, 300))
        cuts += 1
    return cuts


@pytest.mark.long
def test_every_tap_counts_once_and_in_order(windows: Windows, home: Path) -> None:
    """Three phones tap while their lines are cut and the server is killed and started again."""
    port, table = free_port(), new_table("Anna", "Bruno", "Carla")
    deltas, cuts, started = plan(TAPS // 3), 0, time.monotonic()
    phones = [windows.open(PHONE) for _ in range(3)]
    with ExitStack() as running:
        base = running.enter_context(server(home, port))
        for side, phone in enumerate(phones):
            at_play(phone, base, table, me=side)
            settle(phone)
        for side, phone in enumerate(phones):
            phone.evaluate(f"(taps) => {{ ({TAP_ALL})(taps); }}", [side, deltas])
        while any(phone.evaluate("window.tapped") < len(deltas) for phone in phones):
            cuts += cut_lines(phones, for_s=3)
            running.close()  # killed: no word of farewell
            phones[0].wait_for_timeout(CUTS.uniform(200, 1500))
            running.enter_context(server(home, port))
        sides = range(len(phones))
        until(lambda: all(len(taps_kept(home, one)) == len(deltas) for one in sides), seconds=240)
        for side, phone in enumerate(phones):
            assert taps_kept(home, side) == deltas
            expect(phone.locator(f".st-key-tally_{side} b")).to_have_text(str(sum(deltas)))
    took = time.monotonic() - started
    print(f"\n{len(deltas) * 3} taps, {cuts} cut lines: each once, in order; {took:.0f} s")


def small_photo(number: int) -> bytes:
    """Return a sample photo made small, another one for each number."""
    sample = sorted((ROOT / "samples").glob("*.jpg"))[number % 9]
    with Image.open(sample) as picture:
        small = picture.convert("RGB").resize((320, 240))
        small.putpixel((number % 320, number // 320), (255, 0, 0))
        kept = io.BytesIO()
        small.save(kept, "JPEG", quality=80 + number % 15)
    return kept.getvalue()


def padded_jpeg(width: int, height: int, *, size: int) -> bytes:
    """Return a gray JPEG of so many pixels, made longer by comments, which no reader looks at."""
    kept = io.BytesIO()
    Image.new("L", (width, height), 90).save(kept, "jpeg")
    jpeg, note = kept.getvalue(), b"\xff\xfe\xff\xff" + bytes(0xFFFD)
    return jpeg[:2] + note * ((size - len(jpeg)) // len(note)) + jpeg[2:]


def uploads(home: Path) -> dict[str, tuple[str, int]]:
    """Return the state and the size of each file that came, by its name."""
    with closing(sqlite3.connect(home / "settebello.db")) as database:
        rows = database.execute("SELECT name, state, size FROM uploads")
        return {name: (state, size) for name, state, size in rows}


@pytest.mark.long
@pytest.mark.models
def test_photos_chosen_offline_are_read_and_shrunk(windows: Windows, home: Path) -> None:
    photos = {f"pile-{number}.jpg": small_photo(number) for number in range(PHOTOS)}
    photos["large.jpg"] = padded_jpeg(9000, 6000, size=13_000_000)
    photos["fits.jpg"] = padded_jpeg(2000, 1500, size=1_400_000)
    photos["odd.heic"] = b"no picture that a browser opens"
    files = [
        {"name": name, "mimeType": "image/jpeg", "buffer": photo} for name, photo in photos.items()
    ]
    table = new_table()
    with server(home) as base:
        phone = windows.open(PHONE)
        phone.goto(table.join(base, "settle", side=0))
        phone.locator(".snap .camera").wait_for()
        settle(phone)
        phone.context.set_offline(True)
        phone.set_input_files(".snap .files input", files)  # type: ignore[arg-type]
        expect(phone.locator(".slide .ring")).to_have_count(len(files))
        phone.context.set_offline(False)
        started = time.monotonic()
        small = [name for name in photos if name.startswith("pile")]
        until(lambda: uploads(home).keys() == photos.keys(), seconds=60 + 30 * PHOTOS)
        until(lambda: all(uploads(home)[one][0] == "read" for one in small), seconds=30 * PHOTOS)
        print(f"\n{PHOTOS} photos chosen without a line: {time.monotonic() - started:.0f} s")
        assert uploads(home)["fits.jpg"][1] == len(photos["fits.jpg"])
        assert uploads(home)["large.jpg"][1] < 200_000, "2,000 pixels long"
        until(lambda: uploads(home)["odd.heic"] == ("refused", len(photos["odd.heic"])))
