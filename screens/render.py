"""HTML of the screens: Jinja2 templates, card faces, notes.

HTML is in `templates/`, where every value that is not HTML is escaped. A file with several pieces
has macros: `macros("lines.html").tiles(...)`.
"""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from math import sqrt
from pathlib import Path
from time import monotonic_ns
from typing import Protocol, cast

import streamlit as st
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from assets.deck import SIZE_MM, CardStyle
from scoring.cards import CODES
from screens import state, words
from screens.components import show
from screens.words import t

TEMPLATES = Path(__file__).with_name("templates")
"""The folder of templates."""

MARKDOWN = re.compile(r"[\\`*_\[\]$~<>#|]|:(?=\w)|&(?=[#\w])|^[-+](?=[-+\s]|$)")
"""Characters with a meaning in Streamlit's Markdown: emphasis, links, formulas, colours, icons,
entities such as `&lt;`, and at the start a list or a rule."""

NUMBERED = re.compile(r"^(\d+)([.)])")
"""The start of a numbered list, whose number Markdown would remove."""

ADDRESS = re.compile(r"www(?=\.)|https?\\?:(?=//)|@(?=[-\w])", re.IGNORECASE)
"""A start after which Markdown makes a link of the text, even if it is escaped."""

JOINER = "\u2060"
"""WORD JOINER: an invisible character that breaks no word but ends an address."""

ITALIAN_ASPECT = SIZE_MM[CardStyle.ITALIAN][1] / SIZE_MM[CardStyle.ITALIAN][0]
"""Height of an Italian card divided by its width."""


def template(name: str, **values: object) -> Markup:
    """Render a template of `templates/`."""
    return Markup(_environment().get_template(name).render(values))


class Macros(Protocol):
    """The macros of a template, as functions by their names."""

    def __getattr__(self, name: str) -> Callable[..., Markup]: ...


def macros(name: str) -> Macros:
    """Return the macros of a template: `macros("lines.html").tiles(...)`."""
    return cast(Macros, _environment().get_template(name).module)


def piece(name: str, *values: object, **named: object) -> Markup:
    """Return a small piece of HTML: a macro of `templates/pieces.html`."""
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
        finalize=_isolating,
    )
    made.globals |= {"t": t, "card": words.card, "faces": faces, "signs": words.SIGNS}
    made.globals["isolated"] = words.isolated
    return made


def _isolating(value: object) -> object:
    """Return a value of a template, with `<bdi>` for the isolates of `words.isolated`."""
    begin, end = words.ISOLATES
    if not isinstance(value, str) or begin not in value:
        return value
    return escape(value).replace(begin, Markup("<bdi>")).replace(end, Markup("</bdi>"))


def set_up_page(pages: Sequence[str]) -> None:
    """Give the page's script what only the server knows: language, theme and card style.

    Args:
        pages: The names of all screens in addresses; Streamlit stores a theme for each.
    """
    style = state.card_style(refresh=True)
    with st.container(key="page"):
        st.html(piece("lost_connection"))
        data = {
            "language": state.language(),
            "theme": state.chosen_theme(),
            "deck": style,
            "pages": pages,
            "run": monotonic_ns(),  # different each time: it tells the script that a run has begun
        }
        show("page", key="page_script", data=data)


def face_aspect() -> float:
    """Return the height of a card's face divided by its width, in the screen's card style."""
    width, height = SIZE_MM[state.card_style()]
    return height / width


def faces(codes: Iterable[str], *, width_px: int = 34) -> Markup:
    """Return HTML of cards side by side, in the deck's order.

    Args:
        codes: The cards.
        width_px: Width of an Italian card; a French one is wider and has the same area.
    """
    wanted, area = frozenset(codes), width_px**2 * ITALIAN_ASPECT
    width = round(sqrt(area / face_aspect()))
    height = round(width * face_aspect())
    shown = [code for code in CODES if code in wanted]
    return piece("card_faces", shown, width, height)


def note(sentence: str, *, kind: str = "") -> None:
    """Show a sentence in a box: calm, `ask` (needs attention) or `stop` (an error)."""
    st.html(piece("note", sentence.split("\n"), kind))


def quiet(sentence: str, tag: str = "p") -> None:
    """Show a sentence in small grey letters."""
    st.html(piece("quiet", sentence, tag))


def plain(text: str) -> str:
    r"""Escape a text for Streamlit's Markdown, for labels with names in them.

    >>> plain("Anna"), plain("*Anna* [x](y)")
    ('Anna', '\\*Anna\\* \\[x\\](y)')
    """
    escaped = NUMBERED.sub(r"\1\\\2", MARKDOWN.sub(r"\\\g<0>", text))
    return ADDRESS.sub(rf"\g<0>{JOINER}", escaped)


_lock = threading.Lock()
_turns = tuple(threading.Lock() for _ in range(256))


def turn_of(network: str) -> threading.Lock:
    """Return the lock of a network address's screens; a few networks share one."""
    return _turns[hash(network) % len(_turns)]


@contextmanager
def render_lock(network: str = "") -> Iterator[None]:
    """Render one screen at a time; at most one screen per network address waits for that lock.

    Streamlit runs each script in a thread, and all threads share one core: two at once take longer,
    and a tap waits longest. A client that requests hundreds of screens only delays itself.
    """
    with turn_of(network), _lock:
        yield
