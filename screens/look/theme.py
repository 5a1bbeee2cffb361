"""Pieces of HTML that screens share: card faces, notes, and styles that depend on the piles.

HTML is built with `markupsafe.Markup.format`, which escapes every value that is not markup itself.
"""

import math
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import streamlit as st
from markupsafe import Markup

from assets.deck import SIZE_MM, DeckName, card_uri
from scoring.cards import CODES
from screens import words
from store import Drawing

LOOK = Path(__file__).parent
"""Where the style sheets and scripts lie."""

STYLE_SHEETS = ("look.css", "board.css", "referee.css", "guide.css", "taught.css")
"""The style sheets of the screens."""

SHOT_CSS = Path(__file__).with_name("shot.css")
"""Style of a photo with its outlines."""

MARKDOWN = re.compile(r"[\\`*_\[\]$~<>#|]|:(?=\w)")
"""What means something in Streamlit's Markdown: emphasis, links, formulas, colours, icons."""

PHONE_CSS = Path(__file__).with_name("phone.css")
"""Style of the components that work on the phone."""


ITALIAN_ASPECT = SIZE_MM["italian"][1] / SIZE_MM["italian"][0]
"""Height of an Italian card against its width."""


def face_aspect() -> float:
    """Gives the height of a card's face against its width, of the cards that this screen shows."""
    width, height = SIZE_MM[words.deck()]
    return height / width


def script(*names: str) -> str:
    """Gives the script of a component that works on the phone, put together from files."""
    return "".join(file_text(f"{one}.js") for one in names)


def file_text(name: str) -> str:
    """Gives the text of a style sheet or a script."""
    return (LOOK / name).read_text(encoding="utf-8")


def dress(chosen: str | None, drawing: Drawing) -> None:
    """Puts the colours of a theme, the style sheets and the forty card pictures into the page.

    Where no theme was chosen it is the light one, or the dark one where the device is set so.
    """
    st.html(theme_styles(chosen))
    for name in STYLE_SHEETS:
        st.html(sheet(name))
    st.html(face_styles(drawing))


@cache
def sheet(name: str) -> Markup:
    """Gives a style sheet as the page takes it."""
    return _style(file_text(name))


@cache
def theme_styles(chosen: str | None) -> Markup:
    """Gives the style with the colours of a theme."""
    if chosen is not None:
        return _style(file_text(f"themes/{chosen}.css"))
    light, dark = (file_text(f"themes/{name}.css") for name in ("light", "dark"))
    return _style(f"{light} @media (prefers-color-scheme: dark) {{ {dark} }}")


@cache
def face_styles(drawing: Drawing) -> Markup:
    """Gives the style that shows a card's picture on `.f<code>`."""
    return _style("".join(_face_rule(code, deck=words.DECKS[drawing]) for code in CODES))


def faces(codes: Iterable[str], *, width_px: int = 34) -> Markup:
    """Gives HTML that shows these cards side by side, in the deck's order.

    Args:
        codes: The cards.
        width_px: How wide an Italian card is; a French one is broader and has the same area.
    """
    held, area = frozenset(codes), width_px**2 * ITALIAN_ASPECT
    width = round(math.sqrt(area / face_aspect()))
    height = round(width * face_aspect())
    face = Markup('<span class="face f{}" style="width:{}px;height:{}px" title="{}"></span>')
    shown = (face.format(code, width, height, words.card(code)) for code in CODES if code in held)
    return Markup('<div class="faces" translate="no" style="--face:{}px">{}</div>').format(
        width, Markup("").join(shown)
    )


def note(sentence: str, *, kind: str = "") -> None:
    """Shows a sentence in a box: calm, `ask` (look!) or `stop` (it holds things up)."""
    lines = Markup("<br>").join(sentence.split("\n"))
    st.html(Markup('<div class="note {}" role="status">{}</div>').format(kind, lines))


def plain(text: str) -> str:
    r"""Gives a text as Streamlit's Markdown that shows it as it is: for labels with names in them.

    >>> plain("Anna"), plain("*Anna* [x](y)")
    ('Anna', '\\*Anna\\* \\[x\\](y)')
    """
    return MARKDOWN.sub(r"\\\g<0>", text)


def _face_rule(code: str, *, deck: DeckName) -> str:
    return f'.f{code} {{ background-image: url("{card_uri(code, deck=deck)}"); }}'


def _style(rules: str) -> Markup:
    return Markup("<style>{}</style>").format(Markup(rules))
