"""What a browser gets first: its size, its colours, and what puts it on a home screen."""

import gzip
import json
import re
from collections.abc import Iterator
from io import BytesIO
from urllib.parse import urljoin

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.testclient import TestClient
from streamlit.web.server.starlette.starlette_static_routes import (
    create_streamlit_static_assets_routes,
)

from assets.deck import CardStyle, card_uri
from screens import components, look, navigation, shell
from screens.state import THEME, THEMES

MOST_BYTES, MOST_REQUESTS = 1_000_000, 41
"""What the first page may take over the line, and how many requests beside Streamlit's own."""


@pytest.fixture
def client() -> Iterator[TestClient]:
    """The files beside Streamlit's own, as the app serves them."""
    app = Starlette(
        routes=[*look.routes(), *shell.routes(), *create_streamlit_static_assets_routes(None)],
        middleware=[Middleware(GZipMiddleware)],
    )
    with TestClient(app) as made:
        yield made


def addresses(html: str) -> list[str]:
    """Return what a page makes a browser ask for."""
    found = re.findall(r'(?:href|src)="([^"#]+)"', html)
    asked = [one.removeprefix(".") for one in found if not one.endswith("openapi.json")]
    assert all(one.startswith(("/static/", "/look/")) for one in asked), asked
    return asked


def sent_bytes(client: TestClient, address: str) -> int:
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200, address
    return answer.num_bytes_downloaded


def test_the_first_page_is_small(client: TestClient) -> None:
    asked = addresses(client.get("/").text)
    faces = [look.address(name) for name in look.FONTS]
    size = {one: sent_bytes(client, one) for one in {"/", *asked, *faces}}
    assert sum(size.values()) < MOST_BYTES, size
    assert len([one for one in size if not one.startswith("/static/")]) <= MOST_REQUESTS
    assert not [one for one in size if one.endswith((".ttf", "Symbols.woff2"))]


def test_streamlits_fonts_are_not_sent(client: TestClient) -> None:
    html = client.get("/").text
    assert "SourceSans" not in html
    assert "/static/css/" not in html
    assert "@font-face" not in client.get(look.address("streamlit.css")).text


@pytest.mark.parametrize("screen", ["", *navigation.SCREENS])
def test_every_screen_has_the_shell_and_is_asked_for_anew(client: TestClient, screen: str) -> None:
    answer = client.get(f"/{screen}")
    assert answer.text.rstrip().endswith("</html>"), "nothing of the page is shown as text"
    assert answer.headers["cache-control"] == "private, no-cache"
    for part in ("<title>Settebello</title>", 'class="shell"', look.address("style.css")):
        assert part in answer.text


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("/nonsense", "/"),
        ("/nonsense/", "/"),
        ("/a/b/c?table=K7QF", "/?table=K7QF"),
        ("/index.html", "/"),
        ("/staticky", "/"),
        ("/play/?table=K7QF", "/play?table=K7QF"),
        ("/compare?table=K7QF", "/history?table=K7QF"),
    ],
)
def test_an_address_that_is_none_leads_to_a_screen_of_ours(
    client: TestClient, asked: str, given: str
) -> None:
    answer = client.get(asked)
    assert answer.url == f"http://testserver{given}"
    assert look.address("style.css") in answer.text


@pytest.mark.parametrize("kept", ["_stcore/nothing", "component/x", "media/x", "static/x.js"])
def test_addresses_of_streamlits_own_are_left_to_it(client: TestClient, kept: str) -> None:
    assert client.get(f"/{kept}", follow_redirects=False).is_redirect is False


@pytest.mark.parametrize("theme", [None, *THEMES, "pink"])
def test_the_shell_is_in_the_colours_of_the_theme(client: TestClient, theme: str | None) -> None:
    html = client.get("/", headers={"cookie": f"{THEME}={theme}"} if theme else {}).text
    known = theme in THEMES
    assert (f'data-theme="{theme}"' in html) is known
    papers = {name for name in THEMES if f'content="{look.theme_colours(name)["paper"]}"' in html}
    assert papers == ({theme} if known else {"light", "dark"})


def test_static_files_are_immutable_under_hashed_names(client: TestClient) -> None:
    for name, body in look.files().items():
        answer = client.get(look.address(name), headers={"accept-encoding": "gzip"})
        assert answer.content == body
        assert answer.headers["cache-control"] == look.CACHE_FOREVER
    assert client.get(look.address("style.css") + ".map").status_code == 404


def test_a_page_from_before_an_update_gets_the_newer_files(client: TestClient) -> None:
    answer = client.get("/look/0123456789/part.js")
    assert answer.content == look.files()["part.js"]
    assert answer.headers["cache-control"] == "no-cache"


def test_the_page_fetches_the_modules_before_the_line_can_drop(client: TestClient) -> None:
    html = client.get("/").text
    for name in components.COMPONENTS.keys() - {"dealers"}:  # a part of seats.js
        assert f'<link rel="modulepreload" href="{look.address(f"{name}.js")}">' in html
    for name, body in look.files().items():
        imported = re.findall(rb'from "\./(\w+\.js)"', body) if name.endswith(".js") else []
        assert {one.decode() for one in imported} <= look.files().keys()


def test_page_holds_every_theme_and_both_decks() -> None:
    for name in THEMES:
        assert f"--paper: {look.theme_colours(name)['paper']}" in shell.page(None)
    sheet = look.style_sheet()
    for style in CardStyle:
        assert card_uri("7d", style=style) in sheet
    assert len(gzip.compress(sheet.encode())) < 60_000


def test_a_phone_puts_the_app_on_its_home_screen(client: TestClient) -> None:
    html = client.get("/").text
    address = look.address("settebello.webmanifest")
    manifest = json.loads(client.get(address).text)
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == "/"
    sizes = set()
    for icon in manifest["icons"]:
        picture = Image.open(BytesIO(client.get(urljoin(address, icon["src"])).content))
        assert f"{picture.width}x{picture.height}" == icon["sizes"]
        sizes.add((picture.width, icon["purpose"]))
        if icon["purpose"] == "maskable":
            assert picture.convert("RGBA").getpixel((0, 0))[3] == 255, "cut to any shape"  # type: ignore[index]
    assert sizes == {(192, "any"), (512, "any"), (512, "maskable")}
    assert f'<link rel="manifest" href="{look.address("settebello.webmanifest")}">' in html
    assert f'rel="apple-touch-icon" href="{look.address("icon-touch-180.png")}"' in html
