"""The first evening in a browser: the sample hand, a table of three on a small phone, a rename."""

from collections.abc import Iterator

import pytest
from browser_driving import PHONE, TABLET, act, button, let_in, open_table, press, server, window
from playwright.sync_api import Browser, Page, expect, sync_playwright
from servers import free_port

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SMALL = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("first"), free_port()) as address:
        yield address


@pytest.fixture(scope="module")
def chrome(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def phone(chrome: Browser) -> Iterator[Page]:
    page = window(chrome, PHONE)
    yield page
    page.close()


def test_the_sample_hand_stands_at_its_points_without_an_alarm(phone: Page, base: str) -> None:
    phone.goto(base)
    press(phone, "sample_hand", then="[data-act=confirm]")
    expect(phone.locator(".sum")).to_contain_text("Anna")
    expect(phone.locator(".note.ask, .note.stop, .advice")).to_have_count(0)
    primiera = phone.locator(".help").nth(3)
    expect(primiera.locator("p")).to_be_hidden()
    primiera.locator("summary").click()
    expect(primiera.locator("p")).to_be_visible()
    act(phone, "confirm").click()
    expect(phone.locator(".board")).to_be_visible()


def test_names_outlive_another_theme_a_reload_and_another_language(phone: Page, base: str) -> None:
    phone.goto(base)
    phone.locator(".count-3").click()
    for side, name in enumerate(("Anna", "Bruno", "Carla")):
        phone.locator(".seat input").nth(side).fill(name)
    phone.locator(".theme-sunlight").click()
    fields = phone.locator(".seat:not([hidden]) input")
    expect(fields).to_have_count(3)
    expect(fields.nth(2)).to_have_value("Carla")
    phone.reload()
    expect(fields.nth(2)).to_have_value("Carla")
    button(phone, "other_language").click()
    expect(button(phone, "open")).to_contain_text("Apri il tavolo")
    expect(fields.nth(0)).to_have_value("Anna")
    press(phone, "open", then=".st-key-tally_2 .more")
    expect(phone.locator(".st-key-side_2")).to_contain_text("Carla")
    phone.goto(base)
    expect(phone.locator(".seat input").first).to_have_value("")


def test_three_sides_fit_the_smallest_phone_and_six_a_usual_one(chrome: Browser, base: str) -> None:
    for size, names in ((SMALL, ("Massimiliano", "Bruno", "Carla")), (PHONE, tuple("ABCDEF"))):
        page = window(chrome, size)
        open_table(page, base, names=names)
        bar = page.locator("[data-testid=stBottom]").bounding_box()
        assert bar is not None
        for side in range(len(names)):
            more = page.locator(f".st-key-tally_{side} .more").bounding_box()
            assert more is not None
            assert more["height"] >= 48
            assert more["x"] + more["width"] <= size["width"]
            assert more["y"] + more["height"] <= bar["y"], f"side {side} of {len(names)}"
        page.close()


def test_a_name_corrected_on_a_phone_is_on_the_board_at_once(
    phone: Page, chrome: Browser, base: str
) -> None:
    code = open_table(phone, base, names=("Ana", "Bruno"))
    board = window(chrome, TABLET)
    let_in(board, base)
    board.goto(f"{base}/board?table={code}")
    expect(board.locator(".board")).to_contain_text("Ana")
    phone.goto(f"{base}/match?table={code}")
    field = phone.locator(".st-key-match_names input").first
    field.fill("Anna")
    field.press("Tab")
    press(phone, "match_save", then=".st-key-tally_0 .more")
    expect(board.locator(".board")).to_contain_text("Anna")
    board.close()


def test_a_hand_without_cards_takes_six_taps(phone: Page, base: str) -> None:
    open_table(phone, base, names=("Anna", "Bruno"))
    phone.locator(".st-key-quick a").click()
    for number, point in enumerate(("carte", "denari", "settebello", "primiera")):
        phone.locator(f"[class*=st-key-quick_{point}_] button").nth(number % 2).click()
    act(phone, "confirm").click()
    expect(phone.locator(".big")).to_have_text(["2", "2"])
