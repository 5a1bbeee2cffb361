"""The files that every screen needs: style sheets, fonts, icons, scripts and the manifest.

They are in one folder, such as `/look/0123456789/`, whose name is a hash of them all. So browsers
may cache them for a year, and each can refer to another one by its plain name.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assets.deck import ASSETS, CardStyle, card_uri
from scoring.cards import CODES
from scoring.locale import LANGUAGES
from screens import state, words

STATIC = Path(__file__).with_name("static")
"""The folder of scripts, style sheets, fonts and themes."""

SHEETS = (
    *("tokens.css", "widgets.css", "look.css", "pieces.css", "frame.css", "menu.css"),
    *("match.css", "play.css", "switch.css", "referee.css", "past.css", "print.css"),
    *("phone.css", "photos.css", "evening.css"),
)
"""The style sheets of Streamlit's screens, in the order of the cascade."""

BOARD_SHEETS = ("tokens.css", "pieces.css", "board.css", "evening.css", "hall.css")
"""The style sheets of the board, which is a plain page."""

BOARD_CARD = "7d"
"""The only card on boards: it falls for the winner."""

FONTS = ("young-serif.woff2", "atkinson-400.woff2", "atkinson-700.woff2")
OFFLINE = ("offline", "waiting_here")
"""Keys of the sentences of `offline.js`."""
CONDITIONS = (
    "lost_connection",
    "no_network",
    "no_cookies",
    "no_sockets",
    "below_path",
    "not_ours",
)
"""Keys of the sentences of `conditions.js`, which says why the app cannot work here."""

WORKER = "worker.js"
"""The service worker, whose scope is the whole site."""

ICONS = ("icon-192.png", "icon-512.png", "icon-maskable-512.png", "icon-touch-180.png")

STREAMLIT = Path(st.__file__).with_name("static")
"""The folder of Streamlit's own page and styles."""

FOLDER = "/look/"
"""Path of the folder in which these files are served."""

CACHE_FOREVER = "public, max-age=31536000, immutable"
"""Cache-Control of the current files."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}


def static_text(name: str) -> str:
    """Return the text of a file in `static/`."""
    return (STATIC / name).read_text(encoding="utf-8")


def routes() -> list[Route]:
    """Return the route of the files."""
    return [Route(FOLDER + "{version}/{name}", _get_file, methods=["GET"])]


async def _get_file(request: Request) -> Response:
    """Answer with a file. A page from before an update gets the newer file."""
    name = request.path_params["name"]
    body = files().get(name)
    if body is None:
        return Response(status_code=404)
    is_current = request.path_params["version"] == version()
    headers = {"cache-control": CACHE_FOREVER if is_current else "no-cache"}
    if name == WORKER:
        headers["service-worker-allowed"] = "/"
    return Response(body, media_type=TYPES[Path(name).suffix], headers=headers)


def address(name: str) -> str:
    """Return the address of one of our files, such as `/look/0123456789/icon-192.png`.

    Raises:
        KeyError: There is no such file.
    """
    files()[name]
    return f"{FOLDER}{version()}/{name}"


@cache
def version() -> str:
    """Return the hash of all files, which names their folder."""
    content = hashlib.sha256()
    for name, body in sorted(files().items()):
        content.update(f"{name} {len(body)} ".encode() + body)
    return content.hexdigest()[:10]


@cache
def files() -> Mapping[str, bytes]:
    """Return every file by its name."""
    return {
        **{name: (STATIC / "fonts" / name).read_bytes() for name in FONTS},
        **{name: (ASSETS / name).read_bytes() for name in ICONS},
        **{path.name: path.read_bytes() for path in STATIC.glob("*.js")},
        "style.css": style_sheet().encode(),
        "board.css": _board_sheet().encode(),
        "streamlit.css": _streamlit_styles().encode(),
        "settebello.webmanifest": json.dumps(_manifest()).encode(),
    }


def _streamlit_styles() -> str:
    """Return Streamlit's style sheet without its fonts, which no screen uses (550 kB)."""
    [sheet] = (STREAMLIT / "static" / "css").glob("index.*.css")
    return re.sub(r"@font-face\s*{[^}]*}", "", sheet.read_text(encoding="utf-8"))


def modules() -> list[str]:
    """Return the addresses of all modules that the screens import."""
    apart = {"board.js", "conditions.js", "history.js", "offline.js", WORKER}
    return [address(name) for name in files() if name.endswith(".js") and name not in apart]


def sentences(keys: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """Return sentences for a script, by language and key."""
    say = words.SENTENCES.template
    return {language: {key: say(key, language) for key in keys} for language in LANGUAGES}


def _manifest() -> dict[str, object]:
    """Return what a phone needs to put the app on its home screen."""
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
                "src": f"icon-{name}.png",
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
    """Return all style sheets and a rule for each card; the page itself has the colours."""
    return "\n".join((*map(static_text, SHEETS), *(_faces(one, CODES) for one in CardStyle)))


def _board_sheet() -> str:
    """Return the board's style sheets, with the colours of the themes."""
    faces = (_faces(style, [BOARD_CARD]) for style in CardStyle)
    return "\n".join((theme_rules(), *map(static_text, BOARD_SHEETS), *faces))


def theme_rules() -> str:
    """Return the colours: of the theme that the page names, else the device's light or dark."""
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
    """Return the colours of a theme by their names."""
    return dict(re.findall(r"--([\w-]+): ([^;]+);", static_text(f"themes/{name}.css")))


def _faces(style: CardStyle, codes: Iterable[str]) -> str:
    """Return a rule for each card that shows its picture on `.f<code>`."""
    own = "" if style is CardStyle.ITALIAN else f'[data-deck="{style}"] '
    shown = ((code, card_uri(code, style=style)) for code in codes)
    return "".join(f'{own}.f{code} {{ background-image: url("{uri}"); }}\n' for code, uri in shown)
