"""The files that every screen needs: one style sheet, fonts, icons, scripts and the manifest.

Each is served under a name with a hash of its content, such as `/look/style.0123456789.css`, and
browsers may cache it for a year.
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
from screens.components import STATIC, static_text

SHEETS = (
    *("tokens.css", "look.css", "pieces.css", "frame.css", "match.css", "referee.css"),
    *("past.css", "print.css", "phone.css", "shot.css", "evening.css"),
)
"""The style sheets of all screens of Streamlit, in the order of the cascade."""

BOARD_SHEETS = ("tokens.css", "pieces.css", "board.css", "evening.css", "hall.css")
"""Those of the board, which is a plain page."""

BOARD_CARD = "7d"
"""The one card that boards show: it falls for the winner."""

FONTS = ("young-serif.woff2", "atkinson-400.woff2", "atkinson-700.woff2")
SCRIPTS = ("stream.js", "history.js")
"""Scripts outside of components: the worker that receives events, and the Back button."""

CONDITIONS = ("lost_connection", "no_cookies", "no_sockets", "below_path", "not_ours")
"""Keys of the sentences in `conditions.js`, which says why the app cannot work here."""

ICONS = ("icon-192.png", "icon-512.png", "icon-maskable-512.png", "icon-touch-180.png")

STREAMLIT = Path(st.__file__).with_name("static")
"""Folder of Streamlit's own page and styles."""

FOLDER = "/look/"
"""Path under which these files are served."""

CACHE_FOREVER = "public, max-age=31536000, immutable"
"""Cache-Control of a file whose name changes with its content."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}


def routes() -> list[Route]:
    """The route of the files."""
    return [Route(FOLDER + "{name}", _get_file, methods=["GET"])]


async def _get_file(request: Request) -> Response:
    name = request.path_params["name"]
    body = files().get(name)
    if body is None:
        return Response(status_code=404)
    headers = {"cache-control": CACHE_FOREVER}
    return Response(body, media_type=TYPES[Path(name).suffix], headers=headers)


def address(name: str) -> str:
    """The address of one of our files, such as `/look/icon-192.0123456789.png`."""
    return FOLDER + _named()[name]


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
    sheet, board_sheet = style_sheet(), _board_sheet()
    for name, body in fonts.items():
        hashed = f'url("{FOLDER}{_hashed(name, body)}")'
        sheet = sheet.replace(f'url("{name}")', hashed)
        board_sheet = board_sheet.replace(f'url("{name}")', hashed)
    awake = static_text("awake.js").encode()
    board = static_text("board.js").replace("./awake.js", f"./{_hashed('awake.js', awake)}")
    named = {name: FOLDER + _hashed(name, body) for name, body in icons.items()}
    return {
        **fonts,
        **icons,
        **{name: static_text(name).encode() for name in SCRIPTS},
        "awake.js": awake,
        "board.js": board.encode(),
        "board.css": board_sheet.encode(),
        "conditions.js": _conditions().encode(),
        "streamlit.css": _streamlit_styles().encode(),
        "style.css": sheet.encode(),
        "settebello.webmanifest": json.dumps(_manifest(named)).encode(),
    }


def _streamlit_styles() -> str:
    """Streamlit's style sheet without its fonts: no screen uses them, and they are 550 kB."""
    [sheet] = (STREAMLIT / "static" / "css").glob("index.*.css")
    return re.sub(r"@font-face\s*{[^}]*}", "", sheet.read_text(encoding="utf-8"))


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
    return "\n".join((*map(static_text, SHEETS), *(_faces(one, CODES) for one in CardStyle)))


def _board_sheet() -> str:
    """The style sheets of the board, with the colours of the themes."""
    faces = (_faces(style, [BOARD_CARD]) for style in CardStyle)
    return "\n".join((theme_rules(), *map(static_text, BOARD_SHEETS), *faces))


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


def _faces(style: CardStyle, codes: Iterable[str]) -> str:
    """A rule for each card that shows its picture on `.f<code>`, where a page names the deck."""
    own = "" if style is CardStyle.ITALIAN else f'[data-deck="{style}"] '
    shown = ((code, card_uri(code, style=style)) for code in codes)
    return "".join(f'{own}.f{code} {{ background-image: url("{uri}"); }}\n' for code, uri in shown)
