"""Streamlit's page, with what a browser shows before Streamlit has drawn anything.

The server adds the title, icons, manifest, style sheet, the colours of the theme and the word mark,
which is visible until the first screen is drawn.
"""

import re
from functools import cache

from markupsafe import Markup
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from assets.deck import ASSETS
from screens import look, navigation, render, state

BACKEND_ADDRESS = "window.__streamlit = { BACKEND_BASE_URL: location.origin };"
"""Script that names Streamlit's server; otherwise Streamlit also looks below each screen's path."""

_FONT_PRELOAD = re.compile(r'<link\s+rel="preload"[^>]*SourceSans[^>]*>')
_STYLES = re.compile(r"\./static/css/[\w.-]+\.css")


class _UnknownAddress(PathConvertor):
    """Every path but Streamlit's own, without a trailing slash."""

    regex = r"(?!(?:_stcore|component|media|static)(?:/|$)).*(?<!/)"


register_url_convertor("unknown", _UnknownAddress())


def routes() -> list[Route]:
    """The routes of the page, one a screen; they come after all others.

    An unknown address redirects to the first screen; Streamlit would answer with its own page.
    """
    paths = ("/", *(f"/{screen}" for screen in navigation.SCREENS))
    return [
        *(Route(path, _get_page, methods=["GET"]) for path in paths),
        Route("/offline", _get_offline, methods=["GET"]),
        Route("/compare", _redirect_to_history, methods=["GET"]),  # as versions before 0.4 had it
        Route("/{path:unknown}", _redirect_home, methods=["GET"]),
    ]


async def _redirect_to_history(request: Request) -> Response:
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"history{query}", headers={"cache-control": "no-cache"})


async def _redirect_home(request: Request) -> Response:
    home = "../" * (request.url.path.count("/") - 1) or "./"  # relative: a proxy may add a prefix
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(home + query, headers={"cache-control": "no-cache"})


async def _get_page(request: Request) -> Response:
    chosen = request.cookies.get(state.THEME)
    html = page(chosen if chosen in state.THEMES else None)
    return HTMLResponse(html, headers={"cache-control": "private, no-cache", "vary": "cookie"})


async def _get_offline(_request: Request) -> Response:
    return HTMLResponse(offline_page(), headers={"cache-control": "no-cache"})


@cache
def offline_page() -> str:
    """Return the page that `worker.js` keeps for when the server cannot be reached."""
    return render.template(
        "offline.html",
        title="Settebello",
        icon=Markup((ASSETS / "icon.svg").read_text(encoding="utf-8")),
        style=Markup(look.theme_rules() + look.static_text("shell.css")),
        script=Markup(look.static_text("offline.js")),
        sentences=look.sentences(look.OFFLINE),
    )


@cache
def page(theme: str | None) -> str:
    """Return Streamlit's page with our head and word mark.

    Args:
        theme: The theme that the user chose; None follows the device.
    """
    html = (look.STREAMLIT / "index.html").read_text(encoding="utf-8")
    html = _FONT_PRELOAD.sub("", html)  # no screen uses that font
    html = _STYLES.sub(look.address("streamlit.css"), html)
    html = re.sub(r'<link rel="shortcut icon"[^>]*>', "", html)
    html = html.replace("<title>Streamlit</title>", "<title>Settebello</title>")
    if theme is not None:
        html = html.replace("<html", f'<html data-theme="{theme}"', 1)
    values = {
        "title": "Settebello",
        "theme": theme,
        "script": Markup(BACKEND_ADDRESS),
        "style": Markup(look.theme_rules() + look.static_text("shell.css")),
        "colours": {name: look.theme_colours(name) for name in state.THEMES},
        "address": look.address,
        "modules": look.modules(),
        "conditions": look.sentences(look.CONDITIONS),
        "icon": Markup((ASSETS / "icon.svg").read_text(encoding="utf-8")),
    }
    head, body = (render.template("shell.html", part=part, **values) for part in ("head", "body"))
    html = html.replace("</head>", f"{head}</head>", 1)
    return html.replace("</body>", f"{body}</body>", 1)


def inline_scripts() -> list[str]:
    """The scripts inside the pages, for the content security policy."""
    pages = (page(None), offline_page())
    return [one for html in pages for one in re.findall(r"<script>(.*?)</script>", html, re.DOTALL)]
