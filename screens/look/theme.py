"""The look: one style sheet, the card pictures as CSS classes, small pieces of HTML."""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from assets.deck import card_uri
from scoring.cards import CODES

LOOK = Path(__file__).with_name("look.css")
"""The style sheet every screen wears."""


def dress() -> None:
    """Puts the style sheet and the forty card pictures into the page."""
    st.html(LOOK)
    st.html(face_styles())


@cache
def face_styles() -> str:
    """Gives the style that shows a card's picture on `.f<code>` and on its picker button."""
    rules = (_face_rule(code) for code in CODES)
    return f"<style>{''.join(rules)}</style>"


def faces(codes: Iterable[str], *, width_px: int = 34) -> str:
    """Gives HTML that shows these cards side by side, in the deck's order."""
    held = frozenset(codes)
    style = f"width:{width_px}px;height:{round(width_px * 1.88)}px"
    spans = (
        f'<span class="face f{code}" style="{style}" title="{code}"></span>'
        for code in CODES
        if code in held
    )
    return f'<div class="faces">{"".join(spans)}</div>'


def _face_rule(code: str) -> str:
    worn_by = f".f{code}, .st-key-card_{code} button, .st-key-choose_{code} button"
    return f'{worn_by} {{ background-image: url("{card_uri(code)}"); }}'


def safe(text: str) -> str:
    """Gives a text that people typed so that HTML shows it as it is.

    >>> safe("<b>Anna")
    '&lt;b&gt;Anna'
    """
    return escape(text)


def note(sentence: str, *, kind: str = "") -> None:
    """Shows a sentence in a box: calm, `ask` (look!) or `stop` (it holds things up)."""
    st.html(
        f'<div class="note {kind}" role="status">{escape(sentence).replace(chr(10), "<br>")}</div>'
    )


def snap_label(label: str) -> None:
    """Writes our own words on the uploader's button."""
    selector = ".st-key-snap section button::after"
    st.html(f'<style>{selector} {{ content: "{_css_text(label)}"; }}</style>')


HERE = "border: 3px solid var(--green); box-shadow: 0 0 0 1px var(--green);"
"""A card of this pile."""
ASKED = "border: 3px solid var(--warn); background-color: var(--warn-paper);"
"""A card somebody has to answer for."""
TWICE = "border: 3px solid var(--accent);"
"""A card in two piles."""
OTHER = "border: 1px solid var(--line);"
"""A card of another pile."""


def picker_styles(
    *,
    here: Iterable[str],
    asked: Iterable[str],
    twice: Iterable[str],
    other: Sequence[tuple[str, str]],
) -> str:
    """Gives the style of the picker's states: in this pile, to answer, in two piles, elsewhere.

    `other` holds pairs of a code and the mark (a side's first letters) it wears.
    """
    states = (
        _state(here, HERE, mark="✓", colour="--green"),
        _state(asked, ASKED, mark="?", colour="--warn"),
        _state(twice, TWICE, mark="!", colour="--accent"),
        *(_state([code], OTHER, mark=mark, colour="--quiet") for code, mark in other),
        *(_veil(code) for code, _ in other),
    )
    return f"<style>{''.join(states)}</style>"


def _state(codes: Iterable[str], look: str, *, mark: str, colour: str) -> str:
    chosen = [f".st-key-card_{code} button" for code in codes]
    if not chosen:
        return ""
    marks = ",".join(f"{one}::after" for one in chosen)
    worn = f'{marks} {{ content: "{_css_text(mark)}"; background: var({colour}); }}'
    return f"{','.join(chosen)} {{ {look} }}{worn}"


def _veil(code: str) -> str:
    paper = 'content: ""; background: rgba(250,246,236,0.66);'
    return f".st-key-card_{code} button::before {{ {paper} }}"


def _css_text(text: str) -> str:
    return "".join(f"\\{ord(letter):x} " for letter in text)
