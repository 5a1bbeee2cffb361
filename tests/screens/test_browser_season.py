"""A season of thirty matches in a real browser: charts, files, the picture of a match, paper."""

import csv
import io
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_driving import PHONE, TABLET, let_in, server, settle, window
from made_up_season import matches
from PIL import Image
from playing import Store, store_of_screens
from playwright.sync_api import Browser, Page, expect
from servers import free_port
from test_browser_fit import NARROW, cut_texts, sideways_px, small_targets

from scoring.locale import LANGUAGES
from scoring.presets import PRESETS
from screens.parts.match_picture import HEIGHT, WIDTH
from table.exchange import from_json, to_json

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

FIRST_SCREEN_S = 8.0
"""Most seconds until the season is drawn, on a machine that does other things too."""


@contextmanager
def season(home: Path) -> Iterator[tuple[str, list[str]]]:
    """A server with the season; gives its address and the tables' codes."""
    codes = [table.code for table in store_of_screens().take_in(matches())]
    with server(home, free_port()) as base:
        yield base, codes


def drawn(page: Page, key: str) -> tuple[float, int]:
    """The width of a chart in px, and how many colours are seen in it."""
    chart = page.locator(f".st-key-chart_{key} [role=graphics-document]").first
    chart.wait_for(timeout=10_000)
    page.wait_for_timeout(500)
    box = chart.bounding_box()
    assert box is not None
    picture = Image.open(io.BytesIO(chart.screenshot()))
    colours = picture.convert("RGB").getcolors(1 << 20)
    return box["width"], len([1 for count, _ in colours or [] if count > 40])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [NARROW, PHONE, TABLET], ids=["narrow", "phone", "tablet"])
def test_thirty_matches_and_their_charts_fit_every_screen(
    size: dict[str, int], language: str, browser: Browser, home: Path
) -> None:
    with season(home) as (base, codes):
        page = window(browser, size)
        let_in(page, base)
        began = time.monotonic()
        page.goto(f"{base}/season?lang={language}")
        page.locator(".season tbody tr").nth(4).wait_for()
        print(f"season of thirty drawn after {time.monotonic() - began:.1f} s")
        assert time.monotonic() - began < FIRST_SCREEN_S
        width, colours = drawn(page, "season")
        assert 200 < width < size["width"]
        assert colours > 6
        faults = [*cut_texts(page), *small_targets(page)]
        assert (sideways_px(page), faults) == (0, [])
        page.goto(f"{base}/history?table={codes[2]}&match=2&lang={language}")
        page.locator(".st-key-to_play").wait_for()
        settle(page)
        for fold in page.locator("[data-testid=stExpander] summary").all():
            fold.click()
        settle(page)
        for key in ("running", "sources"):
            width, colours = drawn(page, key)
            assert 180 < width < size["width"]
            assert colours > 2
        faults = [*cut_texts(page), *small_targets(page)]
        assert (sideways_px(page), faults) == (0, [])


def test_the_files_of_a_season_are_saved_and_brought_in_once(
    browser: Browser, home: Path, tmp_path: Path
) -> None:
    with season(home) as (base, _):
        page = window(browser, PHONE)
        let_in(page, base)
        page.goto(f"{base}/season?lang=en")
        with page.expect_download() as saved:
            page.locator(".st-key-save_json button").click()
        exported = saved.value.path().read_bytes()
        assert to_json(from_json(exported)) == to_json(store_of_screens().played())
        with page.expect_download() as saved:
            page.locator(".st-key-save_players_csv button").click()
        text = saved.value.path().read_text(encoding="utf-8-sig")
        assert len(list(csv.DictReader(io.StringIO(text)))) == 5
        other = Store(f"sqlite:///{tmp_path / 'other.db'}")
        other.open_table(("Elena", "Fabio"), PRESETS["silver-lake"])
        table, *_ = other.list_tables()
        hand = from_json(exported)[0].hands[0].facts
        other.record_hand(table, hand, key="a", expected=1)
        file = {"name": "matches.json", "mimeType": "application/json"}
        for told in ("1 match came in, 0 were here already", "0 matches came in, 1 were here"):
            bring_in(page, {**file, "buffer": to_json(other.played()).encode()})
            expect(page.locator("body")).to_contain_text(told)
            page.reload()
        bring_in(page, {**file, "buffer": b'{"format": "settebello-matches", "version": 9}'})
        expect(page.locator(".note.stop")).to_contain_text("newer Settebello")
        assert len(store_of_screens().played()) == 31
        other.close()


def bring_in(page: Page, file: dict[str, object]) -> None:
    """Chooses a file of matches."""
    page.locator(".st-key-bring_in summary").click()
    page.locator(".st-key-bring_in input[type=file]").set_input_files(file)  # type: ignore[arg-type]


def test_the_picture_of_a_match_is_sent_as_a_png(browser: Browser, home: Path) -> None:
    with season(home) as (base, codes):
        page = window(browser, PHONE)
        let_in(page, base)
        page.add_init_script("delete Navigator.prototype.canShare")
        page.goto(f"{base}/history?table={codes[0]}&match=1&lang=it")
        page.locator(".st-key-take_away summary").click()
        with page.expect_download() as saved:
            page.locator(".picture button").click()
        assert saved.value.suggested_filename.endswith("-1.png")
        picture = Image.open(saved.value.path()).convert("RGB")
        assert picture.size == (WIDTH, HEIGHT)
        assert picture.getpixel((20, 20)) == (28, 90, 68)
        assert len(picture.getcolors(1 << 22) or []) > 50


def test_what_is_printed_is_the_sheet_alone(browser: Browser, home: Path) -> None:
    with season(home) as (base, codes):
        page = window(browser, TABLET)
        let_in(page, base)
        for address in ("/season?lang=it", f"/history?table={codes[0]}&match=1&lang=en"):
            page.goto(f"{base}{address}")
            page.locator(".printed").wait_for(state="attached")
            settle(page)
            assert not page.locator(".printed").is_visible()
            page.emulate_media(media="print")
            assert page.locator(".printed").is_visible()
            assert not page.locator(".st-key-bar").is_visible()
            shown = page.locator("[data-testid=stApp] button").filter(visible=True)
            assert shown.count() == 0
            assert pages_of(page.pdf(format="A4")) <= 4
            page.emulate_media(media="screen")


def pages_of(pdf: bytes) -> int:
    return pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") + pdf.count(b"/Type /Page/")
