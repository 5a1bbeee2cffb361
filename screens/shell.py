"""What a browser gets before Streamlit draws anything: the page, its style sheet, letters, icons.

Streamlit's own page is sent with a shell in it, the wordmark in the colours of the theme, which
shows until the first screen is drawn. All styles are one sheet under a name that changes with its
content, so that a browser keeps it; so are letters and icons. `CompressedScripts` sends Streamlit's
scripts compressed, which it does not do itself.
"""

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import streamlit as st
from anyio import to_thread
from markupsafe import Markup
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from assets.deck import ASSETS, DECKS, card_uri
from scoring.cards import CODES
from scoring.locale import LANGUAGES
from screens import early, navigation, render, state, words
from screens.components import STATIC, static_text
from web.limits import Purpose, TooManyTriesError

SHEETS = (
    *("early.css", "tokens.css", "look.css", "frame.css", "match.css", "board.css", "referee.css"),
    *("past.css", "print.css", "phone.css", "shot.css", "evening.css"),
)
"""The style sheets of all screens; of rules that weigh the same the last one holds."""

FONTS = ("young-serif.woff2", "atkinson-400.woff2", "atkinson-700.woff2")
SCRIPTS = ("stream.js", "history.js")
"""Scripts that are no part of a component: of the worker that hears of changes, of "back"."""

CONDITIONS = ("lost_connection", "no_cookies", "no_sockets", "below_path", "not_ours")
"""The sentences of `conditions.js`, which says what keeps the app from working."""

ICONS = ("icon-192.png", "icon-512.png", "icon-maskable-512.png", "icon-touch-180.png")

EARLY_SCREEN = "<!-- the early screen -->"
"""Where in the page the screen stands that the server draws."""

EARLY = ("Html", "BidiComponent", "Button")
"""Streamlit's scripts that every screen of ours needs and Streamlit asks for one after another."""

FOLDER = "/look/"
"""Where the files of this module are in addresses."""

FOREVER = "public, max-age=31536000, immutable"
"""How long a browser may keep a file whose name changes with its content."""

STREAMLIT = Path(st.__file__).with_name("static")
"""Streamlit's own page and scripts."""

ADDRESS = "window.__streamlit = { BACKEND_BASE_URL: location.origin };"
"""A script that tells Streamlit's where its server is: else they also look below each screen."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}

_SCRIPT = re.compile(r"/static/(?:js|css)/[\w.-]+\.(?:js|css)")
_IMPORT = re.compile(
    r"""\bfrom\s*[`"']\./([\w.-]+\.js)[`"']|\bimport\s*[`"']\./([\w.-]+\.js)[`"']"""
)
_FONT_FACE = re.compile(r"@font-face\s*{[^}]*}")
_FONT_PRELOAD = re.compile(r'<link\s+rel="preload"[^>]*SourceSans[^>]*>')


class _UnknownAddress(PathConvertor):
    """Every address but Streamlit's own; it takes a slash at the end away by itself."""

    regex = r"(?!(?:_stcore|component|media|static)(?:/|$)).*(?<!/)"


register_url_convertor("unknown", _UnknownAddress())


def routes() -> list[Route]:
    """The routes of the page, by the address of every screen, and of the files beside it.

    They stand after all others: an address that is none leads to the first screen. Streamlit would
    answer it with its own page, without our shell and styles.
    """
    paths = ("/", *(f"/{screen}" for screen in navigation.SCREENS))
    return [
        *(Route(path, _get_page, methods=["GET"]) for path in paths),
        Route(FOLDER + "{name}", _get_file, methods=["GET"]),
        Route("/{path:unknown}", _lead_home, methods=["GET"]),
    ]


async def _lead_home(request: Request) -> Response:
    home = "../" * (request.url.path.count("/") - 1) or "./"  # also below a path of a proxy
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(home + query, headers={"cache-control": "no-cache"})


async def _get_page(request: Request) -> Response:
    headers = {
        "cache-control": "private, no-cache",
        "vary": "accept-encoding, accept-language, cookie",
        "x-accel-buffering": "no",  # a proxy passes on what is there
    }
    zipped = zlib.compressobj(wbits=zlib.MAX_WBITS | 16) if _takes_gzip(request.headers) else None
    if zipped:
        headers["content-encoding"] = "gzip"
    return StreamingResponse(_page_parts(request, zipped), media_type="text/html", headers=headers)


async def _page_parts(request: Request, zipped: "zlib._Compress | None") -> AsyncIterator[bytes]:
    """The page in two parts: scripts are on their way while the server draws the screen."""
    chosen = request.cookies.get(state.THEME)
    above, below = page(chosen if chosen in state.THEMES else None).split(EARLY_SCREEN)
    yield (
        zipped.compress(above.encode()) + zipped.flush(zlib.Z_SYNC_FLUSH)
        if zipped
        else above.encode()
    )
    rest = (await _early_screen(request) + Markup(below)).encode()
    yield zipped.compress(rest) + zipped.flush() if zipped else rest


async def _early_screen(request: Request) -> Markup:
    """The screen as the server draws it; nothing for an address that asks for very many."""
    network = request.client.host if request.client else ""
    with suppress(TooManyTriesError):
        state.auth().limiter.check(Purpose.EARLY_SCREEN, network, is_right=False)
        return await early.screen(request, request.url.path.strip("/"), files=addresses())
    return Markup()


async def warm() -> None:
    """Draws the start page once for nobody, as the first time takes a second longer."""
    scope = {"type": "http", "path": "/", "query_string": b"", "headers": [], "server": ("", 80)}
    await early.screen(Request(scope), "", files=addresses())


async def _get_file(request: Request) -> Response:
    name = request.path_params["name"]
    body = files().get(name)
    if body is None:
        return Response(status_code=404)
    headers = {"cache-control": FOREVER}
    if Path(name).suffix in {".css", ".js", ".webmanifest"}:
        headers["vary"] = "accept-encoding"
        if _takes_gzip(request.headers):
            body, headers["content-encoding"] = _compressed(body), "gzip"
    return Response(body, media_type=TYPES[Path(name).suffix], headers=headers)


@cache
def page(theme: str | None) -> str:
    """Streamlit's page with our shell, style sheet and icons; `theme` as somebody chose it."""
    html = (STREAMLIT / "index.html").read_text(encoding="utf-8")
    html = _FONT_PRELOAD.sub("", html)  # a face that no screen of ours is set in
    html = re.sub(r'<link rel="shortcut icon"[^>]*>', "", html)
    html = html.replace("<title>Streamlit</title>", "<title>Settebello</title>")
    html = html.replace('<script type="module"', '<script async type="module"')  # before the end
    if theme is not None:
        html = html.replace("<html", f'<html data-theme="{theme}"', 1)
    colours = {name: theme_colours(name) for name in state.THEMES}
    values = {
        "title": "Settebello",
        "theme": theme,
        "early": Markup(EARLY_SCREEN),
        "script": Markup(ADDRESS),
        "style": Markup(theme_rules() + static_text("shell.css")),
        "colours": colours,
        "address": address,
        "scripts": _early_scripts(html),
        "icon": Markup((ASSETS / "icon.svg").read_text(encoding="utf-8")),
    }
    top, head, body = (
        render.template("shell.html", part=part, **values) for part in ("top", "head", "body")
    )
    html = html.replace("<head>", f"<head>{top}", 1).replace("</head>", f"{head}</head>", 1)
    return html.replace("</body>", f"{body}</body>", 1)


def _early_scripts(html: str) -> list[str]:
    """Names of the scripts of `EARLY` and of what they import, less those that a page names."""
    folder = STREAMLIT / "static" / "js"
    wanted = [path.name for name in EARLY for path in sorted(folder.glob(f"{name}.*.js"))]
    found: list[str] = []
    while wanted:
        name = wanted.pop(0)
        if name not in found and f"/js/{name}" not in html:
            found.append(name)
            text = (folder / name).read_text(encoding="utf-8")
            wanted += [one or other for one, other in _IMPORT.findall(text)]
    return found


def inline_scripts() -> list[str]:
    """The scripts inside the page, for the content security policy."""
    return re.findall(r"<script>(.*?)</script>", page(None), re.DOTALL)


def address(name: str) -> str:
    """The address of one of our files, such as `/look/icon-192.0123456789.png`."""
    return FOLDER + _named()[name]


@cache
def addresses() -> Mapping[str, str]:
    """The addresses of all of our files by their names."""
    return {name: address(name) for name in _named()}


@cache
def files() -> Mapping[str, bytes]:
    """Every file by its name in addresses."""
    found = _files_by_plain_name()
    return {_hashed(name, body): body for name, body in found.items()}


@cache
def _named() -> Mapping[str, str]:
    return {name: _hashed(name, body) for name, body in _files_by_plain_name().items()}


@cache
def _files_by_plain_name() -> Mapping[str, bytes]:
    fonts = {name: (STATIC / "fonts" / name).read_bytes() for name in FONTS}
    icons = {name: (ASSETS / name).read_bytes() for name in ICONS}
    sheet = style_sheet()
    for name, body in fonts.items():
        sheet = sheet.replace(f'url("{name}")', f'url("{FOLDER}{_hashed(name, body)}")')
    named = {name: FOLDER + _hashed(name, body) for name, body in icons.items()}
    return {
        **fonts,
        **icons,
        **{name: static_text(name).encode() for name in SCRIPTS},
        "conditions.js": _conditions().encode(),
        "early.js": early.script().encode(),
        "style.css": sheet.encode(),
        "settebello.webmanifest": json.dumps(_manifest(named)).encode(),
    }


def _conditions() -> str:
    """`conditions.js`, with its sentences by language and key."""
    say = words.SENTENCES.template
    said = {language: {key: say(key, language) for key in CONDITIONS} for language in LANGUAGES}
    return f"const SENTENCES = {json.dumps(said)};\n{static_text('conditions.js')}"


def _hashed(name: str, body: bytes) -> str:
    path = Path(name)
    return f"{path.stem}.{hashlib.sha256(body).hexdigest()[:10]}{path.suffix}"


def _manifest(icons: Mapping[str, str]) -> dict[str, object]:
    """What a phone needs to know to put the app on its home screen."""
    colours = theme_colours("light")
    return {
        "id": "/",
        "name": "Settebello",
        "short_name": "Settebello",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": colours["paper"],
        "theme_color": colours["paper"],
        "icons": [
            {
                "src": icons[f"icon-{name}.png"],
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in (
                ("192", 192, "any"),
                ("512", 512, "any"),
                ("maskable-512", 512, "maskable"),
            )
        ],
    }


@cache
def style_sheet() -> str:
    """All style sheets, and a rule for each card of each deck; colours stand in the page."""
    return "\n".join((*map(static_text, SHEETS), *map(_faces, DECKS)))


def theme_rules() -> str:
    """The colours: of the theme that a page names, else light or dark as the device is set."""
    light, dark, sunlight = (static_text(f"themes/{name}.css") for name in state.THEMES)
    by_device = dark.replace(":root", ":root:not([data-theme])")
    return "\n".join((
        light,
        f"@media (prefers-color-scheme: dark) {{ {by_device} }}",
        dark.replace(":root", ':root[data-theme="dark"]'),
        sunlight.replace(":root", ':root[data-theme="sunlight"]'),
    ))  # fmt: skip


@cache
def theme_colours(name: str) -> Mapping[str, str]:
    """The colours of a theme by their names."""
    return dict(re.findall(r"--([\w-]+): ([^;]+);", static_text(f"themes/{name}.css")))


def _faces(deck: str) -> str:
    """A rule for each card that shows its picture on `.f<code>`, where a page names the deck."""
    own = "" if deck == DECKS[0] else f'[data-deck="{deck}"] '
    shown = ((code, card_uri(code, deck=deck)) for code in CODES)
    return "".join(f'{own}.f{code} {{ background-image: url("{uri}"); }}\n' for code, uri in shown)


class CompressedScripts:
    """Sends Streamlit's scripts and style sheets compressed; each is compressed once.

    Streamlit leaves that to a proxy; most tables have none, and 3 MB take a phone 17 seconds.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wraps an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or passes it on."""
        app = self._app
        if (
            scope["type"] == "http"
            and scope["method"] == "GET"
            and _SCRIPT.fullmatch(scope["path"])
        ):
            path = STREAMLIT / scope["path"].lstrip("/")
            if _takes_gzip(Headers(scope=scope)) and path.is_file():
                headers = {"cache-control": FOREVER, "content-encoding": "gzip"}
                headers["vary"] = "accept-encoding"
                body = await to_thread.run_sync(_compressed_file, path)
                app = Response(body, media_type=TYPES[path.suffix], headers=headers)
        await app(scope, receive, send)


def _takes_gzip(headers: Headers) -> bool:
    return "gzip" in headers.get("accept-encoding", "")


@lru_cache(maxsize=400)
def _compressed_file(path: Path) -> bytes:
    """A file of Streamlit's; its style sheets without faces in which no screen of ours is set."""
    body = path.read_bytes()
    if path.suffix == ".css":
        body = _FONT_FACE.sub("", body.decode()).encode()
    return gzip.compress(body, mtime=0)


@lru_cache(maxsize=16)
def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
