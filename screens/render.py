"""HTML and style of the screens: Jinja2 templates, style sheets, card faces, notes.

HTML stands in `templates/` and escapes every value that is not HTML itself. A file with several
pieces holds macros: `macros("lines.html").tiles(...)`.
"""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Protocol, cast

import streamlit as st
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from assets.deck import SIZE_MM, card_uri
from scoring.cards import CODES
from screens import state, words
from screens.components import show, static_text
from screens.words import t
from store import Drawing

TEMPLATES = Path(__file__).with_name("templates")
"""The folder of templates."""

STYLE_SHEETS = ("tokens.css", "look.css", "board.css", "referee.css", "guide.css", "taught.css")
"""The style sheets of every screen."""

HISTORY_SHEETS = ("past.css", "print.css")
"""Further ones, of what was played: on the screen and on paper."""

MARKDOWN = re.compile(r"[\\`*_\[\]$~<>#|]|:(?=\w)")
"""What means something in Streamlit's Markdown: emphasis, links, formulas, colours, icons."""

ITALIAN_ASPECT = SIZE_MM["italian"][1] / SIZE_MM["italian"][0]
"""Height of an Italian card against its width."""


def template(name: str, **values: object) -> Markup:
    """Renders a template of `templates/`."""
    return Markup(_environment().get_template(name).render(values))


class Macros(Protocol):
    """The macros of a template, as functions by their names."""

    def __getattr__(self, name: str) -> Callable[..., Markup]: ...


def macros(name: str) -> Macros:
    """The macros of a template: `macros("lines.html").tiles(...)`."""
    return cast(Macros, _environment().get_template(name).module)


def piece(name: str, *values: object, **named: object) -> Markup:
    """A small piece of HTML: a macro of `templates/pieces.html`."""
    made: Markup = getattr(macros("pieces.html"), name)(*values, **named)
    return made


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {"t": t, "card": words.card, "faces": faces}
    return made


def set_up_page(pages: Sequence[str]) -> None:
    """Puts what is the same on every screen into the page: theme, styles, cards, language.

    Where no theme was chosen it is the light one, or the dark one where the device is set so.

    Args:
        pages: The names of all screens in addresses: Streamlit keeps a theme for each.
    """
    st.html(theme_styles(state.chosen_theme()))
    for name in STYLE_SHEETS:
        st.html(style_sheet(name))
    st.html(face_styles(state.card_style(refresh=True)))
    with st.container(key="page"):
        st.html(piece("lost_connection"))
        data = {"language": state.language(), "theme": state.chosen_theme(), "pages": pages}
        show("page", key="page_script", data=data)


def use_history_styles() -> None:
    """Puts the style of what was played into the page."""
    for name in HISTORY_SHEETS:
        st.html(style_sheet(name))


def inline_scripts() -> list[str]:
    """The scripts inside Streamlit's own index.html, for the content security policy."""
    index = Path(st.__file__).with_name("static") / "index.html"
    return re.findall(r"<script>(.*?)</script>", index.read_text(encoding="utf-8"), re.DOTALL)


@cache
def style_sheet(name: str) -> Markup:
    """A file of `static/` as the page takes it."""
    return _style(static_text(name))


@cache
def theme_styles(chosen: str | None) -> Markup:
    """The colours of a theme; None: of the light or the dark one, as the device is set."""
    if chosen is not None:
        return _style(static_text(f"themes/{chosen}.css"))
    light, dark = (static_text(f"themes/{name}.css") for name in ("light", "dark"))
    return _style(f"{light} @media (prefers-color-scheme: dark) {{ {dark} }}")


@cache
def face_styles(style: Drawing) -> Markup:
    """A rule for each card that shows its picture on `.f<code>`."""
    deck = words.DECKS[style]
    faces = ((code, card_uri(code, deck=deck)) for code in CODES)
    return _style("".join(f'.f{code} {{ background-image: url("{uri}"); }}' for code, uri in faces))


def _style(rules: str) -> Markup:
    return Markup("<style>{}</style>").format(Markup(rules))


def face_aspect() -> float:
    """Height of a card's face against its width, of the cards that this screen shows."""
    width, height = SIZE_MM[words.deck()]
    return height / width


def faces(codes: Iterable[str], *, width_px: int = 34) -> Markup:
    """HTML of these cards side by side, in the deck's order.

    Args:
        codes: The cards.
        width_px: How wide an Italian card is; a French one is broader and has the same area.
    """
    wanted, area = frozenset(codes), width_px**2 * ITALIAN_ASPECT
    width = round(sqrt(area / face_aspect()))
    height = round(width * face_aspect())
    shown = [code for code in CODES if code in wanted]
    return piece("card_faces", shown, width, height)


def note(sentence: str, *, kind: str = "") -> None:
    """Shows a sentence in a box: calm, `ask` (look!) or `stop` (it holds things up)."""
    st.html(piece("note", sentence.split("\n"), kind))


def quiet(sentence: str, tag: str = "p") -> None:
    """Shows a sentence in small grey letters."""
    st.html(piece("quiet", sentence, tag))


def plain(text: str) -> str:
    r"""A text as Streamlit's Markdown that shows it as it is: for labels with names in them.

    >>> plain("Anna"), plain("*Anna* [x](y)")
    ('Anna', '\\*Anna\\* \\[x\\](y)')
    """
    return MARKDOWN.sub(r"\\\g<0>", text)


_lock = threading.Lock()
_thread = threading.local()


@contextmanager
def render_lock() -> Iterator[None]:
    """Lets one screen be rendered at a time.

    Streamlit runs each script in a thread of its own, and all share one core: two at once take
    longer, and a tap longest.
    """
    with _lock:
        _thread.rendering = True
        try:
            yield
        finally:
            _thread.rendering = False


@contextmanager
def yielding() -> Iterator[None]:
    """Lets other screens be rendered while this one does something long, as reading a photo."""
    if not getattr(_thread, "rendering", False):
        yield
        return
    _thread.rendering = False
    _lock.release()
    try:
        yield
    finally:
        _lock.acquire()
        _thread.rendering = True
