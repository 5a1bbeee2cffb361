"""What axe-core finds on every screen: nothing serious.

CI looks at each theme once and at both languages, as names depend on the language alone and colours
on the theme alone. Every theme in every language, at the size of a phone and of a tablet:

    SETTEBELLO_LOOKS=all pytest -s tests/screens/test_browser_axe.py
"""

import os
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_driving import PHONE, TABLET, let_in, server, window
from playwright.sync_api import Browser, Page, expect
from servers import free_port
from test_browser_fit import Screen, screens, show

from scoring.locale import LANGUAGES
from screens import state

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

FEW = [("en", "light", PHONE), ("it", "dark", PHONE), ("en", "sunlight", TABLET)]
"""What CI looks at."""
ALL = [*product(LANGUAGES, state.THEMES, (PHONE, TABLET))]
LOOKS = ALL if os.environ.get("SETTEBELLO_LOOKS") == "all" else FEW

GRAVE = {"serious", "critical"}
"""Impacts, as axe-core names them, that no screen may have."""


def grave_faults(page: Page) -> list[str]:
    """What axe-core finds serious or critical on the page, each with the first element it is of."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}"
        for one in found
        if one["impact"] in GRAVE
    ]


def looks(page: Page, shown: list[Screen], *, base: str, language: str) -> Counter[str]:
    """Every grave fault, and how often it is found on these screens."""
    faults: Counter[str] = Counter()
    for screen in shown:
        show(page, screen, base=base, language=language)
        faults.update(f"{screen.address} {fault}" for fault in grave_faults(page))
    return faults


def test_a_grave_fault_would_be_found(browser: Browser) -> None:
    page = window(browser, PHONE)
    page.set_content('<html lang="en"><title>t</title><main><img src="x.jpg"></main></html>')
    assert [fault.split(":")[0] for fault in grave_faults(page)] == ["image-alt"]


@pytest.mark.parametrize(("language", "theme", "size"), LOOKS)
def test_nothing_serious_is_found_on_any_screen(
    language: str, theme: str, size: dict[str, int], browser: Browser, home: Path
) -> None:
    with server(home, free_port()) as base:
        page = window(browser, size)
        page.emulate_media(reduced_motion="reduce")  # colours are those that things come to rest in
        let_in(page, base)
        page.goto(base)
        page.locator(f".theme-{theme}").click()
        expect(page.locator(f".theme-{theme}")).to_have_attribute("aria-pressed", "true")
        shown = list(screens())
        faults = looks(page, shown, base=base, language=language)
    where = f"{language}, {theme}, {size['width']} px"
    print(f"\n{where}: {len(shown)} screens, {faults.total()} grave faults")
    assert not faults, "\n".join(faults)
