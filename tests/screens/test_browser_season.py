"""A season of thirty matches in a real browser: charts, files, the picture of a match, print."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browser_driving import NARROW, PHONE, TABLET, Windows, let_in, server, settle, turn
from made_up_season import fill
from PIL import Image
from playing import command, query, record_hand
from playwright.sync_api import Page, Route, expect
from test_browser_fit import LANGUAGE, cut_texts, sideways_px, small_targets

from scoring.presets import PRESETS
from screens.parts.match_picture import HEIGHT, WIDTH
from store import Store, season, tables
from store.database import FILE_NAME
from table.season.exchange import match_from_json, to_json

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("season"),  # one server with the season
]

SIZES = (NARROW, PHONE, TABLET)


@pytest.fixture(scope="module")
def played_season(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[str, Store, list[str]]]:
    """A server with the season; gives its address, its store and the tables' codes."""
    place = tmp_path_factory.mktemp("season")
    store = Store(f"sqlite:///{place / FILE_NAME}")
    codes = list(fill(store))
    with server(place) as address:
        yield address, store, codes
    store.close()


def chart(page: Page, key: str) -> tuple[float, int]:
    """Return the width of a chart in px, and how many colours are seen in it."""
    shown = page.locator(f".st-key-chart_{key} [role=graphics-document]").first
    shown.wait_for()
    page.wait_for_timeout(500)
    box = shown.bounding_box()
    assert box is not None
    colours = Image.open(io.BytesIO(shown.screenshot())).convert("RGB").getcolors(1 << 20)
    return box["width"], len([1 for count, _ in colours or [] if count > 40])


def check_fit(page: Page, *charts: str, colours: int) -> None:
    """In every size charts are as wide as they can be, and nothing is cut."""
    for size in SIZES:
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        for key in charts:
            width, seen = chart(page, key)
            assert 180 < width < size["width"]
            assert seen > colours
        assert (sideways_px(page), cut_texts(page), small_targets(page)) == (0, [], []), size


def check_print(page: Page) -> None:
    """The unfolded hands are printed whole, without what is tapped."""
    page.emulate_media(media="print")
    expect(page.locator(".strip").first).to_be_visible()
    assert page.locator("[data-testid=stApp] button").filter(visible=True).count() == 0
    pdf = page.pdf(format="A4")
    pages = sum(pdf.count(b"/Type /Page" + end) for end in (b"\n", b" ", b"/"))
    assert 1 < pages < 12
    page.emulate_media(media="screen")


def check_picture(page: Page) -> None:
    """The match is saved as a PNG where nothing can be shared."""
    page.evaluate("delete Navigator.prototype.canShare")
    with page.expect_download() as saved:
        page.locator(".picture button").click()
    assert saved.value.suggested_filename.endswith("-1.png")
    picture = Image.open(saved.value.path()).convert("RGB")
    assert picture.size == (WIDTH, HEIGHT)
    assert picture.getpixel((20, 20)) == (28, 90, 68)
    assert len(picture.getcolors(1 << 22) or []) > 50


def test_thirty_matches_fit_every_screen_and_paper(
    windows: Windows, played_season: tuple[str, Store, list[str]]
) -> None:
    address, _, codes = played_season
    page = windows.open(NARROW)
    let_in(page, address)
    page.goto(f"{address}/season?lang={LANGUAGE}")
    page.locator(".season tbody tr").nth(4).wait_for()
    settle(page)
    check_fit(page, "season", colours=6)
    turn(page, f"/history?table={codes[2]}&match=1&lang={LANGUAGE}")
    page.locator(".st-key-to_play").wait_for()
    for fold in page.locator("[data-testid=stExpander] > details > summary").all():
        fold.click()
    settle(page)
    check_fit(page, "running", "sources", colours=2)
    check_print(page)
    check_picture(page)


def test_a_chart_takes_its_place_before_it_is_drawn(
    windows: Windows, played_season: tuple[str, Store, list[str]]
) -> None:
    address, _, codes = played_season
    page = windows.open(PHONE, is_changed=True)  # with nothing cached
    slow: list[Route] = []

    def hold(route: Route) -> None:
        slow.append(route)

    page.route("**/*VegaLiteChart*.js", hold)
    let_in(page, address)
    page.goto(f"{address}/history?table={codes[2]}&match=1&lang=en")
    settle(page)
    page.locator(".st-key-more summary").first.click()
    box = page.locator(".st-key-chart_sources")
    box.wait_for()
    empty = box.bounding_box()
    for request in slow:
        request.continue_()
    chart(page, "sources")
    drawn = box.bounding_box()
    assert slow
    assert empty
    assert drawn
    assert empty["height"] == drawn["height"]


def test_a_season_is_saved_for_a_spreadsheet(
    windows: Windows, played_season: tuple[str, Store, list[str]]
) -> None:
    address, _, _ = played_season
    page = windows.open(PHONE)
    let_in(page, address)
    page.goto(f"{address}/season?lang=en")
    with page.expect_download() as saved:
        page.locator(".st-key-save_players_csv button").click()
    text = saved.value.path().read_text(encoding="utf-8-sig")
    assert len(list(csv.DictReader(io.StringIO(text)))) == 5


def test_a_match_is_saved_and_imported_once(
    windows: Windows, played_season: tuple[str, Store, list[str]], tmp_path: Path
) -> None:
    address, store, codes = played_season
    page = windows.open(PHONE)
    let_in(page, address)
    page.goto(f"{address}/history?table={codes[2]}&match=1&lang=en")
    settle(page)
    page.locator(".st-key-more summary").first.click()
    with page.expect_download() as saved:
        page.locator(".st-key-save_json button").click()
    exported = saved.value.path().read_bytes()
    [row] = query(store, season.played, [codes[2]], match_no=1)
    assert to_json(match_from_json(exported)) == to_json(replace(row, code=""))

    other = Store(f"sqlite:///{tmp_path / 'other.db'}")
    command(other, tables.open_table, ("Elena", "Fabio"), PRESETS["silver-lake"])
    table, *_ = query(other, tables.newest)
    hand = match_from_json(exported).hands[0].facts
    record_hand(other, table, hand, key="a", expected=1)
    [played] = query(other, season.played)
    file = {"name": "match.json", "mimeType": "application/json"}
    before = len(query(store, season.played))
    page.goto(f"{address}/season?lang=en")
    for answer in ("The match is here now, at table", "This match is here already"):
        bring_in(page, {**file, "buffer": to_json(played).encode()})
        expect(page.locator("body")).to_contain_text(answer)
        page.reload()
    other.close()
    bring_in(page, {**file, "buffer": b'{"format": "settebello-matches", "version": 9}'})
    expect(page.locator(".note.stop")).to_contain_text("newer Settebello")
    assert len(query(store, season.played)) == before + 1


def bring_in(page: Page, file: dict[str, object]) -> None:
    """Choose the file of a match."""
    page.locator(".st-key-bring_in summary").click()
    page.locator(".st-key-bring_in input[type=file]").set_input_files(file)  # type: ignore[arg-type]
